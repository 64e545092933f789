//! Runs searches for the session: makes tasks and budgets of its settings and
//! clocks, watches the time and the input during a search, and shows the search to
//! an observer.

use super::proof::{ProofLimits, proven_turn};
use super::search_clock::SearchClock;
use super::time_manager::{SearchBudget, TimeBudget};
use crate::board::Color;
use crate::gtp::{Inbox, Session};
use crate::rules::AnyGame;
use crate::search::{
    Choice, Level, Restriction, STANDING_PLAYOUTS, SearchProgress, Searcher, Task, TurnChoice,
    Weakness, seed_at,
};
use crate::time::Instant;
use std::cell::RefCell;
use std::time::Duration;

/// Time per move if neither settings nor clock limit the search.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Interval at which a search looks at the input.
const INPUT_POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Receives the state of a search while it runs and its result.
pub trait SearchObserver {
    /// Called about every millisecond; returning true ends the search.
    fn on_progress(&mut self, game: &AnyGame, progress: &dyn SearchProgress) -> bool {
        let _ = (game, progress);
        false
    }

    /// Whether the search has to count ownership separately for each move.
    fn wants_move_ownership(&self) -> bool {
        false
    }

    /// Called with the choice, and with the search at its end unless none was
    /// needed.
    fn on_finish(
        &mut self,
        game: &AnyGame,
        choice: &Choice,
        progress: Option<&dyn SearchProgress>,
    ) {
        let _ = (game, choice, progress);
    }
}

/// What ends a search early, besides an interrupt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCondition {
    /// Nothing does.
    Never,
    /// Any line from the client, an empty one too; then no move is chosen.
    AnyInput,
}

/// Observes nothing.
pub struct NoObserver;

impl SearchObserver for NoObserver {}

/// A task for the search and its budget.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    /// What to search.
    pub task: Task,
    /// Time and playouts.
    pub budget: SearchBudget,
    /// When the time of the budget began to run.
    pub started: Instant,
    /// How much weaker than it can the engine plays.
    pub weakness: Option<Weakness>,
}

impl SearchPlan {
    /// For one move of `color` that one vertex expresses, on its clock.
    pub fn for_move(session: &Session, color: Color) -> SearchPlan {
        let started = Instant::now();
        let time = time_for(session, color);
        let is_mid_turn = session.game().is_mid_turn();
        let on_clock = time.filter(|_| session.settings.time.is_none());
        SearchPlan {
            task: expressible_task(session, color),
            budget: budget(
                session,
                match on_clock {
                    // The first step of this turn was given the time of a whole
                    // turn.
                    Some(time) if is_mid_turn => Some(time.halved()),
                    _ => time,
                },
            ),
            started,
            weakness: weakness(session),
        }
    }

    /// For one move that is not played, without a clock.
    pub fn untimed(session: &Session, color: Color) -> SearchPlan {
        let started = Instant::now();
        let time = session.settings.time.map(TimeBudget::exactly);
        SearchPlan {
            task: expressible_task(session, color),
            budget: budget(session, time),
            started,
            weakness: None,
        }
    }

    /// For a whole turn, on the clock of `color`.
    pub fn for_turn(session: &Session, color: Color) -> SearchPlan {
        let started = Instant::now();
        let budget = budget(session, time_for(session, color));
        SearchPlan {
            task: task(session, color),
            budget: SearchBudget {
                in_parts: !session.game().info().has_single_steps_only(),
                ..budget
            },
            started,
            weakness: weakness(session),
        }
    }

    /// The limits of a proof before the search.
    fn proof_limits(&self, searcher: &Searcher) -> ProofLimits {
        let time = self.budget.time.map(|time| time.optimum);
        ProofLimits::new(searcher.params(), &self.task, time, self.started)
    }

    /// Charges the time since the start to the clock of the side that moves.
    pub fn charge(&self, session: &mut Session) {
        let clock = session.clocks.side_mut(self.task.color as usize);
        clock.spend(self.started.elapsed());
    }

    /// Adds restrictions on the moves.
    #[must_use]
    pub fn restricted(mut self, restrictions: &[Restriction]) -> SearchPlan {
        self.task.restrictions.extend_from_slice(restrictions);
        self
    }
}

/// The weakness of the session's level.
fn weakness(session: &Session) -> Option<Weakness> {
    match Level::numbered(session.game().info(), session.settings.level)? {
        Level::Weakened(weakness) => Some(weakness),
        Level::Full => None,
    }
}

/// A task for `color` with the session's budget.
pub fn task(session: &Session, color: Color) -> Task {
    Task {
        seed: seed_at(session.seed(), session.game()),
        view_seed: session.seed(),
        playouts: session.settings.playouts,
        conservative_pass: session.settings.conservative_pass,
        ..Task::new(color)
    }
}

