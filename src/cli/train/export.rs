//! `kawari train export`: a net in integers of a checkpoint.

use super::{read_trainer, write_whole};
use crate::cli::options::VariantParser;
use crate::cli::{CliResult, Error};
use crate::rules::VariantInfo;
use crate::search::neural::fits;
use clap::Args;
use std::path::PathBuf;

/// The options of `kawari train export`.
#[derive(Clone, Debug, Args)]
pub struct ExportOptions {
    /// The checkpoint, of `fit` or of a trainer in another language
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,
    /// The variant
    #[arg(long, value_name = "ID", default_value = "go", value_parser = VariantParser, hide_possible_values = true)]
    variant: &'static VariantInfo,
    /// Write the net to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes the net.
pub fn run(options: &ExportOptions) -> CliResult {
    let trainer = read_trainer(&options.checkpoint)?;
    let error = |why: &dyn std::fmt::Display| {
        Error::Failure(format!("{}: {why}", options.checkpoint.display()))
    };
    if !fits(trainer.shape(), options.variant) {
        return Err(error(&format!("no net for {}", options.variant.id)));
    }
    let net = trainer.export().map_err(|why| error(&why))?;
    write_whole(&options.out, &net.to_bytes(options.variant.id))
}
