//! What the server sends: replies and events in JSON.

use super::request::{Player, Players};
use crate::rules::{Sides, State, VoidState};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Anything that the server sends.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// The reply to a request that succeeded.
    Ok {
        /// The number of the request.
        id: u32,
        /// What it asked for.
        ok: Value,
    },
    /// The reply to a request that failed.
    Error {
        /// The number of the request; none if it could not be read.
        id: Option<u32>,
        /// What is wrong, for a person.
        error: String,
    },
    /// Something that happened.
    Event(Event),
}

/// Something that happened. Win rates and margins are Black's.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The settings of the game, after each change.
    Game(Box<GameEvent>),
    /// Changes of the game tree.
    Tree {
        /// Whether all nodes known so far are gone.
        reset: bool,
        /// New and changed nodes.
        nodes: Vec<NodeView>,
        /// Nodes that are gone.
        removed: Vec<u32>,
    },
    /// The position now.
    State(Box<StateEvent>),
    /// A search begins or ends.
    Thinking {
        /// Whether it begins.
        on: bool,
        /// What it is for.
        what: Purpose,
        /// The side to move.
        color: &'static str,
    },
    /// What the search has found so far.
    Analysis(Box<AnalysisEvent>),
    /// A position of a review.
    Review(Box<ReviewEvent>),
    /// Something that a person should know.
    Message {
        /// The text.
        text: String,
    },
    /// The game has ended.
    Ended {
        /// The result.
        result: String,
        /// Why.
        how: Ending,
    },
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A turn of the engine.
    Genmove,
    /// A hint.
    Hint,
    /// Analysis of the position.
    Analysis,
    /// Review of the game.
    Review,
    /// Dead stones.
    DeadStones,
}

/// Why a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Two passes; the board is counted.
    Counted,
    /// A player gave up.
    Resigned,
    /// The rules ended it.
    Rules,
    /// The players agreed on dead stones.
    Agreed,
}

/// The settings of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameEvent {
    /// The id of the variant.
    pub variant: &'static str,
    /// Columns, of one layer.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Layers.
    pub layers: u8,
    /// Points added to White's score.
    pub komi: f64,
    /// Rule options.
    pub rules: Value,
    /// Blocked points.
    pub blocked: Vec<String>,
    /// Handicap stones.
    pub handicap: Vec<String>,
    /// Where the layers are in the flat form.
    pub sheets: Vec<Sheet>,
    /// Pairs of neighbours on different layers.
    pub links: Vec<[String; 2]>,
    /// Who plays.
    pub players: Players,
    /// Whether engines wait.
    pub paused: bool,
}

/// A part of the flat form that is drawn as one board.
#[derive(Clone, Debug, Serialize)]
pub struct Sheet {
    /// Its name.
    pub name: String,
    /// Its first column in the flat form.
    pub left: u8,
    /// Its columns.
    pub width: u8,
}

/// A node of the game tree.
#[derive(Clone, Debug, Serialize)]
pub struct NodeView {
    /// Its number.
    pub id: u32,
    /// The node before; none of the root.
    pub parent: Option<u32>,
    /// The nodes behind, the main line first.
    pub children: Vec<u32>,
    /// The side that made the turn.
    pub color: Option<&'static str>,
    /// The turn as it is written.
    pub turn: Option<String>,
    /// The turn for a person who looks at the board.
    pub caption: Option<String>,
    /// The comment; may be empty.
    pub comment: String,
    /// What a search said of the position behind the turn.
    pub value: Option<NodeValue>,
}

/// What a search says of a position; Black's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NodeValue {
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// Margin in points.
    pub margin: f32,
    /// Visits of the search.
    pub visits: u64,
}

/// The position and what is needed to draw it.
#[derive(Clone, Debug, Serialize)]
pub struct StateEvent {
    /// The node of the tree.
    pub node: u32,
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
}

/// What a picture shows of a position, so that it need not know a rule.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Rows from the top; each character is a set of kinds of step, a digit to the base 32.
    pub legal: Vec<String>,
    /// Whether a pass is legal.
    pub can_pass: bool,
    /// Whether a turn is under way and may end.
    pub can_end: bool,
    /// Stones of the turn under way.
    pub mid_turn: Vec<String>,
    /// What voids do at the end of this turn if nothing is played there.
    pub spreads: Vec<Spread>,
    /// Stones whose group may go on in the turn under way.
    pub continues: Vec<String>,
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

/// The last turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LastTurn {
    /// The side that made it.
    pub color: &'static str,
    /// As it is written.
    pub turn: String,
    /// For a person who looks at the board.
    pub caption: String,
    /// Its points.
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
    /// The points.
    pub points: Vec<String>,
    /// The void that spreads.
    pub from: Option<String>,
    /// The colour of the stones that come.
    pub color: Option<&'static str>,
}

