//! The fields of a query as its JSON object has them.

use super::request::RequestError;
use super::settings::Perspective;
use crate::board::Color;
use crate::playing::params::plain;
use crate::rules::{VARIANTS, VariantInfo, parse_color, to_komi, variant};
use serde::de::{DeserializeOwned, Error, IgnoredAny};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_path_to_error::Segment;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::time::Duration;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Given {
    #[serde(rename = "id")]
    _id: IgnoredAny,
    #[serde(deserialize_with = "variant_of_id")]
    pub variant: Option<&'static VariantInfo>,
    pub rules: Option<Value>,
    #[serde(deserialize_with = "komi")]
    pub komi: Option<f64>,
    #[serde(deserialize_with = "whole::<_, 2, 255>")]
    pub board_x_size: Option<i64>,
    #[serde(deserialize_with = "whole::<_, 2, 255>")]
    pub board_y_size: Option<i64>,
    pub blocks: Vec<String>,
    #[serde(deserialize_with = "pairs")]
    pub initial_stones: Option<Pairs>,
    #[serde(deserialize_with = "color")]
    pub initial_player: Option<Color>,
    #[serde(deserialize_with = "pairs")]
    pub moves: Option<Pairs>,
    #[serde(deserialize_with = "turn_numbers")]
    pub analyze_turns: Option<Vec<usize>>,
    #[serde(deserialize_with = "whole::<_, { -MAX_PRIORITY }, MAX_PRIORITY>")]
    pub priority: Option<i64>,
    #[serde(deserialize_with = "priorities")]
    pub priorities: Option<Vec<i64>>,
    #[serde(deserialize_with = "whole::<_, 1, MAX_VISITS>")]
    pub max_visits: Option<i64>,
    #[serde(rename = "analysisPVLen", deserialize_with = "whole::<_, 1, 1000>")]
    pub pv_length: Option<i64>,
    pub avoid_moves: Vec<MoveList>,
    pub allow_moves: Vec<MoveList>,
    pub include_ownership: bool,
    pub include_ownership_stdev: bool,
    pub include_moves_ownership: bool,
    pub include_moves_ownership_stdev: bool,
    pub include_policy: bool,
    #[serde(rename = "includePVVisits")]
    pub include_pv_visits: bool,
    pub include_state: bool,
    #[serde(deserialize_with = "seconds")]
    pub report_during_search_every: Option<Duration>,
    #[serde(deserialize_with = "seconds")]
    pub first_report_during_search_after: Option<Duration>,
    #[serde(deserialize_with = "temperature")]
    pub root_policy_temperature: Option<f32>,
    pub root_fpu_reduction_max: Option<IgnoredAny>,
    pub white_handicap_bonus: Option<Value>,
    pub override_settings: Overrides,
}

/// The settings of KataGo that have an effect.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Overrides {
    #[serde(deserialize_with = "from_one")]
    pub max_visits: Option<u64>,
    #[serde(deserialize_with = "from_one")]
    pub max_playouts: Option<u64>,
    #[serde(deserialize_with = "time")]
    pub max_time: Option<Duration>,
    #[serde(deserialize_with = "perspective")]
    pub report_analysis_winrates_as: Option<Perspective>,
    #[serde(deserialize_with = "temperature")]
    pub root_policy_temperature: Option<f32>,
    #[serde(deserialize_with = "noise")]
    pub wide_root_noise: Option<f32>,
    #[serde(rename = "analysisPVLen", deserialize_with = "from_one")]
    pub pv_length: Option<u64>,
}

/// Colours with turns or points in words.
pub type Pairs = Vec<(Color, String)>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveList {
    #[serde(deserialize_with = "player")]
    pub player: Color,
    pub moves: Vec<String>,
    pub until_depth: NonZeroU32,
}

/// Maximum of priorities, of either sign.
const MAX_PRIORITY: i64 = (1 << 62) - 1;

const MAX_VISITS: i64 = 1 << 50;

/// Reads an object. The error has the field, and the names of the fields within it.
pub fn read<T: DeserializeOwned>(object: &Value) -> Result<T, RequestError> {
    serde_path_to_error::deserialize(object).map_err(|error| {
        let mut names = error.path().iter().filter_map(|segment| match segment {
            Segment::Map { key } => Some(key),
            _ => None,
        });
        let field = names.next().cloned().unwrap_or_default();
        let inside: String = names.map(|name| format!("{name}: ")).collect();
        wrong(field, format!("{inside}{}", error.inner()))
    })
}

pub fn wrong(field: impl Into<String>, fault: impl ToString) -> RequestError {
    RequestError { id: None, field: Some(field.into()), fault: fault.to_string() }
}

