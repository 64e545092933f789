//! The commands: one file for each group.

pub mod analysis;
pub mod board;
pub mod document;
pub mod gogui;
pub mod handicap;
pub mod named_rules;
pub mod params;
pub mod play;
pub mod protocol;
pub mod records;
pub mod referee;
pub mod score;
pub mod servers;
pub mod table;
pub mod time;
pub mod variant;

use super::protocol::args::{ArgError, Args};
use super::{Failure, Reply};
use crate::board::Color;
use crate::rules::parse_color;

/// The empty reply.
fn done() -> Reply {
    Ok(String::new())
}

/// Reads the next argument as a colour.
fn color(args: &mut Args<'_>) -> Result<Color, Failure> {
    parse_color(args.word()?).ok_or(Failure::Syntax)
}

/// Reads the next argument as a colour; `None` if no argument is left.
fn optional_color(args: &mut Args<'_>) -> Result<Option<Color>, Failure> {
    match args.rest() {
        "" => Ok(None),
        _ => color(args).map(Some),
    }
}

/// Reads a whole number of any size; numbers outside the range of `i64` become
/// its nearest end.
fn whole(text: &str) -> Result<i64, ArgError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ArgError::Malformed);
    }
    let beyond = if digits == text { i64::MAX } else { i64::MIN };
    Ok(text.parse().unwrap_or(beyond))
}
