//! A line as a query or an action.

use super::AnalysisSettings;
use super::fields::{Fault, QueryError, turn_numbers};
use super::query::Query;
use crate::gtp::request::MAX_LINE;
use serde_json::{Map, Value};

/// What a line asks for.
#[derive(Debug)]
pub enum Request {
    /// Positions to search.
    Query(Box<Query>),
    /// Something else; the object is the answer, once the action has added to it.
    Action(Action, Map<String, Value>),
}

/// What a line asks for besides positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Which program and version this is.
    QueryVersion,
    /// Which nets there are.
    QueryModels,
    /// To forget what was searched.
    ClearCache,
    /// To end queries.
    Terminate(Selection),
}

/// Which positions an action is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The query; any if none.
    pub id: Option<String>,
    /// The turns; all if none.
    pub turns: Option<Vec<usize>>,
}

impl Selection {
    /// Whether it is about this turn of this query.
    pub fn includes(&self, id: &str, turn: usize) -> bool {
        let is_query = self.id.as_ref().is_none_or(|own| own == id);
        is_query && self.turns.as_ref().is_none_or(|all| all.contains(&turn))
    }
}

/// A line that is no request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// It has too many bytes.
    #[error("the line is longer than {MAX_LINE} bytes")]
    TooLong,
    /// It is no JSON.
    #[error("not a line of JSON: {0}")]
    Json(String),
    /// It is JSON, but no object.
    #[error("not a JSON object")]
    NoObject,
    /// A field is wrong.
    #[error("{error}")]
    Query {
        /// The client's name for the query, if it has one.
        id: Option<String>,
        /// What is wrong.
        error: QueryError,
    },
}

/// Reads a line; none if it is blank.
///
/// # Errors
/// What is wrong with it.
pub fn parse(line: &[u8], settings: &AnalysisSettings) -> Result<Option<Request>, RequestError> {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() > MAX_LINE {
        return Err(RequestError::TooLong);
    }
    let value: Value =
        serde_json::from_slice(line).map_err(|error| RequestError::Json(error.to_string()))?;
    let Value::Object(object) = value else {
        return Err(RequestError::NoObject);
    };
    let Some(id) = object.get("id").and_then(Value::as_str).map(str::to_owned) else {
        let error = Fault::Missing("a text").of("id");
        return Err(RequestError::Query { id: None, error });
    };
    let of_query = |error| RequestError::Query { id: Some(id.clone()), error };
    if object.contains_key("action") {
        let action = action(&object).map_err(of_query)?;
        return Ok(Some(Request::Action(action, object)));
    }
    let query = Query::parse(&id, &object, settings).map_err(of_query)?;
    Ok(Some(Request::Query(Box::new(query))))
}

/// The names of the actions.
pub const ACTIONS: &[&str] =
    &["query_version", "query_models", "clear_cache", "terminate", "terminate_all"];

fn action(object: &Map<String, Value>) -> Result<Action, QueryError> {
    let name = object.get("action").and_then(Value::as_str);
    Ok(match name {
        Some("query_version") => Action::QueryVersion,
        Some("query_models") => Action::QueryModels,
        Some("clear_cache") => Action::ClearCache,
        Some("terminate") => {
            let id = object.get("terminateId").and_then(Value::as_str);
            let id = id.ok_or(Fault::Missing("the id of a query").of("terminateId"))?;
            Action::Terminate(Selection {
                id: Some(id.to_owned()),
                turns: turn_numbers(object, "turnNumbers")?,
            })
        }
        Some("terminate_all") => {
            Action::Terminate(Selection { id: None, turns: turn_numbers(object, "turnNumbers")? })
        }
        _ => {
            let names = format!("one of {}", ACTIONS.join(", "));
            return Err(Fault::Expected(names).of("action"));
        }
    })
}
