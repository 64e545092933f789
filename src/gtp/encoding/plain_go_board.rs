//! A board of plain Go on a rectangle, as a client keeps it that knows no variant.
//!
//! Captured stones are removed, a suicide removes its whole chain, ko is ignored,
//! and a stone may replace another. The engine keeps one to know which points
//! the client shows as empty.

use super::Vertex;
use crate::board::Color;

/// Stones on a rectangle, with the captures of plain Go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainGoBoard {
    width: u8,
    height: u8,
    /// Row by row, the lowest first.
    cells: Vec<Option<Color>>,
}

impl PlainGoBoard {
    /// An empty board.
    pub fn new(width: u8, height: u8) -> PlainGoBoard {
        PlainGoBoard {
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

    /// The colour of the stone on a vertex; none if empty or off the board.
    pub fn stone(&self, vertex: Vertex) -> Option<Color> {
        let at = self.index(vertex)?;
        self.cells.get(at).copied().flatten()
    }

    /// Whether a vertex is on the board and has no stone.
    pub fn is_empty_at(&self, vertex: Vertex) -> bool {
        self.index(vertex).is_some() && self.stone(vertex).is_none()
    }

    /// The stones, column by column.
    pub fn stones(&self) -> impl Iterator<Item = (Vertex, Color)> + '_ {
        let vertices = (0..self.width)
            .flat_map(|column| (0..self.height).map(move |row| Vertex { column, row }));
        vertices.filter_map(|vertex| self.stone(vertex).map(|color| (vertex, color)))
    }

    /// Plays a stone and removes captured chains; off the board it does nothing.
    pub fn play(&mut self, color: Color, vertex: Vertex) {
        if self.index(vertex).is_none() {
            return;
        }
        self.set(vertex, Some(color));
        let mut captured = false;
        for next in self.neighbours(vertex) {
            if self.stone(next) == Some(!color) {
                captured |= self.remove_if_dead(next);
            }
        }
        if !captured {
            self.remove_if_dead(vertex);
        }
    }

    /// Removes the chain on `vertex` if it has no liberty; true if it did.
    fn remove_if_dead(&mut self, vertex: Vertex) -> bool {
        let color = self.stone(vertex);
        let mut group = vec![vertex];
        let mut seen = vec![false; self.cells.len()];
        let mut next = 0;
        while let Some(&stone) = group.get(next) {
            next += 1;
            for vertex in self.neighbours(stone) {
                let here = self.stone(vertex);
                if here.is_none() {
                    return false;
                }
                let new = self.index(vertex).and_then(|at| seen.get_mut(at));
                if here == color && new.is_some_and(|seen| !std::mem::replace(seen, true)) {
                    group.push(vertex);
                }
            }
        }
        for stone in group {
            self.set(stone, None);
        }
        true
    }

    /// Removes one stone of each chain without liberties.
    pub fn thin_captured_chains(&mut self) {
        let stones: Vec<_> = self.stones().map(|(vertex, _)| vertex).collect();
        for vertex in stones {
            // A neighbouring chain may have got a liberty by an earlier removal.
            if self.clone().remove_if_dead(vertex) {
                self.set(vertex, None);
            }
        }
    }

    /// Sets the contents of a vertex, without captures.
    pub fn set(&mut self, vertex: Vertex, stone: Option<Color>) {
        let at = self.index(vertex);
        if let Some(cell) = at.and_then(|at| self.cells.get_mut(at)) {
            *cell = stone;
        }
    }

    fn index(&self, vertex: Vertex) -> Option<usize> {
        let on_board = vertex.column < self.width && vertex.row < self.height;
        on_board
            .then(|| usize::from(vertex.row) * usize::from(self.width) + usize::from(vertex.column))
    }

    fn neighbours(&self, Vertex { column, row }: Vertex) -> impl Iterator<Item = Vertex> + use<> {
        let (width, height) = (self.width, self.height);
        let around = [
            (column.checked_sub(1), Some(row)),
            (column.checked_add(1), Some(row)),
            (Some(column), row.checked_sub(1)),
            (Some(column), row.checked_add(1)),
        ];
        around.into_iter().filter_map(move |(column, row)| {
            let (column, row) = (column?, row?);
            (column < width && row < height).then_some(Vertex { column, row })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Random;
    use crate::rules::{AnyGame, Setup, Size, Step, variant};

    /// Plays `B D4` and the like.
    fn played(width: u8, height: u8, moves: &str) -> PlainGoBoard {
        let mut board = PlainGoBoard::new(width, height);
        for text in moves.split(", ") {
            let (color, vertex) = text.split_once(' ').expect("a colour and a vertex");
            let color = match color {
                "B" => Color::Black,
                _ => Color::White,
            };
            board.play(color, Vertex::parse(vertex).expect("a vertex"));
        }
        board
    }

    fn picture(board: &PlainGoBoard) -> String {
        let symbol = |row, column| match board.stone(Vertex { column, row }) {
            None => '.',
            Some(Color::Black) => 'X',
            Some(Color::White) => 'O',
        };
        let row = |row| -> String { (0..board.width()).map(|c| symbol(row, c)).collect() };
        let rows: Vec<String> = (0..board.height()).rev().map(row).collect();
        rows.join(" ")
    }

    #[test]
    fn captured_stones_are_removed() {
        assert_eq!(picture(&played(3, 2, "W A1, B A2, B B1")), "X.. .X.");
        // Two groups at once, and only those of the other colour.
        let both = "W A1, W C1, B A2, B B2, B C2, B D1, B B1";
        assert_eq!(picture(&played(4, 2, both)), "XXX. .X.X");
    }

    #[test]
    fn suicide_removes_the_chain() {
        assert_eq!(picture(&played(3, 2, "W A2, W B1, B A1")), "O.. .O.");
        let two = "W A2, W B2, W C1, B A1, B B1";
        assert_eq!(picture(&played(3, 2, two)), "OO. ..O");
    }

    #[test]
    fn a_capture_is_no_suicide_and_ko_is_ignored() {
        let ko = "B A2, B B3, B B1, W C3, W D2, W C1, W B2, B C2";
        assert_eq!(picture(&played(4, 3, ko)), ".XO. X.XO .XO.");
        assert_eq!(
            picture(&played(4, 3, &format!("{ko}, W B2"))),
            ".XO. XO.O .XO."
        );
    }

    #[test]
    fn a_stone_may_replace_another() {
        assert_eq!(picture(&played(2, 2, "B A1, W A1")), ".. O.");
        let off = played(2, 2, "B C3");
        assert_eq!(picture(&off), ".. ..");
        assert!(!off.is_empty_at(Vertex { column: 2, row: 2 }));
        assert!(off.is_empty_at(Vertex { column: 1, row: 1 }));
    }

    #[test]
    fn captured_chains_are_thinned() {
        let mut full = PlainGoBoard::new(3, 2);
        for (column, row) in [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)] {
            let color = if column < 2 {
                Color::Black
            } else {
                Color::White
            };
            full.set(Vertex { column, row }, Some(color));
        }
        full.thin_captured_chains();
        // At most one stone of each colour is removed.
        let left = full.stones().count();
        assert!((4..6).contains(&left), "{}", picture(&full));
        let mut again = full.clone();
        again.thin_captured_chains();
        assert_eq!(again, full);
    }

    #[test]
    fn agrees_with_the_variant_go() {
        let go = variant("go").expect("a variant");
        let mut random = Random::new(5);
        for (width, height) in [(5, 5), (2, 3), (7, 4)] {
            let size = Size { width, height };
            let mut game = AnyGame::new(&Setup {
                size,
                ..Setup::new(go)
            })
            .expect("a valid setup");
            let mut board = PlainGoBoard::new(width, height);
            for _ in 0..300 {
                let column = random.below(width.into()) as u8;
                let row = random.below(height.into()) as u8;
                let color = game.to_move();
                let point = game.grid().point(column, row).expect("a point");
                if game.step(color, Step::Stone(point)).is_ok() {
                    board.play(color, Vertex { column, row });
                }
                let stones = game.grid().points().filter_map(|point| {
                    let (column, row) = game.grid().coordinates(point);
                    Some((Vertex { column, row }, game.cell(point).color()?))
                });
                let mut stones: Vec<_> = stones.collect();
                stones.sort_by_key(|&(vertex, _)| vertex);
                assert_eq!(board.stones().collect::<Vec<_>>(), stones);
            }
        }
    }
}
