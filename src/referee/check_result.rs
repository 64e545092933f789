//! The result of checking one game.

use super::agreed_result::{Leeway, ScoreSource, find_agreed_result};
use super::claimed_result::{equals_score, is_consistent};
use super::seki;
use crate::board::Point;
use crate::rules::{Game, GameResult, Illegal, Rules, Setup};
use crate::sgf::{Remark, RemarkCode};
use serde::Serialize;
use std::fmt;

/// The verdict on a recorded game.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every turn is legal, and the result agrees with the board.
    Good,
    /// A turn breaks a rule.
    Illegal {
        /// The number, from 1.
        number: usize,
        /// A text such as `B D4`.
        turn: String,
        /// The rule that the turn breaks.
        why: Illegal,
    },
    /// The stated result is not that of the board.
    WrongResult {
        /// The count of the board.
        counted: GameResult,
        /// Whether the game has ended.
        over: bool,
        /// Without stones estimated as dead, where players may have removed them.
        without_dead: Option<GameResult>,
    },
    /// The referee program or a plausible agreement of the players explains the claim, but the
    /// final position does not.
    OtherScore {
        /// The count of the board.
        counted: GameResult,
        /// The explanation.
        source: ScoreSource,
    },
    /// The stated result has no known form.
    UnreadResult,
    /// The turns and the result hold, but a condition does not.
    Irregular(Remark),
    /// The game cannot be read, for this reason.
    Unreadable(String),
}

/// The variant, the size of a board, and the rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoardShape {
    /// The id of the variant.
    pub variant: &'static str,
    /// Columns of a layer.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// The rules in force, with komi.
    pub rules: Rules,
}

impl From<&Game> for BoardShape {
    fn from(game: &Game) -> Self {
        BoardShape {
            variant: game.info().id,
            width: game.grid().layer_width(),
            height: game.grid().height(),
            rules: *game.rules(),
        }
    }
}

impl From<&Setup> for BoardShape {
    fn from(setup: &Setup) -> Self {
        BoardShape {
            variant: setup.info.id,
            width: setup.size.width,
            height: setup.size.height,
            rules: setup.rules,
        }
    }
}

/// The finding about one game.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckResult {
    /// The line of the verdict in the file, from 1; the first line of a good game.
    pub line: u64,
    /// `None` if the record was not read so far.
    pub board: Option<BoardShape>,
    /// The number of legal turns.
    pub turns: usize,
    /// The count of the board, or the ending by a rule; `None` if the game is not over.
    pub result: Option<GameResult>,
    /// The result that the record states.
    pub claimed: Option<String>,
    /// The names of Black and White, as far as the record states them.
    pub names: [Option<String>; 2],
    /// The verdict.
    pub verdict: Verdict,
    /// The number of handicap stones.
    pub handicap: usize,
    /// Seconds of main time, if the record states it.
    pub main_time: Option<f64>,
    /// Remarks of the check besides its verdict.
    pub remarks: Vec<Remark>,
}

impl CheckResult {
    fn new(line: u64, verdict: Verdict) -> CheckResult {
        CheckResult {
            line,
            board: None,
            turns: 0,
            result: None,
            claimed: None,
            names: [None, None],
            verdict,
            handicap: 0,
            main_time: None,
            remarks: Vec::new(),
        }
    }

    pub(super) fn unreadable(line: u64, why: impl fmt::Display) -> CheckResult {
        CheckResult::new(line, Verdict::Unreadable(why.to_string()))
    }

    /// The record states this result, whatever the verdict.
    pub(super) fn claiming(self, claimed: Option<&str>) -> CheckResult {
        let claimed = self.claimed.or_else(|| claimed.map(str::to_owned));
        CheckResult { claimed, ..self }
    }

    /// Whether nothing is wrong with the turns and the result.
    pub(super) fn holds(&self) -> bool {
        matches!(self.verdict, Verdict::Good | Verdict::OtherScore { .. } | Verdict::UnreadResult)
    }

