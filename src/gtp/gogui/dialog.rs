//! Dialogs of parameters: a line for each with its type, name and value.

use crate::gtp::params::{self, PARAMS, ParamError, Values};
use crate::gtp::{Failure, Session, Settings};
use crate::rules::RuleKey;
use std::fmt::Write;

/// Parameters that a dialog leaves out, because client and engine must agree
/// about them from the start.
const FIXED: &[&str] = &["encoding"];

/// The dialog of the session's parameters.
pub fn search(settings: &Settings) -> String {
    let mut text = String::new();
    for param in PARAMS.iter().filter(|param| !FIXED.contains(&param.name)) {
        let value = params::get(settings, param.name).unwrap_or_default();
        let (kind, value) = match param.values {
            Values::Flag => ("bool".to_owned(), u8::from(value == true).to_string()),
            Values::Choice(words) => (list(words), params::plain(&value)),
            Values::Whole(..) | Values::Number(..) => ("string".to_owned(), params::plain(&value)),
        };
        let _ = writeln!(text, "[{kind}] {} {value}", param.name);
    }
    text
}

/// Sets a parameter as its dialog does.
///
/// # Errors
/// [`ParamError`]; nothing is changed.
pub fn set_search(settings: &mut Settings, name: &str, value: &str) -> Result<(), ParamError> {
    if FIXED.contains(&name) {
        return Err(ParamError::Unknown);
    }
    let value = match (params::values(name), value) {
        (Some(Values::Flag), "1") => "true",
        (Some(Values::Flag), "0") => "false",
        _ => value,
    };
    params::set(settings, name, value)
}

/// The rule options that can change while stones stand on the board.
fn changeable(session: &Session) -> impl Iterator<Item = RuleKey> + '_ {
    let keys = session.game().info().keys.iter().copied();
    keys.filter(|&key| key != RuleKey::Layers)
}

/// The dialog of the rule options.
pub fn rules(session: &Session) -> String {
    let mut text = String::new();
    for key in changeable(session) {
        let allowed = key.allowed();
        let words: Vec<_> = allowed.split(", ").collect();
        let are_words = words.len() > 1 && words.iter().all(|word| !word.contains(' '));
        let kind = match are_words {
            true => list(&words),
            false => "string".to_owned(),
        };
        let value = session.game().rules().get(key);
        let _ = writeln!(text, "[{kind}] {} {value}", key.name());
    }
    text
}

/// Changes a rule option of the game under way.
///
/// # Errors
/// [`Failure::UnknownRule`], [`Failure::BadValue`], or [`Failure::IllegalMove`]
/// if a turn of the game would have been illegal.
pub fn set_rule(session: &mut Session, name: &str, value: &str) -> Result<(), Failure> {
    let key = changeable(session).find(|key| key.name() == name);
    let key = key.ok_or(Failure::UnknownRule)?;
    let mut changed = *session.game().rules();
    changed.set(key, value).map_err(|_| Failure::BadValue)?;
    session.change_rules(|rules| *rules = changed)
}

fn list<S: AsRef<str>>(words: &[S]) -> String {
    let words = words.iter().map(|word| format!("/{}", word.as_ref()));
    format!("list{}", words.collect::<String>())
}
