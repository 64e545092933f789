//! Answers to the latest turn: points around it, and those where groups that
//! it touches live or die.

use crate::board::{Board, Breath, Cell, Color, Lattice, Point, PointMap, among};
use crate::rules::{Position, Variant};

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
}

/// Points and why.
#[derive(Clone, Debug)]
pub struct Answers {
    /// Each open point once, and places for more.
    list: [Point; MOST],
    len: usize,
    why: PointMap<Reasons>,
    /// In which exploration a point was last met.
    explored: PointMap<u32>,
    explorations: u32,
}

impl Default for Answers {
    fn default() -> Self {
        Answers {
            list: [Point::NONE; MOST],
            len: 0,
            why: PointMap::filled(Reasons::default()),
            explored: PointMap::filled(0),
            explorations: 0,
        }
    }
}

/// Answers at most; there are hardly ever half as many.
const MOST: usize = 32;

/// Empty points that could be one eye.
#[derive(Clone, Copy, Debug, Default)]
struct Space {
    points: [Point; LARGEST],
    len: usize,
}

/// Larger spaces have no single vital point.
const LARGEST: usize = 6;

impl Space {
    #[inline]
    fn as_slice(&self) -> &[Point] {
        &self.points[..self.len.min(LARGEST)]
    }

    /// Adds a point; false if there is no room.
    #[inline]
    fn add(&mut self, point: Point) -> bool {
        let place = self.points.get_mut(self.len);
        self.len += usize::from(place.is_some());
        place.map(|place| *place = point).is_some()
    }
}

/// Groups larger than this are not searched for what could be captured next
/// to them.
const LONGEST_SEARCH: u16 = 40;

impl Answers {
    #[inline]
    fn add(&mut self, point: Point, reason: Reasons) {
        self.add_if(point, true, reason);
    }

    /// Adds a point if it is one; without branches, for nobody can foretell
    /// what is on a board.
    #[inline]
    fn add_if(&mut self, point: Point, is_one: bool, reason: Reasons) {
        let why = &mut self.why[point];
        let known = *why != Reasons::default();
        let fresh = is_one & !known & (self.len + 1 < MOST);
        self.list[self.len % MOST] = point;
        self.len += usize::from(fresh);
        why.0 |= reason.0 * u16::from(is_one & known | fresh);
    }

    #[inline]
    fn clear(&mut self) {
        for &point in &self.list[..self.len % MOST] {
            self.why[point] = Reasons::default();
        }
        self.len = 0;
    }

    /// The points, each with its reasons.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Point, Reasons)> + '_ {
        let list = self.list.iter().take(self.len);
        list.map(|&point| (point, self.why[point]))
    }

    /// Adds the liberties of a group that has one or two.
    #[inline]
    fn add_breath(&mut self, breath: Breath, one: Reasons, two: Reasons) {
        match breath {
            Breath::One(point) => self.add(point, one),
            Breath::Two(a, b) => {
                self.add(a, two);
                self.add(b, two);
            }
            Breath::Other => {}
        }
    }

    /// Why `point` is an answer.
    pub fn reasons(&self, point: Point) -> Reasons {
        self.why[point]
    }

    /// Collects the answers of the side to move to the opponent's latest
    /// turn; none if that placed no stone. Self-ataris are not noted.
    #[inline]
    pub fn collect<V: Variant>(&mut self, position: &Position<V>) {
        self.clear();
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
        for &point in &self.list[..self.len % MOST] {
            if position.board.is_self_atari(point, position.to_move) {
                self.why[point].0 |= Reasons::SELF_ATARI.0;
            }
        }
    }

    #[inline]
    fn around<L: Lattice>(&mut self, board: &Board<L>, last: Point) {
        for n in board.neighbours(last) {
            self.add_if(n, board.cell(n).is_open(), Reasons::NEXT);
        }
        for n in board.grid().diagonals(last) {
            self.add_if(n, board.cell(n).is_open(), Reasons::DIAGONAL);
        }
    }

    #[inline]
    fn attack<L: Lattice>(&mut self, board: &Board<L>, last: Point) {
        self.add_breath(board.breath(last), Reasons::CAPTURE, Reasons::ATTACK);
    }

    #[inline]
    fn defend<L: Lattice>(&mut self, board: &Board<L>, last: Point, own: Color) {
        if !board.touches(last, own) {
            return;
        }
        let mut seen = [Point::NONE; 6]; // no point has more neighbours
        for (i, n) in board.neighbours(last).enumerate() {
            if board.cell(n) != Cell::stone(own) || among(&seen, board.head(n)) {
                continue;
            }
            seen[i % 6] = board.head(n);
            let breath = board.breath(n);
            self.add_breath(breath, Reasons::ESCAPE, Reasons::DEFEND);
            if breath != Breath::Other {
                self.rescue(board, n, own);
            }
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

    /// The middle of a space of three to six points that the enemy surrounds,
    /// next to the latest stone or left by what it captured.
    #[inline]
    fn vital<V: Variant>(&mut self, position: &Position<V>, last: Point) {
        let board = &position.board;
        let own = position.to_move;
        let large_capture = position.latest.captured >= 3;
        let is_seed = |&n: &Point| {
            let open = board.open_neighbours(n);
            board.cell(n) == Cell::Empty
                && !board.touches(n, own)
                && open > 0
                && (large_capture || open <= 2)
        };
        let first = self.explorations.wrapping_add(1);
        for seed in board.neighbours(last) {
            let known = self.explored[seed].wrapping_sub(first) < V::Lattice::DEGREE as u32;
            if is_seed(&seed) && !known {
                let space = self.explore(board, seed, own, first);
                if let Some(middle) = middle(board, &space) {
                    self.add(middle, Reasons::VITAL);
                }
            }
        }
        self.explorations = first.wrapping_add(V::Lattice::DEGREE as u32);
    }

    /// The space of empty points around `seed`; nothing if it is too large or
    /// `own` stones are next to it. Explorations from number `first` on are of
    /// the same board.
    fn explore<L: Lattice>(
        &mut self,
        board: &Board<L>,
        seed: Point,
        own: Color,
        first: u32,
    ) -> Space {
        self.explorations = self.explorations.wrapping_add(1);
        let number = self.explorations;
        let mut space = Space::default();
        self.explored[seed] = number;
        space.add(seed);
        let mut next = 0;
        while let Some(&at) = space.as_slice().get(next) {
            next += 1;
            for n in board.neighbours(at) {
                if board.cell(n) != Cell::Empty || self.explored[n] == number {
                    continue;
                }
                let known = number.wrapping_sub(self.explored[n]) <= number.wrapping_sub(first);
                if known || board.touches(n, own) || !space.add(n) {
                    return Space::default(); // known: part of what was given up
                }
                self.explored[n] = number;
            }
        }
        space
    }
}

/// The point of a space that divides it best, if any divides it well.
fn middle<L: Lattice>(board: &Board<L>, space: &Space) -> Option<Point> {
    let points = space.as_slice();
    let inside = |at: Point| {
        let next = board.neighbours(at);
        next.fold(0, |found, n| found + usize::from(among(points, n)))
    };
    let (mut most, mut middle) = (0, None);
    for &at in points {
        let inside = inside(at);
        if inside >= most {
            (most, middle) = (inside, Some(at));
        }
    }
    middle.filter(|_| points.len() >= 3 && most + 1 >= points.len().min(4))
}
