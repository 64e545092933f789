//! The engines of a match with their settings.

use crate::arena::move_format::MoveFormat;
use crate::arena::settings::{EngineSpec, MAX_ENGINES};
use crate::arena::time_control::parse_time;
use crate::arena::words;
use clap::{Args, ValueEnum};
use serde::Deserialize;
use std::convert::Infallible;
use std::path::Path;
use std::str::FromStr;

/// These options are also the keys of an `[[engine]]` table.
#[derive(Clone, Debug, Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct EngineOptions {
    /// An engine: its command line, split into words as by a shell, with an optional name; at
    /// least two are needed. Quote names that contain characters other than letters, digits and
    /// '_-.+': '"GNU Go"=gnugo --mode gtp'. '{seed}' becomes a different number for each game.
    /// kawari commands without --threads get '--threads 1'
    #[arg(long, value_name = "[NAME=]COMMAND", help_heading = "Players")]
    #[serde(skip)]
    pub(super) engine: Vec<GivenEngine>,
    /// Time control of all engines, or of one: seconds per move, or 'absolute M', 'byoyomi M P N',
    /// 'canadian M P N', 'fischer M I', 'fischer-capped M I LIMIT MAX', 'none' [default: none]
    #[arg(long, value_name = "[NAME=]TIME", help_heading = "Players")]
    #[serde(default, deserialize_with = "words::list")]
    pub(super) time: Vec<String>,
    /// Playouts per move, set with kata-set-param [default: the engine's]
    #[arg(long, value_name = "[NAME=]N", help_heading = "Players")]
    #[serde(default, deserialize_with = "words::list")]
    pub(super) playouts: Vec<String>,
    /// How turns are exchanged: 'turns' (whole turns), or one vertex per move in the encoding 'native'
    /// or 'panel' [default: turns for engines that list kawari-genturn, else native]
    #[arg(long, value_name = "[NAME=]FORMAT", help_heading = "Players")]
    #[serde(default, deserialize_with = "words::list")]
    pub(super) move_format: Vec<String>,
    /// The folder in which an engine runs, instead of the current one
    #[arg(long, value_name = "[NAME=]DIR", help_heading = "Players")]
    #[serde(default, deserialize_with = "words::list")]
    pub(super) cwd: Vec<String>,
    /// A variable of an engine's environment; may be repeated. NAME must be that of an engine
    #[arg(long, value_name = "[NAME=]KEY=VALUE", help_heading = "Players")]
    #[serde(default, deserialize_with = "words::list")]
    pub(super) env: Vec<String>,
    /// A GTP command that an engine receives once after its start; may be repeated
    #[arg(long, value_name = "[NAME=]COMMAND", help_heading = "Players")]
    #[serde(default, deserialize_with = "words::list")]
    pub(super) gtp: Vec<String>,
}

/// A table of the match file, or a word of the command line.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct GivenEngine {
    name: Option<String>,
    command: String,
    #[serde(default, deserialize_with = "words::list")]
    time: Vec<String>,
    #[serde(default, deserialize_with = "words::list")]
    playouts: Vec<String>,
    #[serde(default, deserialize_with = "words::list")]
    move_format: Vec<String>,
    #[serde(default, deserialize_with = "words::list")]
    cwd: Vec<String>,
    #[serde(default, deserialize_with = "words::list")]
    env: Vec<String>,
    #[serde(default, deserialize_with = "words::list")]
    gtp: Vec<String>,
}

impl FromStr for GivenEngine {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<GivenEngine, Infallible> {
        let (name, command) = match split_name(text) {
            Some((name, command)) => (Some(name), command),
            None => (None, text),
        };
        Ok(GivenEngine { name, command: command.to_owned(), ..GivenEngine::default() })
    }
}

