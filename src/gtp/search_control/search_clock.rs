//! Measures the time of a search and asks the time manager whether it is over.

use super::time_manager::{ProgressSample, SearchBudget, TimeManager};
use crate::search::SearchProgress;
use crate::time::Instant;
use std::time::Duration;

/// Ends the searches of one turn when their budget is used up.
#[derive(Clone, Debug)]
pub struct SearchClock {
    time_manager: TimeManager,
    has_time_limit: bool,
    started: Instant,
    /// How long after that the search began.
    began: Duration,
}

impl SearchClock {
    /// For a search that begins now, and whose budget runs since `started`.
    pub fn new(budget: SearchBudget, started: Instant) -> SearchClock {
        let began = started.elapsed();
        SearchClock {
            time_manager: TimeManager::begun_after(budget, began),
            has_time_limit: budget.time.is_some(),
            started,
            began,
        }
    }

    /// Time since the budget began to run.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether time limits the search, and not only playouts.
    pub fn has_time_limit(&self) -> bool {
        self.has_time_limit
    }

    /// Whether the budget is used up after this time: that of the search of a step, or of its
    /// choice while the search is choosing.
    pub fn is_over(&mut self, elapsed: Duration, progress: &dyn SearchProgress) -> bool {
        if progress.is_choosing() {
            return self.time_manager.is_out_of_time(elapsed);
        }
        self.time_manager.should_stop(ProgressSample {
            elapsed,
            playouts: progress.playouts(),
            to_choose: self.time_to_choose(elapsed, progress),
            stability: progress.stability(),
        })
    }

    /// Time that the choice would take now, at the rate of the search so far.
    fn time_to_choose(&self, elapsed: Duration, progress: &dyn SearchProgress) -> Duration {
        if !self.has_time_limit {
            return Duration::ZERO;
        }
        let share = progress.playouts_to_choose() as f64 / progress.playouts().max(1) as f64;
        let searched = elapsed.saturating_sub(self.began);
        Duration::try_from_secs_f64(searched.as_secs_f64() * share).unwrap_or(Duration::MAX)
    }
}
