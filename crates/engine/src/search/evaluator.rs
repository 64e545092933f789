//! The evaluation of positions for the tree.

use super::playout::playout;
use crate::board::{Board, Cell, Color, Point, PointMap, Random};
use crate::rules::{Ending, GameResult, Position, Step};
use std::fmt::Debug;

/// The result of a game, or its expectation, from Black's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Black's win rate, 0 to 1; a draw counts one half.
    pub win: f32,
    /// Black's points minus White's.
    pub margin: f32,
}

impl Outcome {
    /// The outcome of a counted game with this margin.
    #[inline]
    pub fn counted(margin: f64) -> Outcome {
        let win = match margin {
            _ if margin > 0.0 => 1.0,
            _ if margin < 0.0 => 0.0,
            _ => 0.5,
        };
        Outcome { win, margin: margin as f32 }
    }

    /// The outcome of a finished game.
    #[inline]
    pub fn at_end(position: &Position) -> Outcome {
        match position.situation.ending {
            Some(Ending::Draw) => Outcome::counted(0.0),
            Some(Ending::Resigned(loser)) => Outcome::won(!loser),
            Some(Ending::Won(winner, _)) => Outcome::won(winner),
            Some(Ending::Counted(_)) | None => Outcome::counted(position.margin()),
        }
    }

    /// The outcome of a game that is won without points.
    #[inline]
    pub(super) fn won(winner: Color) -> Outcome {
        Outcome { win: f32::from(winner == Color::Black), margin: 0.0 }
    }

    /// The outcome from the point of view of `color`.
    #[inline]
    pub fn for_color(self, color: Color) -> Outcome {
        match color {
            Color::Black => self,
            Color::White => self.for_opponent(),
        }
    }

    /// The outcome from the other point of view.
    #[inline]
    pub fn for_opponent(self) -> Outcome {
        Outcome { win: 1.0 - self.win, margin: -self.margin }
    }
}

/// The margin is 0 for a result without points.
impl From<GameResult> for Outcome {
    fn from(result: GameResult) -> Outcome {
        match (result, result.winner()) {
            (GameResult::Points(margin), _) => Outcome::counted(margin),
            (_, Some(winner)) => Outcome::won(winner),
            (_, None) => Outcome::counted(0.0),
        }
    }
}

/// The steps of one simulation, and the ownership counts of all simulations of a search.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The steps since the root of the search.
    pub steps: Vec<Step>,
    /// Ownership at the ends of simulations.
    pub ownership: Ownership,
}

/// Ownership over finished playouts or evaluations of a net.
#[derive(Clone, Debug)]
pub struct Ownership {
    /// For each point the sum of its ownership, from −1 (White) to 1 (Black).
    owned: PointMap<f32>,
    count: u32,
}

impl Default for Ownership {
    fn default() -> Self {
        Ownership { owned: PointMap::filled(0.0), count: 0 }
    }
}

impl Ownership {
    /// Counts the owners at the end of a playout, where only eyes are empty.
    #[inline]
    pub fn add_playout(&mut self, board: &Board) {
        self.count += 1;
        for point in board.grid().span() {
            self.owned[point] += match board.cell(point) {
                Cell::Black => 1.0,
                Cell::White => -1.0,
                Cell::Empty => {
                    f32::from(board.touches(point, Color::Black))
                        - f32::from(board.touches(point, Color::White))
                }
                Cell::Tao | Cell::Void | Cell::Wall => 0.0,
            };
        }
    }

    /// Adds the ownership of each point in one evaluation, from −1 (White) to 1 (Black).
    pub fn add_evaluation(&mut self, owned: impl Iterator<Item = (Point, f32)>) {
        self.count += 1;
        for (point, owner) in owned {
            self.owned[point] += owner;
        }
    }

    /// Ownership of a point, −1 (always White) to +1 (always Black).
    pub fn mean_owner(&self, point: Point) -> f32 {
        self.owned[point] / self.count.max(1) as f32
    }

