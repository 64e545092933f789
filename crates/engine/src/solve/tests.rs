//! Values of games that are not decided by points, or whose turns have several stones.

use super::{SolveSettings, solve};
use crate::board::Color;
use crate::rules::{Game, GameResult, Setup, Size, StoicalRule, Turn, variant};
#[cfg(feature = "trial")]
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};

fn game(id: &str, (width, height): (u8, u8)) -> Game {
    let mut setup = Setup::new(variant(id).expect("a variant"));
    (setup.size, setup.rules.komi) = (Size { width, height }, 0.0);
    Game::new(&setup).expect("a game")
}

fn value(game: &Game) -> Option<GameResult> {
    let settings = SolveSettings { value_only: true, ..SolveSettings::default() };
    solve(game, settings, &|| false).value()
}

/// Komi need not be a whole or half number of points.
#[test]
fn values_have_the_komi_of_the_game() {
    let mut setup = Setup::new(variant("go").expect("a variant"));
    setup.size = Size { width: 3, height: 2 };
    let mut of_komi = |komi| {
        setup.rules.komi = komi;
        value(&Game::new(&setup).expect("a game"))
    };
    let Some(GameResult::Points(margin)) = of_komi(0.0) else { panic!("no margin") };
    for komi in [0.2, 0.75, 3.25, -0.25, 7.5] {
        assert_eq!(of_komi(komi), Some(GameResult::Points(margin - komi)), "{komi}");
    }
}

#[test]
fn capture_go_is_won_on_small_boards() {
    let (black, white) = (Color::Black, Color::White);
    let winners = [((2, 2), white), ((3, 2), white), ((3, 3), black), ((4, 3), black)];
    for (size, winner) in winners {
        assert_eq!(value(&game("capture", size)), Some(GameResult::Win(winner)), "{size:?}");
    }
}

/// On these boards nearly every position may come back, and results hold after other lines only
/// if the boards that must be absent are distinguished well.
#[test]
fn boards_with_many_captures_take_few_positions() {
    let mut refined = Setup::new(variant("stoical").expect("a variant"));
    (refined.size, refined.rules.komi) = (Size::square(3), 0.0);
    refined.rules.stoical = StoicalRule::Refined;
    let refined = Game::new(&refined).expect("a game");
    let settings = SolveSettings { positions: 15_000, ..SolveSettings::default() };
    let solution = solve(&refined, settings, &|| false);
    assert_eq!(solution.value(), Some(GameResult::Points(9.0)));
    assert!(solution.best_is_complete, "{}", solution.positions);
    let settings = SolveSettings { positions: 150_000, value_only: true, ..settings };
    let cube = game("2.5d", (2, 2));
    let solution = solve(&cube, settings, &|| false);
    assert_eq!(solution.value(), Some(GameResult::Points(1.0)), "{}", solution.positions);
}

/// The margin of Black by looking at all games to their ends; `None` beyond `positions`.
fn plain_margin(game: &Game, positions: &mut u32) -> Option<f64> {
    if game.is_over() {
        let GameResult::Points(margin) = game.score() else { panic!("no margin") };
        return Some(margin);
    }
    *positions = positions.checked_sub(1)?;
    let color = game.to_move();
    let mut best = f64::NEG_INFINITY;
    for turn in game.legal_turns(color) {
        let mut after = game.clone();
        after.play(color, &turn).expect("legal");
        let margin = f64::from(color.sign()) * plain_margin(&after, positions)?;
        best = best.max(margin);
    }
    Some(f64::from(color.sign()) * best)
}

/// Superko forbids to make a board again that the same side made; one of the other side is a draw.
/// Three points in a ring are enough for both.
#[test]
fn situational_superko_leaves_draws_by_repetition() {
    let mut setup = Setup::new(variant("stoical").expect("a variant"));
    setup.size = Size::square(3);
    for (key, value) in [("ko", "situational"), ("stoical-rule", "snapback"), ("board", "cylinder")]
    {
        let key = setup.rule_key(key).expect("an option");
        setup.rules.set(key, value).expect("a value");
    }
    setup.blocked_points = (0..3).flat_map(|column| [(column, 0), (column, 1)]).collect();
    let mut game = Game::new(&setup).expect("a game");
    for (color, column) in [(Color::Black, 2), (Color::White, 0)] {
        let point = game.position().board.grid().point(column, 2).expect("a point");
        game.play(color, &Turn::stone(point)).expect("legal");
    }
    let margin = plain_margin(&game, &mut 1000).expect("few positions");
    assert_eq!(margin, 3.0 - setup.rules.komi);
    assert_eq!(value(&game), Some(GameResult::Points(margin)));
}

