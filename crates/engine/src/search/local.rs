//! Local replies to the latest turn: points next to it, and points that capture, save or kill
//! groups next to it.

use crate::board::{Board, Cell, Color, FewLiberties, Lattice, Point, PointMap, contains_point};
use crate::rules::{Position, Variant};

/// The tactical features that make a point a local reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tactic {
    /// Orthogonally next to the latest stone (contact).
    Adjacent,
    /// Diagonally next to the latest stone.
    Diagonal,
    /// Captures the latest stone.
    Capture,
    /// Captures an enemy group next to an own group with one or two liberties.
    CounterCapture,
    /// The last liberty of an own group next to the latest stone.
    Escape,
    /// One of two liberties of the latest stone's group.
    Attack,
    /// One of two liberties of an own group next to the latest stone.
    Defend,
    /// The vital point of a small eye space that the latest stone borders.
    Nakade,
    /// Leaves the own group with one liberty.
    SelfAtari,
}

/// A set of [`Tactic`]s, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tactics(pub u16);

impl Tactics {
    pub const COUNT: usize = Tactic::SelfAtari as usize + 1;

    #[inline]
    pub const fn only(tactic: Tactic) -> Tactics {
        Tactics(1 << tactic as u16)
    }
}

/// The local replies to one turn, each with its tactical features.
#[derive(Clone, Debug)]
pub struct LocalReplies {
    /// The first `len` entries are the replies, each once.
    points: [Point; MAX_REPLIES],
    len: usize,
    tactics: PointMap<Tactics>,
    /// The latest epoch in which a flood reached a point.
    visited: PointMap<u32>,
    epoch: u32,
}

impl Default for LocalReplies {
    fn default() -> Self {
        LocalReplies {
            points: [Point::NONE; MAX_REPLIES],
            len: 0,
            tactics: PointMap::filled(Tactics::default()),
            visited: PointMap::filled(0),
            epoch: 0,
        }
    }
}

/// Maximum number of replies; positions seldom have half as many.
const MAX_REPLIES: usize = 32;

/// A connected set of empty points that may become one eye.
#[derive(Clone, Copy, Debug, Default)]
struct EyeSpace {
    points: [Point; MAX_EYE_SPACE],
    len: usize,
}

/// Larger eye spaces have no single vital point.
const MAX_EYE_SPACE: usize = 6;

impl EyeSpace {
    #[inline]
    fn as_slice(&self) -> &[Point] {
        &self.points[..self.len.min(MAX_EYE_SPACE)]
    }

    #[inline]
    fn add(&mut self, point: Point) -> bool {
        let place = self.points.get_mut(self.len);
        self.len += usize::from(place.is_some());
        place.map(|place| *place = point).is_some()
    }
}

/// Groups with more stones are not searched for enemy groups in atari next to them.
const MAX_SEARCHED_GROUP: u16 = 40;

impl LocalReplies {
    #[inline]
    fn add(&mut self, point: Point, tactic: Tactic) {
        self.add_if(point, true, tactic);
    }

    /// Adds a point if `condition` holds; without branches, which would be unpredictable.
    #[inline]
    fn add_if(&mut self, point: Point, condition: bool, tactic: Tactic) {
        let tactics = &mut self.tactics[point];
        let known = *tactics != Tactics::default();
        let fresh = condition & !known & (self.len + 1 < MAX_REPLIES);
        self.points[self.len % MAX_REPLIES] = point;
        self.len += usize::from(fresh);
        tactics.0 |= Tactics::only(tactic).0 * u16::from(condition & known | fresh);
    }

    #[inline]
    fn clear(&mut self) {
        for &point in &self.points[..self.len % MAX_REPLIES] {
            self.tactics[point] = Tactics::default();
        }
        self.len = 0;
    }

