//! The options of a match, from the command line and from a match file.

mod file;
mod handicap;
#[cfg(test)]
mod tests;

use crate::arena::move_format::MoveFormat;
use crate::arena::opening::{self, OpeningOrder, Openings};
use crate::arena::schedule::Shard;
use crate::arena::settings::{EngineSpec, Pairings, Restart, Settings};
use crate::arena::stats::Sprt;
use crate::arena::time_control::TimeControl;
use crate::cli::options::{self, GameOptions};
use crate::rules::Size;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of a match. Each option except --config can also be set in the match file;
/// the command line overrides the file.
#[derive(Clone, Debug, Default, Args)]
pub struct MatchOptions {
    /// An engine: its command line, split into words as a shell splits it, with an optional name;
    /// needed at least twice. '{seed}' is replaced by a different number for each game
    #[arg(long, value_name = "[NAME=]COMMAND", help_heading = "Players")]
    engine: Vec<String>,
    /// Time control of all engines, or of one: seconds a move, or 'absolute M', 'byoyomi M P N', 'canadian M P
    /// N', 'fischer M I', 'fischer-capped M I LIMIT MAX', 'none' [default: none]
    #[arg(long, value_name = "[NAME=]TIME", help_heading = "Players")]
    time: Vec<String>,
    /// Playouts a move, set with kata-set-param [default: the engine's]
    #[arg(long, value_name = "[NAME=]N", help_heading = "Players")]
    playouts: Vec<String>,
    /// How turns are exchanged: 'turns' (whole turns), or one vertex a move in the encoding 'native'
    /// or 'panel' [default: turns for engines that list kawari-genturn, else native]
    #[arg(long, value_name = "[NAME=]HOW", help_heading = "Players")]
    move_format: Vec<String>,
    /// A referee program in addition to the built-in referee: it may refuse turns, and its
    /// final_score is the result [default: none]
    #[arg(long, value_name = "COMMAND", help_heading = "Players")]
    referee: Option<String>,
    /// Restart the engines for every game
    #[arg(long, help_heading = "Players")]
    restart: bool,

    /// The variant: go, no, go-san, tao, sygo, stoical or 2.5d [default: go]
    #[arg(long, value_name = "ID", help_heading = "Game")]
    variant: Option<String>,
    /// Board size, 2 to 25 a side [default: 19; no, go-san, 2.5d: 9]
    #[arg(long, value_name = "N|WxH", allow_negative_numbers = true, value_parser = options::size, help_heading = "Game")]
    size: Option<Size>,
    /// Points added to White's score [default: the variant's]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = options::komi, help_heading = "Game")]
    komi: Option<f64>,
    /// A rule option; may be repeated [default: the variant's]
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Game")]
    rule: Vec<String>,
    /// Blocked points [default: none]
    #[arg(
        long,
        value_name = "V,V,…",
        value_delimiter = ',',
        help_heading = "Game"
    )]
    block: Vec<String>,
    /// Black's handicap in every game: a number of stones on the fixed points of GTP, or the points
    /// [default: none]
    #[arg(
        long,
        value_name = "N|V,V,…",
        value_delimiter = ',',
        help_heading = "Game"
    )]
    handicap: Vec<String>,
    /// Turn limit, after which the board is counted as it stands [default: 1000, or 4 for each point
    /// if that is more]
    #[arg(long, value_name = "N", help_heading = "Game")]
    max_turns: Option<usize>,

    /// Games of each pairing; each opening is played twice, with colours swapped [default: 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1 << 40), help_heading = "Match")]
    games: Option<u64>,
    /// Which engines meet if there are more than two [default: round-robin]
    #[arg(long, value_enum, help_heading = "Match")]
    pairings: Option<PairingsName>,
    /// Openings from this file, or from the files of this directory: *.sgf, *.gtp, or lines of turns
    /// ('D4, E5, nuke D4') [default: the empty board]
    #[arg(long, value_name = "PATH", help_heading = "Match")]
    openings: Option<PathBuf>,
    /// Random turns of the opening; with --openings, the number of turns after which they are cut
    #[arg(long, value_name = "N", help_heading = "Match")]
    opening_turns: Option<usize>,
    /// Playouts to evaluate random openings, of which balanced ones are used; 0 uses all [default: 100]
    #[arg(long, value_name = "N", help_heading = "Match")]
    opening_playouts: Option<u64>,
    /// Shuffle the openings of --openings; the order depends on the seed
    #[arg(long, help_heading = "Match")]
    shuffle: bool,
    /// Seed of openings and of '{seed}' [default: that of the results file, or a random one]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..1 << 53), help_heading = "Match")]
    seed: Option<u64>,
    /// Stop when a sequential probability ratio test (SPRT) is decided: elo0=0 elo1=20 alpha=0.05 beta=0.05
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., help_heading = "Match")]
    sprt: Vec<String>,

    /// Games played at the same time [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    concurrency: Option<u16>,
    /// Play shard I of N of the match; needs --seed
    #[arg(long, value_name = "I/N", value_parser = shard, help_heading = "Running")]
    shard: Option<Shard>,
    /// Time margin: seconds that a move may take beyond its limit [default: 0.2]
    #[arg(long, value_name = "SECONDS", help_heading = "Running", value_parser = time_margin)]
    time_margin: Option<Duration>,
    /// Seconds to wait for a response that no clock limits [default: 120]
    #[arg(long, value_name = "SECONDS", help_heading = "Running", value_parser = options::seconds)]
    timeout: Option<Duration>,
    /// The results file; if it exists, the match is continued [default: match.jsonl]
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    out: Option<PathBuf>,
    /// Write the games as SGF to this directory, or to one file if the name ends in .sgf
    #[arg(long, value_name = "PATH", help_heading = "Running")]
    sgf: Option<PathBuf>,
    /// Write a report to this file when the match ends, as 'kawari match report' does
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    report: Option<PathBuf>,
    /// Read options from this match file (TOML): the same names, and [[engine]] tables with name,
    /// command, time, playouts, move-format
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    config: Option<PathBuf>,
}

