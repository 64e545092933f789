//! Parsed arguments.

use super::ArgType;
use crate::board::Color;
use crate::encoding::Vertex;
use crate::gtp::Failure;
use crate::gtp::request::Args;
use crate::rules::{TurnError, parse_color, parse_komi};

#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    Absent,
    Color(Color),
    Move(MoveArg),
    Integer(i128),
    Number(f64),
    Size(SizeArg),
    /// A word, a file name or the rest of the line.
    Text(&'a str),
    /// Repeated arguments, or a group.
    List(Vec<Value<'a>>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveArg {
    Pass,
    Resign,
    At(Vertex),
    /// A well-formed vertex beyond any board.
    OffBoard,
}

impl MoveArg {
    pub fn vertex(self) -> Option<Vertex> {
        match self {
            MoveArg::At(vertex) => Some(vertex),
            _ => None,
        }
    }
}

/// A board size as written; no board may have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeArg {
    /// The width, or the side of a square.
    pub width: i64,
    pub height: Option<i64>,
}

impl<'a> Value<'a> {
    /// `None` if the word has another type.
    pub(super) fn parse(kind: ArgType, word: &'a str) -> Option<Value<'a>> {
        match kind {
            ArgType::Color => parse_color(word).map(Value::Color),
            ArgType::Vertex => parse_vertex(word).map(Value::Move),
            ArgType::Move if word.eq_ignore_ascii_case("pass") => Some(Value::Move(MoveArg::Pass)),
            ArgType::Move if word.eq_ignore_ascii_case("resign") => {
                Some(Value::Move(MoveArg::Resign))
            }
            ArgType::Move => parse_vertex(word).map(Value::Move),
            ArgType::Integer(low, high) => {
                let number = parse_integer(word)?;
                (low..=high).contains(&number).then_some(Value::Integer(number))
            }
            ArgType::Number => {
                let number: f64 = word.parse().ok()?;
                number.is_finite().then_some(Value::Number(number))
            }
            ArgType::Komi => parse_komi(word).ok().map(Value::Number),
            ArgType::Size => parse_size(word).map(Value::Size),
            ArgType::OneOf(words) => {
                let choice = words.iter().find(|choice| choice.eq_ignore_ascii_case(word));
                choice.map(|choice| Value::Text(choice))
            }
            ArgType::Word(_) | ArgType::File | ArgType::Text(_) => Some(Value::Text(word)),
            ArgType::Matching(_, accepts) => accepts(word).then_some(Value::Text(word)),
            ArgType::Group([first, ..]) => Value::parse(first.kind, word),
            ArgType::Group([]) => None,
        }
    }
}

fn parse_vertex(word: &str) -> Option<MoveArg> {
    match Vertex::parse(word) {
        Ok(vertex) => Some(MoveArg::At(vertex)),
        Err(TurnError::OffBoard) => Some(MoveArg::OffBoard),
        Err(_) => None,
    }
}

/// Parses a whole number of any length; a number beyond `i128` becomes its nearest end.
fn parse_integer(word: &str) -> Option<i128> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let beyond = if digits == word { i128::MAX } else { i128::MIN };
    Some(word.parse().unwrap_or(beyond))
}

fn parse_size(word: &str) -> Option<SizeArg> {
    let side = |text| parse_integer(text).map(|side| i64::try_from(side).unwrap_or(i64::MAX));
    let (width, height) = match word.split_once([':', 'x', 'X']) {
        None => (side(word)?, None),
        Some((width, height)) => (side(width)?, Some(side(height)?)),
    };
    Some(SizeArg { width, height })
}

/// The error of a handler that takes other arguments than its command declares.
const UNDECLARED: &str = "internal error: undeclared argument";

/// The parsed arguments of a command, in the order of declaration.
#[derive(Debug)]
pub struct Values<'a> {
    text: &'a str,
    values: std::vec::IntoIter<Value<'a>>,
}

impl<'a> Values<'a> {
    pub(super) fn new(text: &'a str, values: Vec<Value<'a>>) -> Values<'a> {
        Values { text, values: values.into_iter() }
    }

    /// Takes the next argument. A test checks that handlers take what their commands declare.
    pub fn take<T: FromValue<'a>>(&mut self) -> Result<T, Failure> {
        let value = self.values.next();
        value.and_then(T::from_value).ok_or(UNDECLARED.into())
    }

    /// The words of all arguments.
    pub fn words(&self) -> Args<'a> {
        Args::new(self.text)
    }
}

/// A type as which handlers take arguments.
pub trait FromValue<'a>: Sized {
    /// `None` if the argument has another type.
    fn from_value(value: Value<'a>) -> Option<Self>;
}

macro_rules! from_value {
    ($type:ty, $pattern:pat => $value:expr) => {
        impl<'a> FromValue<'a> for $type {
            fn from_value(value: Value<'a>) -> Option<Self> {
                match value {
                    $pattern => Some($value),
                    _ => None,
                }
            }
        }
    };
}

from_value!(Color, Value::Color(color) => color);
from_value!(MoveArg, Value::Move(at) => at);
from_value!(f64, Value::Number(number) => number);
from_value!(i128, Value::Integer(number) => number);
from_value!(SizeArg, Value::Size(size) => size);
from_value!(&'a str, Value::Text(text) => text);
from_value!(bool, Value::Text(text) => matches!(text, "true" | "t" | "1"));

/// Numbers beyond the type become its nearest end.
macro_rules! from_integer {
    ($($type:ty)*) => { $(
        from_value!($type, Value::Integer(number) => {
            let number = number.clamp(<$type>::MIN as i128, <$type>::MAX as i128);
            number as $type
        });
    )* };
}

from_integer!(i64 u32 usize);

impl<'a, T: FromValue<'a>> FromValue<'a> for Option<T> {
    fn from_value(value: Value<'a>) -> Option<Self> {
        match value {
            Value::Absent => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}

impl<'a, T: FromValue<'a>> FromValue<'a> for Vec<T> {
    fn from_value(value: Value<'a>) -> Option<Self> {
        match value {
            Value::List(values) => values.into_iter().map(T::from_value).collect(),
            _ => None,
        }
    }
}

impl<'a, A: FromValue<'a>, B: FromValue<'a>> FromValue<'a> for (A, B) {
    fn from_value(value: Value<'a>) -> Option<Self> {
        let Value::List(values) = value else {
            return None;
        };
        let [first, second] = <[Value<'a>; 2]>::try_from(values).ok()?;
        Some((A::from_value(first)?, B::from_value(second)?))
    }
}
