//! The requests of a page in JSON. The server bounds the length of a message.

use super::header::{Header, HeaderText};
use super::node_view::MAX_RECORD_BYTES;
use crate::board::Color;
use crate::rules::SetupRecord;
use crate::sgf::NodeId;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The reply repeats it.
    pub id: u32,
    #[serde(rename = "do")]
    pub command: Command,
}

/// The number of a request whose command is unreadable.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct RequestId {
    pub id: u32,
}

pub const MAX_COMMENT: usize = 40_000;
/// Maximum bytes of a game record: the page keeps it with its result, which is longer.
pub const MAX_SGF: usize = MAX_RECORD_BYTES + (64 << 10);
/// Maximum bytes of a file in Base64.
const MAX_BASE64: usize = 4 * MAX_SGF / 3 + 4;
/// Maximum bytes of a message: a game record whose bytes JSON writes as two, its file, and the
/// other fields.
pub const MAX_MESSAGE: usize = 2 * MAX_SGF + MAX_BASE64 + (1 << 20);

/// Maximum steps of an attempt at an exercise.
pub const MAX_ATTEMPT: usize = 64;

/// Maximum number of turns of a forecast: a full circle of the voids' arrows.
pub const MAX_FORECAST: u8 = 8;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Asks what the program offers: variants and levels.
    Hello,
    New(NewGame),
    /// Asks for the position before the first turn of a new game.
    Preview(NewGame),
    /// Starts a game from the position that is shown; the start of that game has missing settings.
    Position(NewGame),
    Players(Players),
    /// Makes a turn or a step for the side to move.
    Play(Move),
    /// Asks for the effects of a turn or a step.
    Look(Move),
    /// Takes one step back.
    Undo,
    /// Takes back turns until a person is to move.
    TakeBack,
    /// Asks for the coming positions if both sides pass.
    Forecast {
        turns: u8,
    },
    /// Shows another node of the game tree.
    Go {
        node: NodeId,
    },
    Comment {
        node: NodeId,
        text: String,
    },
    /// Removes a node and everything after it.
    Remove {
        node: NodeId,
    },
    /// Makes the line through a node the main line.
    Promote {
        node: NodeId,
    },
    /// Sets marks of people on the points of a position.
    Mark {
        node: NodeId,
        /// By SGF property, a value in each line; other properties stay.
        marks: BTreeMap<String, String>,
    },
    /// Sets up stones, or takes them off, in the position that is shown, without a turn.
    SetUp(SetUpArgument),
    /// Takes back the last edit of the tree; later turns stay.
    UndoEdit,
    RedoEdit,
    /// Makes the engine play for the side to move, even if it is a person's.
    Genmove,
    /// Asks for the best turn.
    Hint,
    /// Asks for the exact value of the position, on a small board.
    Solve,
    /// Switches the analysis of each position that is shown.
    Analysis {
        on: bool,
    },
    /// Switches the engine's search on the time of a person.
    Ponder {
        on: bool,
    },
    /// Switches the teacher, which puts costly moves on hold.
    Teach {
        on: bool,
    },
    /// Keeps the move that is on hold.
    Leave,
    /// Ends the search that runs with its result so far.
    Stop,
    /// Makes engines and the clock wait.
    Pause {
        on: bool,
    },
    Pace(Pace),
    /// Sets the seed of kawari's turns in the next game; each later game adds 1.
    Seed(u32),
    /// Continues the game from the current position.
    PlayOn,
    /// Asks whether the time of the side to move is over.
    Flag,
    /// Asks for the score without the dead stones.
    DeadStones {
        /// Whether the engine marks them again.
        estimate: bool,
    },
    /// Marks the group of a stone as dead, or as alive again.
    ToggleDead {
        at: String,
    },
    /// Writes the result without the marked stones into the record.
    Agree,
    /// Starts the same game again, with colours swapped.
    Rematch,
    /// Says something in a game by link.
    Say(Say),
    /// Asks for the game by link that this page has, to send it.
    Link,
    /// Takes the game of a link.
    Receive(Box<Receive>),
    Header(Box<Header>),
    /// Asks for the lessons of a variant.
    Lessons {
        variant: String,
    },
    /// Asks for all problems.
    Problems,
    Try(Attempt),
    /// Asks for the right turn of an exercise and the replies to it.
    Answer(ExerciseName),
    /// Searches each position of the game with this number of visits.
    Review {
        visits: u32,
    },
    /// Asks for the game as text.
    Save,
    /// Opens a game from its text.
    Open(SavedGame),
    /// Asks for a summary of each game of a file, without opening one. The reply has the games of
    /// a part of the file that begins at `from`, and `next` where the next part begins.
    Describe {
        bytes: String,
        #[serde(default)]
        from: usize,
    },
}

/// The words of a person in a game by link.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Say {
    /// Asks to take back the latest own turn.
    Ask,
    Yes,
    No,
    /// Counts the marked stones as dead.
    Dead,
    Resign,
}

