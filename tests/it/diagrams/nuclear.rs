//! Nukes, voids and the cascade: `no` and `go-san`.

use crate::common::*;
use kawari::board::Cell;
use kawari::rules::{Game, Illegal, nuclear};

/// Point, arrow and origin of every void, in order.
fn voids(game: &Game) -> Vec<String> {
    let voids = game.state().voids;
    voids.iter().map(|v| format!("{} {} {}", v.point, v.arrow, v.origin)).collect()
}

fn pass(game: &mut Game, times: usize) {
    for _ in 0..times {
        play(game, "B pass");
    }
}

#[test]
fn only_own_stones_go_nuclear() {
    let mut game = game_from_diagram("no", "X . O #\n. . . .");
    for vertex in ["B2", "C2", "D2"] {
        assert_eq!(refusal(&game, &format!("B nuke {vertex}")), nuclear::NOT_OWN_STONE, "{vertex}");
    }
    assert_eq!(refusal(&game, "W nuke A2"), nuclear::NOT_OWN_STONE);
    play(&mut game, "B nuke A2");
    assert_eq!(refusal(&game, "B nuke A2"), nuclear::NOT_OWN_STONE);
    assert_eq!(refusal(&game, "B A2"), Illegal::Occupied);
}

#[test]
fn a_nuke_is_no_capture() {
    let mut game = game_from_diagram("no", ". . .\n. X .\n. . .");
    play(&mut game, "B nuke B2");
    assert_eq!(captures(&game), (0, 0));
    assert_board(&game, ". . .\n. * .\n. . .");
    assert_eq!(voids(&game), ["B2 N B2"]);
}

#[test]
fn a_nuke_leaves_its_groups_without_that_liberty() {
    let mut game = game_from_diagram("no", ". . .\nX . .\nX O .");
    play(&mut game, "B nuke A2");
    assert_board(&game, ". . .\n* . .\n. O .");
    assert_eq!(captures(&game), (0, 1)); // A1 died in the cascade, A2 did not
}

#[test]
fn a_void_looks_around_clockwise_from_the_north_east() {
    let mut game = new_game("no 3");
    play(&mut game, "B B2, B nuke B2");
    let looks = [
        ("NE", "C3"),
        ("E", "C2"),
        ("SE", "C1"),
        ("S", "B1"),
        ("SW", "A1"),
        ("W", "A2"),
        ("NW", "A3"),
    ];
    for (arrow, birth) in looks {
        assert_eq!(cell(&game, birth), Cell::Empty, "{arrow}");
        pass(&mut game, 1);
        assert_eq!(voids(&game)[0], format!("B2 {arrow} B2"));
        assert_eq!(cell(&game, birth), Cell::Void, "{arrow}");
    }
}

#[test]
fn voids_act_from_the_next_turn_on_in_the_order_they_appeared() {
    let mut game = new_game("no 5");
    play(&mut game, "B C3, W A1, B nuke C3");
    assert_eq!(voids(&game), ["C3 N C3"]);
    play(&mut game, "W pass");
    assert_eq!(voids(&game), ["C3 NE C3", "D4 N C3"]);
    play(&mut game, "B A5");
    assert_eq!(voids(&game), ["C3 E C3", "D4 NE C3", "D3 N C3", "E5 N C3"]);
    assert_board(
        &game,
        "X . . . *
         . . . * .
         . . * * .
         . . . . .
         O . . . .",
    );
    play(&mut game, "W nuke A1");
    assert_eq!(
        voids(&game),
        ["C3 SE C3", "D4 E C3", "D3 NE C3", "E5 NE C3", "A1 N A1", "D2 N C3", "E4 N C3"]
    );
}

/// B2 and B1 both point at C2 in the last turn.
#[test]
fn an_earlier_void_takes_a_point_first() {
    let mut game = game_from_diagram(
        "no",
        ". . . .
         . . . .
         . X . .
         . X . .",
    );
    play(&mut game, "B nuke B2, B nuke B1");
    assert_eq!(voids(&game), ["B2 NE B2", "B1 N B1", "C3 N B2"]);
    pass(&mut game, 1);
    assert_eq!(voids(&game), ["B2 E B2", "B1 NE B1", "C3 NE B2", "C2 N B2", "D4 N B2"]);
}

