//! What the server sends: replies and events in JSON.

mod exercise;
mod kept;
mod offer;
mod position;
mod search;

pub use exercise::{AttemptView, LessonView, PositionView, ProblemView, Verdict};
pub use kept::{KeptGame, Summary};
pub use offer::{
    CellView, ChoiceView, ExampleTurn, FairKomi, Hello, Limits, Mode, OptionView, PassageView,
    Sizes, VariantView,
};
pub use position::{
    Closing, Consequence, ConsequenceKind, Forbidden, ForecastTurn, HandView, LastTurn, Spread,
    StateEvent, View,
};
pub use search::{
    AnalysisEvent, ColoredStep, Mistake, NodeValue, ReportedMove, ReviewEvent, ReviewSummary,
    ScoreView, StepView, TurnLoss,
};

use super::header::Header;
use super::request::Players;
use super::teacher::Teaching;
use super::tree::NodeNumber;
use crate::rules::SetupRecord;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// Why a command is refused, in words for the person at the page; nothing else asks.
#[derive(Debug)]
pub struct ErrorText(pub String);

impl<E: fmt::Display> From<E> for ErrorText {
    fn from(error: E) -> ErrorText {
        ErrorText(error.to_string())
    }
}

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
    /// What the page keeps of the game, before the events that show the change.
    Kept(Box<KeptGame>),
    /// The settings of the game, after each change.
    Game(Box<GameEvent>),
    /// Changes of the game tree.
    Tree {
        /// Whether all nodes known so far are gone.
        reset: bool,
        /// New and changed nodes.
        nodes: Vec<NodeView>,
        /// Nodes that are gone.
        removed: Vec<NodeNumber>,
    },
    /// How many edits of the tree can be undone and redone.
    Edits { undo: usize, redo: usize },
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
    /// The last turn costs so much that the opponent waits with its answer.
    Held(Box<Mistake>),
    /// Something that a person should know.
    Message { text: String },
    /// The clocks, after each change.
    Clock(ClockEvent),
    /// An engine makes no turn, so the game stands still.
    EngineLost {
        /// The side that it plays.
        color: &'static str,
        /// Its name.
        engine: String,
        /// Why.
        text: String,
    },
    /// The game has ended.
    Ended(Outcome),
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// A turn of the engine.
    Genmove,
    Hint,
    /// The exact value of the position.
    Solve,
    /// Analysis of the position.
    Analysis,
    /// Search on the time of a person.
    Ponder,
    /// Review of the game.
    Review,
    /// Whether the last turn is a mistake.
    Judge,
    DeadStones,
    /// Whether another engine starts.
    CheckEngine,
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
    /// A player has used up the time.
    Time,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The result: `W+1.5`.
    pub result: String,
    /// The same as a sentence: `White wins by 1½ points`.
    pub sentence: String,
    /// Why.
    pub how: Ending,
}

/// The settings of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameEvent {
    /// The start.
    #[serde(flatten)]
    pub setup: SetupRecord,
    pub layers: u8,
    /// Where the layers are in the flat form.
    pub sheets: Vec<Sheet>,
    /// Pairs of neighbours on different layers.
    pub links: Vec<[String; 2]>,
    /// Who plays.
    pub players: Players,
    /// Whether engines wait.
    pub paused: bool,
    /// What a teacher holds up, if there is one.
    pub teaching: Option<Teaching>,
    /// Whether people play against the clock.
    pub clock: bool,
    /// Whether a turn may have several steps.
    pub steps: bool,
    /// Whether turns that are to come can be looked at: voids may move.
    pub forecast: bool,
    /// Whether there may be warnings and advice.
    pub notes: bool,
    /// What the record says of the game.
    pub header: Header,
    /// The result that the record has, in a sentence if it can be said.
    pub result: Option<String>,
}

/// The clocks of a game.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockEvent {
    /// Black's clock at the start of the turn.
    pub black: ClockView,
    /// White's.
    pub white: ClockView,
    /// The side whose turn is under way.
    pub running: Option<&'static str>,
    /// Whether its clock is paused.
    pub paused: bool,
    /// Seconds that the turn has taken.
    pub elapsed: f64,
    /// The side that has lost on time.
    pub lost: Option<&'static str>,
}

/// A clock, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockView {
    /// Main time left.
    pub main: f64,
    /// Time of a period; 0 where there are none.
    pub period: f64,
    /// Periods left.
    pub periods: u32,
}

/// A part of the flat form that is drawn as one board.
#[derive(Clone, Debug, Serialize)]
pub struct Sheet {
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
    pub id: NodeNumber,
    /// The node before; none of the root.
    pub parent: Option<NodeNumber>,
    /// The nodes behind, the main line first.
    pub children: Vec<NodeNumber>,
    /// The side that made the turn.
    pub color: Option<&'static str>,
    /// The turn as it is written.
    pub turn: Option<String>,
    /// The turn for a person who looks at the board.
    pub caption: Option<String>,
    /// The comment; may be empty.
    pub comment: String,
    /// Marks of people on its points: by SGF property, a value in each line.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, String>,
    /// What a search said of the position behind the turn.
    pub value: Option<NodeValue>,
}