    /// The replies, each with its tactical features.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (Point, Tactics)> + '_ {
        let points = self.points.iter().take(self.len);
        points.map(|&point| (point, self.tactics[point]))
    }

    /// Adds the liberties of a group that has one or two of them, with feature `one` or `two`.
    #[inline]
    fn add_liberties(&mut self, few_liberties: FewLiberties, one: Tactic, two: Tactic) {
        match few_liberties {
            FewLiberties::One(point) => self.add(point, one),
            FewLiberties::Two(a, b) => {
                self.add(a, two);
                self.add(b, two);
            }
            FewLiberties::Other => {}
        }
    }

    /// The tactical features of `point`; empty if it is not a local reply.
    pub fn tactics_at(&self, point: Point) -> Tactics {
        self.tactics[point]
    }

    /// Generates the replies to the opponent's latest stone; does not mark self-ataris.
    #[inline]
    pub fn generate<V: Variant>(&mut self, position: &Position<V>) {
        self.clear();
        let latest = &position.situation.latest;
        let board = &position.board;
        let own = position.situation.to_move;
        let last = latest.placed;
        if latest.color != Some(!own) || last == Point::NONE {
            return;
        }
        self.add_adjacent(board, last);
        if board.cell(last) == Cell::stone(!own) {
            self.add_liberties(board.few_liberties(last), Tactic::Capture, Tactic::Attack);
        }
        self.add_defences(board, last, own);
        self.add_nakade(position, last);
    }

    #[inline]
    fn add_adjacent<L: Lattice>(&mut self, board: &Board<L>, last: Point) {
        for n in board.neighbours(last) {
            self.add_if(n, board.cell(n).is_open(), Tactic::Adjacent);
        }
        for n in board.grid().diagonals::<L>(last) {
            self.add_if(n, board.cell(n).is_open(), Tactic::Diagonal);
        }
    }

    #[inline]
    fn add_defences<L: Lattice>(&mut self, board: &Board<L>, last: Point, own: Color) {
        if !board.touches(last, own) {
            return;
        }
        let mut seen = [Point::NONE; 6]; // no point has more neighbours
        for (i, n) in board.neighbours(last).enumerate() {
            if board.cell(n) != Cell::stone(own) || contains_point(&seen, board.head(n)) {
                continue;
            }
            seen[i % 6] = board.head(n);
            let few_liberties = board.few_liberties(n);
            self.add_liberties(few_liberties, Tactic::Escape, Tactic::Defend);
            if few_liberties != FewLiberties::Other {
                self.add_counter_captures(board, n, own);
            }
        }
    }

    fn add_counter_captures<L: Lattice>(&mut self, board: &Board<L>, stone: Point, own: Color) {
        if board.group(stone).is_none_or(|group| group.size > MAX_SEARCHED_GROUP) {
            return;
        }
        for at in board.group_stones(stone) {
            if !board.touches(at, !own) {
                continue;
            }
            for n in board.neighbours(at) {
                if board.cell(n) == Cell::stone(!own)
                    && let Some(group) = board.group(n)
                    && let Some(point) = group.liberties.only_liberty()
                {
                    self.add(point, Tactic::CounterCapture);
                }
            }
        }
    }

    /// Adds the vital point of each eye space of three to six points that the enemy surrounds, next
    /// to the latest stone or vacated by its captures.
    #[inline]
    fn add_nakade<V: Variant>(&mut self, position: &Position<V>, last: Point) {
        let board = &position.board;
        let own = position.situation.to_move;
        let large_capture = position.situation.latest.captured >= 3;
        let may_be_eye_space = |&n: &Point| {
            let open = board.open_neighbours(n);
            board.cell(n) == Cell::Empty
                && !board.touches(n, own)
                && open > 0
                && (large_capture || open <= 2)
        };
        let first = self.epoch.wrapping_add(1);
        for seed in board.neighbours(last) {
            let known = self.visited[seed].wrapping_sub(first) < V::Lattice::DEGREE as u32;
            if may_be_eye_space(&seed) && !known {
                let space = self.flood_eye_space(board, seed, own, first);
                if let Some(vital_point) = vital_point(board, &space) {
                    self.add(vital_point, Tactic::Nakade);
                }
            }
        }
        self.epoch = first.wrapping_add(V::Lattice::DEGREE as u32);
    }

    /// The connected empty points around `seed`; empty if there are too many or a stone of `own`
    /// borders them. Epochs from `first` on belong to the same board.
    fn flood_eye_space<L: Lattice>(
        &mut self,
        board: &Board<L>,
        seed: Point,
        own: Color,
        first: u32,
    ) -> EyeSpace {
        self.epoch = self.epoch.wrapping_add(1);
        let epoch = self.epoch;
        let mut space = EyeSpace::default();
        self.visited[seed] = epoch;
        space.add(seed);
        let mut next = 0;
        while let Some(&at) = space.as_slice().get(next) {
            next += 1;
            for n in board.neighbours(at) {
                if board.cell(n) != Cell::Empty || self.visited[n] == epoch {
                    continue;
                }
                let known = epoch.wrapping_sub(self.visited[n]) <= epoch.wrapping_sub(first);
                if known || board.touches(n, own) || !space.add(n) {
                    return EyeSpace::default(); // known: part of a rejected space
                }
                self.visited[n] = epoch;
            }
        }
        space
    }
}

/// The point of an eye space with the most neighbours inside, if it divides the space.
fn vital_point<L: Lattice>(board: &Board<L>, space: &EyeSpace) -> Option<Point> {
    let points = space.as_slice();
    let neighbours_inside = |at: Point| {
        let next = board.neighbours(at);
        next.fold(0, |found, n| found + usize::from(contains_point(points, n)))
    };
    let (mut most, mut vital_point) = (0, None);
    for &at in points {
        let inside = neighbours_inside(at);
        if inside >= most {
            (most, vital_point) = (inside, Some(at));
        }
    }
    vital_point.filter(|_| points.len() >= 3 && most + 1 >= points.len().min(4))
}
