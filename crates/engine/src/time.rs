//! The time: the system's or, in a worker of the browser, the browser's.

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use browser::{Instant, since_1970};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// The time since 1 January 1970 in UTC; zero if the clock is before.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub fn since_1970() -> std::time::Duration {
    use std::time::{SystemTime, UNIX_EPOCH};
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

pub fn today() -> String {
    date(since_1970().as_secs())
}

/// The date in UTC, as `2001-02-03`, of seconds since 1970 (Howard Hinnant, "chrono-Compatible
/// Low-Level Date Algorithms", `civil_from_days`).
pub fn date(seconds: u64) -> String {
    // From 1 March of the year 0, leap days are the last days of years, and 400 years are 146,097
    // days.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153; // 0 is March
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", year + era * 400 + next_year)
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[allow(unsafe_code)]
mod browser {
    use std::ops::Add;
    use std::time::Duration;

    // Safety: functions of numbers, which `worker.js` gives to the module.
    #[link(wasm_import_module = "browser")]
    unsafe extern "C" {
        /// Milliseconds that never go back.
        safe fn now() -> f64;
        /// Milliseconds since 1970.
        safe fn date() -> f64;
    }

    fn milliseconds(number: f64) -> Duration {
        Duration::try_from_secs_f64(number / 1000.0).unwrap_or_default()
    }

    pub fn since_1970() -> Duration {
        milliseconds(date())
    }

    /// As in the standard library.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(milliseconds(now()))
        }

        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// Zero if the other is later.
        pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0 + time)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_follow_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01"),
            (58 * 86_400, "1970-02-28"),
            (59 * 86_400, "1970-03-01"),
            (789 * 86_400, "1972-02-29"),
            (951_782_400, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_735_689_599, "2024-12-31"),
            (4_107_456_000, "2100-02-28"),
            (4_107_542_400, "2100-03-01"),
        ] {
            assert_eq!(date(seconds), text, "second {seconds}");
        }
    }
}
