//! Judges the turns of a game by searches of all its positions.

use super::layers;
use super::owner_changes::OwnerChanges;
use super::report::{NodeValue, ReportedMove, black};
use super::tree::NodeNumber;
use super::view::{step_view, vertices};
use crate::board::Color;
use crate::rules::{AnyGame, Sides, Turn};
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewEvent {
    pub node: NodeNumber,
    pub done: usize,
    /// The number of searches so far known: the turns that may be the worst get a second one.
    pub total: usize,
    #[serde(flatten)]
    pub value: NodeValue,
    /// The best move there.
    pub best: Option<ReportedMove>,
    /// The turns before and after it, if the positions on both sides of them have values.
    pub losses: Vec<TurnLoss>,
    /// The turns that lost most so far, the worst first, if the list has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Vec<Mistake>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnLoss {
    /// The node behind the turn.
    pub node: NodeNumber,
    /// The side that made it.
    pub color: &'static str,
    /// Points, less the uncertainty of the searches.
    pub loss: f32,
    /// Whether the search chooses it too.
    pub best: bool,
    /// Prior of the turn, if the search chooses it too: a low one was hard to find.
    pub prior: Option<f32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReviewSummary {
    /// The turns that lost most, the worst first.
    pub worst: Vec<Mistake>,
    /// Percent: the mean over a side's turns of 100 that shrinks by a quarter with every point that
    /// the turn lost; `None` without a turn.
    pub accuracy: Sides<Option<f32>>,
}

/// A turn that lost points.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistake {
    /// The node behind the turn.
    pub node: NodeNumber,
    /// The side that made it.
    pub color: &'static str,
    pub points: Vec<String>,
    /// Points that it lost against the best turn.
    pub loss: f32,
    /// The effect in words, if the owners of the points show it.
    pub reason: Option<String>,
    /// The turn in the coordinates of the page.
    pub caption: String,
    /// The first step of a better turn.
    pub better: Option<ReportedMove>,
    /// The first step of the answer that makes it a mistake.
    pub answer: Option<ReportedMove>,
}

/// Maximum number of mistakes listed.
const MAX_WORST: usize = 10;

/// Maximum number of turns that get a second search before the list is final.
const MAX_CANDIDATES: usize = 2 * MAX_WORST;

/// Minimum loss of a mistake, in points.
const LEAST_LOSS: f32 = 1.0;

/// Minimum loss once nearly all points are settled.
const LEAST_LATE_LOSS: f32 = 0.5;

/// A loss below this number of standard deviations of the difference of two values is noise.
const DEVIATIONS: f32 = 2.0;

/// Factor of a turn's accuracy for each point that it loses.
const KEPT_A_POINT: f32 = 0.75;

/// The result of a search of a position.
#[derive(Clone, Debug)]
pub struct SearchedPosition {
    pub value: NodeValue,
    /// Standard deviation of the mean margin, in points.
    pub deviation: f32,
    pub best: Option<ReportedMove>,
    /// Ownership of each cell in percent, positive for Black; empty if unknown.
    pub ownership: Vec<i8>,
}

/// A turn of the game, and the game before it.
#[derive(Clone, Copy)]
pub struct Made<'g> {
    pub game: &'g AnyGame,
    pub color: Color,
    pub turn: &'g Turn,
}

/// The verdict of two searches on a turn.
#[derive(Clone, Debug)]
struct Verdict {
    color: Color,
    /// Estimated loss in points; negative for a gain.
    estimate: f32,
    turn: TurnLoss,
    mistake: Option<Mistake>,
}

/// Compares each position of a line with the one before it.
#[derive(Debug)]
pub struct Reviewer {
    line: Vec<NodeNumber>,
    looks: Vec<Option<SearchedPosition>>,
    verdicts: Vec<Option<Verdict>>,
}

impl Reviewer {
    /// A reviewer of a line, before the first search.
    pub fn new(line: Vec<NodeNumber>) -> Reviewer {
        let (looks, verdicts) = (vec![None; line.len()], vec![None; line.len()]);
        Reviewer { line, looks, verdicts }
    }

