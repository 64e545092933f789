//! Typed values of a JSON object, and what is wrong with one.

use crate::rules::{Illegal, SetupError, UnknownRule};
use serde_json::{Map, Value};
use std::time::Duration;

/// A field that is no good.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct QueryError {
    /// The name of the field.
    pub field: &'static str,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("missing: expected {0}")]
    Missing(&'static str),
    /// Its value is of another type, or out of range.
    #[error("expected {0}")]
    Expected(String),
    /// A text that is no turn of the game.
    #[error("no turn: {0}")]
    NoTurn(String),
    /// A turn that the rules forbid. KaTrain looks for the first words.
    #[error("Illegal move {number}: {turn} ({reason})")]
    IllegalMove {
        /// How many moves come before it.
        number: usize,
        /// The turn as the query has it.
        turn: String,
        /// The rule that forbids it.
        reason: Illegal,
    },
    /// A rule that the variant lacks.
    #[error(transparent)]
    UnknownRule(#[from] UnknownRule),
    /// The game cannot start so.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl Fault {
    /// The fault of this field.
    pub fn of(self, field: &'static str) -> QueryError {
        QueryError { field, fault: self }
    }
}

/// A field whose value is not what it should be.
pub fn expected(field: &'static str, what: impl Into<String>) -> QueryError {
    Fault::Expected(what.into()).of(field)
}

/// The value of a field by `read`, which knows `what` it takes; none if there is no such field.
pub fn optional<'v, T>(
    object: &'v Map<String, Value>,
    field: &'static str,
    what: &str,
    read: impl FnOnce(&'v Value) -> Option<T>,
) -> Result<Option<T>, QueryError> {
    let value = object.get(field).map(read);
    match value {
        Some(None) => Err(expected(field, what)),
        Some(found) => Ok(found),
        None => Ok(None),
    }
}

/// Whether a field is true; false if there is none.
pub fn flag(object: &Map<String, Value>, field: &'static str) -> Result<bool, QueryError> {
    let value = optional(object, field, "true or false", Value::as_bool)?;
    Ok(value.unwrap_or(false))
}

/// A whole number of a range.
pub fn whole(
    object: &Map<String, Value>,
    field: &'static str,
    range: std::ops::RangeInclusive<i64>,
) -> Result<Option<i64>, QueryError> {
    let what = format!("a whole number from {} to {}", range.start(), range.end());
    let read = |value: &Value| value.as_i64().filter(|number| range.contains(number));
    optional(object, field, &what, read)
}

/// A number of a range.
pub fn number(
    object: &Map<String, Value>,
    field: &'static str,
    range: std::ops::RangeInclusive<f64>,
) -> Result<Option<f64>, QueryError> {
    let what = format!("a number from {} to {}", range.start(), range.end());
    let read = |value: &Value| value.as_f64().filter(|number| range.contains(number));
    optional(object, field, &what, read)
}

/// Seconds, at least a thousandth.
pub fn seconds(
    object: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<Duration>, QueryError> {
    let seconds = number(object, field, 0.001..=1e6)?;
    Ok(seconds.map(Duration::from_secs_f64))
}

/// A list of whole numbers, none below zero.
pub fn turn_numbers(
    object: &Map<String, Value>,
    field: &'static str,
) -> Result<Option<Vec<usize>>, QueryError> {
    let number = |value: &Value| usize::try_from(value.as_u64()?).ok();
    let read = |value: &Value| value.as_array()?.iter().map(number).collect();
    optional(object, field, "a list of turn numbers", read)
}
