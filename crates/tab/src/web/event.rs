//! The messages to the page: replies and events in JSON.

use super::consequences::Consequence;
use super::dead::ScoreView;
use super::error_text::ErrorText;
use super::game_clock::ClockEvent;
use super::header::Header;
use super::layers::LayerView;
use super::node_view::NodeView;
use super::page_report::AnalysisEvent;
use super::request::Players;
use super::reviewer::{Mistake, ReviewEvent, TurnLoss};
use super::sentence;
use super::tab_game::KeptGame;
use super::teacher::Teaching;
use super::view::RulesView;
use crate::json::Json;
use crate::rules::{GameResult, SetupRecord, State};
use crate::sgf::NodeId;
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// The reply to the request with this number.
    Ok {
        id: u32,
        ok: Json,
    },
    /// The reply to a request that failed.
    Error {
        /// `None` if the request was unreadable.
        id: Option<u32>,
        /// For a person.
        error: String,
    },
    Event(Event),
}

impl Message {
    pub fn reply(id: u32, reply: Result<Json, ErrorText>) -> Message {
        match reply {
            Ok(ok) => Message::Ok { id, ok },
            Err(error) => Message::Error { id: Some(id), error: error.0 },
        }
    }
}

/// Win rates and margins are Black's.
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
        removed: Vec<NodeId>,
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
        /// The name of its work.
        what: &'static str,
        /// The side to move.
        color: &'static str,
    },
    /// The findings of an analysis so far.
    Analysis(Box<AnalysisEvent>),
    /// The findings of a review so far.
    Review(Box<ReviewEvent>),
    /// The loss of the last turn, as a teacher sees it.
    Lost(TurnLoss),
    /// The last turn is so costly that the opponent waits.
    Held(Box<Mistake>),
    /// For a person.
    Message {
        text: String,
    },
    /// The clocks, after each change.
    Clock(ClockEvent),
    Ended(GameEnd),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EndCause {
    /// Two passes; the board is counted.
    Counted,
    Resigned,
    /// The rules ended it.
    Rules,
    /// The players agreed on dead stones.
    Agreed,
    Time,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameEnd {
    /// The result: `W+1.5`.
    pub result: String,
    /// The result as a sentence: `White wins by 1½ points`.
    pub sentence: String,
    pub how: EndCause,
    /// The reason of the end, in sentences: the captured stone, the clock. Empty if the result says it.
    pub reason: String,
}

impl GameEnd {
    pub fn new(result: GameResult, how: EndCause) -> GameEnd {
        let reason = match (how, result) {
            (EndCause::Time, GameResult::Time(winner)) => {
                format!("{}'s clock ran out.", (!winner).title())
            }
            _ => String::new(),
        };
        let sentence = sentence::of_result(result);
        GameEnd { result: result.to_string(), sentence, how, reason }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct GameEvent {
    #[serde(flatten)]
    pub setup: SetupRecord,
    pub layers: u8,
    pub sheets: Vec<LayerView>,
    /// Pairs of neighbours on different layers.
    pub links: Vec<[String; 2]>,
    pub players: Players,
    /// Whether engines or clocks wait.
    pub paused: bool,
    /// `None` without a teacher.
    pub teaching: Option<Teaching>,
    /// Whether the values of searches are rough: no net plays this game on this board.
    pub rough: bool,
    /// Whether people play against the clock.
    pub clock: bool,
    /// `None` in games without a friend elsewhere.
    pub friend: Option<FriendView>,
    /// Whether a turn may have several steps.
    pub steps: bool,
    /// Whether the page can show later positions, in which voids have moved.
    pub forecast: bool,
    pub header: Header,
    /// The remarks of the referee on the file from which the game was opened.
    pub remarks: Vec<String>,
    /// The result in the record: a sentence, or its text if it is not known.
    pub result: Option<String>,
}

/// A correspondence game by link.
#[derive(Clone, Debug, Serialize)]
pub struct FriendView {
    pub id: String,
    /// The side of the person here; `None` if the person only looks.
    pub own: Option<&'static str>,
    /// The side that is to play, reply or count; `None` at the end.
    pub acts: Option<&'static str>,
    /// The side that asked, and what: `take_back`, or to count stones as `dead`.
    pub asked: Option<(&'static str, &'static str)>,
    /// The last entry, if it is in no link yet.
    pub draft: Option<String>,
    /// Whether the friend waits for a link, which the person has to send.
    pub to_send: bool,
}

/// The position, and its rules-dependent parts for drawing.
#[derive(Clone, Debug, Serialize)]
pub struct StateEvent {
    pub node: NodeId,
    /// The head of the game; elsewhere a person browses, or tries a variation.
    pub live: NodeId,
    /// The value of `kawari-state`.
    pub state: State,
    pub view: RulesView,
    /// The effects of the last turn or step.
    pub consequences: Vec<Consequence>,
    /// Rows of the board before the last turn or step.
    pub before: Option<Vec<String>>,
    /// Whether a turn or step was just made.
    pub played: bool,
    pub outcome: Option<GameEnd>,
    /// The count with the stones that the players agreed on as dead.
    pub agreed: Option<ScoreView>,
}
