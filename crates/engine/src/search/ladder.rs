//! Ladders: groups that can be kept in atari, move after move, until they are captured.
//!
//! The reader knows only the capture rule of Go, without ko and without rules of variants.

use crate::board::{Board, Cell, Color, FewLiberties, Point, contains_point};
use smallvec::SmallVec;

/// The effect of a stone on a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LadderFeature {
    /// Extends a group of its side in atari, which is still captured.
    LosingEscape,
    /// Extends a group of its side in atari, which gets away.
    WinningEscape,
    /// Puts an enemy group in atari, which cannot get away.
    WinningAttack,
    /// Puts an enemy group in atari, which gets away.
    LosingAttack,
    /// Saves a group of its side that the enemy could capture in a ladder.
    PreventsLadder,
    /// Captures an enemy group that could not get away anyway.
    CapturesLaddered,
}

/// Points of ladders, each with its effect.
pub type LadderMoves = SmallVec<[(Point, LadderFeature); 16]>;

/// Maximum number of stones tried in one ladder; after them the group counts as free.
const MAX_NODES: u32 = 80;
const MAX_DEPTH: usize = 64;

/// Reads ladders; it keeps its boards between positions.
#[derive(Clone, Debug, Default)]
pub struct LadderReader {
    /// The board after each move of the line being read.
    boards: Vec<Board>,
    nodes_left: u32,
    /// Number of stones tried.
    #[cfg(test)]
    tried: u32,
}

struct WeakGroup {
    stone: Point,
    color: Color,
    few_liberties: FewLiberties,
}

fn weak_groups(board: &Board) -> impl Iterator<Item = WeakGroup> + '_ {
    board.grid().points().filter_map(|stone| {
        board.group(stone).filter(|group| group.head == stone)?;
        Some(WeakGroup {
            stone,
            color: board.cell(stone).color()?,
            few_liberties: Some(board.few_liberties(stone))
                .filter(|&few_liberties| few_liberties != FewLiberties::Other)?,
        })
    })
}

impl LadderReader {
    /// Lists the points where a stone of `own` starts, continues or ends a ladder.
    pub fn read(&mut self, board: &Board, own: Color) -> LadderMoves {
        let mut moves = LadderMoves::new();
        self.load(board);
        for group in weak_groups(board) {
            self.nodes_left = MAX_NODES;
            let mut add = |point, feature: LadderFeature| moves.push((point, feature));
            let stone = group.stone;
            match (group.few_liberties, group.color == own) {
                (FewLiberties::One(point), true) if self.escapes(0, stone, point) => {
                    add(point, LadderFeature::WinningEscape)
                }
                (FewLiberties::One(point), true) => add(point, LadderFeature::LosingEscape),
                (FewLiberties::One(point), false) if self.is_captured(0, stone) => {
                    add(point, LadderFeature::CapturesLaddered)
                }
                (FewLiberties::Two(a, b), true)
                    if self.attack_works(0, stone, a) || self.attack_works(0, stone, b) =>
                {
                    for point in [a, b] {
                        self.nodes_left = MAX_NODES;
                        if self.escapes(0, stone, point) {
                            add(point, LadderFeature::PreventsLadder);
                        }
                    }
                }
                (FewLiberties::Two(a, b), false) => {
                    for point in [a, b] {
                        self.nodes_left = MAX_NODES;
                        if self.attack_works(0, stone, point) {
                            add(point, LadderFeature::WinningAttack)
                        } else {
                            add(point, LadderFeature::LosingAttack)
                        }
                    }
                }
                _ => {}
            }
        }
        moves
    }

    /// Copies `board` to the first board, which reading does not change.
    fn load(&mut self, board: &Board) {
        match self.boards.first_mut() {
            Some(first) => first.copy_from(board),
            None => self.boards.push(board.clone()),
        }
    }

