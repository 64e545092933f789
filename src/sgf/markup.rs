//! Markup of the cells that are not stones.

use super::encode::sgf_point;
use super::property_names;
use super::value::SgfPoint;
use super::write::NodeBuilder;
use crate::board::{Cell, Point};
use crate::rules::{AnyGame, arrow_glyph};

/// Adds the markup of a position: the arrow of each void as a label, a circle on each tao
/// stone, a cross on each blocked point and on the columns between layers.
pub fn add_markup(node: &mut NodeBuilder, game: &AnyGame) {
    let grid = game.grid();
    let here = |point: Point| sgf_point(grid.coordinates(point), grid.height());
    let arrows = game.extras().voids.into_iter();
    node.labels(
        &property_names::LB,
        arrows.map(|(point, arrow, _)| (here(point), arrow_glyph(arrow).to_string())),
    );
    let of = |cell: Cell| grid.points().filter(move |&point| game.cell(point) == cell);
    node.points(
        &property_names::CR,
        of(Cell::Tao).map(here).collect::<Vec<_>>(),
    );
    let rows = 0..grid.height();
    let all = rows.flat_map(|row| (0..grid.width()).map(move |column| (column, row)));
    let blocked = all.filter(|&(column, row)| match grid.point(column, row) {
        Some(point) => game.cell(point) == Cell::Wall,
        None => true,
    });
    let blocked: Vec<SgfPoint> = blocked
        .map(|place| sgf_point(place, grid.height()))
        .collect();
    node.points(&property_names::MA, blocked);
}
