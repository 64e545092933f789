//! Parameters that clients and the command line can set by name: those of the
//! session and those of the search.

use super::Settings;
use crate::encoding::Encoding;
use crate::gtp::gogui::search_graphics::LiveGraphics;
use crate::search::{LEVELS, ParamType, ParamValue, SEARCH_PARAMS};
use serde_json::{Map, Value};
use std::time::Duration;

/// Why a parameter cannot be read or set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// No parameter has this name.
    #[error("unknown parameter")]
    Unknown,
    /// The value of this parameter is of another type or out of range.
    #[error("bad value: {0} takes {range}", range = expected(.0))]
    BadValue(&'static str),
}

/// A parameter of the session.
pub struct Param {
    /// The name.
    pub name: &'static str,
    /// What the parameter does, in one line.
    pub summary: &'static str,
    /// The values it takes.
    pub values: Values,
    get: fn(&Settings) -> f64,
    set: fn(&mut Settings, f64),
}

/// The type and range of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// `true` or `false`.
    Flag,
    /// An integer in this range.
    Whole(f64, f64),
    /// A number in this range.
    Number(f64, f64),
    /// One of these words, stored as its index.
    Choice(&'static [&'static str]),
}

impl Values {
    /// Parses a value; words and flags become numbers.
    fn parse(self, text: &str) -> Option<f64> {
        match (self, text.to_ascii_lowercase().as_str()) {
            (Values::Flag, "true") => Some(1.0),
            (Values::Flag, "false") => Some(0.0),
            (Values::Flag, _) => None,
            (Values::Whole(low, high), text) => {
                let digits = text.bytes().all(|byte| byte.is_ascii_digit());
                let number: Option<f64> = text.parse().ok().filter(|_| digits);
                number.filter(|number| (low..=high).contains(number))
            }
            (Values::Number(low, high), text) => {
                let number: Option<f64> = text.parse().ok();
                number.filter(|number| (low..=high).contains(number))
            }
            (Values::Choice(words), text) => {
                let index = words.iter().position(|&word| word == text);
                index.map(|index| index as f64)
            }
        }
    }

    fn to_json(self, value: f64) -> Value {
        match self {
            Values::Flag => Value::Bool(value != 0.0),
            Values::Whole(..) => Value::from(value as u64),
            Values::Number(..) => Value::from(value),
            Values::Choice(words) => {
                Value::from(words.get(value as usize).copied().unwrap_or_default())
            }
        }
    }

    /// The range, for help and error messages.
    pub fn words(self) -> String {
        match self {
            Values::Flag => "true or false".to_owned(),
            Values::Whole(low, high) | Values::Number(low, high) => format!("{low} to {high}"),
            Values::Choice(words) => words.join(", "),
        }
    }
}

/// The largest integer that is exact in every numeric type used here.
const MAX_INTEGER: f64 = 1e12;

/// Maximum number of seconds.
const MAX_SECONDS: f64 = 1e8;

