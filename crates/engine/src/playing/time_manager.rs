//! Time management: when to end the search for a turn.

use crate::clock::TimeBudget;
use crate::search::{BestMoveStability, SearchProgress};
use crate::time::Instant;
use std::time::Duration;

/// The choice is stable if the best move has this many times the visits of the second.
const STABLE_VISITS_RATIO: f64 = 2.5;

/// The playout rate is reliable after the remaining time divided by this.
const RATE_WARMUP_DIVISOR: u32 = 16;

/// The choice after a search gets at most the time of the search divided by this.
const MAX_CHOICE_DIVISOR: u32 = 4;

/// The budget of the search for one turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchBudget {
    /// Without time only playouts limit the search.
    pub time: Option<TimeBudget>,
    /// The search itself counts playouts.
    pub playouts: Option<u64>,
    /// Whether to end the search once the rest cannot change the choice. Time that would be lost is
    /// still used, because the tree is kept.
    pub early_stop: bool,
    /// Whether each step of the turn has a search of its own: each gets two thirds of the time
    /// left, because the first is the most important; a step that ends the turn gets all of it.
    pub in_parts: bool,
}

/// The state of a search at one moment.
#[derive(Clone, Copy, Debug)]
struct ProgressSample {
    /// Since the start of the turn's searches.
    elapsed: Duration,
    /// Since the start of the turn's searches.
    playouts: u64,
    /// Time for the choice after the search.
    to_choose: Duration,
    stability: BestMoveStability,
}

/// Decides when to end the searches of one turn.
#[derive(Clone, Debug)]
pub struct TimeManager {
    budget: SearchBudget,
    started: Instant,
    /// Time of the budget that was used before that.
    used: Duration,
    /// Time of the budget before the first search.
    first: Duration,
    /// Time and playouts at the start of the current step's search.
    began: (Duration, u64),
    /// The deadline of the search that ended last.
    passed: Option<Duration>,
}

impl TimeManager {
    /// For a search that begins now; its budget runs since `started`, and `used` was used before.
    pub fn new(budget: SearchBudget, started: Instant, used: Duration) -> TimeManager {
        let first = used + started.elapsed();
        TimeManager { used, ..TimeManager::begun_after(budget, started, first) }
    }

    fn begun_after(budget: SearchBudget, started: Instant, first: Duration) -> TimeManager {
        let used = Duration::ZERO;
        TimeManager { budget, started, used, first, began: (first, 0), passed: None }
    }

    /// Time of the budget that is used up to now.
    pub fn elapsed(&self) -> Duration {
        self.used + self.started.elapsed()
    }

    pub fn has_time_limit(&self) -> bool {
        self.budget.time.is_some()
    }

    /// Whether the budget is used up after this time: that of the search of a step, or of its
    /// choice while the search is choosing.
    pub fn is_over(&mut self, elapsed: Duration, progress: &dyn SearchProgress) -> bool {
        if progress.is_choosing() {
            return self.is_out_of_time(elapsed);
        }
        self.should_stop(ProgressSample {
            elapsed,
            playouts: progress.playouts(),
            to_choose: self.time_to_choose(elapsed, progress),
            stability: progress.stability(),
        })
    }

    /// Time for a choice now, at the rate of the search so far.
    fn time_to_choose(&self, elapsed: Duration, progress: &dyn SearchProgress) -> Duration {
        if !self.has_time_limit() {
            return Duration::ZERO;
        }
        let share = progress.playouts_to_choose() as f64 / progress.playouts().max(1) as f64;
        let searched = elapsed.saturating_sub(self.first);
        Duration::try_from_secs_f64(searched.as_secs_f64() * share).unwrap_or(Duration::MAX)
    }

    fn should_stop(&mut self, sample: ProgressSample) -> bool {
        let over = self.is_step_over(sample);
        if over {
            self.passed = self.deadline(sample.stability);
            self.began = (sample.elapsed, sample.playouts);
        }
        over
    }

    /// Whether the time of the last search, its choice included, is up.
    fn is_out_of_time(&self, elapsed: Duration) -> bool {
        self.passed.is_some_and(|deadline| elapsed >= deadline)
    }

    fn is_step_over(&self, sample: ProgressSample) -> bool {
        let deadline = self.deadline(sample.stability);
        // The choice may take a part of the time.
        let end = |deadline: Duration| {
            deadline.saturating_sub(sample.to_choose.min(deadline / MAX_CHOICE_DIVISOR))
        };
        if deadline.is_some_and(|deadline| sample.elapsed >= end(deadline)) {
            return true;
        }
        let [first, second] = sample.stability.visits.map(u64::from);
        self.budget.early_stop
            && (sample.stability.is_decided
                || second.saturating_add(self.expected_playouts(sample, deadline)) < first)
    }

