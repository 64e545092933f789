//! The engines of a match with their settings.

use crate::arena::move_format::MoveFormat;
use crate::arena::settings::{EngineSpec, MAX_ENGINES};
use crate::arena::time_control::parse_time;
use clap::{Args, ValueEnum};
use std::path::Path;

/// These options are also the keys of an `[[engine]]` table.
#[derive(Clone, Debug, Args)]
pub(super) struct EngineOptions {
    /// An engine: its command line, split into words as by a shell, with an optional name; at
    /// least two are needed. A name with other characters than letters, digits and '_-.+' stands in
    /// quotation marks: '"GNU Go"=gnugo --mode gtp'. '{seed}' becomes a different number for each
    /// game. A command of kawari that names no number of threads gets '--threads 1'
    #[arg(long, value_name = "[NAME=]COMMAND", help_heading = "Players")]
    engine: Vec<String>,
    /// Time control of all engines, or of one: seconds per move, or 'absolute M', 'byoyomi M P N',
    /// 'canadian M P N', 'fischer M I', 'fischer-capped M I LIMIT MAX', 'none' [default: none]
    #[arg(long, value_name = "[NAME=]TIME", help_heading = "Players")]
    time: Vec<String>,
    /// Playouts a move, set with kata-set-param [default: the engine's]
    #[arg(long, value_name = "[NAME=]N", help_heading = "Players")]
    playouts: Vec<String>,
    /// How turns are exchanged: 'turns' (whole turns), or one vertex a move in the encoding 'native'
    /// or 'panel' [default: turns for engines that list kawari-genturn, else native]
    #[arg(long, value_name = "[NAME=]FORMAT", help_heading = "Players")]
    move_format: Vec<String>,
}

impl EngineOptions {
    pub(super) fn specs(&self) -> Result<Vec<EngineSpec>, String> {
        let mut engines = named_engines(&self.engine)?;
        if engines.len() < 2 {
            return Err("--engine: at least two are needed".to_owned());
        }
        assign(&mut engines, "--time", &self.time, |engine, text| {
            engine.time = parse_time(text).map_err(|error| error.to_string())?;
            Ok(())
        })?;
        assign(&mut engines, "--playouts", &self.playouts, |engine, text| {
            let number = text.parse().ok().filter(|&number: &u64| number > 0);
            engine.playouts = Some(number.ok_or("expected a number above 0")?);
            Ok(())
        })?;
        let formats = &self.move_format;
        assign(&mut engines, "--move-format", formats, |engine, text| {
            let format = MoveFormat::from_str(text, false);
            engine.move_format = Some(format.map_err(|_| "expected turns, native or panel")?);
            Ok(())
        })?;
        Ok(engines)
    }
}

/// The default name is that of the program.
fn named_engines(texts: &[String]) -> Result<Vec<EngineSpec>, String> {
    if texts.len() >= MAX_ENGINES {
        return Err(format!("--engine: fewer than {MAX_ENGINES} are expected"));
    }
    let mut engines: Vec<EngineSpec> = Vec::new();
    for text in texts {
        let (name, command) = match split_name(text) {
            Some((name, command)) => (Some(name), command),
            None => (None, text.as_str()),
        };
        let spec = EngineSpec::new("", command).map_err(|error| format!("--engine: {error}"))?;
        let taken = |name: &str| engines.iter().any(|engine| engine.name == name);
        let name = match name {
            Some(name) if taken(&name) => {
                return Err(format!("--engine: two engines are named '{name}'"));
            }
            Some(name) => name,
            None => {
                let program = spec.words.first().map(Path::new);
                let stem = program.and_then(|program| program.file_stem());
                let stem = stem.map_or("engine".into(), |stem| stem.to_string_lossy());
                let numbered = (2..).map(|number| format!("{stem}-{number}"));
                let mut names = std::iter::once(stem.to_string()).chain(numbered);
                names.find(|name| !taken(name)).unwrap_or_default()
            }
        };
        engines.push(EngineSpec { name, ..spec });
    }
    Ok(engines)
}

/// `None` if there is no name before '='.
fn split_name(text: &str) -> Option<(String, &str)> {
    if let Some(rest) = text.strip_prefix('"') {
        return split_quoted(rest);
    }
    let (name, rest) = text.split_once('=')?;
    let of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+');
    let is_name = !name.is_empty() && !name.starts_with('-') && name.chars().all(of_name);
    is_name.then(|| (name.to_owned(), rest))
}

/// Reads a name up to its closing quotation mark, which '=' follows; a backslash takes the next
/// character as it is.
fn split_quoted(text: &str) -> Option<(String, &str)> {
    let (mut name, mut chars) = (String::new(), text.chars());
    loop {
        match chars.next()? {
            '\\' => name.push(chars.next()?),
            '"' => break,
            c => name.push(c),
        }
    }
    let rest = chars.as_str().strip_prefix('=')?;
    (!name.is_empty()).then_some((name, rest))
}

/// A name as the options take it, whatever it holds.
pub(super) fn quoted_name(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A value for a named engine has priority.
fn assign(
    engines: &mut [EngineSpec],
    option: &str,
    texts: &[String],
    set: impl Fn(&mut EngineSpec, &str) -> Result<(), String>,
) -> Result<(), String> {
    for text in texts.iter().filter(|text| split_name(text).is_none()) {
        for engine in &mut *engines {
            set(engine, text).map_err(|error| format!("{option}: '{text}': {error}"))?;
        }
    }
    for (name, value) in texts.iter().filter_map(|text| split_name(text)) {
        let engine = engines.iter_mut().find(|engine| engine.name == name);
        let engine = engine.ok_or_else(|| format!("{option}: no engine is named '{name}'"))?;
        set(engine, value).map_err(|error| format!("{option}: '{value}': {error}"))?;
    }
    Ok(())
}
