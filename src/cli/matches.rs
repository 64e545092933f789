//! `kawari match`: plays matches, merges shards, writes reports.

mod options;
mod progress;

use super::output::{ForceOption, OutputFile};
use super::progress::Progress;
use super::signals::Interruption;
use super::{CliResult, Error, print};
use crate::arena::html_report::{self, HtmlReport};
use crate::arena::merge;
use crate::arena::process_guard::{self, ProcessGuard};
use crate::arena::results::{MatchGame, ResultsLine};
use crate::arena::results_file::{self, ResultsFile, ResultsFileError};
use crate::arena::runner;
use crate::arena::schedule::Schedule;
use crate::arena::settings::Settings;
use crate::arena::sgf_writer::SgfWriter;
use crate::arena::standings::Standings;
use crate::arena::stats::{Decision, Sprt};
use crate::arena::table;
use crate::files::{FileError, NewFile, Replace};
use crate::workers::Continuation;
use clap::{Args, Subcommand};
use options::MatchOptions;
use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
        #[command(flatten)]
        force: ForceOption,
    },
    /// Write a report of a match from its results files: a self-contained HTML page
    Report {
        /// Results files, in any order
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the report to this file
        #[arg(long, value_name = "FILE", default_value = "report.html")]
        out: PathBuf,
        #[command(flatten)]
        force: ForceOption,
    },
    /// Kill the engines of a match whose process has disappeared
    #[command(hide = true)]
    Watchdog,
    /// Become an engine when a match confirms it
    #[command(hide = true)]
    Launch {
        /// The command line of the engine
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
}

/// Reads a match file; `seed` is the default.
pub fn settings_of_text(text: &str, seed: u64) -> Result<Settings, String> {
    MatchOptions::from_config_text(text)?.settings(seed)
}

pub fn run(command: MatchCommand) -> CliResult {
    match command.command {
        None => play(&command.options.with_config_file(std::env::args_os().skip(2))?),
        Some(MatchSubcommand::Merge { files, out, force }) => {
            let out = out.as_deref();
            merge(&files, out.map(|path| force.file("--out", path, Replace::Nothing)))
        }
        Some(MatchSubcommand::Report { files, out, force }) => {
            report(&files, page("--out", &out, force))
        }
        Some(MatchSubcommand::Watchdog) => {
            process_guard::watchdog(io::stdin().lock());
            Ok(())
        }
        Some(MatchSubcommand::Launch { words }) => Ok(process_guard::launch(&words)?),
    }
}

impl From<ResultsFileError> for Error {
    fn from(error: ResultsFileError) -> Self {
        match error {
            ResultsFileError::OtherMatch { .. } => Error::Usage(error.to_string()),
            ResultsFileError::File(error) => Error::Failure(error),
        }
    }
}

/// The games of a match, and the test that may end it.
struct Played {
    games: BTreeSet<u64>,
    standings: Standings,
    sprt: Option<Sprt>,
}

impl Played {
    fn add(&mut self, game: &MatchGame) -> Result<(), String> {
        if self.games.insert(game.game) {
            self.standings.add(game)
        } else {
            Err(format!("game {} is recorded twice", game.game))
        }
    }

    fn summary(&self) -> String {
        progress::summary(&self.standings, self.sprt.as_ref())
    }

    fn continuation(&self) -> Continuation {
        let pairing = self.standings.pairing_stats.first();
        let decision = self.sprt.zip(pairing).map(|(sprt, pairing)| sprt.decide(&pairing.pairs));
        match decision {
            None | Some(Decision::Open) => Continuation::Continue,
            Some(Decision::H0 | Decision::H1) => Continuation::Stop,
        }
    }
}

fn play(options: &MatchOptions) -> CliResult {
    if let Some(path) = &options.report {
        page("--report", path, options.force).check()?;
    }
    let settings = &settings_to_continue(options)?;
    let schedule = Schedule::new(settings, options.shard());
    let names = settings.engines.iter().map(|engine| engine.name.clone());
    let mut played = Played {
        games: BTreeSet::new(),
        standings: Standings::new(names.collect(), schedule.pairings().to_vec()),
        sprt: options.sprt(settings)?,
    };
    let store =
        ResultsFile::open(&options.out, settings, options.shard(), |game| played.add(&game))?;
    let sgf = options.sgf.as_deref().map(|path| sgf_writer(path, options, settings));
    let sgf_writer = sgf.transpose().map_err(Error::Failure)?;
    let guard = Arc::new(ProcessGuard::with_watchdog(&this_program()?)?);
    let of_signal = guard.clone();
    // Without engines the match ends. After a second signal the watchdog kills them.
    let interruption = Interruption::on_signals(move |_| of_signal.kill_all())?;
    run_games(options, settings, &schedule, &mut played, (store, sgf_writer), &guard)
        .map_err(Error::Failure)?;
    print(&table::render(&played.standings, played.sprt.as_ref()))?;
    if let Some(path) = &options.report {
        report(std::slice::from_ref(&options.out), page("--report", path, options.force))?;
    }
    let (games, path) = (played.standings.played(), options.out.display());
    interruption
        .outcome(&format!("{path} has {games} games, and the same command continues from there"))
}