/// A game by link, as the link holds it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkedGame {
    /// The random number of the game.
    pub id: String,
    pub start: SetupRecord,
    /// The names of the players.
    pub black: HeaderText,
    pub white: HeaderText,
    /// The side that sends it.
    pub from: String,
    /// See [`super::by_link`].
    pub entries: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receive {
    pub game: LinkedGame,
    /// The side of the person here in a game that this page does not have yet.
    #[serde(default)]
    pub own: Option<String>,
    /// Whether the page only asks what the link holds.
    #[serde(default)]
    pub look: bool,
    /// Whether the link only continues the game of this page, and changes nothing otherwise.
    #[serde(default)]
    pub continues: bool,
}

/// A game by link, as the page keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedFriend {
    pub id: String,
    /// The side of the person here.
    #[serde(default)]
    pub own: Option<String>,
    pub entries: Vec<String>,
    /// The number of entries that are in a link; `None` before the first link.
    #[serde(default)]
    pub sent: Option<usize>,
}

/// Steps tried on the board of an exercise, from its start.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attempt {
    pub exercise: ExerciseName,
    /// The last one is new.
    #[serde(default)]
    pub steps: Vec<Move>,
    /// Whether the page only asks for the effects of the last step.
    #[serde(default)]
    pub look: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum ExerciseName {
    /// A lesson of a variant, by its number from 0.
    Lesson(String, u8),
    /// A problem of a variant, by its number in the file.
    Problem(String, u32),
    /// A problem that the person kept: the first turn of a record.
    Own(String),
    /// The position before a mistake in a game.
    Mistake {
        sgf: String,
        /// The node before the mistake, as in [`SavedGame::path`].
        path: Vec<u32>,
        /// The steps of the turn that the review named as better.
        #[serde(default)]
        better: Vec<Move>,
        /// The turn that it named as the mistake, in the coordinates of the page.
        #[serde(default)]
        caption: Option<String>,
    },
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetUpArgument {
    #[serde(default)]
    pub black: Vec<String>,
    #[serde(default)]
    pub white: Vec<String>,
    #[serde(default)]
    pub empty: Vec<String>,
    /// Other pieces, as points and symbols.
    #[serde(default)]
    pub pieces: Vec<(String, String)>,
    /// `black` or `white`.
    #[serde(default)]
    pub to_move: Option<String>,
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
    pub white: (f64, u32),
    /// The unfinished turn, whose time is not on the clocks yet.
    #[serde(default)]
    pub turn: Option<SavedTurn>,
    /// The side that has lost on time.
    #[serde(default)]
    pub lost: Option<Color>,
    /// The time of saving, in milliseconds since 1970.
    #[serde(default)]
    pub at: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedTurn {
    pub color: Color,
    /// In seconds.
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
    #[serde(default)]
    pub teach: bool,
    /// The name of a person against an engine.
    #[serde(default)]
    pub person: HeaderText,
    /// The random number of a game by link.
    #[serde(default)]
    pub link: Option<String>,
    /// For people; engines have no clock.
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

impl Players {
    pub fn get(&self, color: Color) -> &Player {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    pub fn has_person(&self) -> bool {
        !self.black.is_engine() || !self.white.is_engine()
    }

    /// The side and the player against the person here, if just one player is here.
    pub fn opponent(&self) -> Option<(Color, &Player)> {
        match (self.black.is_human(), self.white.is_human()) {
            (true, false) => Some((Color::White, &self.white)),
            (false, true) => Some((Color::Black, &self.black)),
            _ => None,
        }
    }
}

/// A person at this page or elsewhere, or an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Player {
    #[default]
    Human,
    /// A person elsewhere, whose turns come by link.
    Friend,
    /// The engine at a level from 1.
    Level(u8),
    /// The engine with this number of seconds for each turn.
    Seconds(f32),
    /// The engine with this number of playouts for each turn.
    Visits(u32),
}

impl Player {
    pub fn is_human(&self) -> bool {
        *self == Player::Human
    }

    pub fn is_engine(&self) -> bool {
        !matches!(self, Player::Human | Player::Friend)
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Move {
    /// A step on a point.
    At {
        /// The number of the kind of step among those of the variant.
        kind: u8,
        point: String,
    },
    Pass,
    /// The end of a turn of several steps.
    End,
    Resign,
    /// A whole turn in writing.
    Turn(String),
}

/// A game as the page keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    /// An event omits the record if it has not changed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sgf: String,
    /// The whole file in Base64, if it has several games or another character set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<String>,
    /// The number of the game in it, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<usize>,
    /// The character set of the file, if the person chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charset: Option<String>,
    /// The current node, by the index of each node of its path among its siblings; the end of the
    /// main line if it is missing.
    #[serde(default)]
    pub path: Option<Vec<u32>>,
    /// The head of the game, if it is not the current node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<Vec<u32>>,
    /// Whether the page shows the start of the game first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub from_start: bool,
    /// The steps of an unfinished turn.
    #[serde(default)]
    pub steps: Vec<Move>,
    #[serde(default)]
    pub players: Players,
    /// Whether engines wait.
    #[serde(default)]
    pub paused: bool,
    #[serde(default)]
    pub teach: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<SavedClock>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub friend: Option<SavedFriend>,
    /// The resignation: a record has it only at the end of its main line, and a client's file as its
    /// result alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<Resignation>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// As in [`SavedGame::path`].
    pub path: Vec<u32>,
    /// `black` or `white`.
    pub color: String,
}
