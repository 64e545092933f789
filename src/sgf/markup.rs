//! Markup of the cells that are not stones.

use super::encode::{place, sgf_point};
use super::write::NodeBuilder;
use crate::board::Cell;
use crate::rules::{AnyGame, arrow_glyph};

/// Adds the markup of a position: the arrow of each void as a label, and the mark of each
/// [cell](crate::rules::CellInfo) that has one; columns between layers are marked as blocked.
pub fn add_markup(node: &mut NodeBuilder, game: &AnyGame) {
    let grid = game.grid();
    let arrows = game.extras().voids.into_iter();
    let label = |(at, arrow, _)| (place(game, at), arrow_glyph(arrow).to_string());
    node.labels("LB", arrows.map(label));
    let content = |&(column, row): &(u8, u8)| match grid.point(column, row) {
        Some(point) => game.cell(point),
        None => Cell::Wall,
    };
    let rows = 0..grid.height();
    let all = rows.flat_map(|row| (0..grid.width()).map(move |column| (column, row)));
    for info in Cell::all() {
        let Some(mark) = info.mark else {
            continue;
        };
        let marked = all.clone().filter(|place| content(place) == info.cell);
        node.points(mark, marked.map(|place| sgf_point(place, grid.height())));
    }
}
