//! Marks of people on points, marks derived from the position, and territory.

use super::client::FileBoard;
use super::places::property_places;
use super::property::{Properties, Property, PropertyValue, SgfPoint, escaped_composed};
use super::record::DEAD;
use super::tree::{GameTree, NodeId};
use crate::board::{Grid, Point};
use crate::rules::Setup;
use std::collections::BTreeMap;

const LABELS: &str = "LB";

/// The properties of marks, and their names in FF\[4\].
const MARKS: &[(&str, &str)] = &[
    ("AR", "AR"),
    ("CR", "CR"),
    ("L", LABELS),
    (LABELS, LABELS),
    ("LN", "LN"),
    ("M", "MA"),
    ("MA", "MA"),
    ("SL", "SL"),
    ("SQ", "SQ"),
    ("TR", "TR"),
];

fn mark(name: &str) -> Option<&'static str> {
    MARKS.iter().find(|(known, _)| *known == name).map(|(_, mark)| *mark)
}

pub(super) fn is_mark(name: &str) -> bool {
    mark(name).is_some()
}

/// The property of marks with this name in FF\[4\].
pub fn mark_named(name: &str) -> Option<&'static str> {
    mark(name).filter(|known| *known == name)
}

/// The names that FF\[3\] has for a mark.
pub(super) fn ff3_names(name: &str) -> impl Iterator<Item = &'static str> {
    let of_mark = MARKS.iter().filter(move |(known, mark)| *mark == name && *known != name);
    of_mark.map(|(known, _)| *known)
}

/// Whether all marks of a record of ours are those of people.
pub(super) fn are_free(setup: &Setup) -> bool {
    setup.info.is_plain() && setup.blocked_points.is_empty()
}

/// The marks of a node; `None` without any.
pub(super) fn derived(node: &Properties) -> Option<Box<Properties>> {
    let mut marks = Properties::default();
    node.iter().filter(|property| is_mark(&property.name())).for_each(|mark| marks.copy(mark));
    (!marks.is_empty()).then(|| marks.into())
}

/// The marks of a node that are not `derived`: names, and a value in each line: `dd`,
/// `aa:cc` or, of labels, `dd:A`.
pub(super) fn of_people(node: &Properties, derived: &Properties) -> BTreeMap<String, String> {
    let mut marks: BTreeMap<String, String> = BTreeMap::new();
    for property in node.iter() {
        let name = property.name();
        let Some(shown) = mark(&name) else {
            continue;
        };
        let own: Vec<_> = derived.values(&name).map(PropertyValue::raw).collect();
        let values = property.values().filter(|value| !own.contains(&value.raw()));
        let lines: Vec<String> = match &*name {
            "L" => lettered(values),
            _ => values.filter_map(|value| line(shown, value)).collect(),
        };
        for line in lines {
            let marks = marks.entry(shown.to_owned()).or_default();
            let end = if marks.is_empty() { "" } else { "\n" };
            *marks += &format!("{end}{line}");
        }
    }
    marks
}

/// The points of `L`, lettered in their order.
fn lettered<'v>(values: impl Iterator<Item = PropertyValue<'v>>) -> Vec<String> {
    let points = values.filter_map(PropertyValue::points).flatten();
    let letters = ('A'..='Z').chain('a'..='z');
    let lines = points.filter_map(SgfPoint::letters).zip(letters);
    lines.map(|([column, line], letter)| format!("{column}{line}:{letter}")).collect()
}

/// `None` if the value is not valid.
fn line(name: &str, value: PropertyValue<'_>) -> Option<String> {
    if name != LABELS {
        return value.rectangle().map(|_| value.simple_text().trim().to_owned());
    }
    let (point, label) = value.composed()?;
    point.point()?;
    Some(format!("{}:{}", point.simple_text().trim(), label.simple_text()))
}

/// The raw values of a property: `derived` ones, and marks of people in lines.
pub(super) fn values(derived: &Properties, name: &str, lines: &str) -> Vec<String> {
    let written = |line: &str| match line.split_once(':') {
        Some((point, label)) if name == LABELS => format!("{point}:{}", escaped_composed(label)),
        _ => line.to_owned(),
    };
    let own = derived.values(name).map(|value| value.raw().to_owned());
    own.chain(lines.lines().map(written)).collect()
}

/// The beginning of a comment's paragraph about an agreed result.
pub const AGREED: &str = "Result agreed by the players:";

/// The stones that the players agreed on as dead at a node (`KDEAD`), or in its comment that no stone
/// is dead. `None` without an agreement.
pub fn agreement_at(tree: &GameTree, id: NodeId, grid: &Grid) -> Option<Vec<Point>> {
    let stated = tree.property(id, DEAD).map(|property| points(&property, grid));
    let is_agreed = || tree.comment(id).split("\n\n").any(|text| text.starts_with(AGREED));
    stated.or_else(|| is_agreed().then(Vec::new))
}

/// The stones that the players agreed on as dead (`KDEAD`), in the last node of the main line that
/// lists them.
pub fn agreed_dead_stones(tree: &GameTree, grid: &Grid) -> Option<Vec<Point>> {
    let stated = tree.main_line().filter_map(|id| tree.property(id, DEAD)).last();
    stated.map(|property| points(&property, grid))
}

fn points(property: &Property<'_>, grid: &Grid) -> Vec<Point> {
    let places = property_places(&FileBoard::new(*grid), property).unwrap_or_default().into_iter();
    places.filter_map(|(column, row)| grid.point(column, row)).collect()
}

/// The points marked as territory of Black and White (`TB`, `TW`), dead stones included, in the
/// last node of the main line with such marks.
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
