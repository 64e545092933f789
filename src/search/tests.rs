//! Tests of the search as a whole.

use super::evaluator::RandomPlayouts;
use super::tree::{Kind, ROOT};
use super::uct::Search;
use super::*;
use crate::board::{Color, Point, Random};
use crate::rules::*;

const BLACK: Color = Color::Black;
const WHITE: Color = Color::White;

fn setup(id: &str, width: u8, height: u8) -> Setup {
    let mut setup = Setup::new(variant(id).expect("a variant"));
    setup.size = Size { width, height };
    setup
}

/// A game of `setup` in which the stones of a diagram, rows from the top, were
/// played: all of Black's, then White's.
fn game_of(mut setup: Setup, rows: &[&str]) -> AnyGame {
    setup.size = Size {
        width: rows[0].len() as u8,
        height: rows.len() as u8,
    };
    let places = |wanted: char| {
        let row = move |(row, text): (usize, &&str)| {
            let row = (rows.len() - 1 - row) as u8;
            let columns: Vec<_> = text.char_indices().filter(|&(_, c)| c == wanted).collect();
            columns
                .into_iter()
                .map(move |(column, _)| (column as u8, row))
        };
        rows.iter().enumerate().flat_map(row).collect::<Vec<_>>()
    };
    setup.blocks = places('#');
    let mut game = AnyGame::new(&setup).expect("a game");
    for (symbol, color) in [('X', BLACK), ('O', WHITE)] {
        for (column, row) in places(symbol) {
            let point = game.grid().point(column, row).expect("a point");
            game.play(color, &Turn::Stone(point))
                .expect("a legal stone");
        }
    }
    game
}

fn point(game: &AnyGame, text: &str) -> Point {
    parse_point(game.grid(), text).expect("a vertex")
}

fn stone(game: &AnyGame, text: &str) -> Turn {
    Turn::Stone(point(game, text))
}

fn with(playouts: u64, seed: u64) -> SearchOptions {
    SearchOptions {
        playouts: Some(playouts),
        seed,
        ..SearchOptions::default()
    }
}

fn chosen(game: &AnyGame, color: Color, options: &SearchOptions) -> TurnChoice {
    choose_turn(game, color, options, &mut |_| false)
}

/// Both big groups are in atari; G1 to G5 are worth little.
fn race() -> AnyGame {
    let rows = [".XOOO#.", "XXOOO#.", "XXOOO#.", "OOOOO#.", "OOOO.#."];
    game_of(setup("go", 5, 5), &rows)
}

/// A ko that Black took at C3; White's stone had just come to B3.
fn ko(id: &str, komi: f64) -> AnyGame {
    let mut setup = setup(id, 5, 5);
    setup.rules.komi = komi;
    let mut game = game_of(setup, &[".....", ".XO..", "X..O.", ".XO..", "....."]);
    let (b3, c3) = (stone(&game, "B3"), stone(&game, "C3"));
    game.play(WHITE, &b3).expect("legal");
    game.play(BLACK, &c3).expect("legal");
    game
}

#[test]
fn captures_what_decides_the_game() {
    let mut game = race();
    for seed in 0..5 {
        let options = with(200, seed);
        assert_eq!(chosen(&game, BLACK, &options).turn, stone(&game, "E1"));
        assert_eq!(chosen(&game, WHITE, &options).turn, stone(&game, "A5"));
    }
    // Nor does a pass of the other side tempt who would lose by passing.
    game.play(WHITE, &Turn::Pass).expect("legal");
    assert_eq!(chosen(&game, BLACK, &with(200, 0)).turn, stone(&game, "E1"));
}

#[test]
fn passes_when_that_wins() {
    let rows = [".XXO.", "XXXOO", ".XXO.", "XXXOO", ".XXO."];
    let mut level = setup("go", 5, 5);
    level.rules.komi = 0.5;
    let mut game = game_of(level, &rows);
    game.play(WHITE, &Turn::Pass).expect("legal");
    let choice = chosen(&game, BLACK, &with(50, 1));
    assert_eq!(choice.turn, Turn::Pass);
    assert_eq!((choice.choice.win_rate, choice.choice.margin), (1.0, 4.5));
    // White has lost, and nothing is left to do about it.
    game.play(BLACK, &stone(&game, "A1")).expect("legal");
    assert_eq!(chosen(&game, WHITE, &with(50, 1)).turn, Turn::Pass);
}

