//! `kawari learn`: self-play, and weights from it.

use super::options::{GameOptions, SearchOptions};
use super::output::ForceOption;
use super::signals::Interruption;
use super::{CliResult, Error, pool, print};
use crate::arena::results::half_points;
use crate::files::{self, Replace};
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
    /// Write the weights to this file, after each round and after Ctrl-C; it replaces earlier weights
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceOption,
}

/// The beginning of each file of weights.
const FIRST_WORD: &[u8] = b"kawari-weights ";

/// Plays games, learns weights, writes them. A signal ends the games; what they have
/// taught so far is learned.
pub fn learn(options: &LearnOptions) -> CliResult {
    let setup = options.game.setup()?;
    let settings = options.search.settings()?;
    let (Seed::Fixed(seed) | Seed::Drawn(seed)) = settings.seed;
    let mut weights = initial_weights(options, setup.info)?;
    let out = &options
        .force
        .file("--out", &options.out, Replace::Beginning(FIRST_WORD));
    out.check()?;
    let interruption = Interruption::on_signals(|_| {
        eprintln!("interrupted: learning from the games so far; a second signal gives them up");
    })?;
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
            interruption: &interruption,
        };
        let (samples, value_positions) = batch.play_games(options)?;
        let seed = batch.seed;
        positions += samples.len();
        if !(samples.is_empty() && interruption.has_come()) {
            let write = |weights: &Weights| {
                let remark = format!("{positions} positions of self-play");
                let all = [learned.as_slice(), std::slice::from_ref(weights)].concat();
                out.write(Weights::mean(&all).write(setup.info, &remark).as_bytes())
            };
            print(&fit_weights(options, &samples, &mut weights, seed))?;
            write(&weights)?;
            if options.tune > 0 && !interruption.has_come() {
                let stopped = || interruption.has_come();
                let report = tune(&value_positions, &mut weights, options.tune, seed, &stopped);
                print(&tuned(&value_positions, report))?;
                write(&weights)?;
            }
            learned.push(weights.clone());
        }
        if interruption.has_come() {
            break;
        }
    }
    let path = options.out.display();
    interruption.outcome(&match learned.is_empty() {
        true => "no position is learned".to_owned(),
        false => format!("{path} has the weights of {positions} positions"),
    })
}

/// Fits priors to samples; returns a line about the fit.
fn fit_weights(
    options: &LearnOptions,
    samples: &[TrainingSample],
    weights: &mut Weights,
    seed: u64,
) -> String {
    let only = (!options.only.is_empty()).then_some(options.only.as_slice());
    let fit = fit(samples, weights, only, seed);
    format!(
        "{} positions: log-likelihood of steps {:.3}, was {:.3}",
        samples.len(),
        fit.after,
        fit.before,
    )
}

/// A line about tuned playouts.
fn tuned(value_positions: &[ValuePosition], TuneReport { before, after }: TuneReport) -> String {
    let count = value_positions.len();
    format!("{count} positions: log-loss of playouts {after:.4}, was {before:.4}")
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
    interruption: &'a Interruption,
}

impl Batch<'_> {
    /// Plays all games; returns their samples and value positions.
    fn play_games(
        &self,
        options: &LearnOptions,
    ) -> Result<(Vec<TrainingSample>, Vec<ValuePosition>), Error> {
        let started = Instant::now();
        let limit = Duration::try_from_secs_f64(options.minutes * 60.0).unwrap_or(Duration::MAX);
        let in_time = || started.elapsed() <= limit && !self.interruption.has_come();
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
            &|| self.interruption.has_come(),
        )?;
        let score = played.game.score();
        log::info!("game {}: {score}", number + 1);
        let won = f32::from(half_points(score).unwrap_or(1)) / 2.0;
        // A game that was stopped has no result.
        let known = played.value_positions.into_iter();
        let known = known.filter(|_| !self.interruption.has_come());
        let value_positions = known.map(|value_position| (value_position, won));
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
    let text = files::read_text(path);
    let text =
        text.map_err(|error| Error::Failure(format!("--from: {}: {error}", path.display())))?;
    Weights::parse(&text, variant)
        .map_err(|error| Error::Failure(format!("--from: {}: {error}", path.display())))
}
