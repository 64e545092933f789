//! The parts of the flat form that are drawn as boards of their own.

use super::event::Sheet;
use super::point_names;
use crate::board::Grid;
use crate::rules::vertex;

/// The sheets of a board: one for each layer, the lowest first.
pub fn of(grid: &Grid) -> Vec<Sheet> {
    let sheet = |layer: u8| Sheet {
        name: point_names::layer(grid, layer).unwrap_or_default(),
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
