//! Time systems, and how the time commands write them.

use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// The names that `kata-time_settings` accepts, in the order of
/// `kata-list_time_settings`.
pub const KATA_SYSTEMS: &[&str] =
    &["none", "absolute", "byoyomi", "canadian", "fischer", "fischer-capped"];

/// The systems with their arguments.
const FORMS: &[&str] = &[
    "none",
    "absolute MAIN",
    "byoyomi MAIN PERIOD PERIODS",
    "canadian MAIN PERIOD STONES",
    "fischer MAIN INCREMENT",
    "fischer-capped MAIN INCREMENT LIMIT MOVE",
];

/// Maximum of a time setting, three years.
const MAX_SECONDS: f64 = 1e8;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TimeError {
    #[error("unknown time system")]
    UnknownSystem,
    /// The form of a time system, which got another number of arguments.
    #[error("expected {0}")]
    Arguments(&'static str),
    #[error("malformed number in time settings")]
    Malformed,
    /// A number is negative, not finite, absurdly large, or contradicts another.
    #[error("number out of range in time settings")]
    OutOfRange,
}

impl TimeError {
    /// The error for a wrong number of arguments.
    fn wrong_arguments(name: &str) -> TimeError {
        let mut forms = FORMS.iter();
        let form = forms.find(|form| form.split(' ').next() == Some(name));
        form.map_or(TimeError::UnknownSystem, |form| TimeError::Arguments(form))
    }
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
        /// Time before overtime starts.
        main: Duration,
        period: Duration,
        stones: u32,
    },
    /// After the main time, each move has a period; some periods may be used up.
    ByoYomi {
        /// Time before overtime starts.
        main: Duration,
        period: Duration,
        /// Periods at the start; with the last one used up the game is lost.
        periods: u32,
    },
    /// Every finished move adds to the time.
    Fischer {
        /// Time at the start, at most `limit`.
        main: Duration,
        increment: Duration,
        /// Maximum that can accumulate.
        limit: Option<Duration>,
        /// Maximum for one move.
        max_move: Option<Duration>,
    },
}

/// Name and numbers, as `kata-time_settings` takes them.
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
    /// The settings of `time_settings main byo stones`, in seconds.
    ///
    /// `byo` of 0 is absolute time (all zeros: no time at all), and `stones` of
    /// 0 with `byo` above it is no limit. Numbers that are no plausible times
    /// are [`TimeError::OutOfRange`].
    pub fn from_gtp(main: f64, byo: f64, stones: u32) -> Result<Self, TimeError> {
        let (main, period) = (duration(main)?, duration(byo)?);
        Ok(match stones {
            _ if period.is_zero() => Self::Absolute { main },
            0 => Self::None,
            stones => Self::Canadian { main, period, stones },
        })
    }

    /// The settings of `kgs-time_settings`: the name of a system in any case
    /// and its numbers, in (fractional) seconds.
    pub fn from_kgs(args: &[&str]) -> Result<Self, TimeError> {
        let (name, numbers) = args.split_first().ok_or(TimeError::UnknownSystem)?;
        match (name.to_ascii_lowercase().as_str(), numbers) {
            ("none", []) => Ok(Self::None),
            ("absolute", [main]) => Ok(Self::Absolute { main: time(main)? }),
            ("canadian", [main, period, stones]) => {
                Self::from_gtp(number(main)?, number(period)?, count(stones)?)
            }
            ("byoyomi", [main, period, periods]) => {
                Ok(Self::byo_yomi(time(main)?, time(period)?, count(periods)?))
            }
            ("fischer" | "fischer-capped", _) => Err(TimeError::UnknownSystem),
            (name, _) => Err(TimeError::wrong_arguments(name)),
        }
    }

    /// The settings of `kata-time_settings`: those of [`TimeSystem::from_kgs`],
    /// `fischer` and `fischer-capped`, whose caps are off unless above zero.
    pub fn from_kata(args: &[&str]) -> Result<Self, TimeError> {
        let (name, numbers) = args.split_first().ok_or(TimeError::UnknownSystem)?;
        match (name.to_ascii_lowercase().as_str(), numbers) {
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
            (name @ ("fischer" | "fischer-capped"), _) => Err(TimeError::wrong_arguments(name)),
            _ => Self::from_kgs(args),
        }
    }

    /// Byo-yomi without a period to play in is absolute time.
    fn byo_yomi(main: Duration, period: Duration, periods: u32) -> Self {
        if period.is_zero() || periods == 0 {
            Self::Absolute { main }
        } else {
            Self::ByoYomi { main, period, periods }
        }
    }
}

fn number(text: &str) -> Result<f64, TimeError> {
    text.parse().map_err(|_| TimeError::Malformed)
}

