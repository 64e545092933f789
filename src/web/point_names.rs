//! Points and turns in the coordinates of the page, on which layers have names and each layer has
//! coordinates of its own.

use crate::board::{Grid, Point, column_name};
use crate::rules::{AnyGame, Turn};

/// The name of a layer, counted from 0; `None` on a board with one layer.
pub fn layer(grid: &Grid, layer: u8) -> Option<String> {
    match (grid.layers(), layer) {
        (0 | 1, _) => None,
        (2, 0) => Some("lower".to_owned()),
        (2, _) => Some("upper".to_owned()),
        _ => Some(format!("layer {}", u16::from(layer) + 1)),
    }
}

/// The name of a point: `D4`, `lower D4`.
pub fn point(grid: &Grid, point: Point) -> String {
    let (number, column, row) = grid.layer_coordinates(point);
    let vertex = format!("{}{}", column_name(column), u16::from(row) + 1);
    match layer(grid, number) {
        Some(name) => format!("{name} {vertex}"),
        None => vertex,
    }
}

/// A turn: as it is written, with the names of points.
pub fn turn(game: &AnyGame, turn: &Turn) -> String {
    let grid = game.grid();
    if grid.layers() < 2 || turn.is_pass() {
        return game.write(turn);
    }
    let points: Vec<_> = turn.points().iter().map(|&at| point(grid, at)).collect();
    let points = points.join(" ");
    match game.info().kind(turn.kind()) {
        Some(kind) if !kind.places_stone() => format!("{} {points}", kind.word),
        _ => points,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Action, Setup, variant};

    #[test]
    fn points_have_the_names_that_the_board_shows() {
        let mut setup = Setup::new(variant("2.5d").expect("a variant"));
        let named = |setup: &Setup, words: &[&str]| {
            let game = AnyGame::new(setup).expect("a game");
            let Ok(Action::Turn(made)) = game.parse(words) else {
                panic!("a turn");
            };
            turn(&game, &made)
        };
        assert_eq!(named(&setup, &["layer", "1", "J9"]), "upper J9");
        assert_eq!(named(&setup, &["T9"]), "upper J9");
        assert_eq!(named(&setup, &["pass"]), "pass");
        let layers = setup.rule_key("layers").expect("an option");
        setup.rules.set(layers, "3").expect("a value");
        setup.limit_size();
        assert_eq!(named(&setup, &["layer", "0", "A1"]), "layer 1 A1");
        let go = Setup::new(variant("go").expect("a variant"));
        assert_eq!(named(&go, &["J9"]), "J9");
    }
}
