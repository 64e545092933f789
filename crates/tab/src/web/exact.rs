//! Exact values for the page, on boards that are small enough.

use super::job::Stop;
use super::sentence;
use crate::rules::{Game, Turn};
use crate::solve::{Solution, SolveSettings, solve};
use crate::time::Instant;
use serde::Serialize;
use std::time::Duration;

/// Maximum points of a board that the page offers to solve.
const MAX_POINTS: usize = 12;

/// Maximum time of a proof.
const TIME: Duration = Duration::from_secs(60);

/// Bytes for the tables of a proof.
const MEMORY: usize = 128 << 20;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exact {
    /// The value in a sentence, or the bounds.
    pub sentence: String,
    /// Turns that keep the value.
    pub best: Vec<String>,
    /// A line in which both sides keep it.
    pub line: Vec<String>,
    #[serde(skip)]
    pub turns: Vec<Turn>,
}

/// Whether the page offers to solve the position. WebAssembly lacks the threads that the solver
/// needs.
pub fn is_small_enough(game: &Game) -> bool {
    cfg!(not(target_family = "wasm"))
        && !game.is_over()
        && game.grid().points().count() <= MAX_POINTS
}

pub fn exact(game: &Game, stop: &Stop) -> Exact {
    let settings = SolveSettings { memory: MEMORY, ..SolveSettings::default() };
    let begun = Instant::now();
    let solution = solve(game, settings, &|| stop.ends() || begun.elapsed() >= TIME);
    Exact {
        sentence: in_a_sentence(&solution),
        best: solution.best.iter().map(|turn| game.write(turn)).collect(),
        line: line(game, &solution),
        turns: solution.best,
    }
}

fn line(game: &Game, solution: &Solution) -> Vec<String> {
    let mut game = game.clone();
    let mut turns = Vec::new();
    for turn in &solution.pv {
        turns.push(game.write(turn));
        if game.play(game.to_move(), turn).is_err() {
            break;
        }
    }
    turns
}

fn in_a_sentence(solution: &Solution) -> String {
    if let Some(value) = solution.value() {
        let won = sentence::of_result(value);
        let won = won.replacen("The game", "the game", 1);
        return format!("Proven: {won} with best play.");
    }
    if solution.is_endless {
        return "Proven: with best play the game never ends.".to_owned();
    }
    match (solution.low, solution.high) {
        (None, None) => "Nothing is proven in this time.".to_owned(),
        (Some(low), None) => format!("Proven so far: {low} or better for Black."),
        (None, Some(high)) => format!("Proven so far: {high} or better for White."),
        (Some(low), Some(high)) => {
            format!("Proven so far: the result is between {low} and {high}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{GameResult, Setup, Size, variant};

    fn game(side: u8) -> Game {
        let mut setup = Setup::new(variant("go").expect("a variant"));
        setup.size = Size::square(side);
        setup.rules.komi = 0.0;
        Game::new(&setup).expect("a game")
    }

    #[test]
    fn a_small_board_is_solved_in_words() {
        let found = exact(&game(3), &Stop::default());
        assert_eq!(found.sentence, "Proven: Black wins by 9 points with best play.");
        assert_eq!(found.best, ["B2"]);
        assert_eq!(found.line.first().map(String::as_str), Some("B2"));
    }

    #[test]
    fn bounds_are_said_as_bounds() {
        let result = |margin: Option<f64>| margin.map(GameResult::Points);
        let of = |low, high| {
            let (low, high) = (result(low), result(high));
            in_a_sentence(&Solution { low, high, ..Solution::default() })
        };
        assert_eq!(of(None, None), "Nothing is proven in this time.");
        assert_eq!(of(Some(1.0), None), "Proven so far: B+1 or better for Black.");
        let both = "Proven so far: the result is between W+2 and B+5.";
        assert_eq!(of(Some(-2.0), Some(5.0)), both);
        assert_eq!(of(Some(0.0), Some(0.0)), "Proven: the game is a draw with best play.");
    }

    #[test]
    fn large_boards_and_ended_games_are_not_offered() {
        assert!(is_small_enough(&game(3)));
        assert!(!is_small_enough(&game(4)));
        let mut over = game(2);
        for color in crate::board::Color::BOTH {
            let pass = crate::rules::Turn::pass();
            over.play(color, &pass).expect("a pass");
        }
        assert!(!is_small_enough(&over));
    }
}
