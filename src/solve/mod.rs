//! Exact values of positions on small boards.

mod basis;
mod goal;
mod key;
mod line;
mod prover;
mod race;
mod solver;
mod successors;
mod table;

pub use goal::Goal;

use crate::board::Color;
use crate::rules::{AnyGame, Turn, with_game};
use solver::{Proven, Solver};
use table::Entry;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct SolveSettings {
    /// Bytes of all tables together.
    pub memory: usize,
    /// Searches at the same time. A question has two or three searches; more threads are of
    /// no use.
    pub threads: usize,
    /// Positions to look at, at most.
    pub positions: u64,
    /// The side that makes the first turn, if not the one to move.
    pub to_move: Option<Color>,
    /// Whether to be content with the value, without first turns and a line.
    pub value_only: bool,
}

impl Default for SolveSettings {
    fn default() -> Self {
        SolveSettings {
            memory: 256 << 20,
            threads: 1,
            positions: u64::MAX,
            to_move: None,
            value_only: false,
        }
    }
}

/// What an observer answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Go on.
    Continue,
    /// Hand over a checkpoint and go on.
    Save,
    /// Come to an end with what is proven.
    Stop,
}

/// What is proven of a position. Margins are Black's, in points; komi counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// What Black forces at least; none if nothing is proven.
    pub low: Option<f64>,
    /// What White lets Black have at most.
    pub high: Option<f64>,
    /// Whether it is proven that neither side can force more: play could go on for ever.
    pub goes_on_for_ever: bool,
    /// The first turns that keep the value, once it is exact.
    pub best: Vec<Turn>,
    /// Whether each other first turn is proven to be worse.
    pub best_is_complete: bool,
    /// Turns that keep the value for both sides; they may end before the game does.
    pub pv: Vec<Turn>,
    /// Positions whose turns were looked at.
    pub positions: u64,
}

impl Solution {
    /// The value, if it is exact.
    pub fn value(&self) -> Option<f64> {
        self.low.filter(|_| self.low == self.high)
    }
}

/// What a solver needs to go on from where it was: what is proven, and what took much work
/// of what is not.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Checkpoint {
    proven: Proven,
    tables: Vec<(Goal, Vec<Entry>)>,
}

impl Checkpoint {
    fn new(proven: Proven, tables: Vec<(Goal, Vec<Entry>)>) -> Checkpoint {
        Checkpoint { proven, tables }
    }

    fn into_parts(self) -> (Proven, Vec<(Goal, Vec<Entry>)>) {
        (self.proven, self.tables)
    }
}

/// Solves the position of a game, with the side to move there; the positions before it count
/// for the rules about repetition.
///
/// `observe` is asked now and then; `keep` receives checkpoints when it says so, and at the
/// end. A checkpoint must be of the same game.
pub fn solve(
    game: &AnyGame,
    settings: SolveSettings,
    checkpoint: Option<Checkpoint>,
    observe: &mut (dyn FnMut(&Solution) -> Signal + Send),
    keep: &mut (dyn FnMut(&Checkpoint) + Send),
) -> Solution {
    with_game!(game, game => Solver::new(game, settings, checkpoint, observe, keep).solve())
}

/// Whether a side forces a goal in the position of a game; none if that is not known after so
/// many positions as the settings allow.
pub fn forces(game: &AnyGame, goal: Goal, settings: SolveSettings) -> Option<bool> {
    let mut observe = |_: &Solution| Signal::Continue;
    let mut keep = |_: &Checkpoint| {};
    with_game!(game, game => {
        Solver::new(game, settings, None, &mut observe, &mut keep).forces(goal)
    })
}
