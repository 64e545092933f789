//! When to stop thinking about a turn.
//!
//! Nothing here looks at a clock or at a search: the caller says how long it
//! has thought and what the search shows.

use std::time::Duration;

use crate::search::Lead;

/// A favourite with so many times the visits of the next is a clear choice.
const CLEAR: f64 = 2.5;

/// One part in so many of the time left must have passed before the rate of
/// playouts is believed.
const FEWEST: u32 = 16;

/// The time for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// For a clear choice.
    pub usual: Duration,
    /// For an open one.
    pub most: Duration,
    /// Whether what is not used of it is there for later turns.
    pub saved: bool,
}

impl Allowance {
    /// The same time for every choice, turn by turn.
    pub fn exactly(time: Duration) -> Allowance {
        Allowance {
            usual: time,
            most: time,
            saved: false,
        }
    }

    /// Not more than `time`.
    #[must_use]
    pub fn at_most(self, time: Duration) -> Allowance {
        Allowance {
            usual: self.usual.min(time),
            most: self.most.min(time),
            saved: self.saved && self.usual < time,
        }
    }

    /// Half of it.
    #[must_use]
    pub fn halved(self) -> Allowance {
        Allowance {
            usual: self.usual / 2,
            most: self.most / 2,
            saved: self.saved,
        }
    }
}

/// What limits the thinking about one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The time; without it only playouts limit.
    pub time: Option<Allowance>,
    /// The playouts, which the search counts itself.
    pub playouts: Option<u64>,
    /// Whether to stop as soon as the rest cannot change the choice; but time
    /// that would not be there later is better used to look ahead.
    pub early_stop: bool,
    /// Whether a turn of several steps is thought out, each in its own search:
    /// two thirds of what is left are for each in turn, so that the first, which
    /// weighs most, gets most; all that is left for one that ends the turn.
    pub in_parts: bool,
}

/// One look at a search.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Time since thinking began.
    pub elapsed: Duration,
    /// Playouts since thinking began.
    pub playouts: u64,
    /// How clear the choice is.
    pub lead: Lead,
}

/// Follows a search and says when to end it.
#[derive(Clone, Debug)]
pub struct Pace {
    limits: Limits,
    /// When the part under way began, and what playouts there were.
    began: (Duration, u64),
}

impl Pace {
    /// The pace of a turn that is about to be thought out.
    pub fn new(limits: Limits) -> Pace {
        Pace {
            limits,
            began: (Duration::ZERO, 0),
        }
    }

    /// Whether to end the search, or the part of it that is under way.
    pub fn is_over(&mut self, look: Look) -> bool {
        let over = self.is_due(look);
        if over {
            self.began = (look.elapsed, look.playouts);
        }
        over
    }

    fn is_due(&self, look: Look) -> bool {
        let deadline = self.deadline(look.lead);
        if deadline.is_some_and(|deadline| look.elapsed >= deadline) {
            return true;
        }
        let [first, second] = look.lead.visits.map(u64::from);
        self.limits.early_stop
            && (look.lead.settled || second.saturating_add(self.to_come(look, deadline)) < first)
    }

    /// When the part under way ends at the latest.
    fn deadline(&self, lead: Lead) -> Option<Duration> {
        let time = self.limits.time?;
        if self.limits.in_parts {
            let began = self.began.0;
            let left = time.usual.saturating_sub(began);
            return Some(began + if lead.goes_on { left * 2 / 3 } else { left });
        }
        Some(if is_open(lead) { time.most } else { time.usual })
    }

    /// Playouts that are still to be expected.
    fn to_come(&self, look: Look, deadline: Option<Duration>) -> u64 {
        // What a step does not use is there for the next of its turn.
        let goes_on = self.limits.in_parts && look.lead.goes_on;
        let to_save = goes_on || self.limits.time.is_some_and(|time| time.saved);
        let by_time = deadline.filter(|_| to_save).map(|deadline| {
            let (since, before) = self.began;
            let elapsed = look.elapsed.saturating_sub(since);
            let made = look.playouts.saturating_sub(before) as f64;
            let left = deadline.saturating_sub(look.elapsed);
            // A search that has only begun may still become faster.
            if made == 0.0 || elapsed < left / FEWEST {
                return u64::MAX;
            }
            (made / elapsed.as_secs_f64() * left.as_secs_f64()) as u64
        });
        // In a turn of several steps, how the playouts are shared is the
        // search's own business.
        let counted = self.limits.playouts.filter(|_| !self.limits.in_parts);
        let by_count = counted.map(|limit| limit.saturating_sub(look.playouts));
        let ends = [by_time, by_count];
        ends.into_iter().flatten().min().unwrap_or(u64::MAX)
    }
}

