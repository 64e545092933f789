//! Groups that fall apart or change colour.

use super::hash;
use super::point::{Cell, Color, Point};
use super::stones::{Board, STONES};
use std::hint::select_unpredictable;

const CAPTURING_BUFFER: usize = 32;

impl Board {
    /// Turns the stone on `point` into a void. Its group may fall apart into groups without
    /// liberties.
    pub fn make_void(&mut self, point: Point) {
        let Some(color) = self.cells[point].color() else {
            return;
        };
        self.hash ^= hash::key(point, Cell::stone(color));
        self.set_bare(point, Cell::Void);
        for n in self.grid.neighbours(point) {
            self.neighbour_counts[n] =
                self.neighbour_counts[n].wrapping_sub(STONES[color as usize]);
        }
        self.stones[color as usize] -= 1;
        let is_alone = self.next[point] == point;
        if !is_alone && self.is_locally_connected(point, color) {
            self.remove_from_group(point);
        } else if !is_alone {
            self.regroup_without(point, color);
        }
        self.head[point] = point;
    }

    /// Whether the stones of `color` next to `point` are connected around it.
    fn is_locally_connected(&self, point: Point, color: Color) -> bool {
        if self.grid.degree() > 4 {
            return false;
        }
        let own = Cell::stone(color);
        let ring = self.grid.ring(&self.cells, point).map(|cell| cell == own);
        let (mut stones, mut links) = (0, 0);
        for corner in [1, 3, 5, 7] {
            let (before, after) = (ring[corner - 1], ring[(corner + 1) % 8]);
            stones += u8::from(before);
            links += u8::from(before & ring[corner] & after);
        }
        links + 1 >= stones
    }

    /// Removes the former stone on `point` from its group, which has others.
    fn remove_from_group(&mut self, point: Point) {
        let (old, next) = (self.head[point], self.next[point]);
        let mut stone = next;
        if old == point {
            self.size[next] = self.size[old];
            self.liberties[next] = self.liberties[old];
            while stone != point {
                self.head[stone] = next;
                stone = self.next[stone];
            }
        }
        let head = self.head[next];
        self.size[head] -= 1;
        self.liberties[head] = self.liberties[head].minus(self.open_around(point));
        while self.next[stone] != point {
            stone = self.next[stone];
        }
        self.next[stone] = next;
    }

    /// Forms new groups of the stones of `color` that were in one group with the former stone on
    /// `point`.
    fn regroup_without(&mut self, point: Point, color: Color) {
        let first = self.next[point];
        let mut stone = first;
        while stone != point {
            self.head[stone] = Point::NONE;
            stone = self.next[stone];
        }
        let mut stone = first;
        while stone != point {
            let following = self.next[stone];
            self.head[stone] = stone;
            self.next[stone] = stone;
            self.size[stone] = 1;
            self.liberties[stone] = self.open_around(stone);
            for n in self.grid.neighbours(stone) {
                if self.cells[n] == Cell::stone(color) && self.head[n] != Point::NONE {
                    self.join(n, stone);
                }
            }
            stone = following;
        }
    }