/// The seed of an existing results file is the default.
fn settings_to_continue(options: &MatchOptions) -> Result<Settings, Error> {
    let before = options.out.is_file().then(|| results_file::header_of(&options.out));
    let before = before.transpose().map_err(Error::Failure)?.flatten();
    let seed = before.and_then(|header| header.settings.get("seed")?.as_u64());
    let drawn = RandomState::new().build_hasher().finish() >> 11;
    Ok(options.settings(seed.unwrap_or(drawn))?)
}

/// Writes each game as it ends.
fn run_games(
    options: &MatchOptions,
    settings: &Settings,
    schedule: &Schedule,
    played: &mut Played,
    (mut store, mut sgf_writer): (ResultsFile, Option<SgfWriter>),
    guard: &Arc<ProcessGuard>,
) -> Result<(), String> {
    let progress = Progress::new(schedule.game_count(), played.standings.played());
    progress.show(played.standings.played(), &played.summary());
    let before = played.games.clone();
    let left = schedule.games().filter(|scheduled| !before.contains(&scheduled.game));
    let outcome = match played.continuation() {
        Continuation::Stop => Ok(()),
        Continuation::Continue => {
            runner::run(settings, left, options.concurrency.into(), guard, |game| {
                store.append(&game)?;
                played.add(&game)?;
                let is_remarkable = game.detail.is_some() || game.disagreement;
                let (count, line) = (played.standings.played(), progress::line(&game));
                progress.step(count, &line, is_remarkable, &played.summary());
                if let Some(sgf_writer) = &mut sgf_writer {
                    sgf_writer.add(settings, &game)?;
                }
                Ok(played.continuation())
            })
        }
    };
    progress.close();
    store.close().and(outcome)
}

/// Also writes the games that were played before.
fn sgf_writer(
    path: &Path,
    options: &MatchOptions,
    settings: &Settings,
) -> Result<SgfWriter, String> {
    let force = options.force.is_given();
    SgfWriter::open(path, settings, force, |add| {
        results_file::read(&options.out, |line, _| match line {
            ResultsLine::Header(_) => Ok(()),
            ResultsLine::Game(game) => add(&game),
        })
    })
}

/// A new report replaces an earlier one.
fn page<'p>(option: &'static str, path: &'p Path, force: ForceOption) -> OutputFile<'p> {
    force.file(option, path, Replace::Containing(html_report::MARK))
}

/// The path of this program, to start it again.
fn this_program() -> io::Result<PathBuf> {
    // Stays valid if the file is replaced during the match.
    let running = Path::new("/proc/self/exe");
    if cfg!(target_os = "linux") && running.exists() {
        Ok(running.to_owned())
    } else {
        std::env::current_exe()
    }
}

fn merge(files: &[PathBuf], out: Option<OutputFile<'_>>) -> CliResult {
    // Fails before reading if the file must not be replaced.
    let new = out.map(|out| Ok::<_, Error>((out, out.create()?))).transpose()?;
    let merged = merge::merge(files).map_err(Error::Failure)?;
    if let Some((out, file)) = new {
        let mut file = BufWriter::new(file);
        let written = merged.write(&mut file);
        let file = written.and_then(|()| file.into_inner().map_err(|error| error.into_error()));
        let written = file.map_err(FileError::from).and_then(NewFile::commit);
        written.map_err(|error| out.error(&error))?;
    }
    print(&table::render(&merged.standings, None))?;
    match merged.missing.as_slice() {
        [] => Ok(()),
        missing => Err(Error::Failure(format!(
            "{} games are missing: {}",
            missing.iter().map(|range| range.end() - range.start() + 1).sum::<u64>(),
            merge::words(missing)
        ))),
    }
}

fn report(files: &[PathBuf], out: OutputFile<'_>) -> CliResult {
    out.check()?;
    let merged = merge::merge(files).map_err(Error::Failure)?;
    let mut report = HtmlReport::default();
    for game in merged.games() {
        report.add(&merged.standings, &game);
    }
    let html = report
        .html(&merged.header, &merged.standings)
        .map_err(|error| out.error(&io::Error::other(error).into()))?;
    out.write(html.as_bytes())
}
