//! The table of rule options, which are independent of each other.

use crate::board::{Color, Topology};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;

/// The repetition that a turn may not cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ko {
    /// No ko rule.
    None,
    /// A single stone that just captured a single stone may not be recaptured
    /// at once.
    Simple,
    /// No earlier position may come back.
    Positional,
    /// No position that stood at the end of an earlier turn of the same
    /// colour may come back.
    Situational,
}

/// The way of counting a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and captures.
    Territory,
}

/// The turn in which the void of a nuke starts to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NukeActs {
    /// In the turn after the nuke.
    Next,
    /// In the turn of the nuke.
    Now,
}

/// The cost of a tao placement once the hand is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaoCost {
    /// One prisoner, returned to the opponent.
    Prisoner,
    /// This number of half points off the mover's score.
    HalfPoints(u32),
}

/// The captures that may answer a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StoicalRule {
    /// No capture.
    Basic,
    /// The second capture of a snapback.
    Snapback,
    /// All captures except disturbing ones among small open lines.
    Refined,
}

/// Expands to code that writes, reads, describes or serialises a value. A value is a `choice` among
/// names, a `number` in a range, or a `text` that its type parses.
macro_rules! option_value {
    (get, $value:expr, choice $names:ident) => { name_of($names, $value).to_owned() };
    (get, $value:expr, $kind:ident $allowed:expr) => { $value.to_string() };
    (set, $text:expr, choice $names:ident) => { value_of($names, $text) };
    (set, $text:expr, number $range:expr) => {
        digits($text).filter(|n| $range.contains(n)).and_then(|n| n.try_into().ok())
    };
    (set, $text:expr, text $allowed:expr) => { $text.parse().ok() };
    (values, choice $names:ident) => { Some(names($names)) };
    (values, $kind:ident $allowed:tt) => { None };
    (offered, choice $names:ident, $offered:expr) => {
        $names.iter().map(|(name, _, words)| (*name, *words)).collect()
    };
    (offered, $kind:ident $allowed:tt, $offered:expr) => { $offered };
    (allowed, choice $names:ident) => { names($names).join(", ") };
    (allowed, number $range:expr) => { format!("{} to {}", $range.start(), $range.end()) };
    (allowed, text $allowed:expr) => { $allowed.to_owned() };
    (json, $value:expr, number $range:expr) => { Value::from($value) };
    (json, $value:expr, $kind:ident $allowed:tt) => {
        Value::from(option_value!(get, $value, $kind $allowed))
    };
}

/// The text of an option on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionWords {
    /// Its topic, in two or three words.
    pub label: &'static str,
    /// Its topic as a sentence.
    pub about: &'static str,
    /// The values that a page offers, each with its words.
    pub offered: Vec<(&'static str, &'static str)>,
    /// The values that tests try.
    pub trials: Vec<&'static str>,
}

