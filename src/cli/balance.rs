//! `kawari balance`: estimates the fair komi.

use super::options::GameOptions;
use super::output::{ForceOption, OutputFile};
use super::progress::Progress;
use super::signals::Interruption;
use super::{CliResult, Error, cores, print};
use crate::arena::balance::fit::Fit;
use crate::arena::balance::results::{self, PlayedGame};
use crate::arena::balance::{GAMES_PER_ROUND, KomiChoice, KomiScore, KomiStudy, study};
use crate::board::Color;
use crate::files::Replace;
use crate::json;
use crate::line_file::LineFile;
use crate::plot::{self, Axes, DataPoint, Mark, Series};
use crate::rules::{MAX_KOMI, Setup, to_komi};
use crate::stats::{Interval, wilson};
use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub struct BalanceOptions {
    #[command(flatten)]
    game: GameOptions,
    /// Number of games
    #[arg(long, value_name = "N", default_value = "300", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: u64,
    /// Playouts for each move
    #[arg(long, value_name = "N", default_value = "400", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,
    /// Random seed; the results do not depend on the number of threads
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Games played at the same time [default: the number of cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::options::threads())]
    threads: Option<u16>,
    /// The smallest komi; all komi values up to --to have the same number of games [default: komi
    /// near the estimated fair komi]
    #[arg(
        long,
        value_name = "K",
        allow_negative_numbers = true,
        requires = "to",
        conflicts_with = "komi"
    )]
    from: Option<f64>,
    /// The largest komi
    #[arg(long, value_name = "K", allow_negative_numbers = true, requires = "from")]
    to: Option<f64>,
    /// The distance between komi values
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value = "1")]
    step: f64,
    /// Plot win rates and the fit to this file, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Save the result of each game to this file, and continue from it if it exists
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    force: ForceOption,
}

const PLOT_MARK: &str = "<!-- kawari balance -->";

/// After a signal, prints the results so far.
pub fn balance(options: &BalanceOptions) -> CliResult {
    let info = options.game.variant;
    if !info.is_counted() {
        let why = format!("--variant: {} is won without points, so it has no fair komi", info.id);
        return Err(Error::Usage(why));
    }
    let study_of = options.study()?;
    let plot = options.plot.as_deref();
    let plot = plot.map(|path| {
        let replace = Replace::Containing(PLOT_MARK);
        options.force.file("--plot", path, replace)
    });
    plot.map_or(Ok(()), OutputFile::check)?;
    let interruption = Interruption::begin()?;
    let scores = options.play(&study_of, &interruption)?;
    let games: u64 = scores.iter().map(|score| score.games.trials()).sum();
    match Fit::new(&scores) {
        Some(fit) => {
            print(&table(&study_of.setup, &scores, &fit))?;
            plot.map_or(Ok(()), |file| draw(file, &study_of.setup, &scores, &fit))?;
        }
        None => interruption.outcome("no game is over")?,
    }
    interruption.outcome(&match &options.out {
        Some(path) => {
            format!(
                "{} has {games} games, and the same command continues from there",
                path.display()
            )
        }
        None => {
            format!("{games} games are over; with --out FILE the next run continues from there")
        }
    })
}

impl BalanceOptions {
    pub fn study(&self) -> Result<KomiStudy, Error> {
        Ok(KomiStudy {
            setup: self.game.setup()?,
            playouts: self.playouts,
            games: self.games,
            seed: self.seed,
            komi_choice: self.komi_choice()?,
        })
    }

    pub fn threads(&self) -> usize {
        self.threads.map_or_else(cores, usize::from)
    }

    fn play(&self, of: &KomiStudy, interruption: &Interruption) -> Result<Vec<KomiScore>, Error> {
        let opened = self.out.as_deref().map(|path| results::open(path, of));
        let (mut file, before) = opened.transpose().map_err(Error::Failure)?.unzip();
        let before = before.unwrap_or_default();
        let mut games = before.len() as u64;
        let progress = Progress::new(of.games, games);
        let mut estimate = "fair komi: unknown".to_owned();
        let finished = |game: &PlayedGame, scores: &[KomiScore]| {
            games += 1;
            // A fit takes as long as some games on a small board.
            let is_due = games.is_multiple_of(GAMES_PER_ROUND);
            if let Some(fit) = is_due.then(|| Fit::new(scores)).flatten() {
                estimate = format!("fair komi: {}", fair_words(&fit));
            }
            progress.step(games, &line(game), false, &estimate);
            file.as_mut().map_or(Ok(()), |file| file.append(&json::text(game)))
        };
        let scores = study(of, &before, self.threads(), &|| interruption.has_come(), finished);
        progress.close();
        file.map_or(Ok(()), LineFile::close).and(scores).map_err(Error::Failure)
    }

