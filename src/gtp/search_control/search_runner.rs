//! Runs searches for the session: makes plans of settings and clocks, and watches time and input.

use crate::board::Color;
use crate::clock::TimeBudget;
use crate::gtp::Session;
use crate::inbox::Inbox;
use crate::playing::Settings;
use crate::playing::{Limits, Plan, Standing, Ticker, TimeManager, standing_task, time_on_clock};
use crate::rules::Game;
use crate::search::{
    Choice, Level, Restriction, Search, SearchProgress, Task, TurnChoice, seed_at,
};
use std::time::Duration;

const INPUT_POLL_INTERVAL: Duration = Duration::from_millis(1);

pub trait SearchObserver {
    /// Called about every millisecond; returning true ends the search.
    fn on_progress(&mut self, game: &Game, progress: &dyn SearchProgress) -> bool {
        let _ = (game, progress);
        false
    }

    /// Whether the search counts ownership for each move.
    fn wants_move_ownership(&self) -> bool {
        false
    }

    /// Called with the choice, and with the search at its end, if one was needed.
    fn on_finish(&mut self, game: &Game, choice: &Choice, progress: Option<&dyn SearchProgress>) {
        let _ = (game, choice, progress);
    }
}

pub struct NoObserver;

impl SearchObserver for NoObserver {}

/// The plan for one move of `color` on its clock, expressible as one vertex.
pub fn plan_for_move(session: &Session, color: Color) -> Plan {
    let plan = Plan::new(task(session, color), &own_limits(session), on_clock(session, color));
    expressible(session, plan.for_step(session.game(), session.turn_time))
}

/// The plan for one move without a clock, which is not played.
pub fn untimed_plan(session: &Session, color: Color) -> Plan {
    expressible(session, Plan::new(task(session, color), &limits(session), None))
}

/// The plan for a whole turn, on the clock of `color`.
pub fn plan_for_turn(session: &Session, color: Color) -> Plan {
    let (task, time) = (task(session, color), on_clock(session, color));
    Plan::new(task, &own_limits(session), time).for_turn(session.game())
}

/// Restricts a plan to first steps that one vertex expresses.
fn expressible(session: &Session, mut plan: Plan) -> Plan {
    plan.task.exclude = session.codec().inexpressible_steps(session.game(), plan.task.color);
    plan
}

/// Charges the time since the start of a plan to the clock of its side, and to the unfinished turn.
pub fn charge(session: &mut Session, plan: &Plan) {
    session.clocks.get_mut(plan.task.color).spend(plan.started.elapsed());
    session.turn_time = plan.turn_time(session.game());
}

fn on_clock(session: &Session, color: Color) -> Option<TimeBudget> {
    let clock = session.clocks.get(color);
    time_on_clock(clock, session.game(), session.settings.time_margin)
}

/// Limits at full strength.
fn limits(session: &Session) -> Limits {
    let &Settings { time, playouts, early_stop, .. } = &session.settings;
    Limits { time, playouts, early_stop, weakness: None }
}

fn own_limits(session: &Session) -> Limits {
    let level = Level::numbered(session.game().info(), session.settings.level);
    Limits { weakness: level.and_then(Level::weakness), ..limits(session) }
}

pub fn task(session: &Session, color: Color) -> Task {
    Task {
        seed: seed_at(session.seed(), session.game()),
        view_seed: session.seed(),
        conservative_pass: session.settings.conservative_pass,
        ..Task::new(color)
    }
}

struct SearchMonitor<'w> {
    clock: TimeManager,
    input: Ticker,
    is_cancellable: bool,
    is_cancelled: bool,
    inbox: &'w mut Inbox,
}

impl SearchMonitor<'_> {
    fn new<'w>(plan: &Plan, is_cancellable: bool, inbox: &'w mut Inbox) -> SearchMonitor<'w> {
        let clock = plan.time_manager();
        let mut input = Ticker::every(Some(INPUT_POLL_INTERVAL));
        input.done(clock.elapsed());
        SearchMonitor { input, clock, is_cancellable, is_cancelled: false, inbox }
    }

    /// Whether to end the search: its budget is used up, the client asks for it, or the client is
    /// gone. Other commands wait.
    ///
    /// If only playouts limit the search, every call asks the clock: the result must not depend on
    /// the time.
    fn should_stop(&mut self, progress: &dyn SearchProgress) -> bool {
        let elapsed = self.clock.elapsed();
        if progress.is_choosing() {
            return self.is_cancelled
                || self.inbox.is_interrupted()
                || self.clock.is_over(elapsed, progress);
        }
        let polls = self.input.is_due(elapsed);
        if !polls && self.clock.has_time_limit() {
            return false;
        }
        if self.clock.is_over(elapsed, progress) {
            return true;
        }
        if !polls {
            return false;
        }
        self.input.done(elapsed);
        self.is_cancelled = self.is_cancellable && self.inbox.has_line();
        self.is_cancelled || self.inbox.ends_search()
    }
}

