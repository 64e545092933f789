//! The time: the system's, or in the worker of a browser what the browser says.

#[cfg(not(all(target_family = "wasm", feature = "site")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", feature = "site"))]
pub use browser::Instant;

use std::time::Duration;

/// The time since the start of 1 January 1970 in UTC; zero on a machine whose clock is before.
pub fn since_1970() -> Duration {
    #[cfg(not(all(target_family = "wasm", feature = "site")))]
    {
        use std::time::{SystemTime, UNIX_EPOCH};
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.unwrap_or_default()
    }
    #[cfg(all(target_family = "wasm", feature = "site"))]
    browser::since_1970()
}

#[cfg(all(target_family = "wasm", feature = "site"))]
#[allow(unsafe_code)]
mod browser {
    use std::ops::Add;
    use std::time::Duration;

    // Safety: functions of numbers, which `worker.js` gives to the module.
    #[link(wasm_import_module = "browser")]
    unsafe extern "C" {
        /// Milliseconds that never go back.
        safe fn now() -> f64;
        /// Milliseconds since the start of 1970.
        safe fn date() -> f64;
    }

    fn milliseconds(number: f64) -> Duration {
        Duration::try_from_secs_f64(number / 1000.0).unwrap_or_default()
    }

    pub fn since_1970() -> Duration {
        milliseconds(date())
    }

    /// As that of the standard library.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present.
        pub fn now() -> Instant {
            Instant(milliseconds(now()))
        }

        /// The time since then.
        pub fn elapsed(&self) -> Duration {
            Instant::now().saturating_duration_since(*self)
        }

        /// The time since an earlier instant; zero if it is later.
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