/// What happens to points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsequenceKind {
    /// Stones come.
    Place,
    /// Stones go.
    Remove,
    /// Stones change colour.
    Flip,
    /// Voids open.
    Void,
    /// Tao stones come.
    Tao,
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
    /// The voids.
    pub voids: Vec<VoidState>,
    /// What they will do at the end of the turn after that.
    pub spreads: Vec<Spread>,
    /// What happens in the turn that leads there.
    pub steps: Vec<Consequence>,
    /// The result as if the game ended there.
    pub score: String,
}

/// A move as a search reports it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportedMove {
    /// The step.
    #[serde(flatten)]
    pub step: StepView,
    /// Simulations.
    pub visits: u32,
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// Margin in points.
    pub margin: f32,
    /// Share of the policy prior, 0 to 1.
    pub prior: f32,
    /// Principal variation, the move first.
    pub pv: Vec<ColoredStep>,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepView {
    /// The kind; none of a pass and of an end.
    pub kind: Option<u8>,
    /// The point; none of a pass and of an end.
    pub at: Option<String>,
    /// In words.
    pub text: String,
}

/// A step of a side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColoredStep {
    /// The side.
    pub color: &'static str,
    /// The step.
    #[serde(flatten)]
    pub step: StepView,
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisEvent {
    /// The node.
    pub node: u32,
    /// Simulations.
    pub visits: u64,
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// Margin in points.
    pub margin: f32,
    /// The best moves, the best first.
    pub moves: Vec<ReportedMove>,
    /// Ownership of each cell of the flat form from the top left, −100 to 100.
    pub ownership: Vec<i8>,
}

/// A position of a review.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewEvent {
    /// The node.
    pub node: u32,
    /// Positions looked at.
    pub done: usize,
    /// All positions.
    pub total: usize,
    /// What the search says of the position.
    #[serde(flatten)]
    pub value: NodeValue,
    /// The best move there.
    pub best: Option<ReportedMove>,
    /// Points that the turn before it lost against the best one.
    pub loss: Option<f32>,
}

/// The count of a board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreView {
    /// By the rules, no stone taken off.
    pub rules: String,
    /// The same as area.
    pub area: String,
    /// The same as territory and captures.
    pub territory: String,
    /// By the rules, the dead stones taken off.
    pub agreed: String,
    /// The stones marked as dead.
    pub dead: Vec<String>,
    /// Whose each point is, the dead stones taken off: rows of `X`, `O` and `.`.
    pub owned: Vec<String>,
}

/// What the server offers.
#[derive(Clone, Debug, Serialize)]
pub struct Hello {
    /// The version of the program.
    pub version: &'static str,
    /// Names of other engines.
    pub engines: Vec<String>,
    /// Number of levels of the engine.
    pub levels: usize,
    /// The variants.
    pub variants: Vec<VariantView>,
}

/// A variant, as a page presents it.
#[derive(Clone, Debug, Serialize)]
pub struct VariantView {
    /// Its id.
    pub id: &'static str,
    /// Its name.
    pub name: String,
    /// Three sentences.
    pub summary: String,
    /// The rules in Markdown.
    pub rules: String,
    /// Columns unless asked otherwise, of one layer.
    pub width: u8,
    /// Rows unless asked otherwise.
    pub height: u8,
    /// What sizes there are.
    pub sizes: Sizes,
    /// Points added to White's score unless asked otherwise.
    pub komi: f64,
    /// `none`, `free` or `fixed`.
    pub handicap: &'static str,
    /// Rule options.
    pub options: Vec<OptionView>,
    /// What a player chooses before a click.
    pub modes: Vec<Mode>,
    /// The turns of a short game that shows what is particular; the last has the picture.
    pub example: Vec<ExampleTurn>,
}

/// A turn of an example.
#[derive(Clone, Debug, Serialize)]
pub struct ExampleTurn {
    /// What it does, in sentences.
    pub text: Vec<String>,
    /// The state after it.
    pub state: State,
}

/// The sizes of a variant.
#[derive(Clone, Debug, Serialize)]
pub struct Sizes {
    /// Whether boards are squares.
    pub square_only: bool,
    /// The longest side for each number of layers.
    pub max: BTreeMap<u8, u8>,
}

/// A rule option.
#[derive(Clone, Debug, Serialize)]
pub struct OptionView {
    /// Its key.
    pub key: &'static str,
    /// Its default.
    pub default: String,
    /// Its values, if they are few.
    pub values: Option<Vec<&'static str>>,
    /// Its values in words.
    pub allowed: String,
}

/// What a player chooses before a click: one or more kinds of step.
#[derive(Clone, Debug, Serialize)]
pub struct Mode {
    /// Its name.
    pub name: &'static str,
    /// Its name for a person.
    pub label: String,
    /// The kinds of step that a click means: the first that is legal.
    pub kinds: Vec<u8>,
    /// Whether a click has to be confirmed, because it destroys a stone.
    pub confirm: bool,
    /// The key that chooses it.
    pub key: char,
    /// What comes to the point: `stone`, `void` or `tao`.
    pub ghost: &'static str,
}
