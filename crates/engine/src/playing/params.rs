//! Parameters of the session and of the search, which clients and the command line set by name.

use super::{LiveGraphics, Settings};
use crate::encoding::Encoding;
use crate::search::{LEVELS, Param, ParamValues, SEARCH_PARAMS, shortest};
use crate::similar::similar;
use serde_json::Value;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    #[error("unknown parameter")]
    Unknown,
    /// The value has another type or is out of range.
    #[error("bad value: {0} takes {range}", range = expected(.0))]
    BadValue(&'static str),
}

/// Exact in every numeric type used here.
const MAX_INTEGER: f64 = 1e12;

const MAX_SECONDS: f64 = 1e8;

pub static PARAMS: &[Param<Settings>] = &[
    Param {
        name: "playouts",
        summary: "playouts per move; 0 means no limit",
        values: ParamValues::Whole(0.0, MAX_INTEGER),
        get: |settings| settings.playouts.unwrap_or(0) as f64,
        set: |settings, value| settings.playouts = Some(value as u64).filter(|&n| n > 0),
    },
    Param {
        name: "time",
        summary: "maximum seconds per move; with 0 the clock decides, or 1 second if neither a \
            clock nor playouts limit a move",
        values: ParamValues::Number(0.0, MAX_SECONDS),
        get: |settings| seconds(settings.time.unwrap_or_default()),
        set: |settings, value| settings.time = Some(duration(value)).filter(|t| !t.is_zero()),
    },
    Param {
        name: "level",
        summary: "level of the engine's own moves, from 1 (a beginner) to 10 (full strength); \
            levels below 10 have their own number of playouts",
        values: ParamValues::Whole(1.0, LEVELS as f64),
        get: |settings| f64::from(settings.level),
        set: |settings, value| settings.level = value as u8,
    },
    Param {
        name: "early_stop",
        summary: "whether to end a search as soon as the rest of its time or playouts cannot \
            change the move; the search still uses time that the clock would not save",
        values: ParamValues::Flag,
        get: |settings| flag(settings.early_stop),
        set: |settings, value| settings.early_stop = value != 0.0,
    },
    Param {
        name: "time_margin",
        summary: "seconds of each move in reserve for the communication with the client",
        values: ParamValues::Number(0.0, 60.0),
        get: |settings| seconds(settings.time_margin),
        set: |settings, value| settings.time_margin = duration(value),
    },
    Param {
        name: "ponder",
        summary: "whether to search on the opponent's time",
        values: ParamValues::Flag,
        get: |settings| flag(settings.ponder),
        set: |settings, value| settings.ponder = value != 0.0,
    },
    Param {
        name: "threads",
        summary: "number of search threads",
        values: ParamValues::Whole(1.0, 256.0),
        get: |settings| settings.threads as f64,
        set: |settings, value| settings.threads = value as usize,
    },
    Param {
        name: "memory",
        summary: "megabytes for the search tree",
        values: ParamValues::Whole(1.0, 1e6),
        get: |settings| settings.memory as f64,
        set: |settings, value| settings.memory = value as usize,
    },
    Param {
        name: "allow_resign",
        summary: "whether the engine may resign; it never resigns near the start of a game, or if \
            it wins the count of the board as it stands",
        values: ParamValues::Flag,
        get: |settings| flag(settings.resign.allowed),
        set: |settings, value| settings.resign.allowed = value != 0.0,
    },
    Param {
        name: "resign_threshold",
        summary: "win rate below which a turn counts as bad",
        values: ParamValues::Number(0.0, 1.0),
        get: |settings| shortest(settings.resign.threshold),
        set: |settings, value| settings.resign.threshold = value as f32,
    },
    Param {
        name: "resign_turns",
        summary: "number of consecutive bad turns before the engine resigns",
        values: ParamValues::Whole(1.0, 1000.0),
        get: |settings| f64::from(settings.resign.turns),
        set: |settings, value| settings.resign.turns = value as u32,
    },
    Param {
        name: "conservativePass",
        summary: "whether the engine answers a pass with a pass only if a first pass would be good \
            too; with false, also if it wins the count",
        values: ParamValues::Flag,
        get: |settings| flag(settings.conservative_pass),
        set: |settings, value| settings.conservative_pass = value != 0.0,
    },
    Param {
        name: "analysis_moves",
        summary: "maximum number of moves in an analysis without `maxmoves`",
        values: ParamValues::Whole(1.0, 1000.0),
        get: |settings| settings.analysis_moves as f64,
        set: |settings, value| settings.analysis_moves = value as usize,
    },
    Param {
        name: "live_graphics",
        summary: "live graphics for GoGui during a search",
        values: LiveGraphics::NAMES,
        get: |settings| settings.live_graphics as u8 as f64,
        set: |settings, value| {
            settings.live_graphics =
                LiveGraphics::ALL.get(value as usize).copied().unwrap_or_default();
        },
    },
    Param {
        name: "encoding",
        summary: "how one vertex expresses turns other than stones",
        values: ParamValues::Choice(&Encoding::NAMES),
        get: |settings| settings.encoding as u8 as f64,
        set: |settings, value| {
            settings.encoding = Encoding::ALL.get(value as usize).copied().unwrap_or_default();
        },
    },
];