    /// Whether the group of `stone` escapes, or is not yet captured, if its side plays at `point`.
    fn escapes(&mut self, depth: usize, stone: Point, point: Point) -> bool {
        let Some(color) = self.boards[depth].cell(stone).color() else {
            return false;
        };
        match self.try_stone(depth, point, color) {
            Placement::Illegal => return false,
            Placement::OutOfNodes => return true,
            Placement::Done => {}
        }
        match self.boards[depth + 1].few_liberties(stone) {
            FewLiberties::One(_) => false,
            FewLiberties::Two(a, b) => {
                !self.attack_works(depth + 1, stone, a) && !self.attack_works(depth + 1, stone, b)
            }
            FewLiberties::Other => true,
        }
    }

    /// Whether the group of `stone`, which has two liberties, is captured if the other side plays
    /// at `point`.
    fn attack_works(&mut self, depth: usize, stone: Point, point: Point) -> bool {
        let Some(color) = self.boards[depth].cell(stone).color() else {
            return false;
        };
        self.try_stone(depth, point, !color) == Placement::Done
            && self.is_captured(depth + 1, stone)
    }

    /// Whether the group of `stone`, whose side is to move, is in atari and cannot escape.
    fn is_captured(&mut self, depth: usize, stone: Point) -> bool {
        let board = &self.boards[depth];
        let Some(last) = board.group(stone).and_then(|group| group.liberties.only_liberty()) else {
            return false;
        };
        let mut replies: SmallVec<[Point; 6]> = SmallVec::from_slice(&[last]);
        for n in board.group_stones(stone).flat_map(|at| board.neighbours(at)) {
            if board.cell(n).is_stone()
                && board.cell(n) != board.cell(stone)
                && let Some(point) = board.group(n).and_then(|group| group.liberties.only_liberty())
                && !contains_point(&replies, point)
            {
                replies.push(point);
            }
        }
        !replies.into_iter().any(|point| self.escapes(depth, stone, point))
    }

    /// Plays a stone on the board of `depth`, which makes the board of `depth + 1`.
    fn try_stone(&mut self, depth: usize, point: Point, color: Color) -> Placement {
        if self.nodes_left == 0 || depth >= MAX_DEPTH {
            return Placement::OutOfNodes;
        }
        if self.boards.len() == depth + 1 {
            self.boards.push(self.boards[depth].clone());
        }
        let (before, after) = self.boards.split_at_mut(depth + 1);
        let (before, after) = (&before[depth], &mut after[0]);
        if before.cell(point) != Cell::Empty || before.is_suicide(point, color) {
            return Placement::Illegal;
        }
        self.nodes_left -= 1;
        #[cfg(test)]
        {
            self.tried += 1;
        }
        after.copy_from(before);
        let without_liberties = after.place(point, color);
        after.capture(point, color, without_liberties);
        Placement::Done
    }
}

#[derive(PartialEq)]
enum Placement {
    Done,
    Illegal,
    /// No more stones may be tried in this ladder.
    OutOfNodes,
}

#[cfg(test)]
mod tests {
    use super::{LadderFeature, LadderMoves, LadderReader};
    use crate::board::{Color, board_from_diagram};

    /// A point, its effect and whether the laddered group has more than one stone.
    type FeatureAt = (String, LadderFeature);

    /// The ladder features of Black's moves; rows from the top.
    fn read(rows: &[&str]) -> Vec<FeatureAt> {
        let (board, _) = board_from_diagram(rows);
        let moves: LadderMoves = LadderReader::default().read(&board, Color::Black);
        let named = moves.into_iter().map(|(at, feature)| {
            let (column, row) = board.grid().coordinates(at);
            (format!("{}{}", (b'a' + column) as char, row + 1), feature)
        });
        named.collect()
    }

    fn has(moves: &[FeatureAt], point: &str, feature: LadderFeature) -> bool {
        moves.iter().any(|(at, known)| at == point && *known == feature)
    }

    /// A position with a White stone that has two liberties.
    const LADDER_START: [&str; 7] = [
        ".......", //
        ".......", ".......", ".......", ".XO....", "..XX...", ".......",
    ];

