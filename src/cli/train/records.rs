//! `kawari train records`: games to learn from out of recorded games.

use crate::cli::options::VariantParser;
use crate::cli::{CliResult, Error, pool, print};
use crate::encoding::Encoding;
use crate::printable::printable;
use crate::referee::{Defaults, GameSource, RecordedGame, RecordedGames};
use crate::rules::{Setup, VariantInfo};
use crate::sgf::{self, GameRecord};
use crate::train::data_file::GameWriter;
use crate::train::game::TrainingGame;
use crate::train::records::{RecordSettings, UnusableRecord};
use clap::Args;
use indicatif::ProgressBar;
use rayon::prelude::*;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

/// The options of `kawari train records`.
#[derive(Clone, Debug, Args)]
pub struct RecordsOptions {
    /// SGF files and directories of them, compressed by gzip or not; each may hold many games
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    /// The variant
    #[arg(long, value_name = "ID", default_value = "go", value_parser = VariantParser, hide_possible_values = true)]
    variant: &'static VariantInfo,
    /// Learn the games by this rule instead of their own, such as scoring=area; may be repeated
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = rule)]
    rules: Vec<(String, String)>,
    /// Leave out games of fewer turns
    #[arg(long, value_name = "N", default_value_t = 20)]
    least_turns: usize,
    /// Name all games that are left out, not only the first ten
    #[arg(long)]
    verbose: bool,
    /// Threads [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Write the games to this new file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Games that are read before they are replayed, by all threads.
const BATCH: usize = 512;

/// Games that are left out and named.
const NAMED: usize = 10;

/// Reads the records and writes the games.
pub fn run(options: &RecordsOptions) -> CliResult {
    let failure = |error: &dyn std::fmt::Display| {
        Error::Failure(format!("{}: {error}", options.out.display()))
    };
    let mut writer =
        GameWriter::open(&options.out, options.variant).map_err(|error| failure(&error))?;
    if writer.games() > 0 {
        return Err(failure(&"already holds games"));
    }
    let defaults = Defaults { setup: Setup::new(options.variant), encoding: Encoding::Native };
    let settings = RecordSettings {
        variant: options.variant.id,
        rules: options.rules.clone(),
        least_turns: options.least_turns,
    };
    let mut records = RecordedGames::new(options.paths.clone(), None, &defaults);
    let mut tally = Tally::new(options.verbose);
    let pool = pool(options.threads.map_or(0, usize::from))?;
    loop {
        let batch: Vec<RecordedGame> = records.by_ref().take(BATCH).collect();
        if batch.is_empty() {
            break;
        }
        let read = |record: &RecordedGame| game(record, &defaults, &settings);
        let games: Vec<_> = pool.install(|| batch.par_iter().map(read).collect());
        for (record, game) in batch.iter().zip(games) {
            if let Some(game) = tally.add(record, game) {
                writer.append(&game).map_err(|error| failure(&error))?;
            }
        }
    }
    tally.finish()
}

/// The game of a record, or why it is left out.
fn game(
    record: &RecordedGame,
    defaults: &Defaults,
    settings: &RecordSettings,
) -> Result<TrainingGame, String> {
    let text = match &record.source {
        GameSource::Sgf(text) => text,
        GameSource::Unreadable(why) => return Err(why.verdict.to_string()),
        GameSource::MatchRecord(_) | GameSource::Transcript(_) => return Err("no SGF".to_owned()),
    };
    let tree = match sgf::games(text).next() {
        Some(tree) => tree.map_err(|error| error.to_string())?,
        None => return Err(sgf::ParseErrorKind::NoGame.to_string()),
    };
    let defaults = sgf::FileDefaults { setup: &defaults.setup, encoding: defaults.encoding };
    let read = GameRecord::read(&tree, defaults).map_err(UnusableRecord::from);
    let game = read.and_then(|record| settings.game(&record));
    game.map_err(|why| why.to_string())
}

/// What was found, and its display.
struct Tally {
    games: usize,
    positions: usize,
    with_result: usize,
    counted: usize,
    with_owners: usize,
    left_out: usize,
    /// How many of these are named.
    named: usize,
    bar: ProgressBar,
}

impl Tally {
    fn new(verbose: bool) -> Tally {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        bar.enable_steady_tick(Duration::from_millis(200));
        Tally {
            games: 0,
            positions: 0,
            with_result: 0,
            counted: 0,
            with_owners: 0,
            left_out: 0,
            named: if verbose { usize::MAX } else { NAMED },
            bar,
        }
    }

    /// Counts a record; its game if there is one.
    fn add(
        &mut self,
        record: &RecordedGame,
        game: Result<TrainingGame, String>,
    ) -> Option<TrainingGame> {
        match game {
            Ok(game) => {
                self.games += 1;
                self.positions += game.steps.len();
                self.with_result += usize::from(game.result.is_some());
                self.counted += usize::from(game.half_points.is_some());
                self.with_owners += usize::from(!game.ownership.is_empty());
                self.bar.set_message(format!("{} games", self.games));
                Some(game)
            }
            Err(why) => {
                self.left_out += 1;
                if self.left_out <= self.named {
                    self.name(record, &why);
                }
                None
            }
        }
    }

    fn name(&self, record: &RecordedGame, why: &str) {
        let place = format!("{}:{}: game {}", record.file, record.line, record.game);
        let line = format!("{place}: left out: {why}");
        let line = printable(&line).replace('\n', "\\n");
        // The work goes on when standard error is closed.
        self.bar.suspend(|| drop(writeln!(io::stderr(), "{line}")));
    }

    fn finish(self) -> CliResult {
        self.bar.finish_and_clear();
        print(&format!(
            "{} games, {} positions; {} with a result, {} counted, {} with owners; {} left out",
            self.games,
            self.positions,
            self.with_result,
            self.counted,
            self.with_owners,
            self.left_out,
        ))?;
        if self.games == 0 {
            return Err(Error::Failure("no game to learn from".to_owned()));
        }
        Ok(())
    }
}

/// Parses a rule and its value.
fn rule(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}
