//! Parameters that clients and the command line may set: those of the session,
//! and the constants of the search.

use super::encoding::Encoding;
use super::gogui::search_graphics::LiveGraphics;
use super::session::Settings;
use crate::search::{KNOBS, Knob};
use serde_json::{Map, Value};
use std::time::Duration;

/// Why a parameter cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParamError {
    /// None has this name.
    #[error("unknown parameter")]
    Unknown,
    /// It takes another kind of value, or a value in another range.
    #[error("bad value")]
    BadValue,
}

/// A parameter of the session.
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The values it takes.
    pub values: Values,
    get: fn(&Settings) -> f64,
    set: fn(&mut Settings, f64),
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Values {
    /// `true` or `false`.
    Flag,
    /// A whole number in this range.
    Whole(f64, f64),
    /// A number in this range.
    Number(f64, f64),
    /// One of these words; its number is its place among them.
    Choice(&'static [&'static str]),
}

impl Values {
    /// The number that a text stands for.
    fn read(self, text: &str) -> Result<f64, ParamError> {
        let number = match (self, text.to_ascii_lowercase().as_str()) {
            (Values::Flag, "true") => return Ok(1.0),
            (Values::Flag, "false") => return Ok(0.0),
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
                let place = words.iter().position(|&word| word == text);
                place.map(|place| place as f64)
            }
        };
        number.ok_or(ParamError::BadValue)
    }

    fn write(self, value: f64) -> Value {
        match self {
            Values::Flag => Value::Bool(value != 0.0),
            Values::Whole(..) => Value::from(value as u64),
            Values::Number(..) => Value::from(value),
            Values::Choice(words) => {
                Value::from(words.get(value as usize).copied().unwrap_or_default())
            }
        }
    }

    /// The values in words.
    pub fn words(self) -> String {
        match self {
            Values::Flag => "true or false".to_owned(),
            Values::Whole(low, high) | Values::Number(low, high) => format!("{low} to {high}"),
            Values::Choice(words) => words.join(", "),
        }
    }
}

/// Numbers up to this are whole in every form they take.
const MANY: f64 = 1e12;

/// More seconds than this are taken for a mistake.
const LONG: f64 = 1e8;

