//! Judges the turns of a game by searches of all its positions.

use super::layers;
use super::owner_changes::OwnerChanges;
use super::page_report::{NodeValue, PageClient, PageMove, PageReport};
use super::view::vertices;
use crate::board::Color;
use crate::rules::{Game, Setup, Sides, Turn};
use crate::search::{Task, seed_at};
use crate::sgf::NodeId;
use crate::sgf::{Change, GameRecord};
use serde::Serialize;
use std::collections::BTreeSet;

/// A line whose positions are searched.
#[derive(Clone, Debug)]
pub struct Review {
    /// The start of the game.
    pub setup: Setup,
    /// The nodes from the root to the end, each with its changes of the game.
    pub line: Vec<(NodeId, Vec<Change>)>,
    /// Visits of each position.
    pub visits: u32,
    pub seed: u64,
}

impl Review {
    /// Enough visits of a position for a verdict on most turns.
    const VISITS: u32 = 200;

    /// A review of nodes, each the child of the one before.
    pub fn new(record: &GameRecord, line: impl IntoIterator<Item = NodeId>) -> Review {
        let changes = |node| (node, record.changes(node).to_vec());
        Review {
            setup: record.setup.clone(),
            line: line.into_iter().map(changes).collect(),
            visits: Review::VISITS,
            seed: 0,
        }
    }

    /// The search of one of its positions.
    pub fn task(&self, game: &Game, visits: u32) -> Task {
        let seed = seed_at(self.seed, game);
        Task { playouts: Some(visits.into()), seed, ..Task::new(game.to_move()) }
    }

    /// The line with one more turn, which has no node.
    #[must_use]
    pub fn with(mut self, (color, turn): &(Color, Turn)) -> Review {
        let changes = vec![Change::Turn(*color, turn.clone())];
        self.line.push((NodeId::default(), changes));
        self
    }

    /// The game at the node with this index; `None` if the rules refuse a turn.
    pub fn game_at(&self, at: usize) -> Option<Game> {
        let mut game = Game::new(&self.setup).ok()?;
        // A record that names no rules may have turns that a superko forbids.
        game.forgive_superko(true);
        for change in self.line.get(..=at)?.iter().flat_map(|(_, changes)| changes) {
            change.make(&mut game).ok()?;
        }
        game.forgive_superko(false);
        Some(game)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewEvent {
    pub node: NodeId,
    /// Visits so far, and those planned with the most second searches there can be.
    pub done: u64,
    pub total: u64,
    #[serde(flatten)]
    pub value: NodeValue,
    /// The best turn.
    #[serde(skip)]
    pub best: Option<Turn>,
    /// The turns before and after the node, if both of their positions have values.
    pub losses: Vec<TurnLoss>,
    /// The turns that lost most so far, the worst first, if the list has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<Vec<Mistake>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TurnLoss {
    /// The node after the turn.
    pub node: NodeId,
    pub color: &'static str,
    /// In points; 0 if the loss is within the noise of the searches.
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
    /// Mean accuracy of the turns of a side, in percent; the accuracy of a turn is 100% ×
    /// 0.75^(points lost). `None` without a turn.
    pub accuracy: Sides<Option<f32>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistake {
    /// The node after the turn.
    pub node: NodeId,
    pub color: &'static str,
    pub points: Vec<String>,
    /// Points that it lost against the best turn.
    pub loss: f32,
    /// The effect in words, if the owners of the points show it.
    pub reason: Option<String>,
    /// The turn in the coordinates of the page.
    pub caption: String,
    /// A better turn: its first step, and a line of play.
    pub better: Option<PageMove>,
    /// The answer that makes it a mistake, in the same form.
    pub answer: Option<PageMove>,
}

/// Maximum number of mistakes listed.
const MAX_WORST: usize = 10;

/// Maximum number of turns that get a second search before the list is final.
pub const MAX_CANDIDATES: usize = 2 * MAX_WORST;

/// Minimum loss of a mistake, in points.
pub const MIN_LOSS: f32 = 1.0;

/// Minimum loss once nearly all points are settled.
const MIN_LATE_LOSS: f32 = 0.5;

/// A loss below this number of standard deviations of the difference of two values is noise.
pub const DEVIATIONS: f32 = 2.0;

/// Factor of a turn's accuracy for each point that it loses.
const KEPT_A_POINT: f32 = 0.75;

/// A turn of the game, and the game before it.
#[derive(Clone, Copy)]
pub struct PlayedTurn<'g> {
    pub game: &'g Game,
    pub color: Color,
    pub turn: &'g Turn,
}

/// The verdict of two searches on a turn.
#[derive(Clone, Debug)]
struct JudgedTurn {
    color: Color,
    /// Estimated loss in points; negative for a gain.
    estimate: f32,
    turn: TurnLoss,
    mistake: Option<Mistake>,
}

/// Compares each position of a line with the one before it.
#[derive(Debug)]
pub struct Reviewer<'r> {
    review: &'r Review,
    searched: Vec<Option<PageReport>>,
    verdicts: Vec<Option<JudgedTurn>>,
}

impl Reviewer<'_> {
    pub fn new(review: &Review) -> Reviewer<'_> {
        let length = review.line.len();
        Reviewer { review, searched: vec![None; length], verdicts: vec![None; length] }
    }

    /// Takes the result of the position with this index on the line. Judges the turns before and
    /// after it if the positions on both sides of them have results.
    pub fn note(&mut self, at: usize, mut report: PageReport) -> Vec<TurnLoss> {
        // A long game has many positions, and only the best move is read.
        report.move_infos.truncate(1);
        if let Some(place) = self.searched.get_mut(at) {
            *place = Some(report);
        }
        [at, at + 1].into_iter().filter_map(|at| self.judge(at)).collect()
    }

    /// Judges the turn that led to a position.
    fn judge(&mut self, at: usize) -> Option<TurnLoss> {
        let before = self.searched.get(at.checked_sub(1)?)?.as_ref()?;
        let after = self.searched.get(at)?.as_ref()?;
        let (node, changes) = self.review.line.get(at)?;
        let (color, turn) = changes.iter().rev().find_map(Change::turn)?;
        let game = self.review.game_at(at - 1)?;
        let verdict = verdict(*node, before, after, PlayedTurn { game: &game, color, turn });
        let turn = verdict.turn;
        *self.verdicts.get_mut(at)? = Some(verdict);
        Some(turn)
    }

    /// The positions before and after the turns that may be the worst, the worst first.
    pub fn candidates(&self) -> Vec<usize> {
        let verdicts = self.verdicts.iter().enumerate();
        let lost = verdicts.filter_map(|(at, verdict)| Some((at, verdict.as_ref()?.estimate)));
        let mut turns: Vec<(usize, f32)> = lost.filter(|&(_, lost)| lost > MIN_LATE_LOSS).collect();
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
            let accuracies: Vec<f32> =
                own.map(|verdict| KEPT_A_POINT.powf(verdict.turn.loss)).collect();
            let sum = accuracies.iter().sum::<f32>();
            (!accuracies.is_empty()).then(|| 100.0 * sum / accuracies.len() as f32)
        };
        ReviewSummary { worst: self.worst(), accuracy: Sides::from(Color::BOTH.map(accuracy)) }
    }
}

