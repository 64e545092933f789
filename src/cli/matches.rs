//! `kawari match`: plays matches, merges their shards, writes reports.

mod options;
mod progress;

use super::{CliResult, Error, print};
use crate::arena::html_report::HtmlReport;
use crate::arena::merge::{self, MergeError};
use crate::arena::process_guard::{self, ProcessGuard};
use crate::arena::results::ResultsLine;
use crate::arena::results_file::{self, ResultsFile, ResultsFileError};
use crate::arena::runner::{self, Continuation, RunError};
use crate::arena::schedule::Schedule;
use crate::arena::settings::Settings;
use crate::arena::sgf_writer::{SgfWriter, WriteSgfError};
use crate::arena::standings::Standings;
use crate::arena::stats::{Decision, Sprt};
use crate::arena::table;
use clap::{Args, Subcommand};
use options::MatchOptions;
use progress::Progress;
use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::fs::File;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A match, or a subcommand for its results.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct MatchCommand {
    #[command(subcommand)]
    command: Option<MatchSubcommand>,
    #[command(flatten)]
    options: Box<MatchOptions>,
}

#[derive(Clone, Debug, Subcommand)]
enum MatchSubcommand {
    /// Merge results files of the same match, in any order, and list missing games
    ///
    /// The exit status is 0 if no game is missing, 1 otherwise.
    Merge {
        /// Results files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the merged results to this file
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Write a report of a match from its results files: a self-contained HTML page
    Report {
        /// Results files, in any order
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the report to this file
        #[arg(long, value_name = "FILE", default_value = "report.html")]
        out: PathBuf,
    },
    /// Kill the engines of a match whose process has disappeared
    #[command(hide = true)]
    Watchdog,
}

/// Runs the command.
pub fn run(command: MatchCommand) -> CliResult {
    match command.command {
        None => play(
            &command
                .options
                .with_config_file(std::env::args_os().skip(2))?,
        ),
        Some(MatchSubcommand::Merge { files, out }) => merge(&files, out),
        Some(MatchSubcommand::Report { files, out }) => report(&files, &out),
        Some(MatchSubcommand::Watchdog) => {
            process_guard::watchdog(io::stdin().lock());
            Ok(())
        }
    }
}

impl From<ResultsFileError> for Error {
    fn from(error: ResultsFileError) -> Self {
        match error {
            ResultsFileError::OtherMatch { .. } => Error::Usage(error.to_string()),
            error => Error::Failure(error.to_string()),
        }
    }
}

impl From<WriteSgfError> for Error {
    fn from(error: WriteSgfError) -> Self {
        Error::Failure(error.to_string())
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        Error::Failure(error.to_string())
    }
}

impl From<MergeError> for Error {
    fn from(error: MergeError) -> Self {
        Error::Failure(error.to_string())
    }
}

fn play(options: &MatchOptions) -> CliResult {
    let before = results_file::header_of(&options.out)?;
    let seed = before.and_then(|header| header.settings.get("seed")?.as_u64());
    let drawn = RandomState::new().build_hasher().finish() >> 11;
    let settings = &options.settings(seed.unwrap_or(drawn))?;
    let sprt = options.sprt(settings)?;
    let schedule = Schedule::new(settings, options.shard());
    let names = settings.engines.iter().map(|engine| engine.name.clone());
    let mut standings = Standings::new(names.collect(), schedule.pairings().to_vec());
    let mut played = BTreeSet::new();
    let mut store =
        ResultsFile::open(&options.out, settings, options.shard(), |game| match played
            .insert(game.game)
        {
            true => standings.add(&game),
            false => Err(format!("game {} is recorded twice", game.game)),
        })?;
    let mut sgf_writer = sgf_writer(options, settings)?;
    let left = schedule
        .games()
        .filter(|scheduled| !played.contains(&scheduled.game));
    let guard = Arc::new(ProcessGuard::with_watchdog(watchdog_command()?)?);
    let interrupted = end_on_signals(&guard)?;
    let progress = Progress::new(schedule.len(), standings.played(), sprt);
    progress.show(&standings);
    let outcome: CliResult = match decided(sprt.as_ref(), &standings) {
        true => Ok(()),
        false => runner::run(settings, left, options.concurrency.into(), &guard, |game| {
            store.append(&game)?;
            standings.add(&game).map_err(Error::Failure)?;
            progress.game(&game, &standings);
            if let Some(sgf_writer) = &mut sgf_writer {
                sgf_writer.add(settings, &game)?;
            }
            Ok(match decided(sprt.as_ref(), &standings) {
                true => Continuation::Stop,
                false => Continuation::Continue,
            })
        }),
    };
    progress.close();
    store.close()?;
    outcome?;
    print(&table::render(&standings, sprt.as_ref()))?;
    if let Some(path) = &options.report {
        report(std::slice::from_ref(&options.out), path)?;
    }
    match interrupted.load(Ordering::Relaxed) {
        true => Err(Error::Interrupted),
        false => Ok(()),
    }
}

/// Opens the SGF files and writes the games that are played already.
fn sgf_writer(options: &MatchOptions, settings: &Settings) -> Result<Option<SgfWriter>, Error> {
    let Some(path) = &options.sgf else {
        return Ok(None);
    };
    let mut sgf_writer = SgfWriter::open(path)?;
    let results = results_file::open_to_read(&options.out)?;
    results_file::read(&options.out, &results, |line| match line.entry {
        ResultsLine::Header(_) => Ok(()),
        ResultsLine::Game(game) => {
            let added = sgf_writer.add(settings, &game);
            added.map_err(|error| error.to_string())
        }
    })?;
    Ok(Some(sgf_writer))
}

/// Whether the SPRT is decided.
fn decided(sprt: Option<&Sprt>, standings: &Standings) -> bool {
    let pairing = standings.pairing_stats.first();
    let decision = sprt
        .zip(pairing)
        .map(|(sprt, pairing)| sprt.decide(&pairing.pairs));
    decision.is_some_and(|decision| decision != Decision::Open)
}

/// The command that starts the watchdog: this program.
fn watchdog_command() -> Result<Command, Error> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["match", "watchdog"]);
    Ok(command)
}

