//! The times of engines: their words, the commands that set them up, and players' clocks.

use crate::clock::{Clock, TimeError, TimeSystem};
use std::time::Duration;

/// Reads a number of seconds per move, or a time system.
pub fn parse_time(text: &str) -> Result<TimeSystem, TimeError> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let system = match words.as_slice() {
        [number] if number.parse::<f64>().is_ok() => {
            TimeSystem::from_words(&["byoyomi", "0", number, "1"])?
        }
        words => TimeSystem::from_words(words)?,
    };
    match system {
        TimeSystem::Absolute { main } | TimeSystem::Fischer { main, .. } if main.is_zero() => {
            Err(TimeError::OutOfRange)
        }
        system => Ok(system),
    }
}

/// The shortest words that [`parse_time`] reads.
pub fn time_words(system: &TimeSystem) -> String {
    match *system {
        TimeSystem::ByoYomi { main: Duration::ZERO, period, periods: 1 } => {
            period.as_secs_f64().to_string()
        }
        system => system.to_string(),
    }
}

/// The commands by which an engine knows its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeCommands {
    /// `kata-time_settings`: all systems, in fractions of seconds.
    Kata,
    /// `kgs-time_settings`: no increments, and whole seconds left.
    Kgs,
    /// `time_settings`: no byo-yomi periods either. Each becomes one stone of a Canadian period,
    /// and increments only show in `time_left`.
    Plain,
}

impl TimeCommands {
    /// The most exact ones that the engine `knows`.
    pub fn of(system: &TimeSystem, knows: impl Fn(&str) -> bool) -> TimeCommands {
        let has_increments = matches!(system, TimeSystem::Fischer { .. });
        if knows("kata-time_settings") {
            TimeCommands::Kata
        } else if !has_increments && knows("kgs-time_settings") {
            TimeCommands::Kgs
        } else {
            TimeCommands::Plain
        }
    }

    /// `None` if the engine needs none.
    pub fn settings(self, system: &TimeSystem) -> Option<String> {
        let (main, period, stones) = match *system {
            _ if self == TimeCommands::Kata => return Some(format!("kata-time_settings {system}")),
            _ if self == TimeCommands::Kgs => return Some(format!("kgs-time_settings {system}")),
            TimeSystem::None => return None,
            TimeSystem::Absolute { main } | TimeSystem::Fischer { main, .. } => {
                (main, Duration::ZERO, 0)
            }
            TimeSystem::Canadian { main, period, stones } => (main, period, stones),
            TimeSystem::ByoYomi { main, period, .. } => (main, period, 1),
        };
        let (main, period) = (whole_seconds(main), whole_seconds(period));
        Some(format!("time_settings {main} {period} {stones}"))
    }

    /// The numbers of `time_left`: seconds, and stones or periods.
    pub fn time_left(self, clock: &PlayerClock) -> String {
        let (left, count) = clock.clock.remaining();
        let is_byo_yomi = matches!(clock.system, TimeSystem::ByoYomi { .. });
        match self {
            // An instant counts as a millisecond: 0 means no time.
            TimeCommands::Kata if !left.is_zero() => {
                format!("{:.3} {count}", left.as_secs_f64().max(0.001))
            }
            TimeCommands::Plain if is_byo_yomi => {
                format!("{} {}", whole_seconds(left), count.min(1))
            }
            _ => format!("{} {count}", whole_seconds(left)),
        }
    }
}

/// GTP 2 has whole seconds, and 0 means no time.
fn whole_seconds(time: Duration) -> u64 {
    time.as_secs().max(u64::from(!time.is_zero()))
}

#[derive(Debug)]
pub struct PlayerClock {
    system: TimeSystem,
    clock: Clock,
    time_margin: Duration,
    /// The rest of the margin.
    margin: Duration,
}

impl PlayerClock {
    /// The margin may be used until the clock gets new time: a period or an increment. Absolute time
    /// has one for the whole game.
    pub fn new(system: &TimeSystem, time_margin: Duration) -> PlayerClock {
        let clock = Clock::new(system);
        PlayerClock { system: *system, clock, time_margin, margin: time_margin }
    }

    /// Without the margin; `None` without a limit.
    pub fn limit(&self) -> Option<Duration> {
        self.clock.limit()
    }

    /// Limit and margin; `None` without a limit.
    pub fn timeout(&self) -> Option<Duration> {
        Some(self.limit()?.saturating_add(self.margin))
    }

