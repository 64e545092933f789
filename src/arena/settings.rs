//! Games with the same settings belong to the same match.

use super::move_format::MoveFormat;
use super::opening::Openings;
use super::time_control::time_words;
use super::words::{self, Points, Seconds, Within};
use crate::board::{FNV_OFFSET, fnv1a};
use crate::clock::TimeSystem;
use crate::json;
use crate::rules::{Setup, SetupRecord};
use clap::{ArgAction, Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// The name is unique in the match.
    pub name: String,
    pub command: String,
    pub words: Vec<String>,
    /// `None` chooses by the commands that the engine lists.
    pub move_format: Option<MoveFormat>,
    pub time: TimeSystem,
    pub playouts: Option<u64>,
    pub surroundings: Surroundings,
    /// GTP commands after the start.
    pub commands: Vec<String>,
}

/// Where a program runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Surroundings {
    /// The folder; the path of the program is seen from it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cwd: Option<PathBuf>,
    /// Variables of the environment that the match adds to its own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

impl EngineSpec {
    /// The command is split as by a shell, but no shell runs.
    pub fn new(name: &str, command: &str) -> Result<EngineSpec, &'static str> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let mut words = words.ok_or("expected a command line, without unclosed quotation marks")?;
        let mut command = command.to_owned();
        if is_own_without_threads(&words) {
            words.extend(["--threads", "1"].map(str::to_owned));
            command.push_str(" --threads 1");
        }
        Ok(EngineSpec {
            name: name.to_owned(),
            command,
            words,
            move_format: None,
            time: TimeSystem::None,
            playouts: None,
            surroundings: Surroundings::default(),
            commands: Vec::new(),
        })
    }

    pub fn is_seeded(&self) -> bool {
        self.words.iter().any(|word| word.contains(SEED))
    }

    pub fn words_with(&self, seed: u64) -> Vec<String> {
        let seed = seed.to_string();
        let words = self.words.iter();
        words.map(|word| word.replace(SEED, &seed)).collect()
    }

    /// Without what is not set, so that earlier matches are still the same.
    fn to_json(&self) -> Value {
        let mut fields = json::fields(&self.surroundings);
        if !self.commands.is_empty() {
            fields.insert("gtp".to_owned(), json!(self.commands));
        }
        fields.extend(json::fields(&json!({
            "name": self.name,
            "command": self.command,
            "move-format": self.move_format,
            "time": time_words(&self.time),
            "playouts": self.playouts,
        })));
        Value::Object(fields)
    }
}

/// Whether a command is kawari's, without a number of threads: by default it takes all cores,
/// which the engines of a match share.
fn is_own_without_threads(words: &[String]) -> bool {
    let program = words.first().map(Path::new).and_then(Path::file_stem);
    let names_threads = |word: &String| word == "--threads" || word.starts_with("--threads=");
    program.is_some_and(|program| program == "kawari") && !words.iter().any(names_threads)
}

/// Pairings grow with the square.
pub const MAX_ENGINES: usize = 256;

const SEED: &str = "{seed}";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pairings {
    /// Each engine plays each other
    #[default]
    RoundRobin,
    /// The first engine plays all others
    Gauntlet,
}

impl Pairings {
    /// Indices of engines.
    pub fn pairs(self, engines: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Pairings::RoundRobin => engines,
            Pairings::Gauntlet => engines.min(1),
        };
        let pairs = (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        pairs.collect()
    }
}

