//! What the referee found.

use super::agreement::{Count, agreement};
use super::claim::Claim;
use crate::board::Point;
use crate::rules::{AnyGame, Illegal, Setup};
use serde::Serialize;
use std::fmt;

/// What is wrong with a game, or nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Every turn is legal and the result what the board says.
    Good,
    /// The first turn that a rule forbids.
    Illegal {
        /// Its number, from 1.
        number: usize,
        /// Colour and turn as they are written: `B D4`.
        turn: String,
        /// The rule.
        why: Illegal,
    },
    /// The result is another one.
    WrongResult {
        /// What the record says.
        claimed: String,
        /// What the board says.
        counted: String,
        /// Whether it says so of a finished game.
        over: bool,
        /// What it says without the stones that look dead, where those may have been
        /// taken off.
        cleared: Option<String>,
    },
    /// The result is not what the board counts as it stands, but what those count
    /// who have a say.
    OtherCount {
        /// What the record says.
        claimed: String,
        /// What the board says.
        counted: String,
        /// Who counts like the record.
        how: Count,
    },
    /// It cannot be told what was played.
    Unreadable(String),
}

/// What a game is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardShape {
    /// The variant's id.
    pub variant: &'static str,
    /// Columns, of one layer where there are several.
    pub width: u8,
    /// Rows.
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
        BoardShape {
            variant: setup.info.id,
            width: setup.size.width,
            height: setup.size.height,
        }
    }
}

/// A game and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The line of what was found; where nothing is wrong, of the game's begin.
    pub line: u64,
    /// What it was played on; none if that is unreadable.
    pub board: Option<BoardShape>,
    /// Legal turns made.
    pub turns: usize,
    /// The result, once the game is over.
    pub result: Option<String>,
    /// What the record says the result was.
    pub claimed: Option<String>,
    /// What was found.
    pub verdict: Verdict,
}

impl Report {
    /// Of a game that cannot be followed from this line on.
    pub fn unreadable(line: u64, why: impl fmt::Display) -> Report {
        Report {
            line,
            board: None,
            turns: 0,
            result: None,
            claimed: None,
            verdict: Verdict::Unreadable(why.to_string()),
        }
    }

    /// Of a game all turns of which were legal, as far as it went.
    pub fn good(line: u64, game: &AnyGame) -> Report {
        Report {
            line,
            board: Some(game.into()),
            turns: game.turns().len(),
            result: game.is_over().then(|| game.score()),
            claimed: None,
            verdict: Verdict::Good,
        }
    }

    /// Of a game on such a board with an illegal turn of this number, from 1.
    pub fn illegal(
        line: u64,
        board: impl Into<BoardShape>,
        number: usize,
        turn: String,
        why: Illegal,
    ) -> Report {
        Report {
            line,
            board: Some(board.into()),
            turns: number.saturating_sub(1),
            result: None,
            claimed: None,
            verdict: Verdict::Illegal { number, turn, why },
        }
    }

    /// Of a game of legal turns for which the record claims a result, at this line.
    pub fn of_claim(line: u64, game: &AnyGame, claimed: &str) -> Report {
        match Claim::parse(claimed).holds(game) {
            true => Report {
                claimed: Some(claimed.to_owned()),
                ..Report::good(line, game)
            },
            false => Report::wrong(line, game, claimed),
        }
    }

    /// The same of a game between people or programs that may have taken dead stones
    /// off before they counted, those marked so or those that look so, and may have
    /// counted in another way than they wrote.
    pub fn of_agreement(
        line: u64,
        game: &AnyGame,
        claimed: &str,
        marked: impl FnOnce() -> Option<Vec<Point>>,
    ) -> Report {
        let claim = Claim::parse(claimed);
        let counted = matches!(claim, Claim::Points(_) | Claim::Won(_));
        if !counted || claim.holds(game) || game.resigned().is_some() {
            return Report::of_claim(line, game, claimed);
        }
        let (agreed, cleared) = agreement(game, claim, marked());
        if let Some(agreed) = agreed {
            return Report::other_count(line, game, claimed, Count::Agreed(agreed));
        }
        let mut report = Report::wrong(line, game, claimed);
        if let Verdict::WrongResult {
            counted,
            cleared: place,
            ..
        } = &mut report.verdict
        {
            *place = Some(cleared).filter(|cleared| cleared != counted);
        }
        report
    }