fn verdict(
    node: NodeId,
    before: &PageReport,
    after: &PageReport,
    turn: PlayedTurn<'_>,
) -> JudgedTurn {
    let owners = OwnerChanges::new(turn, &before.ownership, &after.ownership);
    let PlayedTurn { game, color, turn } = turn;
    let margin = |of: &PageReport| NodeValue::from(&of.root_info).for_color(color).margin;
    let lost = margin(before) - margin(after);
    let noise = DEVIATIONS * before.root_info.deviation().hypot(after.root_info.deviation());
    // The search's own choice is not a mistake, whatever value the next search has.
    let better = before.move_infos.first();
    let best_turn = PageClient(game).best_turn(before);
    let is_best = best_turn.is_some_and(|best| best.has_steps_of(turn));
    let prior = better.filter(|_| is_best).map(|best| best.prior);
    let best = prior.is_some();
    let counts = !best && lost > noise && !owners.is_idle();
    let loss = if counts { lost.max(0.0) } else { 0.0 };
    let least = if owners.is_late() { MIN_LATE_LOSS } else { MIN_LOSS };
    let turn_loss = TurnLoss { node, color: color.name(), loss, best, prior };
    let mistake = (loss > least).then(|| Mistake {
        node,
        color: color.name(),
        points: vertices(game.grid(), turn.points()),
        loss,
        reason: owners.reason(loss),
        caption: layers::turn_name(game, turn),
        better: better.cloned(),
        answer: after.move_infos.first().cloned(),
    });
    let estimate = if best { 0.0 } else { lost };
    JudgedTurn { color, estimate, turn: turn_loss, mistake }
}

#[cfg(test)]
mod tests {
    use super::{PlayedTurn, Review, Reviewer, verdict};
    use crate::board::Color::{Black, White};
    use crate::playing::analysis_report::ReportOptions;
    use crate::rules::{Action, Game, Setup, Size, Step, variant};
    use crate::search::{Choice, SearchReport, StepReport, TurnChoice};
    use crate::sgf::{Change, NodeId};
    use crate::web::page_report::{PageClient, PageMove, PageReport};

    fn look(margin: f32, deviation: f32) -> PageReport {
        let game = Game::new(&Setup::new(variant("go").expect("a variant"))).expect("a start");
        let root = SearchReport {
            visits: 100,
            win_rate: 0.5,
            margin,
            stdev: 10.0 * deviation,
            ..SearchReport::default()
        };
        PageReport::new(&PageClient(&game), &ReportOptions::default(), &root, None)
    }

    fn choice(step: Step) -> Choice {
        Choice {
            step,
            win_rate: 0.5,
            margin: 0.0,
            visits: 1,
            root_visits: 1,
            playouts: 1,
            pv: Vec::new(),
        }
    }

    fn best(game: &Game, step: Step) -> Option<PageMove> {
        PageClient(game).step(&StepReport::from(&choice(step)))
    }

