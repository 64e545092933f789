//! The forms of turns: whole turns, or one vertex per move.

use crate::board::Color;
use crate::encoding::{Encoding, Vertex, VertexCodec};
use crate::rules::{Game, Step, TurnError};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveFormat {
    /// `kawari-genturn`, `nuke`, `grow` …
    Turns,
    /// One vertex per move, on the variant's own board.
    Native,
    /// One vertex per move, with a second copy of the board.
    Panel,
}

impl MoveFormat {
    /// `None` for whole turns.
    pub fn encoding(self) -> Option<Encoding> {
        match self {
            MoveFormat::Turns => None,
            MoveFormat::Native => Some(Encoding::Native),
            MoveFormat::Panel => Some(Encoding::Panel),
        }
    }
}

pub fn decode_step(
    encoding: Encoding,
    game: &Game,
    color: Color,
    text: &str,
) -> Result<Step, TurnError> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(Step::PASS);
    }
    let place = Vertex::parse(text)?;
    let decoded = VertexCodec::new(encoding, game).decode(game, color, place);
    decoded.map_err(|_| TurnError::OffBoard)
}

pub fn encode_step(encoding: Encoding, game: &Game, step: Step) -> Option<String> {
    let word = VertexCodec::new(encoding, game).encode(game, step)?;
    Some(word.to_string())
}

pub fn shown_size(encoding: Encoding, game: &Game) -> (u8, u8) {
    let codec = VertexCodec::new(encoding, game);
    (codec.display().width(), codec.display().height())
}