/// The table of options. An entry has the key, its name, the field of [`Rules`] with its type and
/// its value in Go, the kind of values, label and sentence for a page, the values that a page
/// offers, and the values that tests try. A choice offers and tries all its names.
macro_rules! rule_options {
    ($($key:ident = $name:literal, $field:ident: $type:ty = $default:expr, $kind:ident $allowed:tt,
        $label:literal, $about:literal, [$($value:literal: $words:literal),*], [$($trial:literal),*];)+
    ) => {
        /// The values of all rule options. A variant ignores options without a key of its own.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Rules {
            /// Points added to White's score. It has no key: the command `komi` sets it.
            pub komi: f64,
            $(#[doc = concat!("Key `", $name, "`: ", $about)] pub $field: $type,)+
        }

        impl Rules {
            /// Standard Go.
            pub const GO: Rules = Rules { komi: 7.5, $($field: $default),+ };
        }

        /// The name of a rule option.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum RuleKey {
            $(#[doc = concat!("`", $name, "`")] $key,)+
        }

        impl RuleKey {
            /// Every key.
            pub const ALL: &'static [RuleKey] = &[$(RuleKey::$key),+];

            /// The name of the key.
            pub fn name(self) -> &'static str {
                match self {
                    $(RuleKey::$key => $name,)+
                }
            }

            /// The names of the values, if they have names.
            pub fn values(self) -> Option<Vec<&'static str>> {
                match self {
                    $(RuleKey::$key => option_value!(values, $kind $allowed),)+
                }
            }

            /// The allowed values, in words.
            pub fn allowed(self) -> String {
                match self {
                    $(RuleKey::$key => option_value!(allowed, $kind $allowed),)+
                }
            }

            /// Its text on a page.
            pub fn words(self) -> OptionWords {
                match self {
                    $(RuleKey::$key => OptionWords {
                        label: $label,
                        about: $about,
                        offered: option_value!(offered, $kind $allowed, vec![$(($value, $words)),*]),
                        trials: self.values().unwrap_or_else(|| vec![$($trial),*]),
                    },)+
                }
            }
        }

        impl Rules {
            /// The value of an option, in writing.
            pub fn get(&self, key: RuleKey) -> String {
                match key {
                    $(RuleKey::$key => option_value!(get, self.$field, $kind $allowed),)+
                }
            }

            /// Parses and sets the value of an option.
            ///
            /// # Errors
            /// [`BadValue`]; nothing is changed.
            pub fn set(&mut self, key: RuleKey, value: &str) -> Result<(), BadValue> {
                match key {
                    $(RuleKey::$key => {
                        let value = option_value!(set, value, $kind $allowed);
                        self.$field = value.ok_or(BadValue { key })?;
                    })+
                }
                Ok(())
            }

            /// The options of these keys that are [written](RuleKey::is_written), as a JSON object.
            pub fn to_json(&self, keys: &[RuleKey]) -> Map<String, Value> {
                let value = |key: RuleKey| match key {
                    $(RuleKey::$key => option_value!(json, self.$field, $kind $allowed),)+
                };
                let mut object = Map::new();
                for &key in keys.iter().filter(|key| key.is_written(self)) {
                    object.insert(key.name().to_owned(), value(key));
                }
                object
            }
        }
    };
}

rule_options! {
    Ko = "ko", ko: Ko = Ko::Positional, choice KO,
        "Repetition", "Which earlier positions a move may not repeat.",
        [], [];
    Scoring = "scoring", scoring: Scoring = Scoring::Area, choice SCORING,
        "Scoring", "What counts at the end of the game.",
        [], [];
    NukeActs = "nuke-acts", nuke_acts: NukeActs = NukeActs::Next, choice NUKE_ACTS,
        "First spread", "When the void of a nuke begins to spread.",
        [], [];
    TaoCost = "tao-cost", tao_cost: TaoCost = TaoCost::Prisoner,
        text "prisoner, points:K (K whole or half)",
        "Price of a tao stone", "What a tao stone costs when the player has none in hand.",
        ["prisoner": "one prisoner", "points:0": "nothing", "points:1": "1 point",
            "points:2": "2 points", "points:3": "3 points", "points:5": "5 points"],
        ["prisoner", "points:0", "points:1.5"];
    TaoSupply = "tao-supply", tao_supply: u16 = 0, number (0..=1000),
        "Tao stones", "How many tao stones each side has in hand at the start.",
        ["0": "0", "1": "1", "2": "2", "3": "3", "5": "5", "10": "10", "20": "20"],
        ["0", "1", "3"];
    First = "first", first: Color = Color::Black, choice COLORS,
        "First player", "The side that makes the first move.",
        [], [];
    Stoical = "stoical-rule", stoical: StoicalRule = StoicalRule::Basic, choice STOICAL,
        "Captures in answer", "Which captures may follow the opponent's capture.",
        [], [];
    Captures = "captures", captures: u16 = 1, number (1..=1000),
        "Stones to capture", "How many captured stones win the game.",
        ["1": "1", "2": "2", "3": "3", "5": "5", "10": "10"], ["1", "2", "4"];
    Layers = "layers", layers: u8 = 1, number (1..=4),
        "Layers", "How many boards are stacked.",
        ["1": "1, an ordinary board", "2": "2", "3": "3", "4": "4"], ["1", "2", "3", "4"];
    Suicide = "suicide", suicide: bool = false, choice SUICIDE,
        "Suicide", "Whether a stone may take the last liberty of its own group.",
        [], [];
    Board = "board", board: Topology = Topology::RECTANGLE, choice TOPOLOGIES,
        "Shape of the board", "Which opposite sides are joined.",
        [], [];
}

