//! The layers of a board, which the flat form has side by side: each is drawn as a board of its
//! own, with a name and coordinates.

use crate::board::{Grid, Point, column_name};
use crate::rules::{Game, Turn, vertex};
use serde::Serialize;

/// A part of the flat form that is drawn as one board.
#[derive(Clone, Debug, Serialize)]
pub struct LayerView {
    pub name: String,
    /// Its first column in the flat form.
    pub left: u8,
    /// Its columns.
    pub width: u8,
}

/// The sheets of a board: one for each layer, the lowest first.
pub fn sheets(grid: &Grid) -> Vec<LayerView> {
    let sheet = |layer: u8| LayerView {
        name: layer_name(grid, layer).unwrap_or_default(),
        left: layer * (grid.layer_width() + 1),
        width: grid.layer_width(),
    };
    (0..grid.layers()).map(sheet).collect()
}

/// Pairs of neighbours on different layers.
pub fn links(grid: &Grid) -> Vec<[String; 2]> {
    let above = |point| {
        let (layer, column, row) = grid.layer_coordinates(point);
        let above = grid.point_on_layer(layer + 1, column, row)?;
        Some([vertex(grid, point), vertex(grid, above)])
    };
    grid.points().filter_map(above).collect()
}

/// The name of a layer, counted from 0; `None` on a board with one layer.
fn layer_name(grid: &Grid, layer: u8) -> Option<String> {
    match (grid.layers(), layer) {
        (0 | 1, _) => None,
        (2, 0) => Some("lower".to_owned()),
        (2, _) => Some("upper".to_owned()),
        _ => Some(format!("layer {}", u16::from(layer) + 1)),
    }
}

/// The name of a point: `D4`, `lower D4`.
pub fn point_name(grid: &Grid, point: Point) -> String {
    let (number, column, row) = grid.layer_coordinates(point);
    let vertex = format!("{}{}", column_name(column), u16::from(row) + 1);
    match layer_name(grid, number) {
        Some(name) => format!("{name} {vertex}"),
        None => vertex,
    }
}

/// A turn in writing, with the names of points.
pub fn turn_name(game: &Game, turn: &Turn) -> String {
    let grid = game.grid();
    if grid.layers() < 2 || turn.is_pass() {
        return game.write(turn);
    }
    let points: Vec<_> = turn.points().iter().map(|&at| point_name(grid, at)).collect();
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
            let game = Game::new(setup).expect("a game");
            let Ok(Action::Turn(made)) = game.parse_words(words) else {
                panic!("a turn");
            };
            turn_name(&game, &made)
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
