//! The result of checking one game.

use super::agreed_result::{ScoreSource, find_agreed_result};
use super::claimed_result::{equals_score, is_consistent};
use crate::board::Point;
use crate::rules::{AnyGame, GameResult, Illegal, Setup};
use serde::Serialize;
use std::fmt;

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every turn is legal, and the result agrees with the board.
    Good,
    /// The first illegal turn.
    Illegal {
        /// The number, from 1.
        number: usize,
        /// A text such as `B D4`.
        turn: String,
        /// The rule that it breaks.
        why: Illegal,
    },
    WrongResult {
        claimed: String,
        counted: GameResult,
        over: bool,
        /// Without stones estimated as dead, where players may have removed them.
        without_dead: Option<GameResult>,
    },
    /// Agrees with the judging program or a plausible agreement of the players, but not with the
    /// final position.
    OtherScore {
        claimed: String,
        counted: GameResult,
        source: ScoreSource,
    },
    /// Every turn is legal, but the stated result is unknown text.
    UnreadResult {
        claimed: String,
    },
    Unreadable(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardShape {
    pub variant: &'static str,
    /// Columns of one layer.
    pub width: u8,
    pub height: u8,
}

impl From<&AnyGame> for BoardShape {
    fn from(game: &AnyGame) -> Self {
        BoardShape {
            variant: game.info().id,
            width: game.grid().layer_width(),
            height: game.grid().height(),
        }
    }
}

impl From<&Setup> for BoardShape {
    fn from(setup: &Setup) -> Self {
        BoardShape { variant: setup.info.id, width: setup.size.width, height: setup.size.height }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct CheckResult {
    /// Of the verdict; the first line of a good game.
    pub line: u64,
    /// `None` if unknown.
    pub board: Option<BoardShape>,
    pub turns: usize,
    /// `None` if the game is not over.
    pub result: Option<GameResult>,
    pub claimed: Option<String>,
    pub verdict: Verdict,
    /// Properties that the check ignored or missed.
    pub remarks: Vec<String>,
}

impl CheckResult {
    /// The game is unreadable from this line on.
    pub fn unreadable(line: u64, why: impl fmt::Display) -> CheckResult {
        CheckResult {
            line,
            board: None,
            turns: 0,
            result: None,
            claimed: None,
            verdict: Verdict::Unreadable(why.to_string()),
            remarks: Vec::new(),
        }
    }

    /// The turns are legal, and the record states no result.
    pub fn good(line: u64, game: &AnyGame) -> CheckResult {
        CheckResult {
            line,
            board: Some(game.into()),
            turns: game.turns().len(),
            result: game.is_over().then(|| game.score()),
            claimed: None,
            verdict: Verdict::Good,
            remarks: Vec::new(),
        }
    }

    /// `number` counts from 1.
    pub fn illegal(
        line: u64,
        board: impl Into<BoardShape>,
        number: usize,
        turn: String,
        why: Illegal,
    ) -> CheckResult {
        CheckResult {
            line,
            board: Some(board.into()),
            turns: number.saturating_sub(1),
            result: None,
            claimed: None,
            verdict: Verdict::Illegal { number, turn, why },
            remarks: Vec::new(),
        }
    }

    pub fn with_remarks(self, remarks: Vec<String>) -> CheckResult {
        CheckResult { remarks, ..self }
    }

    /// The turns are legal, and the record states a result at this line.
    pub fn with_claimed_result(line: u64, game: &AnyGame, claimed: &str) -> CheckResult {
        let verdict = match claimed.parse() {
            Ok(claim) if is_consistent(claim, game) => Verdict::Good,
            Ok(_) => return CheckResult::wrong(line, game, claimed),
            Err(_) => Verdict::UnreadResult { claimed: claimed.to_owned() },
        };
        CheckResult { claimed: Some(claimed.to_owned()), verdict, ..CheckResult::good(line, game) }
    }

    /// Players may have removed dead stones (`marked`, or estimated), used another scoring than
    /// the record states, or given White points for handicap stones (`compensation`).
    pub fn for_played_game(
        line: u64,
        game: &AnyGame,
        claimed: &str,
        marked: impl FnOnce() -> Option<Vec<Point>>,
        compensation: impl FnOnce() -> usize,
    ) -> CheckResult {
        let claim = claimed.parse().ok();
        let counted =
            claim.filter(|claim| matches!(claim, GameResult::Points(_) | GameResult::Win(_)));
        let doubtful =
            counted.filter(|&claim| !is_consistent(claim, game) && game.resigned().is_none());
        let Some(claim) = doubtful else {
            return CheckResult::with_claimed_result(line, game, claimed);
        };
        let (agreed, without_dead) = find_agreed_result(game, claim, marked(), compensation());
        if let Some(agreed) = agreed {
            return CheckResult::other_score(line, game, claimed, ScoreSource::Agreed(agreed));
        }
        let mut result = CheckResult::wrong(line, game, claimed);
        if let Verdict::WrongResult { counted, without_dead: place, .. } = &mut result.verdict {
            *place = Some(without_dead).filter(|without_dead| without_dead != counted);
        }
        result
    }

    /// A judging program counted the result.
    pub fn for_judged_game(line: u64, game: &AnyGame, claimed: &str, program: &str) -> CheckResult {
        let judge_agrees = claimed.parse().is_ok_and(|claim| {
            let agrees = program.parse().is_ok_and(|counted| equals_score(claim, counted));
            agrees && !is_consistent(claim, game)
        });
        if judge_agrees {
            CheckResult::other_score(line, game, claimed, ScoreSource::Judge)
        } else {
            CheckResult::with_claimed_result(line, game, claimed)
        }
    }

    fn other_score(line: u64, game: &AnyGame, claimed: &str, source: ScoreSource) -> CheckResult {
        CheckResult {
            claimed: Some(claimed.to_owned()),
            verdict: Verdict::OtherScore {
                claimed: claimed.to_owned(),
                counted: game.score(),
                source,
            },
            ..CheckResult::good(line, game)
        }
    }

    pub fn wrong(line: u64, game: &AnyGame, claimed: &str) -> CheckResult {
        CheckResult {
            claimed: Some(claimed.to_owned()),
            verdict: Verdict::WrongResult {
                claimed: claimed.to_owned(),
                counted: game.score(),
                over: game.is_over(),
                without_dead: None,
            },
            ..CheckResult::good(line, game)
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Good => f.write_str("good"),
            Verdict::Illegal { number, turn, why } => write!(f, "turn {number}, {turn}: {why}"),
            Verdict::WrongResult { claimed, counted, over, without_dead } => {
                write!(f, "result: {claimed} is claimed, the board counts {counted}")?;
                if let Some(without_dead) = without_dead {
                    let without = "without the stones estimated as dead";
                    write!(f, " as it stands, {without_dead} {without}")?;
                }
                match (over, without_dead) {
                    (true, _) => Ok(()),
                    (false, None) => f.write_str(" as it stands, and the game has not ended"),
                    (false, Some(_)) => f.write_str(", and the game has not ended"),
                }
            }
            Verdict::OtherScore { claimed, counted, source } => {
                write!(f, "result: {claimed} {source}, the board counts {counted} as it stands")
            }
            Verdict::UnreadResult { claimed } => {
                write!(f, "result: '{claimed}' is not understood")
            }
            Verdict::Unreadable(why) => write!(f, "unreadable: {why}"),
        }
    }
}

impl Verdict {
    pub fn kind(&self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Illegal { .. } => "illegal",
            Verdict::WrongResult { .. } => "wrong-result",
            Verdict::OtherScore { .. } => "other-count",
            Verdict::UnreadResult { .. } => "unread-result",
            Verdict::Unreadable(_) => "unreadable",
        }
    }
}

/// A line of `--json`; fields keep this order.
#[derive(Debug, Serialize)]
pub struct CheckLine<'a> {
    file: &'a str,
    game: usize,
    line: u64,
    verdict: &'static str,
    variant: Option<&'static str>,
    width: Option<u8>,
    height: Option<u8>,
    turns: usize,
    result: Option<String>,
    claimed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    remarks: &'a [String],
}

impl<'a> CheckLine<'a> {
    /// `game` counts from 1.
    pub fn new(file: &'a str, game: usize, result: &'a CheckResult) -> Self {
        let (number, turn, counted, why) = match &result.verdict {
            Verdict::Good => (None, None, None, None),
            Verdict::Illegal { number, turn, why } => {
                (Some(*number), Some(turn.as_str()), None, Some(why.to_string()))
            }
            Verdict::WrongResult { counted, .. } | Verdict::OtherScore { counted, .. } => {
                let why = result.verdict.to_string();
                (None, None, Some(counted.to_string()), Some(why))
            }
            Verdict::UnreadResult { .. } => (None, None, None, Some(result.verdict.to_string())),
            Verdict::Unreadable(why) => (None, None, None, Some(why.clone())),
        };
        CheckLine {
            file,
            game,
            line: result.line,
            verdict: result.verdict.kind(),
            variant: result.board.map(|board| board.variant),
            width: result.board.map(|board| board.width),
            height: result.board.map(|board| board.height),
            turns: result.turns,
            result: result.result.map(|result| result.to_string()),
            claimed: result.claimed.as_deref(),
            number,
            turn,
            counted,
            why,
            remarks: &result.remarks,
        }
    }
}