pub fn missing(field: &str, what: &str) -> RequestError {
    wrong(field, format!("missing: expected {what}"))
}

/// The value has another type or is out of range.
pub fn expected(field: &str, what: &str) -> RequestError {
    wrong(field, format!("expected {what}"))
}

/// The value that `take` makes of JSON of a type; the error says `what` is expected.
fn taken<'de, D: Deserializer<'de>, T: Deserialize<'de>, U>(
    json: D,
    what: impl Display,
    take: impl FnOnce(T) -> Option<U>,
) -> Result<Option<U>, D::Error> {
    let value = T::deserialize(json).ok().and_then(take);
    value.map(Some).ok_or_else(|| D::Error::custom(format_args!("expected {what}")))
}

/// As [`taken`], from the text of any value.
fn parsed<'de, D: Deserializer<'de>, U>(
    json: D,
    what: &str,
    parse: impl FnOnce(&str) -> Option<U>,
) -> Result<Option<U>, D::Error> {
    taken(json, what, |value: Value| parse(plain(&value).trim()))
}

fn number(text: &str, range: RangeInclusive<f64>) -> Option<f64> {
    text.parse().ok().filter(|number| range.contains(number))
}

fn whole<'de, D: Deserializer<'de>, const LOW: i64, const HIGH: i64>(
    json: D,
) -> Result<Option<i64>, D::Error> {
    let what = format_args!("a whole number from {LOW} to {HIGH}");
    taken(json, what, |number: i64| (LOW..=HIGH).contains(&number).then_some(number))
}

fn from_one<'de, D: Deserializer<'de>>(json: D) -> Result<Option<u64>, D::Error> {
    parsed(json, "a whole number from 1", |text| text.parse().ok().filter(|&number| number > 0))
}

fn seconds<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Duration>, D::Error> {
    taken(json, "a number from 0.001 to 1000000", |seconds: f64| {
        (0.001..=1e6).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
    })
}

fn time<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Duration>, D::Error> {
    parsed(json, "seconds above 0", |text| {
        let seconds = number(text, f64::MIN_POSITIVE..=f64::INFINITY)?;
        Some(Duration::from_secs_f64(seconds.min(1e8)))
    })
}

fn temperature<'de, D: Deserializer<'de>>(json: D) -> Result<Option<f32>, D::Error> {
    parsed(json, "a number from 0.01 to 100", |text| Some(number(text, 0.01..=100.0)? as f32))
}

fn noise<'de, D: Deserializer<'de>>(json: D) -> Result<Option<f32>, D::Error> {
    parsed(json, "a number from 0 to 5", |text| Some(number(text, 0.0..=5.0)? as f32))
}

fn perspective<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Perspective>, D::Error> {
    parsed(json, "BLACK, WHITE or SIDETOMOVE", Perspective::parse)
}

fn color<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Color>, D::Error> {
    taken(json, "B or W", parse_color)
}

fn player<'de, D: Deserializer<'de>>(json: D) -> Result<Color, D::Error> {
    color(json)?.ok_or_else(|| D::Error::missing_field("player"))
}

fn komi<'de, D: Deserializer<'de>>(json: D) -> Result<Option<f64>, D::Error> {
    /// KataGo's, on either side.
    const MAX_KOMI: f64 = 150.0;
    taken(json, "a whole or half number from -150 to 150", |komi: f64| {
        let is_half = (2.0 * komi).fract() == 0.0 && komi.abs() <= MAX_KOMI;
        to_komi(komi).ok().filter(|_| is_half)
    })
}

fn variant_of_id<'de, D: Deserializer<'de>>(
    json: D,
) -> Result<Option<&'static VariantInfo>, D::Error> {
    let ids: Vec<_> = VARIANTS.iter().map(|info| info.id).collect();
    taken(json, format_args!("one of {}", ids.join(", ")), variant)
}

pub const PAIRS: &str = "a list of pairs such as [\"B\",\"D4\"]";

fn pairs<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Pairs>, D::Error> {
    taken(json, PAIRS, |pairs: Vec<(String, String)>| {
        pairs.into_iter().map(|(color, text)| Some((parse_color(&color)?, text))).collect()
    })
}

fn priorities<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Vec<i64>>, D::Error> {
    taken(json, "a list of whole numbers", |all: Vec<i64>| {
        all.iter().all(|number| number.abs_diff(0) <= MAX_PRIORITY as u64).then_some(all)
    })
}

pub fn turn_numbers<'de, D: Deserializer<'de>>(json: D) -> Result<Option<Vec<usize>>, D::Error> {
    taken(json, "a list of turn numbers", Some)
}
