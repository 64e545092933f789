//! Passes of the engine.

use crate::board::Color;
use crate::rules::{Game, Setup, Turn, parse_point, variant};
use crate::search::params::SearchParams;
use crate::search::signal::{Search, Signal};
use crate::search::tests::{BLACK, WHITE, chosen, game_of, point, setup, stone, task, tree};
use crate::search::{Searcher, Task, seed_at};

#[test]
fn first_reply_visited_after_a_pass_is_a_pass() {
    let setup = Setup::new(variant("go-san").expect("a variant"));
    let mut game = Game::new(&setup).expect("a game");
    let point = parse_point(game.grid(), "C5").expect("a vertex");
    game.play(Color::Black, &Turn::stone(point)).expect("legal");
    let mut tree = tree(&game, 1 << 20);
    let task = Task::new(Color::White);
    tree.set_game(&game, &task);
    assert!(tree.run(&task, 1, &mut |_| Signal::GoOn));
    let (context, worker) = tree.first(&task);
    let pass = context.pass().expect("among the candidates");
    let most = context.params.expansion_threshold + 1;
    (0..most).for_each(|_| assert!(worker.simulate(&context, Some(pass))));
    // One stone owns the board: White is 73.5 points behind, in halves.
    let proven = context.nodes.node(pass).bounds().for_color(Color::Black);
    assert_eq!(proven.low, 147);
}

/// The second pass ends the game, and no playout follows.
#[test]
fn ends_of_games_count_as_ownership() {
    let rows = [".XXO.", "XXXOO", ".XXO.", "XXXOO", ".XXO."];
    let mut game = game_of(setup("go", 5, 5), &rows);
    game.play(WHITE, &Turn::pass()).expect("legal");
    let mut tree = tree(&game, 1 << 20);
    let task = task(BLACK, 1, 1);
    tree.set_game(&game, &task);
    assert!(tree.run(&task, 1, &mut |_| Signal::GoOn));
    let owned = tree.counted_ownership();
    let owner = |vertex| owned.mean_owner(point(&game, vertex));
    assert_eq!(["A5", "C5", "E5"].map(owner), [1.0, 1.0, -1.0]);
}

#[test]
fn passes_with_a_won_count() {
    let rows = [".XXO.", "XXXOO", ".XXO.", "XXXOO", ".XXO."];
    let mut level = setup("go", 5, 5);
    level.rules.komi = 0.5;
    let mut game = game_of(level, &rows);
    game.play(WHITE, &Turn::pass()).expect("legal");
    let choice = chosen(&game, &task(BLACK, 50, 1));
    assert_eq!(choice.turn, Turn::pass());
    assert_eq!((choice.choice.win_rate, choice.choice.margin), (1.0, 4.5));
}

#[test]
fn an_early_pass_is_answered_with_a_pass_only_unless_that_is_conservative() {
    // Seven stones own the board of 7x7 for now, and White has passed.
    let mut ahead = setup("go", 7, 7);
    ahead.handicap = vec![(2, 2), (4, 4), (2, 4), (4, 2)];
    let mut game = Game::new(&ahead).expect("a game");
    game.play(WHITE, &Turn::pass()).expect("legal");
    let usual = task(BLACK, 200, 1);
    assert_eq!(chosen(&game, &usual).turn, Turn::pass());
    let conservative = Task { conservative_pass: true, ..task(BLACK, 200, 1) };
    assert_ne!(chosen(&game, &conservative).turn, Turn::pass());
    // A board that is settled is not played on.
    let rows = [".XXOO.", "XXXOOO", ".XXOO.", "XXXOOO", "XXXOO."];
    let mut even = setup("go", 6, 5);
    even.rules.komi = 0.5;
    let mut game = game_of(even, &rows);
    game.play(WHITE, &Turn::pass()).expect("legal");
    assert_eq!(without_net(&game, &conservative), Turn::pass());
}

