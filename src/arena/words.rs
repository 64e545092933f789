//! Values of a match file. Each is read as the word that its option takes, so a number may be
//! written as a text, and a list or a table as words.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;
use toml::Value;

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        // The name of a type is not a valid value.
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => value.type_str().to_owned(),
    }
}

pub fn read<'d, D: Deserializer<'d>, T, E: Display>(
    from: D,
    parse: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error> {
    let word = word(&Value::deserialize(from)?);
    parse(&word).map_err(|error| D::Error::custom(format_args!("'{word}': {error}")))
}

pub fn one<'d, D: Deserializer<'d>, T: FromStr<Err: Display>>(from: D) -> Result<T, D::Error> {
    read(from, T::from_str)
}

pub fn some<'d, D: Deserializer<'d>, T: FromStr<Err: Display>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    one(from).map(Some)
}

/// A table has words such as `ko=simple`.
pub fn list<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Array(values) => values.iter().map(word).collect(),
        Value::Table(table) => {
            table.iter().map(|(name, value)| format!("{name}={}", word(value))).collect()
        }
        value => vec![word(&value)],
    })
}

pub fn joined<'d, D: Deserializer<'d>>(from: D) -> Result<Option<String>, D::Error> {
    list(from).map(|words| Some(words.join(",")))
}

/// A whole number from `LOW` to `HIGH`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Within<const LOW: u64, const HIGH: u64>(pub u64);

impl<const LOW: u64, const HIGH: u64> FromStr for Within<LOW, HIGH> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.parse().ok().filter(|number| (LOW..=HIGH).contains(number));
        number.map(Self).ok_or_else(|| format!("expected a whole number, {LOW} to {HIGH}"))
    }
}

/// Points of a lead.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Points(pub f64);

impl FromStr for Points {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Points, &'static str> {
        let number = text.parse().ok().filter(|points: &f64| (0.0..=1e4).contains(points));
        number.map(Points).ok_or("expected points, 0 to 10000")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(into = "f64")]
pub struct Seconds(pub Duration);

impl From<Seconds> for f64 {
    fn from(seconds: Seconds) -> f64 {
        seconds.0.as_secs_f64()
    }
}

impl FromStr for Seconds {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Seconds, &'static str> {
        let number = text.parse().ok().filter(|&seconds: &f64| seconds <= 1e8);
        let duration = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        duration.map(Seconds).ok_or("expected seconds, 0 to 100000000")
    }
}
