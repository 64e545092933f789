//! Why records, or nodes of them, cannot be read or played.

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

/// Why a node is not played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// The rules forbid it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// It has an invalid property.
    #[error(transparent)]
    Property(#[from] InvalidProperty),
}

/// What is said of a root property that is not, or not exactly, read as it stands.
#[derive(Clone, Debug)]
pub struct Remark {
    /// The property and what is wrong.
    pub text: String,
    /// Whether the property is not read at all.
    pub is_unread: bool,
}

impl Remark {
    pub(super) fn unread(text: String) -> Remark {
        Remark { text, is_unread: true }
    }
}

/// Why a game record cannot be read or replayed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RecordError {
    /// The text is not well-formed SGF.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// A node has an invalid property.
    #[error("{position}: {why}")]
    Node {
        /// Where the node begins.
        position: TextPosition,
        /// What is wrong.
        why: InvalidProperty,
    },
    /// The start position is invalid.
    #[error("start position: {0}")]
    Start(#[from] SetupError),
    /// The rules forbid a turn.
    #[error("turn {number}, {turn}: {why}")]
    Turn {
        /// Number of the turn, from 1.
        number: usize,
        /// Colour and turn.
        turn: String,
        /// The rule that it breaks.
        why: Illegal,
    },
}

/// An invalid property value.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InvalidProperty {
    /// `GM` is not 1.
    #[error("GM[{0}]: not a game of Go (GM[1])")]
    Game(i64),
    /// The value is not a point of the board; property name and value.
    #[error("{0}[{1}]: not a point of the board")]
    Point(String, String),
    /// `KTURN` or `KBEGUN` is not a turn of the variant.
    #[error("KTURN[{0}]: not a turn of this variant")]
    Turn(String),
    /// Any other property of the root.
    #[error("{0}")]
    Root(String),
}