/// The turn of a search without a net.
fn without_net(game: &Game, task: &Task) -> Turn {
    let mut searcher = Searcher::new(SearchParams::baseline(), 16, 1);
    searcher.turn(game, task).finish(&mut |_| false).turn
}

#[test]
fn passes_with_a_lost_count_on_a_settled_board() {
    // On a smaller board the engine would play on for every point, and with fewer playouts for the
    // noise of the win rate.
    let rows = [".XXOO.", "XXXOOO", ".XXOO.", "XXXOOO", "XXXOO."];
    let mut behind = setup("go", 6, 5);
    behind.rules.komi = -4.5;
    let game = game_of(behind, &rows);
    for playouts in [200, 1000] {
        let choice = chosen(&game, &task(WHITE, playouts, 1));
        assert_eq!(choice.turn, Turn::pass());
        assert!(choice.choice.win_rate < 0.001);
    }
}

#[test]
fn passes_if_every_stone_loses_more() {
    let mut small = setup("go", 4, 4);
    small.rules.komi = 0.0;
    let mut game = Game::new(&small).expect("a game");
    let turns = "B2 C3 B3 C2 C1 B4 C4 D4 A3 B1 A1 D2 A4 C4 B1";
    for vertex in turns.split(' ') {
        let turn = stone(&game, vertex);
        game.play(game.to_move(), &turn).expect("legal");
    }
    // White is behind by a point. Each side has an eye, A2 and D3, and they share
    // the liberty D1: whoever plays there dies.
    assert_eq!(without_net(&game, &task(WHITE, 2000, 1)), Turn::pass());
}

#[test]
fn does_not_pass_on_an_open_board() {
    // The net finds White lost there.
    let mut lopsided = setup("go", 7, 7);
    lopsided.handicap = vec![(2, 2), (4, 4), (2, 4), (4, 2)];
    let mut game = Game::new(&lopsided).expect("a game");
    for seed in 0..6 {
        let color = game.to_move();
        let turn = chosen(&game, &task(color, 100, seed)).turn;
        assert_ne!(turn, Turn::pass());
        game.play(color, &turn).expect("legal");
    }
}

/// Plays a game to its end; also the game before the first of the two passes that end it.
fn played_out(game: &Game, playouts: u64, seed: u64) -> (Game, Option<Game>) {
    const MAX_TURNS: usize = 400;
    let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
    let (mut game, mut before_passes) = (game.clone(), None);
    while !game.is_over() && game.turns().len() < MAX_TURNS {
        let color = game.to_move();
        let task = task(color, playouts, seed_at(seed, &game));
        let chosen = searcher.turn(&game, &task).finish(&mut |_| false).turn;
        if !chosen.is_pass() {
            before_passes = None;
        } else if before_passes.is_none() {
            before_passes = Some(game.clone());
        }
        game.play(color, &chosen).expect("a legal turn");
    }
    (game, before_passes)
}

/// By hand: `cargo test --release --lib nothing_is_left_at -- --ignored --nocapture`.
#[test]
#[ignore = "takes minutes"]
fn nothing_is_left_at_the_end() {
    const GAMES: u64 = 10;
    const PLAYOUTS: u64 = 200;
    let games = [("go", 9), ("stoical", 9), ("tao", 9), ("sygo", 7), ("2.5d", 7)];
    let mut changed = 0;
    for (id, side) in games {
        let mut of_variant = 0;
        for seed in 0..GAMES {
            let start = Game::new(&setup(id, side, side)).expect("a game");
            let (end, before_passes) = played_out(&start, PLAYOUTS, seed);
            let Some(before_passes) = before_passes else { continue };
            let (deeper, _) = played_out(&before_passes, 10 * PLAYOUTS, seed);
            of_variant += usize::from(deeper.score() != end.score());
        }
        eprintln!("{id} {side}x{side}: {of_variant} of {GAMES} counts change");
        changed += of_variant;
    }
    assert!(changed <= 2, "{changed}");
}
