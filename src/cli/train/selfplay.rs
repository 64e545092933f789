//! `kawari train selfplay`: games for training.

use super::share;
use crate::arena::schedule::Shard;
use crate::cli::options::{GameOptions, SearchOptions, read_net};
use crate::cli::progress;
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error};
use crate::net::Net;
use crate::playing::{Seed, Settings};
use crate::rules::{SetupError, Size, VariantInfo};
use crate::search::Searcher;
use crate::train::data_file::{GameWriter, read_games};
use crate::train::game::TrainingGame;
use crate::train::self_play::{Openings, SelfPlaySettings};
use crate::workers::{self, Continuation};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// For all commands in which the engine plays itself.
#[derive(Clone, Debug, Args)]
pub struct PlayOptions {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Sizes and how often each is played, such as 9:4,7:1,13x9:1 [default: --size]
    #[arg(long, value_name = "SIZE:SHARE,…", value_delimiter = ',', value_parser = size_share, conflicts_with = "size")]
    sizes: Vec<(Size, f32)>,
    /// Share of games on boards with blocked points
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    blocked_share: f32,
    /// Share of games on cylinders and tori
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    joined_share: f32,
    /// Share of games in which one rule option, such as ko or scoring, has a drawn value
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    varied_share: f32,
    /// Standard deviation of komi around --komi, in points
    #[arg(long, value_name = "POINTS", default_value = "1.5")]
    komi_stdev: f32,
    /// Begin with the first steps of these games (by any player) on boards of their size
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
}

#[derive(Debug)]
pub struct PlayConditions {
    pub settings: Settings,
    pub seed: u64,
    /// Without what only one command has.
    pub games: SelfPlaySettings,
}

impl PlayOptions {
    /// `has_net` says whether an option names a net.
    pub fn conditions(&self, has_net: bool) -> Result<PlayConditions, Error> {
        self.search.refuse_unused(&["playouts", "threads", "memory"])?;
        let (settings, setup) = (self.search.settings()?, self.game.setup()?);
        if has_net && !settings.search_params.use_net {
            return Err(Error::Usage("--net: only used by --player net".to_owned()));
        }
        let sizes =
            if self.sizes.is_empty() { vec![(setup.size, 1.0)] } else { self.sizes.clone() };
        let (Seed::Fixed(seed) | Seed::Drawn(seed)) = settings.seed;
        let games = SelfPlaySettings {
            sizes,
            blocked_share: self.blocked_share,
            joined_share: self.joined_share,
            varied_share: self.varied_share,
            komi_stdev: self.komi_stdev,
            openings: openings(self.openings.as_deref(), setup.info)?,
            ..SelfPlaySettings::new(setup)
        };
        Ok(PlayConditions { settings, seed, games })
    }
}

#[derive(Clone, Debug, Args)]
pub struct SelfplayOptions {
    #[command(flatten)]
    play: PlayOptions,
    /// Total number of games in the file, with those that it already holds
    #[arg(long, value_name = "N", default_value = "1000")]
    games: usize,
    /// Playouts of fast searches, which teach no policy
    #[arg(long, value_name = "N", default_value = "100")]
    fast_playouts: u64,
    /// Share of full searches
    #[arg(long, value_name = "SHARE", default_value = "0.5")]
    full_search_share: f32,
    /// Mean number of opening steps drawn from fast searches, for each point along a side
    #[arg(long, value_name = "N", default_value = "0.3")]
    opening_steps: f32,
    /// Resign when two searches in a row give a lower win rate than this; one game in four is
    /// played out
    #[arg(long, value_name = "SHARE", default_value = "0")]
    resign_below: f32,
    /// Play only part I of N; each part has its own seeds
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
    /// The net that plays [default: the search without a net]
    #[arg(long, value_name = "FILE")]
    pub net: Option<PathBuf>,
    /// The number of the net, recorded in the games
    #[arg(long, value_name = "N", default_value = "0")]
    generation: u32,
    /// Append the games to this file; after an interruption the same command continues
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Playouts of a full search.
const PLAYOUTS: u64 = 300;

impl SelfplayOptions {
    pub fn conditions(&self) -> Result<PlayConditions, Error> {
        let conditions = self.play.conditions(self.net.is_some())?;
        let games = SelfPlaySettings {
            playouts: conditions.settings.playouts.unwrap_or(PLAYOUTS),
            fast_playouts: self.fast_playouts,
            full_search_share: self.full_search_share,
            opening_steps: self.opening_steps,
            resign_below: self.resign_below,
            generation: self.generation,
            ..conditions.games
        };
        Ok(PlayConditions { games, ..conditions })
    }
}

pub fn run(options: &SelfplayOptions) -> CliResult {
    let PlayConditions { settings, seed, games } = options.conditions()?;
    let variant = games.setup.info;
    let net = options.net.as_deref().map(|path| read_net(path, variant));
    let player = Player { settings: &settings, variant, net: net.transpose()?.map(Arc::new) };
    let interruption = Interruption::begin()?;
    let goal = options.games;
    SelfPlayJob { games: &games, goal, out: &options.out, seed, shard: options.shard }
        .run(&player, &interruption)
}

pub fn openings(path: Option<&Path>, info: &VariantInfo) -> Result<Arc<Openings>, Error> {
    let Some(path) = path else {
        return Ok(Arc::default());
    };
    let games = read_games(path, info).map_err(Error::in_file(path))?;
    Ok(Arc::new(Openings::from_games(games)))
}

/// A search with or without a net.
#[derive(Clone)]
pub struct Player<'a> {
    /// Threads, memory and parameters.
    pub settings: &'a Settings,
    pub variant: &'static VariantInfo,
    /// Without a net, the search uses playouts.
    pub net: Option<Arc<Net>>,
}

