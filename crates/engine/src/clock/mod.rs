//! Time systems, and clocks with the time left.
//!
//! This module measures no time: the caller passes the time of each move.

use crate::board::Color;
use std::time::Duration;

mod system;
#[cfg(test)]
mod tests;

pub use system::{KATA_SYSTEMS, TimeError, TimeSystem};

/// Minimum time of a search: on an empty clock, a quick move is still the best one.
const MIN_SEARCH: Duration = Duration::from_millis(1);

/// Minimum cost of each later move, and minimum number of later moves to reserve time for: absolute
/// time is never refilled.
const MIN_MOVE: Duration = Duration::from_millis(10);
const MIN_MOVES_LEFT: u32 = 30;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Overtime {
    /// Time left in the current period.
    remaining: Duration,
    /// Canadian: stones still to play in the period. Byo-yomi: periods left, including the current
    /// one.
    count: u32,
}

impl Overtime {
    /// A new period; zero for a system without overtime.
    fn full(system: &TimeSystem) -> Self {
        match *system {
            TimeSystem::Canadian { period, stones, .. } if stones > 0 => {
                Self { remaining: period, count: stones }
            }
            TimeSystem::ByoYomi { period, periods, .. } if periods > 0 => {
                Self { remaining: period, count: periods }
            }
            _ => Self { remaining: Duration::ZERO, count: 0 },
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBudget {
    /// For a stable choice.
    pub optimum: Duration,
    /// For an unstable choice.
    pub maximum: Duration,
    /// Whether later turns get unused time.
    pub saved: bool,
}

impl TimeBudget {
    /// The same time for every choice; unused time is lost.
    pub fn exactly(time: Duration) -> TimeBudget {
        TimeBudget { optimum: time, maximum: time, saved: false }
    }

    #[must_use]
    pub fn at_most(self, time: Duration) -> TimeBudget {
        TimeBudget {
            optimum: self.optimum.min(time),
            maximum: self.maximum.min(time),
            saved: self.saved && self.optimum < time,
        }
    }
}

/// One player's clock; its times never go below zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clock {
    system: TimeSystem,
    main: Duration,
    overtime: Overtime,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(&TimeSystem::None)
    }
}

impl Clock {
    pub fn new(system: &TimeSystem) -> Self {
        Self { system: *system, main: system.main(), overtime: Overtime::full(system) }
    }

    /// Books a finished move: main time runs down first, then overtime.
    pub fn spend(&mut self, elapsed: Duration) {
        let main = self.main;
        let overrun = elapsed.saturating_sub(main);
        self.main = main.saturating_sub(elapsed);
        match self.system {
            TimeSystem::None | TimeSystem::Absolute { .. } => {}
            TimeSystem::Canadian { .. } | TimeSystem::ByoYomi { .. } => {
                if main.is_zero() || !overrun.is_zero() {
                    self.spend_overtime(overrun);
                }
            }
            // A late move gets no increment: the clock stays at zero. If the game continues, the
            // controller's clock had more time, and increments resume.
            TimeSystem::Fischer { increment, limit, .. } if main.is_zero() || overrun.is_zero() => {
                let limit = limit.unwrap_or(Duration::MAX);
                self.main = self.main.saturating_add(increment).min(limit);
            }
            TimeSystem::Fischer { .. } => {}
        }
    }

    fn spend_overtime(&mut self, elapsed: Duration) {
        if let TimeSystem::ByoYomi { period, .. } = self.system {
            self.spend_periods(elapsed, period);
        } else {
            self.spend_stone(elapsed);
        }
    }

    /// Books a stone of a Canadian period; a new period starts after the last.
    fn spend_stone(&mut self, elapsed: Duration) {
        let Overtime { remaining, count } = &mut self.overtime;
        *remaining = remaining.saturating_sub(elapsed);
        *count = count.saturating_sub(1);
        if *count == 0 && !remaining.is_zero() {
            self.overtime = Overtime::full(&self.system);
        }
    }

