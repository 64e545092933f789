//! Games with itself, and weights from them.

use super::options::{GameOptions, SearchLimits};
use super::{Error, Outcome, print};
use crate::gtp::Seed;
use crate::learn::{Schooling, Tuned, fit, play, tune};
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
    /// Playouts a position to tune playouts with; 0 leaves them as they are
    #[arg(long, value_name = "N", default_value_t = 0)]
    tune: u32,
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
    let (mut lessons, mut moments) = (Vec::new(), Vec::new());
    let started = Instant::now();
    let limit = Duration::try_from_secs_f64(options.minutes * 60.0).unwrap_or(Duration::MAX);
    for number in 0..options.games {
        let schooling = Schooling {
            setup: setup.clone(),
            playouts: settings.playouts.unwrap_or(1000),
            seed: seed.wrapping_add(number),
        };
        let played = play(&schooling, &mut player, &factors)?;
        let score = played.game.score();
        log::info!("game {}: {score}", number + 1);
        let won = match score.as_bytes().first() {
            Some(b'B') => 1.0,
            Some(b'W') => 0.0,
            _ => 0.5,
        };
        lessons.extend(played.lessons);
        moments.extend(played.moments.into_iter().map(|moment| (moment, won)));
        if started.elapsed() > limit {
            break;
        }
    }
    let fit = fit(&lessons, &mut weights, seed);
    let tuned = match options.tune {
        0 => Tuned::default(),
        playouts => tune(&moments, &mut weights, playouts, seed),
    };
    let head = format!(
        "# {}: learned from {} positions of games with itself.",
        setup.info.id,
        lessons.len()
    );
    std::fs::write(&options.out, format!("{head}\n{}", weights.write()))?;
    print(&format!(
        "{} positions: log-likelihood of steps {:.3}, was {:.3}\n{} positions: log-loss of playouts {:.4}, was {:.4}",
        lessons.len(),
        fit.after,
        fit.before,
        moments.len(),
        tuned.after,
        tuned.before,
    ))
}

fn first_weights(options: &LearnOptions, id: &str) -> Result<Weights, Error> {
    let text = match &options.from {
        None => embedded(id).to_owned(),
        Some(path) => std::fs::read_to_string(path)?,
    };
    Weights::parse(&text).map_err(|error| Error::Failure(error.to_string()))
}