/// [`Pairings`] by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PairingsName {
    /// Each engine plays each other
    RoundRobin,
    /// The first engine plays all others
    Gauntlet,
}

/// A match and how to run it.
pub struct MatchPlan {
    /// The settings.
    pub settings: Settings,
    /// The shard to play.
    pub shard: Shard,
    /// The sequential test, which may stop the match early.
    pub sprt: Option<Sprt>,
    /// Games played at the same time.
    pub concurrency: usize,
    /// The results file.
    pub out: PathBuf,
    /// Destination of SGF files.
    pub sgf: Option<PathBuf>,
    /// Destination of the report.
    pub report: Option<PathBuf>,
}

impl MatchOptions {
    /// These options, completed with those of the match file.
    ///
    /// # Errors
    /// An error message.
    pub fn with_config_file(self) -> Result<MatchOptions, String> {
        match self.config.clone() {
            None => Ok(self),
            Some(path) => Ok(self.over(file::read(&path)?)),
        }
    }

    /// These options, and those of `file` that are not among them.
    fn over(self, file: MatchOptions) -> MatchOptions {
        macro_rules! overlay {
            ($($field:ident),+) => {
                MatchOptions { $($field: self.$field.overlaid_on(file.$field)),+ }
            };
        }
        overlay!(
            engine,
            time,
            playouts,
            move_format,
            referee,
            restart,
            variant,
            size,
            komi,
            rule,
            block,
            handicap,
            max_turns,
            games,
            pairings,
            openings,
            opening_turns,
            opening_playouts,
            shuffle,
            seed,
            sprt,
            concurrency,
            shard,
            time_margin,
            timeout,
            out,
            sgf,
            report,
            config
        )
    }

    /// The results file.
    pub fn out(&self) -> PathBuf {
        self.out.clone().unwrap_or_else(|| "match.jsonl".into())
    }

