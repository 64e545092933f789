//! The lines of a results file: first a [`MatchHeader`], then each [`MatchGame`].

use super::move_format::MoveFormat;
use super::settings::MAX_ENGINES;
use crate::board::Color;
use crate::rules::{GameResult, SetupRecord};
use crate::stats::Sprt;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

pub const FORMAT: u32 = 1;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    #[serde(rename = "kawari-match")]
    pub format: u32,
    /// A hash of the settings.
    pub id: String,
    /// Games of each pairing.
    pub games: u64,
    /// Absent for the whole match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Program and version.
    pub runner: String,
    /// The sequential test of the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// The SGF of the games, seen from the folder of the results file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sgf: Option<String>,
    pub settings: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerRecord {
    pub name: String,
    pub command: String,
    /// The reply to `name`.
    pub engine: String,
    /// The reply to `version`.
    pub version: String,
    /// Null if the engine did not start.
    #[serde(rename = "move-format")]
    pub move_format: Option<MoveFormat>,
    pub time: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    Passes,
    Rules,
    /// The board was counted as it stood.
    TurnLimit,
    Resign,
    /// Both engines reported the same winner for several turns.
    Adjudicated,
    Time,
    Illegal,
    Crash,
    NoResponse,
    InvalidResponse,
    /// In response to a command that the engine must accept.
    ErrorResponse,
    /// Nobody won: an engine's move format cannot express a turn.
    NotExpressible,
    Referee,
}

impl EndReason {
    pub fn is_counted(self) -> bool {
        matches!(self, EndReason::Passes | EndReason::Rules | EndReason::TurnLimit)
    }

    pub fn is_failure(self) -> bool {
        !self.is_counted() && !matches!(self, EndReason::Resign | EndReason::Adjudicated)
    }

    /// Whether the process of the loser ended or hung: that says nothing about its play.
    pub fn is_death(self) -> bool {
        matches!(self, EndReason::Crash | EndReason::NoResponse)
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportedScores {
    pub black: Option<String>,
    pub white: Option<String>,
    pub referee: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchGame {
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number, from 1.
    pub game: u64,
    /// Both games of a pair have one opening, with colours swapped.
    pub pair: u64,
    /// The seeds of `{seed}` in command lines derive from it.
    pub seed: u64,
    pub black: PlayerRecord,
    pub white: PlayerRecord,
    #[serde(flatten)]
    pub setup: SetupRecord,
    pub opening: usize,
    pub turns: Vec<String>,
    /// Seconds per turn after the opening.
    pub times: Vec<f64>,
    /// `B+3.5`, `W+R`, `B+T` (time), `W+F` (failure), `0`, or `?` if nobody won.
    #[serde(with = "as_text")]
    pub result: GameResult,
    pub reason: EndReason,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The number of the first game with the same engines, turns and result, if there is an earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<u64>,
    /// The players that reported no lead in any turn of a match with adjudication.
    #[serde(skip)]
    pub without_lead: Vec<Color>,
    pub scores: ReportedScores,
    pub disagreement: bool,
    /// Seconds since 1970.
    pub started: u64,
    pub seconds: f64,
}

impl MatchGame {
    pub fn player(&self, color: Color) -> &PlayerRecord {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    /// The loser, if its process ended or hung.
    pub fn dead(&self) -> Option<Color> {
        self.result.winner().filter(|_| self.reason.is_death()).map(|winner| !winner)
    }

    /// Whether a side made a turn after the opening.
    pub fn has_searched(&self, color: Color) -> bool {
        let mut searched = self.turns.iter().skip(self.opening);
        searched.any(|turn| turn.starts_with(color.letter()))
    }

    pub fn reported_scores(&self) -> String {
        let reported = |score: &Option<String>| score.clone().unwrap_or_else(|| "-".to_owned());
        let (black, white) = (reported(&self.scores.black), reported(&self.scores.white));
        format!("Black counts {black}, White {white}")
    }
}

/// Black's half points: 2 for a win, 1 for a draw, 0 for a loss; `None` if unknown.
pub fn half_points(result: GameResult) -> Option<u8> {
    match result.winner() {
        Some(Color::Black) => Some(2),
        Some(Color::White) => Some(0),
        None => result.is_draw().then_some(1),
    }
}

/// The first word of a reply to `final_score`.
pub fn parse_score(reply: &str) -> Option<GameResult> {
    let result = reply.split_whitespace().next()?.parse().ok();
    result.filter(|&result| result != GameResult::Unknown)
}

mod as_text {
    use super::GameResult;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(result: &GameResult, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(result)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<GameResult, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum ResultsLine {
    Header(Box<MatchHeader>),
    Game(Box<MatchGame>),
}

impl ResultsLine {
    pub fn parse(line: &str) -> Result<ResultsLine, String> {
        let to_error = |error: serde_json::Error| error.to_string();
        let value: Value = serde_json::from_str(line).map_err(to_error)?;
        if value.get("kawari-match").is_none() {
            let game = serde_json::from_value(value).map_err(to_error)?;
            return Ok(ResultsLine::Game(Box::new(game)));
        }
        let header: MatchHeader = serde_json::from_value(value).map_err(to_error)?;
        let engines = header.settings.get("engines").and_then(Value::as_array);
        if engines.is_some_and(|engines| engines.len() > MAX_ENGINES) {
            return Err(format!("a match of more than {MAX_ENGINES} engines"));
        }
        match header.format {
            FORMAT => Ok(ResultsLine::Header(Box::new(header))),
            other => Err(format!("format version {other} of results, expected {FORMAT}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_written_by_their_names() {
        for (reason, name) in
            [(EndReason::TurnLimit, "turn-limit"), (EndReason::NotExpressible, "not-expressible")]
        {
            assert_eq!(reason.to_string(), name);
            assert_eq!(serde_json::to_value(reason).expect("a name"), name);
        }
    }

    #[test]
    fn half_points_are_from_blacks_side() {
        for (result, points) in
            [("B+0.5", Some(2)), ("W+R", Some(0)), ("0", Some(1)), ("?", None), ("", None)]
        {
            let half_points = half_points(result.parse().expect("a result"));
            assert_eq!(half_points, points, "{result}");
        }
    }

    #[test]
    fn scores_end_at_a_blank() {
        for (reply, result) in [
            ("w+3.50 (upper bound: 1)", Some("W+3.5")),
            ("B+0", Some("0")),
            ("B+inf", None),
            ("cannot score", None),
            ("?", None),
            ("", None),
        ] {
            let found = parse_score(reply).map(|result| result.to_string());
            assert_eq!(found.as_deref(), result, "{reply}");
        }
    }

    #[test]
    fn invalid_lines_are_refused() {
        for line in ["", "{}", "[]", "{\"kawari-match\":2}", "{\"kawari-match\":1}"] {
            assert!(ResultsLine::parse(line).is_err(), "{line}");
        }
    }
}
