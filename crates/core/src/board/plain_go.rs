//! A board of plain Go on a rectangle, as in SGF viewers and GTP clients that know only Go.
//!
//! A suicide removes its whole chain, ko is ignored, and a stone may replace another.

use super::Color;

/// Stones on a rectangle, with the captures of plain Go. Coordinates are column and row,
/// from 0 at the lower left.
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
        PlainGoBoard { width, height, cells: vec![None; usize::from(width) * usize::from(height)] }
    }

    /// Columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// The colour of the stone at a point; `None` if empty or off the board.
    pub fn stone(&self, at: impl Into<(u8, u8)>) -> Option<Color> {
        self.cells[self.index(at.into())?]
    }

    /// Whether a point is on the board and has no stone.
    pub fn is_empty_at(&self, at: impl Into<(u8, u8)>) -> bool {
        let at = at.into();
        self.index(at).is_some() && self.stone(at).is_none()
    }

    /// The stones, column by column.
    pub fn stones(&self) -> impl Iterator<Item = ((u8, u8), Color)> + '_ {
        let points =
            (0..self.width).flat_map(|column| (0..self.height).map(move |row| (column, row)));
        points.filter_map(|at| self.stone(at).map(|color| (at, color)))
    }

    /// Plays a stone and removes captured chains; does nothing off the board. Returns whether all
    /// programs agree on the result: the point was empty, and there was no suicide.
    pub fn play(&mut self, color: Color, at: impl Into<(u8, u8)>) -> bool {
        let at = at.into();
        if self.index(at).is_none() {
            return false;
        }
        let was_empty = self.stone(at).is_none();
        self.set(at, Some(color));
        let mut captured = false;
        for next in self.neighbours(at) {
            if self.stone(next) == Some(!color) {
                captured |= self.remove_if_dead(next);
            }
        }
        let suicide = !captured && self.remove_if_dead(at);
        was_empty && !suicide
    }

    /// Removes the chain at a point if it has no liberty; returns whether it did.
    fn remove_if_dead(&mut self, at: (u8, u8)) -> bool {
        let color = self.stone(at);
        let mut chain = vec![at];
        let mut seen = vec![false; self.cells.len()];
        let mut next = 0;
        while let Some(&stone) = chain.get(next) {
            next += 1;
            for neighbour in self.neighbours(stone) {
                let here = self.stone(neighbour);
                if here.is_none() {
                    return false;
                }
                let is_new = |index: usize| !std::mem::replace(&mut seen[index], true);
                if here == color && self.index(neighbour).is_some_and(is_new) {
                    chain.push(neighbour);
                }
            }
        }
        for stone in chain {
            self.set(stone, None);
        }
        true
    }

    /// Sets the contents of a point, without captures.
    pub fn set(&mut self, at: impl Into<(u8, u8)>, stone: Option<Color>) {
        if let Some(index) = self.index(at.into()) {
            self.cells[index] = stone;
        }
    }

    fn index(&self, (column, row): (u8, u8)) -> Option<usize> {
        let on_board = column < self.width && row < self.height;
        on_board.then(|| usize::from(row) * usize::from(self.width) + usize::from(column))
    }

    fn neighbours(&self, (column, row): (u8, u8)) -> impl Iterator<Item = (u8, u8)> + use<> {
        let (width, height) = (self.width, self.height);
        let around = [
            (column.checked_sub(1), Some(row)),
            (column.checked_add(1), Some(row)),
            (Some(column), row.checked_sub(1)),
            (Some(column), row.checked_add(1)),
        ];
        around.into_iter().filter_map(move |(column, row)| {
            let (column, row) = (column?, row?);
            (column < width && row < height).then_some((column, row))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `B D4` and the like.
    fn played(width: u8, height: u8, moves: &str) -> PlainGoBoard {
        let mut board = PlainGoBoard::new(width, height);
        for text in moves.split(", ") {
            let (color, vertex) = text.split_once(' ').expect("a colour and a vertex");
            let color = match color {
                "B" => Color::Black,
                _ => Color::White,
            };
            let [column, row] = vertex.as_bytes() else {
                panic!("{vertex}: not a vertex");
            };
            board.play(color, (column - b'A', row - b'1'));
        }
        board
    }

    fn picture(board: &PlainGoBoard) -> String {
        let symbol = |row, column| match board.stone((column, row)) {
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
        assert_eq!(picture(&played(4, 3, &format!("{ko}, W B2"))), ".XO. XO.O .XO.");
    }

    #[test]
    fn a_stone_may_replace_another() {
        assert_eq!(picture(&played(2, 2, "B A1, W A1")), ".. O.");
        let off = played(2, 2, "B C3");
        assert_eq!(picture(&off), ".. ..");
        assert!(!off.is_empty_at((2, 2)));
        assert!(off.is_empty_at((1, 1)));
    }

    #[test]
    fn programs_disagree_on_suicide_and_on_occupied_points() {
        let mut board = played(3, 2, "W A2, W B1");
        assert!(!board.clone().play(Color::Black, (0, 0)));
        assert!(!board.clone().play(Color::Black, (0, 1)));
        assert!(!board.clone().play(Color::Black, (3, 0)));
        assert!(board.play(Color::White, (0, 0)));
    }
}
