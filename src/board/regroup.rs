//! Groups that fall apart, and groups that change hands.

use super::grid::Lattice;
use super::point::{Cell, Color, Point};
use super::stones::{Board, STONES};
use super::zobrist;
use smallvec::SmallVec;
use std::hint::select_unpredictable;

/// Captors of a group that are noted before they are joined.
const CAPTORS: usize = 32;

impl<L: Lattice> Board<L> {
    /// Turns the stone on `point` into a void. Its group may fall apart, and
    /// what is left of it may be without liberties.
    pub fn hollow(&mut self, point: Point) {
        let Some(color) = self.cells[point].color() else {
            return;
        };
        let rest: SmallVec<[Point; 64]> = self.group_stones(point).skip(1).collect();
        self.hash ^= zobrist::key(point, Cell::stone(color));
        self.set_bare(point, Cell::Void);
        self.head[point] = point;
        for n in self.grid.neighbours::<L>(point) {
            self.around[n] = self.around[n].wrapping_sub(STONES[color as usize]);
        }
        self.stones[color as usize] -= 1;
        self.groups[color as usize] -= 1;
        self.regroup(&rest, color);
    }

    /// Joins stones of `color` that were one group as far as they still touch.
    fn regroup(&mut self, stones: &[Point], color: Color) {
        for &stone in stones {
            self.head[stone] = Point::NONE;
        }
        for &stone in stones {
            self.head[stone] = stone;
            self.next[stone] = stone;
            self.size[stone] = 1;
            self.liberties[stone] = self.open_around(stone);
            self.groups[color as usize] += 1;
            for n in self.grid.neighbours::<L>(stone) {
                if self.cells[n] == Cell::stone(color) && self.head[n] != Point::NONE {
                    self.join(n, stone, color);
                }
            }
        }
    }

    /// Gives the group on `point` to the other colour, joining it to its new
    /// neighbours. Liberties stay as they are.
    pub fn flip_group(&mut self, point: Point) {
        let Some(color) = self.cells[point].color() else {
            return;
        };
        let mut head = self.head[point];
        self.stones[color as usize] -= self.size[head];
        self.stones[!color as usize] += self.size[head];
        self.groups[color as usize] -= 1;
        self.groups[!color as usize] += 1;
        let (old, new) = (Cell::stone(color), Cell::stone(!color));
        let change = STONES[!color as usize].wrapping_sub(STONES[color as usize]);
        // Which neighbours are captors is hard to predict: all are noted, and the
        // count tells which of them to keep. Some come more than once.
        let mut captors = [Point::NONE; CAPTORS];
        let (mut found, mut latest) = (0, head);
        let mut stone = point;
        loop {
            // Stones of captors come by once they are joined.
            if self.cells[stone] == old {
                self.cells[stone] = new;
                self.hash ^= zobrist::key(stone, old) ^ zobrist::key(stone, new);
                for n in self.grid.neighbours::<L>(stone) {
                    self.around[n] = self.around[n].wrapping_add(change);
                    let captor = self.head[n];
                    let other = (captor != head) & (captor != latest);
                    let kept = (self.cells[n] == new) & other;
                    captors[found % CAPTORS] = captor;
                    found += usize::from(kept);
                    latest = select_unpredictable(kept, captor, latest);
                }
            }
            stone = self.next[stone];
            let done = stone == point;
            if done || found + L::DEGREE > CAPTORS {
                for &captor in captors.iter().take(found) {
                    self.join(captor, point, !color);
                }
                (found, head) = (0, self.head[point]);
                latest = head;
            }
            if done {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::CAPTORS;
    use crate::board::{Cell, Color, drawn};

    #[test]
    fn a_group_that_flips_joins_each_of_very_many_captors() {
        let (mut board, points) = drawn(&[
            "O.O.O.O.O.O.O.O.O.O.O.O.O",
            "XXXXXXXXXXXXXXXXXXXXXXXXX",
            "OXO.O.O.O.O.O.O.O.O.O.O.O",
            "XXXXXXXXXXXXXXXXXXXXXXXXX",
            "O.O.O.O.O.O.O.O.O.O.O.O.O",
        ]);
        assert!(usize::from(board.groups(Color::White)) > CAPTORS);
        let black = points.iter().find(|(letter, _)| *letter == 'X');
        let point = black.expect("a stone").1;
        board.flip_group(point);
        assert_eq!(
            [board.groups(Color::Black), board.groups(Color::White)],
            [0, 1]
        );
        assert_eq!(
            [board.stones(Color::Black), board.stones(Color::White)],
            [0, 90]
        );
        assert_eq!(board.hash(), board.recomputed_hash());
        let group = board.group(point).expect("a stone");
        assert_eq!(
            (usize::from(group.size), board.group_stones(point).count()),
            (90, 90)
        );
        let open = |stone| {
            board
                .neighbours(stone)
                .filter(|&n| board.cell(n) == Cell::Empty)
        };
        let pairs = board.group_stones(point).flat_map(open).count();
        assert_eq!(group.liberties.pairs(), pairs as u64);
    }
}
