//! What a page asks: requests in JSON, typed and bounded.

use super::header::{Entry, Header};
use super::tree::{MAX_NODES, MAX_RECORD_BYTES, NodeNumber};
use crate::board::Color;
use crate::rules::SetupRecord;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A request: a number that its reply repeats, and a command.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Chosen by the page.
    pub id: u32,
    #[serde(rename = "do")]
    pub command: Command,
}

/// The number of a request whose command may be unreadable: its reply needs it.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct RequestId {
    /// See [`Request::id`].
    pub id: u32,
}

/// A text of at most `MAX` bytes of UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Text<const MAX: usize>(String);

/// A text or list is longer than its place allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("too long: at most {0}")]
pub struct TooLong(usize);

impl<const MAX: usize> TryFrom<String> for Text<MAX> {
    type Error = TooLong;

    fn try_from(text: String) -> Result<Self, TooLong> {
        if text.len() <= MAX { Ok(Text(text)) } else { Err(TooLong(MAX)) }
    }
}

impl<const MAX: usize> From<Text<MAX>> for String {
    fn from(text: Text<MAX>) -> String {
        text.0
    }
}

impl<const MAX: usize> std::ops::Deref for Text<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// A list of at most `MAX` items.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<T>", into = "Vec<T>")]
pub struct List<T: Clone, const MAX: usize>(Vec<T>);

impl<T: Clone, const MAX: usize> Default for List<T, MAX> {
    fn default() -> Self {
        List(Vec::new())
    }
}

impl<T: Clone, const MAX: usize> TryFrom<Vec<T>> for List<T, MAX> {
    type Error = TooLong;

    fn try_from(items: Vec<T>) -> Result<Self, TooLong> {
        if items.len() <= MAX { Ok(List(items)) } else { Err(TooLong(MAX)) }
    }
}

impl<T: Clone, const MAX: usize> From<List<T, MAX>> for Vec<T> {
    fn from(list: List<T, MAX>) -> Vec<T> {
        list.0
    }
}

impl<T: Clone, const MAX: usize> std::ops::Deref for List<T, MAX> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

/// Maximum number of points of a board.
pub const MAX_POINTS: usize = 625;
/// Maximum bytes of a vertex, an option or the name of a variant.
pub const MAX_WORD: usize = 64;
/// Maximum bytes of a turn in writing: one with a stone on each point.
pub const MAX_TURN: usize = 8 * MAX_POINTS;
pub const MAX_COMMENT: usize = 40_000;
/// Most bytes of a game record: as many as a page keeps, and what a result adds.
pub const MAX_SGF: usize = MAX_RECORD_BYTES + (64 << 10);
/// Most bytes of a file in Base64.
pub const MAX_BASE64: usize = 4 * MAX_SGF / 3 + 4;
/// Most bytes of a message: a game record whose bytes JSON writes as two, its file, and what is
/// around it.
pub const MAX_MESSAGE: usize = 2 * MAX_SGF + MAX_BASE64 + (1 << 20);
/// Most nodes from the root of a game to a leaf.
pub const MAX_DEPTH: usize = MAX_NODES;
/// Most steps of an attempt at an exercise.
pub const MAX_ATTEMPT: usize = 64;

/// Maximum number of turns of a forecast: a full circle of the voids' arrows.
pub const MAX_FORECAST: u8 = 8;

/// A vertex, an id, a value.
pub type Word = Text<MAX_WORD>;

pub type Base64 = Text<MAX_BASE64>;

