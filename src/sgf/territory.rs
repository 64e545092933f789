//! Territory marks: the agreement of players at the end of a game.

use super::client::FileBoard;
use super::set_up::property_places;
use super::tree::GameTree;
use crate::board::{Grid, Point};

/// The points marked as territory of Black and White (`TB`, `TW`), dead stones included, in
/// the last node of the main line with such marks; `None` if no node has any.
pub fn marked_territory(tree: &GameTree, grid: &Grid) -> Option<[Vec<Point>; 2]> {
    let marked =
        |name| tree.main_line().filter_map(|id| Some((id, tree.property(id, name)?))).last();
    let both = [marked("TB"), marked("TW")];
    let last = both.iter().flatten().map(|(id, _)| *id).max()?;
    Some(both.map(|marks| {
        let property = marks.filter(|(id, _)| *id == last);
        let places = property
            .and_then(|(_, property)| property_places(&FileBoard::of(*grid), &property).ok())
            .unwrap_or_default()
            .into_iter();
        places.filter_map(|(column, row)| grid.point(column, row)).collect()
    }))
}