#[test]
fn plays_on_while_the_board_is_open() {
    let mut lopsided = setup("go", 7, 7);
    lopsided.handicap = vec![(2, 2), (4, 4), (2, 4), (4, 2)];
    let mut game = AnyGame::new(&lopsided).expect("a game");
    for seed in 0..6 {
        let color = game.to_move();
        let turn = chosen(&game, color, &with(100, seed)).turn;
        assert_ne!(turn, Turn::Pass);
        game.play(color, &turn).expect("legal");
    }
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    for info in VARIANTS {
        let game = AnyGame::new(&setup(info.id, 5, 5)).expect("a game");
        let color = game.to_move();
        let answer = |seed| chosen(&game, color, &with(150, seed));
        assert_eq!(answer(3), answer(3), "{}", info.id);
        assert_ne!(answer(3).choice, answer(4).choice, "{}", info.id);
    }
}

#[test]
fn superko_is_seen_at_the_root() {
    let game = ko("go", 0.5);
    let retake = Step::Stone(point(&game, "B3"));
    assert!(game.check(WHITE, &stone(&game, "B3")).is_err());
    let AnyGame::Go(inner) = &game else {
        unreachable!("a game of go")
    };
    let options = with(300, 0);
    let start = inner.position().clone();
    let evaluator = RandomPlayouts::new(&start);
    let mut search = Search::new(start, inner.history().clone(), evaluator, &options);
    search.run(300, &mut |_| false);
    let node = |at| search.tree.node(at);
    let found = search
        .tree
        .children(ROOT)
        .find(|&at| node(at).step == retake);
    let found = found.expect("among the candidates");
    assert_eq!((node(found).kind, node(found).visits), (Kind::Illegal, 0));
    for seed in 0..20 {
        let turn = chosen(&game, WHITE, &with(30, seed)).turn;
        assert_eq!(game.check(WHITE, &turn), Ok(()));
    }
}

#[test]
fn a_repetition_may_be_a_draw() {
    // All is lost for White but for the draw.
    let mut game = ko("stoical", -100.0);
    game.play(WHITE, &Turn::Pass).expect("legal");
    let choice = chosen(&game, WHITE, &with(300, 0));
    assert_eq!(choice.turn, stone(&game, "B3"));
    assert_eq!((choice.choice.win_rate, choice.choice.margin), (0.5, 0.0));
}

/// A random legal turn, of one stone if it is a growth.
fn random_turn(game: &AnyGame, color: Color, random: &mut Random) -> Turn {
    let legal = game.legal(color);
    let text = &legal[random.below(legal.len() as u32) as usize];
    let words: Vec<_> = text.split(' ').collect();
    match game.parse(&words) {
        Ok(Action::Turn(turn)) => turn,
        other => unreachable!("{text}: {other:?}"),
    }
}

#[test]
fn turns_and_steps_are_legal_anywhere() {
    for info in VARIANTS {
        let mut random = Random::new(5);
        let mut game = AnyGame::new(&setup(info.id, 4, 4)).expect("a game");
        for at in 0..60 {
            if game.is_final() {
                game = AnyGame::new(&setup(info.id, 4, 4)).expect("a game");
            }
            // Either colour may play at any time.
            let color = Color::BOTH[random.below(2) as usize];
            let options = with(1 + at / 2, at);
            let turn = chosen(&game, color, &options).turn;
            assert_eq!(game.check(color, &turn), Ok(()), "{}: {turn:?}", info.id);
            step_through(game.clone(), color, &options);
            let turn = random_turn(&game, color, &mut random);
            game.play(color, &turn).expect("legal");
        }
    }
}

/// Chooses steps until the turn has ended, each legal.
fn step_through(mut game: AnyGame, color: Color, options: &SearchOptions) {
    loop {
        let step = choose_step(&game, color, options, &mut |_| false).step;
        assert_eq!(game.step(color, step), Ok(()), "{step:?}");
        if !game.is_mid_turn() {
            return;
        }
        // The other side can only wait; the whole turn contains its beginning.
        assert_eq!(
            choose_step(&game, !color, options, &mut |_| false).step,
            Step::Pass
        );
        let turn = chosen(&game, color, options).turn;
        let Turn::Grow(stones) = turn else {
            unreachable!("{turn:?}")
        };
        assert!(stones.starts_with(game.grown()));
    }
}