    /// The latest end of the search of the current step.
    fn deadline(&self, stability: BestMoveStability) -> Option<Duration> {
        let time = self.budget.time?;
        if self.budget.in_parts {
            let began = self.began.0;
            let remaining = time.optimum.saturating_sub(began);
            return Some(
                began + if stability.continues_turn { remaining * 2 / 3 } else { remaining },
            );
        }
        Some(if is_unstable(stability) { time.maximum } else { time.optimum })
    }

    fn expected_playouts(&self, sample: ProgressSample, deadline: Option<Duration>) -> u64 {
        // The next step of the turn gets unused time.
        let continues_turn = self.budget.in_parts && sample.stability.continues_turn;
        let to_save = continues_turn || self.budget.time.is_some_and(|time| time.saved);
        let by_time = deadline.filter(|_| to_save).map(|deadline| {
            let (since, before) = self.began;
            let elapsed = sample.elapsed.saturating_sub(since);
            let playouts = sample.playouts.saturating_sub(before) as f64;
            let remaining = deadline.saturating_sub(sample.elapsed);
            // A search that has just begun may still get faster.
            if playouts == 0.0 || elapsed < remaining / RATE_WARMUP_DIVISOR {
                return u64::MAX;
            }
            (playouts / elapsed.as_secs_f64() * remaining.as_secs_f64()) as u64
        });
        // In a turn of several steps the search itself divides the playouts.
        let counted = self.budget.playouts.filter(|_| !self.budget.in_parts);
        let by_count = counted.map(|limit| limit.saturating_sub(sample.playouts));
        let ends = [by_time, by_count];
        ends.into_iter().flatten().min().unwrap_or(u64::MAX)
    }
}

