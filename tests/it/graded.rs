//! The problems that `kawari problems` made, proven a second time: the solver answers each
//! question by itself, step by step, where the generator asked for whole turns and values; and
//! where little is left to play, a search that only looks at all that can happen.

use crate::common::established;
use crate::common::solver::{Limits, Outcome, outcome};
use crate::laws::{children, lead};
use kawari::board::{Cell, Color};
use kawari::rules::{Action, Game, Turn, VARIANTS, VariantInfo};
use kawari_engine::problems::GRADES;
use kawari_engine::problems::Problem;
use std::path::Path;

/// Problems of all games, of a game, and of one of its grades, at least.
const MIN_OF_ALL: usize = 480;
const LEAST: usize = 60;
const MIN_OF_A_GRADE: usize = 2;

/// One problem in `SHARE` is proven when all tests run.
const SHARE: usize = 32;

/// The solver needs more for a question that is asked by itself.
const LIMITS: Limits = Limits { positions: 3_000_000 };

/// Positions that a search without any cleverness looks at, at most, and their turns from the
/// first: each of them keeps all that may follow it.
const BUDGET: u32 = 3_000;
const MOST_TURNS: u32 = 40;

/// A problem and its name.
type Named = (String, Problem);

fn path(info: &VariantInfo) -> String {
    format!("crates/tab/problems/{}.sgf", info.id)
}

/// The problems of a variant that the generator found.
fn problems(info: &VariantInfo) -> Vec<Named> {
    let path = path(info);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let read = |(number, line)| {
        let name = format!("{path}:{}", number + 1);
        let problem = Problem::read(line).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, problem)
    };
    text.lines().enumerate().map(read).filter(|(_, problem)| problem.source.is_some()).collect()
}

/// The problems of all games; one on trial may have some too.
fn all() -> impl Iterator<Item = Named> {
    VARIANTS.iter().filter(|info| Path::new(&path(info)).exists()).flat_map(|info| problems(info))
}

#[test]
fn every_variant_has_problems_and_every_grade_some() {
    let count = all().count();
    assert!(count >= MIN_OF_ALL, "{count} problems");
    for info in established() {
        let problems = problems(info);
        assert!(problems.len() >= LEAST, "{}: {} problems", info.id, problems.len());
        for grade in 1..=GRADES {
            let count = problems.iter().filter(|(_, problem)| problem.grade == Some(grade)).count();
            assert!(count >= MIN_OF_A_GRADE, "{}: {count} of grade {grade}", info.id);
        }
    }
}

#[test]
fn problems_are_written_as_they_were_read() {
    let mut boards = Vec::new();
    for (name, problem) in all() {
        let game = &problem.game;
        assert_eq!(problem.setup.info, game.info(), "{name}");
        let written = problem.write().expect("legal turns");
        let again = Problem::read(&written).expect("a problem");
        assert_eq!(again.lines, problem.lines, "{name}");
        assert_eq!(again.game.state(), game.state(), "{name}");
        assert!(!problem.words.is_empty(), "{name}");
        assert_eq!(problem.answers().count(), 1, "{name}");
        assert!(problem.lines.iter().any(|line| !line.is_right), "{name}: nothing is refuted");
        for line in &problem.lines {
            let mut game = game.clone();
            for turn in &line.turns {
                let played = game.play(game.to_move(), turn);
                played.unwrap_or_else(|why| panic!("{name}: {}: {why}", game.write(turn)));
            }
        }
        for position in turned(game) {
            assert!(!boards.contains(&position), "{name}: twice");
        }
        boards.extend(turned(game).into_iter().next());
    }
}

/// The stones on the board in all ways in which it can be turned, with both colours for either
/// side, the board as it is first.
fn turned(game: &Game) -> Vec<(&'static str, Color, Vec<Cell>)> {
    let (grid, id, mover) = (game.grid(), game.info().id, game.to_move());
    let swapped = |cell: Cell| cell.color().map_or(cell, |color| Cell::stone(!color));
    let ways = grid.symmetries(false).into_iter().flat_map(|symmetry| {
        let cells = grid.points().map(|point| game.cell(grid.image(point, symmetry)));
        let cells: Vec<Cell> = cells.collect();
        let other = cells.iter().copied().map(swapped).collect();
        [(id, mover, cells), (id, !mover, other)]
    });
    ways.collect()
}

#[test]
fn some_problems_are_proven_again() {
    let all: Vec<_> = all().collect();
    let some =
        all.iter().skip(SHARE / 2).step_by(SHARE).filter(|(_, problem)| problem.grade < Some(4));
    let proven = some.map(prove).count();
    assert!(proven >= 8, "{proven}");
}

#[test]
#[ignore = "takes long"]
fn all_problems_are_proven_again() {
    all().for_each(|named| prove(&named));
}

/// Looks at every turn of a problem.
fn prove((name, problem): &Named) {
    let (game, winner) = (&problem.game, problem.game.to_move());
    let answer = problem.answers().next().expect("an answer");
    let mut turns: Vec<Turn> = problem.lines.iter().map(|line| line.turns[0].clone()).collect();
    for words in game.legal_turns_written(winner) {
        let words: Vec<_> = words.split(' ').collect();
        let Ok(Action::Turn(turn)) = game.parse_words(&words) else {
            panic!("{name}: {words:?}");
        };
        if !turns.contains(&turn) {
            turns.push(turn);
        }
    }
    for turn in turns {
        let mut after = game.clone();
        after.play(winner, &turn).expect("legal");
        let expected = if turn == *answer { Outcome::Win } else { Outcome::Loss };
        let found = outcome(&after, !winner, (winner, 0.0), LIMITS);
        assert_eq!(found, expected, "{name}: {}", game.write(&turn));
    }
}

#[test]
fn looking_at_all_that_can_happen_says_the_same() {
    let mut proven = 0;
    for (name, problem) in all() {
        let winner = problem.game.to_move();
        for line in &problem.lines {
            let mut after = problem.game.clone();
            after.play(winner, &line.turns[0]).expect("legal");
            let side = if line.is_right { winner } else { !winner };
            if let Some(wins) = wins(&after, side, &mut BUDGET.clone(), MOST_TURNS) {
                assert!(wins, "{name}: {}", problem.game.write(&line.turns[0]));
                proven += 1;
            }
        }
    }
    assert!(proven >= 20, "{proven}");
}

/// Whether a side wins whatever the other does; `None` if that is more than a budget, or more
/// turns.
fn wins(game: &Game, side: Color, budget: &mut u32, turns: u32) -> Option<bool> {
    if game.is_over() {
        let margin = lead(game.score());
        return Some(if side == Color::Black { margin > 0.0 } else { margin < 0.0 });
    }
    *budget = budget.checked_sub(1)?;
    let turns = turns.checked_sub(1)?;
    let own = game.to_move() == side;
    for child in children(game) {
        if wins(&child, side, budget, turns)? == own {
            return Some(own);
        }
    }
    Some(!own)
}
