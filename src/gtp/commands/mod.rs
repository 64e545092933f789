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

use super::{Failure, Reply};
use crate::encoding::Vertex;
use arguments::{Arg, ArgType, MoveArg, arg};
use std::fmt::Display;

const COLOR: Arg = arg("color", ArgType::Color);

const VERTEX: Arg = arg("vertex", ArgType::Vertex);

const NAME: Arg = arg("name", ArgType::Word("a name"));

const KEY: Arg = arg("key", ArgType::Word("the key of an option"));

const VALUE: Arg = arg("value", ArgType::Word("a value"));

const FILE: Arg = arg("file", ArgType::File);

/// The failure of a list of points, with its reason.
fn bad_vertex_list(reason: impl Display) -> Failure {
    format!("{}: {reason}", Failure::BadVertexList).into()
}

/// The vertices of a list of points.
fn vertices(points: &[MoveArg]) -> Result<Vec<Vertex>, Failure> {
    let vertex = |(number, point): (usize, &MoveArg)| {
        let why = || bad_vertex_list(format!("point {number} is off this board"));
        point.vertex().ok_or_else(why)
    };
    (1..).zip(points).map(vertex).collect()
}

fn done() -> Reply {
    Ok(String::new())
}