    pub(super) fn good(line: u64, game: &Game) -> CheckResult {
        CheckResult {
            board: Some(game.into()),
            turns: game.turns().len(),
            result: game.is_over().then(|| game.score()),
            ..CheckResult::new(line, Verdict::Good)
        }
    }

    /// `number` counts from 1.
    pub(super) fn illegal(
        line: u64,
        board: impl Into<BoardShape>,
        number: usize,
        turn: String,
        why: Illegal,
    ) -> CheckResult {
        CheckResult {
            board: Some(board.into()),
            turns: number.saturating_sub(1),
            ..CheckResult::new(line, Verdict::Illegal { number, turn, why })
        }
    }

    /// The record states a result at this line.
    fn for_claim(line: u64, game: &Game, claimed: &str, verdict: Verdict) -> CheckResult {
        let claimed = Some(claimed.to_owned());
        CheckResult { claimed, verdict, ..CheckResult::good(line, game) }
    }

    /// No dead stones were removed.
    pub(super) fn with_claimed_result(line: u64, game: &Game, claimed: &str) -> CheckResult {
        match claimed.parse() {
            Ok(claim) if is_consistent(claim, game) => {
                CheckResult::for_claim(line, game, claimed, Verdict::Good)
            }
            Ok(_) => CheckResult::wrong(line, game, claimed, None),
            Err(_) => CheckResult::for_claim(line, game, claimed, Verdict::UnreadResult),
        }
    }

    /// The record states the stones that its players agreed on as dead.
    pub(super) fn for_agreed_game(
        line: u64,
        game: &Game,
        claimed: &str,
        dead: &[Point],
    ) -> CheckResult {
        let result = CheckResult::with_claimed_result(line, game, claimed);
        let agreed = game.score_without(dead, game.rules().scoring);
        let is_agreed = claimed.parse().is_ok_and(|claim| equals_score(claim, agreed));
        match result.verdict {
            Verdict::WrongResult { counted, .. } if is_agreed && game.resigned().is_none() => {
                let text = format!(
                    "{claimed} is right without the stones that the players agreed on as dead, \
                     the board counts {counted} as it stands"
                );
                let remarks = vec![Remark::new(RemarkCode::AgreedDead, text)];
                CheckResult { verdict: Verdict::Good, remarks, ..result }
            }
            _ => result,
        }
    }

    /// Players may have removed dead stones, marked or estimated, and counted as the rules that are
    /// named let them.
    pub(super) fn for_played_game(
        line: u64,
        game: &Game,
        claimed: &str,
        leeway: impl FnOnce() -> Leeway,
    ) -> CheckResult {
        let claim = claimed.parse().ok();
        let counted =
            claim.filter(|claim| matches!(claim, GameResult::Points(_) | GameResult::Win(_)));
        let doubtful =
            counted.filter(|&claim| !is_consistent(claim, game) && game.resigned().is_none());
        let Some(claim) = doubtful else {
            return CheckResult::with_claimed_result(line, game, claimed);
        };
        let leeway = leeway();
        if leeway.taxes_seki && seki::explains(game, &[], |score| equals_score(claim, score)) {
            return CheckResult::right_by_seki(line, game, claimed);
        }
        let (agreed, without_dead) = find_agreed_result(game, claim, leeway);
        if let Some(agreed) = agreed {
            return CheckResult::other_score(line, game, claimed, ScoreSource::Agreed(agreed));
        }
        let without_dead = Some(without_dead).filter(|result| *result != game.score());
        CheckResult::wrong(line, game, claimed, without_dead)
    }

    fn right_by_seki(line: u64, game: &Game, claimed: &str) -> CheckResult {
        let counted = game.score();
        let text = format!(
            "{claimed} is right if some groups that touch a dame are in seki, the board counts \
             {counted}"
        );
        let remarks = vec![Remark::new(RemarkCode::Seki, text)];
        CheckResult { remarks, ..CheckResult::for_claim(line, game, claimed, Verdict::Good) }
    }