fn flag(value: bool) -> f64 {
    f64::from(u8::from(value))
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

pub fn all() -> impl Iterator<Item = (&'static str, ParamValues)> {
    let mut all: Vec<_> = PARAMS.iter().map(|param| (param.name, param.values)).collect();
    all.extend(SEARCH_PARAMS.iter().map(|param| (param.name, param.values)));
    all.into_iter()
}

pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|(name, _)| name)
}

pub fn values(name: &str) -> Option<ParamValues> {
    all().find(|&(known, _)| known == name).map(|(_, values)| values)
}

/// The error in words of a name that no parameter has.
pub fn unknown(name: &str) -> String {
    const LENGTH: usize = 40;
    let hint = match name {
        "use_policy" => Some("; baseline, the player without a net, has no policy".to_owned()),
        _ => similar(name, names()).map(|name| format!("; did you mean {name}?")),
    };
    let name: String = name.chars().take(LENGTH).collect();
    format!("{}: '{name}'{}", ParamError::Unknown, hint.unwrap_or_default())
}

/// Whether a parameter is one of the session, not of the search.
pub fn is_of_session(name: &str) -> bool {
    find(PARAMS, name).is_some()
}

fn find<S>(params: &'static [Param<S>], name: &str) -> Option<&'static Param<S>> {
    params.iter().find(|param| param.name == name)
}

fn to_json<S>(param: &Param<S>, settings: &S) -> Value {
    let value = (param.get)(settings);
    match param.values {
        ParamValues::Flag => Value::Bool(value != 0.0),
        ParamValues::Whole(..) => Value::from(value as u64),
        ParamValues::Number(..) => Value::from(value),
        ParamValues::Choice(_) | ParamValues::Kernels => param.values.word(value).into(),
    }
}

pub fn get(settings: &Settings, name: &str) -> Result<Value, ParamError> {
    let of_session = find(PARAMS, name).map(|param| to_json(param, settings));
    let of_search = || Some(to_json(find(SEARCH_PARAMS, name)?, &settings.search_params));
    of_session.or_else(of_search).ok_or(ParamError::Unknown)
}

pub fn object(settings: &Settings) -> Value {
    let entry = |name: &str| Some((name.to_owned(), get(settings, name).ok()?));
    Value::Object(names().filter_map(entry).collect())
}

/// A value without quotes.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Parses a value and sets a parameter. An error changes nothing.
pub fn set(settings: &mut Settings, name: &str, text: &str) -> Result<(), ParamError> {
    fn assign<S>(param: &Param<S>, settings: &mut S, text: &str) -> Result<(), ParamError> {
        let value = param.values.parse(text).ok_or(ParamError::BadValue(param.name))?;
        (param.set)(settings, value);
        Ok(())
    }
    if let Some(param) = find(PARAMS, name) {
        return assign(param, settings, text);
    }
    let param = find(SEARCH_PARAMS, name).ok_or(ParamError::Unknown)?;
    assign(param, &mut settings.search_params, text)
}

fn expected(name: &str) -> String {
    values(name).map(ParamValues::in_words).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn values_survive_a_round_trip() {
        let mut settings = Settings::default();
        let all_names: BTreeSet<_> = names().collect();
        assert_eq!(all_names.len(), PARAMS.len() + SEARCH_PARAMS.len(), "a name twice");
        let before = object(&settings);
        for name in names() {
            let value = plain(&get(&settings, name).expect("a known name"));
            assert_eq!(set(&mut settings, name, &value), Ok(()), "{name} {value}");
            assert_eq!(object(&settings), before, "{name} {value}");
        }
    }

    #[test]
    fn ranges_include_their_ends() {
        let mut settings = Settings::default();
        for (name, values) in all() {
            let (ParamValues::Whole(low, high) | ParamValues::Number(low, high)) = values else {
                continue;
            };
            for end in [low, high] {
                assert_eq!(set(&mut settings, name, &end.to_string()), Ok(()), "{name} {end}");
            }
            for beyond in [low - 1.0, high * 2.0 + 1.0] {
                let refused = set(&mut settings, name, &beyond.to_string());
                assert_eq!(refused, Err(ParamError::BadValue(name)), "{name} {beyond}");
            }
        }
    }
}