/// The same task, restricted to first steps that one vertex expresses.
pub fn expressible_task(session: &Session, color: Color) -> Task {
    Task {
        exclude: session.codec().inexpressible_steps(session.game(), color),
        ..task(session, color)
    }
}

/// The budget with this time. Without time and playouts it is the default time,
/// because something must end the search.
fn budget(session: &Session, time: Option<TimeBudget>) -> SearchBudget {
    let settings = &session.settings;
    let default = || match settings.playouts {
        Some(_) => None,
        None => Some(TimeBudget::exactly(DEFAULT_TIME)),
    };
    SearchBudget {
        time: time.or_else(default),
        playouts: settings.playouts,
        early_stop: settings.early_stop,
        in_parts: false,
    }
}

/// Time from the settings or the clock, whichever is less.
fn time_for(session: &Session, color: Color) -> Option<TimeBudget> {
    let (settings, clock) = (&session.settings, session.clocks.side(color as usize));
    let optimum = clock.optimum(moves_left(session.game()), settings.time_margin);
    let on_clock = optimum.and_then(|optimum| {
        let maximum = clock.maximum(optimum, settings.time_margin)?;
        Some(TimeBudget { optimum, maximum, saved: clock.carries_over() })
    });
    match (on_clock, settings.time) {
        (Some(on_clock), Some(time)) => Some(on_clock.at_most(time)),
        (on_clock, time) => on_clock.or_else(|| time.map(TimeBudget::exactly)),
    }
}

/// Estimate of the moves that a side still has to make. It is high at the start and
/// lower in the middle of the game, where moves matter most, so that they get the
/// most time.
fn moves_left(game: &AnyGame) -> u32 {
    /// Percentages of the board filled where the middle game and the endgame start.
    const MIDDLE_GAME: usize = 8;
    const ENDGAME: usize = 60;
    /// Moves to be made even on a full board.
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

/// Decides during a search when it ends.
struct SearchMonitor<'w> {
    clock: SearchClock,
    /// When to look at the input next.
    next_poll: Duration,
    stop_condition: StopCondition,
    cancelled: bool,
    inbox: &'w mut Inbox,
}

impl SearchMonitor<'_> {
    fn new<'w>(
        plan: &SearchPlan,
        stop_condition: StopCondition,
        inbox: &'w mut Inbox,
    ) -> SearchMonitor<'w> {
        let clock = SearchClock::new(plan.budget, plan.started);
        SearchMonitor {
            next_poll: clock.elapsed() + INPUT_POLL_INTERVAL,
            clock,
            stop_condition,
            cancelled: false,
            inbox,
        }
    }

    /// Whether to end the search: its budget is used up, the client asks for it, or
    /// the client is gone. Other commands wait for their turn.
    ///
    /// If only playouts limit the search, the clock is asked at every call, so that
    /// the result does not depend on the time.
    fn should_stop(&mut self, progress: &dyn SearchProgress) -> bool {
        let elapsed = self.clock.elapsed();
        if progress.is_choosing() {
            return self.cancelled
                || self.inbox.is_interrupted()
                || self.clock.is_over(elapsed, progress);
        }
        let polls = elapsed >= self.next_poll;
        if !polls && self.clock.has_time_limit() {
            return false;
        }
        if self.clock.is_over(elapsed, progress) {
            return true;
        }
        if !polls {
            return false;
        }
        self.next_poll = elapsed + INPUT_POLL_INTERVAL;
        self.cancelled = self.stop_condition == StopCondition::AnyInput && self.inbox.has_line();
        self.cancelled || self.inbox.ends_search()
    }
}

/// Whether restrictions leave `color` a legal move that one vertex expresses, in the game to
/// play.
pub fn leaves_moves(session: &Session, color: Color, restrictions: &[Restriction]) -> bool {
    let game = session.game_to_play();
    let exclude = session.codec().inexpressible_steps(game, color);
    let mut steps = game.steps(color).into_iter();
    steps.any(|step| {
        Restriction::allow(restrictions, 0, color, step)
            && !(step.point().is_some() && exclude.contains(step))
            && game.check_next_step(color, step).is_ok()
    })
}

/// Searches and chooses a step.
pub fn choose(
    session: &mut Session,
    plan: &SearchPlan,
    observer: &mut dyn SearchObserver,
) -> Choice {
    run_search(session, plan, StopCondition::Never, observer).0
}

/// Searches and chooses a step; none if the stop condition was met first.
pub fn choose_unless_stopped(
    session: &mut Session,
    plan: &SearchPlan,
    stop_condition: StopCondition,
    observer: &mut dyn SearchObserver,
) -> Option<Choice> {
    let (choice, cancelled) = run_search(session, plan, stop_condition, observer);
    (!cancelled).then_some(choice)
}

