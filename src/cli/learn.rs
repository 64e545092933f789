//! Games with itself, and weights from them.

use super::options::{GameOptions, SearchLimits};
use super::{Error, Outcome, pool, print};
use crate::arena::record::half_points;
use crate::gtp::{Seed, Settings};
use crate::learn::{Lesson, Moment, PATTERN, SHAPE, Schooling, Tuned, fit, play, tune};
use crate::rules::{Setup, SetupError};
use crate::search::Player;
use crate::search::policy::{Factors, GROUPS, Weights, embedded};
use clap::Args;
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Playouts of a lesson in the first round, if none are asked for.
const PLAYOUTS: u64 = 1000;

/// What to learn.
#[derive(Clone, Debug, Args)]
pub struct LearnOptions {
    #[command(flatten)]
    game: GameOptions,
    #[command(flatten)]
    search: SearchLimits,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// Leave each game after so many turns, to learn of openings alone
    #[arg(long, value_name = "N", conflicts_with = "tune")]
    turns: Option<usize>,
    /// Stop playing after so many minutes, in each round, though fewer games were played
    #[arg(long, value_name = "MINUTES", default_value_t = 60.0)]
    minutes: f64,
    /// Learn so many times, each time from the weights of the time before and with twice the
    /// playouts; what is written is the geometric mean of all
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    rounds: u32,
    /// Playouts a position to tune playouts with; 0 leaves them as they are
    #[arg(long, value_name = "N", default_value_t = 0)]
    tune: u32,
    /// Learn only these groups of features, patterns or shapes, and leave all others as they are
    /// [default: all]
    #[arg(long, value_name = "NAME,NAME,…", value_delimiter = ',', value_parser = group_names())]
    only: Vec<String>,
    /// Begin with the weights in this file [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Write the weights to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Plays, learns, writes.
pub fn learn(options: &LearnOptions) -> Outcome {
    let setup = options.game.setup()?;
    let settings = options.search.settings()?;
    let (Seed::Fixed(seed) | Seed::Drawn(seed)) = settings.seed;
    let mut weights = first_weights(options, setup.info.id)?;
    let (mut learned, mut positions) = (Vec::new(), 0);
    for round in 0..options.rounds {
        let playouts = settings.playouts.unwrap_or(PLAYOUTS);
        let class = Class {
            setup: &setup,
            settings: &settings,
            playouts: playouts.saturating_mul(1 << round),
            seed: seed.wrapping_add(u64::from(round).wrapping_mul(options.games)),
            weights: &weights,
            turns: options.turns,
        };
        let (lessons, moments) = class.gather(options)?;
        let seed = class.seed;
        positions += lessons.len();
        print(&study(options, &lessons, &moments, &mut weights, seed))?;
        learned.push(weights.clone());
        // Each time, for rounds take long.
        let head = format!(
            "# {}: learned from {positions} positions of games with itself.",
            setup.info.id,
        );
        let mean = Weights::mean(&learned);
        std::fs::write(&options.out, format!("{head}\n{}", mean.write()))?;
    }
    Ok(())
}

/// Learns from what games taught; says how well that went.
fn study(
    options: &LearnOptions,
    lessons: &[Lesson],
    moments: &[Moment],
    weights: &mut Weights,
    seed: u64,
) -> String {
    let only = (!options.only.is_empty()).then_some(options.only.as_slice());
    let fit = fit(lessons, weights, only, seed);
    let mut told = format!(
        "{} positions: log-likelihood of steps {:.3}, was {:.3}",
        lessons.len(),
        fit.after,
        fit.before,
    );
    if options.tune > 0 {
        let Tuned { before, after } = tune(moments, weights, options.tune, seed);
        let known = moments.len();
        told += &format!("\n{known} positions: log-loss of playouts {after:.4}, was {before:.4}");
    }
    told
}

/// The names that [`LearnOptions::only`] takes.
fn group_names() -> clap::builder::PossibleValuesParser {
    let groups = GROUPS.iter().map(|group| group.name);
    clap::builder::PossibleValuesParser::new(groups.chain([PATTERN, SHAPE]))
}

/// What all games of a round share.
struct Class<'a> {
    setup: &'a Setup,
    settings: &'a Settings,
    playouts: u64,
    seed: u64,
    weights: &'a Weights,
    turns: Option<usize>,
}

impl Class<'_> {
    /// Plays all games; what there is to learn from them.
    fn gather(&self, options: &LearnOptions) -> Result<(Vec<Lesson>, Vec<Moment>), Error> {
        let started = Instant::now();
        let limit = Duration::try_from_secs_f64(options.minutes * 60.0).unwrap_or(Duration::MAX);
        let in_time = || started.elapsed() <= limit;
        let games = (0..options.games).into_par_iter();
        let taught = games.filter_map(|number| in_time().then(|| self.attend(number)));
        let pool = pool(self.settings.threads.max(1))?;
        let taught: Vec<_> = pool.install(|| taught.collect::<Result<_, _>>())?;
        let (mut lessons, mut moments) = (Vec::new(), Vec::new());
        for (of_game, met) in taught {
            lessons.extend(of_game);
            moments.extend(met);
        }
        Ok((lessons, moments))
    }

    /// Plays a game; what there is to learn from it.
    fn attend(&self, number: u64) -> Result<(Vec<Lesson>, Vec<Moment>), SetupError> {
        let mut player = Player::new(self.settings.knobs, self.settings.memory, 1);
        player.teach(self.weights.clone());
        let schooling = Schooling {
            setup: self.setup.clone(),
            playouts: self.playouts,
            turns: self.turns,
            seed: self.seed.wrapping_add(number),
        };
        let played = play(&schooling, &mut player, &Factors::new(self.weights))?;
        let score = played.game.score();
        log::info!("game {}: {score}", number + 1);
        let won = f32::from(half_points(&score).unwrap_or(1)) / 2.0;
        let moments = played.moments.into_iter().map(|moment| (moment, won));
        Ok((played.lessons, moments.collect()))
    }
}

fn first_weights(options: &LearnOptions, id: &str) -> Result<Weights, Error> {
    let text = match &options.from {
        None => embedded(id).to_owned(),
        Some(path) => std::fs::read_to_string(path)?,
    };
    Weights::parse(&text).map_err(|error| Error::Failure(error.to_string()))
}
