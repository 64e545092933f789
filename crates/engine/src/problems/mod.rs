//! Problems: positions in which one turn wins, found in self-play and proven.
//!
//! A [`Problem`] is a position with its right turn and some wrong ones, each with the line that
//! follows; `form` reads and writes it as a game in SGF. A [`Generator`] plays games on boards
//! with blocked points, and goes back from the end of each as far as the `proof`s succeed.
//! `quality` rejects poor problems, and grades the others. The settings determine the problems.

mod form;
mod generate;
mod proof;
mod quality;

pub use form::ProblemSource;
pub use generate::{FoundProblem, Generator, GeneratorSettings};
pub use quality::GRADES;

use crate::rules::{Game, Setup, Turn};

/// A position in which one turn wins.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The start of the game.
    pub setup: Setup,
    /// The position, with the side to move.
    pub game: Game,
    /// The number of a problem that a person made.
    pub number: Option<u32>,
    /// Difficulty: from 1 to [`GRADES`] by the proof, or from 1 to 5 by the playouts that the engine
    /// needs for a problem that a person made.
    pub grade: Option<u8>,
    /// The text after the right turn.
    pub words: String,
    /// The lines that begin with a right turn, and those that show why a turn is wrong.
    pub lines: Vec<ProblemLine>,
    /// The game of the problem, if the generator found it.
    pub source: Option<ProblemSource>,
}

/// Turns from the position of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemLine {
    /// Whether the first turn is right.
    pub is_right: bool,
    /// Whether the first turn is unfinished: right turns begin so.
    pub is_begun: bool,
    /// The turns of both sides, one after the other.
    pub turns: Vec<Turn>,
}

impl Problem {
    /// The right turns.
    pub fn answers(&self) -> impl Iterator<Item = &Turn> {
        self.lines.iter().filter(|line| line.is_right).filter_map(|line| line.turns.first())
    }
}