/// The choice, and whether the stop condition ended the search.
fn run_search(
    session: &mut Session,
    plan: &SearchPlan,
    stop_condition: StopCondition,
    observer: &mut dyn SearchObserver,
) -> (Choice, bool) {
    let (searcher, game, inbox) = session.search_parts();
    let mut monitor = SearchMonitor::new(plan, stop_condition, inbox);
    let task = Task { move_ownership: observer.wants_move_ownership(), ..plan.task.clone() };
    if let Some(weakness) = plan.weakness {
        let stop = &mut |progress: &dyn SearchProgress| monitor.should_stop(progress);
        let choice = searcher.weakened_step(game, &task, weakness, stop);
        observer.on_finish(game, &choice, None);
        return (choice, monitor.cancelled);
    }
    if let Some(proven) = proven_turn(game, &task, searcher.params(), plan.proof_limits(searcher)) {
        observer.on_finish(game, &proven.choice, None);
        return (proven.choice, monitor.cancelled);
    }
    let observer = RefCell::new(observer);
    let mut shown = false;
    let choice = searcher.choose_step_observed(
        game,
        &task,
        &mut |progress| {
            let over = monitor.should_stop(progress);
            // The look at a pass is not shown: nothing chose its visits.
            let is_shown = !progress.is_choosing();
            over | (is_shown && observer.borrow_mut().on_progress(game, progress))
        },
        &mut |choice, progress| {
            shown = true;
            observer.borrow_mut().on_finish(game, choice, Some(progress));
        },
    );
    if !shown {
        observer.borrow_mut().on_finish(game, &choice, None);
    }
    (choice, monitor.cancelled)
}

/// Searches and chooses a whole turn.
pub fn choose_turn(session: &mut Session, plan: &SearchPlan) -> TurnChoice {
    let (searcher, game, inbox) = session.search_parts();
    let limits = plan.proof_limits(searcher);
    let proven = || proven_turn(game, &plan.task, searcher.params(), limits);
    if plan.weakness.is_none()
        && let Some(proven) = proven()
    {
        return proven;
    }
    let mut monitor = SearchMonitor::new(plan, StopCondition::Never, inbox);
    let stop = &mut |progress: &dyn SearchProgress| monitor.should_stop(progress);
    match plan.weakness {
        Some(weakness) => searcher.weakened_turn(game, &plan.task, weakness, stop),
        None => searcher.turn(game, &plan.task, stop),
    }
}

/// What a search at full strength chooses for `color` with a few hundred playouts.
pub fn standing(session: &mut Session, color: Color) -> Choice {
    let task = Task { playouts: Some(STANDING_PLAYOUTS.into()), ..task(session, color) };
    let (searcher, game, inbox) = session.search_parts();
    searcher.step(game, &task, &mut |_| inbox.is_interrupted())
}

