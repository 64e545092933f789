//! Time systems, and how the time commands write them.

use std::fmt;
use std::time::Duration;

/// The names for `kata-time_settings`, in the order of `kata-list_time_settings`.
pub const KATA_SYSTEMS: &[&str] =
    &["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"];

/// The error of each system for a wrong number of arguments, in the same order.
const EXPECTED: &[&str] = &[
    "expected none",
    "expected absolute MAIN",
    "expected byoyomi MAIN PERIOD PERIODS",
    "expected canadian MAIN PERIOD STONES",
    "expected fischer MAIN INCREMENT",
    "expected fischer-capped MAIN INCREMENT LIMIT MOVE",
];

/// Three years.
const MAX_SECONDS: f64 = 1e8;

/// The reason why words or numbers are not a time system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TimeError {
    #[error("unknown time system")]
    UnknownSystem,
    /// The text lists the arguments of the system.
    #[error("{0}")]
    Arguments(&'static str),
    #[error("malformed number in time settings")]
    MalformedNumber,
    /// A number is negative, not finite, too large, or contradicts another.
    #[error("number out of range in time settings")]
    OutOfRange,
}

/// The time of each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeSystem {
    None,
    /// One amount of time for the whole game.
    Absolute {
        main: Duration,
    },
    /// After the main time, each period has a number of stones to play.
    Canadian {
        main: Duration,
        period: Duration,
        stones: u32,
    },
    /// After the main time, each move has a period; some periods may be used up.
    ByoYomi {
        main: Duration,
        period: Duration,
        /// The game is lost with the last period.
        periods: u32,
    },
    /// Every finished move adds to the time.
    Fischer {
        /// At most `limit`.
        main: Duration,
        increment: Duration,
        /// Maximum that can accumulate.
        limit: Option<Duration>,
        /// Maximum for one move.
        max_move: Option<Duration>,
    },
}

impl TimeSystem {
    /// The main time.
    pub fn main(&self) -> Duration {
        match *self {
            TimeSystem::None => Duration::ZERO,
            TimeSystem::Absolute { main }
            | TimeSystem::Canadian { main, .. }
            | TimeSystem::ByoYomi { main, .. }
            | TimeSystem::Fischer { main, .. } => main,
        }
    }
}

/// Name and numbers, as in `kata-time_settings`.
impl fmt::Display for TimeSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |time: Duration| time.as_secs_f64();
        let cap = |cap: Option<Duration>| cap.map_or(-1.0, s);
        match *self {
            Self::None => f.write_str("none"),
            Self::Absolute { main } => write!(f, "absolute {}", s(main)),
            Self::Canadian { main, period, stones } => {
                write!(f, "canadian {} {} {stones}", s(main), s(period))
            }
            Self::ByoYomi { main, period, periods } => {
                write!(f, "byoyomi {} {} {periods}", s(main), s(period))
            }
            Self::Fischer { main, increment, limit: None, max_move: None } => {
                write!(f, "fischer {} {}", s(main), s(increment))
            }
            Self::Fischer { main, increment, limit, max_move } => {
                let (main, increment) = (s(main), s(increment));
                write!(f, "fischer-capped {main} {increment} {} {}", cap(limit), cap(max_move))
            }
        }
    }
}

impl TimeSystem {
    /// The settings of `time_settings main byo stones`, in seconds. `byo` of 0 is absolute time; 0
    /// stones with `byo` above 0 is not a limit.
    pub fn from_gtp(main: f64, byo: f64, stones: u32) -> Result<Self, TimeError> {
        let (main, period) = (duration(main)?, duration(byo)?);
        Ok(match stones {
            _ if period.is_zero() => Self::Absolute { main },
            0 => Self::None,
            stones => Self::Canadian { main, period, stones },
        })
    }

    /// The settings of `kata-time_settings`: the name of a system in any letter case, and numbers
    /// in (fractional) seconds. The caps of `fischer-capped` are off unless above zero.
    pub fn from_words(words: &[&str]) -> Result<Self, TimeError> {
        let (name, numbers) = words.split_first().ok_or(TimeError::UnknownSystem)?;
        let name = name.to_ascii_lowercase();
        match (name.as_str(), numbers) {
            ("none", []) => Ok(Self::None),
            ("absolute", [main]) => Ok(Self::Absolute { main: time(main)? }),
            ("canadian", [main, period, stones]) => {
                Self::from_gtp(number(main)?, number(period)?, count(stones)?)
            }
            ("byoyomi", [main, period, periods]) => {
                Ok(Self::byo_yomi(time(main)?, time(period)?, count(periods)?))
            }
            ("fischer", [main, increment]) => {
                let (main, increment) = (time(main)?, time(increment)?);
                Ok(Self::Fischer { main, increment, limit: None, max_move: None })
            }
            ("fischer-capped", [main, increment, limit, max_move]) => {
                let (main, limit) = (time(main)?, cap(limit)?);
                if limit.is_some_and(|limit| limit < main) {
                    return Err(TimeError::OutOfRange);
                }
                let (increment, max_move) = (time(increment)?, cap(max_move)?);
                Ok(Self::Fischer { main, increment, limit, max_move })
            }
            (name, _) => {
                let form = KATA_SYSTEMS.iter().zip(EXPECTED).find(|(system, _)| **system == name);
                Err(form.map_or(TimeError::UnknownSystem, |(_, expected)| {
                    TimeError::Arguments(expected)
                }))
            }
        }
    }

