//! The referee for scripts: replays recorded games under their rules.
//!
//! [`check`] reads files of any of three kinds: SGF, transcripts of GTP, match
//! records. `source` opens them and `cases` cuts them into games, which is cheap
//! and done by one thread; what a game says is found out when it is judged, many at
//! a time: SGF and match records (`record`) are played on a game of their own,
//! transcripts (`transcript`) by a session that is told what the engine was told.
//! A [`Report`] says what was found; `claim` compares results, and
//! `agreement` finds what else players may have meant.
//!
//! Everything read here may be garbage or worse.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod agreement;
mod cases;
mod claim;
mod record;
mod report;
mod source;
mod texts;
mod transcript;
mod tree;

pub use agreement::{Agreement, Count, Dead};
pub use claim::Claim;
pub use report::{BoardShape, Report, ReportLine, Verdict};
pub use source::Format;

use crate::gtp::Session;
use crate::gtp::encoding::Encoding;
use crate::rules::{Setup, SetupError};
use cases::{Case, Cases, Matter};
use rayon::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// What holds where a record does not say otherwise.
#[derive(Clone, Debug)]
pub struct Base {
    /// Variant, size, rules, komi, walls.
    pub setup: Setup,
    /// How vertices in transcripts are meant.
    pub encoding: Encoding,
}

/// A report, and of which game.
#[derive(Clone, Debug)]
pub struct Found {
    /// The file, `-` for standard input.
    pub file: Arc<str>,
    /// The number of the game in it, from 1.
    pub game: usize,
    /// What was found.
    pub report: Report,
}

/// So much of files, in bytes, is judged at a time, and as much read meanwhile.
const BATCH: usize = 4 << 20;

/// So many games at most.
const BATCH_GAMES: usize = 16_384;

/// Judges all games of these files and directories, `-` for standard input, and
/// hands every report to `tell`, in the order of the games; ends early if that
/// fails. Works on the threads of the current rayon pool. At any time, no more than
/// some megabytes are held, or the longest game.
///
/// # Errors
/// What is wrong with the base, or what `tell` met.
pub fn check<E: From<SetupError>>(
    paths: Vec<PathBuf>,
    format: Option<Format>,
    base: &Base,
    mut tell: impl FnMut(&Found) -> Result<(), E> + Send,
) -> Result<(), E> {
    transcript::follower(base)?;
    let mut cases = Cases::new(paths, format, base);
    let mut batch = next_batch(&mut cases);
    while !batch.is_empty() {
        let judged = || {
            let session = || transcript::follower(base).ok();
            let judged = batch
                .par_iter()
                .map_init(session, |session, case| judge(case, base, session));
            judged.collect::<Vec<_>>()
        };
        let (found, next) = rayon::join(judged, || next_batch(&mut cases));
        found.iter().try_for_each(&mut tell)?;
        batch = next;
    }
    Ok(())
}

fn next_batch(cases: &mut Cases) -> Vec<Case> {
    let (mut batch, mut weight) = (Vec::new(), 0);
    while weight < BATCH && batch.len() < BATCH_GAMES {
        let Some(case) = cases.next() else {
            break;
        };
        weight += case.matter.weight();
        batch.push(case);
    }
    batch
}

fn judge(case: &Case, base: &Base, session: &mut Option<Session>) -> Found {
    let report = match (&case.matter, session) {
        (Matter::Tree(text), _) => tree::judge(text, case.line, &base.setup),
        (Matter::Record(text), _) => record::judge(text, case.line, &base.setup),
        (Matter::Script(script), Some(session)) => script.judge(session),
        (Matter::Script(_), None) => Report::unreadable(case.line, "no session"),
        (Matter::Nothing(report), _) => report.clone(),
    };
    Found {
        file: case.file.clone(),
        game: case.game,
        report,
    }
}
