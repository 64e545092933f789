//! `overrideSettings`: settings of KataGo, and search parameters by their own names.

use super::fields::{QueryError, Warning, expected};
use super::query::Query;
use super::settings::Perspective;
use crate::playing::Settings;
use crate::playing::params::{self, ParamError};
use crate::search::SEARCH_PARAMS;
use serde_json::Value;
use std::ops::RangeInclusive;
use std::time::Duration;

const FIELD: &str = "overrideSettings";

type Setter = fn(&mut Query, &str) -> Option<()>;

/// The settings of KataGo that have an effect, with the accepted values in words.
static OVERRIDES: &[(&str, &str, Setter)] = &[
    ("maxVisits", "a whole number from 1", set_visits),
    ("maxPlayouts", "a whole number from 1", set_visits),
    ("maxTime", "seconds above 0", |query, text| {
        let seconds = number(text, f64::MIN_POSITIVE..=f64::INFINITY)?;
        query.max_time = Some(Duration::from_secs_f64(seconds.min(1e8)));
        Some(())
    }),
    ("reportAnalysisWinratesAs", "BLACK, WHITE or SIDETOMOVE", |query, text| {
        Perspective::parse(text).map(|side| query.perspective = side)
    }),
    ("rootPolicyTemperature", "a number from 0.01 to 100", |query, text| {
        number(text, 0.01..=100.0).map(|number| query.root_temperature = number as f32)
    }),
    ("wideRootNoise", "a number from 0 to 5", |query, text| {
        number(text, 0.0..=5.0).map(|number| query.wide_root_noise = number as f32)
    }),
    ("analysisPVLen", "a whole number from 1", |query, text| {
        whole(text).map(|length| query.pv_length = length.try_into().unwrap_or(usize::MAX))
    }),
];

fn set_visits(query: &mut Query, text: &str) -> Option<()> {
    whole(text).map(|visits| query.max_visits = visits)
}

#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    OVERRIDES.iter().map(|(name, ..)| *name)
}

fn number(text: &str, range: RangeInclusive<f64>) -> Option<f64> {
    text.parse().ok().filter(|number| range.contains(number))
}

fn whole(text: &str) -> Option<u64> {
    text.parse().ok().filter(|&number| number > 0)
}

/// Sets overridden settings and warns of unknown ones.
pub fn set(query: &mut Query, settings: &Settings, given: &Value) -> Result<(), QueryError> {
    let given = given.as_object().ok_or_else(|| expected(FIELD, "an object"))?;
    let mut unknown = Vec::new();
    let mut own = settings.clone();
    for (name, value) in given {
        let text = params::plain(value);
        if let Some((_, values, set)) = OVERRIDES.iter().find(|(known, ..)| known == name) {
            let done = set(query, text.trim());
            done.ok_or_else(|| expected(FIELD, &format!("{name}: {values}")))?;
        } else if SEARCH_PARAMS.iter().any(|param| param.name == name) {
            let set = params::set(&mut own, name, text.trim());
            set.map_err(|error: ParamError| expected(FIELD, &error.to_string()))?;
        } else {
            unknown.push(name.as_str());
        }
    }
    query.params = own.search_params;
    if !unknown.is_empty() {
        let text = format!("Unknown config params: {}", unknown.join(","));
        query.warnings.push(Warning::new(FIELD, text));
    }
    Ok(())
}
