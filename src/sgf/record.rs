//! Games as records keep them.

use super::notes::Notes;
use super::parse::{ParseError, Place};
use crate::board::Color;
use crate::rules::{AnyGame, BadValue, Illegal, Setup, SetupError, Step, Stones, Turn};

/// A game of any variant: what it started from, what happened, and what else
/// is known about it.
#[derive(Clone, Debug)]
pub struct Record {
    /// Variant, size, rules, komi, walls, stones that were there.
    pub setup: Setup,
    /// All turns.
    pub turns: Vec<(Color, Turn)>,
    /// A growth under way at the end: whose, and its stones so far.
    pub growing: Option<(Color, Stones)>,
    /// Who gave up.
    pub resigned: Option<Color>,
    /// The result in words: `B+3.5`, `W+R`, `0`, `Void` …
    pub result: Option<String>,
    /// Names, dates, comments.
    pub notes: Notes,
}

/// Why a file or a record is no game.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// The file is not well formed.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A node says what cannot be.
    #[error("{place}: {why}")]
    Node {
        /// Where its properties begin.
        place: Place,
        /// What is wrong.
        why: Nonsense,
    },
    /// It cannot start like this.
    #[error("the start: {0}")]
    Start(#[from] SetupError),
    /// A turn that the rules forbid.
    #[error("turn {number}, {turn}: {why}")]
    Turn {
        /// Its number, from 1.
        number: usize,
        /// Colour and turn.
        turn: String,
        /// The rule.
        why: Illegal,
    },
}

/// What a node can say wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Nonsense {
    /// Another game than Go.
    #[error("GM[{0}]: another game than Go")]
    Game(i64),
    /// No variant of this id.
    #[error("KAWARI[{0}]: unknown variant")]
    Variant(String),
    /// No board of this size.
    #[error("SZ[{0}]: unacceptable size")]
    Size(String),
    /// No rule of this variant.
    #[error("KRULE[{0}]: unknown rule")]
    Rule(String),
    /// A value that a rule does not take.
    #[error(transparent)]
    Value(#[from] BadValue),
    /// A point that is none, or off the board.
    #[error("{0}[{1}]: no such point")]
    Point(String, String),
    /// A turn that is none of this variant.
    #[error("KTURN[{0}]: no such turn")]
    Turn(String),
    /// Stones set up in the middle of a game that consists of more than stones.
    #[error("stones set up in the middle of a game of {0}")]
    MidGame(&'static str),
}

impl Record {
    /// A game that has not begun.
    pub fn new(setup: Setup) -> Record {
        Record {
            setup,
            turns: Vec::new(),
            growing: None,
            resigned: None,
            result: None,
            notes: Notes::default(),
        }
    }

    /// The record of a game that began with `setup`.
    pub fn of(setup: &Setup, game: &AnyGame) -> Record {
        let grown = game.is_mid_turn().then(|| game.grown().into());
        Record {
            turns: game.turns().to_vec(),
            growing: grown.map(|stones| (game.to_move(), stones)),
            resigned: game.resigned(),
            result: game.is_over().then(|| game.score()),
            ..Record::new(setup.clone())
        }
    }

    /// Takes over the notes of another record, as far as the two are the same
    /// game; and its result, if they are the same to the end and this one has
    /// none.
    pub fn take_notes(&mut self, other: &Record) {
        let both = self.turns.iter().zip(&other.turns);
        let same = both.take_while(|(own, other)| own == other).count();
        self.notes.clone_from(&other.notes);
        self.notes.truncate(same);
        if same == self.turns.len() && same == other.turns.len() && self.result.is_none() {
            self.result.clone_from(&other.result);
        }
    }

    /// The game, all that happened in it played again.
    ///
    /// # Errors
    /// [`RecordError::Start`] and [`RecordError::Turn`], if the rules of the
    /// record do not allow it.
    pub fn game(&self) -> Result<AnyGame, RecordError> {
        let mut game = AnyGame::new(&self.setup)?;
        for (number, (color, turn)) in self.turns.iter().enumerate() {
            game.play(*color, turn)
                .map_err(|why| refused(&game, number + 1, *color, turn, why))?;
        }
        let next = self.turns.len() + 1;
        if let Some((color, stones)) = &self.growing {
            for &stone in stones {
                game.step(*color, Step::Grow(stone)).map_err(|why| {
                    refused(&game, next, *color, &Turn::Grow(stones.clone()), why)
                })?;
            }
        }
        if let Some(loser) = self.resigned {
            game.resign(loser)
                .map_err(|why| refused(&game, next, loser, &Turn::Pass, why))?;
        }
        Ok(game)
    }
}

fn refused(game: &AnyGame, number: usize, color: Color, turn: &Turn, why: Illegal) -> RecordError {
    RecordError::Turn {
        number,
        turn: format!("{} {}", color.letter(), game.write(turn)),
        why,
    }
}
