//! From the session's settings and clocks to a search.

use super::pace::{Allowance, Limits, Look, Pace};
use super::{Inbox, Session};
use crate::board::Color;
use crate::rules::AnyGame;
use crate::search::{Choice, Restriction, Task, TurnChoice, View};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Time a move if nothing limits the search.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The input is looked at so often.
const GLANCE: Duration = Duration::from_millis(1);

/// Somebody who is shown a search.
pub trait Onlooker {
    /// A look every millisecond or so; true ends the search.
    fn look(&mut self, game: &AnyGame, view: &dyn View) -> bool {
        let _ = (game, view);
        false
    }

    /// Whether to note whose the points become after each move.
    fn wants_owners_apart(&self) -> bool {
        false
    }

    /// What was chosen, and the search at its end, if there was one.
    fn conclude(&mut self, game: &AnyGame, choice: &Choice, view: Option<&dyn View>) {
        let _ = (game, choice, view);
    }
}

/// What may end a search early, beside the comment that asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Nothing.
    Endless,
    /// Any line from the client, an empty one too; then nothing is chosen.
    UntilALine,
}

/// Nobody looks.
pub struct Nobody;

impl Onlooker for Nobody {}

/// What to think about, and how long.
#[derive(Clone, Debug)]
pub struct Thought {
    /// What to think about.
    pub task: Task,
    /// How long.
    pub limits: Limits,
}

impl Thought {
    /// About one move of `color` that one vertex can say, on its clock.
    pub fn of_move(session: &Session, color: Color) -> Thought {
        let time = time_for(session, color);
        let mid_turn = session.game().is_mid_turn();
        let on_clock = time.filter(|_| session.settings.time.is_none());
        Thought {
            task: sayable_task(session, color),
            limits: limits(
                session,
                match on_clock {
                    // The turn's first step had a whole turn's time.
                    Some(time) if mid_turn => Some(time.halved()),
                    _ => time,
                },
            ),
        }
    }

    /// The same, on nobody's clock.
    pub fn off_the_clock(session: &Session, color: Color) -> Thought {
        let time = session.settings.time.map(Allowance::exactly);
        Thought {
            task: sayable_task(session, color),
            limits: limits(session, time),
        }
    }

    /// About a whole turn, on the clock of `color`.
    pub fn of_turn(session: &Session, color: Color) -> Thought {
        let limits = limits(session, time_for(session, color));
        Thought {
            task: task(session, color),
            limits: Limits {
                in_parts: session.game().info().words.grow,
                ..limits
            },
        }
    }

    /// The same within restrictions.
    #[must_use]
    pub fn within(mut self, restrictions: &[Restriction]) -> Thought {
        self.task.restrictions.extend_from_slice(restrictions);
        self
    }
}

/// The task of thinking for `color`.
///
/// The seed depends on the turn, so that a game is not one random sequence
/// over and over; and else on what the session was given or drew alone, so that
/// it is reproducible.
pub fn task(session: &Session, color: Color) -> Task {
    let turns = session.game().turns().len() as u64;
    let steps = session.game().grown().len() as u64;
    Task {
        seed: session.seed().wrapping_add(turns << 16).wrapping_add(steps),
        playouts: session.settings.playouts,
        ..Task::new(color)
    }
}

/// The same, with first steps that one vertex can say.
pub fn sayable_task(session: &Session, color: Color) -> Task {
    Task {
        exclude: session.coder().unsayable(session.game(), color),
        ..task(session, color)
    }
}

/// A search must end by something.
fn limits(session: &Session, time: Option<Allowance>) -> Limits {
    let settings = &session.settings;
    let default = || match settings.playouts {
        Some(_) => None,
        None => Some(Allowance::exactly(DEFAULT_TIME)),
    };
    Limits {
        time: time.or_else(default),
        playouts: settings.playouts,
        early_stop: settings.early_stop,
        in_parts: false,
    }
}

/// The time to use: that of the settings or the clock, whichever is less.
fn time_for(session: &Session, color: Color) -> Option<Allowance> {
    let (settings, clock) = (&session.settings, session.clocks.side(color as usize));
    let usual = clock.budget(moves_left(session.game()), settings.lag);
    let on_clock = usual.and_then(|usual| {
        let most = clock.ceiling(usual, settings.lag)?;
        Some(Allowance {
            usual,
            most,
            saved: clock.saves(),
        })
    });
    match (on_clock, settings.time) {
        (Some(on_clock), Some(time)) => Some(on_clock.at_most(time)),
        (on_clock, time) => on_clock.or_else(|| time.map(Allowance::exactly)),
    }
}

