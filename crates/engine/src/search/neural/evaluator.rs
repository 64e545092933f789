//! Evaluates positions with a net: priors and value together.

use super::board::NetBoard;
use super::cache::EvaluationCache;
use super::inputs::{InputWriter, write_turns};
use super::pool::{Asking, EvaluationPool, Ticket};
use super::settled::{self, Settled};
use crate::board::{Point, PointMap, Random};
use crate::net::{Evaluation, Instructions, Net, SCORE_UNIT, Scratch};
use crate::rules::{Position, Step, VariantInfo};
use crate::search::evaluator::{Evaluator, Leaf, Outcome, Trace};
use std::sync::Arc;

#[derive(Debug)]
pub struct NetEvaluator {
    net: Arc<Net>,
    instructions: Instructions,
    board: NetBoard,
    inputs: InputWriter,
    scratch: Scratch,
    cache: Arc<EvaluationCache>,
    evaluation: Evaluation,
    /// Whether the count corrects the margin on settled boards.
    counts_settled: bool,
    /// Symmetries of the board; the first is the identity.
    views: Vec<View>,
    root_views: usize,
    /// Draws a view for each position but the root.
    view_seed: u64,
    /// The number of the tree; the evaluations of another one are not recalled.
    tree: u64,
    /// The pool that evaluates leaves, if there is one.
    asking: Option<Asking>,
    /// The key of the leaf that waits, and its claim to an answer.
    request: Option<(u64, Ticket)>,
}

/// The symmetries of a square.
const MAX_VIEWS: usize = 8;

#[derive(Debug)]
struct View {
    /// By position among the activations.
    positions: Vec<usize>,
    images: Vec<u16>,
}

impl View {
    fn new(board: &NetBoard, images: Vec<u16>) -> View {
        let mut positions: Vec<usize> = (0..board.frame().positions()).collect();
        let playable: Vec<usize> = board.frame().playable().collect();
        for (&from, &image) in playable.iter().zip(&images) {
            positions[from] = playable[usize::from(image)];
        }
        View { positions, images }
    }

    /// Adds this share of an evaluation in this view to the mean of several views.
    fn add(&self, seen: &Evaluation, share: f32, mean: &mut Evaluation) {
        let points = self.images.len();
        let add = |mean: &mut f32, seen: f32| *mean += share * seen;
        mean.point_policy.resize(seen.point_policy.len(), 0.0);
        mean.board_policy.resize(seen.board_policy.len(), 0.0);
        mean.ownership.resize(seen.ownership.len(), 0.0);
        let kinds = seen.point_policy.chunks(points).zip(mean.point_policy.chunks_mut(points));
        for (seen, mean) in kinds.chain([(&*seen.ownership, &mut *mean.ownership)]) {
            for (mean, &image) in mean.iter_mut().zip(&self.images) {
                add(mean, seen[usize::from(image)]);
            }
        }
        let numbers = mean.board_policy.iter_mut().chain(&mut mean.result);
        for (mean, &seen) in numbers.zip(seen.board_policy.iter().chain(&seen.result)) {
            add(mean, seen);
        }
        add(&mut mean.score_mean, seen.score_mean);
        add(&mut mean.score_log_stdev, seen.score_log_stdev);
    }
}

impl NetEvaluator {
    /// An evaluator for games on the board of `position` by a net for this variant.
    pub fn new(position: &Position, net: Arc<Net>) -> Self {
        let board = NetBoard::new(&position.board);
        let points = board.points().len();
        NetEvaluator {
            cache: Arc::new(EvaluationCache::new(0, 0)),
            instructions: Instructions::best(),
            inputs: InputWriter::default(),
            scratch: Scratch::new(net.shape(), board.frame()),
            evaluation: Evaluation::default(),
            counts_settled: false,
            views: vec![View::new(&board, (0..points as u16).collect())],
            root_views: 1,
            view_seed: 0,
            tree: 0,
            asking: None,
            request: None,
            board,
            net,
        }
    }

    /// The evaluator with symmetries of the board: the view seed of the search draws one for each
    /// position, and the evaluation of the root is the mean of `of_root` of them (Wu, "Accelerating
    /// self-play learning in Go", 2019). 0 changes nothing.
    #[must_use]
    pub fn with_symmetries(self, of_root: usize, info: &VariantInfo) -> Self {
        if of_root == 0 {
            return self;
        }
        let symmetries = self.board.symmetries(info).take(MAX_VIEWS);
        let views: Vec<_> = symmetries.map(|images| View::new(&self.board, images)).collect();
        NetEvaluator { root_views: of_root.min(views.len()), views, ..self }
    }

