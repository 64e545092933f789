//! `kawari train selfplay`: games for training.

use crate::cli::options::{GameOptions, SearchOptions, read_net, size};
use crate::cli::progress;
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error};
use crate::gtp::{Seed, Settings};
use crate::net::Net;
use crate::rules::{Size, VariantInfo};
use crate::search::Searcher;
use crate::train::data_file::{DataFileError, GameWriter, read_games};
use crate::train::self_play::{Openings, SelfPlaySettings};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The options of `kawari train selfplay`.
#[derive(Clone, Debug, Args)]
pub struct SelfplayOptions {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Number of games in the file, those included that it holds already
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: usize,
    /// Sizes and how often each is played, such as 9:4,7:1,13x9:1 [default: --size]
    #[arg(long, value_name = "SIZE:SHARE,…", value_delimiter = ',', value_parser = size_share, conflicts_with = "size")]
    sizes: Vec<(Size, f32)>,
    /// Standard deviation of komi around --komi, in points
    #[arg(long, value_name = "POINTS", default_value_t = 1.5)]
    komi_stdev: f32,
    /// Simulations of the short searches, from which no policy is learned
    #[arg(long, value_name = "N", default_value_t = 100)]
    short_playouts: u64,
    /// Share of the searches that are long
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    long_share: f32,
    /// Mean number of opening steps drawn from short searches, for each point along a side
    #[arg(long, value_name = "N", default_value_t = 0.3)]
    opening_steps: f32,
    /// Begin with the first steps of these games, which any player may have played, on boards of
    /// their size
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Resign when two searches in a row say that the player wins less often than this; one game in
    /// four is played out
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    resign_below: f32,
    /// Play only part I of N, with other seeds than the other parts
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "1/1")]
    shard: (u64, u64),
    /// The net that plays [default: the search without a net]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// The number of the net, noted in the games
    #[arg(long, value_name = "N", default_value_t = 0)]
    generation: u32,
    /// The file to which games are appended; the same command goes on after an interruption
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Simulations of a long search.
const PLAYOUTS: u64 = 300;

/// Plays games until the file holds as many as asked for.
pub fn run(options: &SelfplayOptions) -> CliResult {
    let settings = options.search.settings()?;
    let games = options.settings(&settings)?;
    let variant = games.setup.info;
    let net = options.net.as_deref().map(|path| read_net(path, variant));
    let player = Player { settings: &settings, variant, net: net.transpose()?.map(Arc::new) };
    let interruption = Interruption::on_signals(|_| ())?;
    let (Seed::Fixed(seed) | Seed::Drawn(seed)) = settings.seed;
    let job =
        Job { games: &games, goal: options.games, out: &options.out, seed, shard: options.shard };
    job.run(&player, &interruption)
}

impl SelfplayOptions {
    fn settings(&self, settings: &Settings) -> Result<SelfPlaySettings, Error> {
        let setup = self.game.setup()?;
        let sizes =
            if self.sizes.is_empty() { vec![(setup.size, 1.0)] } else { self.sizes.clone() };
        Ok(SelfPlaySettings {
            sizes,
            komi_stdev: self.komi_stdev,
            playouts: settings.playouts.unwrap_or(PLAYOUTS),
            short_playouts: self.short_playouts,
            long_share: self.long_share,
            opening_steps: self.opening_steps,
            openings: openings(self.openings.as_deref(), setup.info)?,
            resign_below: self.resign_below,
            generation: self.generation,
            setup,
        })
    }
}

/// The openings of the games of a file.
pub fn openings(path: Option<&Path>, info: &VariantInfo) -> Result<Arc<Openings>, Error> {
    let Some(path) = path else {
        return Ok(Arc::default());
    };
    let games = read_games(path, info)
        .map_err(|error| Error::Failure(format!("{}: {error}", path.display())))?;
    Ok(Arc::new(Openings::of(games)))
}

