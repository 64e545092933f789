//! `kawari.toml`: options that need not be typed.
//!
//! The file has options by their long names. At its top are those for every subcommand that
//! has such an option, in a table of the name of a subcommand (`[gtp]` for GTP, which is also
//! what is served without a subcommand) those for it alone. What is given on the command line goes
//! before.

use super::Error;
use super::options::option_of;
use crate::files;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Args, Command};
use std::env;
use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The options about the file.
#[derive(Clone, Debug, Args)]
pub struct ConfigOptions {
    /// Read options from this file [default: kawari/kawari.toml where the system keeps
    /// settings, if it exists]
    #[arg(long, value_name = "FILE", global = true)]
    config: Option<PathBuf>,
    /// Read options from no file
    #[arg(long, global = true)]
    no_config: bool,
}

/// The options of a game that mean nothing, or something else, in another variant.
const OF_A_GAME: &[&str] = &["block", "komi", "rule"];

/// The table of what is served without a subcommand.
const GTP: &str = "gtp";

/// Where the file is, unless an option says otherwise.
fn default_path() -> Option<PathBuf> {
    Some(settings_folder()?.join("kawari").join("kawari.toml"))
}

/// Where the system keeps the settings of a person's programs; none for who has no home.
fn settings_folder() -> Option<PathBuf> {
    // Only whole paths count (XDG Base Directory Specification).
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let at_home = |folder: &str| Some(env::home_dir()?.join(folder));
    if cfg!(windows) {
        named("APPDATA")
    } else if cfg!(target_os = "macos") {
        at_home("Library/Application Support")
    } else {
        named("XDG_CONFIG_HOME").or_else(|| at_home(".config"))
    }
}

/// The arguments of a command line with those of a file.
pub struct Arguments {
    /// All of them.
    pub words: Vec<OsString>,
    /// The file.
    file: Option<PathBuf>,
    /// The options that stand in the file.
    of_file: Vec<OsString>,
}

impl Arguments {
    /// An error as it is for a person who did not type what is wrong.
    pub fn explain(&self, error: Error) -> Error {
        let (Error::Usage(text), Some(file)) = (&error, &self.file) else {
            return error;
        };
        let is_at_fault = |word: &OsString| {
            let name = word.to_str().and_then(|word| word.split('=').next());
            let rest = name.and_then(|name| text.strip_prefix(name));
            rest.is_some_and(|rest| rest.starts_with(": "))
        };
        if self.of_file.iter().any(is_at_fault) {
            Error::Usage(format!("{}: {text}", file.display()))
        } else {
            error
        }
    }
}

/// The arguments with those of the file.
///
/// # Errors
/// The line of the file that is wrong.
pub fn with_file(command: Command, arguments: Vec<OsString>) -> Result<Arguments, Error> {
    let given = Given::new(&command, &arguments);
    let Some(file) = given.file() else {
        return Ok(Arguments { words: arguments, file: None, of_file: Vec::new() });
    };
    let text = files::read_text(&file)
        .map_err(|error| Error::Usage(format!("{}: {error}", file.display())))?;
    let config = Config { file: &file, text: &text, root: &command };
    let of_file = config.arguments(&given)?;
    let mut words = arguments.clone();
    let at = (1 + given.path.len()).min(words.len());
    words.splice(at..at, of_file.iter().cloned());
    Ok(Arguments { words, file: Some(file), of_file })
}

/// What the command line says, before it is parsed.
struct Given<'a> {
    /// The names of the subcommand.
    path: Vec<&'a str>,
    /// Whether `--config` is another file of this subcommand: that of a match.
    has_own_config: bool,
    /// The options.
    words: &'a [OsString],
}

