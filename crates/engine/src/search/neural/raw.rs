//! The evaluation of a game by a net, without a search.

use super::NetEvaluator;
use crate::board::{Color, Point};
use crate::net::Net;
use crate::rules::{Game, Step};
use crate::search::evaluator::{Evaluator, Leaf, Trace};
use std::sync::Arc;

/// One evaluation of the position of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct RawEvaluation {
    /// The side to move.
    pub color: Color,
    /// Probabilities of a win, a draw and a loss for the side to move.
    pub result: [f32; 3],
    /// Expected points of the side to move less the opponent's.
    pub score: f32,
    /// Standard deviation of the score.
    pub score_stdev: f32,
    /// The legal steps, without regard to superko, and their probabilities.
    pub policy: Vec<(Step, f32)>,
    /// Each playable point: −1 (White) to +1 (Black).
    pub ownership: Vec<(Point, f32)>,
}

impl RawEvaluation {
    /// Evaluates the position of a game with a net for its variant. The evaluation is the mean of
    /// this number of symmetries; 0 uses none.
    pub fn new(game: &Game, net: Arc<Net>, symmetries: usize) -> RawEvaluation {
        let position = game.position();
        let evaluator = NetEvaluator::new(position, net);
        let mut evaluator = evaluator.with_symmetries(symmetries, position.info());
        let (mut steps, mut priors) = (Vec::new(), Vec::new());
        position.for_each_step(position.situation.to_move, &mut |step| steps.push(step));
        let mut trace = Trace::default();
        let before = game.placed_before();
        let leaf = Leaf { position, before, steps: &steps, is_root: true };
        evaluator.expand(leaf, &mut priors, &mut trace);
        let (result, score, score_stdev) = evaluator.latest_values();
        let points = position.board.grid().points();
        RawEvaluation {
            color: position.situation.to_move,
            result,
            score,
            score_stdev,
            policy: steps.into_iter().zip(priors).collect(),
            ownership: points.map(|point| (point, trace.ownership.mean_owner(point))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RawEvaluation;
    use crate::net::Net;
    use crate::net::sample::data;
    use crate::rules::{Game, Setup, VARIANTS};
    use crate::search::neural::shape_for;
    use std::sync::Arc;

    #[test]
    fn an_evaluation_has_chances_that_sum_to_one_for_every_variant() {
        for info in VARIANTS {
            let game = Game::new(&Setup::new(info)).expect("a game");
            let mut random = crate::board::Random::new(3);
            let net = Net::new(data(shape_for(info, 1, 32), &mut random)).expect("a net");
            let raw = RawEvaluation::new(&game, Arc::new(net), 8);
            let sum = |numbers: &mut dyn Iterator<Item = f32>| numbers.sum::<f32>();
            assert!((sum(&mut raw.result.into_iter()) - 1.0).abs() < 1e-4, "{}", info.id);
            let shares = raw.policy.iter().map(|&(_, share)| share);
            assert!((sum(&mut shares.into_iter()) - 1.0).abs() < 1e-3, "{}", info.id);
            assert!(raw.score_stdev > 0.0 && !raw.ownership.is_empty());
        }
    }
}
