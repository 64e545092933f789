//! `kawari match`: plays matches, merges shards, writes reports.

mod options;
mod progress;
mod report;

use super::output::ForceOption;
use super::progress::Progress;
use super::signals::Interruption;
use super::{CliResult, Error, print};
use crate::arena::matches::{self, Match};
use crate::arena::process_guard::{self, ProcessGuard};
use crate::arena::results_file::ResultsFileError;
use crate::arena::settings::Settings;
use crate::arena::table;
use clap::{Args, Subcommand};
use options::MatchOptions;
use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
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
}

/// Reads a match file; `seed` is the default.
pub fn settings_of_text(text: &str, seed: u64) -> Result<Settings, String> {
    MatchOptions::from_config_text(text)?.settings(seed)
}

pub fn run(command: MatchCommand) -> CliResult {
    match command.command {
        None => play(&command.options.with_config_file(std::env::args_os().skip(2))?),
        Some(MatchSubcommand::Merge { files, out, force }) => {
            report::merge(&files, out.as_deref(), force)
        }
        Some(MatchSubcommand::Report { files, out, force }) => {
            report::report(&files, "--out", &out, force)
        }
        Some(MatchSubcommand::Watchdog) => {
            process_guard::watchdog(io::stdin().lock());
            Ok(())
        }
    }
}

impl From<ResultsFileError> for Error {
    fn from(error: ResultsFileError) -> Self {
        match error {
            ResultsFileError::OtherMatch { .. } => {
                Error::Usage(format!("--out: {error} (--out FILE begins another)"))
            }
            ResultsFileError::File(error) => Error::Failure(error),
        }
    }
}

#[cfg(test)]
impl MatchCommand {
    /// The match; `seed` is the default.
    pub fn plan(&self, seed: u64) -> Result<crate::arena::matches::MatchPlan, String> {
        self.options.plan(seed)
    }
}

fn play(options: &MatchOptions) -> CliResult {
    if let Some(path) = &options.report {
        report::page("--report", path, options.force).check()?;
    }
    let plan = options.plan(matches::seed_for(&options.out).map_err(Error::Failure)?)?;
    let sprt = plan.sprt;
    let mut played = Match::open(plan)?;
    let guard = Arc::new(ProcessGuard::with_watchdog(&process_guard::own_program()?)?);
    let of_signal = guard.clone();
    // Without engines the match ends. After a second signal the watchdog kills them.
    let interruption = Interruption::on_signals(move |_| of_signal.kill_all())?;
    let before = played.standings().played();
    let progress = Progress::new(played.game_count(), before);
    progress.show(before, &progress::summary(played.standings(), sprt.as_ref()));
    let mut warned = BTreeSet::new();
    let outcome = played.run(&guard, |game, standings| {
        for color in &game.without_lead {
            let name = &game.player(*color).name;
            if warned.insert(name.clone()) {
                progress.line(&format!(
                    "warning: engine '{name}' reports no lead, so its games are not adjudicated"
                ));
            }
        }
        let is_remarkable = game.detail.is_some() || game.disagreement;
        let summary = progress::summary(standings, sprt.as_ref());
        progress.step(standings.played(), &progress::line(game), is_remarkable, &summary);
    });
    progress.close();
    let standings = played.close().and_then(|standings| outcome.map(|()| standings));
    let standings = standings.map_err(Error::Failure)?;
    print(&table::render(&standings, sprt.as_ref()))?;
    let (games, path) = (standings.played(), options.out.display());
    if let Some(report) = options.report.as_deref().filter(|_| games > 0) {
        report::report(std::slice::from_ref(&options.out), "--report", report, options.force)?;
    }
    let games = table::counted(games, "game");
    interruption.outcome(&format!("{path} has {games}, and the same command continues from there"))
}