    /// Of a game that a program judged, which counted so.
    pub fn of_judged(line: u64, game: &AnyGame, claimed: &str, program: &str) -> Report {
        let claim = Claim::parse(claimed);
        match claim.fits(program) && !claim.holds(game) {
            true => Report::other_count(line, game, claimed, Count::Program),
            false => Report::of_claim(line, game, claimed),
        }
    }

    fn other_count(line: u64, game: &AnyGame, claimed: &str, how: Count) -> Report {
        Report {
            claimed: Some(claimed.to_owned()),
            verdict: Verdict::OtherCount {
                claimed: claimed.to_owned(),
                counted: game.score(),
                how,
            },
            ..Report::good(line, game)
        }
    }

    /// Of a game of legal turns the result of which is not the claimed one.
    pub fn wrong(line: u64, game: &AnyGame, claimed: &str) -> Report {
        Report {
            claimed: Some(claimed.to_owned()),
            verdict: Verdict::WrongResult {
                claimed: claimed.to_owned(),
                counted: game.score(),
                over: game.is_over(),
                cleared: None,
            },
            ..Report::good(line, game)
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Good => f.write_str("good"),
            Verdict::Illegal { number, turn, why } => write!(f, "turn {number}, {turn}: {why}"),
            Verdict::WrongResult {
                claimed,
                counted,
                over,
                cleared,
            } => {
                write!(
                    f,
                    "result: {claimed} is claimed, the board counts {counted}"
                )?;
                if let Some(cleared) = cleared {
                    let without = "without the stones that look dead";
                    write!(f, " as it stands, {cleared} {without}")?;
                }
                match (over, cleared) {
                    (true, _) => Ok(()),
                    (false, None) => f.write_str(" as it stands, and the game has not ended"),
                    (false, Some(_)) => f.write_str(", and the game has not ended"),
                }
            }
            Verdict::OtherCount {
                claimed,
                counted,
                how,
            } => write!(
                f,
                "result: {claimed} {how}, the board counts {counted} as it stands"
            ),
            Verdict::Unreadable(why) => write!(f, "unreadable: {why}"),
        }
    }
}

impl Verdict {
    /// The kind, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Verdict::Good => "good",
            Verdict::Illegal { .. } => "illegal",
            Verdict::WrongResult { .. } => "wrong-result",
            Verdict::OtherCount { .. } => "other-count",
            Verdict::Unreadable(_) => "unreadable",
        }
    }
}

/// A report as `--json` writes it, fields in this order.
#[derive(Debug, Serialize)]
pub struct ReportLine<'a> {
    file: &'a str,
    game: usize,
    line: u64,
    verdict: &'static str,
    variant: Option<&'static str>,
    width: Option<u8>,
    height: Option<u8>,
    turns: usize,
    result: Option<&'a str>,
    claimed: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    number: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl<'a> ReportLine<'a> {
    /// The line for the game of this number, from 1, in a file.
    pub fn new(file: &'a str, game: usize, report: &'a Report) -> Self {
        let (number, turn, counted, why) = match &report.verdict {
            Verdict::Good => (None, None, None, None),
            Verdict::Illegal { number, turn, why } => (
                Some(*number),
                Some(turn.as_str()),
                None,
                Some(why.to_string()),
            ),
            Verdict::WrongResult { counted, .. } | Verdict::OtherCount { counted, .. } => {
                let why = report.verdict.to_string();
                (None, None, Some(counted.as_str()), Some(why))
            }
            Verdict::Unreadable(why) => (None, None, None, Some(why.clone())),
        };
        ReportLine {
            file,
            game,
            line: report.line,
            verdict: report.verdict.kind(),
            variant: report.board.map(|board| board.variant),
            width: report.board.map(|board| board.width),
            height: report.board.map(|board| board.height),
            turns: report.turns,
            result: report.result.as_deref(),
            claimed: report.claimed.as_deref(),
            number,
            turn,
            counted,
            why,
        }
    }
}