/// Whether restrictions leave `color` a legal move that one vertex expresses.
pub fn leaves_moves(session: &Session, color: Color, restrictions: &[Restriction]) -> bool {
    let game = session.game_to_play();
    let exclude = session.codec().inexpressible_steps(&game, color);
    Restriction::leave_a_step(restrictions, &game, color, &exclude)
}

/// Searches and chooses a step.
pub fn choose(session: &mut Session, plan: &Plan, observer: &mut dyn SearchObserver) -> Choice {
    run(session, plan, false, observer).0
}

/// Searches and chooses a step. Any line from the client ends a search that `is_cancellable`; the
/// result says whether one did.
pub fn run(
    session: &mut Session,
    plan: &Plan,
    is_cancellable: bool,
    observer: &mut dyn SearchObserver,
) -> (Choice, bool) {
    let mut proofs = std::mem::take(&mut session.proofs);
    let (searcher, game, inbox) = session.search_parts();
    let mut monitor = SearchMonitor::new(plan, is_cancellable, inbox);
    let mut plan = plan.clone();
    plan.task.move_ownership = observer.wants_move_ownership();
    let is_weak = plan.task.weakness.is_some();
    let mut search = plan.step((searcher, &mut proofs), &game);
    let choice = search.finish(&mut |progress| {
        let over = monitor.should_stop(progress);
        // Observers do not see the check of a pass: nothing chose its visits.
        let is_shown = !is_weak && !progress.is_choosing();
        over | (is_shown && observer.on_progress(&game, progress))
    });
    let shown = search.see(|progress| observer.on_finish(&game, &choice, Some(progress)));
    if shown.is_none() {
        observer.on_finish(&game, &choice, None);
    }
    let is_cancelled = monitor.is_cancelled;
    session.proofs = proofs;
    (choice, is_cancelled)
}

pub fn choose_turn(session: &mut Session, plan: &Plan) -> TurnChoice {
    let mut proofs = std::mem::take(&mut session.proofs);
    let (searcher, game, inbox) = session.search_parts();
    let mut search = plan.turn((searcher, &mut proofs), &game);
    let mut monitor = SearchMonitor::new(plan, false, inbox);
    let choice = search.finish(&mut |progress| monitor.should_stop(progress));
    session.proofs = proofs;
    choice
}

/// The standing of the player that chose a move; `None` without a search. For a weak player that
/// `may_resign`, a search at full strength finds it, in the time that the turn has left.
pub fn standing(
    session: &mut Session,
    plan: &Plan,
    choice: &Choice,
    may_resign: bool,
) -> Option<Standing> {
    if !(may_resign && plan.is_in_doubt(choice)) {
        let is_known = plan.task.weakness.is_none() && choice.playouts > 0;
        return is_known.then(|| Standing::new(choice, false));
    }
    Some(Standing::new(&choice_at_full_strength(session, plan), true))
}

fn choice_at_full_strength(session: &mut Session, plan: &Plan) -> Choice {
    let task = standing_task(task(session, plan.task.color));
    let (searcher, game, inbox) = session.search_parts();
    let mut search = searcher.step(&game, &task);
    search.finish(&mut |_| inbox.is_interrupted() || plan.is_out_of_time())
}

