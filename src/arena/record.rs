//! What is kept of a match: a JSON object a line, first a [`Header`], then a
//! [`GameRecord`] for every game.

use super::speech::Speech;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The number of this form of records.
pub const FORMAT: u32 = 1;

/// The first line: what is played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    #[serde(rename = "kawari-match")]
    pub format: u32,
    /// The name of the match: a fingerprint of the settings.
    pub id: String,
    /// Games of each pairing.
    pub games: u64,
    /// Which part of the match this file holds; absent for the whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The version of the program that wrote it.
    pub runner: String,
    /// See `Settings::to_json`.
    pub settings: Value,
}

/// Who played one colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// Its name in the match.
    pub name: String,
    /// The command line that was started.
    pub command: String,
    /// The name that the engine says.
    pub engine: String,
    /// The version that the engine says.
    pub version: String,
    /// How it spoke of turns; none if it never came so far.
    pub speech: Option<Speech>,
    /// Its time.
    pub time: String,
    /// Playouts a move, if it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// Two passes.
    Passes,
    /// The rules of the variant: a full board, a repetition.
    Rules,
    /// The greatest number of turns; the board was counted as it stood.
    Length,
    /// The loser gave up.
    Resign,
    /// The loser used more time than it had.
    Time,
    /// The loser made an illegal move.
    Illegal,
    /// The loser ended, or closed its pipes.
    Crash,
    /// The loser did not answer.
    Hang,
    /// The loser answered with what is no answer.
    Garbage,
    /// The loser refused what it had to accept.
    Refused,
    /// A turn could not be said to an engine: nobody won.
    Unsayable,
    /// The program that judges failed: nobody won.
    Referee,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 12] = [
        Reason::Passes,
        Reason::Rules,
        Reason::Length,
        Reason::Resign,
        Reason::Time,
        Reason::Illegal,
        Reason::Crash,
        Reason::Hang,
        Reason::Garbage,
        Reason::Refused,
        Reason::Unsayable,
        Reason::Referee,
    ];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Passes => "passes",
            Reason::Rules => "rules",
            Reason::Length => "length",
            Reason::Resign => "resign",
            Reason::Time => "time",
            Reason::Illegal => "illegal",
            Reason::Crash => "crash",
            Reason::Hang => "hang",
            Reason::Garbage => "garbage",
            Reason::Refused => "refused",
            Reason::Unsayable => "unsayable",
            Reason::Referee => "referee",
        }
    }

    /// Whether the board was counted.
    pub fn is_counted(self) -> bool {
        matches!(self, Reason::Passes | Reason::Rules | Reason::Length)
    }

    /// Whether the loser failed rather than played worse.
    pub fn is_failure(self) -> bool {
        !self.is_counted() && self != Reason::Resign
    }
}

/// The final scores as each of them said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Black's `final_score`.
    pub black: Option<String>,
    /// White's.
    pub white: Option<String>,
    /// The built-in referee's.
    pub referee: Option<String>,
    /// That of the program that judges beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

/// One game: everything that is needed to play it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The name of the match, as in the header.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of the game, from 1.
    pub game: u64,
    /// The number of the pair of games with this opening and these players.
    pub pair: u64,
    /// The seed of the game, which stood in command lines with `{seed}`.
    pub seed: u64,
    /// Who had Black.
    pub black: PlayerRecord,
    /// Who had White.
    pub white: PlayerRecord,
    /// The variant's id.
    pub variant: String,
    /// Columns (of one layer).
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Points added to White's score.
    pub komi: f64,
    /// The rule options, as in `kawari-rules`.
    pub rules: Map<String, Value>,
    /// Walls, as vertices of the flat form.
    pub blocks: Vec<String>,
    /// Black's handicap stones, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handicap: Vec<String>,
    /// How many turns at the beginning are the opening's.
    pub opening: usize,
    /// The turns: `B D4`, `W nuke E5`.
    pub turns: Vec<String>,
    /// Seconds that each turn after the opening took.
    pub times: Vec<f64>,
    /// `B+3.5`, `W+R`, `B+T` (time), `W+F` (failure), `0`, or `?` if nobody
    /// won.
    pub result: String,
    /// Why the game ended.
    pub reason: Reason,
    /// What happened, in words, where an engine failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Final scores, where the board was counted.
    pub scores: Scores,
    /// Whether a score that was said differs from the result.
    pub disagreement: bool,
    /// When the game began: seconds since 1970.
    pub started: u64,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// Half points of Black: 2 for a win, 1 for a draw, 0 for a loss.
pub fn half_points(result: &str) -> Option<u8> {
    match result.as_bytes() {
        [b'B', b'+', ..] => Some(2),
        [b'W', b'+', ..] => Some(0),
        b"0" => Some(1),
        _ => None,
    }
}

/// A line of a file of records.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// What is played.
    Header(Box<Header>),
    /// A game.
    Game(Box<GameRecord>),
}

impl Entry {
    /// Reads a line.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(line: &str) -> Result<Entry, String> {
        let complain = |error: serde_json::Error| error.to_string();
        let value: Value = serde_json::from_str(line).map_err(complain)?;
        if value.get("kawari-match").is_none() {
            let game = serde_json::from_value(value).map_err(complain)?;
            return Ok(Entry::Game(Box::new(game)));
        }
        let header: Header = serde_json::from_value(value).map_err(complain)?;
        match header.format {
            FORMAT => Ok(Entry::Header(Box::new(header))),
            other => Err(format!("form {other} of records, not {FORMAT}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_written_by_their_names() {
        for reason in Reason::ALL {
            let written = serde_json::to_value(reason).expect("a name");
            assert_eq!(written, reason.name());
        }
    }

    #[test]
    fn half_points_are_those_of_black() {
        for (result, points) in [
            ("B+0.5", Some(2)),
            ("W+R", Some(0)),
            ("0", Some(1)),
            ("?", None),
            ("", None),
        ] {
            assert_eq!(half_points(result), points, "{result}");
        }
    }

    #[test]
    fn lines_that_are_no_records_are_refused() {
        for line in [
            "",
            "{}",
            "[]",
            "{\"kawari-match\":2}",
            "{\"kawari-match\":1}",
        ] {
            assert!(Entry::parse(line).is_err(), "{line}");
        }
    }
}