impl<'a> Given<'a> {
    fn new(root: &Command, arguments: &'a [OsString]) -> Given<'a> {
        let (mut path, mut at) = (Vec::new(), root);
        for word in arguments.iter().skip(1) {
            let Some((name, inner)) =
                word.to_str().and_then(|name| Some((name, at.find_subcommand(name)?)))
            else {
                break;
            };
            path.push(name);
            at = inner;
        }
        let is_config = |argument: &Arg| argument.get_long() == Some("config");
        let words = arguments.get(1 + path.len()..).unwrap_or_default();
        let end = words.iter().position(|word| word == "--");
        Given {
            has_own_config: !path.is_empty() && at.get_arguments().any(is_config),
            path,
            words: end.and_then(|end| words.get(..end)).unwrap_or(words),
        }
    }

    /// Whether an option is given.
    fn has(&self, name: &str) -> bool {
        self.values(name).next().is_some()
    }

    /// Whether an option, or a parameter that is the same, is given.
    fn sets(&self, name: &str) -> bool {
        let is_same = |word: OsString| {
            let param = word.to_str().and_then(|word| word.split_once('='));
            param.is_some_and(|(param, _)| option_of(param) == name)
        };
        self.has(name) || self.values("param").any(is_same)
    }

    /// Whether an option is given that sets the same as a word `--param=NAME=VALUE`.
    fn sets_param_of(&self, word: &OsStr) -> bool {
        let param = word.to_str().and_then(|word| word.strip_prefix("--param="));
        let name = param.and_then(|param| param.split('=').next());
        name.is_some_and(|name| self.has(option_of(name)))
    }

    /// The values of an option; of one without a value what comes next.
    fn values(&self, name: &str) -> impl Iterator<Item = OsString> {
        let option = format!("--{name}");
        let with_value = format!("{option}=");
        let words = self.words.iter().enumerate();
        words.filter_map(move |(number, word)| {
            if *word == *option {
                return Some(self.words.get(number + 1).cloned().unwrap_or_default());
            }
            let value = word.to_str()?.strip_prefix(&with_value)?;
            Some(OsString::from(value))
        })
    }

    /// The file to read.
    fn file(&self) -> Option<PathBuf> {
        if self.has("no-config") {
            return None;
        }
        let named = self.values("config").next().filter(|_| !self.has_own_config);
        let usual = || default_path().filter(|path| path.exists());
        named.map(PathBuf::from).or_else(usual)
    }
}

/// A file of options.
struct Config<'a> {
    file: &'a Path,
    text: &'a str,
    root: &'a Command,
}

/// An option of the file.
struct Entry<'t> {
    name: &'t str,
    place: Range<usize>,
    value: &'t Spanned<DeValue<'t>>,
}

