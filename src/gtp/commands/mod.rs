pub mod analysis;
pub mod arguments;
pub mod board;
pub mod document;
pub mod gogui;
pub mod handicap;
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

const COLOR: Arg = arg("color", ArgType::Color);

const VERTEX: Arg = arg("vertex", ArgType::Vertex);

const NAME: Arg = arg("name", ArgType::Word("a name"));

const KEY: Arg = arg("key", ArgType::Word("the key of an option"));

const VALUE: Arg = arg("value", ArgType::Word("a value"));

const FILE: Arg = arg("file", ArgType::File);

fn done() -> Reply {
    Ok(String::new())
}
