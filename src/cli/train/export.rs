//! `kawari train export`: makes a net in integers of the weights of `fit.py`.

use super::REPLACED;
use crate::cli::options::VariantOption;
use crate::cli::{CliResult, Error};
use crate::files;
use crate::search::neural::fits;
use crate::train::export;
use clap::Args;
use std::path::PathBuf;

#[derive(Clone, Debug, Args)]
pub struct ExportOptions {
    /// The weights that fit.py wrote
    #[arg(value_name = "WEIGHTS")]
    weights: PathBuf,
    #[command(flatten)]
    game: VariantOption,
    /// Write the net to this file
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(options: &ExportOptions) -> CliResult {
    let (path, variant) = (&options.weights, options.game.variant);
    let bytes = files::read(path).map_err(Error::in_file(path))?;
    let net = export::export(&bytes).map_err(Error::in_file(path))?;
    if !fits(net.shape(), variant) {
        return Err(Error::in_file(path)(format!("no net for {}", variant.id)));
    }
    let bytes = net.to_bytes(variant.id);
    files::write(&options.out, &bytes, REPLACED).map_err(Error::in_file(&options.out))
}
