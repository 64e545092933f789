//! Exact values of positions on small boards.
//!
//! The value of a position is the result that Black can force and White can hold. Results have an
//! order, the `scale`: margins in half points, in games that are counted, and beyond them wins by a
//! rule. The `solver` asks whether Black reaches a result, and narrows the bounds with each answer.
//! A `prover` answers by depth-first proof-number search (Allis, van der Meulen and van den Herik,
//! "Proof-number search", Artificial Intelligence 66, 1994; Nagai, "Df-pn algorithm for searching
//! AND/OR trees and its applications", 2002): it searches where the fewest positions must still be
//! proven, or disproven. Where all children count, it combines their numbers by the greatest and
//! not by the sum (weak proof numbers: Ueda, Hashimoto, Hashimoto and Iida, 2008), since on small
//! boards most lines lead to the same positions.
//!
//! # Why exact values are proven
//!
//! Superko and draws by repetition make the value of a position depend on the positions before it.
//! In games without such a rule, a search that stops at a repeated position knows only that this
//! line repeats. So a result that was found after one line may be wrong after another: the
//! graph-history-interaction problem (Campbell, "The graph-history interaction: on ignoring
//! position history", 1985; for this search Kishimoto and Müller, "A general solution to the graph
//! history interaction problem", AAAI 2004). Here each result is stored with its `assumptions`
//! about the line before the position, and is used only after lines that meet them:
//!
//! - *Superko.* The side with the result has a turn in each position, and its boards must be new:
//!   the boards of all these turns must be absent from the line. The other side has all turns but
//!   the forbidden ones: the boards that these would repeat must be present. A board is no longer
//!   required once its position is part of the result itself. After a line that meets this, each
//!   turn of the first side is legal, and the other side has no other turns; it may have fewer.
//! - *Draws by repetition.* Searches are for more than a draw, by either side, so a repetition
//!   fails. A proof requires that the boards of both sides are absent; a disproof requires that the
//!   repeated boards are present. A result that is not more than a draw for one side is at least a
//!   draw for the other.
//! - *Both*: situational superko in a game where other repetitions are draws. A result is stored
//!   only for its line, since a board is forbidden or a draw by the sides that made it there.
//! - *No rule.* Play may never end, and that forces nothing. A disproof requires that the
//!   repeated positions are present; a proof, in which every line ends, requires nothing. Both
//!   sides have to prove their goals; if both are refuted, the game has no value, and the bounds
//!   are the results that each side forces.
//!
//! Absent boards are stored as a superset: the cells that may lie on each point, and a filter of
//! the boards' names (Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970).
//! It may reject a result that holds, but never accepts a wrong one. An entry has room for a few
//! present boards; a result with more of them is stored only for its line. At the root only the
//! past of the game is assumed, so results there hold under the rules.
//!
//! - *Symmetry.* Symmetric positions share their results, with transformed assumptions. Only
//!   symmetries of the board that the rules respect count.
//! - *Unconditional life* (Benson; [`Board::unconditional_life`]) decides where turns only place
//!   stones, only captures remove them, and area is counted: a side that passes for ever keeps its
//!   living groups and their one-point eyes. Passing is always legal, and the other side runs out
//!   of points, so this holds under every ko rule. Where suicide is legal, a region protects only if
//!   its stones, too, stand on liberties, and superko must end the game. (Life does not prove more
//!   than a draw where a repetition is a draw.) Van der Werf, van den Herik and Uiterwijk solved boards up to 5x5 with
//!   stronger forms ("Solving Go on small boards", ICGA Journal 26, 2003), which need an answer of
//!   the living side that rules on repetition could forbid.
//! - *Voids.* Keys ignore a void that can no longer change anything.
//! - *Limits.* Hashes distinguish positions, by 64 bits in the line and 128 in the table; two
//!   positions with one hash would be taken for one. Lines longer than 3000 turns prove nothing.
//!
//! The distance of a position's margin from the goal is its first proof or disproof number.
//!
//! [`Board::unconditional_life`]: crate::board::Board::unconditional_life

mod assumptions;
mod goal;
mod key;
mod line;
mod prover;
mod race;
mod scale;
mod solver;
mod stop;
mod table;
#[cfg(test)]
mod tests;

pub use goal::Goal;

use crate::board::Color;
use crate::rules::{Game, GameResult, Position, Turn};
use solver::{Proven, Solver};
use table::{ProofTable, TableEntry};

