//! Problems: positions in which one turn wins, found in games of the engine with itself, and
//! proven.
//!
//! A [`Problem`] is a position with its right turn and some wrong ones, each with the line that
//! follows; [`form`] writes it as a game in SGF, and reads it. A [`Generator`] plays games on
//! boards of which some points are blocked, and goes back from the end of each as far as the
//! `proof`s succeed. [`quality`] says what makes a good problem, and how hard one is. [`Found`]
//! problems follow from the settings alone.

mod form;
mod generate;
mod proof;
mod quality;

pub use form::Source;
pub use generate::{Found, Generator, GeneratorSettings};
pub use quality::GRADES;

use crate::rules::{AnyGame, Setup, Turn};

/// A position in which one turn wins.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The start of the game that leads to the position.
    pub setup: Setup,
    /// The position, with the side to move.
    pub game: AnyGame,
    /// Difficulty, from 1 to [`GRADES`].
    pub grade: u8,
    /// The text after the right turn.
    pub words: String,
    /// The lines that begin with a right turn, and those that show why a turn is wrong.
    pub lines: Vec<Line>,
    /// The game that it was found in.
    pub source: Option<Source>,
}

/// Turns from the position of a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Whether the first turn is right.
    pub is_right: bool,
    /// The turns of both sides, one after the other.
    pub turns: Vec<Turn>,
}

impl Problem {
    /// The right turns.
    pub fn answers(&self) -> impl Iterator<Item = &Turn> {
        self.lines.iter().filter(|line| line.is_right).filter_map(|line| line.turns.first())
    }
}
