//! Territory marks: the agreement of players at the end of a game.

use super::client::FileBoard;
use super::property::Property;
use super::record::DEAD;
use super::set_up::property_places;
use super::tree::GameTree;
use crate::board::{Grid, Point};
use crate::rules::parse_point;

/// How the paragraph of a comment about an agreed result begins.
pub const AGREED: &str = "Result agreed by the players:";

/// The stones that the players of a game of ours agreed on as dead, in the last node of the main
/// line that says so: its `KDEAD`, or in older files its comment.
pub fn agreed_dead_stones(tree: &GameTree, grid: &Grid) -> Option<Vec<Point>> {
    let of_comment = |comment: String| {
        let paragraph = comment.split("\n\n").find(|text| text.starts_with(AGREED))?.to_owned();
        let (_, list) = paragraph.split_once("dead stones: ")?;
        let (list, _) = list.split_once('.')?;
        Some(list.split(' ').filter_map(|vertex| parse_point(grid, vertex).ok()).collect())
    };
    let stated = tree.main_line().filter_map(|id| {
        let property = tree.property(id, DEAD);
        property.map(|property| points(&property, grid)).or_else(|| of_comment(tree.comment(id)))
    });
    stated.last()
}

fn points(property: &Property<'_>, grid: &Grid) -> Vec<Point> {
    let places = property_places(&FileBoard::of(*grid), property).unwrap_or_default().into_iter();
    places.filter_map(|(column, row)| grid.point(column, row)).collect()
}

/// The points marked as territory of Black and White (`TB`, `TW`), dead stones included, in
/// the last node of the main line with such marks; `None` if no node has any.
pub fn marked_territory(tree: &GameTree, grid: &Grid) -> Option<[Vec<Point>; 2]> {
    let marked =
        |name| tree.main_line().filter_map(|id| Some((id, tree.property(id, name)?))).last();
    let both = [marked("TB"), marked("TW")];
    let last = both.iter().flatten().map(|(id, _)| *id).max()?;
    Some(both.map(|marks| {
        let last = marks.filter(|(id, _)| *id == last);
        last.map(|(_, property)| points(&property, grid)).unwrap_or_default()
    }))
}
