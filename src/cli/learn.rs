//! Games with itself, and weights from them.

use super::options::{GameOptions, SearchLimits};
use super::{Error, Outcome, print};
use crate::gtp::{Seed, Settings};
use crate::learn::{Lesson, Moment, Schooling, Tuned, fit, play, tune};
use crate::rules::{Setup, SetupError};
use crate::search::Player;
use crate::search::policy::{Factors, Weights, embedded};
use clap::Args;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
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
    let classes = Classes {
        setup: &setup,
        settings: &settings,
        seed,
        weights: &weights,
        options,
        started: Instant::now(),
        next: AtomicU64::new(0),
    };
    let taught = std::thread::scope(|scope| {
        let pupils: Vec<_> = (0..settings.threads.max(1))
            .map(|_| scope.spawn(|| classes.attend()))
            .collect();
        let taught = pupils.into_iter().flat_map(|pupil| pupil.join());
        taught.collect::<Result<Vec<_>, _>>()
    })?;
    let mut games: Vec<_> = taught.into_iter().flatten().collect();
    // In the order of their seeds, whichever thread was faster.
    games.sort_by_key(|&(number, ..)| number);
    let (mut lessons, mut moments) = (Vec::new(), Vec::new());
    for (_, taught, met) in games {
        lessons.extend(taught);
        moments.extend(met);
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

/// What the threads that play share.
struct Classes<'a> {
    setup: &'a Setup,
    settings: &'a Settings,
    seed: u64,
    weights: &'a Weights,
    options: &'a LearnOptions,
    started: Instant,
    /// The number of the next game.
    next: AtomicU64,
}

/// A game's number, and what there is to learn from it.
type Taught = (u64, Vec<Lesson>, Vec<Moment>);

impl Classes<'_> {
    /// Plays games until there are enough, or until it is time.
    fn attend(&self) -> Result<Vec<Taught>, SetupError> {
        let mut player = Player::new(self.settings.knobs, self.settings.memory, 1);
        player.teach(self.weights.clone());
        let factors = Factors::new(self.weights);
        let limit = Duration::try_from_secs_f64(self.options.minutes * 60.0);
        let mut taught = Vec::new();
        while self.started.elapsed() <= *limit.as_ref().unwrap_or(&Duration::MAX) {
            let number = self.next.fetch_add(1, Relaxed);
            if number >= self.options.games {
                break;
            }
            let schooling = Schooling {
                setup: self.setup.clone(),
                playouts: self.settings.playouts.unwrap_or(1000),
                seed: self.seed.wrapping_add(number),
            };
            let played = play(&schooling, &mut player, &factors)?;
            let score = played.game.score();
            log::info!("game {}: {score}", number + 1);
            let won = match score.as_bytes().first() {
                Some(b'B') => 1.0,
                Some(b'W') => 0.0,
                _ => 0.5,
            };
            let moments = played.moments.into_iter().map(|moment| (moment, won));
            taught.push((number, played.lessons, moments.collect()));
        }
        Ok(taught)
    }
}

fn first_weights(options: &LearnOptions, id: &str) -> Result<Weights, Error> {
    let text = match &options.from {
        None => embedded(id).to_owned(),
        Some(path) => std::fs::read_to_string(path)?,
    };
    Weights::parse(&text).map_err(|error| Error::Failure(error.to_string()))
}
