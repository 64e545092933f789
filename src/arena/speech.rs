//! How a turn is said to an engine, and what it means by its moves.

use crate::board::Color;
use crate::gtp::encoding::{Coder, Encoding, Place};
use crate::rules::{AnyGame, Step, Turn, TurnError};
use serde::{Deserialize, Serialize};

/// How an engine speaks of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speech {
    /// Whole turns in writing: `kawari-genturn`, `nuke`, `grow` …
    Turns,
    /// One vertex a move, on the variant's own board.
    Native,
    /// One vertex a move, with a second copy of the board.
    Panel,
}

impl Speech {
    /// All of them, with their names.
    pub const ALL: [(&str, Speech); 3] = [
        ("turns", Speech::Turns),
        ("native", Speech::Native),
        ("panel", Speech::Panel),
    ];

    /// How one vertex stands for a step, where moves are vertices.
    pub fn encoding(self) -> Option<Encoding> {
        match self {
            Speech::Turns => None,
            Speech::Native => Some(Encoding::Native),
            Speech::Panel => Some(Encoding::Panel),
        }
    }
}

/// The step that an engine means by `pass` or a vertex.
///
/// # Errors
/// It is no vertex, or one of another board.
pub fn understand(
    encoding: Encoding,
    game: &AnyGame,
    color: Color,
    text: &str,
) -> Result<Step, TurnError> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Step::Pass);
    }
    let place = Place::parse(text)?;
    let decoded = Coder::new(encoding, game).decode(game, color, place);
    decoded.map_err(|_| TurnError::OffBoard)
}

/// A step as one vertex, or `pass`; none if it cannot be said.
pub fn say(encoding: Encoding, game: &AnyGame, step: Step) -> Option<String> {
    let word = Coder::new(encoding, game).encode(game, step)?;
    Some(word.to_string())
}

/// Width and height of the board that is shown to an engine.
pub fn shown(encoding: Encoding, game: &AnyGame) -> (u8, u8) {
    let coder = Coder::new(encoding, game);
    (coder.shown().width(), coder.shown().height())
}

/// The command that plays a turn in writing.
pub fn command(color: Color, written: &str) -> String {
    let color = color.letter();
    match written.split_once(' ') {
        Some((word, rest)) => format!("{word} {color} {rest}"),
        None => format!("play {color} {written}"),
    }
}

/// The first step of a turn.
pub fn first_step(turn: &Turn) -> Option<Step> {
    match turn {
        Turn::Pass => Some(Step::Pass),
        Turn::Stone(point) => Some(Step::Stone(*point)),
        Turn::Nuke(point) => Some(Step::Nuke(*point)),
        Turn::Tao(point) => Some(Step::Tao(*point)),
        Turn::Grow(stones) => stones.first().copied().map(Step::Grow),
    }
}
