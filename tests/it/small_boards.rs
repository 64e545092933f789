//! Boards so small that they can be solved: known values, and the engine against the solver.

use crate::common::solver::{Limits, Outcome, bounds, outcome, outcomes, value};
use crate::common::{SolvedBoard, new_game, play, solved_boards};
use kawari::board::{Color, Random};
use kawari::rules::{Action, Game, Turn, VARIANTS, vertex};
use kawari::search::{Search, SearchParams, Searcher, Task};
use kawari::solve::SolveSettings;
use kawari_engine::playing::{Limits as TurnLimits, Plan};
use kawari_engine::solve::ProofTables;
use std::thread;

const LIMITS: Limits = Limits { positions: 300_000 };

/// The turn the engine chooses. (All that this file knows about the player.)
fn chosen(game: &Game, color: Color, playouts: u64, seed: u64) -> Turn {
    let limits = TurnLimits { playouts: Some(playouts), ..TurnLimits::default() };
    let plan = Plan::new(Task { seed, ..Task::new(color) }, &limits, None).for_turn(game);
    let (mut player, mut proofs) =
        (Searcher::new(SearchParams::default(), 32, 1), ProofTables::default());
    plan.turn((&mut player, &mut proofs), game).finish(&mut |_| false).turn
}

/// Black's margin with best play, from the start in words on.
fn value_of(words: &str) -> Option<f64> {
    let game = new_game(words);
    value(&game, game.to_move(), LIMITS)
}

/// Those of Go are well known; see John Tromp's and Erik van der Werf's lists.
/// On 2x2 only superko lets Black have a point: without it both
/// sides take each other's stones for ever.
#[test]
fn empty_boards_have_their_values() {
    let quick = |board: &SolvedBoard| board.positions < 5000;
    for board in solved_boards().into_iter().filter(quick) {
        let words = format!("{} {} komi=0", board.variant, board.size);
        if let Some(result) = &board.result {
            let settings =
                SolveSettings { positions: LIMITS.positions, ..SolveSettings::default() };
            let value = bounds(&new_game(&words), settings).value();
            assert_eq!(value.map(|value| value.to_string()), Some(result.clone()), "{words}");
        } else {
            assert_eq!(value_of(&words), board.value(), "{words}");
        }
    }
    assert_eq!(value_of("2.5d 2 komi=0 layers=1"), Some(1.0));
    assert_eq!(value_of("2.5d 3 komi=0 layers=1"), Some(9.0));
}

#[test]
fn komi_is_part_of_the_value() {
    assert_eq!(value_of("go 2x3 komi=0.5"), Some(-0.5));
    assert_eq!(value_of("go 2x2 komi=-2"), Some(3.0));
}

/// Where nothing forbids to take back and forth there is no value.
#[test]
fn endless_games_have_no_value() {
    let game = new_game("go 2x2 komi=0 ko=simple");
    assert_eq!(value(&game, Color::Black, LIMITS), None);
}

/// Draws by repetition are draws, whatever the board counts.
#[test]
fn a_repetition_is_as_good_as_nothing() {
    let mut game = new_game("stoical 2x3 komi=0.5");
    play(&mut game, "B A1, W A2, B B3, W A3, B B2, W A2, B A3, W pass, B A2, W B1");
    for (step, judged) in outcomes(&game, Color::Black, 0.0, LIMITS) {
        let point = step.point().map(|point| vertex(game.grid(), point));
        let repeats = point.as_deref() == Some("B2");
        let expected = if repeats { Outcome::Draw } else { Outcome::Loss };
        assert_eq!(judged, expected, "{point:?}");
    }
}

/// A random legal turn.
fn random_turn(game: &Game, random: &mut Random) -> Turn {
    let turns = game.legal_turns_written(game.to_move());
    let words: Vec<_> = turns[random.below(turns.len() as u32) as usize].split(' ').collect();
    match game.parse_words(&words) {
        Ok(Action::Turn(turn)) => turn,
        other => panic!("{words:?}: {other:?}"),
    }
}

/// The position after some random turns; none if the game is over by then.
fn random_position(words: &str, turns: u32, random: &mut Random) -> Option<Game> {
    let mut game = new_game(words);
    for _ in 0..turns {
        let turn = random_turn(&game, random);
        game.play(game.to_move(), &turn).expect("a legal turn");
        if game.is_over() {
            return None;
        }
    }
    Some(game)
}

