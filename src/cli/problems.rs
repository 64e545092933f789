//! `kawari problems`: makes problems, and proves them.

use super::options::GameOptions;
use super::progress::Progress;
use super::signals::Interruption;
use super::{CliResult, Error, print};
use crate::line_file::LineFile;
use crate::problems::{FoundProblem, GRADES, Generator, GeneratorSettings, Problem};
use crate::rules::Size;
use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub struct ProblemsOptions {
    #[command(flatten)]
    game: GameOptions,
    /// Number of problems, equally many of each grade
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Maximum number of random blocked points in each game; with more of them, proofs succeed
    /// earlier in a game
    #[arg(long, value_name = "N", default_value = "8")]
    blocks: u8,
    /// Playouts for each turn of the games in which problems are found
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,
    /// Maximum number of positions of one proof
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Minimum number of points by which every other turn is worse, in counted games
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u8).range(1..=100))]
    margin: u8,
    /// Random seed; the same seed makes the same problems
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Append the problems to this file; if it holds problems, continue with their last game
    /// [default: print them]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Default side: on larger boards only the last turns of a game can be proven.
const SIDE: u8 = 5;

const SIDE_OF_LAYER: u8 = 3;

const BEGINNING: &str = "(;";

/// Writes each problem as soon as it is proven.
pub fn run(options: &ProblemsOptions) -> CliResult {
    let interruption = Interruption::on_signals(|_| {})?;
    let mut generator = Generator::new(options.settings()?);
    let mut file = options.open(&mut generator)?;
    let total = u64::from(options.count);
    let count = |generator: &Generator| generator.counts().iter().sum::<usize>() as u64;
    let progress = Progress::new(total, count(&generator).min(total));
    let mut written = Ok(());
    while !generator.is_done() && !interruption.has_come() && written.is_ok() {
        let take = |generator: &Generator, FoundProblem { problem, positions, turns }| {
            if written.is_ok() {
                written = write(&problem, file.as_mut());
            }
            let part = format!(
                "grade {}: {turns} turns, {positions} positions",
                problem.grade.unwrap_or_default()
            );
            progress.step(count(generator), &part, false, &summary(generator));
        };
        generator.play_one(&|| interruption.has_come(), take)?;
        progress.show(count(&generator), &summary(&generator));
    }
    progress.close();
    written?;
    file.map_or(Ok(()), LineFile::close).map_err(Error::Failure)?;
    interruption.outcome("the problems so far are kept")
}

fn summary(generator: &Generator) -> String {
    let grades: Vec<_> = generator.counts().iter().map(ToString::to_string).collect();
    format!("{} games, grades {}", generator.games(), grades.join("+"))
}

/// Without a file, prints the problem.
fn write(problem: &Problem, file: Option<&mut LineFile>) -> CliResult {
    let line = problem.write().map_err(|error| Error::Failure(error.to_string()))?;
    match file {
        Some(file) => file.append(&line).map_err(Error::Failure),
        None => print(&line),
    }
}

impl ProblemsOptions {
    pub fn settings(&self) -> Result<GeneratorSettings, Error> {
        let mut game = self.game.clone();
        let side = if game.variant.stacked { SIDE_OF_LAYER } else { SIDE };
        game.size = game.size.or(Some(Size::square(side)));
        let (count, grades) = (self.count as usize, usize::from(GRADES));
        let mut wanted = [count / grades; GRADES as usize];
        wanted.iter_mut().take(count % grades).for_each(|number| *number += 1);
        Ok(GeneratorSettings {
            setup: game.setup()?,
            blocks: self.blocks,
            playouts: self.playouts,
            positions: self.nodes,
            margin: self.margin.into(),
            seed: self.seed,
            wanted,
        })
    }

    /// The generator continues after the problems in the file.
    fn open(&self, generator: &mut Generator) -> Result<Option<LineFile>, Error> {
        let Some(path) = &self.out else {
            return Ok(None);
        };
        let visit = |line: &str| {
            let problem = Problem::read(line).map_err(|error| error.to_string())?;
            generator.resume_at(&problem);
            Ok(())
        };
        LineFile::open(path, BEGINNING, visit).map(Some).map_err(Error::Failure)
    }
}