    /// The evaluator with a net computed by these instructions.
    #[must_use]
    pub fn with_instructions(self, instructions: Instructions) -> Self {
        NetEvaluator { instructions, ..self }
    }

    /// The evaluator that corrects margins on settled boards by the count.
    #[must_use]
    pub fn counting_settled(self) -> Self {
        NetEvaluator { counts_settled: true, ..self }
    }

    /// The evaluator with the cache of all threads of its search, which the first one makes of at
    /// most `bytes` bytes. Without it an evaluator recalls only its latest evaluation.
    #[must_use]
    pub(in crate::search) fn sharing(
        self,
        cache: &mut Option<Arc<EvaluationCache>>,
        bytes: usize,
    ) -> Self {
        let numbers = self.board.points().len() * (self.net.shape().point_kinds + 1);
        let shared = cache.get_or_insert_with(|| Arc::new(EvaluationCache::new(bytes, numbers)));
        NetEvaluator { cache: shared.clone(), ..self }
    }

    /// The evaluator that lets a pool evaluate leaves by the built-in net of this name, which must
    /// be its own.
    #[must_use]
    pub(in crate::search) fn asking(self, pool: Arc<EvaluationPool>, net: &str) -> Self {
        NetEvaluator { asking: Some(Asking::new(pool, net, &self.board)), ..self }
    }

    /// Evaluates a position without the cache; `before` is the point of the turn before the latest.
    pub fn evaluate(&mut self, position: &Position, before: Point) -> &Evaluation {
        self.write_position(position, 0);
        let positions = &self.views[0].positions;
        write_turns(position, before, &self.board, &mut setter(&mut self.scratch, positions));
        self.net.evaluate(
            self.instructions,
            self.board.frame(),
            &mut self.scratch,
            &mut self.evaluation,
        );
        &self.evaluation
    }

    /// Evaluates a position in its views, by the cache or the net.
    fn recall_or_evaluate(&mut self, position: &Position, before: Point, is_root: bool) {
        let (views, count) = (self.views.len(), if is_root { self.root_views } else { 1 });
        let drawn = self.drawn_view(position);
        self.evaluation.clear();
        for view in (drawn..drawn + count).map(|view| view % views) {
            self.write_position(position, view);
            // The latest turns are not part of the key: a position that the search reaches in
            // another order has the evaluation of the first order.
            let key = EvaluationCache::key(&self.scratch, self.tree);
            let (instructions, net) = (self.instructions, &self.net);
            let (board, scratch) = (&self.board, &mut self.scratch);
            let (view, mean) = (&self.views[view], &mut self.evaluation);
            self.cache.see(
                key,
                |evaluation| {
                    write_turns(position, before, board, &mut setter(scratch, &view.positions));
                    net.evaluate(instructions, board.frame(), scratch, evaluation);
                },
                |seen| view.add(seen, 1.0 / count as f32, mean),
            );
        }
    }

    fn drawn_view(&self, position: &Position) -> usize {
        let drawn = Random::new(self.view_seed ^ position.board.hash()).bits();
        drawn as usize % self.views.len()
    }

    /// Asks the pool for the evaluation of a leaf; `None` if the pool does not evaluate it.
    fn ask(&mut self, leaf: Leaf<'_>) -> Option<(u64, Ticket)> {
        // The mean over several symmetries is rare.
        if self.asking.is_none() || leaf.is_root {
            return None;
        }
        let view = self.drawn_view(leaf.position);
        self.write_position(leaf.position, view);
        let key = EvaluationCache::key(&self.scratch, self.tree);
        if self.cache.has(key) {
            return None;
        }
        let positions = &self.views[view].positions;
        let mut set = setter(&mut self.scratch, positions);
        write_turns(leaf.position, leaf.before, &self.board, &mut set);
        drop(set);
        Some((key, self.asking.as_ref()?.ask(&self.scratch)?))
    }

    /// Writes all inputs but those of the latest turns.
    fn write_position(&mut self, position: &Position, view: usize) {
        let positions = &self.views[view].positions;
        self.scratch.clear();
        let (inputs, scratch) = (&mut self.inputs, &mut self.scratch);
        inputs.write_position(position, &self.board, &mut setter(scratch, positions));
        self.inputs.write_globals(position, self.scratch.globals());
    }

