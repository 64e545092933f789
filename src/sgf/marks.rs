//! Marks that people put on points, as notes: a value of the file in each line, `dd`, `aa:cc`
//! or, of labels, `dd:A`. They are kept as they stand, because a rectangle over the whole board
//! has few bytes.

use super::tree::Property;
use super::value::{PropertyValue, escaped_composed};
use super::write::{NodeBuilder, PropertyName};
use crate::board::Cell;
use crate::rules::{AnyGame, Setup};

/// The property of labels.
const LABELS: &str = "LB";

/// The properties of marks.
const MARKS: &[&str] = &["CR", LABELS, "MA", "SL", "SQ", "TR"];

/// Whether a property has marks.
pub fn is_mark(name: &str) -> bool {
    MARKS.contains(&name)
}

/// Whether a record of ours has no marks of its own, which show what no stone shows.
pub(super) fn are_free(setup: &Setup) -> bool {
    setup.info.is_plain() && setup.blocked_points.is_empty()
}

/// The same of a game.
fn are_free_in(game: &AnyGame) -> bool {
    let mut points = game.grid().points();
    game.info().is_plain() && points.all(|point| game.cell(point) != Cell::Wall)
}

/// The marks of a property; none if it has no valid ones.
pub(super) fn read(name: &str, property: &Property<'_>) -> Option<String> {
    let written = |value: PropertyValue<'_>| {
        if name != LABELS {
            return value.rectangle().map(|_| value.simple_text().trim().to_owned());
        }
        let (point, label) = value.composed()?;
        point.point()?;
        Some(format!("{}:{}", point.simple_text().trim(), label.simple_text()))
    };
    let lines: Vec<String> = property.values().filter_map(written).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Writes marks that were [`read`] into a node of a game, unless it has such marks of its own.
pub(super) fn write(node: &mut NodeBuilder, game: &AnyGame, name: &PropertyName, marks: &str) {
    if !are_free_in(game) {
        return;
    }
    let written = |line: &str| match line.split_once(':') {
        Some((point, label)) if name.as_str() == LABELS => {
            format!("{point}:{}", escaped_composed(label))
        }
        _ => line.to_owned(),
    };
    node.raw(name, marks.lines().map(written));
}