#[test]
fn every_turn_counts_passes_and_the_one_that_ends_the_game_too() {
    let mut game = new_game("no 5");
    play(&mut game, "B C3, B nuke C3, W pass, B pass");
    assert!(game.is_over());
    assert_eq!(voids(&game), ["C3 E C3", "D4 NE C3", "D3 N C3", "E5 N C3"]);
    play(&mut game, "B pass");
    assert_eq!(voids(&game)[0], "C3 SE C3");
}

#[test]
fn stones_walls_edges_and_voids_stop_a_void() {
    let mut game = new_game("no 3 blocks=C2");
    play(&mut game, "B B2, W C3, B nuke B2");
    let seen: [&[&str]; 6] = [
        &["B2 NE B2"],                                              // a stone on C3
        &["B2 E B2"],                                               // the wall on C2
        &["B2 SE B2", "C1 N B2"],                                   // room
        &["B2 S B2", "C1 NE B2", "B1 N B2"],                        // C1: the edge
        &["B2 SW B2", "C1 E B2", "B1 NE B2", "A1 N B2"],            // B1: the wall
        &["B2 W B2", "C1 SE B2", "B1 E B2", "A1 NE B2", "A2 N B2"], // A1: a void
    ];
    for expected in seen {
        play(&mut game, "W pass");
        assert_eq!(voids(&game), expected);
    }
}

#[test]
fn with_nuke_acts_now_the_void_of_a_nuke_acts_in_its_own_turn() {
    let mut game = new_game("no 5 nuke-acts=now");
    play(&mut game, "B C3, B nuke C3");
    assert_eq!(voids(&game), ["C3 NE C3", "D4 N C3"]);
    play(&mut game, "W A1");
    assert_eq!(voids(&game), ["C3 E C3", "D4 NE C3", "D3 N C3", "E5 N C3"]);
    // The nuke comes last in the list, and what it spawns after its elders' children.
    play(&mut game, "W nuke A1");
    let list = voids(&game);
    assert_eq!(list[4..], ["A1 NE A1", "D2 N C3", "E4 N C3", "B2 N A1"]);
}

#[test]
fn resolvers_lie_on_all_voids_after_even_turns_and_on_none_after_odd_ones() {
    for words in ["no 5", "no 5 nuke-acts=now", "go-san 5"] {
        let mut game = new_game(words);
        play(&mut game, "B C3, B nuke C3");
        for _ in 0..5 {
            let state = game.state();
            let even = state.turn.is_multiple_of(2);
            assert!(state.voids.iter().all(|void| void.resolver == even), "{words}");
            pass(&mut game, 1);
        }
    }
}

/// The void on C3 takes the last liberty of both groups, which touch: taken
/// off one after the other, one would survive.
#[test]
fn the_cascade_removes_both_colours_at_once() {
    let mut game = game_from_diagram(
        "no",
        ". . . O #
         # O X X #
         . # # # .",
    );
    play(&mut game, "W nuke B2, B pass");
    assert_board(
        &game,
        ". . * . #
         # * . . #
         . # # # .",
    );
    assert_eq!(captures(&game), (1, 2));
}

#[test]
fn a_stone_may_die_in_the_cascade_of_its_own_turn() {
    let mut game = game_from_diagram(
        "no",
        ". . . . #
         . X # # #
         . . . . .",
    );
    play(&mut game, "B nuke B2, W D3");
    assert_board(
        &game,
        ". . * . #
         . * # # #
         . . . . .",
    );
    assert_eq!(captures(&game), (1, 0));
}

