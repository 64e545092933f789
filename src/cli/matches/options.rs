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
use crate::cli::options::GameOptions;
use crate::cli::output::ForceOption;
use crate::rules::Setup;
use crate::stats::Sprt;
use clap::{ArgAction, Args, FromArgMatches};
use engines::EngineOptions;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The table of match options. All but --config can be in the match file, too. The command line
/// overrides single values of the file and extends lists such as --rule.
#[derive(Clone, Debug, Args)]
pub struct MatchOptions {
    #[command(flatten)]
    engines: EngineOptions,
    #[command(flatten)]
    conditions: Conditions,
    #[command(flatten, next_help_heading = "Game")]
    game: GameOptions,
    /// Black's handicap in every game: a number of stones on the fixed points of GTP, or the points
    /// [default: none]
    #[arg(long, value_name = "N|V,V,…", help_heading = "Game")]
    handicap: Option<String>,

    /// Games of each pairing; each opening is played twice, with colours swapped
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..=1 << 40), help_heading = "Match")]
    games: u64,
    /// Openings from this file, or from the files of this directory: *.sgf, *.gtp, or lines of turns
    /// ('D4, E5, nuke D4') [default: the empty board]
    #[arg(long, value_name = "PATH", help_heading = "Match")]
    openings: Option<PathBuf>,
    /// Random turns of the opening; with --openings, the number of turns after which they are cut
    #[arg(long, value_name = "N", help_heading = "Match")]
    opening_turns: Option<usize>,
    /// Playouts to evaluate random openings; only balanced ones are used, or all for 0 [default: 100]
    // A match file states values one by one, so `openings` looks at all of them together.
    #[arg(long, value_name = "N", help_heading = "Match")]
    opening_playouts: Option<u64>,
    /// Shuffle the openings of --openings; the order depends on the seed
    #[arg(long, value_name = "BOOL", help_heading = "Match", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_missing_value = "true", default_value = "false")]
    shuffle: bool,
    /// Stop when a sequential probability ratio test (SPRT) is decided: elo0=0 elo1=20 alpha=0.05
    /// beta=0.05
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., help_heading = "Match")]
    sprt: Vec<String>,

    /// Games played at the same time
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Running")]
    concurrency: u16,
    /// Play shard I of N of the match; needs --seed [default: the whole match]
    #[arg(long, value_name = "I/N", help_heading = "Running")]
    shard: Option<Shard>,
    /// The results file; if it exists, the match is continued
    #[arg(long, value_name = "FILE", default_value = "match.jsonl", help_heading = "Running")]
    pub out: PathBuf,
    /// Write the games as SGF to this directory, or to one file if the name ends in .sgf
    #[arg(long, value_name = "PATH", help_heading = "Running")]
    sgf: Option<PathBuf>,
    /// Write a report to this file when the match ends, as 'kawari match report' does
    #[arg(long, value_name = "FILE", help_heading = "Running")]
    pub report: Option<PathBuf>,
    /// Write the GTP of each game, with times, to a file in this directory
    #[arg(long, value_name = "DIR", help_heading = "Running")]
    log_dir: Option<PathBuf>,
    /// Continue with an engine that cannot start, or that dies twice in a row before its first turn: it
    /// loses these games. Otherwise the match ends
    #[arg(long, value_name = "BOOL", help_heading = "Running", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_missing_value = "true", default_value = "false")]
    recover: bool,
    #[command(flatten, next_help_heading = "Running")]
    pub force: ForceOption,
    // Not a doc comment: rustdoc would take `[[engine]]` for a link.
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Running",
        help = "Read options from this match file (TOML): the same names, and [[engine]] tables with name, \
                command, time, playouts, move-format"
    )]
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
        let command = MatchOptions::command();
        let of_file = file::read(path, &command)?.into_iter().map(OsString::from);
        MatchOptions::from_words(command, of_file.chain(given))
    }

    pub fn from_config_text(text: &str) -> Result<MatchOptions, String> {
        let command = MatchOptions::command();
        let words = file::parse(text, Path::new("-"), &command)?;
        MatchOptions::from_words(command, words.into_iter().map(OsString::from))
    }

    fn command() -> clap::Command {
        MatchOptions::augment_args(clap::Command::new("match"))
            .args_override_self(true)
            .no_binary_name(true)
    }

    fn from_words(
        command: clap::Command,
        words: impl Iterator<Item = OsString>,
    ) -> Result<MatchOptions, String> {
        let matches = command.try_get_matches_from(words);
        let options = matches.and_then(|matches| MatchOptions::from_arg_matches(&matches));
        options.map_err(|error| file::first_line(&error))
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
            concurrency: self.concurrency.into(),
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
        conditions.seed.get_or_insert(seed);
        let referee = conditions.referee.as_deref();
        let referee = referee.map(|command| EngineSpec::new("referee", command)).transpose();
        Ok(Settings {
            engines,
            referee: referee.map_err(|error| format!("--referee: {error}"))?,
            games: self.games,
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
