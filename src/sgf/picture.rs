//! Marks for what is on the board and no stone.

use super::encode::spot;
use super::names;
use super::value::Spot;
use super::write::NodeText;
use crate::board::{Cell, Point};
use crate::rules::{AnyGame, Turn};

/// Arrows of voids, clockwise from north.
const ARROWS: [&str; 8] = ["↑", "↗", "→", "↘", "↓", "↙", "←", "↖"];

/// Adds the marks of a position: an arrow as the label of a void, a circle for a
/// tao stone, a cross for a wall and for the columns between layers.
pub fn marks(node: &mut NodeText, game: &AnyGame) {
    let grid = game.grid();
    let here = |point: Point| spot(grid.place(point), grid.height());
    let arrows = game.extras().voids.into_iter();
    node.labels(
        &names::LB,
        arrows.map(|(point, arrow, _)| (here(point), ARROWS.get(arrow).copied().unwrap_or("*"))),
    );
    let of = |cell: Cell| grid.points().filter(move |&point| game.cell(point) == cell);
    node.spots(&names::CR, of(Cell::Tao).map(here).collect::<Vec<_>>());
    let rows = 0..grid.height();
    let all = rows.flat_map(|row| (0..grid.width()).map(move |column| (column, row)));
    let walls = all.filter(|&(column, row)| match grid.point(column, row) {
        Some(point) => game.cell(point) == Cell::Wall,
        None => true,
    });
    let walls: Vec<Spot> = walls.map(|place| spot(place, grid.height())).collect();
    node.spots(&names::MA, walls);
}

/// The points that a turn names.
pub(super) fn points(turn: &Turn) -> impl Iterator<Item = Point> {
    let (one, several) = match turn {
        Turn::Pass => (None, None),
        Turn::Stone(point) | Turn::Nuke(point) | Turn::Tao(point) => (Some(*point), None),
        Turn::Grow(stones) => (None, Some(stones)),
    };
    one.into_iter()
        .chain(several.into_iter().flatten().copied())
}
