//! The commands: one file for each group.

pub mod analysis;
pub mod arguments;
pub mod board;
pub mod document;
pub mod gogui;
pub mod handicap;
pub mod lists;
pub mod named_rules;
pub mod params;
pub mod play;
pub mod protocol;
pub mod raw_net;
pub mod records;
pub mod referee;
pub mod score;
pub mod servers;
pub mod table;
pub mod time;
pub mod variant;

use super::Reply;
use arguments::{Arg, ArgType, arg};

/// A side.
const COLOR: Arg = arg("color", ArgType::Color);

/// A point of the board shown.
const VERTEX: Arg = arg("vertex", ArgType::Vertex);

/// A name; the handler knows which exist.
const NAME: Arg = arg("name", ArgType::Word("a name"));

/// The key of an option.
const KEY: Arg = arg("key", ArgType::Word("the key of an option"));

/// The value of an option or a parameter.
const VALUE: Arg = arg("value", ArgType::Word("a value"));

/// A file.
const FILE: Arg = arg("file", ArgType::File);

/// The empty reply.
fn done() -> Reply {
    Ok(String::new())
}
