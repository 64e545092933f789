//! What the searches of all positions of a game say of its turns.

use super::event::{Mistake, NodeValue, ReportedMove, ReviewSummary};
use super::report::black;
use super::tree::NodeNumber;
use super::view::vertices;
use crate::board::Color;
use crate::rules::{AnyGame, Sides, Turn};

/// Turns that are named as the worst at most.
const MAX_WORST: usize = 10;

/// Points that a turn must lose to be named: less is within the noise of a short search.
const LEAST_LOSS: f32 = 0.5;

/// What is left of a turn's accuracy for each point that it loses.
const KEPT_A_POINT: f32 = 0.75;

/// Compares each position of a game with the one before it.
#[derive(Debug, Default)]
pub struct Reviewer {
    before: Option<(NodeValue, Option<ReportedMove>)>,
    mistakes: Vec<Mistake>,
    /// Sums of the accuracies of Black's and White's turns, and their numbers.
    accuracy: [(f32, u32); 2],
}

impl Reviewer {
    /// Takes in the value of a position and the best move there. `made` is the turn that led
    /// to it and the game before. Returns the points that the turn lost.
    pub fn add(
        &mut self,
        node: NodeNumber,
        made: Option<(&AnyGame, Color, &Turn)>,
        value: NodeValue,
        best: Option<ReportedMove>,
    ) -> Option<f32> {
        let before = self.before.replace((value, best));
        let ((was, better), (game, color, turn)) = before.zip(made)?;
        let played = game.step_of_turn(color, turn, 0);
        let is_best = better
            .as_ref()
            .is_some_and(|better| better.step == super::view::step_view(game, played));
        let lost = black(was.margin, color) - black(value.margin, color);
        // The search's own choice is no mistake, whatever the next search thinks of it.
        let loss = if is_best { 0.0 } else { lost.max(0.0) };
        let side = match color {
            Color::Black => &mut self.accuracy[0],
            Color::White => &mut self.accuracy[1],
        };
        *side = (side.0 + KEPT_A_POINT.powf(loss), side.1 + 1);
        if loss >= LEAST_LOSS {
            self.mistakes.push(Mistake {
                node,
                color: color.name(),
                points: vertices(game.grid(), turn.points()),
                loss,
                better,
            });
        }
        Some(loss)
    }

    /// What the review says of the game.
    pub fn summary(mut self) -> ReviewSummary {
        self.mistakes.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        self.mistakes.truncate(MAX_WORST);
        let percent = |(sum, turns): (f32, u32)| (turns > 0).then(|| 100.0 * sum / turns as f32);
        ReviewSummary { worst: self.mistakes, accuracy: Sides::from(self.accuracy.map(percent)) }
    }
}

#[cfg(test)]
mod tests {
    use super::Reviewer;
    use crate::board::Color::{Black, White};
    use crate::rules::{Action, AnyGame, Setup, Step, variant};
    use crate::web::event::{NodeValue, ReportedMove};
    use crate::web::view::step_view;

    fn value(margin: f32) -> NodeValue {
        NodeValue { win_rate: 0.5, margin, visits: 100 }
    }

    fn best(game: &AnyGame, step: Step) -> Option<ReportedMove> {
        Some(ReportedMove {
            step: step_view(game, step),
            visits: 1,
            win_rate: 0.5,
            margin: 0.0,
            loss: 0.0,
            prior: 0.5,
            pv: Vec::new(),
        })
    }

    #[test]
    fn losses_are_those_of_the_side_that_moved() {
        let info = variant("go").expect("a variant");
        let mut game = AnyGame::new(&Setup::new(info)).expect("a start");
        let mut reviewer = Reviewer::default();
        let mut add = |words: &str, margin: f32, was_best: bool| {
            let Ok(Action::Turn(turn)) = game.parse(&[words]) else {
                panic!("{words}");
            };
            let (before, color) = (game.clone(), game.to_move());
            // What the position before says of its best move.
            let step = if was_best { before.step_of_turn(color, &turn, 0) } else { Step::PASS };
            let (was, _) = reviewer.before.take().unwrap_or((value(0.0), None));
            reviewer.before = Some((was, best(&before, step)));
            game.play(color, &turn).expect("legal");
            let node = crate::web::tree::ROOT;
            reviewer.add(node, Some((&before, color, &turn)), value(margin), None)
        };
        assert_eq!(add("D4", -4.0, false), Some(4.0));
        assert_eq!(add("Q16", 2.0, false), Some(6.0));
        assert_eq!(add("Q4", 5.0, false), Some(0.0));
        assert_eq!(add("D16", 6.0, true), Some(0.0));
        let summary = reviewer.summary();
        let worst: Vec<_> = summary.worst.iter().map(|of| (of.color, of.loss)).collect();
        assert_eq!(worst, [(White.name(), 6.0), (Black.name(), 4.0)]);
        let accuracy = |of: Option<f32>| of.expect("turns").round();
        assert_eq!(accuracy(summary.accuracy.black), 66.0);
        assert_eq!(accuracy(summary.accuracy.white), 59.0);
    }
}
