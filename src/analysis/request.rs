//! A line as a query or an action.

use super::fields::{Fields, QueryError, expected, missing};
use super::query::Query;
use super::settings::AnalysisSettings;
use crate::inbox::MAX_LINE;
use serde_json::{Map, Value};

#[derive(Debug)]
pub enum Request {
    Query(Box<Query>),
    /// The object becomes the answer.
    Action(Action, Map<String, Value>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    QueryVersion,
    QueryModels,
    ClearCache,
    Terminate(Selection),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Any query if `None`.
    pub id: Option<String>,
    /// All turns if `None`.
    pub turns: Option<Vec<usize>>,
}

impl Selection {
    pub fn includes(&self, id: &str, turn: usize) -> bool {
        let is_query = self.id.as_ref().is_none_or(|own| own == id);
        is_query && self.turns.as_ref().is_none_or(|all| all.contains(&turn))
    }
}

/// The error of a line, with the query and its field if they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct RequestError {
    pub id: Option<String>,
    pub field: Option<&'static str>,
    pub fault: String,
}

/// `None` for a blank line.
pub fn parse(line: &[u8], settings: &AnalysisSettings) -> Result<Option<Request>, RequestError> {
    let line = line.trim_ascii();
    let fault = |fault| Err(RequestError { fault, ..RequestError::default() });
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() > MAX_LINE {
        return fault(format!("the line is longer than {MAX_LINE} bytes"));
    }
    let object = match serde_json::from_slice(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return fault("not a JSON object".to_owned()),
        Err(error) => return fault(format!("not valid JSON: {error}")),
    };
    let id = object.get("id").and_then(Value::as_str).map(str::to_owned);
    let of_query = |QueryError { field, fault }| {
        let id = id.clone();
        RequestError { id, field: Some(field), fault }
    };
    let Some(name) = &id else {
        return Err(of_query(missing("id", "a text")));
    };
    if object.contains_key("action") {
        let action = action(&object).map_err(of_query)?;
        return Ok(Some(Request::Action(action, object)));
    }
    let query = Query::parse(name, &object, settings).map_err(of_query)?;
    Ok(Some(Request::Query(Box::new(query))))
}

pub const ACTIONS: &[&str] =
    &["query_version", "query_models", "clear_cache", "terminate", "terminate_all"];

fn action(object: &Map<String, Value>) -> Result<Action, QueryError> {
    let text = |field: &str| object.get(field).and_then(Value::as_str);
    let turns = || Fields(object).turn_numbers("turnNumbers");
    Ok(match text("action") {
        Some("query_version") => Action::QueryVersion,
        Some("query_models") => Action::QueryModels,
        Some("clear_cache") => Action::ClearCache,
        Some("terminate") => {
            let id = text("terminateId");
            let id = id.ok_or_else(|| missing("terminateId", "the id of a query"))?;
            Action::Terminate(Selection { id: Some(id.to_owned()), turns: turns()? })
        }
        Some("terminate_all") => Action::Terminate(Selection { id: None, turns: turns()? }),
        _ => return Err(expected("action", &format!("one of {}", ACTIONS.join(", ")))),
    })
}
