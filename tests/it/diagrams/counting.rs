//! Area and territory, komi, results.

use crate::common::*;

/// Black: four stones, two points. White: four stones, one point.
const SPLIT: &str = "
    . X O .
    X X O O
    . X O #";

#[test]
fn area_is_stones_and_surrounded_points() {
    assert_eq!(counted(&game_from_diagram("go komi=0", SPLIT)), "B+1");
}

#[test]
fn territory_is_surrounded_points_and_captures() {
    let diagram = ". X O X .
                   X O . O X
                   . X O X .
                   . . X . .";
    let mut area = game_from_diagram("go komi=0", diagram);
    let mut territory = game_from_diagram("go komi=0 scoring=territory", diagram);
    for game in [&mut area, &mut territory] {
        play(game, "B C3");
    }
    assert_eq!(counted(&area), "B+20");
    assert_eq!(counted(&territory), "B+16");
    assert_eq!(counted(&game_from_diagram("go komi=0 scoring=territory", SPLIT)), "B+1");
}

#[test]
fn komi_is_added_to_white() {
    for (komi, result) in [
        ("0", "B+1"),
        ("0.5", "B+0.5"),
        ("1", "0"),
        ("1.5", "W+0.5"),
        ("3", "W+2"),
        ("7.5", "W+6.5"),
        ("-2", "B+3"),
        ("-0.5", "B+1.5"),
    ] {
        assert_eq!(
            counted(&game_from_diagram(&format!("go komi={komi}"), SPLIT)),
            result,
            "komi {komi}"
        );
    }
}

#[test]
fn an_empty_board_is_nobodys() {
    for (words, result) in [
        ("go 9", "W+7.5"),
        ("no 9", "W+6.5"),
        ("go-san 9", "W+6.5"),
        ("tao 9", "W+6.5"),
        ("sygo 9", "0"),
        ("stoical 9", "W+7.5"),
        ("2.5d 9", "W+7.5"),
    ] {
        assert_eq!(counted(&new_game(words)), result, "{words}");
    }
}

#[test]
fn a_region_of_both_colours_is_nobodys() {
    let diagram = ". X . O
                   . X . O
                   . X . O";
    assert_eq!(counted(&game_from_diagram("go komi=0", diagram)), "B+3");
    assert_eq!(counted(&game_from_diagram("go komi=0 scoring=territory", diagram)), "B+3");
}

/// A3 touches nothing but walls; the rest of the left side touches Black too.
#[test]
fn walls_border_nobodys_region() {
    let diagram = ". # X . O
                   # . X . O
                   . . X . O";
    assert_eq!(counted(&game_from_diagram("go komi=0", diagram)), "B+3");
}

#[test]
fn no_stone_counts_as_dead() {
    let diagram = ". X . .
                   O X X X
                   . X . .";
    assert_eq!(counted(&game_from_diagram("go komi=0", diagram)), "B+8");
}

/// The void on B2 keeps the empty points left of it from touching White, and is
/// nobody's point.
#[test]
fn voids_border_nobodys_region() {
    let mut game = game_from_diagram(
        "no komi=0 scoring=area",
        ". X O .
         . X O .
         . X O .",
    );
    play(&mut game, "B nuke B2");
    assert_eq!(game.score().to_string(), "W+1"); // two stones against three
}

/// Tao stones are like walls: no points, no borders.
#[test]
fn tao_stones_border_nobodys_region() {
    let game = game_from_diagram(
        "tao komi=0 tao-supply=3",
        ". + . O
         X + . .
         . X + O",
    );
    // Two stones, A3 and A1 against two stones, C3, C2 and D2.
    assert_eq!(counted(&game), "W+1");
}

#[test]
fn scores_are_told_at_any_time_and_results_at_the_end() {
    let mut game = game_from_diagram("go komi=0", SPLIT);
    assert_eq!((game.score().to_string().as_str(), result(&game)), ("B+1", None));
    play(&mut game, "B pass, W pass");
    assert_eq!(result(&game).as_deref(), Some("B+1"));
    game.set_komi(3.5);
    assert_eq!(result(&game).as_deref(), Some("W+2.5"));
}
