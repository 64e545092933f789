//! Chases: groups that are, or can be, put in atari again and again until they
//! are caught.
//!
//! What is read is Go's capture alone: neither ko nor what a variant adds. Who
//! learns weights for what is found learns also how far it can be trusted.

use crate::board::{Board, Breath, Cell, Color, Lattice, Point, among};
use smallvec::SmallVec;

/// What a stone means for a chase. Each has a number for a single stone that
/// is chased, and the next for a larger group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chase {
    /// The own group in atari runs, and is caught all the same.
    Futile = 0,
    /// The own group in atari runs and gets away.
    Away = 2,
    /// The atari catches: the enemy does not get away.
    Catch = 4,
    /// The atari does not catch.
    Vain = 6,
    /// An own group that the enemy could begin to catch is safe after it.
    Safe = 8,
    /// Captures what could not get away anyway.
    Easy = 10,
}

/// Kinds of chases, the sizes told apart.
pub const CHASES: usize = 12;

/// Points and what they are for chases.
pub type Chases = SmallVec<[(Point, u16); 16]>;

/// Stones that are tried for one chase at most; who is not caught by then is
/// taken to be free.
const TRIES: u32 = 80;
/// Turns of a chase at most.
const LONGEST: usize = 64;

/// Reads chases.
#[derive(Clone, Debug)]
pub struct Reader<L: Lattice> {
    /// The boards of the turns being tried.
    boards: Vec<Board<L>>,
    tries: u32,
}

impl<L: Lattice> Default for Reader<L> {
    fn default() -> Self {
        Reader {
            boards: Vec::new(),
            tries: 0,
        }
    }
}

/// A group with one or two liberties.
struct Short {
    stone: Point,
    color: Color,
    large: u16,
    breath: Breath,
}

/// All groups with one or two liberties.
fn short<L: Lattice>(board: &Board<L>) -> impl Iterator<Item = Short> + '_ {
    board.grid().points().filter_map(|stone| {
        let group = board.group(stone).filter(|group| group.head == stone)?;
        Some(Short {
            stone,
            color: board.cell(stone).color()?,
            large: u16::from(group.size > 1),
            breath: Some(board.breath(stone)).filter(|&breath| breath != Breath::Other)?,
        })
    })
}

