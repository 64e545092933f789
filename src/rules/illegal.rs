//! Why a turn is refused, in words a player understands.

/// The rule that forbids a turn. The text names the rule, then says what is
/// wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Illegal {
    /// Not a turn of this variant.
    #[error("syntax: this variant has no such turn")]
    NoSuchTurn,
    /// A vertex beyond the edge or on a separating column.
    #[error("off the board: there is no such point")]
    OffBoard,
    /// Nothing follows a resignation or an end by the rules.
    #[error("game over: it accepts no further turn")]
    GameOver,
    /// Something lies there.
    #[error("occupied: the point is not empty")]
    Occupied,
    /// No liberty left, nothing captured.
    #[error("suicide: the stone would have no liberty and captures nothing")]
    Suicide,
    /// A simple ko.
    #[error("ko: the stone that just captured one stone here may not be retaken at once")]
    Ko,
    /// Positional superko.
    #[error("superko: an earlier position of the game would come back (positional)")]
    PositionalSuperko,
    /// Situational superko.
    #[error("superko: a position that this colour left earlier would come back (situational)")]
    SituationalSuperko,
    /// A capture after a capture.
    #[error("stoical: a capture may not answer the opponent's capture")]
    Stoical,
    /// A stone on a tao stone that captures nothing.
    #[error(
        "tao stone: a stone may take its place only by capturing, and nothing is captured there"
    )]
    TaoStone,
    /// Neither a tao stone in hand nor a prisoner.
    #[error("tao: nothing to pay with, no tao stone in hand and no prisoner")]
    NothingToPay,
    /// Only own stones can go nuclear.
    #[error("nuke: not an own stone")]
    NotOwnStone,
    /// A placement next to an own stone.
    #[error("placement: next to an own stone (that would be a growth)")]
    TouchesOwn,
    /// A growth elsewhere than at a group that stood when the turn began.
    #[error("growth: not next to a group of yours that stood when the turn began")]
    NoOriginalGroup,
    /// A second stone for one group.
    #[error("growth: that group has grown this turn")]
    HasGrown,
    /// A growth without a stone.
    #[error("growth: it needs at least one stone")]
    EmptyGrowth,
    /// A placement after a growth without the right to it.
    #[error("balance: no right to a balance turn, a placement after a growth")]
    NoBalance,
    /// Only the growing side goes on, stone by stone.
    #[error("growth: it must be finished first, stone by stone")]
    MidGrowth,
}

impl Illegal {
    /// Whether only what was played before forbids the turn: the same turn may
    /// be legal later in the same place.
    pub fn is_for_now(self) -> bool {
        matches!(
            self,
            Illegal::Ko
                | Illegal::PositionalSuperko
                | Illegal::SituationalSuperko
                | Illegal::Stoical
        )
    }
}