/// Whether the turn the engine chooses is as good as any, where komi lets
/// only the best win; none if the position could not be solved.
fn keeps_the_value(game: &Game, playouts: u64) -> Option<bool> {
    let limits = Limits { positions: 20_000 };
    let color = game.to_move();
    let margin = value(game, color, limits)? + game.rules().komi;
    let mut game = game.clone();
    game.set_komi(match color {
        Color::Black => margin - 0.5,
        Color::White => margin + 0.5,
    });
    // A draw by repetition stays a draw, whatever komi.
    if outcome(&game, color, (color, 0.0), limits) != Outcome::Win {
        return None;
    }
    let turn = chosen(&game, color, playouts, 0);
    let mut after = game.clone();
    after.play(color, &turn).expect("a legal turn");
    match outcome(&after, !color, (color, 0.0), limits) {
        Outcome::Unknown => None,
        Outcome::Win => Some(true),
        Outcome::Draw | Outcome::Loss => {
            println!(
                "{}, komi {}, {color:?}: {}\n{}",
                game.info().id,
                game.rules().komi,
                game.write(&turn),
                game.state().board.join("\n")
            );
            Some(false)
        }
    }
}

/// Asks the engine in random positions from some starts.
fn engine_keeps_the_value(starts: &[impl AsRef<str>]) {
    const PLAYOUTS: u64 = 60_000;
    const POSITIONS: usize = 5;
    let (mut asked, mut failed) = (0, 0);
    for words in starts {
        let mut random = Random::new(7);
        let positions = (0..10).cycle().take(4 * POSITIONS);
        let kept = positions
            .filter_map(|turns| random_position(words.as_ref(), turns, &mut random))
            .filter_map(|game| keeps_the_value(&game, PLAYOUTS));
        for kept in kept.take(POSITIONS) {
            asked += 1;
            failed += usize::from(!kept);
        }
    }
    let starts: Vec<_> = starts.iter().map(AsRef::as_ref).collect();
    assert_eq!(failed, 0, "of {asked} positions: {starts:?}");
    assert!(asked > POSITIONS, "only {asked} positions solved: {starts:?}");
}

/// Boards that can be solved, for games of which not all of the least ones can.
const STARTS: &[(&str, &[&str])] = &[
    ("go", &["2x2", "2x3", "3x3"]),
    ("no", &["2x2", "2x3 nuke-acts=now", "3x3 blocks=A1,C3"]),
    ("tao", &["2x2", "2x3", "3x3"]),
    ("sygo", &["2x2", "2x3", "3x3 blocks=B2"]),
    ("stoical", &["2x3", "3x3"]),
    ("2.5d", &["2", "2 blocks=A1,E1", "3 layers=1"]),
];

#[test]
fn the_engine_keeps_the_value_in_every_game() {
    thread::scope(|scope| {
        for info in VARIANTS {
            let usual: &[&str] = if info.stacked {
                &["2", "2 blocks=A1"]
            } else {
                &["2x2", "2x3", "3x3 blocks=A1,C3"]
            };
            let listed = STARTS.iter().find(|(id, _)| *id == info.id);
            let boards = listed.map_or(usual, |(_, boards)| boards);
            let words = |board: &&str| format!("{} {board}", info.id);
            let starts: Vec<_> = boards.iter().map(words).collect();
            scope.spawn(move || engine_keeps_the_value(&starts));
        }
    });
}

/// On an empty 2x2 with black stones on A1, B1 and A2 and komi 4.5 White takes
/// them at B2, and has won already.
#[test]
fn the_engine_keeps_the_value_on_the_least_board() {
    engine_keeps_the_value(&["stoical 2x2", "go 3x3 blocks=B3"]);
}

/// Black's margin when the engine plays both sides.
fn played_out(words: &str, playouts: u64, seed: u64) -> f64 {
    let mut game = new_game(words);
    while !game.is_over() {
        let color = game.to_move();
        let turn = chosen(&game, color, playouts, seed);
        assert_eq!(game.play(color, &turn), Ok(()), "{words}");
    }
    let score = game.score().to_string();
    let points = |text: &str| text.parse::<f64>().expect("a number of points");
    match score.split_once('+') {
        Some(("B", text)) => points(text),
        Some((_, text)) => -points(text),
        None => 0.0,
    }
}

#[test]
fn small_boards_are_played_for_every_point() {
    assert_eq!(played_out("go 2x2 komi=0", 10_000, 0), 1.0);
    assert_eq!(played_out("go 2x4 komi=0", 2000, 0), 8.0);
    for seed in 0..6 {
        assert_eq!(played_out("go 3x3 komi=0", 4000, seed), 9.0, "{seed}");
    }
}

/// `cargo test --release --test it -- --ignored larger`; on 4x4, where
/// two points are best, the engine gets one now and then.
#[test]
#[ignore = "takes a minute"]
fn larger_boards_are_played_for_every_point() {
    assert_eq!(played_out("go 5x5 komi=0", 30_000, 0), 25.0);
    let scores: Vec<f64> = (0..10).map(|seed| played_out("go 4x4 komi=0", 20_000, seed)).collect();
    assert!(scores.iter().all(|score| (1.0..=2.0).contains(score)));
    let best = scores.iter().filter(|&&score| score == 2.0).count();
    assert!(best >= 7, "{scores:?}");
}