/// The last liberty that a void is about to take still counts, one that the
/// cascade is about to give does not.
#[test]
fn suicide_is_judged_before_the_voids_act() {
    let mut game = game_from_diagram(
        "no",
        ". . . O # .
         . X # . # .
         . . # # . .",
    );
    // When C3 becomes a void D3 dies, which would give D2 a liberty.
    play(&mut game, "B nuke B2");
    assert!(is_legal(&game, "W D2"));
    assert_eq!(refusal(&game, "B D2"), Illegal::Suicide);
}

const KO: &str = "
    . X O . . .
    X O . O . .
    . X O . X .";

#[test]
fn simple_ko_is_judged_before_the_voids_act() {
    let mut game = game_from_diagram("no", KO);
    play(&mut game, "B nuke E1, B C2");
    assert_eq!(refusal(&game, "W B2"), Illegal::Ko);
    play(&mut game, "W nuke D2, B pass");
    assert!(is_legal(&game, "W B2"));
}

/// A void appears in the same turn, so that the position is new.
#[test]
fn superko_is_judged_after_the_voids_have_acted() {
    for ko in ["positional", "situational"] {
        let mut game = game_from_diagram(&format!("no ko={ko}"), KO);
        play(&mut game, "B nuke E1, B C2");
        assert!(is_legal(&game, "W B2"), "{ko}");
    }
}

/// The void on F3 has nowhere to go.
#[test]
fn superko_holds_where_no_void_spreads() {
    let mut game = game_from_diagram(
        "no ko=positional",
        ". X O . X X
         X O . O X X
         . X O . . .",
    );
    play(&mut game, "B nuke F3, B C2");
    assert_eq!(voids(&game), ["F3 NE F3"]);
    assert_eq!(refusal(&game, "W B2"), Illegal::PositionalSuperko);
}

#[test]
fn go_san_keeps_voids_within_one_point_of_their_nuke() {
    let mut game = new_game("go-san 5");
    play(&mut game, "B C3, W pass, B nuke C3");
    pass(&mut game, 2);
    assert_eq!(voids(&game), ["C3 E C3", "D4 NE C3", "D3 N C3"]);
    pass(&mut game, 30);
    assert_board(
        &game,
        ". . . . .
         . * * * .
         . * * * .
         . * * * .
         . . . . .",
    );
    assert!(voids(&game).iter().all(|void| void.ends_with(" C3")));
    assert_eq!(voids(&game)[0], "C3 N C3"); // after four full turns of the hand
}

/// C3 lies within one point of both nukes, but descends from B2 and may not
/// spread to D4.
#[test]
fn go_san_measures_from_the_origin() {
    let mut game = game_from_diagram(
        "go-san",
        ". . . . .
         . . . . .
         . X . . X
         . . . . .",
    );
    play(&mut game, "B nuke B2, W pass, B nuke E2");
    pass(&mut game, 30);
    assert_board(
        &game,
        ". . . . .
         * * * * *
         * * * * *
         * * * * *",
    );
    let origin = |vertex: &str| {
        let voids = game.state().voids;
        let void = voids.iter().find(|v| v.point == vertex).expect("a void");
        void.origin.clone()
    };
    assert_eq!(["A1", "C3", "D1", "E3"].map(origin), ["B2", "B2", "E2", "E2"]);
}

#[test]
fn no_spreads_without_limit() {
    let mut game = new_game("no 5");
    play(&mut game, "B C3, W pass, B nuke C3");
    for _ in 0..30 {
        if !game.is_final() {
            pass(&mut game, 1);
        }
    }
    assert!(game.is_final());
    assert_eq!(game.state().board.concat(), "*".repeat(25));
}

#[test]
fn captures_and_regions_are_counted() {
    let game = game_from_diagram(
        "no komi=0.5",
        ". X O .
         X X O O
         . X O O",
    );
    assert_eq!(counted(&game), "B+0.5"); // A3 and A1 against D3
    let mut game = game_from_diagram("no komi=0.5", ". X .\nX O .\n. X .");
    play(&mut game, "B C2");
    assert_eq!(counted(&game), "B+5.5"); // A3, A1, C3, C1, B2 and a capture
}