/// The parameters of the session.
pub static PARAMS: &[Param] = &[
    Param {
        name: "playouts",
        summary: "playouts a move; 0 is no limit",
        values: Values::Whole(0.0, MANY),
        get: |settings| settings.playouts.unwrap_or(0) as f64,
        set: |settings, value| settings.playouts = Some(value as u64).filter(|&n| n > 0),
    },
    Param {
        name: "time",
        summary: "seconds a move at most; 0 leaves it to the clock, or is 1 if neither a clock nor \
            playouts limit a move",
        values: Values::Number(0.0, LONG),
        get: |settings| seconds(settings.time.unwrap_or_default()),
        set: |settings, value| settings.time = Some(duration(value)).filter(|t| !t.is_zero()),
    },
    Param {
        name: "early_stop",
        summary: "whether to stop thinking once the rest of the time or playouts cannot change the \
            move; time that no clock saves is used up all the same",
        values: Values::Flag,
        get: |settings| flag(settings.early_stop),
        set: |settings, value| settings.early_stop = value != 0.0,
    },
    Param {
        name: "lag",
        summary: "seconds that a reply may take on its way to the client's clock and back",
        values: Values::Number(0.0, 60.0),
        get: |settings| seconds(settings.lag),
        set: |settings, value| settings.lag = duration(value),
    },
    Param {
        name: "ponder",
        summary: "whether to think on the opponent's time",
        values: Values::Flag,
        get: |settings| flag(settings.ponder),
        set: |settings, value| settings.ponder = value != 0.0,
    },
    Param {
        name: "threads",
        summary: "threads that search together",
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
        summary: "whether the engine may resign; it never does near the start of a game, nor when it \
            would win the count as it stands",
        values: Values::Flag,
        get: |settings| flag(settings.resign.allowed),
        set: |settings, value| settings.resign.allowed = value != 0.0,
    },
    Param {
        name: "resign_threshold",
        summary: "win rate below which a turn is bad",
        values: Values::Number(0.0, 1.0),
        get: |settings| shortest(settings.resign.threshold),
        set: |settings, value| settings.resign.threshold = value as f32,
    },
    Param {
        name: "resign_turns",
        summary: "so many own turns in a row must be bad before the engine resigns",
        values: Values::Whole(1.0, 1000.0),
        get: |settings| f64::from(settings.resign.turns),
        set: |settings, value| settings.resign.turns = value as u32,
    },
    Param {
        name: "analysis_moves",
        summary: "moves that an analysis shows unless `maxmoves` is given",
        values: Values::Whole(1.0, 1000.0),
        get: |settings| settings.analysis_moves as f64,
        set: |settings, value| settings.analysis_moves = value as usize,
    },
    Param {
        name: "live_graphics",
        summary: "what a client that draws (GoGui) is shown while the engine thinks",
        values: LiveGraphics::NAMES,
        get: |settings| settings.live_graphics as u8 as f64,
        set: |settings, value| {
            settings.live_graphics = LiveGraphics::ALL
                .get(value as usize)
                .copied()
                .unwrap_or_default();
        },
    },
    Param {
        name: "narrate",
        summary: "whether to say on standard error what a board of plain Go does not show; true with \
            `--encoding sabaki`",
        values: Values::Flag,
        get: |settings| flag(settings.narrate),
        set: |settings, value| settings.narrate = value != 0.0,
    },
    Param {
        name: "encoding",
        summary: "how turns that are more than a vertex are said as one",
        values: Values::Choice(&Encoding::NAMES),
        get: |settings| settings.encoding as u8 as f64,
        set: |settings, value| {
            settings.encoding = Encoding::ALL
                .get(value as usize)
                .copied()
                .unwrap_or_default();
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

/// The number that is written like this one.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or_default()
}

/// The names of all parameters.
pub fn names() -> impl Iterator<Item = &'static str> {
    let of_session = PARAMS.iter().map(|param| param.name);
    of_session.chain(KNOBS.iter().map(|knob| knob.name))
}

/// The values that a parameter takes, if there is one of this name.
pub fn values(name: &str) -> Option<Values> {
    let of_session = PARAMS.iter().find(|param| param.name == name);
    let knob = || KNOBS.iter().find(|knob| knob.name == name);
    of_session
        .map(|param| param.values)
        .or_else(|| knob().map(knob_values))
}

/// The value of a parameter.
///
/// # Errors
/// [`ParamError::Unknown`].
pub fn get(settings: &Settings, name: &str) -> Result<Value, ParamError> {
    if let Some(param) = PARAMS.iter().find(|param| param.name == name) {
        return Ok(param.values.write((param.get)(settings)));
    }
    let value = settings.knobs.get(name).map_err(|_| ParamError::Unknown)?;
    Ok(Value::from(shortest(value)))
}

/// All parameters, as a JSON object.
pub fn all(settings: &Settings) -> Value {
    let entry = |name: &str| Some((name.to_owned(), get(settings, name).ok()?));
    Value::Object(names().filter_map(entry).collect::<Map<_, _>>())
}

/// A value as it is written where there is but one: a word without quotes.
pub fn plain(value: &Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

/// Sets a parameter from its written value.
///
/// # Errors
/// [`ParamError`]; nothing is changed.
pub fn set(settings: &mut Settings, name: &str, text: &str) -> Result<(), ParamError> {
    if let Some(param) = PARAMS.iter().find(|param| param.name == name) {
        (param.set)(settings, param.values.read(text)?);
        return Ok(());
    }
    let value = values(name).ok_or(ParamError::Unknown)?.read(text)?;
    let set = settings.knobs.set(name, value as f32);
    set.map_err(|_| ParamError::BadValue)
}

/// The values that a constant of the search takes.
pub fn knob_values(knob: &Knob) -> Values {
    let (low, high) = knob.range;
    Values::Number(shortest(low), shortest(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_parameter_can_be_read_and_set_to_what_it_is() {
        let mut settings = Settings::default();
        let all_names: BTreeSet<_> = names().collect();
        assert_eq!(all_names.len(), PARAMS.len() + KNOBS.len(), "a name twice");
        let before = all(&settings);
        for name in names() {
            let value = plain(&get(&settings, name).expect("a known name"));
            assert_eq!(set(&mut settings, name, &value), Ok(()), "{name} {value}");
            assert_eq!(all(&settings), before, "{name} {value}");
        }
    }

    #[test]
    fn the_ends_of_ranges_belong_to_them() {
        let mut settings = Settings::default();
        let ranges = PARAMS.iter().map(|param| (param.name, param.values));
        let ranges = ranges.chain(KNOBS.iter().map(|knob| (knob.name, knob_values(knob))));
        for (name, values) in ranges {
            let (Values::Whole(low, high) | Values::Number(low, high)) = values else {
                continue;
            };
            for end in [low, high] {
                assert_eq!(
                    set(&mut settings, name, &end.to_string()),
                    Ok(()),
                    "{name} {end}"
                );
            }
            for beyond in [low - 1.0, high * 2.0 + 1.0] {
                let refused = set(&mut settings, name, &beyond.to_string());
                assert_eq!(refused, Err(ParamError::BadValue), "{name} {beyond}");
            }
        }
    }

    #[test]
    fn other_names_and_values_are_refused() {
        let mut settings = Settings::default();
        let before = all(&settings);
        for (name, text, why) in [
            ("x", "1", ParamError::Unknown),
            ("", "1", ParamError::Unknown),
            ("Playouts", "1", ParamError::Unknown),
            ("playouts", "", ParamError::BadValue),
            ("playouts", "1.5", ParamError::BadValue),
            ("playouts", "+1", ParamError::BadValue),
            ("time", "nan", ParamError::BadValue),
            ("time", "inf", ParamError::BadValue),
            ("ponder", "1", ParamError::BadValue),
            ("ponder", "maybe", ParamError::BadValue),
            ("encoding", "1", ParamError::BadValue),
            ("encoding", "", ParamError::BadValue),
            ("exploration", "nan", ParamError::BadValue),
            ("exploration", "x", ParamError::BadValue),
        ] {
            assert_eq!(set(&mut settings, name, text), Err(why), "{name} {text}");
        }
        assert_eq!(all(&settings), before);
        assert_eq!(set(&mut settings, "ponder", "TRUE"), Ok(()));
        assert_eq!(get(&settings, "ponder"), Ok(Value::Bool(true)));
    }
}
