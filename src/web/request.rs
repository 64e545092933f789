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

/// Most points that a board of any variant has.
pub const MAX_POINTS: usize = 625;
/// Most bytes of a vertex, an option or the name of a variant.
pub const MAX_WORD: usize = 64;
/// Most bytes of a turn in writing: one with a stone on each point.
pub const MAX_TURN: usize = 8 * MAX_POINTS;
/// Most bytes of a comment.
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

/// Turns that a forecast looks ahead at most: a full turn of the voids' arrows.
pub const MAX_FORECAST: u8 = 8;

/// A word: a vertex, an id, a value.
pub type Word = Text<MAX_WORD>;

/// A file in Base64.
pub type Base64 = Text<MAX_BASE64>;

/// What a request asks for. The module documentation of [`web`](super) lists the replies.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// What the server offers.
    Hello,
    /// A new game.
    New(NewGame),
    /// Who plays each side from now on.
    Players(Players),
    /// A turn or a step of the side to move.
    Play(Move),
    /// What a turn or a step would do.
    Look(Move),
    /// One step back.
    Undo,
    /// Back to the last position in which a person is to move.
    TakeBack,
    /// The coming positions if nobody plays any more.
    Forecast {
        /// How many, 1 to 8.
        turns: u8,
    },
    /// To another node of the game tree.
    Go(NodeArgument),
    /// The comment of a node.
    Comment {
        node: NodeNumber,
        /// The comment; empty for none.
        text: Text<MAX_COMMENT>,
    },
    /// Removes a node and all behind it.
    Remove(NodeArgument),
    /// Makes the line through a node the main line.
    Promote(NodeArgument),
    /// Sets marks of people on the points of a position.
    Mark {
        node: NodeNumber,
        /// By SGF property, a value in each line; those that are left out stay.
        marks: BTreeMap<Word, Text<MAX_COMMENT>>,
    },
    /// Stones set up, or taken off, in the position that is shown: no turn.
    SetUp(SetUpArgument),
    /// Takes back the last edit of the tree; turns that were played since stay.
    UndoEdit,
    /// Makes an edit again that was taken back.
    RedoEdit,
    /// The engine plays for the side to move, whoever plays that side.
    Genmove,
    /// The best turn as the engine sees it.
    Hint,
    /// The exact value of the position, on a small board.
    Solve,
    /// Analysis of each position that is shown.
    Analysis(Switch),
    /// Whether the engine searches while a person plays against it.
    Ponder(Switch),
    /// Whether costly moves against an engine are held up.
    Teach(Switch),
    /// The move that is held up stays.
    Leave,
    /// Ends the search under way with what it has found.
    Stop,
    /// Whether engines wait.
    Pause(Switch),
    /// How long engines take for a turn at least.
    Pace(Pace),
    /// An engine that failed is asked for its turn again.
    Retry,
    /// Whether an engine can be started.
    CheckEngine {
        /// Its name on the command line.
        name: Word,
    },
    /// The game goes on from the current position.
    PlayOn,
    /// Whether the time of the side to move is over.
    Flag,
    /// The marked dead stones.
    DeadStones {
        /// Whether the engine marks them anew.
        estimate: bool,
    },
    /// Marks a group as dead, or as alive again.
    ToggleDead {
        /// A stone of the group.
        at: Word,
    },
    /// The result without the marked stones goes into the record.
    Agree,
    /// The same game once more, with colours swapped.
    Rematch,
    /// What the record says of the game beside the turns.
    Header(Box<Header>),
    /// The lessons of a variant.
    Lessons {
        /// The id of the variant.
        variant: Word,
    },
    /// All problems.
    Problems,
    /// Steps tried on the board of an exercise.
    Try(Attempt),
    /// Analysis of each position of the game.
    Review {
        /// Playouts a position.
        visits: u32,
    },
    /// The game as text.
    Save,
    /// A game from its text.
    Open(SavedGame),
    /// What a list shows of each game of a file, which is not opened.
    Describe { bytes: Base64 },
    /// A game from the text of an old link, which has the turns up to a position.
    OpenLink { text: Text<MAX_SGF> },
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
        /// The record.
        sgf: Text<MAX_SGF>,
        /// The node before the mistake, as in [`SavedGame::path`].
        path: List<u32, MAX_DEPTH>,
    },
}

