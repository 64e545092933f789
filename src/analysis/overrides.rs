//! `overrideSettings`: settings of KataGo that mean something here, and search parameters by
//! their own names.

use super::answer::Perspective;
use super::fields::{QueryError, expected};
use super::query::{Query, Warning};
use crate::gtp::params;
use crate::gtp::{Settings, params::ParamError};
use crate::search::SEARCH_PARAMS;
use serde_json::{Map, Value};
use std::time::Duration;

const FIELD: &str = "overrideSettings";

/// A setting of KataGo.
struct Override {
    name: &'static str,
    /// What it takes.
    values: &'static str,
    set: fn(&mut Query, &str) -> Option<()>,
}

/// The settings of KataGo that are obeyed.
static OVERRIDES: &[Override] = &[
    Override {
        name: "maxVisits",
        values: "a whole number from 1",
        set: |query, text| set_whole(&mut query.max_visits, text),
    },
    Override {
        name: "maxPlayouts",
        values: "a whole number from 1",
        set: |query, text| set_whole(&mut query.max_visits, text),
    },
    Override {
        name: "maxTime",
        values: "seconds above 0",
        set: |query, text| {
            let seconds = number(text).filter(|&seconds| seconds > 0.0)?;
            query.max_time = Some(Duration::from_secs_f64(seconds.min(1e8)));
            Some(())
        },
    },
    Override {
        name: "reportAnalysisWinratesAs",
        values: "BLACK, WHITE or SIDETOMOVE",
        set: |query, text| {
            query.perspective = Perspective::parse(text)?;
            Some(())
        },
    },
    Override {
        name: "rootPolicyTemperature",
        values: "a number from 0.01 to 100",
        set: |query, text| {
            query.root_temperature = number(text).filter(|t| (0.01..=100.0).contains(t))? as f32;
            Some(())
        },
    },
    Override {
        name: "wideRootNoise",
        values: "a number from 0 to 5",
        set: |query, text| {
            query.wide_root_noise = number(text).filter(|n| (0.0..=5.0).contains(n))? as f32;
            Some(())
        },
    },
    Override {
        name: "analysisPVLen",
        values: "a whole number from 1",
        set: |query, text| {
            let length = text.parse().ok().filter(|&length: &usize| length > 0)?;
            query.pv_length = length;
            Some(())
        },
    },
];

/// The names of KataGo's settings that are obeyed.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = &'static str> {
    OVERRIDES.iter().map(|setting| setting.name)
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

fn set_whole(field: &mut u64, text: &str) -> Option<()> {
    *field = text.parse().ok().filter(|&number: &u64| number > 0)?;
    Some(())
}

/// Sets what the query overrides.
///
/// # Errors
/// A setting with a value that it does not take. Unknown settings are warned of.
pub fn set(
    query: &mut Query,
    settings: &Settings,
    given: &Map<String, Value>,
) -> Result<(), QueryError> {
    let mut unknown = Vec::new();
    let mut own = settings.clone();
    for (name, value) in given {
        let text = params::plain(value);
        if let Some(setting) = OVERRIDES.iter().find(|setting| setting.name == name) {
            let set = (setting.set)(query, text.trim());
            set.ok_or_else(|| expected(FIELD, format!("{name}: {}", setting.values)))?;
        } else if SEARCH_PARAMS.iter().any(|param| param.name == name) {
            params::set(&mut own, name, text.trim()).map_err(|error| match error {
                ParamError::BadValue(_) => expected(FIELD, error.to_string()),
                ParamError::Unknown => expected(FIELD, name.as_str()),
            })?;
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
