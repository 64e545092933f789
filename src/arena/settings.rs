//! The settings of a match: games that are played with the same settings belong to the
//! same match.

use super::move_format::MoveFormat;
use super::opening::Openings;
use super::time_control::TimeControl;
use crate::board::Grid;
use crate::rules::{Setup, vertex};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// An engine and its settings.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// Its name in tables, unique in the match.
    pub name: String,
    /// The command line.
    pub command: String,
    /// The command line, split into program and arguments.
    pub words: Vec<String>,
    /// How turns are exchanged with it; by default the commands that it lists decide.
    pub move_format: Option<MoveFormat>,
    /// Its time control.
    pub time: TimeControl,
    /// Playouts a move, set with `kata-set-param`.
    pub playouts: Option<u64>,
}

/// A command line is empty or has an unclosed quotation mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a command line, without unclosed quotation marks")]
pub struct CommandLineError;

impl EngineSpec {
    /// An engine without limits. The command is split into words as a shell splits it,
    /// without calling one.
    ///
    /// # Errors
    /// [`CommandLineError`].
    pub fn new(name: &str, command: &str) -> Result<EngineSpec, CommandLineError> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        Ok(EngineSpec {
            name: name.to_owned(),
            command: command.to_owned(),
            words: words.ok_or(CommandLineError)?,
            move_format: None,
            time: TimeControl::none(),
            playouts: None,
        })
    }

    /// Whether the command line contains `{seed}`, so that it differs from game to game.
    pub fn is_seeded(&self) -> bool {
        self.words.iter().any(|word| word.contains(SEED))
    }

    /// Program and arguments with `{seed}` replaced.
    pub fn words_with(&self, seed: u64) -> Vec<String> {
        let seed = seed.to_string();
        let words = self.words.iter();
        words.map(|word| word.replace(SEED, &seed)).collect()
    }

    fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "command": self.command,
            "move-format": self.move_format,
            "time": self.time.to_string(),
            "playouts": self.playouts,
        })
    }
}

/// The placeholder of the seed in a command line.
const SEED: &str = "{seed}";

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairings {
    /// Each plays each other.
    RoundRobin,
    /// The first plays all others.
    Gauntlet,
}

impl Pairings {
    /// All, with their names.
    pub const ALL: [(&str, Pairings); 2] = [
        ("round-robin", Pairings::RoundRobin),
        ("gauntlet", Pairings::Gauntlet),
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        let mut all = Pairings::ALL.iter();
        all.find(|(_, pairings)| *pairings == self)
            .map_or("", |(name, _)| name)
    }

    /// The pairings of `engines` engines, as indices.
    pub fn of(self, engines: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Pairings::RoundRobin => engines,
            Pairings::Gauntlet => engines.min(1),
        };
        let pairs = (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        pairs.collect()
    }
}

/// When an engine is restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// After a failure, and for each game if its command line contains `{seed}`.
    WhenNeeded,
    /// For each game.
    EveryGame,
}

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct Settings {
    /// At least two engines.
    pub engines: Vec<EngineSpec>,
    /// Which engines meet.
    pub pairings: Pairings,
    /// Games of each pairing.
    pub games: u64,
    /// The start of the games.
    pub setup: Setup,
    /// The openings.
    pub openings: Openings,
    /// The seed of openings and engines; below 2^53.
    pub seed: u64,
    /// The turn limit: then the board is counted as it stands.
    pub max_turns: usize,
    /// The time margin: how much longer than its limit a move may take.
    pub time_margin: Duration,
    /// How long to wait for a response that no clock limits.
    pub timeout: Duration,
    /// The referee program, in addition to the built-in referee.
    pub referee: Option<EngineSpec>,
    /// When engines are restarted.
    pub restart: Restart,
}

