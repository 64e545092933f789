//! Unconditional eyes, which playouts skip.

use super::lattice::Lattice;
use super::point::{Cell, Point};
use super::stones::Board;

impl<L: Lattice> Board<L> {
    /// Excludes the empty `point` and another point from the draw if they are two unconditional
    /// eyes: only stones of one group, walls and voids are next to them. While only captures remove
    /// stones, only their owner can fill them (the simplest case of Benson, "Life in the game of
    /// Go", 1976). That ends all exclusions; a void at an eye or in the group ends those of the
    /// group.
    ///
    /// Both points must be at index `from` or later in the list of empty points. The other point is
    /// that of the group's latest call, so the board may find eyes late.
    #[inline]
    pub fn exclude_unconditional_eyes(&mut self, point: Point, from: usize) {
        if !self.has_open_neighbour(point) {
            self.find_unconditional_eyes(point, from);
        }
    }

    #[inline(never)]
    pub(super) fn restore_eyes(&mut self, head: Point) {
        let Board { grid, cells, head: heads, empties, .. } = self;
        empties.restore_if(|eye| {
            let mut around = grid.neighbours::<L>(eye);
            around.any(|n| (heads[n] == head) & cells[n].is_stone())
        });
    }

    #[inline(never)]
    fn find_unconditional_eyes(&mut self, point: Point, from: usize) {
        let Some(head) = self.surrounding_chain(point) else {
            return;
        };
        let other = std::mem::replace(&mut self.eyes[head], point);
        if other != point
            && self.cells[other] == Cell::Empty
            && self.empties.is_at_or_after(other, from)
            && self.surrounding_chain(other) == Some(head)
        {
            self.empties.exclude(other);
            self.empties.exclude(point);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::{Board, Cell, Color, Flat, Point, board_from_diagram};
    use std::collections::HashMap;

    fn board(rows: &[&str]) -> (Board<Flat>, HashMap<char, Point>) {
        let (board, points) = board_from_diagram(rows);
        (board, points.into_iter().collect())
    }

    #[test]
    fn two_eyes_of_one_group_are_set_aside_and_come_back_when_filled() {
        let (mut board, at) = board(&["aXbXO", "XXXXO", "OOOOc", "OOOdO"]);
        let count = |board: &Board<Flat>| board.empties().active().len();
        board.exclude_unconditional_eyes(at[&'a'], 0);
        assert_eq!(count(&board), 4, "one eye is not enough");
        board.exclude_unconditional_eyes(at[&'c'], 0);
        board.exclude_unconditional_eyes(at[&'b'], 0);
        let active = board.empties().active();
        assert!(!active.contains(&at[&'a']) && !active.contains(&at[&'b']));
        assert_eq!(count(&board), 2);
        board.exclude_unconditional_eyes(at[&'d'], 0);
        assert_eq!(count(&board), 2, "two groups ring the points below");
        board.place(at[&'a'], Color::Black);
        assert_eq!(count(&board), 3, "no eye of a group with one eye lasts");
    }

    #[test]
    fn the_other_eye_must_be_among_the_last_of_the_list() {
        let (mut board, at) = board(&["aXb", "XXX", ".X."]);
        let place = |board: &Board<Flat>, point| {
            let place = board.empties().active().iter().position(|&at| at == point);
            place.expect("active")
        };
        let (a, b) = (at[&'a'], at[&'b']);
        let (first, second) = (place(&board, a), place(&board, b));
        board.exclude_unconditional_eyes(a, 0);
        board.exclude_unconditional_eyes(b, first.max(second) + 1);
        assert_eq!(board.empties().active().len(), 4);
        board.exclude_unconditional_eyes(a, first.min(second));
        assert_eq!(board.empties().active().len(), 2);
    }

    /// Which eyes are aside once a void has come to one of these points.
    fn aside_after(change: char) -> String {
        let (mut board, at) = board(&["aXbXOc", "XXXXOO", "OOOOOd"]);
        let eyes = ['a', 'b', 'c', 'd'];
        for eye in eyes {
            board.exclude_unconditional_eyes(at[&eye], 0);
        }
        assert!(board.empties().active().is_empty());
        if eyes.contains(&change) {
            board.fill(at[&change], Cell::Void);
        } else {
            board.make_void(at[&change]);
        }
        let remaining = eyes.into_iter().filter(|&eye| eye != change);
        remaining.filter(|eye| board.empties().is_excluded(at[eye])).collect()
    }

    #[test]
    fn a_group_that_changes_by_a_void_has_its_eyes_back() {
        assert_eq!(['X', 'a', 'd'].map(aside_after), ["cd", "cd", "ab"]);
    }
}
