//! The fields of a query as its JSON object has them.

use super::request::RequestError;
use super::settings::Perspective;
use crate::board::Color;
use crate::rules::{VARIANTS, VariantInfo, parse_color, to_komi, variant};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use serde_path_to_error::Segment;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::time::Duration;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct QueryFields {
    pub id: String,
    pub variant: Option<QueryVariant>,
    pub rules: Option<Value>,
    pub komi: Option<QueryKomi>,
    pub board_x_size: Option<Whole<2, 255>>,
    pub board_y_size: Option<Whole<2, 255>>,
    pub blocks: Vec<String>,
    pub initial_stones: Vec<(QueryColor, String)>,
    pub initial_player: Option<QueryColor>,
    pub moves: Option<Vec<(QueryColor, String)>>,
    pub analyze_turns: Option<Vec<usize>>,
    pub priority: Option<Priority>,
    pub priorities: Option<Vec<Priority>>,
    pub max_visits: Option<Visits>,
    #[serde(rename = "analysisPVLen")]
    pub analysis_pv_len: Option<Whole<1, 1000>>,
    pub avoid_moves: Vec<MoveList>,
    pub allow_moves: Vec<MoveList>,
    pub include_ownership: bool,
    pub include_ownership_stdev: bool,
    pub include_moves_ownership: bool,
    pub include_moves_ownership_stdev: bool,
    pub include_policy: bool,
    #[serde(rename = "includePVVisits")]
    pub include_pv_visits: bool,
    /// The position, as `kawari-state` shows it.
    pub include_state: bool,
    pub report_during_search_every: Option<Thousandths<1, 1_000_000_000>>,
    pub first_report_during_search_after: Option<Thousandths<1, 1_000_000_000>>,
    pub root_policy_temperature: Option<Temperature>,
    pub root_fpu_reduction_max: Option<Value>,
    pub white_handicap_bonus: Option<Value>,
    pub override_settings: Overrides,
    #[serde(flatten)]
    pub unknown: Map<String, Value>,
}

/// The settings of KataGo that have an effect.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Overrides {
    pub max_visits: Option<Visits>,
    pub max_playouts: Option<Visits>,
    pub max_time: Option<Thousandths<1, { i64::MAX }>>,
    pub report_analysis_winrates_as: Option<Perspective>,
    pub root_policy_temperature: Option<Temperature>,
    pub wide_root_noise: Option<Thousandths<0, 5000>>,
    #[serde(rename = "analysisPVLen")]
    pub analysis_pv_len: Option<Whole<1, { i64::MAX }>>,
    #[serde(flatten)]
    pub others: Map<String, Value>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveList {
    pub player: QueryColor,
    pub moves: Vec<String>,
    pub until_depth: NonZeroU32,
}

const MAX_PRIORITY: i64 = (1 << 62) - 1;

pub type Priority = Whole<{ -MAX_PRIORITY }, MAX_PRIORITY>;

pub type Visits = Whole<1, { 1 << 50 }>;

pub type Temperature = Thousandths<10, 100_000>;

/// A whole number within bounds.
#[derive(Clone, Copy, Debug)]
pub struct Whole<const LOW: i64, const HIGH: i64>(pub i64);

/// A number with bounds in thousandths.
#[derive(Clone, Copy, Debug)]
pub struct Thousandths<const LOW: i64, const HIGH: i64>(pub f64);

impl<const LOW: i64, const HIGH: i64> Thousandths<LOW, HIGH> {
    pub fn seconds(self) -> Duration {
        Duration::from_secs_f64(self.0)
    }
}

/// KataGo's: a whole or half number.
#[derive(Clone, Copy, Debug)]
pub struct QueryKomi(pub f64);

#[derive(Clone, Copy, Debug)]
pub struct QueryColor(pub Color);

#[derive(Clone, Copy, Debug)]
pub struct QueryVariant(pub &'static VariantInfo);

/// The result of `take` for JSON of a type; the error names `what` is expected.
pub fn taken<'de, D: Deserializer<'de>, T: Deserialize<'de>, U>(
    json: D,
    what: impl Display,
    take: impl FnOnce(T) -> Option<U>,
) -> Result<U, D::Error> {
    let value = T::deserialize(json).ok().and_then(take);
    value.ok_or_else(|| D::Error::custom(format_args!("expected {what}")))
}

impl<'de, const LOW: i64, const HIGH: i64> Deserialize<'de> for Whole<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let what = format_args!("a whole number from {LOW} to {HIGH}");
        taken(json, what, |n| (LOW..=HIGH).contains(&n).then_some(Whole(n)))
    }
}

impl<'de, const LOW: i64, const HIGH: i64> Deserialize<'de> for Thousandths<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let [low, high] = [LOW, HIGH].map(|bound| bound as f64 / 1000.0);
        let what = format_args!("a number from {low} to {high}");
        taken(json, what, |n| (low..=high).contains(&n).then_some(Thousandths(n)))
    }
}

impl<'de> Deserialize<'de> for QueryKomi {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        taken(json, "a whole or half number from -150 to 150", |komi: f64| {
            let is_half = (2.0 * komi).fract() == 0.0 && komi.abs() <= 150.0;
            to_komi(komi).ok().filter(|_| is_half).map(QueryKomi)
        })
    }
}

impl<'de> Deserialize<'de> for QueryColor {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        taken(json, "B or W", |text: String| parse_color(&text).map(QueryColor))
    }
}

impl<'de> Deserialize<'de> for QueryVariant {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let ids: Vec<_> = VARIANTS.iter().map(|info| info.id).collect();
        let what = format!("one of {}", ids.join(", "));
        taken(json, what, |id: String| variant(&id).map(QueryVariant))
    }
}

impl<'de> Deserialize<'de> for Perspective {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        taken(json, "BLACK, WHITE or SIDETOMOVE", |text: String| Perspective::parse(text.trim()))
    }
}

/// Reads an object. The error has the field, and the names of the fields within it.
pub fn read<T: DeserializeOwned>(object: &Value) -> Result<T, RequestError> {
    serde_path_to_error::deserialize(object).map_err(|error| {
        let mut names = error.path().iter().filter_map(|segment| match segment {
            Segment::Map { key } => Some(key.as_str()),
            _ => None,
        });
        let field = names.next().unwrap_or_default();
        let inside: String = names.map(|name| format!("{name}: ")).collect();
        wrong(field, format!("{inside}{}", error.inner()))
    })
}

pub fn wrong(field: &str, fault: impl ToString) -> RequestError {
    RequestError { id: None, field: Some(field.to_owned()), fault: fault.to_string() }
}

pub fn missing(field: &str, what: &str) -> RequestError {
    wrong(field, format!("missing: expected {what}"))
}

/// The value has another type or is out of range.
pub fn expected(field: &str, what: &str) -> RequestError {
    wrong(field, format!("expected {what}"))
}