    /// Changes the colour of the group on `point` and joins it to its new neighbours; liberties
    /// stay the same.
    pub fn flip_group(&mut self, point: Point) {
        let Some(color) = self.cells[point].color() else {
            return;
        };
        let mut head = self.head[point];
        self.stones[color as usize] -= self.size[head];
        self.stones[!color as usize] += self.size[head];
        let (old, new) = (Cell::stone(color), Cell::stone(!color));
        let change = STONES[!color as usize].wrapping_sub(STONES[color as usize]);
        // Capturing neighbours are unpredictable, so every neighbour is written to the buffer and
        // the count keeps the capturing ones. Some occur more than once.
        let mut capturing = [Point::NONE; CAPTURING_BUFFER];
        let (mut found, mut latest) = (0, head);
        let mut stone = point;
        loop {
            // The loop also meets stones of capturing groups once they are joined.
            if self.cells[stone] == old {
                self.cells[stone] = new;
                self.hash ^= hash::key(stone, old) ^ hash::key(stone, new);
                for n in self.grid.neighbours(stone) {
                    self.neighbour_counts[n] = self.neighbour_counts[n].wrapping_add(change);
                    let capturing_head = self.head[n];
                    let other = (capturing_head != head) & (capturing_head != latest);
                    let is_counted = (self.cells[n] == new) & other;
                    capturing[found % CAPTURING_BUFFER] = capturing_head;
                    found += usize::from(is_counted);
                    latest = select_unpredictable(is_counted, capturing_head, latest);
                }
            }
            stone = self.next[stone];
            let done = stone == point;
            if done || found + self.grid.degree() > CAPTURING_BUFFER {
                for &capturing_head in capturing.iter().take(found) {
                    self.join(capturing_head, point);
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
    use super::CAPTURING_BUFFER;
    use crate::board::{Board, Cell, Color, Point, board_from_diagram};

    /// Black's groups, by their sizes and pseudo-liberties.
    fn black_groups(board: &Board, points: &[(char, Point)]) -> Vec<(u16, u64)> {
        let heads = points.iter().filter(|&&(_, at)| board.head(at) == at);
        let groups = heads.filter_map(|&(_, at)| board.group(at));
        let mut groups: Vec<_> = groups.map(|g| (g.size, g.liberties.pseudo_count())).collect();
        groups.sort_unstable();
        groups
    }

    #[test]
    fn a_group_that_loses_a_stone_falls_apart_or_not() {
        for (rows, left) in [
            (&[".....", ".XXa.", "....."], &[(2, 5)][..]),
            (&[".X...", ".Xa..", ".XX.."], &[(4, 5)]),
            (&[".....", ".XaX.", "....."], &[(1, 3), (1, 3)]),
            (&["..X..", ".XaX.", "..X.."], &[(1, 2), (1, 2), (1, 3), (1, 3)]),
            (&["XXX..", "X.X..", "XaX.."], &[(7, 6)]),
            (&["aXX..", ".....", "....."], &[(2, 3)]), // the head
            (&["a....", ".....", "....."], &[]),
        ] {
            let before = rows.map(|row| row.replace('a', "X"));
            let (mut board, points) = board_from_diagram(&before.each_ref().map(String::as_str));
            let at = rows.concat().find('a').expect("the stone to go");
            let stone = points[at].1;
            board.make_void(stone);
            assert_eq!(board.cell(stone), Cell::Void);
            assert_eq!(black_groups(&board, &points), left, "{rows:?}");
            let rest: u16 = left.iter().map(|&(size, _)| size).sum();
            assert_eq!(board.stones(Color::Black), rest);
            for &(_, at) in &points {
                if let Some(group) = board.group(at) {
                    assert_eq!(board.group_stones(at).count(), usize::from(group.size));
                }
            }
        }
    }

    #[test]
    fn a_group_that_flips_joins_each_of_very_many_captors() {
        let (mut board, points) = board_from_diagram(&[
            "O.O.O.O.O.O.O.O.O.O.O.O.O",
            "XXXXXXXXXXXXXXXXXXXXXXXXX",
            "OXO.O.O.O.O.O.O.O.O.O.O.O",
            "XXXXXXXXXXXXXXXXXXXXXXXXX",
            "O.O.O.O.O.O.O.O.O.O.O.O.O",
        ]);
        let heads = |board: &Board, color| {
            let heads = points.iter().filter(|&&(_, at)| board.head(at) == at);
            heads.filter(|&&(_, at)| board.cell(at) == Cell::stone(color)).count()
        };
        assert!(heads(&board, Color::White) > CAPTURING_BUFFER);
        let black = points.iter().find(|(letter, _)| *letter == 'X');
        let point = black.expect("a stone").1;
        board.flip_group(point);
        assert_eq!([heads(&board, Color::Black), heads(&board, Color::White)], [0, 1]);
        assert_eq!([board.stones(Color::Black), board.stones(Color::White)], [0, 90]);
        assert_eq!(board.hash(), board.recomputed_hash());
        let group = board.group(point).expect("a stone");
        assert_eq!((usize::from(group.size), board.group_stones(point).count()), (90, 90));
        let open = |stone| board.neighbours(stone).filter(|&n| board.cell(n) == Cell::Empty);
        let pairs = board.group_stones(point).flat_map(open).count();
        assert_eq!(group.liberties.pseudo_count(), pairs as u64);
    }
}
