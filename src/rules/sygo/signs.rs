//! What steps and groups show to those who judge and to those who look.

use super::{Sygo, check_growth};
use crate::board::{Cell, Point, PointSet, contains_point};
use crate::rules::{Hint, Position, Step};
use smallvec::SmallVec;

/// The groups that may still grow in the turn under way.
pub(super) fn hints(position: &Position<Sygo>, note: &mut dyn FnMut(Hint)) {
    let (board, color) = (&position.board, position.to_move);
    if !position.own.growing {
        return;
    }
    let own = Cell::stone(color);
    let unchanged =
        |&n: &Point| board.cell(n) == own && !position.own.grown_heads.contains(board.head(n));
    let mut heads = PointSet::default();
    for point in board.empties().iter() {
        if check_growth(position, color, point).is_ok() {
            let grown = board.neighbours(point).filter(unchanged);
            grown.for_each(|n| {
                heads.insert(board.head(n));
            });
        }
    }
    let stones = board.grid().points().filter(|&p| board.cell(p) == own);
    for stone in stones.filter(|&stone| heads.contains(board.head(stone))) {
        note(Hint::MayGrow(stone));
    }
}

/// See [`signs`](crate::rules::Variant::signs) of Sygo.
pub(super) fn signs(position: &Position<Sygo>, step: Step, note: &mut dyn FnMut(usize)) {
    let (board, color) = (&position.board, position.to_move);
    let own = Cell::stone(color);
    let groups = board.groups(color);
    match step {
        Step::Grow(point) => {
            let mut heads: SmallVec<[Point; 4]> = SmallVec::new();
            let mut size = 0;
            for n in board.neighbours(point).filter(|&n| board.cell(n) == own) {
                if !contains_point(&heads, board.head(n)) {
                    heads.push(board.head(n));
                    size += board.group(n).map_or(0, |group| group.size);
                }
            }
            note(heads.len().clamp(1, 3) - 1);
            if !position.own.growing {
                note(3);
            }
            if board.would_capture(point, color) {
                note(4);
            }
            match size {
                1 => note(5),
                8.. => note(6),
                _ => {}
            }
        }
        Step::Stone(point) => {
            if board.touches(point, !color) {
                note(7);
            }
            if board.would_capture(point, color) {
                note(8);
            }
            match groups.cmp(&board.groups(!color)) {
                std::cmp::Ordering::Less => note(10),
                _ => note(9),
            }
            if position.own.growing {
                note(11);
            }
        }
        Step::Done => {
            let is_changed =
                |&p: &Point| board.head(p) == p && position.own.grown_heads.contains(p);
            match board.grid().points().filter(is_changed).count() {
                grown_heads if grown_heads >= groups.into() => note(12),
                grown_heads if grown_heads * 2 < groups.into() => note(13),
                _ => {}
            }
        }
        _ => {}
    }
}