impl RuleKey {
    /// Whether records and states have the option. They leave out a rectangle and the prohibition
    /// of suicide.
    pub fn is_written(self, rules: &Rules) -> bool {
        match self {
            RuleKey::Board => rules.board != Topology::RECTANGLE,
            RuleKey::Suicide => rules.suicide,
            _ => true,
        }
    }

    /// Whether the option changes the board's shape, so that it cannot change during a game.
    pub fn shapes_board(self) -> bool {
        matches!(self, RuleKey::Layers | RuleKey::Board)
    }
}

impl FromStr for RuleKey {
    type Err = ();

    fn from_str(name: &str) -> Result<RuleKey, ()> {
        let mut keys = RuleKey::ALL.iter().copied();
        keys.find(|key| key.name() == name).ok_or(())
    }
}

/// The option does not take this value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: expected {}", key.name(), key.allowed())]
pub struct BadValue {
    /// The option.
    pub key: RuleKey,
}

impl Rules {
    /// Gives the options that records [leave out](RuleKey::is_written) the value that this means.
    pub fn reset_unwritten(&mut self) {
        (self.board, self.suicide) = (Topology::RECTANGLE, false);
    }

    /// Whether a player may win or lose half points during a game.
    pub fn give_half_points(&self) -> bool {
        matches!(self.tao_cost, TaoCost::HalfPoints(price) if price % 2 == 1)
    }
}

impl fmt::Display for TaoCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TaoCost::Prisoner => f.write_str("prisoner"),
            TaoCost::HalfPoints(halves) if halves % 2 == 0 => write!(f, "points:{}", halves / 2),
            TaoCost::HalfPoints(halves) => write!(f, "points:{}.5", halves / 2),
        }
    }
}

impl FromStr for TaoCost {
    type Err = ();

    fn from_str(text: &str) -> Result<TaoCost, ()> {
        if text == "prisoner" {
            return Ok(TaoCost::Prisoner);
        }
        let points = text.strip_prefix("points:").ok_or(())?;
        let (whole, half) = match points.split_once('.') {
            None => (points, 0),
            Some((whole, "0")) => (whole, 0),
            Some((whole, "5")) => (whole, 1),
            Some(_) => return Err(()),
        };
        let whole = digits(whole).ok_or(())?;
        Ok(TaoCost::HalfPoints(2 * u32::from(whole) + half))
    }
}

type Names<T> = &'static [(&'static str, T, &'static str)];

const KO: Names<Ko> = &[
    ("simple", Ko::Simple, "simple ko only"),
    ("positional", Ko::Positional, "no position twice (positional superko)"),
    ("situational", Ko::Situational, "no position twice by the same side (situational superko)"),
    ("none", Ko::None, "no ko rule"),
];
const SCORING: Names<Scoring> = &[
    ("area", Scoring::Area, "area: stones and territory"),
    ("territory", Scoring::Territory, "territory and prisoners"),
];
const NUKE_ACTS: Names<NukeActs> =
    &[("next", NukeActs::Next, "one turn later"), ("now", NukeActs::Now, "at once")];
const COLORS: Names<Color> = &[("white", Color::White, "White"), ("black", Color::Black, "Black")];
const STOICAL: Names<StoicalRule> = &[
    ("basic", StoicalRule::Basic, "none"),
    ("snapback", StoicalRule::Snapback, "none but a snapback"),
    ("refined", StoicalRule::Refined, "none that disturbs (refined rule)"),
];
const SUICIDE: Names<bool> =
    &[("false", false, "illegal"), ("true", true, "legal for two or more stones")];

const TOPOLOGIES: Names<Topology> = &[
    ("rectangle", Topology::RECTANGLE, "rectangle: all sides are edges"),
    ("cylinder", Topology::CYLINDER, "cylinder: left and right are joined"),
    ("torus", Topology::TORUS, "torus: all opposite sides are joined"),
];

fn name_of<T: PartialEq>(table: Names<T>, value: T) -> &'static str {
    table.iter().find(|(_, v, _)| *v == value).map_or("", |(name, ..)| name)
}

fn value_of<T: Copy>(table: Names<T>, name: &str) -> Option<T> {
    table.iter().find(|(n, ..)| *n == name).map(|(_, value, _)| *value)
}

fn names<T>(table: Names<T>) -> Vec<&'static str> {
    table.iter().map(|(name, ..)| *name).collect()
}

fn digits(text: &str) -> Option<u16> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}