    /// Returns false if the move exceeded limit and margin.
    pub fn spend(&mut self, took: Duration) -> bool {
        let Some(limit) = self.limit() else {
            return true;
        };
        let late = took.saturating_sub(limit);
        let in_time = late <= self.margin;
        self.margin = self.margin.saturating_sub(late);
        // A move within the margin leaves an instant on the clock.
        let booked = took.min(limit.saturating_sub(Duration::from_nanos(1)));
        self.clock.spend(booked);
        if self.limit().is_some_and(|now| now > limit.saturating_sub(booked)) {
            self.margin = self.time_margin;
        }
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeSystem {
        parse_time(text).expect("time settings")
    }

    const S: fn(u64) -> Duration = Duration::from_secs;

    /// What an engine that knows only this command hears before its first move, and after moves of
    /// these seconds: the settings, then the numbers of `time_left`.
    fn heard(text: &str, command: &str, moves: &[f64]) -> Vec<String> {
        let system = control(text);
        let commands = TimeCommands::of(&system, |name| name == command);
        let mut clock = PlayerClock::new(&system, Duration::ZERO);
        let mut all =
            vec![commands.settings(&system).unwrap_or_default(), commands.time_left(&clock)];
        for &seconds in moves {
            assert!(clock.spend(Duration::from_secs_f64(seconds)), "{text}: {seconds}");
            all.push(commands.time_left(&clock));
        }
        all
    }

    #[test]
    fn engines_hear_their_time_in_the_words_that_they_know() {
        type Row = (&'static str, &'static [f64], [&'static [&'static str]; 3]);
        let rows: &[Row] = &[
            (
                "absolute 60",
                &[59.5],
                [
                    &["kata-time_settings absolute 60", "60.000 0", "0.500 0"],
                    &["kgs-time_settings absolute 60", "60 0", "1 0"],
                    &["time_settings 60 0 0", "60 0", "1 0"],
                ],
            ),
            (
                "2.5",
                &[1.0],
                [
                    &["kata-time_settings byoyomi 0 2.5 1", "2.500 1", "2.500 1"],
                    &["kgs-time_settings byoyomi 0 2.5 1", "2 1", "2 1"],
                    &["time_settings 0 2 1", "2 1", "2 1"],
                ],
            ),
            (
                "byoyomi 1.5 3 4",
                &[0.8, 2.0, 4.0, 1.0],
                [
                    &[
                        "kata-time_settings byoyomi 1.5 3 4",
                        "1.500 0",
                        "0.700 0",
                        "3.000 4",
                        "3.000 3",
                        "3.000 3",
                    ],
                    &["kgs-time_settings byoyomi 1.5 3 4", "1 0", "1 0", "3 4", "3 3", "3 3"],
                    &["time_settings 1 3 1", "1 0", "1 0", "3 1", "3 1", "3 1"],
                ],
            ),
            (
                "byoyomi 0 0.4 2",
                &[0.1],
                [
                    &["kata-time_settings byoyomi 0 0.4 2", "0.400 2", "0.400 2"],
                    &["kgs-time_settings byoyomi 0 0.4 2", "1 2", "1 2"],
                    &["time_settings 0 1 1", "1 1", "1 1"],
                ],
            ),
            (
                "canadian 1.5 6 3",
                &[0.8, 1.2, 4.8, 0.1],
                [
                    &[
                        "kata-time_settings canadian 1.5 6 3",
                        "1.500 0",
                        "0.700 0",
                        "5.500 2",
                        "0.700 1",
                        "6.000 3",
                    ],
                    &["kgs-time_settings canadian 1.5 6 3", "1 0", "1 0", "5 2", "1 1", "6 3"],
                    &["time_settings 1 6 3", "1 0", "1 0", "5 2", "1 1", "6 3"],
                ],
            ),
            (
                "fischer 10 0.4",
                &[9.9, 0.3],
                [
                    &["kata-time_settings fischer 10 0.4", "10.000 0", "0.500 0", "0.600 0"],
                    &["time_settings 10 0 0", "10 0", "1 0", "1 0"],
                    &["time_settings 10 0 0", "10 0", "1 0", "1 0"],
                ],
            ),
            (
                "fischer-capped 9 1 20 8",
                &[1.0],
                [
                    &["kata-time_settings fischer-capped 9 1 20 8", "9.000 0", "9.000 0"],
                    &["time_settings 9 0 0", "9 0", "9 0"],
                    &["time_settings 9 0 0", "9 0", "9 0"],
                ],
            ),
        ];
        let names = ["kata-time_settings", "kgs-time_settings", "time_settings"];
        for (text, moves, expected) in rows {
            for (name, expected) in names.into_iter().zip(expected) {
                assert_eq!(heard(text, name, moves), *expected, "{text}, {name}");
            }
        }
        let none = TimeSystem::None;
        assert_eq!(TimeCommands::Kata.settings(&none).as_deref(), Some("kata-time_settings none"));
        assert_eq!(TimeCommands::Plain.settings(&none), None);
    }

