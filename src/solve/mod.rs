//! Exact values of positions on small boards.
//!
//! The value of a position is the result that Black forces and that White can hold Black to.
//! Results are in an order, the `scale`: margins in half points, in games that are counted, and
//! beyond them wins by a rule. The `solver` asks questions, whether Black gets
//! at least some result, and narrows the bounds with each answer. A question is answered by depth-first proof-number
//! search (Allis, van der Meulen and van den Herik, "Proof-number search", Artificial
//! Intelligence 66, 1994; Nagai, "Df-pn algorithm for searching AND/OR trees and its
//! applications", 2002), in a `prover`: it goes where the fewest positions must still be
//! proven, or disproven. Numbers where all children count are combined with the greatest and
//! not the sum (weak proof numbers: Ueda, Hashimoto, Hashimoto and Iida, 2008), since on
//! small boards most lines meet again.
//!
//! # Why what is called exact is proven
//!
//! Superko and draws by repetition make the worth of a position depend on the positions
//! before it, and in games without such a rule a search that stops where a position comes
//! back knows only that this line went round. A result that was found after one line may be
//! wrong after another: the graph-history-interaction problem (Campbell, "The
//! graph-history interaction: on ignoring position history", 1985; for this search
//! Kishimoto and Müller, "A general solution to the graph history interaction problem", AAAI
//! 2004). Here each result is kept with its `assumptions`, what it takes for granted of the
//! line before the position, and used again only after lines that agree:
//!
//! - *Superko.* The side that keeps a result has a turn in each position that comes up, and
//!   its board must be new: the boards of all these turns must be absent from the line. The
//!   other side has all its turns but the forbidden ones: the boards that they would repeat
//!   must be present. Within the part of the line that belongs to the result itself both hold
//!   already, so that a board is no longer required once the position that has it is part of
//!   the result. If a line agrees, each turn of the keeping side is legal after it too, and
//!   the other side has no turn that was not looked at; it may have fewer.
//! - *Draws by repetition.* Searches are for more than a draw, whichever side it is that
//!   could get that, and a repetition fails. A proof requires that the boards of both sides
//!   are absent; a disproof that the boards are present by whose repetition it holds out.
//!   What is not more than a draw for one side is at least a draw for the other.
//! - *Neither.* Where play may go on for ever, nothing is forced by that. A disproof requires
//!   that the positions are present to which it comes back; a proof, in which every line
//!   ends, requires nothing. Both sides have to prove what they claim; if both are refuted
//!   the game has no value, and the bounds are what each side forces.
//!
//! Absent boards are kept as a superset: by what may lie on each point, and by a filter of their
//! names (Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970). It can refuse
//! a result that would hold, and never lets one pass that does not. Of present boards a few
//! have room; a result with more of them is kept for its very line. At the root nothing is
//! taken for granted but the game's own past, so a proof or disproof there is one under the
//! rules.
//!
//! - *Symmetry.* Positions that mirrors and turns make of one another share their results, and
//!   so do those moved along on a board of which sides are joined; assumptions are turned with them.
//!   Only symmetries of the board that the rules respect count.
//! - *Unconditional life* (Benson; [`Board::unconditional_life`]) decides where only stones
//!   come to the board, go by capture alone, and area is counted: a side that passes for
//!   ever keeps its living groups and their one-point eyes. Passing is never forbidden, the
//!   other side only adds stones and runs out of points, so this holds under every rule of
//!   ko. (More than a draw is not proven by it where a repetition is a draw.) Van der Werf,
//!   van den Herik and Uiterwijk solved boards up to 5x5 with stronger forms ("Solving Go on
//!   small boards", ICGA Journal 26, 2003); those let the living side answer, and rules on
//!   repetition could forbid the answer.
//! - *Voids.* A void beside which nothing can change any more is not part of what tells
//!   positions apart.
//! - *Limits.* Positions are told apart by hashes, boards in the line by 64 bits and the
//!   table by 128: two with one hash would be taken for one. Lines longer than 3000 turns
//!   prove nothing.
//!
//! Searches are ordered by what the board counts: how far the margin is from the goal is
//! where the numbers of a new position begin.
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
mod table;
#[cfg(test)]
mod tests;

pub use goal::Goal;

use crate::board::Color;
use crate::rules::{AnyGame, GameResult, Turn};
use solver::{Proven, Solver};
use table::Entry;

/// The limits of a proof.
#[derive(Clone, Copy, Debug)]
pub struct SolveSettings {
    /// Bytes of all tables together.
    pub memory: usize,
    /// Number of parallel searches; more than two are of no use, or four where play may go on for
    /// ever.
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

/// The answer of an observer to a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveSignal {
    /// Go on.
    Continue,
    /// Save a checkpoint and go on.
    Save,
    /// End with the results so far.
    Stop,
}

/// The proven results of a position. Komi counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Solution {
    /// The result that Black forces at least; `None` if nothing is proven.
    pub low: Option<GameResult>,
    /// The best result for Black that White cannot prevent.
    pub high: Option<GameResult>,
    /// Whether neither side can force more than its bound, so that play could go on for ever.
    pub goes_on_for_ever: bool,
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
    tables: Vec<(Goal, Vec<Entry>)>,
}

/// Solves the position of a game. Earlier positions count for the rules about repetition.
///
/// Calls `observe` now and then, and `keep` with a checkpoint on [`SolveSignal::Save`] and at the
/// end. `checkpoint` must be of the same game.
pub fn solve(
    game: &AnyGame,
    settings: SolveSettings,
    checkpoint: Option<Checkpoint>,
    observe: &mut (dyn FnMut(&Solution) -> SolveSignal + Send),
    keep: &mut (dyn FnMut(&Checkpoint) + Send),
) -> Solution {
    Solver::new(game, settings, checkpoint, observe, keep).solve()
}

/// Whether a side forces a goal in the position of a game; `None` if the limits end the proof first.
pub fn forces(game: &AnyGame, goal: Goal, settings: SolveSettings) -> Option<bool> {
    let mut observe = |_: &Solution| SolveSignal::Continue;
    let mut keep = |_: &Checkpoint| {};
    Solver::new(game, settings, None, &mut observe, &mut keep).forces(goal)
}
