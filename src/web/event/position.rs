//! A position and what its last turn did, as the page draws them.

use crate::rules::{Sides, State, VoidState};
use crate::web::event::GameEnd;
use crate::web::request::Player;
use crate::web::tree::NodeNumber;
use serde::Serialize;

/// The position and what is needed to draw it.
#[derive(Clone, Debug, Serialize)]
pub struct StateEvent {
    pub node: NodeNumber,
    /// The node where the game stands; elsewhere a person browses, or tries a variation.
    pub live: NodeNumber,
    /// The answer to `kawari-state`.
    pub state: State,
    pub view: View,
    /// What the last turn or step did.
    pub consequences: Vec<Consequence>,
    /// Rows of the board before the last turn or step.
    pub before: Option<Vec<String>>,
    /// Whether a turn or step was just made.
    pub played: bool,
    pub outcome: Option<GameEnd>,
}

/// A step of another kind that may end a turn of several steps.
#[derive(Clone, Debug, Serialize)]
pub struct Closing {
    pub kind: u8,
    pub label: String,
    /// Whether the turn under way may end with it now.
    pub possible: bool,
    /// When it may, in a sentence.
    pub advice: &'static str,
}

/// The parts of a position that need rules; the page knows no rule.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Rows from the top; each character is a set of kinds of step, a digit to the base 32.
    pub legal: Vec<String>,
    pub can_pass: bool,
    /// Why a pass now may be a mistake, in a sentence.
    pub pass_warning: Option<String>,
    /// Whether a turn is under way and may end.
    pub can_end: bool,
    /// Stones of the turn under way.
    pub mid_turn: Vec<String>,
    /// What voids do at the end of this turn if nothing is played there.
    pub spreads: Vec<Spread>,
    /// Stones whose group may go on in the turn under way.
    pub continues: Vec<String>,
    /// The step of another kind that may end a turn of several steps.
    pub closing: Option<Closing>,
    /// Steps that only earlier turns forbid.
    pub forbidden: Vec<Forbidden>,
    pub last: Option<LastTurn>,
    /// Groups on several layers.
    pub groups: Vec<Vec<String>>,
    pub layer_width: u8,
    /// The player of the side to move.
    pub player: Player,
    /// Whether the board is small enough to ask for the exact value.
    pub can_solve: bool,
    /// The result as if the game ended here.
    pub score: String,
    /// For a player.
    pub warnings: Vec<String>,
    /// How the turn under way may go on, in a sentence.
    pub advice: Option<String>,
    /// What the players may still place besides stones, in some games.
    pub hand: Option<HandView>,
    /// Stones captured by each side, less prisoners spent.
    pub captures: Sides<i32>,
}

/// A void that spreads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    pub from: String,
    /// The point that becomes a void.
    pub to: String,
    pub arrow: &'static str,
}

/// A step that only earlier turns forbid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forbidden {
    pub at: String,
    /// Of step.
    pub kind: u8,
    /// The rule that forbids it.
    pub why: String,
    /// The points of the turn that it would answer.
    pub answers: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LastTurn {
    /// The side that made it.
    pub color: &'static str,
    /// As it is written.
    pub turn: String,
    /// In the coordinates of the page.
    pub caption: String,
    pub points: Vec<String>,
    /// The kind of its first step; `None` for a pass.
    pub kind: Option<u8>,
}

/// What the players may still place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandView {
    /// In the plural.
    pub name: &'static str,
    #[serde(flatten)]
    pub count: Sides<u16>,
}

/// One thing that a turn does, with a sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Consequence {
    pub text: String,
    pub kind: ConsequenceKind,
    pub points: Vec<String>,
    /// The void that spreads.
    pub from: Option<String>,
    /// The new content of the points, as in the rows of a board.
    pub symbol: Option<char>,
}

/// What happens to points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsequenceKind {
    /// Stones of any kind appear.
    Place,
    Remove,
    /// Stones change colour.
    Flip,
    /// Voids or walls appear, which never change again.
    Solid,
    /// The turn or the game ends.
    End,
    Pass,
}

/// A position that comes if nobody plays any more.
#[derive(Clone, Debug, Serialize)]
pub struct ForecastTurn {
    /// The number of turns before it.
    pub turn: u32,
    /// Rows.
    pub board: Vec<String>,
    pub voids: Vec<VoidState>,
    /// What the voids do at the end of the turn after that.
    pub spreads: Vec<Spread>,
    /// What the turn that leads there does.
    pub steps: Vec<Consequence>,
    /// The result as if the game ended there.
    pub score: String,
}
