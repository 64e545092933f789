//! `kawari variants`: lists variants, or prints the rules of one.

use super::{CliResult, Error, documents, options, print};
use crate::rules::VariantInfo;
use clap::Args;

#[derive(Debug, Args)]
pub struct VariantsOptions {
    /// The id of a variant
    #[arg(value_parser = options::variant_parser(), hide_possible_values = true)]
    id: Option<&'static VariantInfo>,
    /// The laws are tests now
    #[arg(long, hide = true)]
    check: bool,
}

pub fn variants(options: &VariantsOptions) -> CliResult {
    match options.id {
        _ if options.check => Err(Error::Usage(
            "--check: the laws are tests now: cargo test --test laws -- ID".to_owned(),
        )),
        None => print(&crate::gtp::commands::variant::list()),
        Some(info) => print(&documents::plain_text(&info.text())),
    }
}
