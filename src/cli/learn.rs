//! Games with itself, and weights from them.

use super::options::{GameOptions, SearchLimits};
use super::{Error, Outcome, pool, print};
use crate::arena::record::half_points;
use crate::gtp::{Seed, Settings};
use crate::learn::{Lesson, Moment, Schooling, Tuned, fit, play, tune};
use crate::rules::{Setup, SetupError};
use crate::search::Player;
use crate::search::policy::{Factors, GROUPS, Weights, embedded};
use clap::Args;
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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
    /// Stop playing after so many minutes, though fewer games were played
    #[arg(long, value_name = "MINUTES", default_value_t = 60.0)]
    minutes: f64,
    /// Playouts a position to tune playouts with; 0 leaves them as they are
    #[arg(long, value_name = "N", default_value_t = 0)]
    tune: u32,
    /// Learn only these groups of features, and leave all others as they are [default: all]
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
    let class = Class {
        setup: &setup,
        settings: &settings,
        seed,
        weights: &weights,
        turns: options.turns,
    };
    let started = Instant::now();
    let limit = Duration::try_from_secs_f64(options.minutes * 60.0).unwrap_or(Duration::MAX);
    let in_time = || started.elapsed() <= limit;
    let games = (0..options.games).into_par_iter();
    let taught = games.filter_map(|number| in_time().then(|| class.attend(number)));
    let pool = pool(settings.threads.max(1))?;
    let taught: Vec<_> = pool.install(|| taught.collect::<Result<_, _>>())?;
    let (mut lessons, mut moments) = (Vec::new(), Vec::new());
    for (of_game, met) in taught {
        lessons.extend(of_game);
        moments.extend(met);
    }
    let only = (!options.only.is_empty()).then_some(options.only.as_slice());
    let fit = fit(&lessons, &mut weights, only, seed);
    let tuned = match options.tune {
        0 => None,
        playouts => Some(tune(&moments, &mut weights, playouts, seed)),
    };
    let head = format!(
        "# {}: learned from {} positions of games with itself.",
        setup.info.id,
        lessons.len()
    );
    std::fs::write(&options.out, format!("{head}\n{}", weights.write()))?;
    let mut told = format!(
        "{} positions: log-likelihood of steps {:.3}, was {:.3}",
        lessons.len(),
        fit.after,
        fit.before,
    );
    if let Some(Tuned { before, after }) = tuned {
        let known = moments.len();
        told += &format!("\n{known} positions: log-loss of playouts {after:.4}, was {before:.4}");
    }
    print(&told)
}

/// The names that [`LearnOptions::only`] takes.
fn group_names() -> clap::builder::PossibleValuesParser {
    clap::builder::PossibleValuesParser::new(GROUPS.iter().map(|group| group.name))
}

/// What all games share.
struct Class<'a> {
    setup: &'a Setup,
    settings: &'a Settings,
    seed: u64,
    weights: &'a Weights,
    turns: Option<usize>,
}

impl Class<'_> {
    /// Plays a game; what there is to learn from it.
    fn attend(&self, number: u64) -> Result<(Vec<Lesson>, Vec<Moment>), SetupError> {
        let mut player = Player::new(self.settings.knobs, self.settings.memory, 1);
        player.teach(self.weights.clone());
        let schooling = Schooling {
            setup: self.setup.clone(),
            playouts: self.settings.playouts.unwrap_or(1000),
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
