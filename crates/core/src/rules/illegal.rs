//! Rules that forbid a turn.

use crate::board::Color;

/// The rule that forbids a turn. The text names the rule, then explains it to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Illegal {
    /// Not a turn of this variant.
    #[error("syntax: this variant has no such turn")]
    NoSuchTurn,
    /// A vertex beyond the edge or on a separating column.
    #[error("off the board: there is no such point")]
    OffBoard,
    /// Nothing follows a resignation or an end by the rules.
    #[error("game over: no further turn is legal")]
    GameOver,
    /// The point is not empty.
    #[error("occupied: the point is not empty")]
    Occupied,
    /// No liberty left, nothing captured.
    #[error("suicide: the stone would have no liberty and captures nothing")]
    Suicide,
    /// Set-up of a piece of other games.
    #[error("set-up: this game has no such piece")]
    NoSuchPiece,
    /// Set-up that leaves a group without liberties.
    #[error("set-up: a group would have no liberty")]
    NoLiberty,
    /// A simple ko.
    #[error("ko: you may not retake at once the stone that just captured one stone here")]
    Ko,
    /// Positional superko.
    #[error("superko: the turn would repeat an earlier position (positional)")]
    PositionalSuperko,
    /// Situational superko.
    #[error(
        "superko: the turn would repeat an earlier position after a turn of this colour (situational)"
    )]
    SituationalSuperko,
    /// A rule of only this variant.
    #[error("{0}")]
    Rule(&'static str),
    /// A rule of only this variant, about earlier turns.
    #[error("{0}")]
    HistoryRule(&'static str),
    /// A pass by a player who has another turn, where that is illegal.
    #[error("pass: a player who can place a stone may not pass")]
    MustPlay,
    /// A turn of several steps that ends too early, or has no legal further step.
    #[error("turn: it has too few points")]
    TooShort,
    /// A turn of a side in a game in which the other side is to move.
    #[error("turn order: {} is to move", .0.title())]
    OutOfTurn(Color),
    /// A turn is unfinished, and its side must finish it step by step.
    #[error("turn: the side to move must finish its turn first, step by step")]
    MidTurn,
}

impl Illegal {
    /// Whether only a superko forbids this turn.
    pub fn is_superko(self) -> bool {
        matches!(self, Illegal::PositionalSuperko | Illegal::SituationalSuperko)
    }

    /// Whether only earlier turns forbid this turn, so that it may be legal later.
    pub fn depends_on_history(self) -> bool {
        matches!(
            self,
            Illegal::Ko
                | Illegal::PositionalSuperko
                | Illegal::SituationalSuperko
                | Illegal::HistoryRule(_)
        )
    }
}