    /// The match, with this seed if none is given.
    ///
    /// # Errors
    /// A line that names the option and what it takes.
    pub fn plan(self, seed: u64) -> Result<MatchPlan, String> {
        let out = self.out();
        if self.shard.is_some() && self.seed.is_none() {
            return Err("--shard: needs --seed, the same for all shards".to_owned());
        }
        if self.shard.is_some() && !self.sprt.is_empty() {
            return Err("--sprt: cannot be decided by one shard".to_owned());
        }
        let variant = self.variant.as_deref().unwrap_or("go");
        let game = GameOptions::of(variant, self.size, self.komi, self.rule, self.block);
        let setup = handicap::with_handicap(game.setup()?, &self.handicap)?;
        let points = setup.grid().map_or(0, |grid| grid.points().count());
        let mut engines = engines(&self.engine)?;
        assign(&mut engines, "--time", &self.time, |engine, text| {
            let time = text.parse::<TimeControl>();
            time.map(|time| engine.time = time)
                .map_err(|error| error.to_string())
        })?;
        assign(
            &mut engines,
            "--playouts",
            &self.playouts,
            |engine, text| {
                let number = text.parse().ok().filter(|&number: &u64| number > 0);
                engine.playouts = Some(number.ok_or("expected a number above 0")?);
                Ok(())
            },
        )?;
        assign(
            &mut engines,
            "--move-format",
            &self.move_format,
            |engine, text| {
                engine.move_format = Some(move_format(text)?);
                Ok(())
            },
        )?;
        let sprt = (!self.sprt.is_empty())
            .then(|| sprt(&self.sprt))
            .transpose()?;
        if sprt.is_some() && engines.len() != 2 {
            return Err("--sprt: compares two engines".to_owned());
        }
        let openings = openings(
            self.openings.as_deref(),
            self.opening_turns,
            self.opening_playouts,
            self.shuffle,
            &setup,
        )?;
        let referee = self.referee.as_deref().map(|command| {
            EngineSpec::new("referee", command).map_err(|error| format!("--referee: {error}"))
        });
        let settings = Settings {
            engines,
            pairings: match self.pairings {
                Some(PairingsName::Gauntlet) => Pairings::Gauntlet,
                Some(PairingsName::RoundRobin) | None => Pairings::RoundRobin,
            },
            games: self.games.unwrap_or(100),
            openings,
            seed: self.seed.unwrap_or(seed),
            max_turns: self.max_turns.unwrap_or(1000.max(4 * points)),
            time_margin: self.time_margin.unwrap_or(Duration::from_millis(200)),
            timeout: self.timeout.unwrap_or(Duration::from_secs(120)),
            referee: referee.transpose()?,
            restart: match self.restart {
                true => Restart::EveryGame,
                false => Restart::WhenNeeded,
            },
            setup,
        };
        Ok(MatchPlan {
            settings,
            shard: self.shard.unwrap_or(Shard::WHOLE),
            sprt,
            concurrency: self.concurrency.unwrap_or(1).into(),
            out,
            sgf: self.sgf,
            report: self.report,
        })
    }
}

/// Options that override others.
trait Overlay {
    fn overlaid_on(self, other: Self) -> Self;
}

impl<T> Overlay for Option<T> {
    fn overlaid_on(self, other: Self) -> Self {
        self.or(other)
    }
}

impl<T> Overlay for Vec<T> {
    fn overlaid_on(self, other: Self) -> Self {
        if self.is_empty() { other } else { self }
    }
}

impl Overlay for bool {
    fn overlaid_on(self, other: Self) -> Self {
        self || other
    }
}

/// The engines; the default name is that of the program.
fn engines(texts: &[String]) -> Result<Vec<EngineSpec>, String> {
    let mut engines: Vec<EngineSpec> = Vec::new();
    for text in texts {
        let (name, command) = match split_name(text) {
            Some((name, command)) => (Some(name.to_owned()), command),
            None => (None, text.as_str()),
        };
        let spec = EngineSpec::new("", command).map_err(|error| format!("--engine: {error}"))?;
        let taken = |name: &str| engines.iter().any(|engine| engine.name == name);
        let name = match name {
            Some(name) if taken(&name) => {
                return Err(format!("--engine: two engines are named '{name}'"));
            }
            Some(name) => name,
            None => {
                let program = spec.words.first().map(Path::new);
                let stem = program.and_then(|program| program.file_stem());
                let stem = stem.map_or("engine".into(), |stem| stem.to_string_lossy());
                let numbered = (2..).map(|number| format!("{stem}-{number}"));
                let mut names = std::iter::once(stem.to_string()).chain(numbered);
                names.find(|name| !taken(name)).unwrap_or_default()
            }
        };
        engines.push(EngineSpec { name, ..spec });
    }
    match engines.len() {
        0 | 1 => Err("--engine: at least two are needed".to_owned()),
        _ => Ok(engines),
    }
}

