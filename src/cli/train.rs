//! `kawari train`: nets from self-play and recorded games.

mod evaluate;
mod export;
mod fit;
mod gate;
mod history;
mod label;
mod pack;
mod plots;
mod records;
mod run;
mod selfplay;
mod sources;
mod strength;

use super::{CliResult, Error};
use crate::files::{self, Replace};
use crate::net::Net;
use crate::rules::{VariantInfo, variant};
use crate::search::neural::{fits, shape_for};
use crate::train::Trainer;
use crate::train::data_file::read_games;
use crate::train::fit::GameGroup;
use clap::Subcommand;
use std::path::{Path, PathBuf};

#[derive(Debug, Subcommand)]
pub enum TrainCommand {
    /// Play games of the engine against itself and append them to a file
    Selfplay(selfplay::SelfplayOptions),
    /// Convert recorded games and labels into training games
    Records(records::RecordsOptions),
    /// Ask an engine of KataGo's analysis protocol about positions of games and write its labels
    Label(label::LabelOptions),
    /// Fit a net to games
    Fit(fit::FitOptions),
    /// Write the positions of games as records of one length, for trainers in other languages
    Pack(pack::PackOptions),
    /// Convert a checkpoint to a net in integers
    Export(export::ExportOptions),
    /// Print the errors of nets on games and labels that they did not learn from
    Evaluate(evaluate::EvaluateOptions),
    /// Repeat self-play, training and gating for many generations
    Run(run::RunOptions),
    /// Play a match that decides whether a net is stronger than another
    Gate(gate::GateOptions),
}

pub fn run(command: &TrainCommand) -> CliResult {
    match command {
        TrainCommand::Selfplay(options) => selfplay::run(options),
        TrainCommand::Records(options) => records::run(options),
        TrainCommand::Label(options) => label::run(options),
        TrainCommand::Fit(options) => fit::run(options),
        TrainCommand::Pack(options) => pack::run(options),
        TrainCommand::Export(options) => export::run(options),
        TrainCommand::Evaluate(options) => evaluate::run(options),
        TrainCommand::Run(options) => run::run(options),
        TrainCommand::Gate(options) => gate::run(options),
    }
}

/// Reads files and all files of folders, sorted by name.
fn read_all_games(paths: &[PathBuf], variant: &'static VariantInfo) -> Result<GameGroup, Error> {
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
    let mut games = GameGroup::new(1.0);
    for path in files {
        games.add_file(read_games(&path, variant).map_err(Error::in_file(&path))?);
    }
    Ok(games)
}

fn read_trainer(path: &Path) -> Result<Trainer, Error> {
    let bytes = files::read(path).map_err(Error::in_file(path))?;
    Trainer::from_bytes(&bytes).map_err(Error::in_file(path))
}

#[derive(Debug)]
struct FirstNet {
    net: Net,
    variant: &'static VariantInfo,
}

impl FirstNet {
    fn read(path: &Path) -> Result<FirstNet, Error> {
        let bytes = files::read(path).map_err(Error::in_file(path))?;
        let (id, net) = Net::with_variant(&bytes).map_err(Error::in_file(path))?;
        match variant(&id).filter(|info| fits(net.shape(), info)) {
            Some(variant) => Ok(FirstNet { net, variant }),
            None => Err(Error::in_file(path)("a net with other inputs")),
        }
    }

    /// Starts training for `info` with the weights of this net.
    fn trainer(
        &self,
        info: &'static VariantInfo,
        (blocks, channels): (usize, usize),
        seed: u64,
    ) -> Result<Trainer, Error> {
        let mut trainer = Trainer::new(shape_for(info, blocks, channels), seed);
        trainer
            .adopt(&self.net, self.variant, info)
            .map_err(|error| Error::Usage(format!("--from: {error}")))?;
        Ok(trainer)
    }

    fn net_size(&self) -> (usize, usize) {
        (self.net.shape().blocks, self.net.shape().channels)
    }
}

/// Starts training with the weights of `first`, or random ones. Without `size` (blocks and
/// channels), that of `first` is used, or 4x32.
fn new_trainer(
    first: Option<&FirstNet>,
    info: &'static VariantInfo,
    size: Option<(usize, usize)>,
    seed: u64,
) -> Result<Trainer, Error> {
    let size = size.or(first.map(FirstNet::net_size)).unwrap_or((4, 32));
    match first {
        Some(first) => first.trainer(info, size, seed),
        None => Ok(Trainer::new(shape_for(info, size.0, size.1), seed)),
    }
}

/// Only an earlier net or checkpoint is replaced.
const REPLACED: Replace<'_> = Replace::Beginning(b"kawari");

fn write_whole(path: &Path, bytes: &[u8]) -> CliResult {
    files::write(path, bytes, REPLACED).map_err(Error::in_file(path))
}

fn check_place(path: &Path) -> CliResult {
    files::check_writable(path, REPLACED).map_err(Error::in_file(path))
}