/// What a request asks for. The module documentation of [`web`](super) lists the replies.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// What the server offers.
    Hello,
    New(NewGame),
    /// Sets who plays each side.
    Players(Players),
    /// Makes a turn or a step for the side to move.
    Play(Move),
    /// Asks what a turn or a step would do.
    Look(Move),
    /// Takes one step back.
    Undo,
    /// Takes back turns until a person is to move.
    TakeBack,
    /// Asks for the coming positions if nobody plays any more.
    Forecast {
        /// Their number, 1 to 8.
        turns: u8,
    },
    /// Shows another node of the game tree.
    Go(NodeArgument),
    /// Sets the comment of a node.
    Comment {
        node: NodeNumber,
        /// Empty to remove it.
        text: Text<MAX_COMMENT>,
    },
    /// Removes a node and all behind it.
    Remove(NodeArgument),
    /// Makes the line through a node the main line.
    Promote(NodeArgument),
    /// Sets marks of people on the points of a position.
    Mark {
        node: NodeNumber,
        /// By SGF property, a value in each line; other properties stay.
        marks: BTreeMap<Word, Text<MAX_COMMENT>>,
    },
    /// Sets up stones, or takes them off, in the position that is shown, without a turn.
    SetUp(SetUpArgument),
    /// Takes back the last edit of the tree; later turns stay.
    UndoEdit,
    RedoEdit,
    /// Lets the engine play for the side to move, even if it is a person's.
    Genmove,
    /// Asks for the best turn.
    Hint,
    /// Asks for the exact value of the position, on a small board.
    Solve,
    /// Whether to analyse each position that is shown.
    Analysis(Switch),
    /// Whether the engine searches while a person plays against it.
    Ponder(Switch),
    /// Whether costly moves against an engine are held up.
    Teach(Switch),
    /// Keeps the move that is held up.
    Leave,
    /// Ends the search under way with its result so far.
    Stop,
    /// Whether engines wait, and the clock stands.
    Pause(Switch),
    Pace(Pace),
    /// The seed of the turns of kawari in the next game; each game after it has another one.
    Seed(u32),
    /// An engine that failed is asked for its turn again.
    Retry,
    /// Asks whether an engine starts.
    CheckEngine {
        /// Its name on the command line.
        name: Word,
    },
    /// Lets the game go on from the current position.
    PlayOn,
    /// Asks whether the time of the side to move is over.
    Flag,
    /// Asks for the score without the dead stones.
    DeadStones {
        /// Whether the engine marks them again.
        estimate: bool,
    },
    /// Marks a group as dead, or as alive again.
    ToggleDead {
        /// A stone of the group.
        at: Word,
    },
    /// Writes the result without the marked stones into the record.
    Agree,
    /// Starts the same game again, with colours swapped.
    Rematch,
    /// Sets what the record says of the game besides its turns.
    Header(Box<Header>),
    /// Asks for the lessons of a variant.
    Lessons {
        variant: Word,
    },
    /// Asks for all problems.
    Problems,
    /// Tries steps on the board of an exercise.
    Try(Attempt),
    /// Analyses each position of the game.
    Review {
        /// Playouts a position.
        visits: u32,
    },
    /// Asks for the game as text.
    Save,
    /// Opens a game from its text.
    Open(SavedGame),
    /// Asks for a summary of each game of a file, without opening one.
    Describe {
        bytes: Base64,
    },
    /// Opens a game from the text of an old link, which has the turns up to a position.
    OpenLink {
        text: Text<MAX_SGF>,
    },
}

/// Steps tried on the board of an exercise, from its start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    pub exercise: ExerciseName,
    /// The steps; the last one is new.
    #[serde(default)]
    pub steps: List<Move, MAX_ATTEMPT>,
    /// Whether the page only asks what the last step would do.
    #[serde(default)]
    pub look: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ExerciseName {
    /// A lesson of a variant, by its number from 0.
    Lesson(Word, u8),
    /// A problem of a variant, by its number in the file.
    Problem(Word, u32),
    /// The position before a mistake in a game of one's own.
    Mistake {
        sgf: Text<MAX_SGF>,
        /// The node before the mistake, as in [`SavedGame::path`].
        path: List<u32, MAX_DEPTH>,
    },
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeArgument {
    pub node: NodeNumber,
}

/// The points that change, and the side to move.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetUpArgument {
    #[serde(default)]
    pub black: List<Word, MAX_POINTS>,
    #[serde(default)]
    pub white: List<Word, MAX_POINTS>,
    #[serde(default)]
    pub empty: List<Word, MAX_POINTS>,
    /// `black` or `white`, to change it.
    #[serde(default)]
    pub to_move: Option<Word>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    pub on: bool,
}

