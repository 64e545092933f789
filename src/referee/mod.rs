//! The referee: replays recorded games and checks turns and results by their rules.
//!
//! [`check`] reads SGF, GTP transcripts and match records. One thread opens files (`input_file`)
//! and splits them into games (`recorded_game`, `split`). All threads check the games: `sgf_game`
//! and `match_record` on a game, [`crate::transcript`] on a GTP session. `claimed_result`
//! compares the stated result with the board, and `agreed_result` guesses how the players
//! counted. The outcome is a [`CheckResult`].
//!
//! All input may be malformed or hostile.

// Only tests see the module from outside.
#![allow(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod agreed_result;
mod check_result;
mod claimed_result;
mod input_file;
mod match_record;
mod recorded_game;
mod sgf_game;
mod split;

pub use crate::transcript::Defaults;
pub use check_result::{CheckLine, CheckResult, Verdict};
pub use input_file::{FileFormat, InputFile, InputFiles, OpenError};
pub use recorded_game::{GameSource, RecordedGame, RecordedGames};

use crate::gtp::Session;
use crate::rules::SetupError;
use crate::transcript::{TranscriptError, TranscriptErrorKind, TranscriptGame, replay_session};
use rayon::prelude::*;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct CheckedGame {
    /// `-` for standard input.
    pub file: Arc<str>,
    /// The number, from 1.
    pub game: usize,
    pub result: CheckResult,
}

/// The size in bytes of the batch that is checked while the next one is read.
const BATCH_BYTES: usize = 4 << 20;

const BATCH_GAMES: usize = 16_384;

/// Checks games on the threads of the current rayon pool and calls `report` for each, in order.
/// Memory holds some megabytes of games, or the longest game.
pub fn check<E: From<SetupError>>(
    paths: Vec<PathBuf>,
    format: Option<FileFormat>,
    defaults: &Defaults,
    mut report: impl FnMut(&CheckedGame) -> Result<(), E> + Send,
) -> Result<(), E> {
    replay_session(defaults)?;
    let mut games = RecordedGames::new(paths, format, defaults);
    let mut batch = next_batch(&mut games);
    while !batch.is_empty() {
        let checked = || {
            let session = || replay_session(defaults).ok();
            let checked = batch
                .par_iter()
                .map_init(session, |session, game| check_game(game, defaults, session));
            checked.collect::<Vec<_>>()
        };
        let (found, next) = rayon::join(checked, || next_batch(&mut games));
        found.iter().try_for_each(&mut report)?;
        batch = next;
    }
    Ok(())
}

/// Checks games on this thread.
pub fn check_bytes(
    bytes: Vec<u8>,
    format: Option<FileFormat>,
    defaults: &Defaults,
) -> Result<Vec<CheckedGame>, SetupError> {
    let mut session = Some(replay_session(defaults)?);
    let file = InputFile { name: "-".into(), bytes: Box::new(io::Cursor::new(bytes)) };
    let games = RecordedGames::from_file(file, format, defaults);
    // Reading memory cannot fail.
    let games = games.into_iter().flatten();
    Ok(games.map(|game| check_game(&game, defaults, &mut session)).collect())
}

fn next_batch(games: &mut RecordedGames) -> Vec<RecordedGame> {
    let (mut batch, mut weight) = (Vec::new(), 0);
    while weight < BATCH_BYTES && batch.len() < BATCH_GAMES {
        let Some(game) = games.next() else {
            break;
        };
        weight += game.source.weight();
        batch.push(game);
    }
    batch
}

fn check_game(
    game: &RecordedGame,
    defaults: &Defaults,
    session: &mut Option<Session>,
) -> CheckedGame {
    let result = match (&game.source, session) {
        (GameSource::Sgf(text), _) => sgf_game::check_game(text, game.line, defaults),
        (GameSource::MatchRecord(text), _) => {
            match_record::check_record(text, game.line, &defaults.setup)
        }
        (GameSource::Transcript(transcript), Some(session)) => {
            check_transcript(transcript, session)
        }
        (GameSource::Transcript(_), None) => CheckResult::unreadable(game.line, "no session"),
        (GameSource::Unreadable(result), _) => result.clone(),
    };
    CheckedGame { file: game.file.clone(), game: game.game, result }
}

fn check_transcript(game: &TranscriptGame, session: &mut Session) -> CheckResult {
    match game.replay(session, usize::MAX) {
        Ok(None) => CheckResult::good(game.line(), session.game()),
        Ok(Some((line, result))) => CheckResult::with_claimed_result(line, session.game(), result),
        Err(TranscriptError { line, why }) => match why {
            TranscriptErrorKind::Unreadable(why) => CheckResult::unreadable(line, why),
            TranscriptErrorKind::Illegal { number, turn, why } => {
                CheckResult::illegal(line, session.game(), number, turn, why)
            }
        },
    }
}