fn count(text: &str) -> Result<u32, TimeError> {
    text.parse().map_err(|_| TimeError::Malformed)
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

/// `seconds` moved into the range of times; `None` for NaN.
pub(super) fn clamped(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn kgs(text: &str) -> Result<TimeSystem, TimeError> {
        TimeSystem::from_kgs(&text.split_whitespace().collect::<Vec<_>>())
    }

    fn kata(text: &str) -> Result<TimeSystem, TimeError> {
        TimeSystem::from_kata(&text.split_whitespace().collect::<Vec<_>>())
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
        assert_eq!(kgs("none"), Ok(TimeSystem::None));
        assert_eq!(kgs("Absolute 0.5"), Ok(TimeSystem::Absolute { main: half }));
        let canadian = TimeSystem::Canadian { main: s(60), period: half, stones: 25 };
        assert_eq!(kgs("canadian 60 .5 25"), Ok(canadian));
        let byo_yomi = TimeSystem::ByoYomi { main: s(60), period: s(30), periods: 3 };
        assert_eq!(kgs("byoyomi 60 30 3"), Ok(byo_yomi));
    }

    #[test]
    fn overtime_without_time_or_periods_is_absolute() {
        for text in ["byoyomi 60 30 0", "byoyomi 60 0 3", "canadian 60 0 3"] {
            assert_eq!(kgs(text), Ok(TimeSystem::Absolute { main: s(60) }), "{text}");
        }
        assert_eq!(kgs("canadian 60 30 0"), Ok(TimeSystem::None));
    }

    #[test]
    fn kata_settings_add_fischer() {
        let (main, increment) = (s(60), s(5));
        let capped = |limit, max_move| Ok(TimeSystem::Fischer { main, increment, limit, max_move });
        assert_eq!(kata("fischer 60 5"), capped(None, None));
        assert_eq!(kata("fischer-capped 60 5 90 20"), capped(Some(s(90)), Some(s(20))));
        assert_eq!(kata("fischer-capped 60 5 -1 0"), capped(None, None));
        assert_eq!(kata("fischer-capped 60 5 60 -1"), capped(Some(s(60)), None));
        assert_eq!(kata("fischer-capped 60 5 59 -1"), Err(TimeError::OutOfRange));
        assert_eq!(kata("none"), Ok(TimeSystem::None));
        assert_eq!(kgs("fischer 60 5"), Err(TimeError::UnknownSystem));
    }

    #[test]
    fn every_listed_system_is_accepted() {
        let numbers = ["100", "10", "200", "20"];
        for name in KATA_SYSTEMS {
            let accepted = (0..=numbers.len()).any(|count| {
                let args: Vec<&str> = [&[*name], &numbers[..count]].concat();
                TimeSystem::from_kata(&args).is_ok()
            });
            assert!(accepted, "{name}");
        }
    }

    #[test]
    fn unknown_names_and_counts_are_refused() {
        for (form, name) in FORMS.iter().zip(KATA_SYSTEMS) {
            assert_eq!(form.split(' ').next(), Some(*name));
        }
        for text in ["", "japanese 1"] {
            assert_eq!(kata(text), Err(TimeError::UnknownSystem), "{text}");
        }
        for text in [
            "none 1",
            "absolute",
            "absolute 1 2",
            "fischer 1",
            "fischer-capped 1 2 3",
            "canadian 1 2",
            "byoyomi 1 2",
        ] {
            let (name, _) = text.split_once(' ').unwrap_or((text, ""));
            let Err(TimeError::Arguments(form)) = kata(text) else {
                panic!("{text}: {:?}", kata(text));
            };
            assert!(form.starts_with(name), "{text}: {form}");
        }
    }

    #[test]
    fn implausible_numbers_are_refused() {
        for text in ["x", "", "1,5", "10s"] {
            let args = ["absolute", text];
            assert_eq!(TimeSystem::from_kgs(&args), Err(TimeError::Malformed), "{text}");
        }
        for text in ["-1", "inf", "-inf", "nan", "100000001", "1e300"] {
            let args = ["absolute", text];
            assert_eq!(TimeSystem::from_kgs(&args), Err(TimeError::OutOfRange), "{text}");
        }
        for text in ["nan", "inf", "-inf", "1e9"] {
            let args = ["fischer-capped", "60", "5", text, "-1"];
            assert_eq!(TimeSystem::from_kata(&args), Err(TimeError::OutOfRange), "{text}");
        }
        assert_eq!(kgs("canadian 60 30 -5"), Err(TimeError::Malformed));
        assert_eq!(kgs("byoyomi 60 30 2.5"), Err(TimeError::Malformed));
        assert_eq!(TimeSystem::from_gtp(f64::NAN, 0.0, 0), Err(TimeError::OutOfRange));
        assert_eq!(TimeSystem::from_gtp(0.0, -1.0, 0), Err(TimeError::OutOfRange));
        assert_eq!(kgs("absolute 100000000"), Ok(TimeSystem::Absolute { main: s(100_000_000) }));
    }
}