/// Each field is an option with its help, a key of the match file, and an entry of the results
/// file.
#[derive(Clone, Debug, Args, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Conditions {
    /// A referee program in addition to the built-in referee: it may refuse turns, and its
    /// final_score is the result [default: none]
    #[arg(long, value_name = "COMMAND", help_heading = "Players")]
    #[serde(default)]
    pub referee: Option<String>,
    /// Restart the engines for every game
    #[arg(long, value_name = "BOOL", help_heading = "Players", action = ArgAction::Set, num_args = 0..=1,
        require_equals = true, default_missing_value = "true", default_value = "false")]
    #[serde(deserialize_with = "words::one")]
    pub restart: bool,
    /// Turn limit, after which the board is counted as it stands [default: 1000, or 4 for each point
    /// if that is more]
    #[arg(long, value_name = "N", help_heading = "Game")]
    #[serde(default, deserialize_with = "words::some")]
    pub max_turns: Option<usize>,
    /// End a game as won if both engines report the same winner in this many turns one after the
    /// other; needs --adjudicate-points, and engines that report their lead (guide match)
    /// [default: never]
    #[arg(long, value_name = "N", help_heading = "Game")]
    #[serde(default, deserialize_with = "words::some", skip_serializing_if = "Option::is_none")]
    pub adjudicate_turns: Option<Within<2, 1000>>,
    /// Lead that both engines must report for --adjudicate-turns
    #[arg(long, value_name = "X", help_heading = "Game")]
    #[serde(default, deserialize_with = "words::some", skip_serializing_if = "Option::is_none")]
    pub adjudicate_points: Option<Points>,
    /// Pairing scheme for three or more engines
    #[arg(long, value_enum, default_value_t, help_heading = "Match")]
    pub pairings: Pairings,
    /// Seed of openings and of '{seed}' [default: that of the results file, or a random one]
    #[arg(long, value_name = "N", help_heading = "Match")]
    #[serde(default, deserialize_with = "words::some")]
    pub seed: Option<MatchSeed>,
    /// Time margin: seconds that a side may be late until its clock gets new time; for absolute time
    /// in the whole game
    #[arg(long, value_name = "SECONDS", default_value = "0.2", help_heading = "Running")]
    #[serde(deserialize_with = "words::one")]
    pub time_margin: Seconds,
    /// Seconds to wait for a response that no clock limits
    #[arg(long, value_name = "SECONDS", default_value = "120", help_heading = "Running")]
    #[serde(deserialize_with = "words::one")]
    pub timeout: Seconds,
}

/// JSON has no greater whole numbers everywhere.
pub type MatchSeed = Within<0, { (1 << 53) - 1 }>;

#[derive(Clone, Debug)]
pub struct Settings {
    pub conditions: Conditions,
    /// A match has at least two engines.
    pub engines: Vec<EngineSpec>,
    pub referee: Option<EngineSpec>,
    /// Games of each pairing.
    pub games: u64,
    pub setup: Setup,
    pub openings: Openings,
}

impl Settings {
    /// The number of games is left out, because a match can be extended.
    pub fn to_json(&self) -> Value {
        let engines: Vec<_> = self.engines.iter().map(EngineSpec::to_json).collect();
        let mut settings = json::fields(&SetupRecord::new(&self.setup));
        settings.extend(json::fields(&self.conditions));
        settings.insert("engines".to_owned(), engines.into());
        settings.insert("openings".to_owned(), self.openings.to_json());
        Value::Object(settings)
    }

    pub fn seed(&self) -> u64 {
        self.conditions.seed.map_or(0, |seed| seed.0)
    }

    /// The turns for which both engines must report the same winner, and by how many points.
    pub fn adjudication(&self) -> Option<(u64, f64)> {
        let Conditions { adjudicate_turns, adjudicate_points, .. } = &self.conditions;
        adjudicate_turns.zip(*adjudicate_points).map(|(turns, points)| (turns.0, points.0))
    }

    pub fn max_turns(&self) -> usize {
        self.conditions.max_turns.unwrap_or(usize::MAX)
    }

    pub fn id(&self) -> String {
        format!("{:016x}", fingerprint(&self.to_json().to_string()))
    }
}

pub(super) fn fingerprint(text: &str) -> u64 {
    fnv1a(FNV_OFFSET, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairings_are_complete() {
        assert_eq!(Pairings::RoundRobin.pairs(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Pairings::Gauntlet.pairs(3), [[0, 1], [0, 2]]);
        assert_eq!(Pairings::RoundRobin.pairs(2), Pairings::Gauntlet.pairs(2));
    }

    #[test]
    fn kawari_gets_a_thread_unless_it_names_a_number() {
        let words = |command| EngineSpec::new("a", command).expect("a command").words;
        assert_eq!(words("kawari"), ["kawari", "--threads", "1"]);
        assert_eq!(words("./kawari gtp --time 1")[4..], ["--threads", "1"]);
        for command in ["kawari --threads 4", "kawari --threads=2 --seed 1", "gnugo --mode gtp"] {
            assert_eq!(EngineSpec::new("a", command).expect("a command").command, command);
            assert_eq!(words(command).join(" "), command);
        }
    }

    #[test]
    fn command_lines_are_split_as_by_a_shell() {
        let spec =
            EngineSpec::new("a", r#"gnugo --mode gtp "a b" --seed '{seed}'"#).expect("a command");
        assert!(spec.is_seeded());
        let words = ["gnugo", "--mode", "gtp", "a b", "--seed", "7"];
        assert_eq!(spec.words_with(7), words);
        for refused in ["  ", "a 'b"] {
            assert!(EngineSpec::new("a", refused).is_err(), "{refused}");
        }
    }
}