impl Config<'_> {
    fn error(&self, place: &Range<usize>, message: &str) -> Error {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        let line = 1 + before.matches('\n').count();
        Error::Usage(format!("{}:{line}: {message}", self.file.display()))
    }

    /// The options for a subcommand that the command line does not give.
    fn arguments(&self, given: &Given<'_>) -> Result<Vec<OsString>, Error> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let place = error.span().unwrap_or_default();
            self.error(&place, error.message())
        })?;
        let path: &[&str] = match given.path.as_slice() {
            [] => &[GTP],
            path => path,
        };
        let mut found = Vec::new();
        self.collect(table.get_ref(), self.root, path, &mut Vec::new(), &mut found)?;
        let target = self.command(path);
        let variant = found.iter().find(|entry| entry.name == "variant");
        let variant = variant.and_then(|entry| entry.value.get_ref().as_str());
        let mut given_variant = given.values("variant");
        let is_other_game =
            variant.is_some_and(|variant| given_variant.any(|given| given != *variant));
        let mut arguments = Vec::new();
        for entry in found {
            let Some(argument) = target.and_then(|target| option(target, entry.name)) else {
                continue;
            };
            if given.sets(entry.name) || is_other_game && OF_A_GAME.contains(&entry.name) {
                continue;
            }
            let words = self.written(&entry, argument)?;
            arguments.extend(words.into_iter().filter(|word| !given.sets_param_of(word)));
        }
        Ok(arguments)
    }

    fn command(&self, path: &[&str]) -> Option<&Command> {
        let mut at = self.root;
        for name in path {
            at = at.find_subcommand(name)?;
        }
        Some(at)
    }

    /// Checks a table, and collects the options for the subcommand at `path`.
    fn collect<'t>(
        &self,
        table: &'t DeTable<'t>,
        command: &Command,
        path: &[&str],
        at: &mut Vec<String>,
        found: &mut Vec<Entry<'t>>,
    ) -> Result<(), Error> {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if let (DeValue::Table(inner), Some(inner_command)) =
                (value.get_ref(), command.find_subcommand(name))
            {
                at.push(name.to_owned());
                self.collect(inner, inner_command, path, at, found)?;
                at.pop();
                continue;
            }
            let owner = match at.as_slice() {
                [] => command.get_subcommands().find_map(|one| option(one, name).map(|_| one)),
                _ => Some(command),
            };
            let Some((owner, argument)) =
                owner.and_then(|owner| Some((owner, option(owner, name)?)))
            else {
                return Err(self.error(&key.span(), &unknown(command, name, at.is_empty())));
            };
            let entry = Entry { name, place: key.span(), value };
            self.check(&entry, owner, argument)?;
            let is_asked = at.iter().map(String::as_str).eq(path.iter().copied());
            if is_asked || at.is_empty() {
                // The table of the subcommand goes before what stands for all.
                found.retain(|other| other.name != name || at.is_empty());
                if !found.iter().any(|other| other.name == name) {
                    found.push(entry);
                }
            }
        }
        Ok(())
    }

    /// Checks that a command takes this value.
    fn check(&self, entry: &Entry<'_>, owner: &Command, argument: &Arg) -> Result<(), Error> {
        let mut words = vec![OsString::from("kawari")];
        words.extend(self.written(entry, argument)?);
        let Err(error) = owner.clone().try_get_matches_from(words) else {
            return Ok(());
        };
        let is_wrong = matches!(
            error.kind(),
            ErrorKind::InvalidValue
                | ErrorKind::ValueValidation
                | ErrorKind::TooManyValues
                | ErrorKind::TooFewValues
                | ErrorKind::WrongNumberOfValues
                | ErrorKind::NoEquals
                | ErrorKind::InvalidUtf8
                | ErrorKind::ArgumentConflict
        );
        if !is_wrong {
            return Ok(());
        }
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        let message = first.strip_prefix("error: ").unwrap_or(first);
        Err(self.error(&entry.place, message))
    }

    /// An option as it is written on a command line.
    fn written(&self, entry: &Entry<'_>, argument: &Arg) -> Result<Vec<OsString>, Error> {
        let takes_values = argument.get_action().takes_values();
        let wrong = |what| self.error(&entry.value.span(), &format!("{}: {what}", entry.name));
        let one = |value: &DeValue<'_>| match value {
            DeValue::String(text) => Ok(text.to_string()),
            DeValue::Integer(number) => Ok(number.to_string()),
            DeValue::Float(number) => Ok(number.to_string()),
            DeValue::Boolean(is) => Ok(is.to_string()),
            _ => Err(wrong("expected a text, a number, true or false")),
        };
        let option = |value: String| OsString::from(format!("--{}={value}", entry.name));
        match entry.value.get_ref() {
            DeValue::Boolean(is) if !takes_values => {
                let flag = OsString::from(format!("--{}", entry.name));
                Ok(is.then_some(flag).into_iter().collect())
            }
            _ if !takes_values => Err(wrong("expected true or false")),
            DeValue::Array(values) => {
                let may_repeat = matches!(argument.get_action(), ArgAction::Append);
                if !may_repeat && values.len() > 1 {
                    return Err(wrong("expected one value"));
                }
                let values = values.iter().map(|value| one(value.get_ref()).map(option));
                values.collect()
            }
            value => Ok(vec![option(one(value)?)]),
        }
    }
}

/// The option of a command with this long name; those about this file are none.
fn option<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    let mut arguments = command.get_arguments();
    let is_ours = ["config", "no-config", "help", "version"].contains(&name);
    arguments.find(|argument| !is_ours && argument.get_long() == Some(name))
}

