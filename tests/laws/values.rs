//! Exact values, compared with searches without any cleverness.

use super::{Trial, Verdict, ensure_same};
use kawari::board::Color;
use kawari::rules::{Game, GameResult, Ko, Scoring, Turn};
use kawari::solve::{SolveSettings, solve};
use std::collections::HashMap;

/// Points of the boards that plain searches solve.
const POINTS: usize = 6;

/// Positions that they look at, at most.
const BUDGET: u32 = 300;

/// Positions that the solver looks at, at most.
const SOLVER_BUDGET: u64 = 4_000;

/// A result as a margin of Black; a win by a rule is more than any.
pub fn lead(result: GameResult) -> f64 {
    match (result, result.winner()) {
        (GameResult::Points(margin), _) => margin,
        (_, Some(Color::Black)) => 1e6,
        (_, Some(Color::White)) => -1e6,
        (_, None) => f64::NAN,
    }
}

/// The games that one more step leads to.
pub fn children(game: &Game) -> Vec<Game> {
    let color = game.to_move();
    let after = |step| {
        let mut after = game.clone();
        after.step(color, step).ok().map(|()| after)
    };
    game.steps(color).into_iter().filter_map(after).collect()
}

/// What Black and White force: the worst and the best that Black can come to, by looking at
/// all that can happen. `None` if that is more than `budget` positions.
pub fn plain_bounds(game: &Game, budget: u32) -> Option<(f64, f64)> {
    let ko = game.rules().ko;
    let superko = matches!(ko, Ko::Positional | Ko::Situational);
    let repeats_matter = superko || game.info().repetition_draws;
    if repeats_matter && !game.info().ko_has_no_effect {
        let mut budget = budget;
        minimax(game, &mut budget).map(|value| (value, value))
    } else {
        fixed_points(game, budget as usize)
    }
}

/// Black's result by looking at all games to their ends.
fn minimax(game: &Game, budget: &mut u32) -> Option<f64> {
    if game.is_over() {
        return Some(lead(game.score()));
    }
    *budget = budget.checked_sub(1)?;
    let mut values = Vec::new();
    for child in children(game) {
        values.push(minimax(&child, budget)?);
    }
    Some(best(game.to_move(), values))
}

/// The best of some results for a side.
pub fn best(color: Color, values: impl IntoIterator<Item = f64>) -> f64 {
    let values = values.into_iter();
    match color {
        Color::Black => values.fold(f64::NEG_INFINITY, f64::max),
        Color::White => values.fold(f64::INFINITY, f64::min),
    }
}

/// The sides of the next turns, as far as passes show them.
fn next_sides(game: &Game) -> Vec<Color> {
    const TURNS: usize = 8;
    let mut sides = vec![game.to_move()];
    let mut after = game.clone();
    while !game.info().alternates && sides.len() < TURNS {
        if after.play(after.to_move(), &Turn::pass()).is_err() {
            break;
        }
        sides.push(after.to_move());
    }
    sides
}

/// A key of games whose future does not depend on earlier positions.
fn state_key(game: &Game) -> String {
    let state = game.state();
    let steps = game.steps(game.to_move());
    let extras = game.extras();
    let counts_captures = game.rules().scoring == Scoring::Territory
        || game.info().may_be_won()
        || extras.hand.is_some();
    let captures = counts_captures.then_some(state.captures);
    // Rules may count turns.
    let turn = state.turn.min(2);
    format!(
        "{:?} {:?} {} {:?} {turn} {steps:?} {:?} {captures:?} {:?} {:?}",
        state.board,
        next_sides(game),
        state.passes,
        game.position().situation.passed,
        extras.voids,
        extras.hand,
        game.points_so_far()
    )
}

/// The same where nothing forbids to repeat a position: the least and the greatest fixed point
/// over all positions that can come. `None` if there are more than `most`.
fn fixed_points(game: &Game, most: usize) -> Option<(f64, f64)> {
    let mut numbers = HashMap::from([(state_key(game), 0)]);
    let mut games = vec![game.clone()];
    let mut exits: Vec<Vec<usize>> = Vec::new();
    while let Some(game) = games.get(exits.len()).cloned() {
        let mut of_game = Vec::new();
        let children = if game.is_over() { Vec::new() } else { children(&game) };
        for child in children {
            let next = games.len();
            let number = *numbers.entry(state_key(&child)).or_insert(next);
            if number == next {
                games.push(child);
            }
            of_game.push(number);
        }
        exits.push(of_game);
        if games.len() > most {
            return None;
        }
    }
    let from = |start: f64| {
        let end = |game: &Game| if game.is_over() { lead(game.score()) } else { start };
        let mut values: Vec<f64> = games.iter().map(end).collect();
        loop {
            let mut changed = false;
            for (number, game) in games.iter().enumerate().filter(|(_, game)| !game.is_over()) {
                let value = best(game.to_move(), exits[number].iter().map(|&exit| values[exit]));
                changed |= value != values[number];
                values[number] = value;
            }
            if !changed {
                return values[0];
            }
        }
    };
    Some((from(f64::NEG_INFINITY), from(f64::INFINITY)))
}

/// The bounds that the solver finds; `None` if it needs more positions.
pub fn solved(game: &Game, positions: u64) -> Option<(f64, f64)> {
    let settings =
        SolveSettings { positions, memory: 64 << 20, value_only: true, ..SolveSettings::default() };
    let solution = solve(game, settings, &|| false);
    let low = solution.low.map_or(f64::NEG_INFINITY, lead);
    let high = solution.high.map_or(f64::INFINITY, lead);
    (solution.positions < positions).then_some((low, high))
}

/// The same board with so many blocked points that at least two others and at most
/// [`POINTS`] are left.
fn with_few_points(trial: &mut Trial) -> Verdict {
    let few = POINTS - trial.random.below(POINTS as u32 - 1) as usize;
    let mut setup = trial.setup.clone();
    setup.take_stones_off();
    let Ok(grid) = setup.grid() else {
        return Ok(());
    };
    for point in grid.points() {
        let place = grid.coordinates(point);
        let left = grid.points().count() - setup.blocked_points.len();
        if left > few && !setup.blocked_points.contains(&place) {
            setup.blocked_points.push(place);
        }
    }
    trial.begin_again(setup)
}

pub fn values_are_those_of_plain_searches(trial: &mut Trial) -> Verdict {
    with_few_points(trial)?;
    let acts = trial.random.below(5) as usize;
    trial.random_walk(acts, |trial| {
        if trial.game.is_over() {
            return Ok(());
        }
        let found = plain_bounds(&trial.game, BUDGET)
            .and_then(|expected| Some((expected, solved(&trial.game, SOLVER_BUDGET)?)));
        let Some((expected, found)) = found else {
            return Ok(());
        };
        ensure_same!(
            "solved": found, "by looking at all": expected, "Black's result, at least and at most"
        );
        trial.counts(1);
        Ok(())
    })
}
