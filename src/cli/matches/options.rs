//! The options of a match, from the command line and from a match file.

mod engines;
mod file;
mod handicap;
#[cfg(test)]
mod tests;

use crate::arena::matches::MatchPlan;
use crate::arena::opening::{self, OpeningOrder, Openings};
use crate::arena::schedule::Shard;
use crate::arena::settings::{Conditions, EngineSpec, Settings};
use crate::arena::words::{self, Within};
use crate::cli::options::GameOptions;
use crate::cli::output::ForceOption;
use crate::rules::Setup;
use crate::stats::Sprt;
use clap::{ArgAction, Args, FromArgMatches};
use engines::EngineOptions;
use serde::Deserialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The table of match options. All but --config can be in the match file, too. The command line
/// overrides single values of the file and extends lists such as --rule.
#[derive(Clone, Debug, Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct MatchOptions {
    #[command(flatten)]
    #[serde(flatten)]
    engines: EngineOptions,
    #[command(flatten)]
    #[serde(flatten)]
    conditions: Conditions,
    #[command(flatten, next_help_heading = "Game")]
    #[serde(flatten)]
    game: GameOptions,
    /// Black's handicap in every game: a number of stones on the fixed points of GTP, or the points
    /// [default: none]
    #[arg(long, value_name = "N|V,V,…", help_heading = "Game")]
    #[serde(default, deserialize_with = "words::joined")]
    handicap: Option<String>,

    /// Games of each pairing; each opening is played twice, with colours swapped
    #[arg(long, value_name = "N", default_value = "100", help_heading = "Match")]
    #[serde(deserialize_with = "words::one")]
    games: Within<1, { 1 << 40 }>,
    /// Openings from this file, or from the files of this directory: *.sgf, *.gtp, or lines of turns
    /// ('D4, E5, nuke D4') [default: the empty board]
    #[arg(long, value_name = "PATH", help_heading = "Match")]
    #[serde(default)]
    openings: Option<PathBuf>,
    /// Random turns of the opening; with --openings, the number of turns after which they are cut
    #[arg(long, value_name = "N", help_heading = "Match")]
    #[serde(default, deserialize_with = "words::some")]
    opening_turns: Option<usize>,
    /// Playouts to evaluate random openings; only balanced ones are used, or all for 0 [default: 100]
    // A match file states values one by one, so `openings` looks at all of them together.
    #[arg(long, value_name = "N", help_heading = "Match")]
    #[serde(default, deserialize_with = "words::some")]
    opening_playouts: Option<u64>,
    /// Shuffle the openings of --openings; the order depends on the seed
    #[arg(long, value_name = "BOOL", help_heading = "Match", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_missing_value = "true", default_value = "false")]
    #[serde(deserialize_with = "words::one")]
    shuffle: bool,
    /// Stop when a sequential probability ratio test (SPRT) is decided: elo0=0 elo1=20 alpha=0.05
    /// beta=0.05
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., help_heading = "Match")]
    #[serde(default, deserialize_with = "words::list")]
    sprt: Vec<String>,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value = "1", help_heading = "Running")]
    #[serde(deserialize_with = "words::one")]
    concurrency: Within<1, 1024>,
    /// Play shard I of N of the match; needs --seed [default: the whole match]
    #[arg(long, value_name = "I/N", help_heading = "Running")]
    #[serde(default, deserialize_with = "words::some")]
    shard: Option<Shard>,
    /// The results file; if it exists, the match is continued
    #[arg(long, value_name = "FILE", default_value = "match.jsonl", help_heading = "Running")]
    pub out: PathBuf,
    /// Write the games as SGF to this directory, or to one file if the name ends in .sgf
    #[arg(long, value_name = "PATH", help_heading = "Running")]
    #[serde(default)]
    sgf: Option<PathBuf>,
    /// Write a report to this file when the match ends, as 'kawari match report' does
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    #[serde(default)]
    pub report: Option<PathBuf>,
    /// Write the GTP of each game, with times, to a file in this directory
    #[arg(long, value_name = "DIR", help_heading = "Running")]
    #[serde(default)]
    log_dir: Option<PathBuf>,
    /// Continue with an engine that cannot start, or that dies twice in a row before its first turn: it
    /// loses these games. Otherwise the match ends
    #[arg(long, value_name = "BOOL", help_heading = "Running", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_missing_value = "true", default_value = "false")]
    #[serde(deserialize_with = "words::one")]
    recover: bool,
    #[command(flatten, next_help_heading = "Running")]
    #[serde(flatten)]
    pub force: ForceOption,
    // Not a doc comment: rustdoc would take `[[engine]]` for a link.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Running",
        help = "Read options from this match file (TOML): the same names, and [[engine]] tables with name, \
                command, time, playouts, move-format"
    )]
    #[serde(skip)]
    config: Option<PathBuf>,
}

/// Playouts to evaluate a random opening.
const OPENING_PLAYOUTS: u64 = 100;