    /// Takes the result of the position with this index on the line.
    pub fn note(&mut self, at: usize, look: SearchedPosition) {
        if let Some(place) = self.looks.get_mut(at) {
            *place = Some(look);
        }
    }

    /// Judges the turn that led to a position, once it and the position before have results.
    pub fn judge(&mut self, at: usize, made: Made<'_>) -> Option<TurnLoss> {
        let before = self.looks.get(at.checked_sub(1)?)?.as_ref()?;
        let after = self.looks.get(at)?.as_ref()?;
        let node = *self.line.get(at)?;
        let verdict = verdict(node, before, after, made);
        let turn = verdict.turn;
        *self.verdicts.get_mut(at)? = Some(verdict);
        Some(turn)
    }

    /// The positions before and after the turns that may be the worst, the worst first.
    pub fn candidates(&self) -> Vec<usize> {
        let verdicts = self.verdicts.iter().enumerate();
        let lost = verdicts.filter_map(|(at, verdict)| Some((at, verdict.as_ref()?.estimate)));
        let mut turns: Vec<(usize, f32)> =
            lost.filter(|&(_, lost)| lost > LEAST_LATE_LOSS).collect();
        turns.sort_by(|a, b| b.1.total_cmp(&a.1));
        turns.truncate(MAX_CANDIDATES);
        let mut seen = BTreeSet::new();
        let positions = turns.into_iter().flat_map(|(at, _)| [at - 1, at]);
        positions.filter(|&at| seen.insert(at)).collect()
    }

    /// The mistakes so far, the worst first.
    pub fn worst(&self) -> Vec<Mistake> {
        let verdicts = self.verdicts.iter().flatten();
        let mut worst: Vec<Mistake> =
            verdicts.filter_map(|verdict| verdict.mistake.clone()).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        worst.truncate(MAX_WORST);
        worst
    }

    pub fn summary(&self) -> ReviewSummary {
        let accuracy = |color: Color| {
            let own = self.verdicts.iter().flatten().filter(|verdict| verdict.color == color);
            let kept: Vec<f32> = own.map(|verdict| KEPT_A_POINT.powf(verdict.turn.loss)).collect();
            (!kept.is_empty()).then(|| 100.0 * kept.iter().sum::<f32>() / kept.len() as f32)
        };
        ReviewSummary { worst: self.worst(), accuracy: Sides::from(Color::BOTH.map(accuracy)) }
    }
}

/// The verdict of the searches before and after a turn.
fn verdict(
    node: NodeNumber,
    before: &SearchedPosition,
    after: &SearchedPosition,
    made: Made<'_>,
) -> Verdict {
    let Made { game, color, turn } = made;
    let played = step_view(game, game.step_of_turn(color, turn, 0));
    let lost = black(before.value.margin, color) - black(after.value.margin, color);
    let noise = DEVIATIONS * before.deviation.hypot(after.deviation);
    let owners = OwnerChanges::new(made, &before.ownership, &after.ownership);
    // The search's own choice is not a mistake, whatever value the next search has.
    let prior = before.best.as_ref().filter(|best| best.step == played).map(|best| best.prior);
    let best = prior.is_some();
    let counts = !best && lost > noise && !owners.is_idle();
    let loss = if counts { lost.max(0.0) } else { 0.0 };
    let least = if owners.is_late() { LEAST_LATE_LOSS } else { LEAST_LOSS };
    let turn_loss = TurnLoss { node, color: color.name(), loss, best, prior };
    let mistake = (loss > least).then(|| Mistake {
        node,
        color: color.name(),
        points: vertices(game.grid(), turn.points()),
        loss,
        reason: owners.reason(loss),
        caption: layers::turn_name(game, turn),
        better: before.best.clone(),
        answer: after.best.clone(),
    });
    let estimate = if best { 0.0 } else { lost };
    Verdict { color, estimate, turn: turn_loss, mistake }
}

