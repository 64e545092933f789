//! The board that a client keeps which knows only plain Go.
//!
//! Nothing can be told to such a client but moves; it works out by itself what
//! they do. A mirror does the same: stones without liberties go, a suicide
//! takes its whole group away, ko is not looked at, and a stone may even be put
//! on another. So one knows which points the client holds empty.

use super::Place;
use crate::board::Color;

/// Stones as plain Go leaves them on a rectangle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    width: u8,
    height: u8,
    /// Row by row, the lowest first.
    cells: Vec<Option<Color>>,
}

impl Mirror {
    /// An empty board.
    pub fn new(width: u8, height: u8) -> Mirror {
        Mirror {
            width,
            height,
            cells: vec![None; usize::from(width) * usize::from(height)],
        }
    }

    /// Columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// The stone on a place; none off the board.
    pub fn stone(&self, place: Place) -> Option<Color> {
        let at = self.index(place)?;
        self.cells.get(at).copied().flatten()
    }

    /// Whether a place of the board has no stone.
    pub fn is_empty_at(&self, place: Place) -> bool {
        self.index(place).is_some() && self.stone(place).is_none()
    }

    /// The stones, column by column.
    pub fn stones(&self) -> impl Iterator<Item = (Place, Color)> + '_ {
        let places = (0..self.width)
            .flat_map(|column| (0..self.height).map(move |row| Place { column, row }));
        places.filter_map(|place| self.stone(place).map(|color| (place, color)))
    }

    /// Plays a stone, as plain Go would; nothing happens off the board.
    pub fn play(&mut self, color: Color, place: Place) {
        if self.index(place).is_none() {
            return;
        }
        self.set(place, Some(color));
        let mut captured = false;
        for next in self.neighbours(place) {
            if self.stone(next) == Some(!color) {
                captured |= self.remove_if_dead(next);
            }
        }
        if !captured {
            self.remove_if_dead(place);
        }
    }

    /// Takes the group on `place` away if it has no liberty; whether it did.
    fn remove_if_dead(&mut self, place: Place) -> bool {
        let color = self.stone(place);
        let mut group = vec![place];
        let mut seen = vec![false; self.cells.len()];
        let mut next = 0;
        while let Some(&stone) = group.get(next) {
            next += 1;
            for place in self.neighbours(stone) {
                let here = self.stone(place);
                if here.is_none() {
                    return false;
                }
                let new = self.index(place).and_then(|at| seen.get_mut(at));
                if here == color && new.is_some_and(|seen| !std::mem::replace(seen, true)) {
                    group.push(place);
                }
            }
        }
        for stone in group {
            self.set(stone, None);
        }
        true
    }

    /// Takes one stone off each group without liberties.
    pub fn let_breathe(&mut self) {
        let stones: Vec<_> = self.stones().map(|(place, _)| place).collect();
        for place in stones {
            // Stones that went with another have given it a liberty.
            if self.clone().remove_if_dead(place) {
                self.set(place, None);
            }
        }
    }

    /// Puts a stone, or nothing, on a place, and looks at nothing else.
    pub fn set(&mut self, place: Place, stone: Option<Color>) {
        let at = self.index(place);
        if let Some(cell) = at.and_then(|at| self.cells.get_mut(at)) {
            *cell = stone;
        }
    }

    fn index(&self, place: Place) -> Option<usize> {
        let on_board = place.column < self.width && place.row < self.height;
        on_board
            .then(|| usize::from(place.row) * usize::from(self.width) + usize::from(place.column))
    }

    fn neighbours(&self, Place { column, row }: Place) -> impl Iterator<Item = Place> + use<> {
        let (width, height) = (self.width, self.height);
        let around = [
            (column.checked_sub(1), Some(row)),
            (column.checked_add(1), Some(row)),
            (Some(column), row.checked_sub(1)),
            (Some(column), row.checked_add(1)),
        ];
        around.into_iter().filter_map(move |(column, row)| {
            let (column, row) = (column?, row?);
            (column < width && row < height).then_some(Place { column, row })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Random;
    use crate::rules::{AnyGame, Setup, Size, Step, variant};

    /// Plays `B D4` and the like.
    fn played(width: u8, height: u8, moves: &str) -> Mirror {
        let mut mirror = Mirror::new(width, height);
        for text in moves.split(", ") {
            let (color, vertex) = text.split_once(' ').expect("a colour and a vertex");
            let color = match color {
                "B" => Color::Black,
                _ => Color::White,
            };
            mirror.play(color, Place::parse(vertex).expect("a vertex"));
        }
        mirror
    }

    fn picture(mirror: &Mirror) -> String {
        let symbol = |row, column| match mirror.stone(Place { column, row }) {
            None => '.',
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
        };
        let row = |row| -> String { (0..mirror.width()).map(|c| symbol(row, c)).collect() };
        let rows: Vec<String> = (0..mirror.height()).rev().map(row).collect();
        rows.join(" ")
    }

    #[test]
    fn stones_without_liberties_go() {
        assert_eq!(picture(&played(3, 2, "W A1, B A2, B B1")), "X.. .X.");
        // Two groups at once, and only those of the other colour.
        let both = "W A1, W C1, B A2, B B2, B C2, B D1, B B1";
        assert_eq!(picture(&played(4, 2, both)), "XXX. .X.X");
    }

    #[test]
    fn a_suicide_takes_its_group_away() {
        assert_eq!(picture(&played(3, 2, "W A2, W B1, B A1")), "O.. .O.");
        let two = "W A2, W B2, W C1, B A1, B B1";
        assert_eq!(picture(&played(3, 2, two)), "OO. ..O");
    }

    #[test]
    fn what_captures_is_no_suicide_and_ko_is_not_looked_at() {
        let ko = "B A2, B B3, B B1, W C3, W D2, W C1, W B2, B C2";
        assert_eq!(picture(&played(4, 3, ko)), ".XO. X.XO .XO.");
        assert_eq!(
            picture(&played(4, 3, &format!("{ko}, W B2"))),
            ".XO. XO.O .XO."
        );
    }

    #[test]
    fn a_stone_may_be_put_on_another() {
        assert_eq!(picture(&played(2, 2, "B A1, W A1")), ".. O.");
        let off = played(2, 2, "B C3");
        assert_eq!(picture(&off), ".. ..");
        assert!(!off.is_empty_at(Place { column: 2, row: 2 }));
        assert!(off.is_empty_at(Place { column: 1, row: 1 }));
    }

    #[test]
    fn groups_without_liberties_are_let_breathe() {
        let mut full = Mirror::new(3, 2);
        for (column, row) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
            let color = if column < 2 {
                Color::Black
            } else {
                Color::White
            };
            full.set(Place { column, row }, Some(color));
        }
        full.let_breathe();
        // One stone of each colour at most goes.
        let left = full.stones().count();
        assert!((4..6).contains(&left), "{}", picture(&full));
        let mut again = full.clone();
        again.let_breathe();
        assert_eq!(again, full);
    }

    #[test]
    fn plain_go_looks_the_same() {
        let go = variant("go").expect("a variant");
        let mut random = Random::new(5);
        for (width, height) in [(5, 5), (2, 3), (7, 4)] {
            let size = Size { width, height };
            let mut game = AnyGame::new(&Setup {
                size,
                ..Setup::new(go)
            })
            .expect("a valid setup");
            let mut mirror = Mirror::new(width, height);
            for _ in 0..300 {
                let column = random.below(width.into()) as u8;
                let row = random.below(height.into()) as u8;
                let color = game.to_move();
                let point = game.grid().point(column, row).expect("a point");
                if game.step(color, Step::Stone(point)).is_ok() {
                    mirror.play(color, Place { column, row });
                }
                let stones = game.grid().points().filter_map(|point| {
                    let (column, row) = game.grid().place(point);
                    Some((Place { column, row }, game.cell(point).color()?))
                });
                let mut stones: Vec<_> = stones.collect();
                stones.sort_by_key(|&(place, _)| place);
                assert_eq!(mirror.stones().collect::<Vec<_>>(), stones);
            }
        }
    }
}
