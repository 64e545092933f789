//! Errors of records and their nodes.

use super::parse::ParseError;
use super::text_position::TextPosition;
use super::tree::NodeId;
use crate::rules::{Illegal, SetupError};

/// A node that is not played.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// The node.
    pub node: NodeId,
    /// Number of its turn, from 1.
    pub number: usize,
    /// Colour and turn.
    pub turn: String,
    /// The reason.
    pub why: Refused,
}

/// The reason why a node is not played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// A rule.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// An invalid property.
    #[error(transparent)]
    Property(#[from] InvalidProperty),
}

/// The reason why a game record cannot be read or replayed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// A syntax error.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// An invalid property.
    #[error("{position}: {why}")]
    Node {
        /// Position of the node.
        position: TextPosition,
        /// The problem.
        why: InvalidProperty,
    },
    /// An invalid start position.
    #[error("start position: {0}")]
    Start(#[from] SetupError),
    /// A turn that the rules forbid.
    #[error("turn {number}, {turn}: {why}")]
    Turn {
        /// Number of the turn, from 1.
        number: usize,
        /// Colour and turn.
        turn: String,
        /// The rule.
        why: Illegal,
    },
}

/// An invalid property value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidProperty {
    /// `GM` is not 1.
    #[error("GM[{0}]: not a game of Go (GM[1])")]
    Game(i64),
    /// Not a point of the board; property name and value.
    #[error("{0}[{1}]: not a point of the board")]
    Point(String, String),
    /// `KTURN` or `KBEGUN` is not a turn of the variant.
    #[error("KTURN[{0}]: not a turn of this variant")]
    Turn(String),
    /// Any other property of the root.
    #[error("{0}")]
    Root(String),
}