/// Roughly how many moves a side has still to make. More than that at first
/// and less in the middle of the game, where a move decides most: there it gets
/// most time.
fn moves_left(game: &AnyGame) -> u32 {
    let (empty, all) = (game.empty_points(), game.grid().points().count());
    let filled = 100 * all.saturating_sub(empty) / all.max(1);
    let tenths = match filled {
        0..8 => 5,
        8..60 => 3,
        _ => 4,
    };
    (empty * tenths / 10 + 10) as u32
}

/// Follows a search to its end.
struct Watcher<'w> {
    pace: Pace,
    has_time_limit: bool,
    started: Instant,
    /// When to look at the input next.
    glance: Duration,
    patience: Patience,
    cancelled: bool,
    inbox: &'w mut Inbox,
}

impl Watcher<'_> {
    fn new(limits: Limits, patience: Patience, inbox: &mut Inbox) -> Watcher<'_> {
        Watcher {
            pace: Pace::new(limits),
            has_time_limit: limits.time.is_some(),
            started: Instant::now(),
            glance: GLANCE,
            patience,
            cancelled: false,
            inbox,
        }
    }

    /// Whether to end the search: it was thought enough, the client asks for
    /// an end, or it is gone. Other commands wait for their turn.
    ///
    /// Where only playouts limit the search it is looked at whenever it shows
    /// itself, so that its end does not depend on the clock.
    fn is_over(&mut self, view: &dyn View) -> bool {
        let elapsed = self.started.elapsed();
        if self.has_time_limit && elapsed < self.glance {
            return false;
        }
        let look = Look {
            elapsed,
            playouts: view.playouts(),
            lead: view.lead(),
        };
        if self.pace.is_over(look) {
            return true;
        }
        if elapsed < self.glance {
            return false;
        }
        self.glance = elapsed + GLANCE;
        self.cancelled = self.patience == Patience::UntilALine && self.inbox.has_line();
        self.cancelled || self.inbox.is_interrupted() || self.inbox.is_abandoned()
    }
}

/// Chooses a step.
pub fn choose(session: &mut Session, thought: &Thought, onlooker: &mut dyn Onlooker) -> Choice {
    watched(session, thought, Patience::Endless, onlooker).0
}

/// Chooses a step, unless patience ends before.
pub fn choose_patiently(
    session: &mut Session,
    thought: &Thought,
    patience: Patience,
    onlooker: &mut dyn Onlooker,
) -> Option<Choice> {
    let (choice, cancelled) = watched(session, thought, patience, onlooker);
    (!cancelled).then_some(choice)
}

/// What is chosen, and whether the search was cancelled.
fn watched(
    session: &mut Session,
    thought: &Thought,
    patience: Patience,
    onlooker: &mut dyn Onlooker,
) -> (Choice, bool) {
    let (player, game, inbox) = session.thinker();
    let mut watcher = Watcher::new(thought.limits, patience, inbox);
    let task = Task {
        owners_apart: onlooker.wants_owners_apart(),
        ..thought.task.clone()
    };
    let onlooker = RefCell::new(onlooker);
    let mut shown = false;
    let choice = player.step_and_show(
        game,
        &task,
        &mut |view| watcher.is_over(view) | onlooker.borrow_mut().look(game, view),
        &mut |choice, view| {
            shown = true;
            onlooker.borrow_mut().conclude(game, choice, Some(view));
        },
    );
    if !shown {
        onlooker.borrow_mut().conclude(game, &choice, None);
    }
    (choice, watcher.cancelled)
}

/// Chooses a whole turn, and books the time it took.
pub fn choose_turn(session: &mut Session, color: Color) -> TurnChoice {
    let started = Instant::now();
    let thought = Thought::of_turn(session, color);
    let (player, game, inbox) = session.thinker();
    let mut watcher = Watcher::new(thought.limits, Patience::Endless, inbox);
    let chosen = player.turn(game, &thought.task, &mut |view| watcher.is_over(view));
    spend(session, color, started);
    chosen
}

