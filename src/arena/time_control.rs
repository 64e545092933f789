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
        TimeSystem::Absolute { main } if main.is_zero() => Err(TimeError::OutOfRange),
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

/// The most exact command that the engine `knows`; `None` without a limit or known command.
/// `kgs-time_settings` has no increments. `time_settings` has no byo-yomi periods either: each
/// becomes one stone, and increments only show in `time_left`.
pub fn time_command(system: &TimeSystem, knows: impl Fn(&str) -> bool) -> Option<String> {
    if knows("kata-time_settings") {
        return Some(format!("kata-time_settings {system}"));
    }
    let has_increments = matches!(system, TimeSystem::Fischer { .. });
    if !has_increments && knows("kgs-time_settings") {
        return Some(format!("kgs-time_settings {system}"));
    }
    let (main, period, stones) = match *system {
        _ if !knows("time_settings") => return None,
        TimeSystem::None => return None,
        TimeSystem::Absolute { main } | TimeSystem::Fischer { main, .. } => {
            (main, Duration::ZERO, 0)
        }
        TimeSystem::Canadian { main, period, stones } => (main, period, stones),
        TimeSystem::ByoYomi { main, period, .. } => (main, period, 1),
    };
    // GTP 2 has whole seconds only, and 0 means no time.
    let whole = |time: Duration| time.as_secs().max(u64::from(!time.is_zero()));
    let (main, period) = (whole(main), whole(period));
    Some(format!("time_settings {main} {period} {stones}"))
}

#[derive(Debug)]
pub struct PlayerClock {
    clock: Clock,
    time_margin: Duration,
}

impl PlayerClock {
    /// Each move may exceed its time by the margin.
    pub fn new(system: &TimeSystem, time_margin: Duration) -> PlayerClock {
        PlayerClock { clock: Clock::new(system), time_margin }
    }

    /// Without the margin; `None` without a limit.
    pub fn limit(&self) -> Option<Duration> {
        self.clock.limit()
    }

    /// Limit and margin; `None` without a limit.
    pub fn timeout(&self) -> Option<Duration> {
        Some(self.limit()?.saturating_add(self.time_margin))
    }

    /// Returns false if the move exceeded limit and margin.
    pub fn spend(&mut self, took: Duration) -> bool {
        let Some(limit) = self.limit() else {
            return true;
        };
        let in_time = took <= limit.saturating_add(self.time_margin);
        // A move within the margin leaves an instant on the clock.
        let last_instant = limit.saturating_sub(Duration::from_nanos(1));
        self.clock.spend(took.min(last_instant));
        in_time
    }

    /// The numbers of `time_left`: seconds, and stones or periods.
    pub fn left(&self) -> (Duration, u32) {
        self.clock.left()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeSystem {
        parse_time(text).expect("time settings")
    }

    const S: fn(u64) -> Duration = Duration::from_secs;

    #[test]
    fn commands_have_the_form_that_the_engine_knows() {
        let all: &[&str] = &["kata-time_settings", "kgs-time_settings", "time_settings"];
        let delivered = |text: &str, from: usize| {
            let command = time_command(&control(text), |name| all[from..].contains(&name));
            command.unwrap_or_default()
        };
        for (text, kata, kgs, gtp) in [
            ("none", "none", "kgs-time_settings none", ""),
            ("2.5", "byoyomi 0 2.5 1", "kgs-time_settings byoyomi 0 2.5 1", "time_settings 0 2 1"),
            ("absolute 60", "absolute 60", "kgs-time_settings absolute 60", "time_settings 60 0 0"),
            (
                "canadian 60 30 5",
                "canadian 60 30 5",
                "kgs-time_settings canadian 60 30 5",
                "time_settings 60 30 5",
            ),
            (
                "byoyomi 60 10 3",
                "byoyomi 60 10 3",
                "kgs-time_settings byoyomi 60 10 3",
                "time_settings 60 10 1",
            ),
            ("fischer 60 0.1", "fischer 60 0.1", "time_settings 60 0 0", "time_settings 60 0 0"),
            (
                "fischer-capped 9 1 20 0",
                "fischer-capped 9 1 20 -1",
                "time_settings 9 0 0",
                "time_settings 9 0 0",
            ),
        ] {
            assert_eq!(delivered(text, 0), format!("kata-time_settings {kata}"));
            assert_eq!(delivered(text, 1), kgs, "{text}");
            assert_eq!(delivered(text, 2), gtp, "{text}");
            assert_eq!(delivered(text, 3), "", "{text}");
        }
        for text in ["absolute", "fast", "-1", "0", "absolute 0", "nan"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_margin_is_allowed_and_nothing_more() {
        let mut clock = PlayerClock::new(&control("absolute 10"), S(1));
        assert_eq!(clock.timeout(), Some(S(11)));
        assert!(clock.spend(S(4)));
        assert_eq!(clock.left(), (S(6), 0));
        assert!(clock.spend(S(7)), "a second late");
        assert!(clock.left().0 < S(1) && !clock.left().0.is_zero());
        assert!(clock.spend(S(1)));
        assert!(!clock.spend(S(2)));

        let mut clock = PlayerClock::new(&control("5"), S(1));
        for _ in 0..10 {
            assert!(clock.spend(S(6)));
            assert_eq!(clock.left(), (S(5), 1));
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
        assert_eq!(clock.left(), (S(10), 0));
        assert!(clock.spend(S(16)));
        assert_eq!(clock.left(), (S(5), 2));
        assert_eq!(clock.limit(), Some(S(10)));
        assert!(clock.spend(S(9)));
        assert_eq!(clock.left(), (S(5), 1));
        assert!(!clock.spend(S(6)));
    }

    #[test]
    fn canadian_periods_and_increments_are_kept() {
        let mut clock = PlayerClock::new(&control("canadian 10 6 2"), S(0));
        assert_eq!(clock.limit(), Some(S(16)));
        assert!(clock.spend(S(12)));
        assert_eq!(clock.left(), (S(4), 1));
        assert!(clock.spend(S(3)));
        assert_eq!(clock.left(), (S(6), 2));

        let mut clock = PlayerClock::new(&control("fischer-capped 10 3 11 8"), S(0));
        assert_eq!(clock.limit(), Some(S(8)));
        assert!(clock.spend(S(1)));
        assert_eq!(clock.left(), (S(11), 0));
        assert!(!clock.spend(S(9)));
    }
}