/// Minimum time of an engine for a turn, in milliseconds, so that people can follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Against a person.
    pub reply: u16,
    /// Against each other.
    pub engines: u16,
}

/// The time of people for a game, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockSettings {
    Fischer {
        main: f64,
        /// Added after each turn.
        increment: f64,
    },
    ByoYomi {
        main: f64,
        period: f64,
        periods: u32,
    },
}

/// The clocks of a game as the page keeps them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedClock {
    pub settings: ClockSettings,
    /// Seconds left of Black's main time or period, and periods left.
    pub black: (f64, u32),
    /// White's.
    pub white: (f64, u32),
    /// The turn under way, which is not on the clocks yet.
    #[serde(default)]
    pub turn: Option<SavedTurn>,
    /// The side that has lost on time.
    #[serde(default)]
    pub lost: Option<Color>,
    /// When the page kept the clocks, in milliseconds since 1970.
    #[serde(default)]
    pub at: u64,
}

/// The time of a turn under way as the page keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTurn {
    pub color: Color,
    /// Seconds that it has taken.
    pub spent: f64,
    /// Whether the clock runs.
    pub runs: bool,
}

/// The settings of a new game; the variant has defaults for missing ones.
#[derive(Clone, Debug, Deserialize)]
pub struct NewGame {
    #[serde(flatten)]
    pub setup: SetupRecord,
    /// Number of handicap stones, on points that the engine chooses if the start has none.
    #[serde(default)]
    pub stones: u16,
    #[serde(default)]
    pub players: Players,
    /// Whether costly moves against an engine are held up.
    #[serde(default)]
    pub teach: bool,
    /// The name of a person against an engine.
    #[serde(default)]
    pub person: Entry,
    /// Of people; engines have no clock.
    #[serde(default)]
    pub clock: Option<ClockSettings>,
    /// Unknown fields.
    #[serde(flatten)]
    pub surplus: Map<String, Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    pub black: Player,
    pub white: Player,
}

/// A person or an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Player {
    #[default]
    Human,
    /// The engine at a level from 1.
    Level(u8),
    /// The engine with this number of seconds for each turn.
    Seconds(f32),
    /// The engine with this number of playouts for each turn.
    Visits(u32),
    /// Another engine, by its name on the command line.
    Engine(Word),
}

/// An action of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// A step on a point.
    At {
        /// The number of the kind of step among those of the variant.
        kind: u8,
        point: Word,
    },
    Pass,
    /// The end of a turn of several steps.
    End,
    Resign,
    /// A whole turn in writing.
    Turn(Text<MAX_TURN>),
}

/// A game as the page keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// The game tree; an event omits it if it has not changed.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub sgf: Text<MAX_SGF>,
    /// The whole file in Base64, if it has other games too, or another character set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Base64>,
    /// The number of the game in it, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// The character set of the file, if somebody chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<Word>,
    /// The current node: the number of a child of the root, of a child of that, and so on; the
    /// end of the main line if it is missing.
    #[serde(default)]
    pub path: Option<List<u32, MAX_DEPTH>>,
    /// The node where the game stands, if it is not the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<List<u32, MAX_DEPTH>>,
    /// Whether the page shows the start of the game first, wherever the game stands.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_start: bool,
    /// The steps of an unfinished turn.
    #[serde(default)]
    pub steps: List<Move, MAX_POINTS>,
    #[serde(default)]
    pub players: Players,
    /// Whether engines wait.
    #[serde(default)]
    pub paused: bool,
    /// Whether costly moves against an engine are held up.
    #[serde(default)]
    pub teach: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<SavedClock>,
    /// A resignation that is not at the end of the main line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Resignation>,
}

fn is_empty(text: &str) -> bool {
    text.is_empty()
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// As in [`SavedGame::path`].
    pub path: List<u32, MAX_DEPTH>,
    /// `black` or `white`.
    pub color: Word,
}
