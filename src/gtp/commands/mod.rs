//! The commands, a file a group.

pub mod analysis;
pub mod board;
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
pub mod time;
pub mod variant;

use super::reply::{Failure, Reply};
use super::request::{ArgError, Args};
use crate::board::Color;
use crate::rules::parse_color;

/// The empty reply.
fn done() -> Reply {
    Ok(String::new())
}

/// The next argument as a colour.
fn color(args: &mut Args<'_>) -> Result<Color, Failure> {
    parse_color(args.word()?).ok_or(Failure::Syntax)
}

/// The next argument as a colour, if there is one.
fn optional_color(args: &mut Args<'_>) -> Result<Option<Color>, Failure> {
    match args.rest() {
        "" => Ok(None),
        _ => color(args).map(Some),
    }
}

/// A whole number of any size, as an `i64`; those beyond are as good as the
/// greatest.
fn whole(text: &str) -> Result<i64, ArgError> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ArgError::Malformed);
    }
    let beyond = if digits == text { i64::MAX } else { i64::MIN };
    Ok(text.parse().unwrap_or(beyond))
}
