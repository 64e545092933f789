//! Declared arguments of commands: their types, how they are parsed, and the error that names the
//! argument and the expected type.
//!
//! A command declares [`Arg`]s. [`parse_all`] reads the words of a request as [`Values`] of these
//! types; the handler takes them in the order of declaration.

mod values;

pub use values::{FromValue, MoveArg, SizeArg, Value, Values};

use crate::gtp::request::Args;
use crate::gtp::{Failure, joined};
use crate::rules::{MAX_KOMI, names_column_i};
use std::fmt::{self, Write};
use std::path::Path;
use thiserror::Error;

#[derive(Clone, Copy, Debug)]
pub struct Arg {
    pub name: &'static str,
    pub kind: ArgType,
    pub arity: Arity,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    Once,
    /// Once or, at the end of the line, not at all.
    Optional,
    /// Once if the next word has this type, otherwise not at all.
    IfMatching,
    /// Up to the end of the line, also not at all.
    Any,
    /// Up to the end of the line, at least once.
    Many,
}

#[derive(Clone, Copy, Debug)]
pub enum ArgType {
    Color,
    Vertex,
    /// A vertex, `pass` or `resign`.
    Move,
    /// A whole number of any length in this range.
    Integer(i128, i128),
    Number,
    Komi,
    /// `N`, `W:H` or `WxH`.
    Size,
    /// One of these words, in any letter case.
    OneOf(&'static [&'static str]),
    /// Any word; the text describes it.
    Word(&'static str),
    /// A word that the function accepts; the text describes it.
    Matching(&'static str, fn(&str) -> bool),
    /// A file name, quoted or not. Without quotes it may contain blanks: it ends before the next
    /// declared argument, or with the line.
    File,
    Text(&'static str),
    Group(&'static [Arg]),
}

pub const COUNT: ArgType = ArgType::Integer(0, i128::MAX);

pub const INTEGER: ArgType = ArgType::Integer(i128::MIN, i128::MAX);

pub const fn arg(name: &'static str, kind: ArgType) -> Arg {
    Arg { name, kind, arity: Arity::Once }
}

impl Arg {
    pub const fn arity(mut self, arity: Arity) -> Arg {
        self.arity = arity;
        self
    }

    pub const fn optional(self) -> Arg {
        self.arity(Arity::Optional)
    }

    pub const fn any(self) -> Arg {
        self.arity(Arity::Any)
    }

    pub const fn many(self) -> Arg {
        self.arity(Arity::Many)
    }

    pub fn missing(&self) -> SyntaxError {
        match self.kind {
            ArgType::Group([first, ..]) => first.missing(),
            kind => SyntaxError::Other(format!("{}: expected {kind}, found nothing", self.name)),
        }
    }

    /// The error for another text as this argument.
    pub fn malformed(&self, found: &str) -> SyntaxError {
        let mut expected = self.kind.to_string();
        if matches!(self.kind, ArgType::Vertex | ArgType::Move) && names_column_i(found) {
            expected += " (no board has a column I)";
        }
        SyntaxError::malformed(self.name, expected, found)
    }
}

impl Arg {
    /// Adds one line of help for each value: name and type.
    pub fn describe(&self, text: &mut String) {
        match self.kind {
            ArgType::Group(args) => args.iter().for_each(|arg| arg.describe(text)),
            kind => {
                let _ = write!(text, "\n{}: {kind}", self.name);
            }
        }
    }
}

/// The argument in a usage line: `COLOR`, `[FILE]`, `VERTEX…`.
impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self.kind {
            ArgType::Group(args) => usage(args),
            ArgType::OneOf([word]) => (*word).to_owned(),
            _ => self.name.to_uppercase(),
        };
        match self.arity {
            Arity::Once => f.write_str(&name),
            Arity::Optional | Arity::IfMatching => write!(f, "[{name}]"),
            Arity::Any => write!(f, "[{name}…]"),
            Arity::Many => write!(f, "{name}…"),
        }
    }
}

pub fn usage(args: &[Arg]) -> String {
    joined(args.iter(), " ")
}

impl fmt::Display for ArgType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ArgType::Color => f.write_str("black or white"),
            ArgType::Vertex => f.write_str("a point such as D4"),
            ArgType::Move => f.write_str("a point such as D4, pass or resign"),
            ArgType::Integer(i128::MIN, i128::MAX) => f.write_str("a whole number"),
            ArgType::Integer(low, i128::MAX) => write!(f, "a whole number from {low} on"),
            ArgType::Integer(low, high) => write!(f, "a whole number from {low} to {high}"),
            ArgType::Number => f.write_str("a number"),
            ArgType::Komi => write!(f, "a number from -{MAX_KOMI} to {MAX_KOMI}"),
            ArgType::Size => f.write_str("a size such as 9, 9x7 or 9:7"),
            ArgType::OneOf(words) => match words {
                [first @ .., last] if !first.is_empty() => {
                    write!(f, "{} or {last}", first.join(", "))
                }
                words => f.write_str(&words.join("")),
            },
            ArgType::File => f.write_str("a file name"),
            ArgType::Word(text) | ArgType::Matching(text, _) | ArgType::Text(text) => {
                f.write_str(text)
            }
            ArgType::Group(args) => f.write_str(&usage(args)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxError {
    /// `found` is shortened.
    #[error("{name}: expected {expected}, found \"{found}\"")]
    Malformed { name: &'static str, expected: String, found: String },
    #[error("{0}")]
    Other(String),
}

impl SyntaxError {
    pub fn malformed(name: &'static str, expected: String, found: &str) -> SyntaxError {
        SyntaxError::Malformed { name, expected, found: excerpt(found) }
    }

    pub fn surplus(found: &str) -> SyntaxError {
        SyntaxError::Other(format!("unexpected argument \"{}\"", excerpt(found)))
    }
}

/// The beginning of a text, for an error message.
pub fn excerpt(text: &str) -> String {
    const LENGTH: usize = 40;
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

pub fn read<'a, T: FromValue<'a>>(arg: &Arg, words: &mut Args<'a>) -> Result<T, Failure> {
    read_list(&[*arg], words)?.take()
}

/// Parses some arguments; the error is the first that is not as declared.
pub fn read_list<'a>(declared: &[Arg], words: &mut Args<'a>) -> Result<Values<'a>, SyntaxError> {
    let text = words.rest();
    Ok(Values::new(text, parse_list(declared, words)?))
}

/// As [`read_list`], for all arguments of a command.
pub fn parse_all<'a>(declared: &[Arg], mut words: Args<'a>) -> Result<Values<'a>, SyntaxError> {
    let values = read_list(declared, &mut words)?;
    match words.next() {
        None => Ok(values),
        Some(word) => Err(SyntaxError::surplus(word)),
    }
}

