//! Evaluates positions with a net: priors and value at once.

use super::board::NetBoard;
use super::cache::EvaluationCache;
use super::inputs::{WriteInputs, input_writer};
use super::settled::{self, Settled};
use crate::board::{Color, Point, Random};
use crate::net::{Evaluation, Instructions, Net, SCORE_UNIT, Scratch};
use crate::rules::{AnyPosition, Step};
use crate::search::evaluator::{Evaluator, Outcome, Trace};
use std::sync::Arc;

/// An evaluator that asks a net.
#[derive(Debug)]
pub struct NetEvaluator {
    net: Arc<Net>,
    instructions: Instructions,
    board: NetBoard,
    inputs: Box<dyn WriteInputs>,
    scratch: Scratch,
    cache: EvaluationCache,
    /// The latest.
    evaluation: Evaluation,
    /// The reciprocal of the policy's temperature.
    sharpness: f32,
    /// Whether the count corrects the margin on settled boards.
    counts_settled: bool,
}

impl NetEvaluator {
    /// An evaluator for games on the board of `position` by a net for this variant.
    pub fn new(position: &dyn AnyPosition, net: Arc<Net>, policy_temperature: f32) -> Self {
        let board = NetBoard::new(position.board());
        let points = board.points().len();
        NetEvaluator {
            cache: EvaluationCache::new(points * (net.shape().point_kinds + 1)),
            instructions: Instructions::best(),
            inputs: input_writer(position),
            scratch: Scratch::new(net.shape(), board.frame()),
            evaluation: Evaluation::default(),
            sharpness: 1.0 / policy_temperature,
            counts_settled: false,
            board,
            net,
        }
    }

    /// The same evaluator, whose margin on settled boards the count corrects or not.
    #[must_use]
    pub fn counting_settled(self, counts_settled: bool) -> Self {
        NetEvaluator { counts_settled, ..self }
    }

    /// What the net says of a position, computed anew; `before` is the point of the turn
    /// before the latest.
    pub fn evaluate(&mut self, position: &dyn AnyPosition, before: Point) -> &Evaluation {
        self.write_inputs(position, before);
        self.net.evaluate(
            self.instructions,
            self.board.frame(),
            &mut self.scratch,
            &mut self.evaluation,
        );
        &self.evaluation
    }

    /// As [`evaluate`](Self::evaluate), if it is not in the cache.
    fn recall_or_evaluate(&mut self, position: &dyn AnyPosition, before: Point) {
        self.write_inputs(position, before);
        let key = EvaluationCache::key(&self.scratch);
        let (instructions, frame) = (self.instructions, self.board.frame());
        let (net, scratch) = (&self.net, &mut self.scratch);
        let evaluation = self.cache.get_or_evaluate(key, |evaluation| {
            net.evaluate(instructions, frame, scratch, evaluation);
        });
        self.evaluation.clone_from(evaluation);
    }

    fn write_inputs(&mut self, position: &dyn AnyPosition, before: Point) {
        let scratch = &mut self.scratch;
        scratch.clear();
        self.inputs.write(position, before, &self.board, &mut |at, plane, value| {
            if let Some(input) = scratch.planes(at).get_mut(plane) {
                *input = value;
            }
        });
        self.inputs.write_globals(position, scratch.globals());
    }

    /// Chances of a win, a draw and a loss, the score in points and its standard deviation,
    /// of the side to move at the position that was evaluated last.
    pub(super) fn latest_values(&self) -> ([f32; 3], f32, f32) {
        let evaluation = &self.evaluation;
        let stdev = libm::expf(evaluation.score_log_stdev) * SCORE_UNIT;
        let score = evaluation.score_mean * SCORE_UNIT;
        (softmax3(evaluation.result), score, stdev)
    }

    /// The value of the position that was evaluated; its ownership goes to the trace.
    fn outcome(&self, position: &dyn AnyPosition, trace: &mut Trace) -> Outcome {
        trace.ownership.add_evaluation(self.owned(position));
        let [win, draw, _] = softmax3(self.evaluation.result);
        let margin = self.evaluation.score_mean * SCORE_UNIT;
        let said = Outcome { win: win + draw / 2.0, margin }.for_color(position.to_move);
        if !self.counts_settled {
            return said;
        }
        let settled = Settled::of(self.owned(position).filter_map(|(point, owner)| {
            settled::counts(position.board().cell(point)).then_some(owner)
        }));
        let owned_margin = || settled::margin(position, self.owned(position));
        Outcome { margin: settled::mended(said.margin, settled, owned_margin), ..said }
    }