    fn node(number: u32) -> NodeId {
        serde_json::from_value(number.into()).expect("a number of a node")
    }

    /// The review of these turns.
    fn review(turns: &[(&str, f32, f32, bool)]) -> Review {
        let setup = Setup::new(variant("go").expect("a variant"));
        let mut game = Game::new(&setup).expect("a start");
        let mut line = vec![(node(0), Vec::new())];
        for (number, (words, ..)) in (1..).zip(turns) {
            let Ok(Action::Turn(turn)) = game.parse(words) else { panic!("{words}") };
            let color = game.to_move();
            game.play(color, &turn).expect("legal");
            line.push((node(number), vec![Change::Turn(color, turn)]));
        }
        Review { setup, line, visits: 100, seed: 0 }
    }

    /// A reviewer of these turns, with Black's margin after each; the marked ones are the best.
    fn reviewed<'r>(review: &'r Review, turns: &[(&str, f32, f32, bool)]) -> Reviewer<'r> {
        let mut reviewer = Reviewer::new(review);
        let mut before = look(0.0, 0.0);
        for (number, &(_, margin, deviation, is_best)) in turns.iter().enumerate() {
            let game = review.game_at(number).expect("legal");
            let changes = &review.line[number + 1].1;
            let (color, turn) = changes.iter().find_map(Change::turn).expect("a turn");
            let step = if is_best { game.step_of_turn(color, turn, 0) } else { Step::PASS };
            before.move_infos = best(&game, step).into_iter().collect();
            reviewer.note(number, before);
            before = look(margin, deviation);
            reviewer.note(number + 1, before.clone());
        }
        reviewer
    }

    #[test]
    fn losses_are_those_of_the_side_that_moved() {
        let turns = [("D4", -4.0, 0.0, false), ("Q16", 2.0, 0.0, false)];
        let rest = [("Q4", 5.0, 0.0, false), ("D16", 6.0, 0.0, true)];
        let turns = [turns, rest].concat();
        let review = review(&turns);
        let reviewer = reviewed(&review, &turns);
        let summary = reviewer.summary();
        let worst: Vec<_> = summary.worst.iter().map(|of| (of.color, of.loss)).collect();
        assert_eq!(worst, [(White.name(), 6.0), (Black.name(), 4.0)]);
        let accuracy = |of: Option<f32>| of.expect("turns").round();
        assert_eq!(accuracy(summary.accuracy.black), 66.0);
        assert_eq!(accuracy(summary.accuracy.white), 59.0);
        assert_eq!(reviewer.candidates(), [1, 2, 0]);
    }

    /// A turn of Sygo that grows one of two groups costs points, although the best turn, which grows
    /// both, begins with the same step.
    #[test]
    fn a_turn_is_best_only_as_a_whole() {
        let mut setup = Setup::new(variant("sygo").expect("a variant"));
        setup.size = Size::square(5);
        let mut game = Game::new(&setup).expect("a game");
        let played = |game: &Game, words: &str| {
            let Ok(Action::Turn(turn)) = game.parse(words) else { panic!("{words}") };
            turn
        };
        for words in ["B2", "A5", "D4", "E1"] {
            let turn = played(&game, words);
            game.play(game.to_move(), &turn).expect("legal");
        }
        let color = game.to_move();
        let (mut before, after) = (look(0.0, 0.0), look(20.0, 0.0));
        let best = TurnChoice { turn: played(&game, "grow B3 D3"), choice: choice(Step::PASS) };
        before.move_infos = PageClient(&game).turn(&best).into_iter().collect();
        let judged = |words: &str| {
            let turn = played(&game, words);
            let turn = PlayedTurn { game: &game, color, turn: &turn };
            verdict(node(1), &before, &after, turn)
        };
        assert_eq!(judged("grow D3 B3").turn.loss, 0.0, "in another order");
        assert!(judged("grow D3 B3").turn.best);
        let part = judged("grow B3");
        assert_eq!((part.turn.loss, part.turn.best), (20.0, false));
        let better = part.mistake.and_then(|mistake| mistake.better).expect("a better turn");
        assert_eq!(PageClient(&game).first_turn(&better.pv), Some(best.turn), "the whole turn");
    }

    #[test]
    fn noise_is_no_mistake() {
        let named = |lost: f32, deviation| {
            let turns = [("D4", -lost, deviation, false)];
            !reviewed(&review(&turns), &turns).worst().is_empty()
        };
        assert!(named(1.5, 0.7) && !named(1.5, 0.8));
        assert!(!named(0.9, 0.0), "less than a point");
    }

    #[test]
    fn a_second_look_changes_the_verdict() {
        let turns = [("D4", -4.0, 0.0, false)];
        let review = review(&turns);
        let mut reviewer = reviewed(&review, &turns);
        let losses = reviewer.note(1, look(0.5, 0.0));
        let [loss] = losses[..] else { panic!("{losses:?}") };
        assert_eq!((loss.node, loss.loss), (node(1), 0.0));
        assert!(reviewer.worst().is_empty());
    }
}
