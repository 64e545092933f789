//! `kawari train evaluate`: how far nets are from games that they did not learn from.

use super::read_all_games;
use crate::cli::options::{VariantParser, read_net};
use crate::cli::{CliResult, Error, print};
use crate::rules::VariantInfo;
use crate::train::{LossWeights, Losses, Sample, evaluate_net};
use clap::Args;
use std::path::PathBuf;

/// The options of `kawari train evaluate`.
#[derive(Clone, Debug, Args)]
pub struct EvaluateOptions {
    /// Nets
    #[arg(required = true, value_name = "NET")]
    nets: Vec<PathBuf>,
    /// The variant
    #[arg(long, value_name = "ID", default_value = "go", value_parser = VariantParser, hide_possible_values = true)]
    variant: &'static VariantInfo,
    /// Files of games, or folders of them; one game in fifty, which no fit learns from, is used
    #[arg(long, required = true, value_name = "FILE", num_args = 1..)]
    games: Vec<PathBuf>,
    /// Positions at most
    #[arg(long, value_name = "N", default_value_t = 4000)]
    positions: usize,
}

/// Prints the losses of each net, by quarters of the games.
pub fn run(options: &EvaluateOptions) -> CliResult {
    let games = read_all_games(&options.games, options.variant)?;
    let quarters = games.held_out_quarters(options.variant, options.positions);
    let weights = LossWeights::default();
    for path in &options.nets {
        let net = read_net(path, options.variant).map_err(Error::Failure)?;
        let mut all = Losses::default();
        for (number, samples) in (1..).zip(&quarters) {
            let losses = evaluate_net(&net, samples, &weights);
            all += losses;
            print(&line(path, &format!("quarter {number}"), samples.len(), &losses))?;
        }
        let count = quarters.iter().map(Vec::<Sample>::len).sum();
        print(&line(path, "all", count, &all))?;
    }
    Ok(())
}

fn line(path: &std::path::Path, part: &str, positions: usize, losses: &Losses) -> String {
    format!("{}, {part}, {positions} positions: {losses}", path.display())
}