/// Who plays: a search with a net or without.
#[derive(Clone)]
pub struct Player<'a> {
    /// Threads, memory and parameters.
    pub settings: &'a Settings,
    /// The variant.
    pub variant: &'static VariantInfo,
    /// The net; without one, the search with playouts plays.
    pub net: Option<Arc<Net>>,
}

impl Player<'_> {
    /// A searcher for one of the threads.
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

/// Games to play into one file.
pub struct Job<'a> {
    /// How they are played.
    pub games: &'a SelfPlaySettings,
    /// How many games the file holds in the end.
    pub goal: usize,
    /// The file.
    pub out: &'a Path,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of this part and how many parts there are.
    pub shard: (u64, u64),
}

/// The file, how many games were begun, and what went wrong.
struct Progress {
    writer: GameWriter,
    begun: usize,
    outcome: CliResult,
}

impl Job<'_> {
    /// Plays on all threads until the file is complete or a signal comes.
    pub fn run(&self, player: &Player<'_>, interruption: &Interruption) -> CliResult {
        let writer =
            GameWriter::open(self.out, player.variant).map_err(|error| self.failure(&error))?;
        let first = writer.games();
        let progress = Mutex::new(Progress { writer, begun: first, outcome: Ok(()) });
        let started = Instant::now();
        std::thread::scope(|scope| {
            for _ in 0..player.settings.threads.max(1) {
                scope.spawn(|| {
                    let mut searcher = player.searcher();
                    while let Some(games) = self.play_next(&progress, &mut searcher, interruption) {
                        report(games, first, self.goal, &started);
                    }
                });
            }
        });
        progress.into_inner().map_or(Ok(()), |progress| progress.outcome)?;
        interruption
            .outcome(&format!("the same command goes on from the games of {}", self.out.display()))
    }

    /// Plays the next game; the number of games in the file, or none at the end.
    fn play_next(
        &self,
        progress: &Mutex<Progress>,
        searcher: &mut Searcher,
        interruption: &Interruption,
    ) -> Option<usize> {
        let number = {
            let mut progress = progress.lock().ok()?;
            if progress.begun >= self.goal || progress.outcome.is_err() {
                return None;
            }
            progress.begun += 1;
            progress.begun as u64 - 1
        };
        let (shard, shards) = self.shard;
        let number = number.wrapping_mul(shards).wrapping_add(shard);
        let seed = self.seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let played = self.games.play(seed, searcher, &|| interruption.has_come());
        let mut progress = progress.lock().ok()?;
        match played {
            Ok(None) => return None,
            Ok(Some(game)) => {
                let written = progress.writer.append(&game);
                if let Err(error) = written {
                    progress.outcome = Err(self.failure(&error));
                }
            }
            Err(error) => progress.outcome = Err(error.into()),
        }
        Some(progress.writer.games())
    }

    fn failure(&self, error: &DataFileError) -> Error {
        Error::Failure(format!("{}: {error}", self.out.display()))
    }
}

/// Prints the progress, now and then.
fn report(games: usize, first: usize, all: usize, started: &Instant) {
    if games.is_multiple_of(100) || games == all {
        let hours = started.elapsed().as_secs_f64() / 3600.0;
        progress::line(&format!(
            "{games} of {all} games, {:.0} an hour",
            (games - first) as f64 / hours
        ));
    }
}

/// Parses a size with its share.
pub fn size_share(text: &str) -> Result<(Size, f32), String> {
    let (side, share) = text.split_once(':').unwrap_or((text, "1"));
    let share = share.parse().ok().filter(|&share: &f32| share > 0.0 && share < 1e6);
    let share = share.ok_or_else(|| "expected SIZE:SHARE with a share above 0".to_owned())?;
    Ok((size(side)?, share))
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    let parts = parts.filter(|&(part, parts): &(u64, u64)| (1..=parts).contains(&part));
    parts.ok_or_else(|| "expected I/N, 1 <= I <= N".to_owned())
}