    /// The latest evaluation for the side to move: probabilities of a win, a draw and a loss, the
    /// score in points and its standard deviation.
    pub(super) fn latest_values(&self) -> ([f32; 3], f32, f32) {
        let evaluation = &self.evaluation;
        let stdev = libm::expf(evaluation.score_log_stdev) * SCORE_UNIT;
        let score = evaluation.score_mean * SCORE_UNIT;
        (softmax3(evaluation.result), score, stdev)
    }

    /// The value of the latest evaluation; adds its ownership to the trace.
    fn outcome(&self, position: &Position, trace: &mut Trace) -> Outcome {
        trace.ownership.add_evaluation(self.owned(position));
        let [win, draw, _] = softmax3(self.evaluation.result);
        let margin = self.evaluation.score_mean * SCORE_UNIT;
        let said = Outcome { win: win + draw / 2.0, margin }.for_color(position.situation.to_move);
        if !self.counts_settled {
            return said;
        }
        let settled = Settled::new(self.owned(position).filter_map(|(point, owner)| {
            settled::counts(position.board.cell(point)).then_some(owner)
        }));
        let owned_margin = || settled::margin(position, self.owned(position));
        Outcome { margin: settled::mended(said.margin, settled, owned_margin), ..said }
    }

    /// The ownership of each point, −1 (White) to 1 (Black).
    fn owned(&self, position: &Position) -> impl Iterator<Item = (Point, f32)> {
        let sign = f32::from(position.situation.to_move.sign());
        let owners = self.board.points().iter().zip(&self.evaluation.ownership);
        owners.map(move |(&point, &owner)| (point, owner * sign))
    }
}

/// Sets an input by its place among the activations, which moves to another of these positions.
fn setter(scratch: &mut Scratch, positions: &[usize]) -> impl FnMut(usize, usize, u8) {
    move |at, plane, value| {
        if let Some(input) = scratch.planes(positions[at]).get_mut(plane) {
            *input = value;
        }
    }
}

impl Evaluator for NetEvaluator {
    fn knows_eyes(&self) -> bool {
        true
    }

    fn begin(&mut self, view_seed: u64, is_new_tree: bool) {
        self.view_seed = view_seed;
        self.tree += u64::from(is_new_tree);
    }

    fn symmetries(&mut self, position: &Position) -> Vec<PointMap<Point>> {
        let mut keys = Vec::new();
        for view in 0..self.views.len() {
            self.write_position(position, view);
            keys.push(EvaluationCache::key(&self.scratch, self.tree));
        }
        let points = self.board.points();
        let same =
            self.views.iter().zip(&keys).skip(1).filter(|(_, key)| Some(*key) == keys.first());
        let map = |(view, _): (&View, _)| {
            let mut map = PointMap::filled(Point::NONE);
            for (&point, &image) in points.iter().zip(&view.images) {
                map[point] = points[usize::from(image)];
            }
            map
        };
        same.map(map).collect()
    }

    fn must_wait(&mut self, leaf: Leaf<'_>) -> bool {
        let Some((key, ticket)) = self.request.take() else {
            self.request = self.ask(leaf);
            return self.request.is_some();
        };
        let Some(answer) = ticket.answer() else {
            self.request = Some((key, ticket));
            return true;
        };
        let (points, shape) = (self.board.points().len(), self.net.shape());
        self.cache.put(key, |evaluation| answer.read(points, shape, evaluation));
        false
    }

    fn forget_leaf(&mut self) {
        self.request = None;
    }

    fn expand(
        &mut self,
        leaf: Leaf<'_>,
        priors: &mut Vec<f32>,
        trace: &mut Trace,
    ) -> Option<Outcome> {
        let Leaf { position, before, steps, is_root } = leaf;
        self.recall_or_evaluate(position, before, is_root);
        let points = &self.evaluation.point_policy;
        let board = &self.evaluation.board_policy;
        let logit = |step: &Step| {
            let index = self.board.policy_index(position.info(), *step)?;
            let found = points.get(index);
            found.or_else(|| board.get(index - points.len())).copied()
        };
        let logits = steps.iter().map(|step| logit(step).unwrap_or(f32::MIN));
        priors.extend(logits);
        softmax(priors);
        Some(self.outcome(position, trace))
    }

    fn value(&mut self, position: &Position, _: &mut Random, trace: &mut Trace) -> Outcome {
        self.recall_or_evaluate(position, Point::NONE, false);
        self.outcome(position, trace)
    }
}

