//! The side to move, passing, resigning, the end of a game and undo.

use crate::common::*;
use kawari::board::Color;
use kawari::rules::{Game, Illegal, VARIANTS, worded_kinds};

/// Makes a turn of a side, other than a pass.
fn play_any(game: &mut Game, color: Color) {
    let legal = game.legal_turns_written(color);
    let turn = legal.iter().find(|turn| *turn != "pass").expect("a turn");
    play(game, &format!("{} {turn}", color.letter()));
}

#[test]
fn black_moves_first_except_in_sygo() {
    for info in VARIANTS {
        let first = new_game(&format!("{} 5", info.id)).state().to_move;
        assert_eq!(first, info.rules.first.name(), "{}", info.id);
    }
    assert_eq!(new_game("go 5").state().to_move, "black");
    assert_eq!(new_game("sygo 5").state().to_move, "white");
    assert_eq!(new_game("sygo 5 first=black").state().to_move, "black");
    assert_eq!(new_game("sygo 5 first=white").state().to_move, "white");
}

#[test]
fn either_colour_may_play_at_any_time_and_the_other_is_to_move_then() {
    for id in ids() {
        let mut game = new_game(&format!("{id} 5"));
        for color in [Color::White, Color::White, Color::Black] {
            play_any(&mut game, color);
            assert_eq!(game.to_move(), !color, "{id}");
        }
        if !game.info().passes_are_free {
            continue;
        }
        play(&mut game, "B pass");
        assert_eq!((game.to_move(), game.state().turn), (Color::White, 4), "{id}");
    }
}

#[test]
fn two_passes_end_the_game_whoever_makes_them() {
    for info in VARIANTS.iter().filter(|info| info.passes_are_free) {
        let id = info.id;
        for passes in ["B pass, W pass", "B pass, B pass", "W pass, B pass"] {
            let mut game = new_game(&format!("{id} 5"));
            play_any(&mut game, Color::Black);
            play_any(&mut game, Color::White);
            assert_eq!((game.is_over(), result(&game)), (false, None));
            play(&mut game, passes);
            let state = game.state();
            assert_eq!((state.passes, state.over, state.turn), (2, true, 4), "{id} {passes}");
            assert!(state.result.is_some() && !game.is_final());
            assert_eq!(game.perft(1), 0, "{id}");
        }
    }
}

#[test]
fn passes_count_only_in_a_row() {
    let mut game = new_game("go 5");
    play(&mut game, "B pass, W C3, B pass");
    assert_eq!((game.state().passes, game.is_over()), (1, false));
}

#[test]
fn a_third_pass_is_a_turn() {
    let mut game = new_game("go 5");
    play(&mut game, "B pass, W pass, B pass");
    let state = game.state();
    assert_eq!((state.passes, state.over, state.turn), (3, true, 3));
    assert_eq!(state.to_move, "white");
}

#[test]
fn playing_on_after_two_passes_resumes_the_game() {
    let mut game = new_game("go 5");
    play(&mut game, "B pass, W pass, B C3");
    let state = game.state();
    assert_eq!((state.passes, state.over, state.result), (0, false, None));
    play(&mut game, "W pass, B pass");
    assert_eq!(result(&game).as_deref(), Some("B+17.5"));
}

/// Nothing may follow, undo excepted.
fn assert_final(game: &Game) {
    assert!(game.is_final() && game.is_over());
    for color in [Color::Black, Color::White] {
        assert!(game.legal_turns_written(color).is_empty());
    }
    for words in ["B pass", "W pass", "B A1", "W B2", "B resign", "W resign"] {
        assert_eq!(legality(game, words), Err(Illegal::GameOver), "{words}");
    }
    assert_eq!(game.perft(1), 0);
}

#[test]
fn resigning_ends_the_game_and_is_no_turn() {
    for id in ids() {
        for (who, result) in [("B", "W+R"), ("W", "B+R")] {
            let mut game = new_game(&format!("{id} 5"));
            play_any(&mut game, Color::Black);
            play_any(&mut game, Color::White);
            play_any(&mut game, Color::Black);
            let before = game.state();
            play(&mut game, &format!("{who} resign"));
            assert_final(&game);
            let mut state = game.state();
            assert_eq!(state.result.as_deref(), Some(result), "{id}");
            (state.over, state.result) = (before.over, None);
            assert_eq!(state, before, "{id}: nothing else changes");
            game.undo(1).expect("a resignation");
            assert_eq!(game.state(), before, "{id}");
            play_any(&mut game, Color::White);
        }
    }
}

