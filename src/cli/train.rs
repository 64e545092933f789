//! `kawari train`: nets from self-play and recorded games.

mod evaluate;
mod export;
mod gate;
mod pack;
mod positions;
mod records;
mod selfplay;
mod sources;

use super::{CliResult, Error};
use crate::files::Replace;
use crate::rules::VariantInfo;
use crate::train::data_file::read_games;
use crate::train::game::GameSet;
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub enum TrainCommand {
    /// Play games of the engine against itself and append them to a file
    Selfplay(selfplay::SelfplayOptions),
    /// Convert recorded games and labels into training games
    Records(records::RecordsOptions),
    /// Print positions of games as questions, a line of JSON each, which label.py asks an engine
    Positions(positions::PositionOptions),
    /// Write the positions of games as fixed-length records for fit.py
    Pack(pack::PackOptions),
    /// Quantize the weights of fit.py: write an integer net that the engine plays with
    Export(export::ExportOptions),
    /// Print the errors of nets on games and labels that they did not learn from
    Evaluate(evaluate::EvaluateOptions),
    /// Play a match that decides whether a net is stronger than another
    Gate(gate::GateOptions),
}

pub fn run(command: &TrainCommand) -> CliResult {
    match command {
        TrainCommand::Selfplay(options) => selfplay::run(options),
        TrainCommand::Records(options) => records::run(options),
        TrainCommand::Positions(options) => positions::run(options),
        TrainCommand::Pack(options) => pack::run(options),
        TrainCommand::Export(options) => export::run(options),
        TrainCommand::Evaluate(options) => evaluate::run(options),
        TrainCommand::Gate(options) => gate::run(options),
    }
}

#[cfg(test)]
impl TrainCommand {
    /// The settings of a command line, as the program will use them.
    pub fn settings(&self) -> String {
        // The playouts of the games are those that count.
        let words = |conditions: Result<selfplay::PlayConditions, Error>| {
            let mut conditions = conditions.unwrap_or_else(|error| panic!("{error}"));
            conditions.settings.playouts = None;
            format!("{conditions:?}")
        };
        match self {
            TrainCommand::Selfplay(options) => {
                format!("{} net: {:?}", words(options.conditions()), options.net)
            }
            TrainCommand::Gate(options) => {
                format!("{} against: {:?}", words(options.conditions()), options.against)
            }
            TrainCommand::Records(options) => format!("threads: {}", options.threads()),
            other => format!("{other:?}"),
        }
    }
}

/// Reads files and all files of folders, sorted by name.
fn read_all_games(paths: &[PathBuf], variant: &'static VariantInfo) -> Result<GameSet, Error> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            for entry in std::fs::read_dir(path)? {
                files.push(entry?.path());
            }
        } else {
            files.push(path.clone())
        }
    }
    files.sort();
    let mut games = GameSet::default();
    for path in files {
        games.add_file(read_games(&path, variant).map_err(Error::in_file(&path))?);
    }
    Ok(games)
}

/// Only an earlier net is replaced.
const REPLACED: Replace<'_> = Replace::Beginning(b"kawari");

/// From 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a share from 0 to 1".to_owned())
}