    fn read_with(stones: &[(usize, usize, char)], swapped: bool) -> Vec<FeatureAt> {
        let mut rows: Vec<Vec<char>> = LADDER_START.map(|row| row.chars().collect()).into();
        for &(column, row, stone) in stones {
            rows[7 - row][column - 1] = stone;
        }
        let swap = |letter| match letter {
            'X' if swapped => 'O',
            'O' if swapped => 'X',
            other => other,
        };
        let rows = rows.iter().map(|row| row.iter().copied().map(swap).collect());
        let rows: Vec<String> = rows.collect();
        read(&rows.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn a_ladder_captures_unless_a_breaker_stands_in_its_way() {
        let ladder = read_with(&[], false);
        assert!(has(&ladder, "c4", LadderFeature::WinningAttack), "{ladder:?}");
        assert!(has(&ladder, "d3", LadderFeature::LosingAttack), "{ladder:?}");
        let broken = read_with(&[(5, 5, 'O')], false);
        assert!(has(&broken, "c4", LadderFeature::LosingAttack), "{broken:?}");
    }

    #[test]
    fn a_ladder_fails_if_the_attacker_can_be_captured() {
        let moves = read_with(&[(2, 4, 'O'), (3, 5, 'O')], false);
        assert!(has(&moves, "c4", LadderFeature::LosingAttack), "{moves:?}");
    }

    #[test]
    fn a_group_in_atari_escapes_or_is_lost() {
        let lost = read_with(&[(3, 4, 'X')], true);
        assert_eq!(lost, [("d3".to_owned(), LadderFeature::LosingEscape)]);
        let free = read_with(&[(3, 4, 'X'), (5, 5, 'O')], true);
        assert_eq!(free, [("d3".to_owned(), LadderFeature::WinningEscape)]);
        let capture = read_with(&[(3, 4, 'X')], false);
        assert_eq!(capture, [("d3".to_owned(), LadderFeature::CapturesLaddered)]);
        assert_eq!(read_with(&[(3, 4, 'X'), (5, 5, 'O')], false), []);
    }

    #[test]
    fn a_group_in_a_working_ladder_can_be_saved() {
        let moves = read_with(&[], true);
        assert!(
            has(&moves, "c4", LadderFeature::PreventsLadder)
                && has(&moves, "d3", LadderFeature::PreventsLadder),
            "{moves:?}"
        );
        // A broken ladder needs no defence.
        assert_eq!(read_with(&[(5, 5, 'O')], true), []);
    }

    #[test]
    fn groups_of_several_stones_have_features_of_their_own() {
        let moves = read_with(&[(4, 3, 'O'), (3, 4, 'X')], false);
        assert!(moves.contains(&("e3".to_owned(), LadderFeature::WinningAttack)), "{moves:?}");
    }

    /// Ladders of all groups of a large board are read in a number of stones that the groups limit.
    #[test]
    fn reading_ends_after_a_number_of_stones_for_each_group() {
        const SIDE: usize = 25;
        let has_stones = |row: usize, column: usize| row % 3 < 2 && column % 4 < 3;
        let row = |row: usize| -> String {
            let cell = |column: usize| match (row % 3, column % 4) {
                _ if !has_stones(row, column) => '.',
                (0, 1) => 'O',
                (1, 0) => '.',
                _ => 'X',
            };
            (0..SIDE).map(cell).collect()
        };
        let rows: Vec<String> = (0..SIDE).map(row).collect();
        let (board, _) = board_from_diagram(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let weak = super::weak_groups(&board).count() as u32;
        let mut reader = LadderReader::default();
        reader.read(&board, Color::Black);
        let (tried, most) = (reader.tried, 3 * super::MAX_NODES);
        assert!(weak > 20 && tried > 10 * weak, "{tried} stones of {weak} groups");
        assert!(tried <= weak * most, "{tried} stones of {weak} groups");
        // Another position has its own limit.
        reader.read(&board, Color::White);
        assert!(reader.tried - tried <= weak * most);
    }
}