fn unknown(command: &Command, name: &str, is_at_top: bool) -> String {
    if is_at_top {
        let names = command.get_subcommands().map(Command::get_name);
        let names: Vec<_> = names.filter(|name| *name != "help").collect();
        return format!("no subcommand has an option '{name}'; tables are {}", names.join(", "));
    }
    let arguments = command.get_arguments().filter(|one| !one.is_hide_set());
    let names = arguments.filter_map(Arg::get_long);
    let names: Vec<_> = names.filter(|name| option(command, name).is_some()).collect();
    format!("unknown option '{name}', expected one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::with_file;
    use clap::CommandFactory;
    use std::ffi::OsString;
    use std::fs;

    /// The arguments that a file makes of these, or its error without the path.
    fn with(text: &str, arguments: &str) -> Result<String, String> {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("kawari.toml");
        fs::write(&file, text).expect("a file");
        let config = format!("--config={}", file.display());
        let mut given: Vec<OsString> = arguments.split(' ').map(OsString::from).collect();
        given.push(config.clone().into());
        let all = with_file(Cli::command(), given).map_err(|error| {
            let text = error.to_string();
            let (_, after) = text.split_once("kawari.toml:").expect("the file");
            after.to_owned()
        })?;
        let words = all.words.iter().map(|word| word.to_string_lossy().into_owned());
        let words: Vec<_> = words.filter(|word| *word != config).collect();
        Ok(words.join(" "))
    }

    /// What is given decides, in whichever of two forms.
    #[test]
    fn what_is_given_twice_is_as_the_command_line_has_it() {
        let searches = "playouts = 50\nparam = [\"time=3\", \"allow_resign=false\"]\n";
        let game = "[gtp]\nvariant = \"no\"\nrule = [\"nuke-acts=now\"]\nkomi = 3\nsize = 5\n";
        for (text, of_file, given) in [
            (searches, "", "--param playouts=3"),
            (searches, "--playouts=50", "--time 1 --resign false"),
            (game, "--size=5", "--variant go"),
            (game, "--komi=3 --rule=nuke-acts=now --size=5", "--variant no"),
        ] {
            let words = with(text, &format!("kawari {given}"));
            let expected = format!("kawari {of_file} {given}").replace("  ", " ");
            assert_eq!(words, Ok(expected));
        }
    }

    #[test]
    fn options_of_the_file_come_before_those_given() {
        let text = "threads = 2\nrule = [\"ko=simple\"]\n[gtp]\nponder = true\nthreads = 3\n\
            [board]\nno-open = true\nport = 9000\n[analysis]\nvariant = \"no\"\n";
        let expected = |text: &str| Ok(text.to_owned());
        assert_eq!(
            with(text, "kawari"),
            expected("kawari --ponder=true --threads=3 --rule=ko=simple")
        );
        assert_eq!(
            with(text, "kawari gtp --threads 4"),
            expected("kawari gtp --ponder=true --rule=ko=simple --threads 4")
        );
        assert_eq!(
            with(text, "kawari analysis"),
            expected("kawari analysis --variant=no --threads=2")
        );
        assert_eq!(with(text, "kawari guide"), expected("kawari guide"));
        assert_eq!(with("no-files = false", "kawari"), expected("kawari"));
        // The file of a match.
        assert_eq!(
            with("threads = 2", "kawari match").map(|text| text.contains("threads")),
            Ok(false)
        );
        assert_eq!(
            with("[train.selfplay]\nseed = 3", "kawari train selfplay x"),
            expected("kawari train selfplay --seed=3 x")
        );
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("threads = 2\nthread = 3", "2: no subcommand has an option 'thread'"),
            ("[gtp]\n\nthread = 3", "3: unknown option 'thread', expected one of "),
            ("[gtp]\nthreads = 0", "2: invalid value '0' for '--threads <N>'"),
            ("\nthreads = 1.5", "2: invalid value '1.5'"),
            ("[board]\nport = \"x\"", "2: invalid value 'x' for '--port <N>'"),
            ("threads = [1, 2]", "1: threads: expected one value"),
            ("[gtp]\nno-files = 3", "2: no-files: expected true or false"),
            ("[gtp.size]\nx = 1", "1: "),
            ("[gtp]\nconfig = \"x\"", "2: unknown option 'config'"),
            ("threads = ", "1: "),
            ("threads = 1\nthreads = 2", "2: "),
        ] {
            let error = with(text, "kawari").expect_err(text);
            assert!(error.starts_with(line), "{text}: {error}");
        }
    }
}
