//! The match file: TOML with the names of match options as keys.

use super::engines::quoted_name;
use crate::files;
use clap::{Arg, ArgAction, Command};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;
use std::path::Path;
use toml::{Spanned, Value};

/// In bytes; each word becomes a word of a command line.
const MAX_SIZE: usize = 128 << 10;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Engine {
    command: String,
    name: Option<String>,
    time: Option<Value>,
    playouts: Option<Value>,
    move_format: Option<Value>,
}

#[derive(Deserialize)]
struct Engines {
    #[serde(default)]
    engine: Vec<Spanned<Engine>>,
}

/// Converts a match file into words of a command line. Errors name file, line and column.
pub(super) fn read(path: &Path, command: &Command) -> Result<Vec<String>, String> {
    let unreadable = |error| format!("--config: {}: {error}", path.display());
    let text = files::read_text(path).map_err(unreadable)?;
    parse(&text, path, command)
}

pub(super) fn parse(text: &str, path: &Path, command: &Command) -> Result<Vec<String>, String> {
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
    let mut words = Vec::new();
    for (key, value) in &settings {
        let has_name = |arg: &&Arg| arg.get_long() == Some(key.as_ref().as_str());
        let arg = command.get_arguments().find(has_name);
        let Some(arg) = arg.filter(|arg| !["engine", "config"].contains(&arg.get_id().as_str()))
        else {
            if key.as_ref() == "engine" {
                continue;
            }
            let message = format!("no setting of a match file is named '{}'", key.as_ref());
            return Err(error_at(Some(key.span()), &message));
        };
        let given = option_words(arg, key.as_ref(), value.as_ref());
        let parsed = command.clone().try_get_matches_from(&given);
        parsed.map_err(|error| error_at(Some(value.span()), &first_line(&error)))?;
        words.extend(given);
    }
    let engines: Engines = toml::from_str(text).map_err(syntax)?;
    for engine in engines.engine {
        let given = engine_words(engine.as_ref());
        words.extend(given.map_err(|error| error_at(Some(engine.span()), &error))?);
    }
    Ok(words)
}

pub(super) fn first_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").to_owned()
}

/// Repeats a list or, if the option has one value, joins it by commas. A table gives values such
/// as `ko=simple`.
fn option_words(arg: &Arg, key: &str, value: &Value) -> Vec<String> {
    let values = match value {
        Value::Array(values) => values.iter().map(plain).collect(),
        Value::Table(table) => {
            let pairs = table.iter();
            pairs.map(|(name, value)| format!("{name}={}", plain(value))).collect()
        }
        value => vec![plain(value)],
    };
    let values = match arg.get_action() {
        ArgAction::Append => values,
        _ => vec![values.join(",")],
    };
    let words = values.into_iter().map(|value| format!("--{key}={value}"));
    words.collect()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        // The name of a type is not a valid value.
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => value.type_str().to_owned(),
    }
}

fn engine_words(engine: &Engine) -> Result<Vec<String>, &'static str> {
    let settings = [
        ("time", &engine.time),
        ("playouts", &engine.playouts),
        ("move-format", &engine.move_format),
    ]
    .into_iter()
    .filter_map(|(key, value)| Some((key, value.as_ref()?)));
    let Some(name) = &engine.name else {
        return match settings.count() {
            0 => Ok(vec![format!("--engine={}", engine.command)]),
            _ => Err("an engine with settings needs a name"),
        };
    };
    if name.is_empty() {
        return Err("the name is empty");
    }
    let name = quoted_name(name);
    let mut words = vec![format!("--engine={name}={}", engine.command)];
    words.extend(settings.map(|(key, value)| format!("--{key}={name}={}", plain(value))));
    Ok(words)
}