#[test]
fn games_with_itself_end() {
    for info in VARIANTS {
        let side = if info.stacked { 3 } else { 5 };
        for seed in 0..3 {
            let mut game = AnyGame::new(&setup(info.id, side, side)).expect("a game");
            let most = 3 * game.grid().points().count();
            while !game.is_over() {
                assert!(game.turns().len() < most, "{} does not end", info.id);
                let color = game.to_move();
                let options = with(60, seed << 16 | game.turns().len() as u64);
                let turn = chosen(&game, color, &options).turn;
                assert_eq!(game.play(color, &turn), Ok(()), "{}", info.id);
            }
        }
    }
}

#[test]
fn the_tree_stays_within_its_bound() {
    let start = setup("go", 7, 7).start::<go::Go>().expect("a position");
    for (max_nodes, least) in [(0, 51), (300, 250), (100_000, 600)] {
        let options = SearchOptions {
            max_nodes,
            ..with(400, 0)
        };
        let history = History::new(start.board.hash());
        let evaluator = RandomPlayouts::new(&start);
        let mut search = Search::new(start.clone(), history, evaluator, &options);
        search.run(400, &mut |_| false);
        let most = max_nodes.max(51);
        assert!(
            (least..=most).contains(&search.tree.len()),
            "{}",
            search.tree.len()
        );
        assert_eq!(search.tree.node(ROOT).visits, 400);
    }
}

#[test]
fn the_callback_and_the_limit_end_the_search() {
    let game = AnyGame::new(&setup("go", 5, 5)).expect("a game");
    let endless = SearchOptions {
        playouts: None,
        ..SearchOptions::default()
    };
    let choice = choose_step(&game, BLACK, &endless, &mut |playouts| playouts >= 100);
    // Asked after every sixteenth; a pass may be looked into once more.
    assert!((112..160).contains(&choice.playouts), "{}", choice.playouts);
    let choice = choose_step(&game, BLACK, &with(5, 0), &mut |_| false);
    assert!((5..50).contains(&choice.playouts), "{}", choice.playouts);
}

#[test]
fn what_is_excluded_is_not_chosen() {
    let game = race();
    let options = SearchOptions {
        exclude: Some(|step| matches!(step, Step::Stone(_))),
        ..with(100, 0)
    };
    assert_eq!(chosen(&game, BLACK, &options).turn, Turn::Pass);
}

#[test]
fn owners_are_told_by_playouts_or_by_the_count() {
    let rows = [".X.O.", "XX.OO", ".X.O.", "XX.OO", "XX#OO"];
    let mut game = game_of(setup("go", 5, 5), &rows);
    let owners = ownership(&game, 40, 0);
    assert_eq!(owners.len(), 24);
    for (at, owner) in owners {
        let (column, _) = game.grid().place(at);
        match column {
            0 | 1 => assert_eq!(owner, 1.0),
            2 => assert!(owner.abs() < 1.0, "{owner}"),
            _ => assert_eq!(owner, -1.0),
        }
    }
    // Two passes change nothing about it; the end by resignation does.
    let neutral = (point(&game, "C3"), 0.0);
    for color in [BLACK, WHITE] {
        game.play(color, &Turn::Pass).expect("legal");
    }
    assert!(!ownership(&game, 41, 0).contains(&neutral));
    game.resign(BLACK).expect("legal");
    assert!(ownership(&game, 41, 0).contains(&neutral));
}

#[test]
fn a_value_is_mostly_the_win() {
    let weights = Weights::default();
    let value = |margin| Outcome::counted(margin).value(&weights);
    assert_eq!(value(0.0), 0.5);
    assert!(value(0.5) > 0.5 + 0.4 && value(100.0) > value(0.5) && value(100.0) < 1.0);
    assert!((value(7.0) + value(-7.0) - 1.0).abs() < 1e-6);
}
