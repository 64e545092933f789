//! The rules record: orthogonal options, as data.

use crate::board::{Color, Grid};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;

/// What repetition a turn may not cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// How a finished game is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and captures.
    Territory,
}

/// When the void of a nuke starts to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NukeActs {
    /// In the turn after the nuke.
    Next,
    /// In the turn of the nuke.
    Now,
}

/// What a tao placement costs once the hand is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TaoCost {
    /// One prisoner, returned to the opponent.
    Prisoner,
    /// So many half points off the mover's score.
    HalfPoints(u32),
}

/// Which captures may answer a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoicalRule {
    /// None.
    Basic,
    /// The second capture of a snapback.
    Snapback,
    /// All but disturbing captures among small open lines.
    Refined,
}

/// Every rule option. A variant sets defaults and says which keys it has; an
/// option of another variant keeps a value that nothing looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// Key `ko`.
    pub ko: Ko,
    /// Key `scoring`.
    pub scoring: Scoring,
    /// Points added to White's score. Not a key: set by `komi`.
    pub komi: f64,
    /// Key `nuke-acts`.
    pub nuke_acts: NukeActs,
    /// Key `tao-cost`.
    pub tao_cost: TaoCost,
    /// Key `tao-supply`: tao stones in hand for each player at the start.
    pub tao_supply: u16,
    /// Key `first`: who makes the first turn (handicap gives it to White).
    pub first: Color,
    /// Key `stoical-rule`.
    pub stoical: StoicalRule,
    /// Key `layers`: 1 to 4.
    pub layers: u8,
}

impl Rules {
    /// Standard Go; variants change what they need.
    pub const GO: Rules = Rules {
        ko: Ko::Positional,
        scoring: Scoring::Area,
        komi: 7.5,
        nuke_acts: NukeActs::Next,
        tao_cost: TaoCost::Prisoner,
        tao_supply: 0,
        first: Color::Black,
        stoical: StoicalRule::Basic,
        layers: 1,
    };

    /// The value of an option, as it is written.
    pub fn get(&self, key: RuleKey) -> String {
        match key {
            RuleKey::Ko => name_of(KO, self.ko).to_owned(),
            RuleKey::Scoring => name_of(SCORING, self.scoring).to_owned(),
            RuleKey::NukeActs => name_of(NUKE_ACTS, self.nuke_acts).to_owned(),
            RuleKey::TaoCost => self.tao_cost.to_string(),
            RuleKey::TaoSupply => self.tao_supply.to_string(),
            RuleKey::First => self.first.name().to_owned(),
            RuleKey::Stoical => name_of(STOICAL, self.stoical).to_owned(),
            RuleKey::Layers => self.layers.to_string(),
        }
    }

    /// Sets an option from its written value.
    ///
    /// # Errors
    /// [`BadValue`], naming the key and what it takes; nothing is changed.
    pub fn set(&mut self, key: RuleKey, value: &str) -> Result<(), BadValue> {
        let bad = BadValue { key };
        match key {
            RuleKey::Ko => self.ko = value_of(KO, value).ok_or(bad)?,
            RuleKey::Scoring => self.scoring = value_of(SCORING, value).ok_or(bad)?,
            RuleKey::NukeActs => self.nuke_acts = value_of(NUKE_ACTS, value).ok_or(bad)?,
            RuleKey::TaoCost => self.tao_cost = value.parse().map_err(|()| bad)?,
            RuleKey::TaoSupply => {
                self.tao_supply = digits(value).filter(|&n| n <= 1000).ok_or(bad)?;
            }
            RuleKey::First => self.first = value_of(COLORS, value).ok_or(bad)?,
            RuleKey::Stoical => self.stoical = value_of(STOICAL, value).ok_or(bad)?,
            RuleKey::Layers => {
                let layers = digits(value).and_then(|n| u8::try_from(n).ok());
                self.layers = layers
                    .filter(|&n| Grid::largest_side(n).is_some())
                    .ok_or(bad)?;
            }
        }
        Ok(())
    }

