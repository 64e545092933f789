//! `kawari train export`: converts a checkpoint to a net in integers.

use super::{read_trainer, write_whole};
use crate::cli::options::VariantOption;
use crate::cli::{CliResult, Error};
use crate::search::neural::fits;
use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub struct ExportOptions {
    /// The checkpoint, from `fit` or a trainer in another language
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,
    #[command(flatten)]
    game: VariantOption,
    /// Write the net to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(options: &ExportOptions) -> CliResult {
    let trainer = read_trainer(&options.checkpoint)?;
    let (path, variant) = (&options.checkpoint, options.game.variant);
    if !fits(trainer.shape(), variant) {
        return Err(Error::in_file(path)(format!("no net for {}", variant.id)));
    }
    let net = trainer.export().map_err(Error::in_file(path))?;
    write_whole(&options.out, &net.to_bytes(variant.id))
}
