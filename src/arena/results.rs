//! The results of a match, as its file keeps them: a JSON object a line, first a
//! [`MatchHeader`], then a [`MatchGame`] for each game.

use super::move_format::MoveFormat;
use super::settings::MAX_ENGINES;
use crate::board::Color;
use crate::rules::{GameResult, SetupRecord};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The first line: the settings of the match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The version of the format.
    #[serde(rename = "kawari-match")]
    pub format: u32,
    /// The id of the match: a hash of the settings.
    pub id: String,
    /// Games of each pairing.
    pub games: u64,
    /// The shard of the match that the file holds; absent for the whole match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// The program that wrote the file, and its version.
    pub runner: String,
    /// The settings, as `Settings::to_json` writes them.
    pub settings: Value,
}

/// The player of one colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerRecord {
    /// Its name in the match.
    pub name: String,
    /// Its command line.
    pub command: String,
    /// The reply to `name`.
    pub engine: String,
    /// The reply to `version`.
    pub version: String,
    /// How turns were exchanged with it; null if it did not start.
    #[serde(rename = "move-format")]
    pub move_format: Option<MoveFormat>,
    /// Its time control.
    pub time: String,
    /// Playouts a move, if they were set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playouts: Option<u64>,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// Two passes.
    Passes,
    /// The rules of the variant: a full board, a repetition.
    Rules,
    /// The turn limit; the board was counted as it stood.
    TurnLimit,
    /// The loser resigned.
    Resign,
    /// The loser exceeded its time.
    Time,
    /// The loser made an illegal move.
    Illegal,
    /// The loser exited or closed its pipes.
    Crash,
    /// The loser did not respond.
    NoResponse,
    /// The output of the loser was no valid response.
    InvalidResponse,
    /// The loser answered with an error to a command that it has to accept.
    ErrorResponse,
    /// A turn cannot be expressed in an engine's move format: nobody won.
    NotExpressible,
    /// The referee program failed: nobody won.
    Referee,
}

impl EndReason {
    /// Whether the board was counted.
    pub fn is_counted(self) -> bool {
        matches!(self, EndReason::Passes | EndReason::Rules | EndReason::TurnLimit)
    }

    /// Whether the loser lost by a failure of its program or its time.
    pub fn is_failure(self) -> bool {
        !self.is_counted() && self != EndReason::Resign
    }
}

impl fmt::Display for EndReason {
    /// The name in records.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// The final scores, one for each program that counted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportedScores {
    /// The `final_score` of Black's engine.
    pub black: Option<String>,
    /// That of White's engine.
    pub white: Option<String>,
    /// The score of the built-in referee.
    pub referee: Option<String>,
    /// The `final_score` of the referee program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
}

/// One game, with everything that is needed to replay it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchGame {
    /// The id of the match, as in the header.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of the game, from 1.
    pub game: u64,
    /// The number of its pair of games: the same opening and players, colours swapped.
    pub pair: u64,
    /// The seed of the game, from which those of `{seed}` in command lines are derived.
    pub seed: u64,
    /// The player of Black.
    pub black: PlayerRecord,
    /// The player of White.
    pub white: PlayerRecord,
    /// The start.
    #[serde(flatten)]
    pub setup: SetupRecord,
    /// Number of turns that are the opening.
    pub opening: usize,
    /// The turns: `B D4`, `W nuke E5`.
    pub turns: Vec<String>,
    /// Seconds of each turn after the opening.
    pub times: Vec<f64>,
    /// `B+3.5`, `W+R`, `B+T` (time), `W+F` (failure), `0`, or `?` if nobody
    /// won.
    #[serde(with = "as_text")]
    pub result: GameResult,
    /// Why the game ended.
    pub reason: EndReason,
    /// How an engine failed, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Final scores, where the board was counted.
    pub scores: ReportedScores,
    /// Whether a reported score differs from the result.
    pub disagreement: bool,
    /// When the game began: seconds since 1970.
    pub started: u64,
    /// Duration of the game, in seconds.
    pub seconds: f64,
}

impl MatchGame {
    /// The scores that the players report, in words.
    pub fn reported_scores(&self) -> String {
        let reported = |score: &Option<String>| score.clone().unwrap_or_else(|| "-".to_owned());
        let (black, white) = (reported(&self.scores.black), reported(&self.scores.white));
        format!("Black counts {black}, White {white}")
    }
}

/// Half points of Black: 2 for a win, 1 for a draw, 0 for a loss; none if unknown.
pub fn half_points(result: GameResult) -> Option<u8> {
    match result.winner() {
        Some(Color::Black) => Some(2),
        Some(Color::White) => Some(0),
        None => result.is_draw().then_some(1),
    }
}

/// The result in a reply to `final_score`, whose first word it is; none if it has none.
pub fn parse_score(reply: &str) -> Option<GameResult> {
    let result = reply.split_whitespace().next()?.parse().ok();
    result.filter(|&result| result != GameResult::Unknown)
}

/// Reads and writes results as text.
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

/// A line of a results file.
#[derive(Clone, Debug, PartialEq)]
pub enum ResultsLine {
    /// The settings.
    Header(Box<MatchHeader>),
    /// A game.
    Game(Box<MatchGame>),
}

impl ResultsLine {
    /// Parses a line.
    ///
    /// # Errors
    /// What is wrong with the line, in words.
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
