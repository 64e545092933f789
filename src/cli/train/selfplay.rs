//! `kawari train selfplay`: games for training.

use crate::cli::options::{GameOptions, SearchOptions, read_net, size};
use crate::cli::{CliResult, Error};
use crate::gtp::{Seed, Settings};
use crate::rules::Size;
use crate::search::Searcher;
use crate::train::data_file::{DataFileError, GameWriter};
use crate::train::self_play::SelfPlaySettings;
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
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
    let writer = GameWriter::open(&options.out, games.setup.info);
    let writer = writer.map_err(|error| at(options, &error))?;
    let (stop, interruption) = super::stop_flag()?;
    let variant = games.setup.info;
    let net = options.net.as_deref().map(|path| read_net(path, variant));
    let net = net.transpose()?.map(Arc::new);
    let new_searcher = || {
        let memory = settings.memory / settings.threads.max(1);
        let mut searcher = Searcher::new(settings.search_params, memory, 1);
        if let Some(net) = &net {
            searcher.set_net(variant, net.clone());
        }
        searcher
    };
    play_games(options, &settings, &games, &new_searcher, writer, &stop)?;
    let path = options.out.display();
    interruption.outcome(&format!(
        "the same command goes on from the games of {path}"
    ))
}

fn at(options: &SelfplayOptions, error: &DataFileError) -> Error {
    Error::Failure(format!("{}: {error}", options.out.display()))
}

impl SelfplayOptions {
    fn settings(&self, settings: &Settings) -> Result<SelfPlaySettings, Error> {
        let setup = self.game.setup()?;
        let sizes = match self.sizes.is_empty() {
            true => vec![(setup.size, 1.0)],
            false => self.sizes.clone(),
        };
        Ok(SelfPlaySettings {
            sizes,
            komi_stdev: self.komi_stdev,
            playouts: settings.playouts.unwrap_or(PLAYOUTS),
            short_playouts: self.short_playouts,
            long_share: self.long_share,
            opening_steps: self.opening_steps,
            generation: self.generation,
            setup,
        })
    }
}

/// Plays games on all threads.
fn play_games(
    options: &SelfplayOptions,
    settings: &Settings,
    games: &SelfPlaySettings,
    new_searcher: &(dyn Fn() -> Searcher + Sync),
    writer: GameWriter,
    stop: &AtomicBool,
) -> CliResult {
    let (Seed::Fixed(seed) | Seed::Drawn(seed)) = settings.seed;
    let (shard, shards) = options.shard;
    let started = Instant::now();
    let first = writer.games();
    let state = Mutex::new((writer, first, Ok(())));
    let threads = settings.threads.max(1);
    let play_on = || {
        let mut searcher = new_searcher();
        loop {
            let number = {
                let Ok(mut state) = state.lock() else { return };
                if state.1 >= options.games || state.2.is_err() {
                    return;
                }
                state.1 += 1;
                state.1 as u64 - 1
            };
            let seed =
                seed.wrapping_add((number * shards + shard).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let played = games.play(seed, &mut searcher, &|| stop.load(Relaxed));
            let Ok(mut state) = state.lock() else { return };
            match played {
                Ok(None) => return,
                Ok(Some(game)) => {
                    if let Err(error) = state.0.append(&game) {
                        state.2 = Err(at(options, &error));
                    }
                }
                Err(error) => state.2 = Err(error.into()),
            }
            report(state.0.games(), first, options.games, &started);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(play_on);
        }
    });
    state.into_inner().map_or(Ok(()), |state| state.2)
}

/// Logs the progress, now and then.
fn report(games: usize, first: usize, all: usize, started: &Instant) {
    if games.is_multiple_of(100) || games == all {
        let hours = started.elapsed().as_secs_f64() / 3600.0;
        eprintln!(
            "{games} of {all} games, {:.0} an hour",
            (games - first) as f64 / hours
        );
    }
}

fn size_share(text: &str) -> Result<(Size, f32), String> {
    let (side, share) = text.split_once(':').unwrap_or((text, "1"));
    let share = share
        .parse()
        .ok()
        .filter(|&share: &f32| share > 0.0 && share < 1e6);
    let share = share.ok_or_else(|| "expected SIZE:SHARE with a share above 0".to_owned())?;
    Ok((size(side)?, share))
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    let parts = parts.filter(|&(part, parts): &(u64, u64)| (1..=parts).contains(&part));
    parts.ok_or_else(|| "expected I/N, 1 <= I <= N".to_owned())
}
