//! The engine's own moves: search, possibly resign, play.
//!
//! Each runs within [`Session::play_on`]: if the engine has resigned and is asked for another
//! move, the game goes on.

use super::resign_policy;
use super::search_runner::{self, SearchObserver, SearchPlan, StopCondition};
use crate::board::Color;
use crate::encoding::GtpMove;
use crate::gtp::session::illegal;
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{AnyGame, Illegal, Step, Turn};
use crate::search::{Choice, Restriction};

/// The engine does not resign before one turn per this many points was played.
const EARLIEST_RESIGN_DIVISOR: usize = 4;

/// Searches within restrictions, plays, and returns the move as one vertex, `pass`
/// or `resign`. The clock runs from the call to the end of the move.
///
/// # Errors
/// [`Failure::IllegalMove`] if the rules refuse the move, which would be a bug.
pub fn play(
    session: &mut Session,
    color: Color,
    restrictions: &[Restriction],
    observer: &mut dyn SearchObserver,
) -> Reply {
    session.play_on(|session| {
        if session.game().is_final() {
            session.pass_after_end(color);
            return Ok("pass".to_owned());
        }
        if must_pass(session.game(), color) {
            session.pass(color).map_err(illegal)?;
            return Ok("pass".to_owned());
        }
        let plan = SearchPlan::for_move(session, color).restricted(restrictions);
        search_and_play(session, &plan, observer)
    })
}

/// Searches by a plan and plays.
///
/// # Errors
/// As [`play`].
pub fn search_and_play(
    session: &mut Session,
    plan: &SearchPlan,
    observer: &mut dyn SearchObserver,
) -> Reply {
    let color = plan.task.color;
    let choice = search_runner::choose(session, plan, observer);
    // A choice among a few moves says nothing about the game.
    if plan.task.restrictions.is_empty() && should_resign(session, plan, &choice) {
        plan.charge(session);
        return resign(session, color);
    }
    play_step(session, plan, choice.step, choice)
}

/// Plays a step, which a search by this plan chose.
///
/// # Errors
/// As [`play`].
pub fn play_step(session: &mut Session, plan: &SearchPlan, step: Step, choice: Choice) -> Reply {
    let word = word(session, step)?;
    session.play_step(plan.task.color, step, word).map_err(illegal)?;
    plan.charge(session);
    session.last_search = Some((word.to_string(), choice));
    session.may_ponder = plan.weakness.is_none();
    Ok(word.to_string())
}

/// As [`play`], without playing and without a clock; `cancelled` if the stop
/// condition was met.
///
/// # Errors
/// [`Failure::IllegalMove`] if no vertex expresses the move, which would be a bug.
pub fn search(
    session: &mut Session,
    color: Color,
    restrictions: &[Restriction],
    stop_condition: StopCondition,
    observer: &mut dyn SearchObserver,
) -> Reply {
    if must_pass(session.game_to_play(), color) {
        return Ok("pass".to_owned());
    }
    let plan = SearchPlan::untimed(session, color).restricted(restrictions);
    match search_runner::choose_unless_stopped(session, &plan, stop_condition, observer) {
        Some(choice) => Ok(word(session, choice.step)?.to_string()),
        None => Ok("cancelled".to_owned()),
    }
}

/// Searches, plays a whole turn and returns it in writing.
///
/// # Errors
/// [`Failure::Forbidden`] in the middle of a turn.
pub fn play_turn(session: &mut Session, color: Color) -> Reply {
    session.play_on(|session| {
        if session.game().is_final() {
            return Ok("pass".to_owned());
        }
        if session.game().is_mid_turn() {
            return Err(illegal(Illegal::MidTurn));
        }
        if session.game().is_over() {
            let turn = Turn::pass();
            session.play_turn(color, &turn).map_err(illegal)?;
            return Ok(session.game().write(&turn));
        }
        let plan = SearchPlan::for_turn(session, color);
        let chosen = search_runner::choose_turn(session, &plan);
        if should_resign(session, &plan, &chosen.choice) {
            plan.charge(session);
            return resign(session, color);
        }
        let text = session.game().write(&chosen.turn);
        session.play_turn(color, &chosen.turn).map_err(illegal)?;
        plan.charge(session);
        session.last_search = Some((text.clone(), chosen.choice));
        session.may_ponder = plan.weakness.is_none();
        Ok(text)
    })
}

/// Whether only a pass is possible: the game is over or the other side is in the
/// middle of its turn.
fn must_pass(game: &AnyGame, color: Color) -> bool {
    game.is_over() || game.is_mid_turn() && game.to_move() != color
}

/// The vertex that expresses a step.
fn word(session: &Session, step: Step) -> Result<GtpMove, Failure> {
    let word = session.codec().encode(session.game_to_play(), step);
    word.ok_or(Failure::IllegalMove)
}

fn resign(session: &mut Session, color: Color) -> Reply {
    session.resign_as_engine(color).map_err(illegal)?;
    Ok("resign".to_owned())
}

/// Whether to resign: the win rate was low for several turns, the game is not
/// young, and the position as it stands is not a won count. A weak player, whose own win rates
/// say little, looks once more.
fn should_resign(session: &mut Session, plan: &SearchPlan, choice: &Choice) -> bool {
    let color = plan.task.color;
    if session.game().is_mid_turn() || choice.playouts == 0 {
        return false;
    }
    let resign = session.settings.resign;
    let turns = session.game().turns().len();
    let bad = session.resign_policy.note(color, turns, choice.win_rate < resign.threshold);
    let game = session.game();
    let young = turns * EARLIEST_RESIGN_DIVISOR < game.grid().points().count();
    let looks_lost =
        resign.allowed && bad >= resign.turns && !young && game.score().winner() != Some(color);
    looks_lost && (plan.weakness.is_none() || is_beyond_doubt(session, color))
}

/// Whether a search at full strength finds `color` lost, and so far behind that a person sees it.
fn is_beyond_doubt(session: &mut Session, color: Color) -> bool {
    let standing = search_runner::standing(session, color);
    let points = session.game().grid().points().count();
    standing.win_rate < session.settings.resign.threshold
        && resign_policy::is_plainly_behind(standing.margin, points)
}
