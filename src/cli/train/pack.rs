//! `kawari train pack`: positions of games for `fit.py`.

use super::{read_all_games, share};
use crate::board::Random;
use crate::cli::options::VariantOption;
use crate::cli::{CliResult, Error, print};
use crate::files::{NewFile, Replace};
use crate::rules::Size;
use crate::train::game::{PolicyTarget, TrainingGame};
use crate::train::packed::{MAGIC, PackedShape, PackedWriter};
use crate::train::samples::SampleMaker;
use clap::Args;
use std::io::BufWriter;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub struct PackOptions {
    /// Files of games, or folders of them
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    #[command(flatten)]
    game: VariantOption,
    /// Take only games on boards of this size [default: all]
    #[arg(long, value_name = "N|WxH")]
    size: Option<Size>,
    /// Take this share of the positions
    #[arg(long, value_name = "SHARE", default_value = "1", value_parser = share)]
    positions: f32,
    /// Take this share of the positions without a policy, which teach only values
    #[arg(long, value_name = "SHARE", default_value = "0.25", value_parser = share)]
    value_positions: f32,
    /// Maximum number of steps of a policy; one is enough for recorded games
    #[arg(long, value_name = "N", default_value = "24", value_parser = clap::value_parser!(u16).range(1..=361))]
    entries: u16,
    /// Share of search win rates in the target of the result, rather than results of games
    #[arg(long, value_name = "SHARE", default_value = "0.35", value_parser = share)]
    search_share: f32,
    /// Use only the held-out games (guide training)
    #[arg(long)]
    held_out: bool,
    /// Random seed for drawing positions
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Write the records to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(options: &PackOptions) -> CliResult {
    let (out, variant) = (&options.out, options.game.variant);
    let games = read_all_games(&options.games, variant)?;
    let games = if options.held_out { &games.held_out } else { &games.learned };
    let is_taken = |game: &&TrainingGame| {
        options.size.is_none_or(|Size { width, height }| game.start.size == (width, height))
    };
    let games: Vec<&TrainingGame> = games.iter().filter(is_taken).collect();
    let file = NewFile::create(out, Replace::Beginning(MAGIC));
    let file = BufWriter::new(file.map_err(Error::in_file(out))?);
    let shape = PackedShape::new(variant, games.iter().copied(), options.entries.into());
    let shape = shape.map_err(Error::failure)?;
    let length = shape.record_len();
    let mut writer = PackedWriter::new(file, shape)?;
    let mut maker = SampleMaker::new(variant, options.search_share);
    let mut random = Random::new(options.seed);
    let mut count = 0;
    for game in games {
        let draw = |step: usize| {
            let has_policy =
                game.steps.get(step).is_some_and(|step| step.policy != PolicyTarget::Unknown);
            let taken = if has_policy { 1.0 } else { options.value_positions };
            (random.fraction() < options.positions * taken).then_some(0)
        };
        let mut samples = Vec::new();
        let replayed = maker.samples(game, usize::MAX, draw, |sample| samples.push(sample));
        replayed.map_err(Error::failure)?;
        for sample in &samples {
            writer.write(&game.start, sample)?;
        }
        count += samples.len();
    }
    if count == 0 {
        return Err(Error::in_file(out)("no position to learn from"));
    }
    let file = writer.into_inner().into_inner().map_err(Error::in_file(out))?;
    file.commit().map_err(Error::in_file(out))?;
    print(&format!("{count} positions, {length} bytes each"))
}