    /// The ownership of each point, −1 (White) to 1 (Black).
    fn owned(&self, position: &dyn AnyPosition) -> impl Iterator<Item = (Point, f32)> {
        let sign = match position.to_move {
            Color::Black => 1.0,
            Color::White => -1.0,
        };
        let owners = self.board.points().iter().zip(&self.evaluation.ownership);
        owners.map(move |(&point, &owner)| (point, owner * sign))
    }
}

impl Evaluator for NetEvaluator {
    fn knows_eyes(&self) -> bool {
        true
    }

    fn expand(
        &mut self,
        position: &dyn AnyPosition,
        before: Point,
        steps: &[Step],
        priors: &mut Vec<f32>,
        trace: &mut Trace,
    ) -> Option<Outcome> {
        self.recall_or_evaluate(position, before);
        let points = &self.evaluation.point_policy;
        let board = &self.evaluation.board_policy;
        let logit = |step: &Step| {
            let index = self.board.policy_index(position.info(), *step)?;
            let found = points.get(index);
            found.or_else(|| board.get(index - points.len())).copied()
        };
        let logits = steps.iter().map(|step| logit(step).unwrap_or(f32::MIN));
        priors.extend(logits.map(|logit| logit * self.sharpness));
        softmax(priors);
        Some(self.outcome(position, trace))
    }

    fn value(&mut self, position: &dyn AnyPosition, _: &mut Random, trace: &mut Trace) -> Outcome {
        self.recall_or_evaluate(position, Point::NONE);
        self.outcome(position, trace)
    }
}

/// Turns logits into shares that sum to one.
fn softmax(numbers: &mut [f32]) {
    let greatest = numbers.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for number in numbers.iter_mut() {
        *number = libm::expf(*number - greatest);
        sum += *number;
    }
    for number in numbers {
        *number /= sum;
    }
}

fn softmax3(mut numbers: [f32; 3]) -> [f32; 3] {
    softmax(&mut numbers);
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::tests::data;
    use crate::rules::{AnyGame, Setup, VARIANTS, VariantInfo};
    use crate::search::neural::shape_for;
    use crate::search::{SearchParams, Searcher, Task, TurnChoice};

    fn net(info: &'static VariantInfo) -> Arc<Net> {
        let mut random = Random::new(5);
        let data = data(shape_for(info, 1, 32), &mut random);
        Arc::new(Net::new(data).expect("a net"))
    }

    fn searched(info: &'static VariantInfo, threads: usize, turns: usize) -> Vec<TurnChoice> {
        let mut searcher = Searcher::new(SearchParams::default(), 16, threads);
        searcher.set_net(info, net(info));
        let mut setup = Setup::new(info);
        (setup.size.width, setup.size.height) = (6, 6);
        setup.rules.layers = setup.rules.layers.min(2);
        let mut game = AnyGame::new(&setup).expect("a game");
        let mut choices = Vec::new();
        while choices.len() < turns && !game.is_over() {
            let color = game.to_move();
            let mut task = Task::new(color);
            task.playouts = Some(60);
            let choice = searcher.turn(&game, &task, &mut |_| false);
            game.play(color, &choice.turn).expect("legal");
            choices.push(choice);
        }
        assert!(choices.len() == turns || game.is_over(), "{}", info.id);
        choices
    }

    #[test]
    fn searches_with_a_net_play_legal_turns_the_same_each_time() {
        for info in VARIANTS {
            let first = searched(info, 1, 12);
            assert_eq!(first, searched(info, 1, 12), "{}", info.id);
            assert!(first.iter().all(|choice| choice.choice.visits > 0));
            assert!(searched(info, 2, 3).len() == 3);
        }
    }

    #[test]
    fn a_net_is_asked_once_a_visit_and_gives_priors_and_ownership() {
        let info = VARIANTS[0];
        let game = AnyGame::new(&Setup::new(info)).expect("a game");
        let mut evaluator = NetEvaluator::new(game.position(), net(info), 1.0);
        let steps = game.steps(Color::Black);
        let (mut priors, mut trace) = (Vec::new(), Trace::default());
        let outcome = evaluator
            .expand(game.position(), Point::NONE, &steps, &mut priors, &mut trace)
            .expect("a value");
        assert!((0.0..=1.0).contains(&outcome.win));
        assert_eq!(priors.len(), steps.len());
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        let alone = evaluator.value(game.position(), &mut Random::new(1), &mut trace);
        assert_eq!(alone, outcome);
        let recalled = evaluator.evaluation.clone();
        assert_eq!(*evaluator.evaluate(game.position(), Point::NONE), recalled);
        let owner = |point: &Point| trace.ownership.mean_owner(*point);
        let owners: Vec<f32> = evaluator.board.points().iter().map(owner).collect();
        assert_eq!(owners, evaluator.evaluation.ownership);
    }
}