    pub(super) fn mean_of(counts: &[Ownership], point: Point) -> f32 {
        let sum: f32 = counts.iter().map(|one| one.owned[point]).sum();
        let count: u32 = counts.iter().map(|one| one.count).sum();
        sum / count.max(1) as f32
    }

    /// Whether no playout was counted.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn add(
        &mut self,
        points: impl Iterator<Item = Point>,
        before: &Ownership,
        after: &Ownership,
    ) {
        self.count += after.count - before.count;
        for point in points {
            self.owned[point] += after.owned[point] - before.owned[point];
        }
    }
}

/// A leaf of the tree that the search expands.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'a> {
    /// The position, which is not over.
    pub position: &'a Position,
    /// The point of the turn before the latest.
    pub before: Point,
    /// The steps of the children, all legal for the side to move.
    pub steps: &'a [Step],
    /// Whether it is the root of the search.
    pub is_root: bool,
}

/// A policy and a value for the tree.
pub trait Evaluator: Debug + Send {
    /// Whether the priors rate steps that fill own eyes. Then these are candidates too, because
    /// they may be the only good steps.
    fn knows_eyes(&self) -> bool;

    /// Prepares for a search with this [`view_seed`](crate::search::Task::view_seed), perhaps in a
    /// new tree, for which evaluations in an earlier one do not matter.
    fn begin(&mut self, _view_seed: u64, _is_new_tree: bool) {}

    /// The symmetries of the board, besides the identity, that change nothing of what the evaluator
    /// sees of a position: the image of each point.
    fn symmetries(&mut self, _position: &Position) -> Vec<PointMap<Point>> {
        Vec::new()
    }

    /// Whether [`expand`](Self::expand) must wait for an evaluation of this leaf that others make.
    /// The first call asks for it; the next ones must be for the same leaf until one returns false.
    fn must_wait(&mut self, _leaf: Leaf<'_>) -> bool {
        false
    }

    /// Drops the leaf that waits, if there is one.
    fn forget_leaf(&mut self) {}

    /// Writes a prior for each step of the leaf into the empty `priors`; they need not sum to one.
    /// An evaluator that also finds the value of the position returns it, which ends the
    /// simulation.
    fn expand(
        &mut self,
        leaf: Leaf<'_>,
        priors: &mut Vec<f32>,
        trace: &mut Trace,
    ) -> Option<Outcome>;

    /// The expected outcome of a position that is not over. `trace` has the steps that led to it.
    fn value(&mut self, position: &Position, random: &mut Random, trace: &mut Trace) -> Outcome;
}

/// Uniform priors and uniformly random playouts.
#[derive(Clone, Debug)]
pub struct RandomPlayouts {
    scratch: Box<Position>,
}

impl RandomPlayouts {
    /// An evaluator for games on the board of `position`.
    pub fn new(position: &Position) -> Self {
        RandomPlayouts { scratch: position.boxed() }
    }
}

impl Evaluator for RandomPlayouts {
    fn knows_eyes(&self) -> bool {
        false
    }

    fn expand(&mut self, leaf: Leaf<'_>, priors: &mut Vec<f32>, _: &mut Trace) -> Option<Outcome> {
        let steps = leaf.steps;
        /// With the default exploration constant this makes 0.27, which won most games of UCT.
        const SCALE: f32 = 0.45;
        // A compromise: with a sum of one most steps of a large board have no visits, with a mean
        // of one hardly any step has two.
        priors.resize(steps.len(), SCALE / (steps.len() as f32).sqrt());
        None
    }

    fn value(&mut self, position: &Position, random: &mut Random, trace: &mut Trace) -> Outcome {
        self.scratch.copy_from(position);
        let outcome = playout(&mut self.scratch, random).outcome;
        trace.ownership.add_playout(&self.scratch.board);
        outcome
    }
}