impl EngineOptions {
    pub(super) fn specs(&self) -> Result<Vec<EngineSpec>, String> {
        let mut engines = named_engines(&self.engine)?;
        if engines.len() < 2 {
            return Err("--engine: at least two are needed".to_owned());
        }
        let settings: [(&str, &[String], Own, Set); 6] = [
            ("--time", &self.time, |engine| &engine.time, set_time),
            ("--playouts", &self.playouts, |engine| &engine.playouts, set_playouts),
            ("--move-format", &self.move_format, |engine| &engine.move_format, set_move_format),
            ("--cwd", &self.cwd, |engine| &engine.cwd, set_cwd),
            ("--env", &self.env, |engine| &engine.env, set_env),
            ("--gtp", &self.gtp, |engine| &engine.gtp, add_command),
        ];
        for (option, all, own, set) in settings {
            let own = self.engine.iter().map(own);
            let assigned = assign(&mut engines, option, all, own, set);
            assigned.map_err(|error| format!("{option}: {error}"))?;
        }
        Ok(engines)
    }
}

/// The values in an engine's table.
type Own = fn(&GivenEngine) -> &[String];

type Set = fn(&mut EngineSpec, &str) -> Result<(), String>;

fn set_time(engine: &mut EngineSpec, text: &str) -> Result<(), String> {
    engine.time = parse_time(text).map_err(|error| error.to_string())?;
    Ok(())
}

fn set_playouts(engine: &mut EngineSpec, text: &str) -> Result<(), String> {
    let number = text.parse().ok().filter(|&number: &u64| number > 0);
    engine.playouts = Some(number.ok_or("expected a number above 0")?);
    Ok(())
}

fn set_move_format(engine: &mut EngineSpec, text: &str) -> Result<(), String> {
    let format = MoveFormat::from_str(text, false);
    engine.move_format = Some(format.map_err(|_| "expected turns, native or panel")?);
    Ok(())
}

fn set_cwd(engine: &mut EngineSpec, text: &str) -> Result<(), String> {
    let folder = Path::new(text);
    engine.surroundings.cwd = Some(folder.to_owned());
    folder.is_dir().then_some(()).ok_or("not a folder".to_owned())
}

fn set_env(engine: &mut EngineSpec, text: &str) -> Result<(), String> {
    let (key, value) = text.split_once('=').unwrap_or_default();
    if key.is_empty() || text.contains('\0') {
        return Err("expected KEY=VALUE".to_owned());
    }
    engine.surroundings.env.insert(key.to_owned(), value.to_owned());
    Ok(())
}

fn add_command(engine: &mut EngineSpec, text: &str) -> Result<(), String> {
    if text.trim().is_empty() || text.contains(char::is_control) {
        return Err("expected a line with a GTP command".to_owned());
    }
    engine.commands.push(text.to_owned());
    Ok(())
}

/// The default name is that of the program.
fn named_engines(given: &[GivenEngine]) -> Result<Vec<EngineSpec>, String> {
    if given.len() >= MAX_ENGINES {
        return Err(format!("--engine: fewer than {MAX_ENGINES} are expected"));
    }
    let mut engines: Vec<EngineSpec> = Vec::new();
    for GivenEngine { name, command, .. } in given {
        let spec = EngineSpec::new("", command).map_err(|error| format!("--engine: {error}"))?;
        let taken = |name: &str| engines.iter().any(|engine| engine.name == name);
        let name = match name {
            Some(name) if name.is_empty() => return Err("--engine: the name is empty".to_owned()),
            Some(name) if taken(name) => {
                return Err(format!("--engine: two engines are named '{name}'"));
            }
            Some(name) => name.clone(),
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

/// A value for a named engine has priority, then that of its table.
fn assign<'g>(
    engines: &mut [EngineSpec],
    option: &str,
    texts: &[String],
    own: impl Iterator<Item = &'g [String]>,
    set: Set,
) -> Result<(), String> {
    let set = |engine: &mut EngineSpec, text: &str| {
        set(engine, text).map_err(|error| format!("'{text}': {error}"))
    };
    let names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    // A variable alone looks like a name and its value.
    let is_name =
        |name: &String, rest: &str| option != "--env" || rest.contains('=') && names.contains(name);
    let named = |text| split_name(text).filter(|(name, rest)| is_name(name, rest));
    for (engine, own) in engines.iter_mut().zip(own) {
        let all = texts.iter().filter(|text| named(text).is_none());
        all.chain(own).try_for_each(|text| set(engine, text))?;
    }
    for (name, value) in texts.iter().filter_map(|text| named(text)) {
        let engine = engines.iter_mut().find(|engine| engine.name == name);
        set(engine.ok_or_else(|| format!("no engine is named '{name}'"))?, value)?;
    }
    Ok(())
}
