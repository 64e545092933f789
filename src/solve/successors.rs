//! What a position can become by one whole turn.

use crate::board::Point;
use crate::rules::{Position, Step, Turn, Variant};
use std::collections::HashSet;

/// Calls `visit` with each whole turn of the side to move, superko apart, and the position
/// after it. Of turns of several steps that end in the same position one is visited. In the
/// middle of a turn its ends are visited, with the points still to come.
///
/// `after` is a position to work in.
pub(super) fn for_each_turn<V: Variant>(
    position: &Position<V>,
    after: &mut Position<V>,
    visit: &mut dyn FnMut(Turn, &mut Position<V>),
) {
    if V::is_mid_turn(position) {
        return for_each_end(position, None, visit);
    }
    let color = position.to_move;
    let mut begun = Vec::new();
    V::for_each_step(position, color, &mut |step| {
        if let Some(turn) = V::INFO.whole_turn(step) {
            after.copy_from(position);
            after.make(color, step);
            visit(turn, after);
        } else {
            begun.push(step);
        }
    });
    let mut ended = HashSet::new();
    for step in begun {
        after.copy_from(position);
        after.make(color, step);
        for_each_end(after, Some(step), &mut |turn, end| {
            if ended.insert(end.board.hash()) {
                visit(turn, end);
            }
        });
    }
}

/// The ends of the turn under way in `position`, of which `first` was made. What lies on the
/// board tells which stones came in the turn, so that boards tell positions apart.
fn for_each_end<V: Variant>(
    position: &Position<V>,
    first: Option<Step>,
    visit: &mut dyn FnMut(Turn, &mut Position<V>),
) {
    let color = position.to_move;
    let points: Vec<Point> = first.and_then(Step::point).into_iter().collect();
    let kind = first.map(Step::kind);
    let mut open = vec![(kind, points, Box::new(position.clone()))];
    let (mut met, mut ended) = (HashSet::new(), HashSet::new());
    while let Some((kind, points, position)) = open.pop() {
        if !met.insert(position.board.hash()) {
            continue;
        }
        V::for_each_step(&position, color, &mut |step| {
            let mut after = position.clone();
            let is_end = after.make(color, step);
            let mut all = points.clone();
            all.extend(step.point());
            // The first step says what kind of turn it is, or of the rest of one.
            let kind = kind.unwrap_or(step.kind());
            if !is_end {
                open.push((Some(kind), all, after));
            } else if ended.insert(after.board.hash()) {
                visit(Turn::new(kind, all), &mut after);
            }
        });
    }
}

/// Makes a turn, or the rest of one, that [`for_each_turn`] visited.
pub(super) fn make<V: Variant>(position: &mut Position<V>, turn: &Turn) {
    let color = position.to_move;
    if turn.is_pass() {
        position.make(color, Step::PASS);
        return;
    }
    let mut ended = false;
    for number in 0..turn.points().len() {
        let step = V::step_of_turn(position, color, turn, number);
        ended = position.make(color, step);
    }
    if !ended {
        position.make(color, Step::END);
    }
}
