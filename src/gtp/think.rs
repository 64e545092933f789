//! From the session's settings and clocks to limits of a search.

use super::{Session, vertex_code};
use crate::board::Color;
use crate::rules::{Step, Turn};
use crate::search::{Knobs, Player, Task, View};
use std::time::{Duration, Instant};

/// What a reply may take on its way to the client and back.
const LAG: Duration = Duration::from_millis(50);

/// Time a move if nothing limits the search.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The step to play, thought out on the clock of `color`. Says only what one
/// vertex can say.
pub fn step(session: &mut Session, color: Color) -> Step {
    let started = Instant::now();
    let step = limited_step(session, color, time_for(session, color));
    session
        .clocks
        .side_mut(color as usize)
        .spend(started.elapsed());
    step
}

/// The same, on nobody's clock.
pub fn step_unclocked(session: &Session, color: Color) -> Step {
    limited_step(session, color, session.settings.time)
}

/// The turn to make, thought out on the clock of `color`.
pub fn turn(session: &mut Session, color: Color) -> Turn {
    let started = Instant::now();
    let options = options(session, color);
    let limit = limit(session, time_for(session, color));
    let turn = match limit.filter(|_| session.game().info().words.grow) {
        None => {
            let mut stop = stop_after(started, limit);
            player(session)
                .turn(session.game(), &options, &mut stop)
                .turn
        }
        Some(limit) => {
            let mut stop = stop_in_parts(started, limit);
            player(session)
                .turn(session.game(), &options, &mut stop)
                .turn
        }
    };
    session
        .clocks
        .side_mut(color as usize)
        .spend(started.elapsed());
    turn
}

fn limited_step(session: &Session, color: Color, time: Option<Duration>) -> Step {
    let options = Task {
        exclude: Some(|step| !vertex_code::is_sayable(step)),
        ..options(session, color)
    };
    let mut stop = stop_after(Instant::now(), limit(session, time));
    player(session)
        .step(session.game(), &options, &mut stop)
        .step
}

/// The time to use: that of the settings or the clock, whichever is less.
fn time_for(session: &Session, color: Color) -> Option<Duration> {
    let clock = session.clocks.side(color as usize);
    let moves_left = session.game().empty_points() as u32 / 3 + 10;
    let budget = clock.budget(moves_left, LAG);
    match (session.settings.time, budget) {
        (Some(time), Some(budget)) => Some(time.min(budget)),
        (time, budget) => time.or(budget),
    }
}

/// A search must end by something.
fn limit(session: &Session, time: Option<Duration>) -> Option<Duration> {
    time.or(match session.settings.playouts {
        Some(_) => None,
        None => Some(DEFAULT_TIME),
    })
}

fn stop_after(started: Instant, limit: Option<Duration>) -> impl FnMut(&dyn View) -> bool {
    move |_| limit.is_some_and(|limit| started.elapsed() >= limit)
}

/// For a turn of several steps: half of what is left for each in turn, so
/// that the first, which weighs most, gets most.
fn stop_in_parts(started: Instant, limit: Duration) -> impl FnMut(&dyn View) -> bool {
    let mut deadline = limit / 2;
    move |_| {
        let now = started.elapsed();
        let due = now >= deadline;
        if due {
            deadline = now + limit.saturating_sub(now) / 2;
        }
        due
    }
}

/// The seed depends on the turn, so that a game is not one random sequence
/// over and over; and else on what the session was given or drew alone, so that
/// it is reproducible.
fn options(session: &Session, color: Color) -> Task {
    let turns = session.game().turns().len() as u64;
    let steps = session.game().grown().len() as u64;
    Task {
        playouts: session.settings.playouts,
        seed: session.seed().wrapping_add(turns << 16).wrapping_add(steps),
        ..Task::new(color)
    }
}

fn player(session: &Session) -> Player {
    let mut knobs = Knobs::default();
    if let Ok(text) = std::env::var("KNOBS") {
        for pair in text.split(',') {
            if let Some((name, value)) = pair.split_once('=') {
                let _ = knobs.set(name, value.parse().unwrap_or(0.0));
            }
        }
    }
    Player::new(knobs, session.settings.memory, 1)
}