#[test]
fn a_counted_game_can_still_be_resigned() {
    let mut game = new_game("go 5");
    play(&mut game, "B C3, W pass, B pass, B resign");
    assert_eq!(result(&game).as_deref(), Some("W+R"));
    game.undo(1).expect("a resignation");
    assert_eq!(result(&game).as_deref(), Some("B+17.5"));
    game.undo(1).expect("a pass");
    assert_eq!(result(&game), None);
}

#[test]
fn a_game_may_be_resigned_before_it_begins() {
    let mut game = new_game("go 5");
    play(&mut game, "W resign");
    assert_eq!(game.state().turn, 0);
    assert_final(&game);
}

/// Voids took the last empty point.
#[test]
fn a_game_that_its_rules_ended_is_final() {
    let mut game = new_game("no 2 blocks=A2");
    play(&mut game, "B A1, B nuke A1, W pass");
    assert!(!game.is_over());
    play(&mut game, "B pass");
    assert_board(&game, "# *\n * *");
    assert_eq!(result(&game).as_deref(), Some("W+6.5"));
    assert_final(&game);
    game.undo(1).expect("a pass");
    assert_board(&game, "# *\n * .");
    assert!(!game.is_over() && is_legal(&game, "B pass"));
}

#[test]
fn undo_takes_back_every_kind_of_turn() {
    for (words, turns) in [
        ("go 5", "B A1, W B1, W A2, B pass"),
        ("no 5", "B C3, B nuke C3, W pass, B pass, W A1"),
        ("go-san 5 nuke-acts=now", "B C3, W A5, B nuke C3, W nuke A5, B pass"),
        ("tao 4", "W A1, B B1, B A2, B tao D4, B tao A1, W pass"),
        ("sygo 5", "W C3, B A1, W grow C4, B C5, W pass"),
        ("sygo 5", "W C3, B A1, B grow A2 E5, W grow D3"),
        ("stoical 5", "B A1, W B1, W A2, B pass"),
        ("2.5d 2", "B layer 0 A1, W layer 1 A1, B pass, W D2"),
    ] {
        let mut game = new_game(words);
        let mut states = vec![game.state()];
        for turn in turns.split(',') {
            play(&mut game, turn);
            states.push(game.state());
        }
        states.pop();
        while let Some(state) = states.pop() {
            game.undo(1).expect("a turn");
            assert_eq!(game.state(), state, "{words}");
        }
        assert!(game.undo(1).is_err() && game.is_fresh());
    }
}

#[test]
fn turns_of_other_variants_are_not_understood() {
    for id in ids() {
        let game = new_game(&format!("{id} 5"));
        for (kind, ids) in worded_kinds() {
            let vertices: &[&str] = match (kind.on_layer, kind.is_several()) {
                (true, _) => &["1", "A1"],
                (false, true) => &["A1", "C3"],
                (false, false) => &["A1"],
            };
            let turn = [&[kind.word], vertices].concat();
            assert_eq!(game.parse_words(&turn).is_ok(), ids.contains(&id), "{id} {turn:?}");
        }
        assert!(game.parse("F1").is_err(), "{id}: off the board");
        assert!(game.parse("A6").is_err(), "{id}: off the board");
    }
}

#[test]
fn boards_have_sides_of_2_to_25() {
    for info in VARIANTS.iter().filter(|info| !info.stacked) {
        let id = info.id;
        for (size, accepted) in [
            ("2", true),
            ("25", true),
            ("2x25", true),
            ("25x2", true),
            ("1", false),
            ("1x5", false),
            ("26x5", false),
            ("5x26", false),
        ] {
            let game = Game::new(&setup(&format!("{id} {size}")));
            assert_eq!(game.is_ok(), accepted, "{id} {size}");
        }
    }
}

#[test]
fn default_sizes() {
    for (id, side) in [
        ("go", 19),
        ("no", 9),
        ("go-san", 9),
        ("tao", 19),
        ("sygo", 19),
        ("stoical", 19),
        ("2.5d", 9),
    ] {
        assert_eq!(kawari::rules::variant(id).expect("a variant").default_side, side, "{id}");
    }
}
