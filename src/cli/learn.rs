//! `kawari learn`: self-play, and weights from it.

use super::options::{GameOptions, SearchOptions};
use super::{CliResult, Error, pool, print};
use crate::arena::results::half_points;
use crate::gtp::{Seed, Settings};
use crate::learn::{SelfPlaySettings, TrainingSample, TuneReport, ValuePosition, fit, play, tune};
use crate::rules::{Setup, SetupError, VariantInfo};
use crate::search::Searcher;
use crate::search::policy::{
    CompiledWeights, FAMILIES, LARGE_PATTERN, PATTERN_3X3, Weights, embedded,
};
use clap::Args;
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Default number of playouts for each sample in the first round.
const PLAYOUTS: u64 = 1000;

/// The options of `kawari learn`.
#[derive(Clone, Debug, Args)]
pub struct LearnOptions {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// Number of games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// End each game after so many turns, to learn openings only
    #[arg(long, value_name = "N", conflicts_with = "tune")]
    turns: Option<usize>,
    /// Stop playing after so many minutes in each round, even if fewer games were played
    #[arg(long, value_name = "MINUTES", default_value_t = 60.0)]
    minutes: f64,
    /// Number of rounds; each begins with the weights of the round before and doubles the
    /// playouts; the file gets the geometric mean of all
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    rounds: u32,
    /// Playouts for each position when tuning the playout weights; 0 does not tune them
    #[arg(long, value_name = "N", default_value_t = 0)]
    tune: u32,
    /// Learn only these feature families, and keep the weights of all others [default: all]
    #[arg(long, value_name = "NAME,NAME,…", value_delimiter = ',', value_parser = family_names())]
    only: Vec<String>,
    /// Start from the weights in this file [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Write the weights to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Plays games, learns weights, writes them.
pub fn learn(options: &LearnOptions) -> CliResult {
    let setup = options.game.setup()?;
    let settings = options.search.settings()?;
    let (Seed::Fixed(seed) | Seed::Drawn(seed)) = settings.seed;
    let mut weights = initial_weights(options, setup.info)?;
    let (mut learned, mut positions) = (Vec::new(), 0);
    for round in 0..options.rounds {
        let playouts = settings.playouts.unwrap_or(PLAYOUTS);
        let batch = Batch {
            setup: &setup,
            settings: &settings,
            playouts: playouts.saturating_mul(1 << round),
            seed: seed.wrapping_add(u64::from(round).wrapping_mul(options.games)),
            weights: &weights,
            turns: options.turns,
        };
        let (samples, value_positions) = batch.play_games(options)?;
        let seed = batch.seed;
        positions += samples.len();
        print(&learn_weights(
            options,
            &samples,
            &value_positions,
            &mut weights,
            seed,
        ))?;
        learned.push(weights.clone());
        // After each round, because rounds take long.
        let remark = format!("{positions} positions of self-play");
        let mean = Weights::mean(&learned);
        std::fs::write(&options.out, mean.write(setup.info, &remark))?;
    }
    Ok(())
}

/// Learns from samples and value positions; returns a line or two about the fit.
fn learn_weights(
    options: &LearnOptions,
    samples: &[TrainingSample],
    value_positions: &[ValuePosition],
    weights: &mut Weights,
    seed: u64,
) -> String {
    let only = (!options.only.is_empty()).then_some(options.only.as_slice());
    let fit = fit(samples, weights, only, seed);
    let mut summary = format!(
        "{} positions: log-likelihood of steps {:.3}, was {:.3}",
        samples.len(),
        fit.after,
        fit.before,
    );
    if options.tune > 0 {
        let TuneReport { before, after } = tune(value_positions, weights, options.tune, seed);
        let count = value_positions.len();
        summary +=
            &format!("\n{count} positions: log-loss of playouts {after:.4}, was {before:.4}");
    }
    summary
}

/// The names that [`LearnOptions::only`] takes.
fn family_names() -> clap::builder::PossibleValuesParser {
    let families = FAMILIES.iter().map(|family| family.name);
    clap::builder::PossibleValuesParser::new(families.chain([PATTERN_3X3, LARGE_PATTERN]))
}

/// The self-play games of one round.
struct Batch<'a> {
    setup: &'a Setup,
    settings: &'a Settings,
    playouts: u64,
    seed: u64,
    weights: &'a Weights,
    turns: Option<usize>,
}

impl Batch<'_> {
    /// Plays all games; returns their samples and value positions.
    fn play_games(
        &self,
        options: &LearnOptions,
    ) -> Result<(Vec<TrainingSample>, Vec<ValuePosition>), Error> {
        let started = Instant::now();
        let limit = Duration::try_from_secs_f64(options.minutes * 60.0).unwrap_or(Duration::MAX);
        let in_time = || started.elapsed() <= limit;
        let games = (0..options.games).into_par_iter();
        let played = games.filter_map(|number| in_time().then(|| self.play_game(number)));
        let pool = pool(self.settings.threads.max(1))?;
        let played: Vec<_> = pool.install(|| played.collect::<Result<_, _>>())?;
        let (mut samples, mut value_positions) = (Vec::new(), Vec::new());
        for (of_game, positions) in played {
            samples.extend(of_game);
            value_positions.extend(positions);
        }
        Ok((samples, value_positions))
    }

    /// Plays one game; returns its samples and value positions.
    fn play_game(
        &self,
        number: u64,
    ) -> Result<(Vec<TrainingSample>, Vec<ValuePosition>), SetupError> {
        let mut player = Searcher::new(self.settings.search_params, self.settings.memory, 1);
        player.set_weights(self.weights.clone());
        let self_play_settings = SelfPlaySettings {
            setup: self.setup.clone(),
            playouts: self.playouts,
            turns: self.turns,
            seed: self.seed.wrapping_add(number),
        };
        let played = play(
            &self_play_settings,
            &mut player,
            &CompiledWeights::new(self.weights),
        )?;
        let score = played.game.score();
        log::info!("game {}: {score}", number + 1);
        let won = f32::from(half_points(score).unwrap_or(1)) / 2.0;
        let value_positions = played
            .value_positions
            .into_iter()
            .map(|value_position| (value_position, won));
        Ok((played.samples, value_positions.collect()))
    }
}

fn initial_weights(
    options: &LearnOptions,
    variant: &'static VariantInfo,
) -> Result<Weights, Error> {
    let Some(path) = &options.from else {
        return Ok(embedded(variant));
    };
    let text = std::fs::read_to_string(path)?;
    Weights::parse(&text, variant)
        .map_err(|error| Error::Failure(format!("--from: {}: {error}", path.display())))
}