    /// The options under `keys` as a JSON object.
    pub fn to_json(&self, keys: &[RuleKey]) -> Value {
        let entry = |&key: &RuleKey| {
            let value = match key {
                RuleKey::TaoSupply => self.tao_supply.into(),
                RuleKey::Layers => self.layers.into(),
                _ => self.get(key).into(),
            };
            (key.name().to_owned(), value)
        };
        Value::Object(keys.iter().map(entry).collect::<Map<_, _>>())
    }
}

/// The name of a rule option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKey {
    /// `ko`
    Ko,
    /// `scoring`
    Scoring,
    /// `nuke-acts`
    NukeActs,
    /// `tao-cost`
    TaoCost,
    /// `tao-supply`
    TaoSupply,
    /// `first`
    First,
    /// `stoical-rule`
    Stoical,
    /// `layers`
    Layers,
}

impl RuleKey {
    /// Every key.
    pub const ALL: [RuleKey; 8] = [
        RuleKey::Ko,
        RuleKey::Scoring,
        RuleKey::NukeActs,
        RuleKey::TaoCost,
        RuleKey::TaoSupply,
        RuleKey::First,
        RuleKey::Stoical,
        RuleKey::Layers,
    ];

    /// The key as it is written.
    pub fn name(self) -> &'static str {
        match self {
            RuleKey::Ko => "ko",
            RuleKey::Scoring => "scoring",
            RuleKey::NukeActs => "nuke-acts",
            RuleKey::TaoCost => "tao-cost",
            RuleKey::TaoSupply => "tao-supply",
            RuleKey::First => "first",
            RuleKey::Stoical => "stoical-rule",
            RuleKey::Layers => "layers",
        }
    }

    /// The values the option takes, in words.
    pub fn allowed(self) -> String {
        match self {
            RuleKey::Ko => names(KO),
            RuleKey::Scoring => names(SCORING),
            RuleKey::NukeActs => names(NUKE_ACTS),
            RuleKey::TaoCost => "prisoner, points:K (K whole or half)".to_owned(),
            RuleKey::TaoSupply => "0 to 1000".to_owned(),
            RuleKey::First => names(COLORS),
            RuleKey::Stoical => names(STOICAL),
            RuleKey::Layers => "1 to 4".to_owned(),
        }
    }
}

impl FromStr for RuleKey {
    type Err = ();

    fn from_str(name: &str) -> Result<RuleKey, ()> {
        RuleKey::ALL
            .into_iter()
            .find(|key| key.name() == name)
            .ok_or(())
    }
}

/// A value that an option does not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: expected {}", key.name(), key.allowed())]
pub struct BadValue {
    /// The option.
    pub key: RuleKey,
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

type Names<T> = &'static [(&'static str, T)];

const KO: Names<Ko> = &[
    ("simple", Ko::Simple),
    ("positional", Ko::Positional),
    ("situational", Ko::Situational),
    ("none", Ko::None),
];
const SCORING: Names<Scoring> = &[("area", Scoring::Area), ("territory", Scoring::Territory)];
const NUKE_ACTS: Names<NukeActs> = &[("next", NukeActs::Next), ("now", NukeActs::Now)];
const COLORS: Names<Color> = &[("white", Color::White), ("black", Color::Black)];
const STOICAL: Names<StoicalRule> = &[
    ("basic", StoicalRule::Basic),
    ("snapback", StoicalRule::Snapback),
    ("refined", StoicalRule::Refined),
];

fn name_of<T: PartialEq>(table: Names<T>, value: T) -> &'static str {
    table
        .iter()
        .find(|(_, v)| *v == value)
        .map_or("", |(name, _)| name)
}

fn value_of<T: Copy>(table: Names<T>, name: &str) -> Option<T> {
    table
        .iter()
        .find(|(n, _)| *n == name)
        .map(|(_, value)| *value)
}

fn names<T>(table: Names<T>) -> String {
    let all: Vec<_> = table.iter().map(|(name, _)| *name).collect();
    all.join(", ")
}

/// A number written in digits only.
fn digits(text: &str) -> Option<u16> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}
