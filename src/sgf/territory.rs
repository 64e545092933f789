//! What players agreed on at the end of a game.

use super::decode::places;
use super::tree::Tree;
use crate::board::{Grid, Point};

/// The points that are marked as Black's and as White's territory (`TB`, `TW`),
/// dead stones among them, in the last node of the main line that marks any; none
/// if no node does.
pub fn territory(tree: &Tree<'_>, grid: &Grid) -> Option<[Vec<Point>; 2]> {
    let marked = |name| {
        tree.main_line()
            .filter_map(|id| Some((id, tree.property(id, name)?)))
            .last()
    };
    let both = [marked("TB"), marked("TW")];
    let last = both.iter().flatten().map(|(id, _)| *id).max()?;
    Some(both.map(|marks| {
        let property = marks.filter(|(id, _)| *id == last);
        let places = property.and_then(|(_, property)| places(grid, &property).ok());
        let places = places.unwrap_or_default().into_iter();
        places
            .filter_map(|(column, row)| grid.point(column, row))
            .collect()
    }))
}
