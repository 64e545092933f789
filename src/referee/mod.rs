//! The referee: replays recorded games and checks turns and results by their rules.
//!
//! [`check`] opens files (`input_file`) and splits them into games (`recorded_game`, `split`). All
//! threads check games: SGF, match records, and transcripts on a GTP session. `claimed_result`
//! compares the stated result with the board; `agreed_result` guesses how the players counted, with
//! `seki` where the rules tax it. `program_scores` confirms scores of referee programs.
//!
//! All input may be malformed or hostile.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod agreed_result;
mod check_result;
mod claimed_result;
mod conditions;
mod input_file;
mod match_record;
mod program_scores;
mod recorded_game;
mod seki;
mod sgf_game;
mod split;

pub use crate::transcript::Defaults;
use agreed_result::Leeway;
pub use agreed_result::{AgreedResult, DeadStones, ScoreSource};
pub(crate) use check_result::CheckLine;
pub use check_result::{BoardShape, CheckResult, Verdict};
pub use conditions::Conditions;
pub use input_file::FileFormat;
pub(crate) use input_file::{InputFile, InputFiles, OpenError};
use program_scores::ProgramScores;
pub(crate) use recorded_game::{RecordedGame, RecordedGames};
pub(crate) use split::GameSource;

use crate::board::Color;
use crate::gtp::Session;
use crate::rules::SetupError;
use crate::sgf;
use crate::transcript::{TranscriptError, TranscriptErrorKind, TranscriptGame, replay_session};
use crate::workers;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A game of a file, and what the referee found.
#[derive(Clone, Debug)]
pub struct CheckedGame {
    /// The name of the file, `-` for standard input.
    pub file: Arc<str>,
    /// The number of the game in its file, from 1; 0 for a file without a game.
    pub game: usize,
    /// The finding.
    pub result: CheckResult,
}

/// Checks the games of files and directories (`-` is standard input) on `threads` threads and calls
/// `report` for each, in order. Without a `format` the beginning of a file decides.
///
/// # Errors
/// The defaults are not a valid setup, or `report` failed.
pub fn check<E: From<SetupError>>(
    paths: Vec<PathBuf>,
    format: Option<FileFormat>,
    defaults: &Defaults,
    threads: usize,
    mut report: impl FnMut(&CheckedGame) -> Result<(), E>,
) -> Result<(), E> {
    replay_session(defaults)?;
    let scores = ProgramScores::new(&paths);
    let worker = || {
        let (mut session, scores) = (replay_session(defaults).ok(), &scores);
        move |game| check_game(&game, defaults, scores, &mut session)
    };
    let games = RecordedGames::new(paths, format, defaults);
    workers::run_in_order(threads, games, worker, |checked| report(&checked))
}

/// Checks the games of one file, on this thread.
///
/// # Errors
/// The defaults are not a valid setup.
pub fn check_bytes(
    bytes: Vec<u8>,
    format: Option<FileFormat>,
    defaults: &Defaults,
) -> Result<Vec<CheckedGame>, SetupError> {
    let mut session = Some(replay_session(defaults)?);
    let file = InputFile {
        name: "-".into(),
        may_be_empty: false,
        bytes: Box::new(io::Cursor::new(bytes)),
    };
    let games = RecordedGames::from_file(file, format, defaults);
    // Reading memory cannot fail.
    let games = games.into_iter().flatten();
    let scores = ProgramScores::default();
    Ok(games.map(|game| check_game(&game, defaults, &scores, &mut session)).collect())
}

fn check_game(
    game: &RecordedGame,
    defaults: &Defaults,
    scores: &ProgramScores,
    session: &mut Option<Session>,
) -> CheckedGame {
    let result = match (&game.source, session) {
        (GameSource::Sgf(tree), _) => sgf_game::check_game(tree, game.line, defaults, scores),
        (GameSource::MatchRecord(text), _) => match_record::check_record(text, game.line, defaults),
        (GameSource::Transcript(transcript), Some(session)) => {
            check_transcript(transcript, session)
        }
        (GameSource::Transcript(_), None) => CheckResult::unreadable(game.line, "no session"),
        (GameSource::Unreadable(result), _) => result.clone(),
    };
    CheckedGame { file: game.file.clone(), game: game.game, result }
}

/// The results on which the rules that a client chose let players agree.
fn leeway_of(session: &Session) -> Leeway {
    let rules = session.chosen_rules.as_ref();
    let stones = session.setup().handicap.len();
    Leeway::under(rules, stones)
}

/// The number of Black's first moves, if there are several: clients play the stones of a handicap
/// that they do not set up.
fn handicap_by_moves(session: &Session) -> usize {
    let turns = session.game().turns().iter();
    let placed = turns.take_while(|(color, turn)| *color == Color::Black && !turn.is_pass());
    match placed.count() {
        stones if stones > 1 && !session.setup().has_stones() => stones,
        _ => 0,
    }
}

fn check_transcript(game: &TranscriptGame, session: &mut Session) -> CheckResult {
    let checked = match game.replay(session, usize::MAX) {
        Ok(None) => CheckResult::good(game.line(), session.game()),
        Ok(Some((line, result))) => {
            CheckResult::for_played_game(line, session.game(), result, || leeway_of(session))
        }
        Err(TranscriptError { line, why }) => match why {
            TranscriptErrorKind::Unreadable(why) => CheckResult::unreadable(line, why),
            TranscriptErrorKind::Illegal { number, turn, why } => {
                CheckResult::illegal(line, session.game(), number, turn, why)
            }
        },
    };
    let (setup, placed) = (session.setup(), handicap_by_moves(session));
    // The protocol lets either side begin.
    let order = sgf::remarks_on_order(setup, session.game(), false, placed);
    let remarks = checked.remarks.into_iter().chain(order).collect();
    CheckResult { handicap: setup.handicap.len() + placed, remarks, ..checked }
}
