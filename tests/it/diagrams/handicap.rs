//! Handicap stones.

use crate::common::*;
use kawari::board::column_name;
use kawari::rules::{Game, Handicap, SetupError, Size, VARIANTS, fixed_handicap};

fn refused(words: &str) -> Option<SetupError> {
    Game::new(&setup(words)).err()
}

#[test]
fn handicap_stones_are_no_turns_and_white_moves_next() {
    for info in VARIANTS.iter().filter(|info| info.handicap != Handicap::None) {
        let id = info.id;
        let game = new_game(&format!("{id} 5 handicap=B2,D4"));
        let state = game.state();
        assert_eq!((state.turn, state.to_move), (0, "white"), "{id}");
        assert!(game.is_fresh() && state.captures.black == 0);
        assert_eq!(cell(&game, "B2"), kawari::board::Cell::Black);
    }
}

#[test]
fn handicap_gives_white_nothing_but_komi() {
    assert_eq!(new_game("go 5 handicap=B2,D4 komi=0.5").score().to_string(), "B+24.5");
}

#[test]
fn handicap_stones_need_a_point_and_a_liberty() {
    assert_eq!(refused("go 3 handicap=A1,A1"), Some(SetupError::Taken));
    assert_eq!(refused("go 3 handicap=D1"), Some(SetupError::OffBoard));
    assert_eq!(refused("go 3 handicap=A1 blocks=A2,B1"), Some(SetupError::NoLiberty));
    assert_eq!(refused("go 2 handicap=A1,A2,B1,B2"), Some(SetupError::NoLiberty));
    assert_eq!(refused("go 2 handicap=A1,A2,B1"), None);
    // Only the last stones leave the first without liberties.
    assert_eq!(
        refused("go 3 handicap=A1,A2,B1,B2 blocks=A3,C1,B3,C2"),
        Some(SetupError::NoLiberty)
    );
}

#[test]
fn sygo_has_no_handicap_and_layers_no_fixed_one() {
    assert_eq!(refused("sygo 5 handicap=C3"), Some(SetupError::NoHandicap));
    for (id, expected) in [
        ("sygo", Handicap::None),
        ("2.5d", Handicap::Free),
        ("go", Handicap::FixedAndFree),
        ("tao", Handicap::FixedAndFree),
    ] {
        let info = kawari::rules::variant(id).expect("a variant");
        assert_eq!(info.handicap, expected, "{id}");
    }
}

fn fixed(side: u8, stones: usize) -> Option<String> {
    let points = fixed_handicap(Size::square(side), stones)?;
    let mut names: Vec<_> =
        points.iter().map(|(column, row)| format!("{}{}", column_name(*column), row + 1)).collect();
    names.sort();
    Some(names.join(" "))
}

#[test]
fn fixed_handicap_on_a_large_board() {
    for (stones, points) in [
        (2, "D4 Q16"),
        (3, "D16 D4 Q16"),
        (4, "D16 D4 Q16 Q4"),
        (5, "D16 D4 K10 Q16 Q4"),
        (6, "D10 D16 D4 Q10 Q16 Q4"),
        (7, "D10 D16 D4 K10 Q10 Q16 Q4"),
        (8, "D10 D16 D4 K16 K4 Q10 Q16 Q4"),
        (9, "D10 D16 D4 K10 K16 K4 Q10 Q16 Q4"),
    ] {
        assert_eq!(fixed(19, stones).as_deref(), Some(points), "{stones} stones");
    }
}

#[test]
fn fixed_handicap_keeps_to_the_third_or_fourth_line() {
    for (side, points) in [
        (7, "C3 C5 E3 E5"),
        (8, "C3 C6 F3 F6"),
        (9, "C3 C7 G3 G7"),
        (10, "C3 C8 H3 H8"),
        (11, "C3 C9 J3 J9"),
        (12, "C10 C3 K10 K3"),
        (13, "D10 D4 K10 K4"),
        (14, "D11 D4 L11 L4"),
        (15, "D12 D4 M12 M4"),
        (16, "D13 D4 N13 N4"),
        (25, "D22 D4 W22 W4"),
    ] {
        assert_eq!(fixed(side, 4).as_deref(), Some(points), "side {side}");
    }
}

#[test]
fn fixed_handicap_ends_at_four_or_nine() {
    for side in 2..=25 {
        let most = match side {
            2..=6 => 0,
            7 => 4,
            side if side % 2 == 0 => 4,
            _ => 9,
        };
        for stones in 0..=12 {
            let defined = (2..=most).contains(&stones);
            assert_eq!(fixed(side, stones).is_some(), defined, "side {side}, {stones} stones");
        }
    }
    assert_eq!(fixed_handicap(Size { width: 19, height: 13 }, 2), None);
}

#[test]
fn stones_of_both_colours_can_be_set_up_in_every_variant() {
    for info in VARIANTS {
        let mut setup = setup(&format!("{} 5", info.id));
        setup.stones = [vec![(1, 1), (3, 3)], vec![(1, 3)]];
        let game = Game::new(&setup).expect("a position");
        let first = info.rules.first;
        assert_eq!(game.to_move(), first, "{}: no handicap", info.id);
        assert_eq!(cell(&game, "B2"), kawari::board::Cell::Black);
        assert_eq!(cell(&game, "B4"), kawari::board::Cell::White);
        assert!(game.is_fresh());
        setup.to_move = Some(!first);
        let game = Game::new(&setup).expect("a position");
        assert_eq!(game.to_move(), !first, "{}", info.id);
        setup.take_stones_off();
        let empty = Game::new(&setup).expect("a board");
        let fresh = new_game(&format!("{} 5", info.id));
        assert_eq!(empty.state(), fresh.state(), "{}", info.id);
    }
}

#[test]
fn stones_that_are_set_up_need_a_point_and_a_liberty() {
    let mut setup = setup("go 2 handicap=A1");
    setup.stones = [vec![], vec![(0, 0)]];
    assert_eq!(Game::new(&setup).err(), Some(SetupError::Taken));
    setup.stones = [vec![], vec![(0, 1), (1, 0)]];
    assert_eq!(Game::new(&setup).err(), Some(SetupError::NoLiberty));
    setup.stones = [vec![], vec![(0, 1)]];
    assert!(Game::new(&setup).is_ok());
}