/// The first signal kills the engines and so ends the match; the second ends the process,
/// and the watchdog kills the engines.
fn end_on_signals(guard: &Arc<ProcessGuard>) -> Result<Arc<AtomicBool>, Error> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let (flag, guard) = (interrupted.clone(), guard.clone());
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        guard.kill_all();
    };
    let set = ctrlc::set_handler(handler);
    set.map_err(|error| Error::Failure(error.to_string()))?;
    Ok(interrupted)
}

fn merge(files: &[PathBuf], out: Option<PathBuf>) -> CliResult {
    let merged = merge::merge(files)?;
    if let Some(path) = out {
        let to_error = |error: io::Error| Error::Failure(format!("{}: {error}", path.display()));
        let file = File::create_new(&path).map_err(to_error)?;
        merged.write(BufWriter::new(file)).map_err(to_error)?;
    }
    print(&table::render(&merged.standings, None))?;
    match merged.missing.as_slice() {
        [] => Ok(()),
        missing => Err(Error::Failure(format!(
            "{} games are missing: {}",
            missing.len(),
            merge::ranges(missing)
        ))),
    }
}

fn report(files: &[PathBuf], out: &Path) -> CliResult {
    let to_error =
        |error: &dyn std::fmt::Display| Error::Failure(format!("{}: {error}", out.display()));
    let merged = merge::merge(files)?;
    let mut report = HtmlReport::default();
    merged.games(|game| report.add(&merged.standings, game))?;
    let html = report.html(&merged.header, &merged.standings);
    let html = html.map_err(|error| to_error(&error))?;
    std::fs::write(out, html).map_err(|error| to_error(&error))
}