impl Settings {
    /// All settings that games of the same match have in common, as JSON. (The number of
    /// games is not among them: a match can be extended.)
    pub fn to_json(&self) -> Value {
        let setup = &self.setup;
        let engines: Vec<_> = self.engines.iter().map(EngineSpec::to_json).collect();
        let mut json = json!({
            "engines": engines,
            "pairings": self.pairings.name(),
            "variant": setup.info.id,
            "width": setup.size.width,
            "height": setup.size.height,
            "komi": setup.rules.komi,
            "rules": self.rules_json(),
            "blocks": self.blocked_points(),
            "openings": self.openings.to_json(),
            "seed": self.seed,
            "max-turns": self.max_turns,
            "time-margin": self.time_margin.as_secs_f64(),
            "timeout": self.timeout.as_secs_f64(),
            "referee": self.referee.as_ref().map(|referee| &referee.command),
            "restart": self.restart == Restart::EveryGame,
        });
        // Matches without handicap keep the id that they had before handicaps existed.
        let handicap = self.handicap();
        if let (Some(json), false) = (json.as_object_mut(), handicap.is_empty()) {
            json.insert("handicap".to_owned(), handicap.into());
        }
        json
    }

    /// The rule options in force.
    pub fn rules_json(&self) -> Map<String, Value> {
        let keys = self.setup.info.keys;
        match self.setup.rules.to_json(keys) {
            Value::Object(rules) => rules,
            _ => Map::new(),
        }
    }

    /// The blocked points, as vertices of the flat form.
    pub fn blocked_points(&self) -> Vec<String> {
        self.vertices(&self.setup.blocked_points)
    }

    /// Black's handicap stones, as vertices of the flat form.
    pub fn handicap(&self) -> Vec<String> {
        self.vertices(&self.setup.handicap)
    }

    fn vertices(&self, places: &[(u8, u8)]) -> Vec<String> {
        let grid = self.setup.grid();
        grid.map_or_else(|_| Vec::new(), |grid| vertices(&grid, places))
    }

    /// The id of the match: 16 hexadecimal digits, a hash of the settings.
    pub fn id(&self) -> String {
        format!(
            "{:016x}",
            fingerprint(self.to_json().to_string().as_bytes())
        )
    }
}

/// Points of the flat form as vertices.
pub(super) fn vertices(grid: &Grid, places: &[(u8, u8)]) -> Vec<String> {
    let points = places.iter();
    let points = points.filter_map(|&(column, row)| grid.point(column, row));
    points.map(|point| vertex(grid, point)).collect()
}

/// FNV-1a of 64 bits (Fowler, Noll, Vo): the same on every machine.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Derives a seed below 2^53 from another seed and its purpose (the mixing
/// function of splitmix64; Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", 2014).
pub fn derived_seed(seed: u64, purpose: u64) -> u64 {
    let mut z = seed.wrapping_add(purpose.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairings_are_complete() {
        assert_eq!(Pairings::RoundRobin.of(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Pairings::Gauntlet.of(3), [[0, 1], [0, 2]]);
        assert_eq!(Pairings::RoundRobin.of(2), Pairings::Gauntlet.of(2));
    }

    #[test]
    fn command_lines_are_split_as_by_a_shell() {
        let spec = EngineSpec::new("a", r#"gnugo --mode gtp "a b" --seed '{seed}'"#);
        let spec = spec.expect("a command");
        assert!(spec.is_seeded());
        let words = ["gnugo", "--mode", "gtp", "a b", "--seed", "7"];
        assert_eq!(spec.words_with(7), words);
        assert_eq!(EngineSpec::new("a", "  "), Err(CommandLineError));
        assert_eq!(EngineSpec::new("a", "a 'b"), Err(CommandLineError));
    }

    #[test]
    fn fnv_hashes_are_the_published_ones() {
        // http://www.isthe.com/chongo/tech/comp/fnv/index.html
        assert_eq!(fingerprint(b""), 0xcbf29ce484222325);
        assert_eq!(fingerprint(b"a"), 0xaf63dc4c8601ec8c);
        assert_eq!(fingerprint(b"foobar"), 0x85944171f73967e8);
    }

    #[test]
    fn derived_seeds_differ() {
        let mut seeds: Vec<_> = (0..1000).map(|n| derived_seed(42, n)).collect();
        assert!(seeds.iter().all(|&seed| seed < 1 << 53));
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 1000);
    }
}
