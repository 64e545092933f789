//! Matches: playing them, and joining their parts.

mod options;
mod progress;

use super::{Error, Outcome, print};
use crate::arena::keeper::{self, Keeper};
use crate::arena::merge::{self, MergeError};
use crate::arena::record::Entry;
use crate::arena::report::Report;
use crate::arena::runner::{self, Next, RunError};
use crate::arena::schedule::Schedule;
use crate::arena::sgf::{Album, SgfError};
use crate::arena::standings::Standings;
use crate::arena::stats::{Decision, Sprt};
use crate::arena::store::{self, Store, StoreError};
use crate::arena::table;
use clap::{Args, Subcommand};
use options::{MatchOptions, Plan};
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

/// A match, or what is done with its results.
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
    /// Join files of results of the same match, in any order, and say what is missing
    ///
    /// The exit status is 0 if no game is missing, 1 otherwise.
    Merge {
        /// Files of results
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the joined results to this file
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Draw a page about a match from its files of results: HTML that needs nothing else
    Report {
        /// Files of results, in any order
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Write the page to this file
        #[arg(long, value_name = "FILE", default_value = "report.html")]
        out: PathBuf,
    },
    /// End engines that the match leaves behind
    #[command(hide = true)]
    Guard,
}

/// Carries out the command.
pub fn run(command: MatchCommand) -> Outcome {
    match command.command {
        None => play(command.options.completed()?),
        Some(MatchSubcommand::Merge { files, out }) => merge(&files, out),
        Some(MatchSubcommand::Report { files, out }) => report(&files, &out),
        Some(MatchSubcommand::Guard) => {
            keeper::guard(io::stdin().lock());
            Ok(())
        }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::OtherMatch { .. } => Error::Usage(error.to_string()),
            error => Error::Failure(error.to_string()),
        }
    }
}

impl From<SgfError> for Error {
    fn from(error: SgfError) -> Self {
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

fn play(options: MatchOptions) -> Outcome {
    let before = store::header_of(&options.out())?;
    let seed = before.and_then(|header| header.settings.get("seed")?.as_u64());
    let drawn = RandomState::new().build_hasher().finish() >> 11;
    let plan = options.plan(seed.unwrap_or(drawn))?;
    let settings = &plan.settings;
    let schedule = Schedule::new(settings, plan.shard);
    let names = settings.engines.iter().map(|engine| engine.name.clone());
    let mut standings = Standings::new(names.collect(), schedule.pairings().to_vec());
    let mut played = BTreeSet::new();
    let mut store = Store::open(&plan.out, settings, plan.shard, |game| {
        match played.insert(game.game) {
            true => standings.add(&game),
            false => Err(format!("game {} is there twice", game.game)),
        }
    })?;
    let mut album = album(&plan)?;
    let left = schedule.slots().filter(|slot| !played.contains(&slot.game));
    let keeper = Arc::new(Keeper::with_guard(guard()?)?);
    let interrupted = end_on_signals(&keeper)?;
    let progress = Progress::new(schedule.len(), standings.played(), plan.sprt);
    progress.show(&standings);
    let outcome: Outcome = match decided(plan.sprt.as_ref(), &standings) {
        true => Ok(()),
        false => runner::run(settings, left, plan.concurrency, &keeper, |game| {
            store.append(&game)?;
            standings.add(&game).map_err(Error::Failure)?;
            progress.game(&game, &standings);
            if let Some(album) = &mut album {
                album.add(settings, &game)?;
            }
            Ok(match decided(plan.sprt.as_ref(), &standings) {
                true => Next::Stop,
                false => Next::Go,
            })
        }),
    };
    progress.close();
    store.close()?;
    outcome?;
    print(&table::render(&standings, plan.sprt.as_ref()))?;
    if let Some(path) = &plan.report {
        report(&[plan.out], path)?;
    }
    match interrupted.load(Ordering::Relaxed) {
        true => Err(Error::Interrupted),
        false => Ok(()),
    }
}

/// Where SGF files go, with those of the games that are played already.
fn album(plan: &Plan) -> Result<Option<Album>, Error> {
    let Some(path) = &plan.sgf else {
        return Ok(None);
    };
    let mut album = Album::open(path)?;
    let results = store::open_to_read(&plan.out)?;
    store::read(&plan.out, &results, |line| match line.entry {
        Entry::Header(_) => Ok(()),
        Entry::Game(game) => {
            let added = album.add(&plan.settings, &game);
            added.map_err(|error| error.to_string())
        }
    })?;
    Ok(Some(album))
}

/// Whether the sequential test is over.
fn decided(sprt: Option<&Sprt>, standings: &Standings) -> bool {
    let duel = standings.duels.first();
    let decision = sprt.zip(duel).map(|(sprt, duel)| sprt.decide(&duel.pairs));
    decision.is_some_and(|decision| decision != Decision::Open)
}

/// The command that starts the guard: this program.
fn guard() -> Result<Command, Error> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["match", "guard"]);
    Ok(command)
}

/// The first signal ends the engines, and with them the match; the second ends
/// the program, and the guard the engines.
fn end_on_signals(keeper: &Arc<Keeper>) -> Result<Arc<AtomicBool>, Error> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let (flag, keeper) = (interrupted.clone(), keeper.clone());
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        keeper.end_all();
    };
    let set = ctrlc::set_handler(handler);
    set.map_err(|error| Error::Failure(error.to_string()))?;
    Ok(interrupted)
}

fn merge(files: &[PathBuf], out: Option<PathBuf>) -> Outcome {
    let joined = merge::join(files)?;
    if let Some(path) = out {
        let complain = |error: io::Error| Error::Failure(format!("{}: {error}", path.display()));
        let file = File::create_new(&path).map_err(complain)?;
        joined.write(BufWriter::new(file)).map_err(complain)?;
    }
    print(&table::render(&joined.standings, None))?;
    match joined.missing.as_slice() {
        [] => Ok(()),
        missing => Err(Error::Failure(format!(
            "{} games are missing: {}",
            missing.len(),
            merge::ranges(missing)
        ))),
    }
}

fn report(files: &[PathBuf], out: &Path) -> Outcome {
    let complain =
        |error: &dyn std::fmt::Display| Error::Failure(format!("{}: {error}", out.display()));
    let joined = merge::join(files)?;
    let mut report = Report::default();
    joined.games(|game| report.add(&joined.standings, game))?;
    let html = report.html(&joined.header, &joined.standings);
    let html = html.map_err(|error| complain(&error))?;
    std::fs::write(out, html).map_err(|error| complain(&error))
}
