//! `kawari variants`: lists variants, or prints the rules of one.

use super::{CliResult, documents, options, print};
use crate::rules::VariantInfo;
use clap::Args;

#[derive(Debug, Args)]
pub struct VariantsOptions {
    /// The id of a variant
    #[arg(value_parser = options::variant_parser(), hide_possible_values = true)]
    id: Option<&'static VariantInfo>,
}

pub fn variants(options: &VariantsOptions) -> CliResult {
    match options.id {
        None => print(&crate::gtp::commands::variant::list()),
        Some(info) => print(&documents::plain_text(&info.text())),
    }
}
