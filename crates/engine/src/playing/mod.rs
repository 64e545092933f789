//! The engine as a player: its time, its turns, and when it resigns.
//!
//! A client makes a [`Plan`] of its [`Limits`] and clock. The plan has the search for a turn,
//! preceded by a proof on small boards, and the [`TimeManager`] that ends the search.
//! [`ResignPolicy`] resigns, and a [`Ticker`] says when a report is due.

#![allow(missing_docs)]

pub mod analysis_report;
pub mod params;
mod proof;
mod resignation;
pub mod self_play;
mod settings;
mod ticker;
mod time_manager;

pub use resignation::{ResignPolicy, ResignSettings, Standing};
pub use settings::{LiveGraphics, Seed, Settings};
pub use ticker::Ticker;
pub use time_manager::{SearchBudget, TimeManager};

use crate::board::Color;
use crate::clock::{Clock, TimeBudget};
use crate::rules::Game;
use crate::search::{
    Choice, STANDING_PLAYOUTS, Search, SearchProgress, Searcher, SignalCallback, StepSearch, Task,
    TurnSearch, Weakness,
};
use crate::solve::ProofTables;
use crate::time::Instant;
use proof::proven_choice;
use std::time::Duration;

/// Time of a turn without another limit.
pub const DEFAULT_TIME: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Per turn.
    pub time: Option<Duration>,
    /// Per turn.
    pub playouts: Option<u64>,
    /// See [`SearchBudget::early_stop`].
    pub early_stop: bool,
    /// How far below full strength the engine plays.
    pub weakness: Option<Weakness>,
}

/// The search for a turn or a step.
#[derive(Clone, Debug)]
pub struct Plan {
    pub task: Task,
    pub budget: SearchBudget,
    /// When this search began to use the time of the budget.
    pub started: Instant,
    /// Time of the budget that earlier steps of the turn have used.
    pub used: Duration,
}

impl Plan {
    /// A plan for a step; its time begins now. The time is the lesser of the limit and `on_clock`,
    /// or [`DEFAULT_TIME`]: something must end the search.
    pub fn new(task: Task, limits: &Limits, on_clock: Option<TimeBudget>) -> Plan {
        let &Limits { time, playouts, early_stop, weakness } = limits;
        let fixed = time.map(TimeBudget::exactly);
        let time = match on_clock.zip(time) {
            Some((on_clock, time)) => Some(on_clock.at_most(time)),
            None => on_clock.or(fixed),
        };
        // A weakness has playouts of its own.
        let is_limited = time.is_some() || playouts.is_some() || weakness.is_some();
        let default = (!is_limited).then(|| TimeBudget::exactly(DEFAULT_TIME));
        Plan {
            task: Task { playouts, weakness, ..task },
            budget: SearchBudget { time: time.or(default), playouts, early_stop, in_parts: false },
            started: Instant::now(),
            used: Duration::ZERO,
        }
    }

    #[must_use]
    pub fn for_turn(mut self, game: &Game) -> Plan {
        self.budget.in_parts = !game.info().has_single_steps_only();
        self
    }

    /// The plan for one step: it leaves a part of the turn's time to the steps after it. A step
    /// within a turn has the budget of that turn and what is left of it.
    #[must_use]
    pub fn for_step(mut self, game: &Game, turn: Option<TurnTime>) -> Plan {
        // Without time each step has all playouts.
        self.budget.in_parts = self.budget.time.is_some() && !game.info().has_single_steps_only();
        if let Some(TurnTime { budget, used, .. }) =
            turn.filter(|turn| turn.is_of_turn(game, self.task.color))
        {
            (self.budget.time, self.used) = (Some(budget), used);
        }
        self
    }

    /// The time of the unfinished turn after a step by this plan; `None` if the turn is over.
    pub fn turn_time(&self, game: &Game) -> Option<TurnTime> {
        let budget = self.budget.time.filter(|_| game.is_mid_turn())?;
        let (turns, color) = (game.turns().len(), self.task.color);
        Some(TurnTime { turns, color, budget, used: self.elapsed() })
    }

    /// Time of the budget that is used up to now.
    pub fn elapsed(&self) -> Duration {
        self.used + self.started.elapsed()
    }

    /// Whether the time of the turn, if it has one, is over.
    pub fn is_out_of_time(&self) -> bool {
        self.budget.time.is_some_and(|time| self.elapsed() >= time.maximum)
    }

    /// The time manager of a search that begins now.
    pub fn time_manager(&self) -> TimeManager {
        TimeManager::new(self.budget, self.started, self.used)
    }

    /// The search for a whole turn, unless the proof has one.
    pub fn turn<'s>(
        &self,
        (searcher, proofs): (&'s mut Searcher, &mut ProofTables),
        game: &'s Game,
    ) -> Planned<TurnSearch<'s>> {
        match proven_choice(game, self, searcher.params(), proofs) {
            Some(proven) => Planned::Proven(proven),
            None => Planned::Searched(searcher.turn(game, &self.task)),
        }
    }

    /// The search for a step, unless the proof has one.
    pub fn step<'s>(
        &self,
        (searcher, proofs): (&'s mut Searcher, &mut ProofTables),
        game: &'s Game,
    ) -> Planned<StepSearch<'s>> {
        match proven_choice(game, self, searcher.params(), proofs) {
            Some(proven) => Planned::Proven(proven.choice),
            None => Planned::Searched(searcher.step(game, &self.task)),
        }
    }

    /// Whether this choice is too uncertain to resign by it: a weak player looks lost. A search of
    /// [`standing_task`] decides.
    pub fn is_in_doubt(&self, choice: &Choice) -> bool {
        /// Win rate below which a weak player looks lost.
        const LOOKS_LOST: f32 = 0.25;
        self.task.weakness.is_some() && choice.win_rate < LOOKS_LOST
    }
}