/// An argument that is a node of the game tree.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeArgument {
    pub node: NodeNumber,
}

/// Points and what is then on them, and the side to move.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetUpArgument {
    #[serde(default)]
    pub black: List<Word, MAX_POINTS>,
    #[serde(default)]
    pub white: List<Word, MAX_POINTS>,
    #[serde(default)]
    pub empty: List<Word, MAX_POINTS>,
    /// The side to move, `black` or `white`, if that is another one.
    #[serde(default)]
    pub to_move: Option<Word>,
}

/// An argument that switches something.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// Whether it is on.
    pub on: bool,
}

/// How long engines take for a turn at least, in milliseconds, so that people can follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Against a person.
    pub reply: u16,
    /// Against each other.
    pub engines: u16,
}

/// The time of a game for people, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ClockSettings {
    /// Every turn adds to the time.
    Fischer {
        /// At the start.
        main: f64,
        /// Added after each turn.
        increment: f64,
    },
    /// After the main time each turn has a period.
    ByoYomi {
        /// Before the periods.
        main: f64,
        period: f64,
        /// Periods at the start.
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
    /// The same of White.
    pub white: (f64, u32),
    /// The turn under way, which is not booked.
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

/// The settings of a new game; what is missing is the variant's default.
#[derive(Clone, Debug, Deserialize)]
pub struct NewGame {
    /// The start.
    #[serde(flatten)]
    pub setup: SetupRecord,
    /// Number of handicap stones, on points that the engine chooses if the start has none.
    #[serde(default)]
    pub stones: u16,
    /// Who plays.
    #[serde(default)]
    pub players: Players,
    /// Whether costly moves against an engine are held up.
    #[serde(default)]
    pub teach: bool,
    /// The name of the person who plays against an engine.
    #[serde(default)]
    pub person: Entry,
    /// The clocks of people.
    #[serde(default)]
    pub clock: Option<ClockSettings>,
    /// What is no setting.
    #[serde(flatten)]
    pub surplus: Map<String, Value>,
}

/// Who plays each side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    pub black: Player,
    pub white: Player,
}

/// Who plays a side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Player {
    /// A person.
    #[default]
    Human,
    /// The engine at a level from 1.
    Level(u8),
    /// The engine with so many seconds a turn.
    Seconds(f32),
    /// The engine with so many playouts a turn.
    Visits(u32),
    /// Another engine, by its name on the command line.
    Engine(Word),
}

/// What a player may do.
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
    /// Giving up.
    Resign,
    /// A whole turn in writing.
    Turn(Text<MAX_TURN>),
}

/// A game as the page keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// The game tree; left out of an event where it is as before.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub sgf: Text<MAX_SGF>,
    /// The whole file in Base64, if it is another one: with other games, or in another character
    /// set.
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
    /// The node where the game stands, if that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<List<u32, MAX_DEPTH>>,
    /// Whether the page looks at the start of the game first, wherever the game stands.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_start: bool,
    /// The steps of an unfinished turn.
    #[serde(default)]
    pub steps: List<Move, MAX_POINTS>,
    /// Who plays.
    #[serde(default)]
    pub players: Players,
    /// Whether engines wait.
    #[serde(default)]
    pub paused: bool,
    /// Whether costly moves against an engine are held up.
    #[serde(default)]
    pub teach: bool,
    /// The clocks, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<SavedClock>,
    /// Who gave up, where it is not the end of the main line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Resignation>,
}

fn is_empty(text: &str) -> bool {
    text.is_empty()
}

/// A resignation behind the main line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// The node, as in [`SavedGame::path`].
    pub path: List<u32, MAX_DEPTH>,
    /// `black` or `white`.
    pub color: Word,
}