    /// Books a byo-yomi move: periods that passed in full are gone, and the next move has a whole
    /// one.
    fn spend_periods(&mut self, elapsed: Duration, period: Duration) {
        let Overtime { remaining, count } = &mut self.overtime;
        if let Some(beyond) = elapsed.checked_sub(*remaining) {
            *count = count.saturating_sub(1).saturating_sub(times(period, beyond));
        }
        *remaining = if *count == 0 { Duration::ZERO } else { period };
    }

    /// Sets the time that is left (`time_left`). `seconds` below zero count as zero; NaN changes
    /// nothing. In a system with overtime, `stones` above 0 is the number of stones (Canadian) or
    /// periods (byo-yomi) left in overtime; 0 means main time.
    pub fn set_remaining(&mut self, seconds: f64, stones: u32) {
        let Some(remaining) = system::clamped(seconds) else {
            return;
        };
        match self.system {
            TimeSystem::None => {}
            // Controllers that cut off fractions say 0 at the start of a short period; while more
            // periods follow, a full one is a safe assumption.
            TimeSystem::ByoYomi { period, .. } if stones > 1 && remaining.is_zero() => {
                self.main = Duration::ZERO;
                self.overtime = Overtime { remaining: period, count: stones };
            }
            TimeSystem::Canadian { .. } | TimeSystem::ByoYomi { .. } if stones > 0 => {
                self.main = Duration::ZERO;
                self.overtime = Overtime { remaining, count: stones };
            }
            _ => {
                self.main = remaining;
                self.overtime = Overtime::full(&self.system);
            }
        }
    }

    /// The time for the next move; `None` without a limit.
    ///
    /// `moves_left` estimates this player's remaining moves; up to `margin` may get lost on the way
    /// to the controller's clock. Optimum and `margin` together are less than the time left, unless
    /// that is a few milliseconds.
    pub fn budget(&self, moves_left: u32, margin: Duration) -> Option<TimeBudget> {
        let optimum = self.optimum(moves_left, margin)?;
        let maximum = self.maximum(optimum, margin)?;
        Some(TimeBudget { optimum, maximum, saved: self.carries_over() })
    }

    fn optimum(&self, moves_left: u32, margin: Duration) -> Option<Duration> {
        let share = usable(self.main, margin) / moves_left.max(1);
        let period = usable(self.overtime.remaining, margin);
        let optimum = match self.system {
            TimeSystem::None => return None,
            TimeSystem::Absolute { .. } => {
                let reserve = MIN_MOVE.saturating_mul(moves_left.max(MIN_MOVES_LEFT));
                usable(self.main, margin.saturating_add(reserve)) / moves_left.max(1)
            }
            // The pace of overtime can be kept to the end of the game, so main time is spent at
            // that pace at least.
            TimeSystem::Canadian { .. } => share.max(period / self.overtime.count.max(1)),
            TimeSystem::ByoYomi { .. } => share.max(period),
            // A share of the main time and most of the increment, and at least the time that
            // `limit` would cut off after the move.
            TimeSystem::Fischer { increment, limit, max_move, .. } => {
                let steady = share.saturating_add(usable(increment, margin));
                let refilled = self.main.saturating_add(increment);
                let cut_off = refilled.saturating_sub(limit.unwrap_or(Duration::MAX));
                let longest = self.main.min(max_move.unwrap_or(Duration::MAX));
                steady.max(cut_off).min(usable(longest, margin))
            }
        };
        Some(optimum.max(MIN_SEARCH))
    }