impl MatchOptions {
    /// `given` are the words from which these options were parsed.
    pub fn with_config_file(
        self,
        given: impl IntoIterator<Item = OsString>,
    ) -> Result<MatchOptions, String> {
        let Some(path) = &self.config else {
            return Ok(self);
        };
        let mut options = file::read(path)?;
        let lists = options.lists().map(std::mem::take);
        let engines = std::mem::take(&mut options.engines.engine);
        let command = MatchOptions::command().mut_args(|arg| arg.default_value(None));
        let matches = command.no_binary_name(true).try_get_matches_from(given);
        let laid_over = matches.and_then(|matches| options.update_from_arg_matches(&matches));
        laid_over.map_err(|error| error.to_string())?;
        for (list, of_file) in options.lists().into_iter().zip(lists) {
            list.splice(..0, of_file);
        }
        options.engines.engine.splice(..0, engines);
        Ok(options)
    }

    pub fn from_config_text(text: &str) -> Result<MatchOptions, String> {
        file::parse(text, Path::new("-"))
    }

    fn command() -> clap::Command {
        MatchOptions::augment_args(clap::Command::new("match"))
    }

    /// The command line extends those of the file.
    fn lists(&mut self) -> [&mut Vec<String>; 9] {
        let EngineOptions { time, playouts, move_format, cwd, env, gtp, .. } = &mut self.engines;
        let GameOptions { rules, block, .. } = &mut self.game;
        [time, playouts, move_format, cwd, env, gtp, rules, block, &mut self.sprt]
    }

    /// The match; `seed` is the default.
    pub fn plan(&self, seed: u64) -> Result<MatchPlan, String> {
        let settings = self.settings(seed)?;
        Ok(MatchPlan {
            sprt: self.sprt(&settings)?,
            settings,
            shard: self.shard.unwrap_or(Shard::WHOLE),
            out: self.out.clone(),
            sgf: self.sgf.clone(),
            log_dir: self.log_dir.clone(),
            force: self.force.is_given(),
            concurrency: self.concurrency.0 as usize,
            recovers: self.recover,
        })
    }

    /// `seed` is the default.
    pub fn settings(&self, seed: u64) -> Result<Settings, String> {
        let mut conditions = self.conditions.clone();
        if self.shard.is_some() && conditions.seed.is_none() {
            return Err("--shard: needs --seed, the same for all shards".to_owned());
        }
        if conditions.adjudicate_turns.is_some() != conditions.adjudicate_points.is_some() {
            let both = "--adjudicate-turns: needs --adjudicate-points, and the other way round";
            return Err(both.to_owned());
        }
        let engines = self.engines.specs()?;
        let setup = handicap::with_handicap(self.game.setup()?, self.handicap.as_deref())?;
        let points = setup.grid().map_or(0, |grid| grid.points().count());
        conditions.max_turns.get_or_insert(1000.max(4 * points));
        conditions.seed.get_or_insert(Within(seed));
        let referee = conditions.referee.as_deref();
        let referee = referee.map(|command| EngineSpec::new("referee", command)).transpose();
        Ok(Settings {
            engines,
            referee: referee.map_err(|error| format!("--referee: {error}"))?,
            games: self.games.0,
            openings: self.openings(&setup)?,
            conditions,
            setup,
        })
    }

    fn openings(&self, setup: &Setup) -> Result<Openings, String> {
        if self.shuffle && self.openings.is_none() {
            return Err("--shuffle: needs --openings".to_owned());
        }
        let needs = |what| Err(format!("--opening-playouts: needs --opening-turns{what}"));
        match (&self.openings, self.opening_turns, self.opening_playouts) {
            (Some(_), _, Some(_)) => needs(", without --openings"),
            (None, None, Some(_)) => needs(""),
            (Some(path), turns, None) => {
                let list = opening::read(path, setup, turns)
                    .map_err(|error| format!("--openings: {error}"))?;
                let order =
                    if self.shuffle { OpeningOrder::Shuffled } else { OpeningOrder::Listed };
                Ok(Openings::Listed { list, order })
            }
            (None, None | Some(0), _) => Ok(Openings::None),
            (None, Some(turns), playouts) => {
                Ok(Openings::Random { turns, playouts: playouts.unwrap_or(OPENING_PLAYOUTS) })
            }
        }
    }

    /// The test that may stop the match early.
    pub fn sprt(&self, settings: &Settings) -> Result<Option<Sprt>, String> {
        if self.sprt.is_empty() {
            return Ok(None);
        }
        if self.shard.is_some() {
            return Err("--sprt: cannot be decided by one shard".to_owned());
        }
        if settings.engines.len() != 2 {
            return Err("--sprt: compares two engines".to_owned());
        }
        let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 20.0, 0.05, 0.05);
        let words = self.sprt.iter().flat_map(|word| word.split([' ', ',']));
        for word in words.filter(|word| !word.is_empty()) {
            let to_error = || {
                format!(
                    "--sprt: expected elo0=, elo1=, alpha= or beta= with a number, found '{word}'"
                )
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
        let sprt = Sprt::new(elo0, elo1, alpha, beta);
        sprt.map(Some).map_err(|error| format!("--sprt: {error}"))
    }
}
