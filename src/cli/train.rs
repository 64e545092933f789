//! `kawari train`: nets from self-play.

mod fit;
mod gate;
mod run;
mod selfplay;

use super::{CliResult, Error};
use crate::files::{self, Replace};
use crate::rules::VariantInfo;
use crate::train::Trainer;
use crate::train::data_file::read_games;
use crate::train::fit::GameSets;
use clap::Subcommand;
use std::path::{Path, PathBuf};

/// The stages of training.
#[derive(Debug, Subcommand)]
pub enum TrainCommand {
    /// Play games of the engine with itself and append them to a file
    Selfplay(selfplay::SelfplayOptions),
    /// Fit a net to games
    Fit(fit::FitOptions),
    /// Repeat all of it, generation after generation
    Run(run::RunOptions),
    /// Play a match that decides whether a net is stronger than another
    Gate(gate::GateOptions),
}

/// Runs a stage.
pub fn run(command: &TrainCommand) -> CliResult {
    match command {
        TrainCommand::Selfplay(options) => selfplay::run(options),
        TrainCommand::Fit(options) => fit::run(options),
        TrainCommand::Run(options) => run::run(options),
        TrainCommand::Gate(options) => gate::run(options),
    }
}

/// Reads the games of files, and of all files in folders, in the order of their names.
fn read_all_games(paths: &[PathBuf], variant: &'static VariantInfo) -> Result<GameSets, Error> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => {
                for entry in std::fs::read_dir(path)? {
                    files.push(entry?.path());
                }
            }
            false => files.push(path.clone()),
        }
    }
    files.sort();
    let mut games = GameSets::default();
    for path in files {
        let read = read_games(&path, variant);
        games.add_file(
            read.map_err(|error| Error::Failure(format!("{}: {error}", path.display())))?,
        );
    }
    Ok(games)
}

/// Reads a net in training.
fn read_trainer(path: &Path) -> Result<Trainer, Error> {
    let error =
        |error: &dyn std::fmt::Display| Error::Failure(format!("{}: {error}", path.display()));
    let bytes = files::read(path).map_err(|e| error(&e))?;
    Trainer::from_bytes(&bytes).map_err(|e| error(&e))
}

/// Writes a net or a checkpoint, in the place of nothing but an earlier one.
fn write_whole(path: &Path, bytes: &[u8]) -> CliResult {
    let written = files::write(path, bytes, Replace::Beginning(b"kawari"));
    written.map_err(|error| Error::Failure(format!("{}: {error}", path.display())))
}
