//! The parts of a position on which its future depends, as variants say it.

use super::trial::{candidate_steps, legal_turns};
use super::{Trial, Verdict, ensure_same};
use kawari::board::{Color, Point};
use kawari::rules::{Game, Step, StepKindInfo};
use std::collections::HashMap;

/// What the future of a position between turns depends on, as it says itself: the rows of
/// the board and the notes.
type VisibleState = (Vec<String>, Vec<(u64, Point)>);

/// The visible future: the steps of the side to move, the score as if the game
/// ended here, whether it has, and what the players have in hand.
type Future = (Vec<u16>, String, bool, [u16; 2]);

pub fn visible_state(game: &Game) -> VisibleState {
    let mut notes = Vec::new();
    game.position().visit_future_state(&mut |number, point| notes.push((number, point)));
    (game.position().rows(), notes)
}

fn future(game: &Game) -> Future {
    // Not those of the game: superko may leave nothing but a pass.
    let mut steps = Vec::new();
    game.position().for_each_step(game.to_move(), &mut |step| steps.push(step.code()));
    steps.sort_unstable();
    let in_hand = game.extras().hand.map_or([0; 2], |hand| hand.count);
    (steps, game.score().to_string(), game.is_final(), in_hand)
}

/// Games on boards so small that positions come again and again. (One that is over because of
/// passes is left out: the numbers are those of positions that continue.)
pub fn equal_notes_mean_equal_futures(trial: &mut Trial) -> Verdict {
    let mut met: HashMap<VisibleState, (Future, usize)> = HashMap::new();
    let setup = trial.setup.clone();
    let mut again = 0;
    trial.prefers_special_turns = true;
    for number in 0..20 {
        trial.begin_again(setup.clone())?;
        trial.random_walk(60, |trial| {
            let game = &trial.game;
            if game.is_mid_turn() || game.is_over() {
                return Ok(());
            }
            let now = future(game);
            let known = met.entry(visible_state(game)).or_insert_with(|| (now.clone(), number));
            again += usize::from(known.1 != number);
            ensure_same!(
                "then": known.0, "now": now,
                "a position of game {} is back in game {number} with the same notes and another \
                 future (steps by their codes, score, end, in hand)", known.1
            );
            Ok(())
        })?;
    }
    trial.counts(again);
    Ok(())
}

/// The number that a position in the middle of a turn has.
fn mid_turn_key(game: &Game) -> Option<u64> {
    game.position().mid_turn_key()
}

/// Steps of the kinds whose turns may have several that may follow now.
fn several_steps(game: &Game) -> Vec<Step> {
    let info = game.info();
    let is_several = |step: &Step| info.kind(step.kind()).is_some_and(StepKindInfo::is_several);
    let mut steps = candidate_steps(game);
    steps.retain(|step| is_several(step) && game.check_next_step(game.to_move(), *step).is_ok());
    steps
}

/// The position after two steps of one turn; `None` if the second is illegal or no
/// unfinished turn with a key lies between them.
fn after_both(game: &Game, one: Step, other: Step) -> Option<Game> {
    let (mut after, color) = (game.clone(), game.to_move());
    after.step(color, one).ok()?;
    let continues = mid_turn_key(&after).is_some();
    after.step(color, other).ok().filter(|()| continues)?;
    Some(after)
}

pub fn order_does_not_matter_within_a_turn(trial: &mut Trial) -> Verdict {
    /// Pairs of a position that are tried.
    const PAIRS: usize = 12;
    if trial.game.info().has_single_steps_only() {
        trial.exempts("each turn has one step");
    }
    trial.random_walk(12, |trial| {
        let is_between = !trial.game.is_mid_turn();
        if !is_between && mid_turn_key(&trial.game).is_none() {
            trial.exempts("unfinished turns have no key");
        }
        ensure_same!(
            "key": mid_turn_key(&trial.game).filter(|_| is_between), "expected": None::<u64>,
            "there is a key between turns"
        );
        if trial.game.is_final() || legal_turns(&trial.game, trial.game.to_move()).is_empty() {
            return Ok(());
        }
        let steps = several_steps(&trial.game);
        for _ in 0..PAIRS.min(steps.len()) {
            let [one, other] = [(); 2].map(|()| super::trial::pick(&steps, &mut trial.random));
            let (Some(one), Some(other)) = (one, other) else {
                break;
            };
            let game = &trial.game;
            let (Some(first), Some(second)) =
                (after_both(game, one, other), after_both(game, other, one))
            else {
                continue;
            };
            // What stands on the board tells which steps came, unless one changed the other's.
            if first.state().board != second.state().board {
                continue;
            }
            let seen = |game: &Game| {
                let color: Color = game.to_move();
                (mid_turn_key(game), game.is_mid_turn(), color, future(game))
            };
            ensure_same!(
                "one way": seen(&first), "the other": seen(&second),
                "{one:?} and {other:?}: the order makes a difference (key, unfinished, side to \
                 move, future)"
            );
            trial.counts(1);
        }
        Ok(())
    })
}