/// Splits off a name before '=', if there is one.
fn split_name(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once('=')?;
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
    let is_name = !name.is_empty() && !name.starts_with('-') && name.chars().all(of_name);
    is_name.then_some((name, rest))
}

/// Sets a value for all engines or for the named one; a named value has priority.
fn assign(
    engines: &mut [EngineSpec],
    option: &str,
    texts: &[String],
    set: impl Fn(&mut EngineSpec, &str) -> Result<(), String>,
) -> Result<(), String> {
    let (named, all): (Vec<_>, Vec<_>) = texts.iter().partition(|text| split_name(text).is_some());
    for text in all {
        for engine in &mut *engines {
            set(engine, text).map_err(|error| format!("{option}: '{text}': {error}"))?;
        }
    }
    for text in named {
        let (name, value) = split_name(text).unwrap_or_default();
        let engine = engines.iter_mut().find(|engine| engine.name == name);
        let engine = engine.ok_or_else(|| format!("{option}: no engine is named '{name}'"))?;
        set(engine, value).map_err(|error| format!("{option}: '{value}': {error}"))?;
    }
    Ok(())
}

fn move_format(text: &str) -> Result<MoveFormat, String> {
    let mut all = MoveFormat::ALL.into_iter();
    let found = all.find(|(name, _)| *name == text);
    found
        .map(|(_, move_format)| move_format)
        .ok_or_else(|| "expected turns, native or panel".to_owned())
}

fn openings(
    path: Option<&Path>,
    turns: Option<usize>,
    playouts: Option<u64>,
    shuffle: bool,
    setup: &crate::rules::Setup,
) -> Result<Openings, String> {
    match (path, turns) {
        (Some(path), turns) => {
            let list = opening::read(path, setup, turns);
            Ok(Openings::Listed {
                list: list.map_err(|error| format!("--openings: {error}"))?,
                order: if shuffle {
                    OpeningOrder::Shuffled
                } else {
                    OpeningOrder::Listed
                },
            })
        }
        (None, None | Some(0)) => Ok(Openings::None),
        (None, Some(turns)) => Ok(Openings::Random {
            turns,
            playouts: playouts.unwrap_or(100),
        }),
    }
}

fn sprt(words: &[String]) -> Result<Sprt, String> {
    let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 20.0, 0.05, 0.05);
    let words = words.iter().flat_map(|word| word.split([' ', ',']));
    for word in words.filter(|word| !word.is_empty()) {
        let to_error = || {
            format!("--sprt: expected elo0=, elo1=, alpha= or beta= with a number, found '{word}'")
        };
        let (key, value) = word.split_once('=').ok_or_else(to_error)?;
        let place = match key {
            "elo0" => &mut elo0,
            "elo1" => &mut elo1,
            "alpha" => &mut alpha,
            "beta" => &mut beta,
            _ => return Err(to_error()),
        };
        *place = value.parse().map_err(|_| to_error())?;
    }
    Sprt::new(elo0, elo1, alpha, beta).map_err(|error| format!("--sprt: {error}"))
}

fn shard(text: &str) -> Result<Shard, String> {
    let (number, count) = text.split_once('/').unwrap_or_default();
    let numbers = number.parse().ok().zip(count.parse().ok());
    let shard = numbers.and_then(|(number, count)| Shard::new(number, count));
    shard.ok_or_else(|| "expected I/N, I from 1 to N".to_owned())
}

fn time_margin(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(0.0) => Ok(Duration::ZERO),
        _ => options::seconds(text),
    }
}
