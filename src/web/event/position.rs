//! A position and what its last turn did, as the page draws them.

use crate::rules::{Sides, State, VoidState};
use crate::web::event::Outcome;
use crate::web::request::Player;
use crate::web::tree::NodeNumber;
use serde::Serialize;

/// The position and what is needed to draw it.
#[derive(Clone, Debug, Serialize)]
pub struct StateEvent {
    /// The node of the tree.
    pub node: NodeNumber,
    /// The node where the game stands; elsewhere somebody looks at it, or tries a variation.
    pub live: NodeNumber,
    /// The answer to `kawari-state`.
    pub state: State,
    /// What else a picture shows.
    pub view: View,
    /// What the last turn or step did.
    pub consequences: Vec<Consequence>,
    /// Rows of the board before the last turn or step.
    pub before: Option<Vec<String>>,
    /// Whether a turn or step was just made.
    pub played: bool,
    /// How the game has ended, if it has.
    pub outcome: Option<Outcome>,
}

/// A step of another kind that may end a turn of several steps.
#[derive(Clone, Debug, Serialize)]
pub struct Closing {
    /// The kind of step.
    pub kind: u8,
    /// What it is called.
    pub label: String,
    /// Whether the turn under way may end with it now.
    pub possible: bool,
    /// When it may, in a sentence.
    pub advice: &'static str,
}

/// What a picture shows of a position, so that it need not know a rule.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Rows from the top; each character is a set of kinds of step, a digit to the base 32.
    pub legal: Vec<String>,
    /// Whether a pass is legal.
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
    /// The last turn.
    pub last: Option<LastTurn>,
    /// Groups that reach over several layers.
    pub groups: Vec<Vec<String>>,
    /// Columns of a layer.
    pub layer_width: u8,
    /// Who plays the side to move.
    pub player: Player,
    /// Whether the board is small enough to ask for the exact value.
    pub can_solve: bool,
    /// The result as if the game ended here.
    pub score: String,
    /// What a player should know.
    pub warnings: Vec<String>,
    /// What the turn under way may still do, in a sentence.
    pub advice: Option<String>,
    /// What the players may still place beside stones, in games that have it.
    pub hand: Option<HandView>,
    /// Stones captured by each side, less prisoners spent.
    pub captures: Sides<i32>,
}

/// A void that spreads.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The void.
    pub from: String,
    /// The point that becomes a void.
    pub to: String,
    /// The direction.
    pub arrow: &'static str,
}

/// A step that only earlier turns forbid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forbidden {
    /// The point.
    pub at: String,
    /// The kind of step.
    pub kind: u8,
    /// The rule.
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
    /// For a person who looks at the board.
    pub caption: String,
    pub points: Vec<String>,
    /// The kind of its first step; none of a pass.
    pub kind: Option<u8>,
}

/// What the players may still place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HandView {
    /// Its name, in the plural.
    pub name: &'static str,
    /// How many each side has.
    #[serde(flatten)]
    pub count: Sides<u16>,
}

/// One thing that a turn does, with a sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Consequence {
    /// The sentence.
    pub text: String,
    /// What happens to the points.
    pub kind: ConsequenceKind,
    pub points: Vec<String>,
    /// The void that spreads.
    pub from: Option<String>,
    /// What is on the points then, as in the rows of a board.
    pub symbol: Option<char>,
}

/// What happens to points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsequenceKind {
    /// Stones of any kind come.
    Place,
    /// Stones go.
    Remove,
    /// Stones change colour.
    Flip,
    /// What can never change again comes: voids, walls.
    Solid,
    /// The turn or the game ends.
    End,
    /// A player passes.
    Pass,
}

/// A position that comes if nobody plays any more.
#[derive(Clone, Debug, Serialize)]
pub struct ForecastTurn {
    /// The number of turns made then.
    pub turn: u32,
    /// Rows of the board.
    pub board: Vec<String>,
    pub voids: Vec<VoidState>,
    /// What they will do at the end of the turn after that.
    pub spreads: Vec<Spread>,
    /// What happens in the turn that leads there.
    pub steps: Vec<Consequence>,
    /// The result as if the game ended there.
    pub score: String,
}
