//! A line as a query or an action.

use super::fields::{expected, missing, read, taken};
use super::query::Query;
use super::settings::AnalysisSettings;
use crate::inbox::MAX_LINE;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

#[derive(Debug)]
pub enum Request {
    Query(Box<Query>),
    /// The object becomes the answer.
    Action(Action, Value),
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{fault}")]
pub struct RequestError {
    #[serde(rename = "error")]
    pub fault: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
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
    let object: Value = match serde_json::from_slice(line) {
        Ok(object @ Value::Object(_)) => object,
        Ok(_) => return fault("not a JSON object".to_owned()),
        Err(error) => return fault(format!("not valid JSON: {error}")),
    };
    let id = match object.get("id") {
        Some(Value::String(id)) => id.to_owned(),
        Some(_) => return Err(expected("id", "a text")),
        None => return Err(missing("id", "a text")),
    };
    let request = match object.get("action") {
        Some(_) => action(&object).map(|action| Request::Action(action, object)),
        None => Query::parse(&object, settings).map(|query| Request::Query(query.into())),
    };
    request.map(Some).map_err(|error| RequestError { id: Some(id), ..error })
}

#[derive(Clone, Copy)]
pub enum ActionName {
    QueryVersion,
    QueryModels,
    ClearCache,
    Terminate,
    TerminateAll,
}

const ACTIONS: [(&str, ActionName); 5] = [
    ("query_version", ActionName::QueryVersion),
    ("query_models", ActionName::QueryModels),
    ("clear_cache", ActionName::ClearCache),
    ("terminate", ActionName::Terminate),
    ("terminate_all", ActionName::TerminateAll),
];

impl<'de> Deserialize<'de> for ActionName {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        let names = ACTIONS.map(|(name, _)| format!("`{name}`")).join(", ");
        taken(json, format_args!("one of {names}"), |word: String| {
            ACTIONS.iter().find(|(name, _)| *name == word).map(|&(_, action)| action)
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GivenAction {
    action: ActionName,
    terminate_id: Option<String>,
    turn_numbers: Option<Vec<usize>>,
}

fn action(object: &Value) -> Result<Action, RequestError> {
    let GivenAction { action, terminate_id: id, turn_numbers: turns } = read(object)?;
    Ok(match action {
        ActionName::QueryVersion => Action::QueryVersion,
        ActionName::QueryModels => Action::QueryModels,
        ActionName::ClearCache => Action::ClearCache,
        ActionName::Terminate if id.is_none() => {
            return Err(missing("terminateId", "the id of a query"));
        }
        ActionName::Terminate => Action::Terminate(Selection { id, turns }),
        ActionName::TerminateAll => Action::Terminate(Selection { id: None, turns }),
    })
}