    fn komi_choice(&self) -> Result<KomiChoice, Error> {
        let step = self.step;
        if !(step.is_finite() && step >= 0.01) {
            return Err(Error::Usage("--step: expected 0.01 or more".to_owned()));
        }
        match (self.from, self.to) {
            (Some(from), Some(to))
                if from <= to && to_komi(from).is_ok() && to_komi(to).is_ok() =>
            {
                Ok(KomiChoice::Fixed { from, to, step })
            }
            (None, None) => Ok(KomiChoice::Adaptive { step }),
            _ => Err(Error::Usage(format!(
                "--from: expected a number up to --to, both from -{MAX_KOMI} to {MAX_KOMI}"
            ))),
        }
    }
}

fn line(game: &PlayedGame) -> String {
    let result = match game.half_points {
        0 => "White wins",
        1 => "a draw",
        _ => "Black wins",
    };
    format!("game {}: komi {}, {result}", game.game, game.komi)
}

fn table(setup: &Setup, scores: &[KomiScore], fit: &Fit) -> String {
    let mut lines = vec!["  komi  games    B    =    W  B wins   95%            fit".to_owned()];
    for score in scores {
        let [lost, drawn, won] = score.games.each();
        let games = score.games.trials();
        let Interval { low, high } = wilson(score.games.points(), games);
        lines.push(format!(
            "{:>6} {games:>6} {won:>4} {drawn:>4} {lost:>4} {:>6.1}%  {:>5.1} to {:>5.1}% {:>5.1}%",
            score.komi,
            100.0 * score.games.points() / games as f64,
            100.0 * low,
            100.0 * high,
            100.0 * fit.black_wins(score.komi),
        ));
    }
    lines.push(format!("fair komi: {}", fair_words(fit)));
    lines.push(format!("first player's advantage: {}", advantage_words(setup, fit)));
    let Interval { low, high } = fit.no_komi_interval();
    lines.push(format!(
        "without komi, Black wins: {:.0}% ({:.0} to {:.0}%)",
        100.0 * fit.no_komi(),
        100.0 * low,
        100.0 * high
    ));
    let (games, turns) = scores
        .iter()
        .fold((0, 0), |(games, turns), score| (games + score.games.trials(), turns + score.turns));
    lines.push(format!("turns per game: {:.1}", turns as f64 / games.max(1) as f64));
    lines.join("\n")
}

fn fair_words(fit: &Fit) -> String {
    words(fit.fair(), fit.fair_interval())
}

/// For the player of the first turn.
fn advantage_words(setup: &Setup, fit: &Fit) -> String {
    let Interval { low, high } = fit.fair_interval();
    let points = match setup.rules.first {
        Color::Black => words(fit.fair(), fit.fair_interval()),
        Color::White => {
            let turned = Interval { low: -high, high: -low };
            words(fit.fair().map(|fair| -fair), turned)
        }
    };
    match points.as_str() {
        "unknown" => points,
        points => format!("{points} points for {}", setup.rules.first.name()),
    }
}

fn words(value: Option<f64>, Interval { low, high }: Interval) -> String {
    match value {
        Some(value) => format!("{value:.1} ({low:.1} to {high:.1})"),
        None if low.is_finite() => format!("above {low:.1}"),
        None if high.is_finite() => format!("below {high:.1}"),
        None => "unknown".to_owned(),
    }
}

fn draw(file: OutputFile<'_>, setup: &Setup, scores: &[KomiScore], fit: &Fit) -> CliResult {
    let points = scores.iter().map(|score| {
        let games = score.games.trials();
        let y = score.games.points() / games.max(1) as f64;
        let interval = wilson(score.games.points(), games);
        let x = score.komi;
        DataPoint { x, y, interval }
    });
    let points: Vec<_> = points.collect();
    let ends = points.first().zip(points.last()).map(|(first, last)| (first.x, last.x));
    let (low, high) = ends.unwrap_or_default();
    let xs = low - 1.0..high + 1.0;
    let samples = (0..=200).map(|n| xs.start + (xs.end - xs.start) * f64::from(n) / 200.0);
    let curve = samples.map(|komi| DataPoint::exact(komi, fit.black_wins(komi)));
    let series = [
        Series { name: "fit", mark: Mark::Dashes, points: curve.collect() },
        Series { name: "games, 95% intervals", mark: Mark::Dots, points },
    ];
    let title = format!(
        "{} on {}x{}: fair komi {}",
        setup.info.id,
        setup.size.width,
        setup.size.height,
        fair_words(fit)
    );
    let axes =
        Axes { title: &title, x: "komi", y: "part of the games that Black wins", xs, ys: 0.0..1.0 };
    let svg = plot::draw(&axes, &series).map_err(Error::Failure)?;
    file.write(format!("{PLOT_MARK}\n{svg}").as_bytes())
}