fn parse_list<'a>(declared: &[Arg], words: &mut Args<'a>) -> Result<Vec<Value<'a>>, SyntaxError> {
    let mut values = Vec::with_capacity(declared.len());
    let mut rest = declared.iter();
    while let Some(arg) = rest.next() {
        let next = rest.as_slice().first();
        values.push(match arg.arity {
            Arity::Once => parse(arg, next, words)?,
            Arity::Optional if words.rest().is_empty() => Value::Absent,
            Arity::Optional => parse(arg, next, words)?,
            Arity::IfMatching => {
                let mut ahead = words.clone();
                match parse(arg, next, &mut ahead) {
                    Ok(value) => {
                        *words = ahead;
                        value
                    }
                    Err(_) => Value::Absent,
                }
            }
            Arity::Any | Arity::Many => {
                if arg.arity == Arity::Many && words.rest().is_empty() {
                    return Err(arg.missing());
                }
                let mut list = Vec::new();
                while !words.rest().is_empty() {
                    list.push(parse(arg, next, words)?);
                }
                Value::List(list)
            }
        });
    }
    Ok(values)
}

fn parse<'a>(
    arg: &Arg,
    next: Option<&Arg>,
    words: &mut Args<'a>,
) -> Result<Value<'a>, SyntaxError> {
    match arg.kind {
        ArgType::Group(args) => return parse_list(args, words).map(Value::List),
        ArgType::File => return parse_file(arg, next, words),
        ArgType::Text(_) => {
            return match words.take_rest() {
                "" => Err(arg.missing()),
                text => Ok(Value::Text(text)),
            };
        }
        _ => {}
    }
    let word = words.next().ok_or_else(|| arg.missing())?;
    Value::parse(arg.kind, word).ok_or_else(|| arg.malformed(word))
}

/// Parses a file name; `next` is the argument that may follow.
fn parse_file<'a>(
    arg: &Arg,
    next: Option<&Arg>,
    words: &mut Args<'a>,
) -> Result<Value<'a>, SyntaxError> {
    let text = words.take_rest();
    let (file, rest) = match text.strip_prefix('"') {
        Some(inside) => inside.split_once('"').ok_or_else(|| arg.malformed(text))?,
        None => {
            let split = next.and_then(|next| split_before(text, next));
            split.map_or((text, ""), |(file, rest)| (file.trim_end(), rest))
        }
    };
    *words = Args::new(rest);
    match file {
        "" if text.is_empty() => Err(arg.missing()),
        "" => Err(arg.malformed(text)),
        file => Ok(Value::Text(file)),
    }
}

/// Splits a text before the argument at its end: before the first word that a repeated argument
/// accepts, otherwise before the last word, unless the whole text names a file.
fn split_before<'a>(text: &'a str, next: &Arg) -> Option<(&'a str, &'a str)> {
    let is_next = |rest: &str| {
        let word = Args::new(rest).next().unwrap_or_default();
        Value::parse(next.kind, word).is_some()
    };
    let mut blanks = text.match_indices(' ').map(|(at, _)| text.split_at(at));
    match next.arity {
        Arity::Any | Arity::Many if is_next(text) => Some(("", text)),
        Arity::Any | Arity::Many => blanks.find(|(_, rest)| is_next(rest)),
        _ if Path::new(text).exists() => None,
        _ => blanks.next_back().filter(|(_, rest)| is_next(rest)),
    }
}