    pub(super) fn for_refereed_game(
        line: u64,
        game: &Game,
        claimed: &str,
        program: &str,
    ) -> CheckResult {
        let referee_agrees = claimed.parse().is_ok_and(|claim| {
            let agrees = program.parse().is_ok_and(|counted| equals_score(claim, counted));
            agrees && !is_consistent(claim, game)
        });
        if referee_agrees {
            CheckResult::other_score(line, game, claimed, ScoreSource::Referee)
        } else {
            CheckResult::with_claimed_result(line, game, claimed)
        }
    }

    fn other_score(line: u64, game: &Game, claimed: &str, source: ScoreSource) -> CheckResult {
        let counted = game.score();
        CheckResult::for_claim(line, game, claimed, Verdict::OtherScore { counted, source })
    }

    pub(super) fn wrong(
        line: u64,
        game: &Game,
        claimed: &str,
        without_dead: Option<GameResult>,
    ) -> CheckResult {
        let (counted, over) = (game.score(), game.is_over());
        let verdict = Verdict::WrongResult { counted, over, without_dead };
        CheckResult::for_claim(line, game, claimed, verdict)
    }

    /// The verdict in words; `None` for a good game.
    pub fn words(&self) -> Option<String> {
        let claimed = self.claimed.as_deref().unwrap_or_default();
        let words = match &self.verdict {
            Verdict::Good => return None,
            Verdict::Illegal { number, turn, why } => format!("turn {number}, {turn}: {why}"),
            Verdict::WrongResult { counted, over, without_dead } => {
                let without_dead = without_dead.map_or_else(String::new, |result| {
                    format!(" as it stands, {result} without the stones estimated as dead")
                });
                let end = match (over, without_dead.as_str()) {
                    (true, _) => "",
                    (false, "") => " as it stands, and the game has not ended",
                    (false, _) => ", and the game has not ended",
                };
                format!(
                    "result: {claimed} is claimed, the board counts {counted}{without_dead}{end}"
                )
            }
            Verdict::OtherScore { counted, source } => {
                format!("result: {claimed} {source}, the board counts {counted} as it stands")
            }
            Verdict::UnreadResult => format!("result: '{claimed}' is not understood"),
            Verdict::Irregular(remark) => format!("{} ({})", remark.text, remark.code.name()),
            Verdict::Unreadable(why) => format!("unreadable: {why}"),
        };
        Some(words)
    }
}

impl Verdict {
    /// The verdict as one word, for scripts.
    pub fn kind(&self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Illegal { .. } => "illegal",
            Verdict::WrongResult { .. } => "wrong-result",
            Verdict::OtherScore { .. } => "other-count",
            Verdict::UnreadResult => "unread-result",
            Verdict::Irregular(_) => "irregular",
            Verdict::Unreadable(_) => "unreadable",
        }
    }
}

/// A line of `--json`.
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
    black: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<RemarkLine<'a>>,
}

#[derive(Debug, Serialize)]
struct RemarkLine<'a> {
    code: &'static str,
    text: &'a str,
}

impl<'a> CheckLine<'a> {
    /// `game` counts from 1, and is 0 for a file without a game.
    pub fn new(file: &'a str, game: usize, result: &'a CheckResult) -> Self {
        let (number, turn, counted, why) = match &result.verdict {
            Verdict::Good => (None, None, None, None),
            Verdict::Illegal { number, turn, why } => {
                (Some(*number), Some(turn.as_str()), None, Some(why.to_string()))
            }
            Verdict::WrongResult { counted, .. } | Verdict::OtherScore { counted, .. } => {
                (None, None, Some(counted.to_string()), result.words())
            }
            Verdict::UnreadResult | Verdict::Irregular(_) => (None, None, None, result.words()),
            Verdict::Unreadable(why) => (None, None, None, Some(why.clone())),
        };
        let [black, white] = result.names.each_ref().map(Option::as_deref);
        let remark =
            |remark: &'a Remark| RemarkLine { code: remark.code.name(), text: &remark.text };
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
            black,
            white,
            number,
            turn,
            counted,
            why,
            remarks: result.remarks.iter().map(remark).collect(),
        }
    }
}
