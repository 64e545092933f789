//! The match file.

use super::MatchOptions;
use clap::{Args, FromArgMatches};
use std::path::Path;

/// Reads the options of a match file: its keys become a command line.
pub(super) fn read(path: &Path) -> Result<MatchOptions, String> {
    let to_error = |error: &dyn std::fmt::Display| format!("--config: {}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| to_error(&error))?;
    let table: toml::Table = text.parse().map_err(|error| to_error(&error))?;
    let mut words = vec!["match".to_owned()];
    for (key, value) in table {
        match (key.as_str(), value) {
            ("engine", toml::Value::Array(engines)) => {
                for engine in &engines {
                    engine_words(engine, &mut words).map_err(|error| to_error(&error))?;
                }
            }
            ("config", _) => return Err(to_error(&"a match file cannot name another")),
            (_, value) => option_words(&key, &value, &mut words),
        }
    }
    let command = MatchOptions::augment_args(clap::Command::new("match"));
    let matches = command.no_binary_name(false).try_get_matches_from(words);
    let parsed = matches.and_then(|matches| MatchOptions::from_arg_matches(&matches));
    parsed.map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        to_error(&first.trim_start_matches("error: "))
    })
}

/// A key and its value as words of a command line.
fn option_words(key: &str, value: &toml::Value, words: &mut Vec<String>) {
    match value {
        toml::Value::Boolean(false) => {}
        toml::Value::Boolean(true) => words.push(format!("--{key}")),
        toml::Value::Array(values) => {
            for value in values {
                option_words(key, value, words);
            }
        }
        toml::Value::Table(table) => {
            for (name, value) in table {
                words.push(format!("--{key}={name}={}", plain(value)));
            }
        }
        value => words.push(format!("--{key}={}", plain(value))),
    }
}

/// A value without quotation marks.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        toml::Value::Boolean(flag) => flag.to_string(),
        toml::Value::Datetime(time) => time.to_string(),
        // No option takes these; what is made of them is refused.
        toml::Value::Array(_) | toml::Value::Table(_) => value.type_str().to_owned(),
    }
}

/// An entry of the list of engines: a command line, or a table.
fn engine_words(engine: &toml::Value, words: &mut Vec<String>) -> Result<(), String> {
    let toml::Value::Table(table) = engine else {
        words.push(format!("--engine={}", plain(engine)));
        return Ok(());
    };
    let text = |key: &str| table.get(key).map(plain);
    let command = text("command").ok_or("an engine without command")?;
    let name = text("name");
    words.push(match &name {
        Some(name) => format!("--engine={name}={command}"),
        None => format!("--engine={command}"),
    });
    for (key, value) in table {
        match (key.as_str(), &name) {
            ("name" | "command", _) => {}
            ("time" | "playouts" | "move-format", Some(name)) => {
                words.push(format!("--{key}={name}={}", plain(value)));
            }
            ("time" | "playouts" | "move-format", None) => {
                return Err(format!("an engine with {key} needs a name"));
            }
            (key, _) => return Err(format!("an engine has no '{key}'")),
        }
    }
    Ok(())
}