    /// The maximum for a difficult move. It leaves enough time for later moves.
    fn maximum(&self, optimum: Duration, margin: Duration) -> Option<Duration> {
        let main = usable(self.main, margin);
        let period = usable(self.overtime.remaining, margin);
        let maximum = match self.system {
            TimeSystem::None => return None,
            TimeSystem::Absolute { .. } => main / 4,
            TimeSystem::Canadian { .. } => {
                let of_period = period * 2 / self.overtime.count.saturating_add(1);
                (main / 4).max(of_period)
            }
            TimeSystem::ByoYomi { .. } => (main / 4).max(period),
            TimeSystem::Fischer { max_move, .. } => {
                (main / 4).min(usable(max_move.unwrap_or(Duration::MAX), margin))
            }
        };
        Some(maximum.min(optimum.saturating_mul(3)).max(optimum))
    }

    fn carries_over(&self) -> bool {
        match self.system {
            TimeSystem::None => false,
            TimeSystem::Absolute { .. } => true,
            TimeSystem::Canadian { .. } => !self.main.is_zero() || self.overtime.count > 1,
            TimeSystem::ByoYomi { .. } => !self.main.is_zero(),
            TimeSystem::Fischer { increment, limit, .. } => {
                limit.is_none_or(|limit| self.main.saturating_add(increment) < limit)
            }
        }
    }

    /// The time after which the next move loses the game; `None` without a limit.
    pub fn limit(&self) -> Option<Duration> {
        let Overtime { remaining, count } = self.overtime;
        let all = match self.system {
            TimeSystem::None => return None,
            TimeSystem::ByoYomi { period, .. } => {
                let others = period.saturating_mul(count.saturating_sub(1));
                self.main.saturating_add(remaining).saturating_add(others)
            }
            TimeSystem::Fischer { max_move, .. } => {
                self.main.min(max_move.unwrap_or(Duration::MAX))
            }
            _ => self.main.saturating_add(remaining),
        };
        Some(all)
    }

    /// The arguments of `time_left`: the main time and 0 or, in overtime, the time left in the
    /// period and the stones (Canadian) or periods (byo-yomi) left.
    pub fn remaining(&self) -> (Duration, u32) {
        if self.main.is_zero() {
            (self.overtime.remaining, self.overtime.count)
        } else {
            (self.main, 0)
        }
    }
}

/// Usable time: less `margin` and 5%.
fn usable(remaining: Duration, margin: Duration) -> Duration {
    let remaining = remaining.saturating_sub(margin);
    remaining - remaining / 20
}

/// How often `period` fits into `elapsed`; `u32::MAX` if it is zero.
fn times(period: Duration, elapsed: Duration) -> u32 {
    let times = elapsed.as_nanos().checked_div(period.as_nanos());
    times.and_then(|times| u32::try_from(times).ok()).unwrap_or(u32::MAX)
}

/// The clocks of both players; `system` is `None` before any settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clocks {
    system: Option<TimeSystem>,
    clocks: [Clock; 2],
}

impl Clocks {
    pub fn new(system: TimeSystem) -> Self {
        Self { system: Some(system), clocks: [Clock::new(&system), Clock::new(&system)] }
    }

    pub fn system(&self) -> Option<&TimeSystem> {
        self.system.as_ref()
    }

    /// As [`Clock::set_remaining`]. Without settings the time left is all the time: absolute time, or
    /// with `stones` a period of Canadian overtime.
    pub fn set_remaining(&mut self, color: Color, seconds: f64, stones: u32) {
        if let (None, Some(remaining)) = (self.system, system::clamped(seconds)) {
            *self.get_mut(color) = Clock::new(&match stones {
                0 => TimeSystem::Absolute { main: remaining },
                _ => TimeSystem::Canadian { main: Duration::ZERO, period: remaining, stones },
            });
        }
        self.get_mut(color).set_remaining(seconds, stones);
    }

    pub fn get(&self, color: Color) -> &Clock {
        let [black, white] = &self.clocks;
        if color == Color::Black { black } else { white }
    }

    pub fn get_mut(&mut self, color: Color) -> &mut Clock {
        let [black, white] = &mut self.clocks;
        if color == Color::Black { black } else { white }
    }

    /// Resets both clocks for a new game.
    pub fn reset(&mut self) {
        *self = self.system.map(Self::new).unwrap_or_default();
    }
}
