//! Games with itself, and weights from them.

use super::options::{GameOptions, SearchLimits};
use super::{Error, Outcome, print};
use crate::gtp::Seed;
use crate::learn::{Schooling, fit, play};
use crate::search::Player;
use crate::search::policy::{Factors, Weights, embedded};
use clap::Args;
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
    /// Stop playing after so many minutes, though fewer games were played
    #[arg(long, value_name = "MINUTES", default_value_t = 60.0)]
    minutes: f64,
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
    let mut player = Player::new(settings.knobs, settings.memory, 1);
    player.teach(weights.clone());
    let factors = Factors::new(&weights);
    let mut lessons = Vec::new();
    let started = Instant::now();
    let limit = Duration::try_from_secs_f64(options.minutes * 60.0).unwrap_or(Duration::MAX);
    for number in 0..options.games {
        let schooling = Schooling {
            setup: setup.clone(),
            playouts: settings.playouts.unwrap_or(1000),
            seed: seed.wrapping_add(number),
        };
        let game = play(&schooling, &mut player, &factors, |lesson| {
            lessons.push(lesson)
        })?;
        log::info!(
            "game {}: {} turns, {}",
            number + 1,
            game.turns().len(),
            game.score()
        );
        if started.elapsed() > limit {
            break;
        }
    }
    let fit = fit(&lessons, &mut weights, seed);
    let text = format!(
        "# {}: learned from {} positions of games with itself.\n{}",
        setup.info.id,
        lessons.len(),
        weights.write()
    );
    std::fs::write(&options.out, text)?;
    print(&format!(
        "{} positions; log-likelihood of steps {:.3} -> {:.3}, answers {:.3} -> {:.3}, elsewhere {:.3} -> {:.3}",
        lessons.len(),
        fit.before[0],
        fit.after[0],
        fit.before[1],
        fit.after[1],
        fit.before[2],
        fit.after[2],
    ))
}

fn first_weights(options: &LearnOptions, id: &str) -> Result<Weights, Error> {
    let text = match &options.from {
        None => embedded(id).to_owned(),
        Some(path) => std::fs::read_to_string(path)?,
    };
    Weights::parse(&text).map_err(|error| Error::Failure(error.to_string()))
}