/// The limits of a proof.
#[derive(Clone, Copy, Debug)]
pub struct SolveSettings {
    /// Bytes of all tables together.
    pub memory: usize,
    /// Number of parallel searches; more than two are of no use, or four where play may
    /// never end.
    pub threads: usize,
    /// Maximum number of positions.
    pub positions: u64,
    /// The side that makes the first turn, if not the one to move.
    pub to_move: Option<Color>,
    /// Whether to omit the first turns and the line.
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

/// Follows a proof in progress, and keeps its checkpoints.
pub trait SolveObserver: Send {
    /// Sees the results so far, now and then. Returns whether to keep a checkpoint.
    fn observe(&mut self, solution: &Solution) -> bool;

    /// Whether to keep a checkpoint at the end, too.
    fn keeps_the_last(&self) -> bool;

    /// Keeps a checkpoint.
    fn keep(&mut self, checkpoint: &Checkpoint);
}

/// An observer that keeps nothing.
struct NoObserver;

impl SolveObserver for NoObserver {
    fn observe(&mut self, _: &Solution) -> bool {
        false
    }

    fn keeps_the_last(&self) -> bool {
        false
    }

    fn keep(&mut self, _: &Checkpoint) {}
}

/// The proven results of a position. Komi counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// The result that Black forces at least; `None` if nothing is proven.
    pub low: Option<GameResult>,
    /// The best result for Black that White cannot prevent.
    pub high: Option<GameResult>,
    /// Whether neither side can force more than its bound, so that play need not end.
    pub is_endless: bool,
    /// The first turns that keep the value, once it is exact.
    pub best: Vec<Turn>,
    /// Whether each other first turn is proven to be worse.
    pub best_is_complete: bool,
    /// Turns that keep the value for both sides; they may end before the game does.
    pub pv: Vec<Turn>,
    /// Number of positions whose turns were listed.
    pub positions: u64,
}

impl Solution {
    /// The value, if it is exact.
    pub fn value(&self) -> Option<GameResult> {
        self.low.filter(|_| self.low == self.high)
    }
}

/// The state of a solver that can be continued: the proven results, and the entries of tables that
/// took much work.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Checkpoint {
    proven: Proven,
    tables: Vec<(Goal, Vec<TableEntry>)>,
}

/// Solves the position of a game. Earlier positions count for the rules about repetition.
///
/// Asks `should_stop` after every few turns that it lists, and ends with the results so far if that
/// returns true.
pub fn solve(
    game: &Game,
    settings: SolveSettings,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Solution {
    Solver::new(game, settings, None, should_stop, &mut NoObserver).solve()
}

/// As [`solve`], from a checkpoint of the same game, with an observer.
pub fn solve_on(
    game: &Game,
    settings: SolveSettings,
    checkpoint: Option<Checkpoint>,
    should_stop: &(dyn Fn() -> bool + Sync),
    observer: &mut dyn SolveObserver,
) -> Solution {
    Solver::new(game, settings, checkpoint, should_stop, observer).solve()
}

/// The tables of proofs, which go on over the turns of a game.
#[derive(Debug, Default)]
pub struct ProofTables {
    /// A position of the game.
    of: Option<Position>,
    tables: Vec<(Goal, ProofTable)>,
}

impl ProofTables {
    /// Drops the tables of another game, and of other rules.
    fn begin(&mut self, game: &Game) {
        let position = game.position();
        let knows = |of: &Position| {
            of.is_of_same_game(position) && of.situation.rules == position.situation.rules
        };
        if !self.of.as_ref().is_some_and(knows) {
            *self = ProofTables { of: Some(position.clone()), tables: Vec::new() };
        }
    }
}

/// A turn with its result: the best proven result of the side to move, if this is a win or the exact
/// value. A pass that keeps the value goes before other turns. `allows` leaves out turns.
pub fn proven_turn(
    game: &Game,
    settings: SolveSettings,
    proofs: &mut ProofTables,
    allows: &dyn Fn(&Turn) -> bool,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Option<(Turn, GameResult)> {
    proofs.begin(game);
    let mut observer = NoObserver;
    let mut solver = Solver::new(game, settings, None, should_stop, &mut observer);
    solver.tables = std::mem::take(&mut proofs.tables);
    let turn = solver.turn(allows);
    proofs.tables = solver.into_tables();
    turn
}

/// Whether a side forces a goal in the position of a game; `None` if the limits or `should_stop` end
/// the proof first.
pub fn forces(
    game: &Game,
    goal: Goal,
    settings: SolveSettings,
    should_stop: &(dyn Fn() -> bool + Sync),
) -> Option<bool> {
    Solver::new(game, settings, None, should_stop, &mut NoObserver).forces(goal)
}
