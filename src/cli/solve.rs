//! `kawari solve`: exact values.

use super::options::GameOptions;
use super::signals::Interruption;
use super::{CliResult, Error, cores, print, progress};
use crate::files::{self, Replace};
use crate::rules::{Game, GameResult, Setup, SetupRecord, Turn};
use crate::solve::{Checkpoint, Solution, SolveObserver, SolveSettings, solve_on};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Args)]
pub struct SolveOptions {
    #[command(flatten)]
    pub game: GameOptions,
    /// Turns before the position to solve, separated by commas: "B2, pass, nuke B2"
    #[arg(long, value_name = "TURNS", default_value = "", hide_default_value = true)]
    turns: String,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
    /// Megabytes for the tables
    #[arg(long, value_name = "MB", allow_negative_numbers = true, default_value = "1024",
        value_parser = super::options::megabytes())]
    memory: u32,
    /// Searches at the same time; more than 2 do not help [default: the number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::options::threads())]
    threads: Option<u16>,
    /// Stop after this time and print the proven bounds [default: never]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = super::options::seconds)]
    pub time: Option<Duration>,
    /// Save proven bounds to this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
}

const SAVE_INTERVAL: Duration = Duration::from_secs(60);

const SHOW_INTERVAL: Duration = Duration::from_secs(10);

/// After a signal, prints the proven bounds.
pub fn run(options: &SolveOptions) -> CliResult {
    let setup = options.game.setup()?;
    let game = options.position(&setup)?;
    let (start, name) = (Instant::now(), name(&setup, &options.turns));
    let file = options.checkpoint.as_deref();
    let checkpoint = file.map(|path| read(path, &name)).transpose()?.flatten();
    file.map_or(Ok(()), check_writable)?;
    let interruption = Interruption::begin()?;
    let settings = options.settings();
    let deadline = options.time.and_then(|time| start.checked_add(time));
    let is_late = || deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let should_stop = || interruption.has_come() || is_late();
    let mut observer = Observer { file, name, shown: start, saved: start, failure: None };
    let solution = solve_on(&game, settings, checkpoint, &should_stop, &mut observer);
    if options.json {
        print(&to_json(&game, &solution).to_string())?
    } else {
        print(&in_words(&game, &solution))?
    }
    observer.failure.map_or(Ok(()), Err)?;
    interruption.outcome("all printed bounds are proven")?;
    if solution.value().is_none() && !solution.is_endless {
        Err(Error::Exit(UNPROVEN))
    } else {
        Ok(())
    }
}

/// The exit status without a proof, after the time limit.
const UNPROVEN: u8 = 3;

/// Shows progress, and saves checkpoints to a file.
struct Observer<'a> {
    file: Option<&'a Path>,
    name: String,
    shown: Instant,
    saved: Instant,
    failure: Option<Error>,
}

impl SolveObserver for Observer<'_> {
    fn observe(&mut self, solution: &Solution) -> bool {
        if self.shown.elapsed() >= SHOW_INTERVAL {
            self.shown = Instant::now();
            progress::line(&bounds(solution));
        }
        self.file.is_some() && self.saved.elapsed() >= SAVE_INTERVAL
    }

    fn keeps_the_last(&self) -> bool {
        self.file.is_some()
    }

    fn keep(&mut self, checkpoint: &Checkpoint) {
        self.saved = Instant::now();
        if let Some(path) = self.file {
            self.failure = write(path, &self.name, checkpoint).err();
        }
    }
}

impl SolveOptions {
    pub fn settings(&self) -> SolveSettings {
        SolveSettings {
            memory: (self.memory as usize) << 20,
            threads: self.threads.map_or_else(cores, usize::from),
            ..SolveSettings::default()
        }
    }

    fn position(&self, setup: &Setup) -> Result<Game, Error> {
        let mut game = Game::new(setup)?;
        let turns = self.turns.split(',').map(str::trim);
        for words in turns.filter(|words| !words.is_empty()) {
            let wrong = |why: String| Error::Usage(format!("--turns: {words}: {why}"));
            let action = game.parse(words).map_err(|error| wrong(error.to_string()))?;
            let outcome = game.apply(game.to_move(), &action);
            outcome.map_err(|error| wrong(error.to_string()))?;
        }
        Ok(game)
    }
}

/// Black's margin; null if the result has no margin.
fn points(result: Option<GameResult>) -> Value {
    match result {
        Some(GameResult::Points(margin)) if margin.fract() == 0.0 => json!(margin as i64),
        Some(GameResult::Points(margin)) => json!(margin),
        _ => Value::Null,
    }
}

fn to_json(game: &Game, solution: &Solution) -> Value {
    json!({
        "value": points(solution.value()),
        "result": solution.value().map(|result| result.to_string()),
        "exact": solution.value().is_some(),
        "low": points(solution.low),
        "high": points(solution.high),
        "endless": solution.is_endless,
        "best": written(game, &solution.best),
        "best_complete": solution.best_is_complete,
        "pv": written(game, &solution.pv),
        "positions": solution.positions,
    })
}

fn written(game: &Game, turns: &[Turn]) -> Vec<String> {
    turns.iter().map(|turn| game.write(turn)).collect()
}

fn bounds(solution: &Solution) -> String {
    let result = |of: Option<GameResult>| of.unwrap_or(GameResult::Unknown);
    let positions = solution.positions;
    match solution.value() {
        Some(value) => format!("{value}, {positions} positions"),
        None => format!(
            "between {} and {}, {positions} positions",
            result(solution.low),
            result(solution.high)
        ),
    }
}

fn in_words(game: &Game, solution: &Solution) -> String {
    let mut text = bounds(solution);
    if solution.is_endless {
        text += "\nneither side can force more: play could go on for ever";
    }
    for (name, turns) in [("best", &solution.best), ("line", &solution.pv)] {
        if !turns.is_empty() {
            text += &format!("\n{name}: {}", written(game, turns).join(", "));
        }
    }
    text
}

fn name(setup: &Setup, turns: &str) -> String {
    format!("{} {turns}", SetupRecord::new(setup))
}

const MAGIC: &[u8] = b"kawariSV2";

fn check_writable(path: &Path) -> CliResult {
    files::check_writable(path, Replace::Beginning(MAGIC)).map_err(Error::in_file(path))
}

fn write(path: &Path, name: &str, checkpoint: &Checkpoint) -> CliResult {
    let body = postcard::to_stdvec(&(name, checkpoint)).map_err(Error::in_file(path))?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(crc32fast::hash(&body).to_le_bytes());
    bytes.extend(body);
    files::write(path, &bytes, Replace::Beginning(MAGIC)).map_err(Error::in_file(path))
}

/// `None` if there is no file.
fn read(path: &Path, name: &str) -> Result<Option<Checkpoint>, Error> {
    if !path.exists() {
        return Ok(None);
    }
    let wrong = |why: &dyn std::fmt::Display| Error::Usage(format!("{}: {why}", path.display()));
    let bytes = files::read(path).map_err(|error| wrong(&error))?;
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(|| wrong(&"not a checkpoint"))?;
    let damaged = || wrong(&"damaged or cut short");
    let (sum, body) = rest.split_first_chunk().ok_or_else(damaged)?;
    if crc32fast::hash(body) != u32::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let (of, checkpoint): (String, Checkpoint) =
        postcard::from_bytes(body).map_err(|_| damaged())?;
    if of == name {
        Ok(Some(checkpoint))
    } else {
        Err(wrong(&format!("of another position: {of}")))
    }
}