impl Player<'_> {
    pub fn searcher(&self) -> Searcher {
        let memory = self.settings.memory / self.settings.threads.max(1);
        let mut params = self.settings.search_params;
        params.use_net &= self.net.is_some();
        let mut searcher = Searcher::new(params, memory.max(1), 1);
        if let Some(net) = &self.net {
            searcher.set_net(self.variant, net.clone());
        }
        searcher
    }
}

pub struct SelfPlayJob<'a> {
    pub games: &'a SelfPlaySettings,
    /// Total number of games in the file.
    pub goal: usize,
    pub out: &'a Path,
    pub seed: u64,
    pub shard: Shard,
}

impl SelfPlayJob<'_> {
    /// Stops when the file is complete or a signal comes.
    pub fn run(&self, player: &Player<'_>, interruption: &Interruption) -> CliResult {
        let mut writer = GameWriter::open(self.out, player.variant).map_err(Error::Failure)?;
        let (first, started) = (writer.games(), Instant::now());
        let worker = || {
            let mut searcher = player.searcher();
            move |number: usize, is_over: &AtomicBool| {
                let number = (number as u64).wrapping_mul(self.shard.count());
                let seed = game_seed(self.seed, number.wrapping_add(self.shard.number()));
                let should_stop = || interruption.has_come() || is_over.load(Ordering::Relaxed);
                self.games.play(seed, &mut searcher, &should_stop).transpose()
            }
        };
        let finished = |game: Result<TrainingGame, SetupError>| {
            writer.append(&game?).map_err(Error::Failure)?;
            report(writer.games(), first, self.goal, &started);
            Ok::<_, Error>(Continuation::Continue)
        };
        workers::run(player.settings.threads, first..self.goal, worker, finished)?;
        interruption.outcome(&format!(
            "the same command continues from the games of {}",
            self.out.display()
        ))
    }
}

pub fn game_seed(seed: u64, number: u64) -> u64 {
    seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

fn report(games: usize, first: usize, all: usize, started: &Instant) {
    if games.is_multiple_of(100) || games == all {
        let hours = started.elapsed().as_secs_f64() / 3600.0;
        progress::line(&format!(
            "{games} of {all} games, {:.0} an hour",
            (games - first) as f64 / hours
        ));
    }
}

fn size_share(text: &str) -> Result<(Size, f32), String> {
    let (side, share) = split_share(text).unwrap_or((text, Some(1.0)));
    let share = share.ok_or_else(|| "expected SIZE:SHARE with a share above 0".to_owned())?;
    Ok((side.parse()?, share))
}

/// Splits off the share after the last colon; the inner `None` stands for an invalid share.
pub fn split_share(text: &str) -> Option<(&str, Option<f32>)> {
    let (before, share) = text.rsplit_once(':')?;
    Some((before, share.parse().ok().filter(|&share: &f32| share > 0.0 && share < 1e6)))
}