/// Pondering: searches on the opponent's time until any input arrives.
pub fn ponder(session: &mut Session) {
    if session.game_to_play().is_over() {
        return;
    }
    let task = Task { playouts: None, ..task(session, session.game().to_move()) };
    let (searcher, game, inbox) = session.search_parts();
    searcher.ponder(game, &task, &mut |_| inbox.is_pending(), &mut |_| ());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clocks, TimeSystem};
    use crate::gtp::{Settings, answer, request::parse_line};
    use crate::rules::{Setup, variant};
    use crate::search::{LEVELS, SearchParams};

    fn session(id: &str, time: Option<f64>, playouts: Option<u64>) -> Session {
        let setup = Setup::new(variant(id).expect("a variant"));
        let settings =
            Settings { time: time.map(Duration::from_secs_f64), playouts, ..Settings::default() };
        Session::new(setup, settings).expect("a valid setup")
    }

    fn start_clock(session: &mut Session, seconds: u64) {
        let main = Duration::from_secs(seconds);
        session.clocks = Clocks::new(TimeSystem::Absolute { main });
    }

    fn budget(session: &Session) -> SearchBudget {
        SearchPlan::for_move(session, session.game().to_move()).budget
    }

    fn exactly(seconds: f64) -> Option<TimeBudget> {
        Some(TimeBudget::exactly(Duration::from_secs_f64(seconds)))
    }

    #[test]
    fn every_search_has_a_budget() {
        assert_eq!(budget(&session("go", None, None)).time, exactly(1.0));
        assert_eq!(budget(&session("go", Some(0.5), None)).time, exactly(0.5));
        let counted = budget(&session("go", None, Some(7)));
        assert_eq!((counted.time, counted.playouts), (None, Some(7)));
        let both = budget(&session("go", Some(0.5), Some(7)));
        assert_eq!((both.time, both.playouts), (exactly(0.5), Some(7)));
    }

    /// What a command did before its search is in the budget and on the clock.
    #[test]
    fn time_before_the_search_counts() {
        let mut session = session("go", Some(20.0), None);
        session.settings.search_params = SearchParams::baseline();
        start_clock(&mut session, 600);
        let before = Duration::from_secs(20);
        let mut plan = SearchPlan::for_move(&session, Color::Black);
        plan.started = plan.started.checked_sub(before).expect("a running system");
        let began = Instant::now();
        choose(&mut session, &plan, &mut NoObserver);
        choose_turn(&mut session, &plan);
        assert!(began.elapsed() < before / 2, "{:?}", began.elapsed());
        plan.charge(&mut session);
        let (left, _) = session.clocks.side(0).left();
        assert!(left <= Duration::from_secs(580), "{left:?}");
    }

    #[test]
    fn clock_time_is_divided_over_the_game() {
        let mut session = session("go", None, None);
        start_clock(&mut session, 600);
        let time = budget(&session).time.expect("a limit");
        assert!(time.optimum > Duration::from_secs(1), "{time:?}");
        assert!(time.optimum < Duration::from_secs(6), "{time:?}");
        assert_eq!(time.maximum, time.optimum * 3);
        // The settings' time is an upper limit; an analysis has no clock.
        session.settings.time = Some(Duration::from_secs(2));
        assert_eq!(budget(&session).time, exactly(2.0));
        session.settings.time = None;
        let off = SearchPlan::untimed(&session, Color::Black).budget.time;
        assert_eq!(off, exactly(1.0));
    }

    #[test]
    fn middle_game_moves_get_more_time() {
        let mut session = session("go", None, None);
        let at = |session: &Session| moves_left(session.game());
        let first = at(&session);
        for (number, color) in (0..60).zip("bw".chars().cycle()) {
            let column = char::from(b'A' + number % 6);
            let line = format!("play {color} {column}{}", 1 + number / 6);
            // Some of the moves are illegal, which does not matter.
            let _ = answer(&mut session, &parse_line(line.as_bytes()).expect("a line"));
        }
        let middle = at(&session);
        assert!(middle * 3 < first * 2, "{first} {middle}");
    }

    #[test]
    fn steps_of_a_growth_get_half_and_whole_turns_share_their_time() {
        let mut session = session("sygo", None, None);
        start_clock(&mut session, 600);
        for line in ["play w A1", "play b Q16", "play w D1", "play b pass", "play w A2"] {
            let request = parse_line(line.as_bytes()).expect("a line");
            answer(&mut session, &request).expect("a legal turn");
        }
        let white = |session: &Session| SearchPlan::for_turn(session, Color::White).budget;
        let whole = white(&session);
        assert!(whole.in_parts && session.game().is_mid_turn());
        let step = budget(&session);
        assert_eq!(step.time, whole.time.map(TimeBudget::halved));
        assert!(!step.in_parts);
    }

    #[test]
    fn a_level_limits_the_engines_own_moves_alone() {
        let mut session = session("go", None, Some(40));
        session.settings.search_params = SearchParams::baseline();
        session.settings.early_stop = false;
        session.settings.level = 1;
        let own = SearchPlan::for_move(&session, Color::Black);
        let playouts = |session: &mut Session, plan: &SearchPlan| {
            choose(session, plan, &mut NoObserver).playouts
        };
        assert!(playouts(&mut session, &own) < 20);
        let whole = choose_turn(&mut session, &own);
        assert!(whole.choice.playouts < 20);
        let analysis = SearchPlan::untimed(&session, Color::Black);
        assert!(playouts(&mut session, &analysis) >= 20);
        session.settings.level = LEVELS as u8;
        let full = SearchPlan::for_move(&session, Color::Black);
        assert!(playouts(&mut session, &full) >= 20);
    }

    /// Restrictions bind the errors of a level too.
    #[test]
    fn a_level_errs_within_the_restrictions() {
        let mut session = session("go", None, None);
        session.settings.level = 1;
        let lines = ["boardsize 5", "kata-genmove_analyze b allow b B2,D4 1"];
        for seed in 0..20 {
            session.settings.seed = crate::gtp::Seed::Fixed(seed);
            let [_, reply] = lines.map(|line| {
                let request = parse_line(line.as_bytes()).expect("a line");
                answer(&mut session, &request).expect("a reply")
            });
            let played = reply.lines().last().unwrap_or_default();
            assert!(["play B2", "play D4"].contains(&played), "{reply}");
        }
    }
}
