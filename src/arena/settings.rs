//! What defines a match: whoever plays with the same settings plays parts of
//! the same match.

use super::opening::Openings;
use super::speech::Speech;
use super::time::TimeControl;
use crate::board::Grid;
use crate::rules::{Setup, vertex};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// An engine, and how it is treated.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// What it is called in tables; no two have the same name.
    pub name: String,
    /// The command line.
    pub command: String,
    /// Its words.
    pub words: Vec<String>,
    /// How it speaks of turns; if not given, what it lists decides.
    pub speech: Option<Speech>,
    /// Its time.
    pub time: TimeControl,
    /// Playouts a move, which it is told.
    pub playouts: Option<u64>,
}

/// Why a command line is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no command line: no words, or a quotation mark without end")]
pub struct NoCommand;

impl EngineSpec {
    /// An engine without limits. The command is split into words as a shell
    /// would, but no shell is called.
    ///
    /// # Errors
    /// [`NoCommand`].
    pub fn new(name: &str, command: &str) -> Result<EngineSpec, NoCommand> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        Ok(EngineSpec {
            name: name.to_owned(),
            command: command.to_owned(),
            words: words.ok_or(NoCommand)?,
            speech: None,
            time: TimeControl::none(),
            playouts: None,
        })
    }

    /// Whether the command line differs from game to game: it holds `{seed}`.
    pub fn is_seeded(&self) -> bool {
        self.words.iter().any(|word| word.contains(SEED))
    }

    /// The words with the seed put in.
    pub fn words_with(&self, seed: u64) -> Vec<String> {
        let seed = seed.to_string();
        let words = self.words.iter();
        words.map(|word| word.replace(SEED, &seed)).collect()
    }

    fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "command": self.command,
            "speech": self.speech,
            "time": self.time.to_string(),
            "playouts": self.playouts,
        })
    }
}

/// What stands for the game's seed in a command line.
const SEED: &str = "{seed}";

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairings {
    /// Everybody everybody.
    RoundRobin,
    /// The first engine all others.
    Gauntlet,
}

impl Pairings {
    /// All of them, with their names.
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

    /// The pairings of so many engines, by their places in the list.
    pub fn of(self, engines: usize) -> Vec<[usize; 2]> {
        let firsts = match self {
            Pairings::RoundRobin => engines,
            Pairings::Gauntlet => engines.min(1),
        };
        let pairs = (0..firsts).flat_map(|a| (a + 1..engines).map(move |b| [a, b]));
        pairs.collect()
    }
}

/// When an engine is started anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// After it failed, and if its command line holds the seed.
    WhenNeeded,
    /// For every game.
    EveryGame,
}

/// A match.
#[derive(Clone, Debug)]
pub struct Settings {
    /// At least two engines.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub pairings: Pairings,
    /// Games of each pairing.
    pub games: u64,
    /// What is played.
    pub setup: Setup,
    /// How games begin.
    pub openings: Openings,
    /// Where everything random starts; below 2^53.
    pub seed: u64,
    /// After so many turns the board is counted as it stands.
    pub max_turns: usize,
    /// How much longer than its time a move may take.
    pub lag: Duration,
    /// How long to wait for a reply that no clock limits.
    pub hang: Duration,
    /// A program that judges beside the built-in referee.
    pub referee: Option<EngineSpec>,
    /// When engines are started anew.
    pub restart: Restart,
}

impl Settings {
    /// What has to be the same for games to belong to the same match, as JSON.
    /// (The number of games is not in it: a match can be continued.)
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
            "blocks": self.blocks(),
            "openings": self.openings.to_json(),
            "seed": self.seed,
            "max-turns": self.max_turns,
            "lag": self.lag.as_secs_f64(),
            "hang": self.hang.as_secs_f64(),
            "referee": self.referee.as_ref().map(|referee| &referee.command),
            "restart": self.restart == Restart::EveryGame,
        });
        // Matches without are called as they were before there were handicaps.
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

    /// The walls, as vertices of the flat form.
    pub fn blocks(&self) -> Vec<String> {
        self.vertices(&self.setup.blocks)
    }

    /// Black's handicap stones, as vertices of the flat form.
    pub fn handicap(&self) -> Vec<String> {
        self.vertices(&self.setup.handicap)
    }

    fn vertices(&self, places: &[(u8, u8)]) -> Vec<String> {
        let grid = self.setup.grid();
        grid.map_or_else(|_| Vec::new(), |grid| vertices(&grid, places))
    }

    /// The name of the match: 16 digits that depend on the settings alone.
    pub fn id(&self) -> String {
        format!(
            "{:016x}",
            fingerprint(self.to_json().to_string().as_bytes())
        )
    }
}

/// Places of the flat form as vertices.
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

/// A seed below 2^53 out of another seed and what it is for (the mixing
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
    fn everybody_plays_everybody_or_the_first() {
        assert_eq!(Pairings::RoundRobin.of(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(Pairings::Gauntlet.of(3), [[0, 1], [0, 2]]);
        assert_eq!(Pairings::RoundRobin.of(2), Pairings::Gauntlet.of(2));
    }

    #[test]
    fn command_lines_are_split_as_a_shell_would() {
        let spec = EngineSpec::new("a", r#"gnugo --mode gtp "a b" --seed '{seed}'"#);
        let spec = spec.expect("a command");
        assert!(spec.is_seeded());
        let words = ["gnugo", "--mode", "gtp", "a b", "--seed", "7"];
        assert_eq!(spec.words_with(7), words);
        assert_eq!(EngineSpec::new("a", "  "), Err(NoCommand));
        assert_eq!(EngineSpec::new("a", "a 'b"), Err(NoCommand));
    }

    #[test]
    fn fingerprints_are_those_published() {
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
