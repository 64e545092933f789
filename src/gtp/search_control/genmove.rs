//! The engine's own moves: search, possibly resign, play.
//!
//! Each runs within [`Session::play_on`]: after a resignation of the engine, the game goes on.

use super::search_runner::{self, SearchObserver, charge};
use crate::board::Color;
use crate::encoding::GtpMove;
use crate::gtp::session::illegal;
use crate::gtp::{Failure, Reply, Session};
use crate::playing::Plan;
use crate::rules::{Game, Illegal, Step, Turn};
use crate::search::{Choice, Restriction, TurnChoice};

/// Searches within restrictions, plays, and returns one vertex, `pass` or `resign`. The clock runs
/// from the call to the end of the move.
pub fn play(
    session: &mut Session,
    color: Color,
    restrictions: &[Restriction],
    observer: &mut dyn SearchObserver,
) -> Reply {
    session.play_on(|session| {
        if session.game().is_final() {
            session.pass(color).map_err(illegal)?;
            return Ok("pass".to_owned());
        }
        session.game().check_side(color).map_err(illegal)?;
        if must_pass(session.game(), color) {
            session.pass(color).map_err(illegal)?;
            return Ok("pass".to_owned());
        }
        let mut plan = search_runner::plan_for_move(session, color);
        plan.task.restrictions.extend_from_slice(restrictions);
        search_and_play(session, &plan, observer)
    })
}

pub fn search_and_play(
    session: &mut Session,
    plan: &Plan,
    observer: &mut dyn SearchObserver,
) -> Reply {
    let choice = search_runner::choose(session, plan, observer);
    // A choice among a few moves says nothing about the game.
    if plan.task.restrictions.is_empty() && should_resign(session, plan, &choice) {
        return resign(session, plan);
    }
    play_choice(session, plan, choice)
}

/// Plays the step that a search by this plan chose.
pub fn play_choice(session: &mut Session, plan: &Plan, choice: Choice) -> Reply {
    let word = word(session, choice.step)?;
    session.play_step(plan.task.color, choice.step, word).map_err(illegal)?;
    reply_after_play(session, plan, word.to_string(), choice)
}

fn reply_after_play(session: &mut Session, plan: &Plan, reply: String, choice: Choice) -> Reply {
    charge(session, plan);
    session.last_search = Some((reply.clone(), choice));
    session.may_ponder = plan.task.weakness.is_none();
    Ok(reply)
}

/// As [`play`], without playing and without a clock. Returns `cancelled` if a line from the client
/// ended a search that `is_cancellable`.
pub fn search(
    session: &mut Session,
    color: Color,
    restrictions: &[Restriction],
    is_cancellable: bool,
    observer: &mut dyn SearchObserver,
) -> Reply {
    session.game_to_play().check_side(color).map_err(illegal)?;
    if must_pass(&session.game_to_play(), color) {
        return Ok("pass".to_owned());
    }
    let mut plan = search_runner::untimed_plan(session, color);
    plan.task.restrictions.extend_from_slice(restrictions);
    match search_runner::run(session, &plan, is_cancellable, observer) {
        (choice, false) => Ok(word(session, choice.step)?.to_string()),
        (_, true) => Ok("cancelled".to_owned()),
    }
}

/// Searches, plays a whole turn and returns it in writing, with the choice of the search if there
/// was one. Fails in the middle of a turn.
pub fn play_turn(session: &mut Session, color: Color) -> Result<(String, Option<Choice>), Failure> {
    session.play_on(|session| {
        if session.game().is_final() {
            session.pass_after_end(color).map_err(illegal)?;
            return Ok(("pass".to_owned(), None));
        }
        if session.game().is_mid_turn() {
            return Err(illegal(Illegal::MidTurn));
        }
        session.game().check_side(color).map_err(illegal)?;
        if session.game().is_over() {
            let turn = Turn::pass();
            session.play_turn(color, &turn).map_err(illegal)?;
            return Ok((session.game().write(&turn), None));
        }
        let plan = search_runner::plan_for_turn(session, color);
        let TurnChoice { turn, choice } = search_runner::choose_turn(session, &plan);
        if should_resign(session, &plan, &choice) {
            return Ok((resign(session, &plan)?, Some(choice)));
        }
        let text = session.game().write(&turn);
        session.play_turn(color, &turn).map_err(illegal)?;
        Ok((reply_after_play(session, &plan, text, choice.clone())?, Some(choice)))
    })
}

/// Whether only a pass is possible: the game is over, or the other side is in the middle of its
/// turn.
fn must_pass(game: &Game, color: Color) -> bool {
    game.is_over() || game.is_mid_turn() && game.to_move() != color
}

/// The vertex that expresses a step. A step without one would be a bug of the search.
fn word(session: &Session, step: Step) -> Result<GtpMove, Failure> {
    let word = session.codec().encode(&session.game_to_play(), step);
    word.ok_or(Failure::IllegalMove)
}

fn resign(session: &mut Session, plan: &Plan) -> Reply {
    charge(session, plan);
    session.resign_as_engine(plan.task.color).map_err(illegal)?;
    Ok("resign".to_owned())
}

fn should_resign(session: &mut Session, plan: &Plan, choice: &Choice) -> bool {
    let (color, settings) = (plan.task.color, session.settings.resign);
    if session.game().is_mid_turn() {
        return false;
    }
    let may_resign = settings.allow(session.game());
    let standing = search_runner::standing(session, plan, choice, may_resign);
    session.resign_policy.resigns(&settings, session.cursor.game(), color, standing)
}
