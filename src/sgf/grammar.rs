//! The grammar of one node, in nom.

use super::charset::Script;
use super::parse::Fault;
use nom::bytes::complete::{tag, take, take_while, take_while1};
use nom::combinator::{recognize, verify};
use nom::error::{ErrorKind, ParseError};
use nom::multi::{many0_count, many1_count};
use nom::sequence::{preceded, terminated};
use nom::{Err, IResult, Parser};

/// What stopped a parser, and what was left there.
#[derive(Debug, PartialEq)]
pub(super) struct Broken<'a> {
    pub(super) at: &'a [u8],
    pub(super) fault: Fault,
}

impl<'a> ParseError<&'a [u8]> for Broken<'a> {
    fn from_error_kind(at: &'a [u8], _: ErrorKind) -> Self {
        Broken {
            at,
            fault: Fault::Unexpected,
        }
    }

    fn append(_: &'a [u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

pub(super) type Parsed<'a, T = &'a [u8]> = IResult<&'a [u8], T, Broken<'a>>;

/// Blanks and whatever else no program shows.
#[inline]
pub(super) fn blanks(input: &[u8]) -> Parsed<'_> {
    // Mostly there are none.
    if input.first().is_some_and(|&byte| byte > b' ') {
        return Ok((input, &[]));
    }
    take_while(|byte: u8| byte <= b' ').parse(input)
}

#[inline]
pub(super) fn skip_blanks(input: &[u8]) -> &[u8] {
    blanks(input).map_or(input, |(rest, _)| rest)
}

/// The properties behind a `;`, as they stand.
pub(super) fn node(script: Script, input: &[u8]) -> Parsed<'_> {
    recognize(many0_count(|input| property(script, input))).parse(input)
}

/// A property: its name and its values, as they stand.
#[inline]
pub(super) fn property(script: Script, input: &[u8]) -> Parsed<'_, (&[u8], &[u8])> {
    let (rest, name) = preceded(blanks, name).parse(input)?;
    let mut values = recognize(many1_count(|input| value(script, input)));
    match values.parse(rest) {
        Ok((rest, values)) => Ok((rest, (name, values))),
        Err(Err::Error(_)) => Err(Err::Failure(Broken {
            at: skip_blanks(rest),
            fault: Fault::NoValue,
        })),
        Err(failure) => Err(failure),
    }
}

/// Letters, one of them a capital, and digits behind a letter.
#[inline]
fn name(input: &[u8]) -> Parsed<'_> {
    let word = take_while1(|byte: u8| byte.is_ascii_alphanumeric());
    let (rest, name) = verify(word, |name: &[u8]| {
        name.first().is_some_and(u8::is_ascii_alphabetic)
    })
    .parse(input)?;
    if !name.iter().any(u8::is_ascii_uppercase) {
        return Err(Err::Failure(Broken {
            at: input,
            fault: Fault::SmallName,
        }));
    }
    Ok((rest, name))
}

/// A value without its brackets, as it stands.
#[inline]
pub(super) fn value(script: Script, input: &[u8]) -> Parsed<'_> {
    let (inside, _) = preceded(blanks, tag("[")).parse(input)?;
    let open = || {
        Err::Failure(Broken {
            at: skip_blanks(input),
            fault: Fault::OpenValue,
        })
    };
    let end = script.end_of_value(inside).ok_or_else(open)?;
    terminated(take(end), tag("]")).parse(inside)
}