#[cfg(test)]
mod tests {
    use super::{Made, Reviewer, SearchedPosition};
    use crate::board::Color::{Black, White};
    use crate::rules::{Action, AnyGame, Setup, Step, Turn, variant};
    use crate::web::report::{NodeValue, ReportedMove};
    use crate::web::tree::NodeNumber;
    use crate::web::view::step_view;

    fn look(margin: f32, deviation: f32) -> SearchedPosition {
        let value = NodeValue { win_rate: 0.5, margin, visits: 100 };
        SearchedPosition { value, deviation, best: None, ownership: Vec::new() }
    }

    fn best(game: &AnyGame, step: Step) -> Option<ReportedMove> {
        Some(ReportedMove {
            step: step_view(game, step),
            value: NodeValue { win_rate: 0.5, margin: 0.0, visits: 1 },
            loss: 0.0,
            prior: 0.5,
            pv: Vec::new(),
        })
    }

    fn node(number: u32) -> NodeNumber {
        serde_json::from_value(number.into()).expect("a number of a node")
    }

    /// A review of these turns, with Black's margin after each; the named ones are the best.
    fn reviewed(turns: &[(&str, f32, f32, bool)]) -> Reviewer {
        let info = variant("go").expect("a variant");
        let mut game = AnyGame::new(&Setup::new(info)).expect("a start");
        let mut reviewer = Reviewer::new((0..=turns.len() as u32).map(node).collect());
        let mut before = look(0.0, 0.0);
        for (number, &(words, margin, deviation, is_best)) in turns.iter().enumerate() {
            let Ok(Action::Turn(turn)) = game.parse(&[words]) else { panic!("{words}") };
            let color = game.to_move();
            let step = if is_best { game.step_of_turn(color, &turn, 0) } else { Step::PASS };
            before.best = best(&game, step);
            reviewer.note(number, before);
            before = look(margin, deviation);
            reviewer.note(number + 1, before.clone());
            reviewer.judge(number + 1, Made { game: &game, color, turn: &turn });
            game.play(color, &turn).expect("legal");
        }
        reviewer
    }

    #[test]
    fn losses_are_those_of_the_side_that_moved() {
        let turns = [("D4", -4.0, 0.0, false), ("Q16", 2.0, 0.0, false)];
        let rest = [("Q4", 5.0, 0.0, false), ("D16", 6.0, 0.0, true)];
        let reviewer = reviewed(&[turns, rest].concat());
        let summary = reviewer.summary();
        let worst: Vec<_> = summary.worst.iter().map(|of| (of.color, of.loss)).collect();
        assert_eq!(worst, [(White.name(), 6.0), (Black.name(), 4.0)]);
        let accuracy = |of: Option<f32>| of.expect("turns").round();
        assert_eq!(accuracy(summary.accuracy.black), 66.0);
        assert_eq!(accuracy(summary.accuracy.white), 59.0);
        assert_eq!(reviewer.candidates(), [1, 2, 0]);
    }

    #[test]
    fn noise_is_no_mistake() {
        let named =
            |lost: f32, deviation| !reviewed(&[("D4", -lost, deviation, false)]).worst().is_empty();
        assert!(named(1.5, 0.7) && !named(1.5, 0.8));
        assert!(!named(0.9, 0.0), "less than a point");
    }

    #[test]
    fn a_second_look_changes_the_verdict() {
        let mut reviewer = reviewed(&[("D4", -4.0, 0.0, false)]);
        let game = AnyGame::new(&Setup::new(variant("go").expect("a variant"))).expect("a game");
        reviewer.note(1, look(0.5, 0.0));
        let made = Made { game: &game, color: Black, turn: &Turn::pass() };
        let loss = reviewer.judge(1, made).expect("both are looked at");
        assert_eq!((loss.node, loss.loss), (node(1), 0.0));
        assert!(reviewer.worst().is_empty());
    }
}
