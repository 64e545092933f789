//! What the server sends: replies and events in JSON.

mod exercise;
mod kept;
mod offer;
mod position;
mod search;

pub use exercise::{AttemptView, LessonView, PositionView, ProblemView, Verdict};
pub use kept::{KeptGame, Summary};
pub use offer::{
    CellView, ChoiceView, ExampleTurn, FairKomi, Hello, Mode, OptionView, PassageView, Sizes,
    TextLimits, VariantView,
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
    /// The reply to a request that succeeded; `id` is its number.
    Ok {
        /// The number of the request.
        id: u32,
        ok: Value,
    },
    /// The reply to a request that failed.
    Error {
        /// `None` if the request was unreadable.
        id: Option<u32>,
        /// For a person.
        error: String,
    },
    /// Something that happened.
    Event(Event),
}

/// Something that happened. Win rates and margins are Black's.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The game for the page to keep, before the events that show the change.
    Kept(Box<KeptGame>),
    /// The settings of the game, after each change.
    Game(Box<GameEvent>),
    Tree {
        /// Whether the nodes so far are gone.
        reset: bool,
        /// New and changed nodes.
        nodes: Vec<NodeView>,
        removed: Vec<NodeNumber>,
    },
    /// The numbers of edits of the tree that can be undone and redone.
    Edits {
        undo: usize,
        redo: usize,
    },
    State(Box<StateEvent>),
    /// A search begins or ends.
    Thinking {
        on: bool,
        what: Purpose,
        /// The side to move.
        color: &'static str,
    },
    /// An interim result.
    Analysis(Box<AnalysisEvent>),
    Review(Box<ReviewEvent>),
    /// The last turn is so costly that the opponent waits with its answer.
    Held(Box<Mistake>),
    /// For a person.
    Message {
        text: String,
    },
    /// The clocks, after each change.
    Clock(ClockEvent),
    /// An engine makes no turn, so the game stands still.
    EngineLost {
        color: &'static str,
        engine: String,
        /// The reason.
        text: String,
    },
    Ended(GameEnd),
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
    Analysis,
    /// A search on a person's time.
    Ponder,
    Review,
    /// Whether the last turn is a mistake.
    Judge,
    DeadStones,
    /// Whether another engine starts.
    CheckEngine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndCause {
    /// Two passes; the board is counted.
    Counted,
    Resigned,
    /// The rules ended it.
    Rules,
    /// By agreement on dead stones.
    Agreed,
    Time,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameEnd {
    /// The result: `W+1.5`.
    pub result: String,
    /// The same as a sentence: `White wins by 1½ points`.
    pub sentence: String,
    pub how: EndCause,
}

#[derive(Clone, Debug, Serialize)]
pub struct GameEvent {
    #[serde(flatten)]
    pub setup: SetupRecord,
    pub layers: u8,
    /// Where the layers are in the flat form.
    pub sheets: Vec<Sheet>,
    /// Pairs of neighbours on different layers.
    pub links: Vec<[String; 2]>,
    pub players: Players,
    /// Whether engines wait.
    pub paused: bool,
    /// What the teacher holds up; `None` without a teacher.
    pub teaching: Option<Teaching>,
    /// Whether people play against the clock.
    pub clock: bool,
    /// Whether a turn may have several steps.
    pub steps: bool,
    /// Whether the page can show later positions, in which voids have moved.
    pub forecast: bool,
    /// Whether there may be warnings and advice.
    pub notes: bool,
    pub header: Header,
    /// The result in the record: a sentence, or its text if it is not known.
    pub result: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClockEvent {
    /// Black's clock at the start of the turn.
    pub black: ClockView,
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
    pub main: f64,
    /// Length of a period; 0 without periods.
    pub period: f64,
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

#[derive(Clone, Debug, Serialize)]
pub struct NodeView {
    pub id: NodeNumber,
    /// `None` for the root.
    pub parent: Option<NodeNumber>,
    /// The main line first.
    pub children: Vec<NodeNumber>,
    /// The side that made the turn.
    pub color: Option<&'static str>,
    /// The turn as it is written.
    pub turn: Option<String>,
    /// The turn in the coordinates of the page.
    pub caption: Option<String>,
    /// May be empty.
    pub comment: String,
    /// Marks of people on its points: by SGF property, a value in each line.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, String>,
    /// The value of the position after the turn.
    pub value: Option<NodeValue>,
}