/// The time of a turn of several steps, each of which has a plan of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnTime {
    /// Turns before this one.
    turns: usize,
    color: Color,
    budget: TimeBudget,
    used: Duration,
}

impl TurnTime {
    fn is_of_turn(&self, game: &Game, color: Color) -> bool {
        game.is_mid_turn() && (self.turns, self.color) == (game.turns().len(), color)
    }
}

/// The search at full strength for the standing of a weak player.
pub fn standing_task(task: Task) -> Task {
    Task { playouts: Some(STANDING_PLAYOUTS.into()), ..task }
}

/// A proven turn or step, or the search for it.
pub enum Planned<S: Search> {
    Proven(S::Output),
    Searched(S),
}

impl<S: Search<Output: Clone>> Search for Planned<S> {
    type Output = S::Output;

    fn advance(&mut self, signal: &mut SignalCallback<'_>) -> Option<S::Output> {
        match self {
            Planned::Proven(proven) => Some(proven.clone()),
            Planned::Searched(search) => search.advance(signal),
        }
    }
}

impl Planned<StepSearch<'_>> {
    /// See [`StepSearch::see`].
    pub fn see<R>(&mut self, see: impl FnOnce(&dyn SearchProgress) -> R) -> Option<R> {
        match self {
            Planned::Proven(_) => None,
            Planned::Searched(search) => search.see(see),
        }
    }
}

/// The time for the next turn on a clock; `margin` may get lost.
pub fn time_on_clock(clock: &Clock, game: &Game, margin: Duration) -> Option<TimeBudget> {
    clock.budget(moves_left(game), margin)
}

/// Estimate of the moves that a side still has to make: high at the start and lower in the middle
/// of the game, where moves matter most and get the most time.
fn moves_left(game: &Game) -> u32 {
    /// Percentages of the board filled at the start of these phases.
    const MIDDLE_GAME: usize = 8;
    const ENDGAME: usize = 60;
    /// Moves even on a full board.
    const MIN_MOVES: usize = 10;
    let (empty, all) = (game.empty_points(), game.grid().points().count());
    let filled = 100 * all.saturating_sub(empty) / all.max(1);
    let tenths_of_empty = match filled {
        0..MIDDLE_GAME => 5,
        MIDDLE_GAME..ENDGAME => 3,
        _ => 4,
    };
    (empty * tenths_of_empty / 10 + MIN_MOVES) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeSystem;
    use crate::rules::{Setup, Step, VARIANTS};

    fn exactly(seconds: f64) -> Option<TimeBudget> {
        Some(TimeBudget::exactly(Duration::from_secs_f64(seconds)))
    }

    fn go() -> Game {
        Game::new(&Setup::new(VARIANTS.first().expect("a variant"))).expect("a game")
    }

    #[test]
    fn every_search_has_a_budget() {
        let budget = |time: Option<f64>, playouts| {
            let time = time.map(Duration::from_secs_f64);
            let limits = Limits { time, playouts, ..Limits::default() };
            let Plan { budget, task, .. } = Plan::new(Task::new(Color::Black), &limits, None);
            assert_eq!(task.playouts, playouts);
            (budget.time, budget.playouts)
        };
        assert_eq!(budget(None, None), (exactly(1.0), None));
        assert_eq!(budget(Some(0.5), None), (exactly(0.5), None));
        assert_eq!(budget(None, Some(7)), (None, Some(7)));
        assert_eq!(budget(Some(0.5), Some(7)), (exactly(0.5), Some(7)));
    }

    #[test]
    fn clock_time_is_divided_over_the_game() {
        let clock = Clock::new(&TimeSystem::Absolute { main: Duration::from_secs(600) });
        let on_clock = time_on_clock(&clock, &go(), Duration::ZERO);
        let budget = |time| {
            let limits = Limits { time, ..Limits::default() };
            Plan::new(Task::new(Color::Black), &limits, on_clock).budget.time
        };
        let time = budget(None).expect("a limit");
        assert!(time.optimum > Duration::from_secs(1), "{time:?}");
        assert!(time.optimum < Duration::from_secs(6), "{time:?}");
        assert_eq!(time.maximum, time.optimum * 3);
        // The time of the limits is an upper limit.
        assert_eq!(budget(Some(Duration::from_secs(2))), exactly(2.0));
    }

    #[test]
    fn middle_game_moves_get_more_time() {
        let mut game = go();
        let first = moves_left(&game);
        let kind = game.info().step_kinds().next().expect("a kind").0;
        let points: Vec<_> = game.grid().points().take(60).collect();
        for point in points {
            // Some of the moves are illegal, which does not matter.
            let _ = game.step(game.to_move(), Step::new(kind, point));
        }
        let middle = moves_left(&game);
        assert!(middle * 3 < first * 2, "{first} {middle}");
    }
}
