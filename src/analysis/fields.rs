//! Fields of a JSON object, and their errors.

use serde::Deserialize;
use serde_json::{Map, Value};
use std::ops::RangeInclusive;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct QueryError {
    pub field: &'static str,
    pub fault: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub field: String,
    pub text: String,
}

impl Warning {
    pub fn new(field: impl Into<String>, text: impl Into<String>) -> Warning {
        Warning { field: field.into(), text: text.into() }
    }
}

pub fn wrong(field: &'static str, fault: impl ToString) -> QueryError {
    QueryError { field, fault: fault.to_string() }
}

pub fn missing(field: &'static str, what: &str) -> QueryError {
    wrong(field, format!("missing: expected {what}"))
}

/// The value has another type or is out of range.
pub fn expected(field: &'static str, what: &str) -> QueryError {
    wrong(field, format!("expected {what}"))
}

#[derive(Clone, Copy)]
pub struct Fields<'v>(pub &'v Map<String, Value>);

impl<'v> Fields<'v> {
    /// The value of a field that takes `what`.
    pub fn get<T: Deserialize<'v>>(
        self,
        field: &'static str,
        what: &str,
    ) -> Result<Option<T>, QueryError> {
        let value = self.0.get(field).map(T::deserialize).transpose();
        value.map_err(|_| expected(field, what))
    }

    /// The value that `read` makes of a field.
    pub fn read<T: Deserialize<'v>, U>(
        self,
        field: &'static str,
        what: &str,
        read: impl FnOnce(T) -> Option<U>,
    ) -> Result<Option<U>, QueryError> {
        let value = self.get(field, what)?;
        value.map(|value| read(value).ok_or_else(|| expected(field, what))).transpose()
    }

    /// `false` without the field.
    pub fn flag(self, field: &'static str) -> Result<bool, QueryError> {
        Ok(self.get(field, "true or false")?.unwrap_or(false))
    }

    pub fn whole(
        self,
        field: &'static str,
        range: RangeInclusive<i64>,
    ) -> Result<Option<i64>, QueryError> {
        let what = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(field, &what, |number| range.contains(&number).then_some(number))
    }

    pub fn number(
        self,
        field: &'static str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, QueryError> {
        let what = format!("a number from {} to {}", range.start(), range.end());
        self.read(field, &what, |number| range.contains(&number).then_some(number))
    }

    pub fn seconds(self, field: &'static str) -> Result<Option<Duration>, QueryError> {
        Ok(self.number(field, 0.001..=1e6)?.map(Duration::from_secs_f64))
    }

    pub fn turn_numbers(self, field: &'static str) -> Result<Option<Vec<usize>>, QueryError> {
        self.get(field, "a list of turn numbers")
    }
}
