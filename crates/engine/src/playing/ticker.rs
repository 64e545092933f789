//! Regular reports and checks during a search.

use std::time::Duration;

/// Says when something regular is due; times count from any start.
#[derive(Clone, Copy, Debug)]
pub struct Ticker {
    /// `None` for never.
    due: Option<Duration>,
    interval: Option<Duration>,
}

impl Ticker {
    /// Due every `interval`; never without one.
    pub fn every(interval: Option<Duration>) -> Ticker {
        Ticker { due: interval, interval }
    }

    /// Sets another first time.
    #[must_use]
    pub fn first(self, due: Option<Duration>) -> Ticker {
        Ticker { due: due.or(self.due), ..self }
    }

    pub fn is_due(&self, now: Duration) -> bool {
        self.due.is_some_and(|due| now >= due)
    }

    /// Makes it due an interval later.
    pub fn done(&mut self, now: Duration) {
        self.due = self.interval.and_then(|interval| now.checked_add(interval));
    }

    /// Time until it is due, after which it counts as done.
    pub fn wait(&mut self, now: Duration) -> Duration {
        let due = self.due.unwrap_or(Duration::MAX).max(now);
        self.done(due);
        due - now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: fn(u64) -> Duration = Duration::from_secs;

    #[test]
    fn an_interval_passes_between_two_times() {
        let mut ticker = Ticker::every(Some(S(10)));
        assert_eq!([9, 10, 11].map(|now| ticker.is_due(S(now))), [false, true, true]);
        ticker.done(S(12));
        assert_eq!([21, 22].map(|now| ticker.is_due(S(now))), [false, true]);
        assert_eq!(ticker.wait(S(15)), S(7));
        assert_eq!(ticker.wait(S(40)), S(0), "late");
        assert_eq!(ticker.wait(S(40)), S(10));
    }

    #[test]
    fn the_first_time_may_be_another_or_the_only_one() {
        let mut ticker = Ticker::every(None).first(Some(S(3)));
        assert_eq!([2, 3].map(|now| ticker.is_due(S(now))), [false, true]);
        ticker.done(S(3));
        assert!(!ticker.is_due(Duration::MAX));
        let ticker = Ticker::every(Some(S(5))).first(None);
        assert_eq!([4, 5].map(|now| ticker.is_due(S(now))), [false, true]);
    }
}
