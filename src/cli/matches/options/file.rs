//! The match file: TOML with the names of match options as keys.

use super::MatchOptions;
use super::engines::GivenEngine;
use crate::files;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use toml::{Spanned, Table, Value};

/// In bytes.
const MAX_SIZE: usize = 128 << 10;

/// Errors in these tables name lines of their own.
#[derive(Deserialize)]
struct Engines {
    #[serde(default)]
    engine: Vec<GivenEngine>,
}

/// Errors name file, line and column.
pub(super) fn read(path: &Path) -> Result<MatchOptions, String> {
    let unreadable = |error| format!("--config: {}: {error}", path.display());
    let text = files::read_text(path).map_err(unreadable)?;
    parse(&text, path)
}

pub(super) fn parse(text: &str, path: &Path) -> Result<MatchOptions, String> {
    if text.len() > MAX_SIZE {
        let kilobytes = MAX_SIZE >> 10;
        let path = path.display();
        return Err(format!("--config: {path}: longer than {kilobytes} kB"));
    }
    let error_at = |span: Option<Range<usize>>, message: &dyn Display| {
        let before = text.get(..span.map_or(0, |span| span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        format!("--config: {}:{line}:{column}: {message}", path.display())
    };
    let syntax = |error: toml::de::Error| error_at(error.span(), &error.message());
    let settings: BTreeMap<Spanned<String>, Spanned<Value>> =
        toml::from_str(text).map_err(syntax)?;
    let engines: Engines = toml::from_str(text).map_err(syntax)?;
    let command = MatchOptions::command();
    let mut table: Table = defaults(&command).collect();
    let read = |table: &Table| table.clone().try_into::<MatchOptions>();
    let mut options = read(&table).map_err(syntax)?;
    for (key, value) in settings {
        let (span, name) = (key.span(), key.into_inner());
        let is_key = command.get_arguments().any(|arg| arg.get_long() == Some(&name));
        if !is_key || name == "config" {
            let message = format!("no setting of a match file is named '{name}'");
            return Err(error_at(Some(span), &message));
        }
        let span = value.span();
        table.insert(name.clone(), value.into_inner());
        options = read(&table)
            .map_err(|error| error_at(Some(span), &format!("{name}: {}", error.message())))?;
    }
    options.engines.engine = engines.engine;
    Ok(options)
}

fn defaults(command: &clap::Command) -> impl Iterator<Item = (String, Value)> {
    command.get_arguments().filter_map(|arg| {
        let default = arg.get_default_values().first()?.to_string_lossy().into_owned();
        Some((arg.get_long()?.to_owned(), Value::String(default)))
    })
}
