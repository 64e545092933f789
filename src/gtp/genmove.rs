//! The engine's own moves: thought out, perhaps given up, and played.

use super::encoding::Word;
use super::session::illegal;
use super::think::{self, Onlooker, Patience, Thought};
use super::{Failure, Reply, Session};
use crate::board::Color;
use crate::rules::{Action, AnyGame, Illegal, Turn};
use crate::search::{Choice, Restriction};
use std::time::Instant;

/// One part in so many of all points must have been played on before a game
/// is given up.
const EARLIEST: usize = 4;

/// Thinks, within restrictions, plays, and says the move as one vertex, `pass`
/// or `resign`.
///
/// # Errors
/// None that the rules know of.
pub fn play(
    session: &mut Session,
    color: Color,
    restrictions: &[Restriction],
    onlooker: &mut dyn Onlooker,
) -> Reply {
    if session.game().is_final() {
        session.pass_idly(color);
        return Ok("pass".to_owned());
    }
    if needs_no_thought(session.game(), color) {
        session.pass(color).map_err(illegal)?;
        return Ok("pass".to_owned());
    }
    let started = Instant::now();
    let thought = Thought::of_move(session, color).within(restrictions);
    let choice = think::choose(session, &thought, onlooker);
    think::spend(session, color, started);
    if gives_up(session, color, &choice) {
        return resign(session, color);
    }
    let word = word(session, &choice)?;
    session.say(color, choice.step, word).map_err(illegal)?;
    session.latest = Some((word.to_string(), choice));
    session.awaits_opponent = true;
    Ok(word.to_string())
}

/// As [`play`], without playing, on nobody's clock; `cancelled` if patience ends.
///
/// # Errors
/// None that the rules know of.
pub fn search(
    session: &mut Session,
    color: Color,
    restrictions: &[Restriction],
    patience: Patience,
    onlooker: &mut dyn Onlooker,
) -> Reply {
    if needs_no_thought(session.game(), color) {
        return Ok("pass".to_owned());
    }
    let thought = Thought::off_the_clock(session, color).within(restrictions);
    match think::choose_patiently(session, &thought, patience, onlooker) {
        Some(choice) => Ok(word(session, &choice)?.to_string()),
        None => Ok("cancelled".to_owned()),
    }
}

/// Thinks, plays a whole turn and says it in writing.
///
/// # Errors
/// [`Failure::IllegalMove`] in the middle of a turn.
pub fn play_turn(session: &mut Session, color: Color) -> Reply {
    if session.game().is_final() {
        return Ok("pass".to_owned());
    }
    if session.game().is_mid_turn() {
        return Err(illegal(Illegal::MidGrowth));
    }
    let (turn, choice) = if session.game().is_over() {
        (Turn::Pass, None)
    } else {
        let chosen = think::choose_turn(session, color);
        (chosen.turn, Some(chosen.choice))
    };
    if choice
        .as_ref()
        .is_some_and(|choice| gives_up(session, color, choice))
    {
        return resign(session, color);
    }
    let said = session.game().write(&turn);
    session.act(color, &Action::Turn(turn)).map_err(illegal)?;
    session.latest = choice.map(|choice| (said.clone(), choice));
    session.awaits_opponent = true;
    Ok(said)
}

/// Whether only a pass can be said: the game is over, or the other side's turn
/// is under way.
fn needs_no_thought(game: &AnyGame, color: Color) -> bool {
    game.is_over() || game.is_mid_turn() && game.to_move() != color
}

/// How the choice is said.
fn word(session: &Session, choice: &Choice) -> Result<Word, Failure> {
    let word = session.coder().encode(session.game(), choice.step);
    word.ok_or(Failure::IllegalMove)
}

fn resign(session: &mut Session, color: Color) -> Reply {
    let resigned = session.act(color, &Action::Resign);
    resigned.map_err(illegal)?;
    Ok("resign".to_owned())
}

/// Whether the game is lost for `color`: its chances were bad for a while, the
/// game is not young any more, and the count is not won as it stands.
fn gives_up(session: &mut Session, color: Color, choice: &Choice) -> bool {
    if session.game().is_mid_turn() || choice.playouts == 0 {
        return false;
    }
    let resign = session.settings.resign;
    let turns = session.game().turns().len();
    let bad = session
        .outlook
        .note(color, turns, choice.win_rate < resign.threshold);
    let game = session.game();
    let young = turns * EARLIEST < game.grid().points().count();
    resign.allowed && bad >= resign.turns && !young && !game.score().starts_with(color.letter())
}