#[cfg(feature = "trial")]
/// Whether Black forces a margin, by looking at whole turns one after the other; positions that
/// stood before are those of `seen`.
fn black_forces(game: &Game, margin: f64, nodes: &mut u32) -> Option<bool> {
    if game.is_over() {
        let GameResult::Points(lead) = game.score() else {
            return None;
        };
        return Some(lead >= margin);
    }
    *nodes = nodes.checked_sub(1)?;
    let color = game.to_move();
    let mut ends = HashSet::new();
    for written in game.legal_turns_written(color).iter().rev() {
        let action = game.parse(written).ok()?;
        let mut after = game.clone();
        after.apply(color, &action).ok()?;
        let state = after.state();
        if ends.insert((state.board, state.passes))
            && black_forces(&after, margin, nodes)? == (color == Color::Black)
        {
            return Some(color == Color::Black);
        }
    }
    Some(color == Color::White)
}

/// The game on trial: two stones per turn, corner to corner.
#[test]
#[cfg(feature = "trial")]
fn turns_of_two_stones_have_the_values_of_plain_searches() {
    for (size, expected) in [((2, 2), 0.0), ((3, 2), 0.0), ((3, 3), 3.0)] {
        let game = game("corners", size);
        let found = value(&game);
        println!("corners {size:?}: {found:?}");
        let mut nodes = 300_000;
        let plain = |margin, nodes: &mut u32| black_forces(&game, margin, nodes);
        let (low, high) = (plain(expected, &mut nodes), plain(expected + 1.0, &mut nodes));
        assert_eq!(found, Some(GameResult::Points(expected)), "{size:?}");
        assert_eq!((low, high), (Some(true), Some(false)), "{size:?}");
    }
}

/// A proof ends after a few listed turns, and keeps what it has proven, however large the board is
/// and however many turns it has.
#[test]
fn a_proof_ends_within_a_position() {
    for (id, side) in [("go", 19), ("go", 9), ("sygo", 9), ("stoical", 13)] {
        for asked in [0, 1, 5, 40] {
            let calls = AtomicU64::new(0);
            let stop = || calls.fetch_add(1, Ordering::Relaxed) >= asked;
            let game = game(id, (side, side));
            let solution = solve(&game, SolveSettings::default(), &stop);
            // Each position asks at least once.
            assert!(solution.positions <= asked + 2, "{id}: {}", solution.positions);
            assert!(calls.into_inner() <= asked + 20, "{id}");
            assert_eq!(solution.value(), None);
        }
    }
}

/// The game on trial in which the sides play in an order of their own.
#[test]
#[cfg(feature = "trial")]
fn best_lines_have_two_turns_of_a_side_one_after_the_other() {
    let mut setup = Setup::new(variant("thue").expect("a variant"));
    (setup.size, setup.rules.komi) = (Size { width: 3, height: 2 }, 0.0);
    setup.blocked_points = vec![(1, 0)];
    let settings = SolveSettings { positions: 2_000, memory: 1 << 22, ..Default::default() };
    let (mut random, mut doubles) = (crate::board::Random::new(1), 0);
    for _ in 0..30 {
        let mut game = Game::new(&setup).expect("a game");
        for _ in 0..random.below(6) {
            let turns = game.legal_turns(game.to_move());
            let turn = &turns[random.below(turns.len() as u32) as usize];
            assert_eq!(game.play(game.to_move(), turn), Ok(()));
        }
        let solution = solve(&game, settings, &|| false);
        for turn in &solution.pv {
            let mover = game.to_move();
            assert_eq!(game.play(mover, turn), Ok(()));
            doubles +=
                u32::from(turn != solution.pv.last().expect("a turn") && game.to_move() == mover);
        }
        let value = solution.value().filter(|_| game.is_over());
        assert!(value.is_none_or(|value| value == game.score()), "{:?}", solution.pv);
    }
    assert!(doubles > 0, "no line had two turns of a side one after the other");
}
