//! `kawari train`: nets from self-play.

mod selfplay;

use super::CliResult;
use clap::Subcommand;

/// The stages of training.
#[derive(Debug, Subcommand)]
pub enum TrainCommand {
    /// Play games of the engine with itself and append them to a file
    Selfplay(selfplay::SelfplayOptions),
}

/// Runs a stage.
pub fn run(command: &TrainCommand) -> CliResult {
    match command {
        TrainCommand::Selfplay(options) => selfplay::run(options),
    }
}
