//! `kawari problems`: makes problems, and proves them.

use super::options::GameOptions;
use super::progress::Progress;
use super::signals::Interruption;
use super::{CliResult, Error, print};
use crate::arena::line_file::LineFile;
use crate::problems::{Found, GRADES, Generator, GeneratorSettings, Problem};
use crate::rules::Size;
use clap::Args;
use std::path::PathBuf;

/// The options.
#[derive(Clone, Debug, Args)]
pub struct ProblemsOptions {
    #[command(flatten)]
    game: GameOptions,
    /// Number of problems, the same of each grade
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Points that are blocked at random in each game, at most: the fewer are free, the earlier
    /// in a game everything can be proven
    #[arg(long, value_name = "N", default_value_t = 8)]
    blocks: u8,
    /// Playouts for each turn of the games that problems are found in
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    playouts: u64,
    /// Positions to look at for one proof, at most
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Points by which every other turn is worse, at least, in games that are counted
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=100))]
    margin: u8,
    /// Random seed: the same problems come of the same seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Append the problems to this file; if it holds some, count them and go on with their last
    /// game [default: print them]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The board without `--size`: on larger ones only the last turns of a game can be proven.
const SIDE: u8 = 5;

/// The same of a layer.
const SIDE_OF_LAYER: u8 = 3;

/// The beginning of each problem.
const BEGINNING: &str = "(;";

/// Makes the problems, each of which is printed as soon as it is proven.
pub fn run(options: &ProblemsOptions) -> CliResult {
    let interruption = Interruption::on_signals(|_| {})?;
    let mut generator = Generator::new(options.settings()?);
    let mut file = options.open(&mut generator)?;
    let total = u64::from(options.count);
    let found = |generator: &Generator| generator.found().iter().sum::<usize>() as u64;
    let progress = Progress::new(total, found(&generator).min(total));
    let mut written = Ok(());
    while !generator.is_done() && !interruption.has_come() && written.is_ok() {
        let take = |generator: &Generator, Found { problem, positions, turns }| {
            if written.is_ok() {
                written = write(&problem, file.as_mut());
            }
            let part = format!("grade {}: {turns} turns, {positions} positions", problem.grade);
            progress.step(found(generator), &part, false, &summary(generator));
        };
        generator.play_one(&|| interruption.has_come(), take)?;
        progress.show(found(&generator), &summary(&generator));
    }
    progress.close();
    written?;
    file.map_or(Ok(()), LineFile::close).map_err(Error::Failure)?;
    interruption.outcome("the problems so far are kept")
}

fn summary(generator: &Generator) -> String {
    let grades: Vec<_> = generator.found().iter().map(ToString::to_string).collect();
    format!("{} games, grades {}", generator.games(), grades.join("+"))
}

/// Writes a problem, to the file or else to standard output.
fn write(problem: &Problem, file: Option<&mut LineFile>) -> CliResult {
    let line = problem.write().map_err(|error| Error::Failure(error.to_string()))?;
    match file {
        Some(file) => file.append(&line).map_err(Error::Failure),
        None => print(&line),
    }
}

impl ProblemsOptions {
    fn settings(&self) -> Result<GeneratorSettings, Error> {
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

    /// Opens the file; the generator goes on behind the problems that it holds.
    fn open(&self, generator: &mut Generator) -> Result<Option<LineFile>, Error> {
        let Some(path) = &self.out else {
            return Ok(None);
        };
        let visit = |line: &str| {
            let problem = Problem::read(line)?;
            generator.resume_at(&problem);
            Ok(())
        };
        LineFile::open(path, BEGINNING, visit).map(Some).map_err(Error::Failure)
    }
}