    /// Byo-yomi without a period is absolute time.
    fn byo_yomi(main: Duration, period: Duration, periods: u32) -> Self {
        if period.is_zero() || periods == 0 {
            Self::Absolute { main }
        } else {
            Self::ByoYomi { main, period, periods }
        }
    }
}

fn number(text: &str) -> Result<f64, TimeError> {
    text.parse().map_err(|_| TimeError::MalformedNumber)
}

fn count(text: &str) -> Result<u32, TimeError> {
    text.parse().map_err(|_| TimeError::MalformedNumber)
}

fn time(text: &str) -> Result<Duration, TimeError> {
    duration(number(text)?)
}

/// A limit; numbers up to zero turn it off.
fn cap(text: &str) -> Result<Option<Duration>, TimeError> {
    let seconds = number(text)?;
    if seconds.is_finite() && seconds <= 0.0 { Ok(None) } else { duration(seconds).map(Some) }
}

fn duration(seconds: f64) -> Result<Duration, TimeError> {
    if seconds > MAX_SECONDS {
        return Err(TimeError::OutOfRange);
    }
    // Refuses negative numbers and NaN.
    Duration::try_from_secs_f64(seconds).map_err(|_| TimeError::OutOfRange)
}

/// `seconds` within the range of times; `None` for NaN.
pub(super) fn clamped(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn read(text: &str) -> Result<TimeSystem, TimeError> {
        TimeSystem::from_words(&text.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn time_settings_name_three_systems() {
        let absolute = |main| Ok(TimeSystem::Absolute { main });
        assert_eq!(TimeSystem::from_gtp(600.0, 0.0, 0), absolute(s(600)));
        assert_eq!(TimeSystem::from_gtp(600.0, 0.0, 5), absolute(s(600)));
        assert_eq!(TimeSystem::from_gtp(0.0, 0.0, 0), absolute(s(0)));
        assert_eq!(TimeSystem::from_gtp(600.0, 30.0, 0), Ok(TimeSystem::None));
        let canadian = TimeSystem::Canadian { main: s(0), period: s(30), stones: 5 };
        assert_eq!(TimeSystem::from_gtp(0.0, 30.0, 5), Ok(canadian));
    }

    #[test]
    fn kgs_settings_are_read() {
        let half = Duration::from_millis(500);
        assert_eq!(read("none"), Ok(TimeSystem::None));
        assert_eq!(read("Absolute 0.5"), Ok(TimeSystem::Absolute { main: half }));
        let canadian = TimeSystem::Canadian { main: s(60), period: half, stones: 25 };
        assert_eq!(read("canadian 60 .5 25"), Ok(canadian));
        let byo_yomi = TimeSystem::ByoYomi { main: s(60), period: s(30), periods: 3 };
        assert_eq!(read("byoyomi 60 30 3"), Ok(byo_yomi));
    }

    #[test]
    fn overtime_without_time_or_periods_is_absolute() {
        for text in ["byoyomi 60 30 0", "byoyomi 60 0 3", "canadian 60 0 3"] {
            assert_eq!(read(text), Ok(TimeSystem::Absolute { main: s(60) }), "{text}");
        }
        assert_eq!(read("canadian 60 30 0"), Ok(TimeSystem::None));
    }

    #[test]
    fn kata_settings_add_fischer() {
        let (main, increment) = (s(60), s(5));
        let capped = |limit, max_move| Ok(TimeSystem::Fischer { main, increment, limit, max_move });
        assert_eq!(read("fischer 60 5"), capped(None, None));
        assert_eq!(read("fischer-capped 60 5 90 20"), capped(Some(s(90)), Some(s(20))));
        assert_eq!(read("fischer-capped 60 5 -1 0"), capped(None, None));
        assert_eq!(read("fischer-capped 60 5 60 -1"), capped(Some(s(60)), None));
        assert_eq!(read("fischer-capped 60 5 59 -1"), Err(TimeError::OutOfRange));
        assert_eq!(read("none"), Ok(TimeSystem::None));
    }

    #[test]
    fn implausible_numbers_are_refused() {
        for text in ["x", "", "1,5", "10s"] {
            let args = ["absolute", text];
            assert_eq!(TimeSystem::from_words(&args), Err(TimeError::MalformedNumber), "{text}");
        }
        for text in ["-1", "inf", "-inf", "nan", "100000001", "1e300"] {
            let args = ["absolute", text];
            assert_eq!(TimeSystem::from_words(&args), Err(TimeError::OutOfRange), "{text}");
        }
        for text in ["nan", "inf", "-inf", "1e9"] {
            let args = ["fischer-capped", "60", "5", text, "-1"];
            assert_eq!(TimeSystem::from_words(&args), Err(TimeError::OutOfRange), "{text}");
        }
        assert_eq!(read("canadian 60 30 -5"), Err(TimeError::MalformedNumber));
        assert_eq!(read("byoyomi 60 30 2.5"), Err(TimeError::MalformedNumber));
        assert_eq!(TimeSystem::from_gtp(f64::NAN, 0.0, 0), Err(TimeError::OutOfRange));
        assert_eq!(TimeSystem::from_gtp(0.0, -1.0, 0), Err(TimeError::OutOfRange));
        assert_eq!(read("absolute 100000000"), Ok(TimeSystem::Absolute { main: s(100_000_000) }));
    }
}