/// Books the time since `started`.
pub fn spend(session: &mut Session, color: Color, started: Instant) {
    let clock = session.clocks.side_mut(color as usize);
    clock.spend(started.elapsed());
}

/// Thinks on the opponent's time until anything arrives.
pub fn ponder(session: &mut Session) {
    if session.game().is_over() {
        return;
    }
    let task = Task {
        playouts: None,
        ..task(session, session.game().to_move())
    };
    let (player, game, inbox) = session.thinker();
    player.ponder(game, &task, &mut |_| inbox.is_pending(), &mut |_| ());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::clock::{Clocks, TimeSystem};
    use crate::gtp::{Settings, answer, request::parse_line};
    use crate::rules::{Setup, variant};

    fn session(id: &str, time: Option<f64>, playouts: Option<u64>) -> Session {
        let setup = Setup::new(variant(id).expect("a variant"));
        let settings = Settings {
            time: time.map(Duration::from_secs_f64),
            playouts,
            ..Settings::default()
        };
        Session::new(setup, settings).expect("a valid setup")
    }

    fn start_clock(session: &mut Session, seconds: u64) {
        let main = Duration::from_secs(seconds);
        session.clocks = Clocks::new(TimeSystem::Absolute { main });
    }

    fn limits(session: &Session) -> Limits {
        Thought::of_move(session, session.game().to_move()).limits
    }

    fn exactly(seconds: f64) -> Option<Allowance> {
        Some(Allowance::exactly(Duration::from_secs_f64(seconds)))
    }

    #[test]
    fn a_search_ends_by_something() {
        assert_eq!(limits(&session("go", None, None)).time, exactly(1.0));
        assert_eq!(limits(&session("go", Some(0.5), None)).time, exactly(0.5));
        let counted = limits(&session("go", None, Some(7)));
        assert_eq!((counted.time, counted.playouts), (None, Some(7)));
        let both = limits(&session("go", Some(0.5), Some(7)));
        assert_eq!((both.time, both.playouts), (exactly(0.5), Some(7)));
    }

    #[test]
    fn a_clock_leaves_time_for_the_rest_of_the_game() {
        let mut session = session("go", None, None);
        start_clock(&mut session, 600);
        let time = limits(&session).time.expect("a limit");
        assert!(time.usual > Duration::from_secs(1), "{time:?}");
        assert!(time.usual < Duration::from_secs(6), "{time:?}");
        assert_eq!(time.most, time.usual * 3);
        // The settings' time is a maximum; analysis is on nobody's clock.
        session.settings.time = Some(Duration::from_secs(2));
        assert_eq!(limits(&session).time, exactly(2.0));
        session.settings.time = None;
        let off = Thought::off_the_clock(&session, Color::Black).limits.time;
        assert_eq!(off, exactly(1.0));
    }

    #[test]
    fn the_middle_of_a_game_gets_most() {
        let mut session = session("go", None, None);
        let at = |session: &Session| moves_left(session.game());
        let first = at(&session);
        for (number, color) in (0..60).zip("bw".chars().cycle()) {
            let column = char::from(b'A' + number % 6);
            let line = format!("play {color} {column}{}", 1 + number / 6);
            // Some are illegal, which does not matter.
            let _ = answer(&mut session, &parse_line(line.as_bytes()).expect("a line"));
        }
        let middle = at(&session);
        assert!(middle * 3 < first * 2, "{first} {middle}");
    }

    #[test]
    fn steps_of_a_growth_get_less_and_turns_are_thought_out_in_parts() {
        let mut session = session("sygo", None, None);
        start_clock(&mut session, 600);
        for line in [
            "play w A1",
            "play b Q16",
            "play w D1",
            "play b pass",
            "play w A2",
        ] {
            let request = parse_line(line.as_bytes()).expect("a line");
            answer(&mut session, &request).expect("a legal turn");
        }
        let white = |session: &Session| Thought::of_turn(session, Color::White).limits;
        let whole = white(&session);
        assert!(whole.in_parts && session.game().is_mid_turn());
        let step = limits(&session);
        assert_eq!(step.time, whole.time.map(Allowance::halved));
        assert!(!step.in_parts);
    }
}
