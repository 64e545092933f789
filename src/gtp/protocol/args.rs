//! A cursor over the arguments of a command.

use std::ops::RangeBounds;
use std::str::FromStr;

use thiserror::Error;

/// Why an argument could not be read; a client sees the same text for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ArgError {
    /// No argument is left.
    #[error("syntax error")]
    Missing,
    /// The argument has the wrong type or is out of range.
    #[error("syntax error")]
    Malformed,
    /// An argument is left over.
    #[error("syntax error")]
    Surplus,
}

/// A cursor over the space-separated arguments of a command.
///
/// It is also an iterator over the words, for commands that take lists. Surplus
/// arguments are ignored unless the handler calls [`Args::end`].
#[derive(Debug, Clone)]
pub struct Args<'a> {
    /// The unresolved text, without spaces around it.
    text: &'a str,
}

impl<'a> Args<'a> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self {
            text: text.trim_matches(' '),
        }
    }

    /// The unresolved text, runs of spaces preserved; consumes nothing.
    pub fn rest(&self) -> &'a str {
        self.text
    }

    /// Reads the next argument as a word; [`ArgError::Missing`] at the end.
    pub fn word(&mut self) -> Result<&'a str, ArgError> {
        self.next().ok_or(ArgError::Missing)
    }

    /// Reads the next argument as a whole number within `range`; anything else is
    /// [`ArgError::Malformed`].
    pub fn int<T: FromStr + Ord>(&mut self, range: impl RangeBounds<T>) -> Result<T, ArgError> {
        let number = self.word()?.parse().map_err(|_| ArgError::Malformed)?;
        if range.contains(&number) {
            Ok(number)
        } else {
            Err(ArgError::Malformed)
        }
    }

    /// Reads the next argument as a finite number such as `6.5`, `-3`, `.5` or `1e2`;
    /// infinities, NaN and overflowing numbers are [`ArgError::Malformed`].
    pub fn float(&mut self) -> Result<f64, ArgError> {
        let number: f64 = self.word()?.parse().map_err(|_| ArgError::Malformed)?;
        if number.is_finite() {
            Ok(number)
        } else {
            Err(ArgError::Malformed)
        }
    }

    /// Fails with [`ArgError::Surplus`] unless every argument has been read.
    pub fn end(&self) -> Result<(), ArgError> {
        if self.text.is_empty() {
            Ok(())
        } else {
            Err(ArgError::Surplus)
        }
    }
}

impl<'a> Iterator for Args<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (word, rest) = self.text.split_once(' ').unwrap_or((self.text, ""));
        self.text = rest.trim_start_matches(' ');
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_in_order() {
        let mut args = Args::new("b  19 6.5   tail  of it");
        assert_eq!(args.word(), Ok("b"));
        assert_eq!(args.int(1..=25), Ok(19));
        assert_eq!(args.float(), Ok(6.5));
        assert_eq!(args.rest(), "tail  of it");
        assert_eq!(args.end(), Err(ArgError::Surplus));
        assert_eq!(args.by_ref().count(), 3);
        assert_eq!(args.end(), Ok(()));
        assert_eq!(args.word(), Err(ArgError::Missing));
        assert_eq!(args.int::<u32>(..), Err(ArgError::Missing));
    }

    #[test]
    fn whole_numbers_respect_type_and_range() {
        let int = |text| Args::new(text).int::<i32>(-5..10);
        assert_eq!([int("-5"), int("9"), int("007")], [Ok(-5), Ok(9), Ok(7)]);
        for text in ["-6", "10", "x", "1.0", "99999999999"] {
            assert_eq!(int(text), Err(ArgError::Malformed), "{text}");
        }
    }

    #[test]
    fn floats_are_finite() {
        let good = [
            ("6.5", 6.5),
            ("-3", -3.0),
            ("7", 7.0),
            (".5", 0.5),
            ("+2", 2.0),
            ("1e2", 100.0),
        ];
        for (text, value) in good {
            assert_eq!(Args::new(text).float(), Ok(value), "{text}");
        }
        for text in [
            "inf",
            "-infinity",
            "nan",
            "NaN",
            "1e999",
            ".",
            "6,5",
            "0x10",
            "1e",
        ] {
            assert_eq!(Args::new(text).float(), Err(ArgError::Malformed), "{text}");
        }
    }
}
