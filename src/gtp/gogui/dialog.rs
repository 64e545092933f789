//! Dialogs: a line for each parameter or rule, with type, name and value.

use crate::gtp::{Failure, Session, Settings};
use crate::playing::params::{self, PARAMS, ParamError};
use crate::rules::RuleKey;
use crate::search::ParamValues as Values;
use std::fmt::Write;

/// Client and engine must agree about these from the start.
const EXCLUDED: &[&str] = &["encoding"];

pub fn params_dialog(settings: &Settings) -> String {
    let mut text = String::new();
    for param in PARAMS.iter().filter(|param| !EXCLUDED.contains(&param.name)) {
        let value = params::get(settings, param.name).unwrap_or_default();
        let (kind, value) = match param.values {
            Values::Flag => ("bool".to_owned(), u8::from(value == true).to_string()),
            Values::Choice(words) => (choice(words), params::plain(&value)),
            _ => ("string".to_owned(), params::plain(&value)),
        };
        let _ = writeln!(text, "[{kind}] {} {value}", param.name);
    }
    text
}

/// Sets a parameter; flags are `1` and `0`.
pub fn set_param(settings: &mut Settings, name: &str, value: &str) -> Result<(), ParamError> {
    if EXCLUDED.contains(&name) {
        return Err(ParamError::Unknown);
    }
    let value = match (params::values(name), value) {
        (Some(Values::Flag), "1") => "true",
        (Some(Values::Flag), "0") => "false",
        _ => value,
    };
    params::set(settings, name, value)
}

fn changeable_rules(session: &Session) -> impl Iterator<Item = RuleKey> + '_ {
    let keys = session.game().info().keys.iter().copied();
    keys.filter(|key| !key.shapes_board())
}

pub fn rules_dialog(session: &Session) -> String {
    let mut text = String::new();
    for key in changeable_rules(session) {
        let allowed = key.allowed();
        let words: Vec<_> = allowed.split(", ").collect();
        let are_words = words.len() > 1 && words.iter().all(|word| !word.contains(' '));
        let kind = if are_words { choice(&words) } else { "string".to_owned() };
        let value = session.game().rules().get(key);
        let _ = writeln!(text, "[{kind}] {} {value}", key.name());
    }
    text
}

pub fn set_rule(session: &mut Session, name: &str, value: &str) -> Result<(), Failure> {
    let key =
        changeable_rules(session).find(|key| key.name() == name).ok_or(Failure::UnknownRule)?;
    let mut changed = *session.game().rules();
    changed.set(key, value).map_err(|_| Failure::BadValue)?;
    session.change_rules(|rules| *rules = changed)
}

fn choice<S: AsRef<str>>(words: &[S]) -> String {
    let words = words.iter().map(|word| format!("/{}", word.as_ref()));
    format!("list{}", words.collect::<String>())
}
