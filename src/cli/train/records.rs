//! `kawari train records`: training games from recorded games and labels.

use super::sources::{peek, record_of};
use crate::cli::options::VariantOption;
use crate::cli::progress::Progress;
use crate::cli::{CliResult, Error, cores, print};
use crate::encoding::Encoding;
use crate::referee::{Defaults, InputFile, InputFiles, OpenError, RecordedGame, RecordedGames};
use crate::rules::{Setup, VariantInfo};
use crate::train::data_file::GameWriter;
use crate::train::game::TrainingGame;
use crate::train::label::{self, has_labels};
use crate::train::records::RecordSettings;
use crate::workers;
use clap::Args;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Args)]
pub struct RecordsOptions {
    /// SGF files and directories of them, of one or many games, and files of labels,
    /// optionally compressed by gzip; `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    game: VariantOption,
    /// Learn the games by this rule instead of their own, such as scoring=area; may be repeated
    #[arg(long = "rule", value_name = "KEY=VALUE", value_parser = rule)]
    rules: Vec<(String, String)>,
    /// Leave out games with fewer turns
    #[arg(long, value_name = "N", default_value = "20")]
    min_turns: usize,
    /// Name all omitted games, not only the first ten
    #[arg(long)]
    verbose: bool,
    /// Files read at the same time [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = crate::cli::options::threads())]
    threads: Option<u16>,
    /// Write the games to this new file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl RecordsOptions {
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }
}

/// Maximum number of excluded games that are named.
const NAMED: usize = 10;

pub fn run(options: &RecordsOptions) -> CliResult {
    let (out, variant) = (&options.out, options.game.variant);
    let mut writer = GameWriter::open(out, variant).map_err(Error::Failure)?;
    if writer.games() > 0 {
        return Err(Error::in_file(out)("already holds games"));
    }
    let reader = Reader {
        threads: options.threads(),
        defaults: Defaults {
            setup: Setup::new(variant),
            encoding: Encoding::Native,
            chosen_rules: None,
        },
        settings: RecordSettings {
            variant: variant.id,
            rules: options.rules.clone(),
            min_turns: options.min_turns,
        },
        variant,
    };
    let mut tally = Tally::new(options.verbose);
    let mut take = |place: &str, game: Result<TrainingGame, String>| {
        let game = tally.add(place, game);
        game.map_or(Ok(()), |game| writer.append(&game).map_err(Error::Failure))
    };
    for path in &options.paths {
        reader.read(path, &mut take)?;
    }
    tally.finish()
}

/// Takes a place in the files, and its game or why it is excluded.
type Take<'a> = dyn FnMut(&str, Result<TrainingGame, String>) -> CliResult + 'a;

struct Reader {
    threads: usize,
    defaults: Defaults,
    settings: RecordSettings,
    variant: &'static VariantInfo,
}

impl Reader {
    fn read(&self, path: &Path, take: &mut Take<'_>) -> CliResult {
        let mut number = 0;
        for file in InputFiles::new(vec![path.to_owned()]) {
            let (name, opened) = match file {
                Ok(file) => (file.name.clone(), peek(file)),
                Err(OpenError { name, error }) => (name, Err(error)),
            };
            match opened {
                Err(error) => take(&name, Err(error.to_string()))?,
                Ok((head, file)) => {
                    if has_labels(&head) {
                        self.labels(file, take)?
                    } else {
                        self.records(file, &mut number, take)?
                    }
                }
            }
        }
        Ok(())
    }

    /// `number` is that of the next game.
    fn records(&self, file: InputFile, number: &mut u32, take: &mut Take<'_>) -> CliResult {
        let name = file.name.clone();
        let records = match RecordedGames::from_file(file, None, &self.defaults) {
            Ok(records) => records,
            Err(error) => return take(&name, Err(error.to_string())),
        };
        let work = |record: RecordedGame| {
            let place = format!("{}:{}: game {}", record.file, record.line, record.game);
            (place, self.game(&record))
        };
        workers::run_in_order(
            self.threads,
            records,
            || &work,
            |(place, game)| {
                let game = game.map(|game| TrainingGame { index: Some(*number), ..game });
                *number += 1;
                take(&place, game)
            },
        )
    }

    fn game(&self, record: &RecordedGame) -> Result<TrainingGame, String> {
        let record = record_of(record, &self.defaults)?;
        self.settings.game(&record)
    }

    fn labels(&self, file: InputFile, take: &mut Take<'_>) -> CliResult {
        let lines = BufReader::new(file.bytes).lines().zip(1..);
        let work = |(line, number): (io::Result<String>, u64)| {
            let line = line.map_err(|error| error.to_string());
            (number, line.and_then(|line| label::read(&line, self.variant)).transpose())
        };
        workers::run_in_order(
            self.threads,
            lines,
            || &work,
            |(number, game)| match game {
                Some(game) => take(&format!("{}:{number}", file.name), game),
                None => Ok(()),
            },
        )
    }
}

struct Tally {
    games: usize,
    labels: usize,
    positions: usize,
    with_result: usize,
    counted: usize,
    with_owners: usize,
    left_out: usize,
    named: usize,
    progress: Progress,
}

impl Tally {
    fn new(verbose: bool) -> Tally {
        Tally {
            games: 0,
            labels: 0,
            positions: 0,
            with_result: 0,
            counted: 0,
            with_owners: 0,
            left_out: 0,
            named: if verbose { usize::MAX } else { NAMED },
            progress: Progress::spinner(),
        }
    }

    fn add(&mut self, place: &str, game: Result<TrainingGame, String>) -> Option<TrainingGame> {
        match game {
            Ok(game) => {
                self.games += 1;
                self.labels += usize::from(game.label.is_some());
                self.positions += game.steps.len();
                self.with_result += usize::from(game.result.is_some());
                self.counted += usize::from(game.half_points.is_some());
                self.with_owners += usize::from(!game.ownership.is_empty());
                self.progress.show(self.games as u64, &format!("{} games", self.games));
                Some(game)
            }
            Err(why) => {
                self.left_out += 1;
                if self.left_out <= self.named {
                    let line = format!("{place}: left out: {why}");
                    self.progress.line(&line.replace('\n', "\\n"));
                }
                None
            }
        }
    }

    fn finish(self) -> CliResult {
        self.progress.close();
        print(&format!(
            "{} games, {} positions; {} with a result, {} counted, {} with owners; {} labels; {} left out",
            self.games - self.labels,
            self.positions - self.labels,
            self.with_result,
            self.counted,
            self.with_owners,
            self.labels,
            self.left_out,
        ))?;
        if self.games == 0 {
            return Err(Error::Failure("no game to learn from".to_owned()));
        }
        Ok(())
    }
}

fn rule(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}
