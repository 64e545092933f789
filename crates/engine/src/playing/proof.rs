//! Turns on small boards, proven before a search.

use super::Plan;
use crate::rules::{Game, GameResult, Turn};
use crate::search::{Choice, Outcome, STANDING_PLAYOUTS, SearchParams, Task, TurnChoice};
use crate::solve::{ProofTables, SolveSettings, proven_turn};

/// Bytes of the tables of a proof.
const MEMORY: usize = 128 << 20;

/// Positions of a proof for each playout if only playouts limit the search.
const POSITIONS_PER_PLAYOUT: u64 = 150;

/// A proof gets the time of a turn divided by this; a search gets the rest.
const TIME_DIVISOR: u32 = 2;

/// A turn that wins, or keeps the value of a small board. `None` if the board is too large, the task
/// restricts or weakens turns, or nothing is proven within the limits. A pass, which ends the game,
/// goes before other turns of the same value.
pub(super) fn proven_choice(
    game: &Game,
    plan: &Plan,
    params: &SearchParams,
    proofs: &mut ProofTables,
) -> Option<TurnChoice> {
    let task = &plan.task;
    // The solver needs threads, which WebAssembly does not have.
    let is_small = game.grid().points().count() <= params.exact_board_points as usize;
    let is_free = task.restrictions.is_empty() && !task.resumes && task.weakness.is_none();
    if cfg!(target_family = "wasm") || !is_small || !is_free || game.is_over() {
        return None;
    }
    let played = game.points_so_far();
    let mut before = game.clone();
    before.undo(played.len()).ok()?;
    let time_left = plan.budget.time.map(|time| time.optimum.saturating_sub(plan.used));
    let is_over =
        || time_left.is_some_and(|time_left| plan.started.elapsed() >= time_left / TIME_DIVISOR);
    let settings = SolveSettings {
        memory: MEMORY,
        positions: positions(plan),
        to_move: Some(task.color),
        ..SolveSettings::default()
    };
    let allows = |turn: &Turn| {
        let step = before.step_of_turn(task.color, turn, 0);
        let is_excluded = step.point().is_some() && task.exclude.contains(step);
        turn.points().starts_with(played) && !is_excluded
    };
    let (turn, value) = proven_turn(&before, settings, proofs, &allows, &is_over)?;
    let choice = choice(game, task, &turn, value);
    Some(TurnChoice { turn, choice })
}

/// Maximum positions of a proof. Without a time limit only the playouts count: the same game gives
/// the same turn on every machine.
fn positions(plan: &Plan) -> u64 {
    let playouts = plan.task.playouts.unwrap_or(STANDING_PLAYOUTS.into());
    match plan.budget.time {
        Some(_) => u64::MAX,
        None => playouts.saturating_mul(POSITIONS_PER_PLAYOUT),
    }
}

/// The next step of a proven turn, with its value.
fn choice(game: &Game, task: &Task, turn: &Turn, value: GameResult) -> Choice {
    let step = game.step_of_turn(task.color, turn, game.points_so_far().len());
    let outcome = Outcome::from(value).for_color(task.color);
    Choice {
        step,
        win_rate: outcome.win,
        margin: outcome.margin,
        visits: 0,
        root_visits: 0,
        playouts: 0,
        pv: vec![step],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::playing::Limits;
    use crate::rules::{Setup, Size, variant};
    use std::time::Duration;

    fn game(id: &str, width: u8, height: u8) -> Game {
        let mut setup = Setup::new(variant(id).expect("a variant"));
        setup.size = Size { width, height };
        setup.rules.komi = 0.0;
        Game::new(&setup).expect("a game")
    }

    fn plan(color: Color, playouts: u64) -> Plan {
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        Plan::new(Task::new(color), &limits, None)
    }

    fn proven(game: &Game, params: &SearchParams) -> Option<TurnChoice> {
        proven_within(game, params, 200)
    }

    fn proven_within(game: &Game, params: &SearchParams, playouts: u64) -> Option<TurnChoice> {
        proven_choice(game, &plan(game.to_move(), playouts), params, &mut ProofTables::default())
    }

    #[test]
    fn a_proof_has_the_value_of_the_side_to_move() {
        let params = SearchParams::default();
        let mut game = game("go", 3, 2);
        let first = proven(&game, &params).expect("a proof");
        let value = first.choice.margin;
        game.play(Color::Black, &first.turn).expect("legal");
        let reply = proven(&game, &params).expect("a proof");
        assert_eq!(reply.choice.margin, -value);
        assert_eq!((first.choice.win_rate, reply.choice.win_rate), (0.5, 0.5));
    }

    #[test]
    fn positions_and_points_are_limited() {
        let params = SearchParams::default();
        assert_eq!(proven_within(&game("go", 4, 3), &params, 1), None);
        let game = game("go", 3, 3);
        // The proof takes more than 150 positions, and fewer than 15,000.
        assert_eq!(proven_within(&game, &params, 1), None);
        assert!(proven_within(&game, &params, 100).is_some());
        let small = SearchParams { exact_board_points: 8, ..SearchParams::default() };
        assert_eq!(proven(&game, &small), None);
        let mut within = plan(Color::Black, 100);
        within.task.resumes = true;
        assert_eq!(proven_choice(&game, &within, &params, &mut ProofTables::default()), None);
    }

    /// A proof whose time is over proves nothing, however small the board is.
    #[test]
    fn a_proof_ends_with_its_part_of_the_time() {
        let (params, game) = (SearchParams::default(), game("go", 3, 2));
        let time = Duration::from_secs(1000);
        let limits = Limits { time: Some(time), ..Limits::default() };
        let mut plan = Plan::new(Task::new(game.to_move()), &limits, None);
        let proofs = &mut ProofTables::default();
        assert!(proven_choice(&game, &plan, &params, proofs).is_some());
        plan.used = time;
        assert_eq!(proven_choice(&game, &plan, &params, proofs), None);
    }

    /// With the tables of the turn before, a proof takes a few positions.
    #[test]
    fn a_proof_goes_on_over_the_turns() {
        let params = SearchParams::default();
        let mut game = game("go", 3, 3);
        let proofs = &mut ProofTables::default();
        let first = proven_choice(&game, &plan(Color::Black, 200), &params, proofs);
        game.play(Color::Black, &first.expect("a proof").turn).expect("legal");
        let reply = plan(Color::White, 1);
        assert_eq!(proven_choice(&game, &reply, &params, &mut ProofTables::default()), None);
        assert!(proven_choice(&game, &reply, &params, proofs).is_some());
    }

    /// If both sides play proven steps, the game ends with the proven value.
    #[test]
    fn proven_steps_lead_to_the_value() {
        const MAX_STEPS: usize = 60;
        let params = SearchParams::default();
        for (id, height) in [("go", 3), ("sygo", 2)] {
            let mut game = game(id, 3, height);
            let color = game.to_move();
            let value = proven(&game, &params).expect("a proof").choice.margin;
            let mut steps = 0;
            while !game.is_over() && steps < MAX_STEPS {
                let step = proven(&game, &params).expect("a proof").choice.step;
                game.step(game.to_move(), step).expect("legal");
                steps += 1;
            }
            let GameResult::Points(margin) = game.score() else { panic!("{id}: no count") };
            let own = if color == Color::Black { margin } else { -margin };
            assert_eq!(own as f32, value, "{id}");
        }
    }
}