/// Whether more time may find a better choice.
fn is_unstable(stability: BestMoveStability) -> bool {
    let [first, second] = stability.visits.map(f64::from);
    !stability.is_best_by_value || first < STABLE_VISITS_RATIO * second
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn sample(
        elapsed: u64,
        playouts: u64,
        visits: [u32; 2],
        is_best_by_value: bool,
    ) -> ProgressSample {
        ProgressSample {
            elapsed: ms(elapsed),
            playouts,
            to_choose: Duration::ZERO,
            stability: BestMoveStability {
                visits,
                is_best_by_value,
                is_decided: false,
                continues_turn: false,
            },
        }
    }

    fn clocked() -> SearchBudget {
        SearchBudget {
            time: Some(TimeBudget { optimum: ms(1000), maximum: ms(3000), saved: true }),
            early_stop: true,
            ..SearchBudget::default()
        }
    }

    fn manager(budget: SearchBudget) -> TimeManager {
        TimeManager::begun_after(budget, Instant::now(), Duration::ZERO)
    }

    fn should_stop(budget: SearchBudget, sample: ProgressSample) -> bool {
        manager(budget).should_stop(sample)
    }

    #[test]
    fn stable_choice_gets_the_optimum_and_unstable_the_maximum() {
        let cases = [
            (999, [5000, 2000], true, false),
            (1000, [5000, 2000], true, true),
            (1000, [5000, 2001], true, false),
            (1000, [5000, 10], false, false),
            (2999, [5000, 4999], true, false),
            (3000, [5000, 4999], true, true),
            (3000, [5000, 4999], false, true),
        ];
        let no_early_stop = SearchBudget { early_stop: false, ..clocked() };
        for (elapsed, visits, is_best_by_value, over) in cases {
            let sample = sample(elapsed, 10_000, visits, is_best_by_value);
            assert_eq!(should_stop(no_early_stop, sample), over, "{elapsed} {visits:?}");
        }
    }

    #[test]
    fn the_choice_is_made_within_the_time() {
        let budget = SearchBudget { early_stop: false, ..clocked() };
        let look = |elapsed, to_choose| ProgressSample {
            to_choose: ms(to_choose),
            ..sample(elapsed, 10_000, [5000, 1000], true)
        };
        assert!(!should_stop(budget, look(899, 100)));
        assert!(should_stop(budget, look(900, 100)));
        assert!(!should_stop(budget, look(749, 5000)));
        assert!(should_stop(budget, look(750, 5000)));
        let mut time_manager = manager(budget);
        assert!(time_manager.should_stop(look(900, 100)));
        assert!(!time_manager.is_out_of_time(ms(999)));
        assert!(time_manager.is_out_of_time(ms(1000)));
    }

    #[test]
    fn early_stop_if_the_second_cannot_catch_up() {
        // 10 playouts per millisecond: 5000 are still to come before 1000 ms.
        assert!(should_stop(clocked(), sample(500, 5000, [8001, 3000], true)));
        assert!(!should_stop(clocked(), sample(500, 5000, [8000, 3000], true)));
        let no_early_stop = SearchBudget { early_stop: false, ..clocked() };
        assert!(!should_stop(no_early_stop, sample(500, 5000, [100_000, 1], true)));
        assert!(should_stop(no_early_stop, sample(1000, 5000, [100_000, 1], true)));
        // Too early to know the rate.
        assert!(!should_stop(clocked(), sample(0, 0, [100_000, 1], true)));
        assert!(!should_stop(clocked(), sample(50, 10, [100_000, 1], true)));
        assert!(should_stop(clocked(), sample(60, 10, [100_000, 1], true)));
    }

    #[test]
    fn time_that_is_not_saved_is_used_up() {
        let budget = SearchBudget { time: Some(TimeBudget::exactly(ms(1000))), ..clocked() };
        assert!(!should_stop(budget, sample(999, 5000, [100_000, 1], true)));
        assert!(should_stop(budget, sample(1000, 5000, [100_000, 1], true)));
        let counted = SearchBudget { playouts: Some(6000), ..budget };
        assert!(should_stop(counted, sample(500, 5000, [3001, 2000], true)));
    }

    #[test]
    fn decided_choice_stops_at_once() {
        let mut sample = sample(0, 0, [0, 0], false);
        sample.stability.is_decided = true;
        assert!(should_stop(clocked(), sample));
        let no_early_stop = SearchBudget { early_stop: false, ..clocked() };
        assert!(!should_stop(no_early_stop, sample));
    }

    #[test]
    fn playout_limit_ignores_the_time() {
        let budget =
            SearchBudget { playouts: Some(1000), early_stop: true, ..SearchBudget::default() };
        for elapsed in [0, 1, 1_000_000] {
            assert!(!should_stop(budget, sample(elapsed, 600, [500, 100], true)));
            assert!(should_stop(budget, sample(elapsed, 601, [501, 100], true)));
        }
        assert!(!should_stop(SearchBudget::default(), sample(1 << 40, 1 << 40, [9, 1], true)));
    }

    #[test]
    fn steps_of_a_turn_share_its_time() {
        let budget =
            SearchBudget { in_parts: true, early_stop: true, playouts: Some(100), ..clocked() };
        let mut time_manager = manager(budget);
        let close = |elapsed| {
            let mut sample = sample(elapsed, 1000 * elapsed, [60, 50], true);
            sample.stability.continues_turn = true;
            sample
        };
        let ends: Vec<u64> = (0..1000).filter(|&ms| time_manager.should_stop(close(ms))).collect();
        assert_eq!(ends[..4], [667, 889, 963, 988]);
        // A step that ends early leaves its time to the next ones.
        let mut time_manager = manager(budget);
        let clear = |continues_turn| {
            let mut sample = sample(100, 1000, [9001, 0], true);
            sample.stability.continues_turn = continues_turn;
            sample
        };
        assert!(time_manager.should_stop(clear(true)));
        assert!(!time_manager.should_stop(close(699)));
        assert!(time_manager.should_stop(close(700)));
        // The step that ends the turn gets all of the time, unless it is saved for
        // later turns.
        let last = |elapsed| sample(elapsed, 1_000_000, [60, 50], true);
        let mut time_manager = manager(budget);
        assert!(!time_manager.should_stop(last(999)) && time_manager.should_stop(last(1000)));
        let fixed = SearchBudget { time: Some(TimeBudget::exactly(ms(1000))), ..budget };
        assert!(manager(budget).should_stop(clear(false)));
        assert!(!manager(fixed).should_stop(clear(false)));
        assert!(manager(fixed).should_stop(clear(true)));
    }

    /// Deadlines count from the start of the turn, the rate of the search from its own.
    #[test]
    fn time_before_the_first_search_is_part_of_the_turn() {
        let begun = |budget| TimeManager::begun_after(budget, Instant::now(), ms(500));
        let no_early_stop = SearchBudget { early_stop: false, ..clocked() };
        assert!(!begun(no_early_stop).should_stop(sample(999, 99, [50, 10], true)));
        assert!(begun(no_early_stop).should_stop(sample(1000, 99, [50, 10], true)));
        // 10 playouts per millisecond since 500 ms: 2500 are still to come.
        assert!(begun(clocked()).should_stop(sample(750, 2500, [4101, 1600], true)));
        assert!(!begun(clocked()).should_stop(sample(750, 2500, [4100, 1600], true)));
        let in_parts = SearchBudget { in_parts: true, ..no_early_stop };
        let mut first = sample(833, 99, [60, 50], true);
        first.stability.continues_turn = true;
        assert!(!begun(in_parts).should_stop(first));
        first.elapsed = ms(834);
        assert!(begun(in_parts).should_stop(first));
    }
}