/// Searches on the opponent's time until any input arrives.
pub fn ponder(session: &mut Session) {
    if session.game_to_play().is_over() {
        return;
    }
    let task = task(session, session.game().to_move());
    let (searcher, game, inbox) = session.search_parts();
    searcher.ponder(&game, &task).finish(&mut |_| inbox.is_pending());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clocks, TimeSystem};
    use crate::gtp::{answer, request::parse_line};
    use crate::playing::{DEFAULT_TIME, SearchBudget};
    use crate::rules::{Setup, variant};
    use crate::search::{LEVELS, STANDING_PLAYOUTS, SearchParams};
    use std::time::Instant;

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
        plan_for_move(session, session.game().to_move()).budget
    }

    /// The budget and the clock include the time of a command before its search.
    #[test]
    fn time_before_the_search_counts() {
        let mut session = session("go", Some(20.0), None);
        session.settings.search_params = SearchParams::baseline();
        start_clock(&mut session, 600);
        let before = Duration::from_secs(20);
        let mut plan = plan_for_move(&session, Color::Black);
        plan.started = plan.started.checked_sub(before).expect("a running system");
        let began = Instant::now();
        choose(&mut session, &plan, &mut NoObserver);
        choose_turn(&mut session, &plan);
        assert!(began.elapsed() < before / 2, "{:?}", began.elapsed());
        charge(&mut session, &plan);
        let (left, _) = session.clocks.get(Color::Black).remaining();
        assert!(left <= Duration::from_secs(580), "{left:?}");
    }

    #[test]
    fn an_analysis_has_no_clock() {
        let mut session = session("go", None, None);
        start_clock(&mut session, 600);
        let off = untimed_plan(&session, Color::Black).budget.time;
        assert_eq!(off, Some(TimeBudget::exactly(DEFAULT_TIME)));
        assert_ne!(budget(&session).time, off);
    }

    /// White's fourth turn of a game of Sygo has begun: it may grow several groups.
    fn in_mid_turn(session: &mut Session) {
        for line in ["play w A1", "play b Q16", "play w D1", "play b pass", "play w A2"] {
            let request = parse_line(line.as_bytes()).expect("a line");
            answer(session, &request).expect("a legal turn");
        }
        assert!(session.game().is_mid_turn());
    }

    /// Whatever limits the time, all steps of a turn together have the time of one turn.
    #[test]
    fn the_steps_of_a_turn_share_its_time() {
        for (time, clock) in [(Some(0.4), None), (None, Some(600)), (Some(0.4), Some(600))] {
            let mut session = session("sygo", time, None);
            if let Some(seconds) = clock {
                start_clock(&mut session, seconds);
            }
            in_mid_turn(&mut session);
            // The client made the first step.
            let mut first = plan_for_move(&session, Color::White);
            let whole = first.budget.time.expect("a limit");
            assert!(first.budget.in_parts && first.used.is_zero());
            let took = whole.optimum / 2;
            first.started = first.started.checked_sub(took).expect("a running system");
            charge(&mut session, &first);
            let second = plan_for_move(&session, Color::White);
            assert_eq!(second.budget.time, Some(whole));
            assert!(second.used >= took && second.elapsed() >= took, "{:?}", second.used);
            assert!(second.time_manager().elapsed() >= took);
            // Another game has another turn.
            session.renew(session.setup().clone()).expect("a game");
            in_mid_turn(&mut session);
            assert!(plan_for_move(&session, Color::White).used.is_zero());
        }
    }

    /// A search at full strength for the standing of a weak player ends with the turn.
    #[test]
    fn the_standing_is_found_within_the_time_of_the_turn() {
        let mut session = session("go", Some(20.0), None);
        session.settings.search_params = SearchParams::baseline();
        session.settings.level = 1;
        let mut plan = plan_for_move(&session, Color::Black);
        let whole = choice_at_full_strength(&mut session, &plan).playouts;
        assert_eq!(whole, u64::from(STANDING_PLAYOUTS));
        plan.used = Duration::from_secs(20);
        let cut = choice_at_full_strength(&mut session, &plan).playouts;
        assert!(cut < whole / 4, "{cut}");
    }

    #[test]
    fn a_level_limits_the_engines_own_moves_alone() {
        let mut session = session("go", None, Some(40));
        session.settings.search_params = SearchParams::baseline();
        session.settings.early_stop = false;
        session.settings.level = 1;
        let own = plan_for_move(&session, Color::Black);
        let playouts =
            |session: &mut Session, plan: &Plan| choose(session, plan, &mut NoObserver).playouts;
        assert!(playouts(&mut session, &own) < 20);
        let whole = choose_turn(&mut session, &own);
        assert!(whole.choice.playouts < 20);
        let analysis = untimed_plan(&session, Color::Black);
        assert!(playouts(&mut session, &analysis) >= 20);
        session.settings.level = LEVELS as u8;
        let full = plan_for_move(&session, Color::Black);
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