impl<L: Lattice> Reader<L> {
    /// What the stones that `own` may place on a board mean for its chases.
    pub fn read(&mut self, board: &Board<L>, own: Color) -> Chases {
        let mut found = Chases::new();
        self.begin(board);
        for group in short(board) {
            self.tries = TRIES;
            let mut note = |point, chase| found.push((point, chase as u16 + group.large));
            let stone = group.stone;
            match (group.breath, group.color == own) {
                (Breath::One(point), true) if self.runs_free(0, stone, point) => {
                    note(point, Chase::Away)
                }
                (Breath::One(point), true) => note(point, Chase::Futile),
                (Breath::One(point), false) if self.is_caught(0, stone) => note(point, Chase::Easy),
                (Breath::Two(a, b), true) if self.hunts(0, stone, a) || self.hunts(0, stone, b) => {
                    for point in [a, b] {
                        self.tries = TRIES;
                        if self.runs_free(0, stone, point) {
                            note(point, Chase::Safe);
                        }
                    }
                }
                (Breath::Two(a, b), false) => {
                    for point in [a, b] {
                        self.tries = TRIES;
                        match self.hunts(0, stone, point) {
                            true => note(point, Chase::Catch),
                            false => note(point, Chase::Vain),
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    /// Makes the first board, which nothing changes, equal to `board`.
    fn begin(&mut self, board: &Board<L>) {
        match self.boards.first_mut() {
            Some(first) => first.copy_from(board),
            None => self.boards.push(board.clone()),
        }
    }

    /// Whether the group of `stone` is free, or at least not yet caught, once
    /// its side has placed a stone on `point`.
    fn runs_free(&mut self, depth: usize, stone: Point, point: Point) -> bool {
        let Some(color) = self.boards[depth].cell(stone).color() else {
            return false;
        };
        match self.put(depth, point, color) {
            Put::Illegal => return false,
            Put::Spent => return true,
            Put::Done => {}
        }
        match self.boards[depth + 1].breath(stone) {
            Breath::One(_) => false,
            Breath::Two(a, b) => {
                !self.hunts(depth + 1, stone, a) && !self.hunts(depth + 1, stone, b)
            }
            Breath::Other => true,
        }
    }

    /// Whether the group of `stone`, which has two liberties, is caught once
    /// the other side has placed a stone on `point`.
    fn hunts(&mut self, depth: usize, stone: Point, point: Point) -> bool {
        let Some(color) = self.boards[depth].cell(stone).color() else {
            return false;
        };
        self.put(depth, point, !color) == Put::Done && self.is_caught(depth + 1, stone)
    }

    /// Whether the group of `stone`, whose side is to move, is in atari and
    /// does not get away.
    fn is_caught(&mut self, depth: usize, stone: Point) -> bool {
        let board = &self.boards[depth];
        let Some(last) = board
            .group(stone)
            .and_then(|group| group.liberties.single())
        else {
            return false;
        };
        let mut ways: SmallVec<[Point; 6]> = SmallVec::from_slice(&[last]);
        for n in board
            .group_stones(stone)
            .flat_map(|at| board.neighbours(at))
        {
            if board.cell(n).is_stone()
                && board.cell(n) != board.cell(stone)
                && let Some(point) = board.group(n).and_then(|group| group.liberties.single())
                && !among(&ways, point)
            {
                ways.push(point);
            }
        }
        !ways
            .into_iter()
            .any(|point| self.runs_free(depth, stone, point))
    }

    /// Places a stone on the board of `depth`, as the next board.
    fn put(&mut self, depth: usize, point: Point, color: Color) -> Put {
        if self.tries == 0 || depth >= LONGEST {
            return Put::Spent;
        }
        if self.boards.len() == depth + 1 {
            self.boards.push(self.boards[depth].clone());
        }
        let (before, after) = self.boards.split_at_mut(depth + 1);
        let (before, after) = (&before[depth], &mut after[0]);
        if before.cell(point) != Cell::Empty || before.is_suicide(point, color) {
            return Put::Illegal;
        }
        self.tries -= 1;
        after.copy_from(before);
        let starved = after.place(point, color);
        after.capture(point, color, starved);
        Put::Done
    }
}

/// What became of a stone that is tried.
#[derive(PartialEq)]
enum Put {
    Done,
    Illegal,
    /// Enough was tried.
    Spent,
}

#[cfg(test)]
mod tests {
    use super::{Chase, Chases, Reader};
    use crate::board::{Color, drawn};

    /// What Black's stones are for chases; rows from the top.
    fn read(rows: &[&str]) -> Vec<(String, u16)> {
        let (board, _) = drawn(rows);
        let found: Chases = Reader::default().read(&board, Color::Black);
        let named = found.into_iter().map(|(at, what)| {
            let (column, row) = board.grid().place(at);
            (format!("{}{}", (b'a' + column) as char, row + 1), what)
        });
        named.collect()
    }

    fn is(found: &[(String, u16)], point: &str, what: Chase) -> bool {
        found.contains(&(point.to_owned(), what as u16))
    }

    /// A stone with two liberties, and what stands around it.
    const CORNERED: [&str; 7] = [
        ".......", //
        ".......", ".......", ".......", ".XO....", "..XX...", ".......",
    ];

    fn with(stones: &[(usize, usize, char)], swapped: bool) -> Vec<(String, u16)> {
        let mut rows: Vec<Vec<char>> = CORNERED.map(|row| row.chars().collect()).into();
        for &(column, row, stone) in stones {
            rows[7 - row][column - 1] = stone;
        }
        let swap = |letter| match letter {
            'X' if swapped => 'O',
            'O' if swapped => 'X',
            other => other,
        };
        let rows = rows
            .iter()
            .map(|row| row.iter().copied().map(swap).collect());
        let rows: Vec<String> = rows.collect();
        read(&rows.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn a_ladder_catches_unless_something_stands_in_its_way() {
        let ladder = with(&[], false);
        assert!(is(&ladder, "c4", Chase::Catch), "{ladder:?}");
        assert!(is(&ladder, "d3", Chase::Vain), "{ladder:?}");
        let broken = with(&[(5, 5, 'O')], false);
        assert!(is(&broken, "c4", Chase::Vain), "{broken:?}");
    }

    #[test]
    fn a_hunter_that_is_captured_catches_nothing() {
        let found = with(&[(2, 4, 'O'), (3, 5, 'O')], false);
        assert!(is(&found, "c4", Chase::Vain), "{found:?}");
    }

    #[test]
    fn who_is_in_atari_runs_or_not() {
        let lost = with(&[(3, 4, 'X')], true);
        assert_eq!(lost, [("d3".to_owned(), Chase::Futile as u16)]);
        let free = with(&[(3, 4, 'X'), (5, 5, 'O')], true);
        assert_eq!(free, [("d3".to_owned(), Chase::Away as u16)]);
        let easy = with(&[(3, 4, 'X')], false);
        assert_eq!(easy, [("d3".to_owned(), Chase::Easy as u16)]);
        assert_eq!(with(&[(3, 4, 'X'), (5, 5, 'O')], false), []);
    }

    #[test]
    fn who_could_be_caught_is_saved() {
        let found = with(&[], true);
        assert!(
            is(&found, "c4", Chase::Safe) && is(&found, "d3", Chase::Safe),
            "{found:?}"
        );
        // Nobody needs to be saved from a broken ladder.
        assert_eq!(with(&[(5, 5, 'O')], true), []);
    }

    #[test]
    fn large_groups_are_told_apart() {
        let found = with(&[(4, 3, 'O'), (3, 4, 'X')], false);
        assert!(
            found.contains(&("e3".to_owned(), Chase::Catch as u16 + 1)),
            "{found:?}"
        );
        let large = |&(_, what): &(String, u16)| what % 2 == 1;
        assert!(found.iter().all(large), "{found:?}");
    }
}