    /// An engine may have an instant left, which rounds to no time.
    #[test]
    fn no_time_is_said_only_where_there_is_none() {
        for text in ["absolute 10", "byoyomi 10 3 2", "canadian 10 6 2", "fischer-capped 9 1 9 0"] {
            let mut clock = PlayerClock::new(&control(text), S(1));
            while clock.spend(clock.limit().expect("a limit") + Duration::from_millis(1)) {
                for commands in [TimeCommands::Kata, TimeCommands::Kgs, TimeCommands::Plain] {
                    let left = commands.time_left(&clock);
                    let seconds = left.split(' ').next().and_then(|word| word.parse::<f64>().ok());
                    assert!(seconds.is_some_and(|seconds| seconds > 0.0), "{text}: {left}");
                }
                if clock.margin == S(1) {
                    break;
                }
            }
        }
    }

    #[test]
    fn impossible_times_are_refused() {
        for text in
            ["absolute", "fast", "-1", "0", "absolute 0", "fischer 0 5", "byoyomi 0 0 3", "nan"]
        {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_margin_is_allowed_and_nothing_more() {
        let mut clock = PlayerClock::new(&control("absolute 10"), S(1));
        assert_eq!(clock.timeout(), Some(S(11)));
        assert!(clock.spend(S(4)));
        assert_eq!(clock.clock.remaining(), (S(6), 0));
        assert!(clock.spend(S(7)), "a second late");
        assert!(clock.clock.remaining().0 < S(1) && !clock.clock.remaining().0.is_zero());
        assert!(!clock.spend(S(1)), "the margin is used up");

        // A margin for each move would be another second for each.
        let mut clock = PlayerClock::new(&control("absolute 1"), Duration::from_millis(200));
        let in_time = (0..100).take_while(|_| clock.spend(Duration::from_millis(150))).count();
        assert_eq!(in_time, 8, "1.2 s in all");

        let mut clock = PlayerClock::new(&control("canadian 0 6 2"), S(1));
        assert!(clock.spend(S(7)) && !clock.spend(S(1)), "one for each period");

        let mut clock = PlayerClock::new(&control("5"), S(1));
        for _ in 0..10 {
            assert!(clock.spend(S(6)));
            assert_eq!(clock.clock.remaining(), (S(5), 1));
        }
        assert!(!clock.spend(Duration::from_millis(6001)));
        let mut clock = PlayerClock::new(&control("none"), S(1));
        assert_eq!(clock.limit(), None);
        assert!(clock.spend(S(1_000_000)));
    }

    #[test]
    fn a_move_may_take_all_periods_of_byo_yomi() {
        let mut clock = PlayerClock::new(&control("byoyomi 10 5 3"), S(0));
        assert_eq!(clock.limit(), Some(S(25)));
        assert_eq!(clock.clock.remaining(), (S(10), 0));
        assert!(clock.spend(S(16)));
        assert_eq!(clock.clock.remaining(), (S(5), 2));
        assert_eq!(clock.limit(), Some(S(10)));
        assert!(clock.spend(S(9)));
        assert_eq!(clock.clock.remaining(), (S(5), 1));
        assert!(!clock.spend(S(6)));
    }

    #[test]
    fn canadian_periods_and_increments_are_kept() {
        let mut clock = PlayerClock::new(&control("canadian 10 6 2"), S(0));
        assert_eq!(clock.limit(), Some(S(16)));
        assert!(clock.spend(S(12)));
        assert_eq!(clock.clock.remaining(), (S(4), 1));
        assert!(clock.spend(S(3)));
        assert_eq!(clock.clock.remaining(), (S(6), 2));

        let mut clock = PlayerClock::new(&control("fischer-capped 10 3 11 8"), S(0));
        assert_eq!(clock.limit(), Some(S(8)));
        assert!(clock.spend(S(1)));
        assert_eq!(clock.clock.remaining(), (S(11), 0));
        assert!(!clock.spend(S(9)));
    }
}