fn softmax(numbers: &mut [f32]) {
    let largest = numbers.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for number in numbers.iter_mut() {
        *number = libm::expf(*number - largest);
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
    use crate::board::Color;
    use crate::net::sample::data;
    use crate::rules::{Game, Setup, Size, Turn, VARIANTS, VariantInfo, variant};
    use crate::search::neural::{RawEvaluation, shape_for};
    use crate::search::{Search, SearchParams, Searcher, Task, TurnChoice};

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
        let mut game = Game::new(&setup).expect("a game");
        let mut choices = Vec::new();
        while choices.len() < turns && !game.is_over() {
            let color = game.to_move();
            let mut task = Task::new(color);
            task.playouts = Some(60);
            let choice = searcher.turn(&game, &task).finish(&mut |_| false);
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
        let game = Game::new(&Setup::new(info)).expect("a game");
        let mut evaluator = NetEvaluator::new(game.position(), net(info));
        let steps = game.steps(Color::Black);
        let (mut priors, mut trace) = (Vec::new(), Trace::default());
        let (position, before) = (game.position(), Point::NONE);
        let leaf = Leaf { position, before, steps: &steps, is_root: true };
        let outcome = evaluator.expand(leaf, &mut priors, &mut trace).expect("a value");
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

    #[test]
    fn a_tree_evaluates_a_position_once_in_any_order_of_turns() {
        let info = VARIANTS[0];
        let after = |columns: [u8; 3]| {
            let mut game =
                Game::new(&Setup { size: Size::square(5), ..Setup::new(info) }).expect("a game");
            for column in columns {
                let point = game.grid().point(column, 2).expect("a point");
                game.play(game.to_move(), &Turn::stone(point)).expect("legal");
            }
            game
        };
        let [one, other] = [[0, 2, 4], [4, 2, 0]].map(after);
        let evaluator = NetEvaluator::new(one.position(), net(info));
        let mut evaluator = evaluator.sharing(&mut None, 1 << 20);
        let mut seen = |game: &Game, is_new_tree| {
            evaluator.begin(0, is_new_tree);
            let mut trace = Trace::default();
            evaluator.value(game.position(), &mut Random::new(1), &mut trace)
        };
        let (first, again) = (seen(&one, true), seen(&other, false));
        assert_eq!(first, again);
        // The net sees which turn was the latest.
        assert_ne!(seen(&other, true), first);
        assert_eq!(seen(&one, true), first);
    }

    #[test]
    fn the_mean_over_all_symmetries_is_as_symmetric_as_the_board() {
        for id in ["go", "2.5d"] {
            let info = variant(id).expect("a variant");
            let mut setup = Setup::new(info);
            (setup.size.width, setup.size.height) = (7, 7);
            setup.rules.layers = 1;
            let mut game = Game::new(&setup).expect("a game");
            let centre = Turn::stone(game.grid().point(3, 3).expect("a point"));
            game.play(Color::Black, &centre).expect("legal");
            let symmetries = game.grid().symmetries(false);
            let asymmetry = |of_root: usize| {
                let seen = RawEvaluation::new(&game, net(info), of_root).ownership;
                let owner = |at: Point| seen.iter().find(|(point, _)| *point == at);
                let difference = |&(point, here): &(Point, f32)| {
                    let images = symmetries.iter().map(|&of| game.grid().image(point, of));
                    let there = images.filter_map(owner).map(|&(_, there)| (there - here).abs());
                    there.fold(0.0, f32::max)
                };
                seen.iter().map(difference).fold(0.0, f32::max)
            };
            assert!(asymmetry(0) > 0.01, "{id}");
            assert!(asymmetry(8) < 1e-4, "{id} {}", asymmetry(8));
        }
    }

    #[test]
    fn a_seed_draws_the_symmetries_of_a_search() {
        let info = VARIANTS[0];
        let seen = |seed: u64| {
            let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
            searcher.set_net(info, net(info));
            let mut setup = Setup::new(info);
            setup.size = Size::square(7);
            let game = Game::new(&setup).expect("a game");
            let task = Task { playouts: Some(60), view_seed: seed, ..Task::new(Color::Black) };
            searcher.turn(&game, &task).finish(&mut |_| false)
        };
        assert_eq!(seen(1), seen(1));
        assert!((2..12).any(|seed| seen(seed) != seen(1)));
    }
}