/// Whether more time may find a better choice.
fn is_open(lead: Lead) -> bool {
    let [first, second] = lead.visits.map(f64::from);
    !lead.agreed || first < CLEAR * second
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn look(elapsed: u64, playouts: u64, visits: [u32; 2], agreed: bool) -> Look {
        Look {
            elapsed: ms(elapsed),
            playouts,
            lead: Lead {
                visits,
                agreed,
                settled: false,
                goes_on: false,
            },
        }
    }

    fn clocked() -> Limits {
        Limits {
            time: Some(Allowance {
                usual: ms(1000),
                most: ms(3000),
                saved: true,
            }),
            early_stop: true,
            ..Limits::default()
        }
    }

    fn is_over(limits: Limits, look: Look) -> bool {
        Pace::new(limits).is_over(look)
    }

    #[test]
    fn a_clear_choice_gets_the_usual_time_and_an_open_one_more() {
        let cases = [
            (999, [5000, 2000], true, false),
            (1000, [5000, 2000], true, true),
            (1000, [5000, 2001], true, false),
            (1000, [5000, 10], false, false),
            (2999, [5000, 4999], true, false),
            (3000, [5000, 4999], true, true),
            (3000, [5000, 4999], false, true),
        ];
        let patient = Limits {
            early_stop: false,
            ..clocked()
        };
        for (elapsed, visits, agreed, over) in cases {
            let look = look(elapsed, 10_000, visits, agreed);
            assert_eq!(is_over(patient, look), over, "{elapsed} {visits:?}");
        }
    }

    #[test]
    fn what_cannot_be_caught_up_is_chosen_at_once() {
        // 10 playouts a millisecond: 5000 are still to come before 1000 ms.
        assert!(is_over(clocked(), look(500, 5000, [8001, 3000], true)));
        assert!(!is_over(clocked(), look(500, 5000, [8000, 3000], true)));
        let patient = Limits {
            early_stop: false,
            ..clocked()
        };
        assert!(!is_over(patient, look(500, 5000, [100_000, 1], true)));
        assert!(is_over(patient, look(1000, 5000, [100_000, 1], true)));
        // Before enough was measured nothing is known.
        assert!(!is_over(clocked(), look(0, 0, [100_000, 1], true)));
        assert!(!is_over(clocked(), look(50, 10, [100_000, 1], true)));
        assert!(is_over(clocked(), look(60, 10, [100_000, 1], true)));
    }

    #[test]
    fn time_that_nobody_saves_is_used() {
        let limits = Limits {
            time: Some(Allowance::exactly(ms(1000))),
            ..clocked()
        };
        assert!(!is_over(limits, look(999, 5000, [100_000, 1], true)));
        assert!(is_over(limits, look(1000, 5000, [100_000, 1], true)));
        let counted = Limits {
            playouts: Some(6000),
            ..limits
        };
        assert!(is_over(counted, look(500, 5000, [3001, 2000], true)));
    }

    #[test]
    fn a_settled_choice_needs_no_time() {
        let mut look = look(0, 0, [0, 0], false);
        look.lead.settled = true;
        assert!(is_over(clocked(), look));
        let patient = Limits {
            early_stop: false,
            ..clocked()
        };
        assert!(!is_over(patient, look));
    }

    #[test]
    fn playouts_alone_are_counted_whatever_the_time() {
        let limits = Limits {
            playouts: Some(1000),
            early_stop: true,
            ..Limits::default()
        };
        for elapsed in [0, 1, 1_000_000] {
            assert!(!is_over(limits, look(elapsed, 600, [500, 100], true)));
            assert!(is_over(limits, look(elapsed, 601, [501, 100], true)));
        }
        assert!(!is_over(
            Limits::default(),
            look(1 << 40, 1 << 40, [9, 1], true)
        ));
    }

    #[test]
    fn a_turn_of_several_steps_shares_its_time_out() {
        let limits = Limits {
            in_parts: true,
            early_stop: true,
            playouts: Some(100),
            ..clocked()
        };
        let mut pace = Pace::new(limits);
        let close = |elapsed| {
            let mut look = look(elapsed, 1000 * elapsed, [60, 50], true);
            look.lead.goes_on = true;
            look
        };
        let ends: Vec<u64> = (0..1000).filter(|&ms| pace.is_over(close(ms))).collect();
        assert_eq!(ends[..4], [667, 889, 963, 988]);
        // A part that ends early leaves its time to the others.
        let mut pace = Pace::new(limits);
        let clear = |goes_on| {
            let mut look = look(100, 1000, [9001, 0], true);
            look.lead.goes_on = goes_on;
            look
        };
        assert!(pace.is_over(clear(true)));
        assert!(!pace.is_over(close(699)));
        assert!(pace.is_over(close(700)));
        // What ends the turn has all the time there is, unless it is saved.
        let last = |elapsed| look(elapsed, 1_000_000, [60, 50], true);
        let mut pace = Pace::new(limits);
        assert!(!pace.is_over(last(999)) && pace.is_over(last(1000)));
        let fixed = Limits {
            time: Some(Allowance::exactly(ms(1000))),
            ..limits
        };
        assert!(Pace::new(limits).is_over(clear(false)));
        assert!(!Pace::new(fixed).is_over(clear(false)));
        assert!(Pace::new(fixed).is_over(clear(true)));
    }

    #[test]
    fn allowances_shrink() {
        let time = Allowance {
            usual: ms(10),
            most: ms(30),
            saved: true,
        };
        assert_eq!(time.at_most(ms(20)).most, ms(20));
        assert!(time.at_most(ms(20)).saved);
        assert_eq!(time.at_most(ms(5)), Allowance::exactly(ms(5)));
        assert_eq!(time.halved().most, ms(15));
    }
}
