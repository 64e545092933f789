//! What the first turn is worth, on the command line.

use super::options::GameOptions;
use super::{Error, Outcome, pool, print};
use crate::arena::balance::fit::Fit;
use crate::arena::balance::{Ladder, Study, Tried, study};
use crate::arena::plot::{self, Axes, Measured};
use crate::arena::stats::{Interval, wilson};
use crate::board::Color;
use crate::rules::Setup;
use clap::Args;
use std::path::{Path, PathBuf};

/// What to play, and where to look.
#[derive(Clone, Debug, Args)]
pub struct BalanceOptions {
    #[command(flatten)]
    game: GameOptions,
    /// Games in all
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Playouts for every step
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,
    /// Where everything random starts: the same numbers on any number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The least komi to play with; all up to --to as often [default: those around the fair one,
    /// as far as it is known]
    #[arg(long, value_name = "K", allow_negative_numbers = true, requires = "to")]
    from: Option<f64>,
    /// The greatest
    #[arg(
        long,
        value_name = "K",
        allow_negative_numbers = true,
        requires = "from"
    )]
    to: Option<f64>,
    /// From one komi to the next
    #[arg(
        long,
        value_name = "K",
        allow_negative_numbers = true,
        default_value_t = 1.0
    )]
    step: f64,
    /// Draw win rate and fit to this file, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// Plays, fits, prints.
pub fn balance(options: &BalanceOptions) -> Outcome {
    let study_of = Study {
        setup: options.game.setup()?,
        playouts: options.playouts,
        games: options.games,
        seed: options.seed,
        ladder: options.ladder()?,
    };
    let threads = options.threads.map_or(0, usize::from);
    let pool = pool(threads)?;
    let told = |found: &[Tried]| {
        let games: u64 = found.iter().map(|tried| tried.games.trials()).sum();
        let fair = Fit::new(found)
            .map(|fit| fair_words(&fit))
            .unwrap_or_default();
        log::info!("{games} games: {fair}");
    };
    let found = pool.install(|| study(&study_of, told))?;
    let fit = Fit::new(&found).ok_or_else(|| Error::Failure("no games".to_owned()))?;
    print(&table(&study_of.setup, &found, &fit))?;
    match &options.plot {
        None => Ok(()),
        Some(path) => draw(path, &study_of.setup, &found, &fit),
    }
}

impl BalanceOptions {
    fn ladder(&self) -> Result<Ladder, Error> {
        let step = self.step;
        if !(step.is_finite() && step >= 0.01) {
            return Err(Error::Usage("--step: expected 0.01 or more".to_owned()));
        }
        match (self.from, self.to) {
            (Some(from), Some(to)) if from <= to && from.abs() <= 1e4 && to.abs() <= 1e4 => {
                Ok(Ladder::Fixed { from, to, step })
            }
            (None, None) => Ok(Ladder::Free { step }),
            _ => Err(Error::Usage(
                "--from: expected no more than --to, both within 10000".to_owned(),
            )),
        }
    }
}

fn table(setup: &Setup, found: &[Tried], fit: &Fit) -> String {
    let mut lines = vec!["  komi  games    B    =    W  B wins   95%            fit".to_owned()];
    for tried in found {
        let [lost, drawn, won] = tried.games.each();
        let games = tried.games.trials();
        let Interval { low, high } = wilson(tried.games.points(), games);
        lines.push(format!(
            "{:>6} {games:>6} {won:>4} {drawn:>4} {lost:>4} {:>6.1}%  {:>5.1} to {:>5.1}% {:>5.1}%",
            tried.komi,
            100.0 * tried.games.points() / games as f64,
            100.0 * low,
            100.0 * high,
            100.0 * fit.chance(tried.komi),
        ));
    }
    lines.push(format!("fair komi: {}", fair_words(fit)));
    lines.push(format!(
        "first player's advantage: {}",
        advantage_words(setup, fit)
    ));
    let Interval { low, high } = fit.level_interval();
    lines.push(format!(
        "without komi, Black wins: {:.0}% ({:.0} to {:.0}%)",
        100.0 * fit.level(),
        100.0 * low,
        100.0 * high
    ));
    lines.join("\n")
}

fn fair_words(fit: &Fit) -> String {
    words(fit.fair(), fit.fair_interval())
}

/// The same as points for whoever makes the first turn.
fn advantage_words(setup: &Setup, fit: &Fit) -> String {
    let Interval { low, high } = fit.fair_interval();
    let points = match setup.rules.first {
        Color::Black => words(fit.fair(), fit.fair_interval()),
        Color::White => {
            let turned = Interval {
                low: -high,
                high: -low,
            };
            words(fit.fair().map(|fair| -fair), turned)
        }
    };
    format!("{points} points for {}", setup.rules.first.name())
}

fn words(value: Option<f64>, Interval { low, high }: Interval) -> String {
    match value {
        Some(value) => format!("{value:.1} ({low:.1} to {high:.1})"),
        None if low.is_finite() => format!("above {low:.1}"),
        None if high.is_finite() => format!("below {high:.1}"),
        None => "nobody can tell".to_owned(),
    }
}

fn draw(path: &Path, setup: &Setup, found: &[Tried], fit: &Fit) -> Outcome {
    let points = found.iter().map(|tried| {
        let games = tried.games.trials();
        let y = tried.games.points() / games.max(1) as f64;
        let interval = wilson(tried.games.points(), games);
        let x = tried.komi;
        Measured { x, y, interval }
    });
    let points: Vec<_> = points.collect();
    let ends = points
        .first()
        .zip(points.last())
        .map(|(first, last)| (first.x, last.x));
    let (low, high) = ends.unwrap_or_default();
    let xs = low - 1.0..high + 1.0;
    let places = (0..=200).map(|n| xs.start + (xs.end - xs.start) * f64::from(n) / 200.0);
    let curve: Vec<_> = places.map(|komi| (komi, fit.chance(komi))).collect();
    let title = format!(
        "{} on {}x{}: fair komi {}",
        setup.info.id,
        setup.size.width,
        setup.size.height,
        fair_words(fit)
    );
    let axes = Axes {
        title: &title,
        x: "komi",
        y: "part of the games that Black wins",
        xs,
        ys: 0.0..1.0,
    };
    let svg = plot::points(&axes, &points, &curve);
    let svg = svg.map_err(|error| Error::Failure(error.to_string()))?;
    std::fs::write(path, svg)
        .map_err(|error| Error::Failure(format!("--plot: {}: {error}", path.display())))
}