/// The parameters of the session.
pub static PARAMS: &[Param] = &[
    Param {
        name: "playouts",
        summary: "playouts per move; 0 means no limit",
        values: Values::Whole(0.0, MAX_INTEGER),
        get: |settings| settings.playouts.unwrap_or(0) as f64,
        set: |settings, value| settings.playouts = Some(value as u64).filter(|&n| n > 0),
    },
    Param {
        name: "time",
        summary: "maximum seconds per move; 0 leaves it to the clock, or means 1 if neither a clock nor \
            playouts limit a move",
        values: Values::Number(0.0, MAX_SECONDS),
        get: |settings| seconds(settings.time.unwrap_or_default()),
        set: |settings, value| settings.time = Some(duration(value)).filter(|t| !t.is_zero()),
    },
    Param {
        name: "level",
        summary: "level of the engine's own moves, from 1, a beginner; below 10, full strength, the level \
            has its own number of playouts",
        values: Values::Whole(1.0, LEVELS as f64),
        get: |settings| f64::from(settings.level),
        set: |settings, value| settings.level = value as u8,
    },
    Param {
        name: "early_stop",
        summary: "whether to end a search once the rest of its time or playouts cannot change the \
            move; time that is lost otherwise is used all the same",
        values: Values::Flag,
        get: |settings| flag(settings.early_stop),
        set: |settings, value| settings.early_stop = value != 0.0,
    },
    Param {
        name: "time_margin",
        summary: "seconds of each move kept in reserve for the way to the client and back",
        values: Values::Number(0.0, 60.0),
        get: |settings| seconds(settings.time_margin),
        set: |settings, value| settings.time_margin = duration(value),
    },
    Param {
        name: "ponder",
        summary: "whether to search on the opponent's time",
        values: Values::Flag,
        get: |settings| flag(settings.ponder),
        set: |settings, value| settings.ponder = value != 0.0,
    },
    Param {
        name: "threads",
        summary: "number of search threads",
        values: Values::Whole(1.0, 256.0),
        get: |settings| settings.threads as f64,
        set: |settings, value| settings.threads = value as usize,
    },
    Param {
        name: "memory",
        summary: "megabytes for the search tree",
        values: Values::Whole(1.0, 1e6),
        get: |settings| settings.memory as f64,
        set: |settings, value| settings.memory = value as usize,
    },
    Param {
        name: "allow_resign",
        summary: "whether the engine may resign; it never does near the start of a game or if it \
            wins the count as it stands",
        values: Values::Flag,
        get: |settings| flag(settings.resign.allowed),
        set: |settings, value| settings.resign.allowed = value != 0.0,
    },
    Param {
        name: "resign_threshold",
        summary: "win rate below which a turn counts as bad",
        values: Values::Number(0.0, 1.0),
        get: |settings| to_f64(settings.resign.threshold),
        set: |settings, value| settings.resign.threshold = value as f32,
    },
    Param {
        name: "resign_turns",
        summary: "consecutive own bad turns before the engine resigns",
        values: Values::Whole(1.0, 1000.0),
        get: |settings| f64::from(settings.resign.turns),
        set: |settings, value| settings.resign.turns = value as u32,
    },
    Param {
        name: "conservativePass",
        summary: "whether a pass of the opponent is answered with a pass only where a first pass \
            would be good too, instead of as soon as the count is won",
        values: Values::Flag,
        get: |settings| flag(settings.conservative_pass),
        set: |settings, value| settings.conservative_pass = value != 0.0,
    },
    Param {
        name: "analysis_moves",
        summary: "maximum number of moves in an analysis without `maxmoves`",
        values: Values::Whole(1.0, 1000.0),
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
        name: "narrate",
        summary: "whether to describe on standard error what a plain Go board does not show; true with \
            `--encoding sabaki`",
        values: Values::Flag,
        get: |settings| flag(settings.narrate),
        set: |settings, value| settings.narrate = value != 0.0,
    },
    Param {
        name: "encoding",
        summary: "how one vertex expresses turns other than stones",
        values: Values::Choice(&Encoding::NAMES),
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

/// The double with the same shortest decimal form.
fn to_f64(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_default()
}

/// The names of all parameters.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_session = PARAMS.iter().map(|param| param.name);
    of_session.chain(SEARCH_PARAMS.iter().map(|param| param.name))
}

/// The values that the parameter with this name takes.
pub fn values(name: &str) -> Option<Values> {
    let of_session = PARAMS.iter().find(|param| param.name == name);
    let of_search = || SEARCH_PARAMS.iter().find(|param| param.name == name);
    of_session
        .map(|param| param.values)
        .or_else(|| of_search().map(|param| param.param_type.into()))
}

/// The value of the parameter with this name.
///
/// # Errors
/// [`ParamError::Unknown`].
pub fn get(settings: &Settings, name: &str) -> Result<Value, ParamError> {
    if let Some(param) = PARAMS.iter().find(|param| param.name == name) {
        return Ok(param.values.to_json((param.get)(settings)));
    }
    match settings.search_params.get(name) {
        Ok(ParamValue::Bool(value)) => Ok(Value::Bool(value)),
        Ok(ParamValue::Integer(value)) => Ok(Value::from(value)),
        Ok(ParamValue::Float(value)) => Ok(Value::from(to_f64(value))),
        Err(_) => Err(ParamError::Unknown),
    }
}

/// All parameters as a JSON object.
pub fn all(settings: &Settings) -> Value {
    let entry = |name: &str| Some((name.to_owned(), get(settings, name).ok()?));
    Value::Object(names().filter_map(entry).collect::<Map<_, _>>())
}

/// A value in plain text: words without quotes.
pub fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Parses a value and sets the parameter with this name.
///
/// # Errors
/// [`ParamError`]; then nothing is changed.
pub fn set(settings: &mut Settings, name: &str, text: &str) -> Result<(), ParamError> {
    if let Some(param) = PARAMS.iter().find(|param| param.name == name) {
        let value = param.values.parse(text);
        (param.set)(settings, value.ok_or(ParamError::BadValue(param.name))?);
        return Ok(());
    }
    let param = SEARCH_PARAMS.iter().find(|param| param.name == name).ok_or(ParamError::Unknown)?;
    let bad = ParamError::BadValue(param.name);
    let value = Values::from(param.param_type).parse(text).ok_or(bad)?;
    let value = match param.param_type {
        ParamType::Bool => ParamValue::Bool(value != 0.0),
        ParamType::Integer(..) => ParamValue::Integer(value as u32),
        ParamType::Float(..) => ParamValue::Float(value as f32),
    };
    settings.search_params.set(name, value).map_err(|_| bad)
}

impl From<ParamType> for Values {
    fn from(param_type: ParamType) -> Values {
        match param_type {
            ParamType::Bool => Values::Flag,
            ParamType::Integer(low, high) => Values::Whole(low.into(), high.into()),
            ParamType::Float(low, high) => Values::Number(to_f64(low), to_f64(high)),
        }
    }
}

/// The range of a parameter in words, for error messages.
fn expected(name: &str) -> String {
    values(name).map(Values::words).unwrap_or_default()
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
        let before = all(&settings);
        for name in names() {
            let value = plain(&get(&settings, name).expect("a known name"));
            assert_eq!(set(&mut settings, name, &value), Ok(()), "{name} {value}");
            assert_eq!(all(&settings), before, "{name} {value}");
        }
    }

    #[test]
    fn ranges_include_their_ends() {
        let mut settings = Settings::default();
        let ranges = PARAMS
            .iter()
            .map(|param| (param.name, param.values))
            .chain(SEARCH_PARAMS.iter().map(|param| (param.name, Values::from(param.param_type))));
        for (name, values) in ranges {
            let (Values::Whole(low, high) | Values::Number(low, high)) = values else {
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

    #[test]
    fn unknown_names_and_bad_values_are_refused() {
        let mut settings = Settings::default();
        let before = all(&settings);
        for (name, text, why) in [
            ("x", "1", ParamError::Unknown),
            ("", "1", ParamError::Unknown),
            ("Playouts", "1", ParamError::Unknown),
            ("playouts", "", ParamError::BadValue("playouts")),
            ("playouts", "1.5", ParamError::BadValue("playouts")),
            ("playouts", "+1", ParamError::BadValue("playouts")),
            ("time", "nan", ParamError::BadValue("time")),
            ("time", "inf", ParamError::BadValue("time")),
            ("ponder", "1", ParamError::BadValue("ponder")),
            ("ponder", "maybe", ParamError::BadValue("ponder")),
            ("encoding", "1", ParamError::BadValue("encoding")),
            ("encoding", "", ParamError::BadValue("encoding")),
            ("cpuct_exploration", "nan", ParamError::BadValue("cpuct_exploration")),
            ("use_policy", "1", ParamError::BadValue("use_policy")),
            ("expansion_threshold", "1.5", ParamError::BadValue("expansion_threshold")),
            ("cpuct_exploration", "x", ParamError::BadValue("cpuct_exploration")),
        ] {
            assert_eq!(set(&mut settings, name, text), Err(why), "{name} {text}");
        }
        assert_eq!(all(&settings), before);
        let error = set(&mut settings, "resign_turns", "0").expect_err("out of range");
        assert_eq!(error.to_string(), "bad value: resign_turns takes 1 to 1000");
        assert_eq!(set(&mut settings, "ponder", "TRUE"), Ok(()));
        assert_eq!(get(&settings, "ponder"), Ok(Value::Bool(true)));
    }
}
