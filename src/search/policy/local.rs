//! Answers to the latest turn: points around it, and those where groups that
//! it touches live or die.

use crate::board::{Board, Cell, Color, Lattice, Point};
use crate::rules::{Position, Variant};
use smallvec::SmallVec;

/// What makes a point an answer; any number of them together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reasons(pub u16);

impl Reasons {
    /// Next to the latest stone.
    pub const NEXT: Reasons = Reasons(1);
    /// Diagonal to it.
    pub const DIAGONAL: Reasons = Reasons(1 << 1);
    /// Captures the latest stone.
    pub const CAPTURE: Reasons = Reasons(1 << 2);
    /// Captures a group that puts an own one in atari.
    pub const RESCUE: Reasons = Reasons(1 << 3);
    /// The last liberty of an own group next to the latest stone.
    pub const ESCAPE: Reasons = Reasons(1 << 4);
    /// One of two liberties of the latest stone's group.
    pub const ATTACK: Reasons = Reasons(1 << 5);
    /// One of two liberties of an own group next to the latest stone.
    pub const DEFEND: Reasons = Reasons(1 << 6);
    /// The middle of a small space that the latest stone borders.
    pub const VITAL: Reasons = Reasons(1 << 7);
    /// The group would have one liberty.
    pub const SELF_ATARI: Reasons = Reasons(1 << 8);

    /// Number of reasons.
    pub const COUNT: usize = 9;

    #[inline]
    fn add(&mut self, other: Reasons) {
        self.0 |= other.0;
    }
}

/// Points and why.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// Each open point once.
    pub list: SmallVec<[(Point, Reasons); 24]>,
}

/// Groups larger than this are not searched for what could be captured next
/// to them.
const LONGEST_SEARCH: u16 = 40;

impl Answers {
    #[inline]
    fn add(&mut self, point: Point, reason: Reasons) {
        match self.list.iter_mut().find(|(at, _)| *at == point) {
            Some((_, reasons)) => reasons.add(reason),
            None => self.list.push((point, reason)),
        }
    }

    /// Why `point` is an answer.
    pub fn reasons(&self, point: Point) -> Reasons {
        let found = self.list.iter().find(|(at, _)| *at == point);
        found.map_or(Reasons::default(), |&(_, reasons)| reasons)
    }

    /// Collects the answers of the side to move to the opponent's latest
    /// turn; none if that placed no stone. Self-ataris are not noted.
    #[inline]
    pub fn collect<V: Variant>(&mut self, position: &Position<V>) {
        self.list.clear();
        let latest = &position.latest;
        let board = &position.board;
        let own = position.to_move;
        let last = latest.placed;
        if latest.color != Some(!own) || last == Point::NONE {
            return;
        }
        let stands = board.cell(last) == Cell::stone(!own);
        self.around(board, last);
        if stands {
            self.attack(board, last);
        }
        self.defend(board, last, own);
        self.vital(position, last);
    }

    /// Notes which of the answers put themselves in atari.
    pub fn look_ahead<V: Variant>(&mut self, position: &Position<V>) {
        for (point, reasons) in &mut self.list {
            if position.board.is_self_atari(*point, position.to_move) {
                reasons.add(Reasons::SELF_ATARI);
            }
        }
    }

    fn around<L: Lattice>(&mut self, board: &Board<L>, last: Point) {
        // Nothing is listed twice yet.
        for n in board.neighbours(last) {
            if board.cell(n).is_open() && L::DEGREE <= 4 {
                self.list.push((n, Reasons::NEXT));
            } else if board.cell(n).is_open() {
                self.add(n, Reasons::NEXT);
            }
        }
        for n in board.grid().diagonals(last) {
            if board.cell(n).is_open() {
                self.list.push((n, Reasons::DIAGONAL));
            }
        }
    }

    fn attack<L: Lattice>(&mut self, board: &Board<L>, last: Point) {
        let liberties = board.liberties_of(last, 3);
        let reason = match liberties.len() {
            1 => Reasons::CAPTURE,
            2 => Reasons::ATTACK,
            _ => return,
        };
        for point in liberties {
            self.add(point, reason);
        }
    }

    fn defend<L: Lattice>(&mut self, board: &Board<L>, last: Point, own: Color) {
        let mut seen: SmallVec<[Point; 6]> = SmallVec::new();
        for n in board.neighbours(last) {
            if board.cell(n) != Cell::stone(own) || seen.contains(&board.head(n)) {
                continue;
            }
            seen.push(board.head(n));
            let liberties = board.liberties_of(n, 3);
            let reason = match liberties.len() {
                1 => Reasons::ESCAPE,
                2 => Reasons::DEFEND,
                _ => continue,
            };
            for point in liberties {
                self.add(point, reason);
            }
            self.rescue(board, n, own);
        }
    }

    /// Captures of enemy groups next to the group of `stone`.
    fn rescue<L: Lattice>(&mut self, board: &Board<L>, stone: Point, own: Color) {
        if board
            .group(stone)
            .is_none_or(|group| group.size > LONGEST_SEARCH)
        {
            return;
        }
        for at in board.group_stones(stone) {
            if !board.touches(at, !own) {
                continue;
            }
            for n in board.neighbours(at) {
                if board.cell(n) == Cell::stone(!own)
                    && let Some(group) = board.group(n)
                    && let Some(point) = group.liberties.single()
                {
                    self.add(point, Reasons::RESCUE);
                }
            }
        }
    }

    /// The middle of a space of three to six points next to the latest stone
    /// or left by what it captured.
    fn vital<V: Variant>(&mut self, position: &Position<V>, last: Point) {
        const LARGEST: usize = 6;
        let board = &position.board;
        let captured = position.latest.captured;
        let seeds = board.neighbours(last).filter(|&n| {
            board.cell(n) == Cell::Empty
                && (captured >= 3
                    || board.open_neighbours(n) <= 2 && !board.touches(n, position.to_move))
        });
        let mut done: SmallVec<[Point; 12]> = SmallVec::new();
        for seed in seeds {
            if done.contains(&seed) {
                continue;
            }
            let mut space: SmallVec<[Point; 12]> = SmallVec::from_slice(&[seed]);
            let mut next = 0;
            while next < space.len() && space.len() <= LARGEST {
                for n in board.neighbours(space[next]) {
                    if board.cell(n) == Cell::Empty && !space.contains(&n) {
                        space.push(n);
                    }
                }
                next += 1;
            }
            if !(3..=LARGEST).contains(&space.len()) {
                continue;
            }
            let inside = |at: Point| board.neighbours(at).filter(|n| space.contains(n)).count();
            let middle = space.iter().copied().max_by_key(|&at| inside(at));
            if let Some(middle) = middle.filter(|&at| inside(at) + 1 >= space.len().min(4)) {
                self.add(middle, Reasons::VITAL);
            }
            done.extend(space);
        }
    }
}
