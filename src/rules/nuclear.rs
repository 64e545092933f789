//! What `no` and `go-san` share: nukes, voids that spread like clockwork, and
//! the cascade that follows.
//!
//! A void's arrow need not be kept: every void acts exactly once a turn from
//! the turn after its birth on, so the arrow is its age in eighths of a turn
//! of the hand. Its resolver token need not be kept either: at the end of a
//! turn every void is in the processed state, which carries a token on even
//! turns only.

use super::illegal::Illegal;
use super::position::{Ending, Position};
use super::record::NukeActs;
use super::turn::Step;
use super::variant::{Extras, Variant, VariantInfo};
use super::{go_san, no};
use crate::board::{CAPACITY, Cell, Color, Flat, Point, Random};
use smallvec::SmallVec;

/// A hole in the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Void {
    /// Where it is.
    pub point: Point,
    /// The point of the nuke that it descends from.
    pub origin: Point,
    /// The last turn in which it did not act yet; it was born then, except
    /// the void of a nuke that acts at once.
    pub birth: u32,
}

impl Void {
    /// Eighths of a turn, clockwise from north, after turn number `turn`.
    pub fn arrow(&self, turn: u32) -> usize {
        (turn.wrapping_sub(self.birth) % 8) as usize
    }
}

/// The names of the arrows, clockwise from north.
pub const ARROWS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// Columns east and rows north that each arrow points.
pub const ARROW_STEPS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// The voids in the order they appeared, which is also that of their births.
#[derive(Clone, Debug)]
pub struct Voids {
    list: [Void; CAPACITY],
    len: usize,
    /// Voids from here on appeared in the turn under way.
    settled: usize,
}

impl Default for Voids {
    fn default() -> Self {
        let none = Void {
            point: Point::NONE,
            origin: Point::NONE,
            birth: 0,
        };
        Voids {
            list: [none; CAPACITY],
            len: 0,
            settled: 0,
        }
    }
}

impl Voids {
    /// The voids, oldest first.
    pub fn as_slice(&self) -> &[Void] {
        &self.list[..self.len]
    }

    fn push(&mut self, void: Void) {
        self.list[self.len % CAPACITY] = void;
        self.len += 1;
    }

    /// Makes this list equal to `other`.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.list[..other.len].copy_from_slice(&other.list[..other.len]);
        self.len = other.len;
        self.settled = other.settled;
    }
}

/// Both nuclear variants; `CONTAINED` voids stay within one row and one column
/// of their origin.
#[derive(Clone, Debug, Default)]
pub struct Nuclear<const CONTAINED: bool> {
    voids: Voids,
}

impl<const CONTAINED: bool> Nuclear<CONTAINED> {
    /// The voids, oldest first.
    pub fn voids(&self) -> &[Void] {
        self.voids.as_slice()
    }
}

impl<const CONTAINED: bool> Variant for Nuclear<CONTAINED> {
    type Lattice = Flat;

    const INFO: &'static VariantInfo = if CONTAINED { &go_san::INFO } else { &no::INFO };

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.voids.copy_from(&other.voids);
    }

    #[inline]
    fn check(position: &Position<Self>, color: Color, step: Step) -> Result<(), Illegal> {
        match step {
            Step::Pass => Ok(()),
            Step::Stone(point) => position.check_stone(color, point),
            Step::Nuke(point) if position.board.cell(point) == Cell::stone(color) => Ok(()),
            Step::Nuke(_) => Err(Illegal::NotOwnStone),
            _ => Err(Illegal::NoSuchTurn),
        }
    }

    #[inline]
    fn apply(position: &mut Position<Self>, color: Color, step: Step) -> bool {
        match step {
            Step::Stone(point) => position.place_and_capture(color, point),
            Step::Nuke(point) => go_nuclear(position, point),
            _ => {}
        }
        true
    }

    /// Void resolution, cascade, end of the game.
    #[inline]
    fn turn_ended(position: &mut Position<Self>) {
        resolve(position);
        if position.own.voids.settled < position.own.voids.len {
            cascade(position);
            position.own.voids.settled = position.own.voids.len;
        }
        if position.board.empties().is_empty() {
            position.ending = Some(Ending::Full);
        }
    }

    fn for_each_step(position: &Position<Self>, color: Color, visit: &mut dyn FnMut(Step)) {
        position.for_each_stone(color, visit);
        let own = Cell::stone(color);
        for point in position.board.grid().points() {
            if position.board.cell(point) == own {
                visit(Step::Nuke(point));
            }
        }
        visit(Step::Pass);
    }

    fn extras(position: &Position<Self>) -> Extras {
        let voids = position.own.voids().iter();
        Extras {
            voids: voids.map(|v| (v.point, v.arrow(position.turns), v.origin)).collect(),
            ..Extras::default()
        }
    }

    /// Placements and nukes alike. A nuke is drawn as often as its share of
    /// the candidates, then its stone by trying points of the whole board,
    /// which costs about one try a turn.
    #[inline]
    fn random_step(position: &mut Position<Self>, random: &mut Random) -> Step {
        let color = position.to_move;
        let stones = u32::from(position.board.stones(color));
        let mut left = position.board.empties().len() as u32;
        while left + stones > 0 {
            let at = random.below(left + stones);
            if at >= left {
                return Step::Nuke(random_own_stone(position, color, random));
            }
            let point = position.board.empties().get(at as usize);
            if position.may_fill(color, point) {
                return Step::Stone(point);
            }
            left -= 1;
            position.board.swap_empties(at as usize, left as usize);
        }
        Step::Pass
    }
}

fn go_nuclear<const C: bool>(position: &mut Position<Nuclear<C>>, point: Point) {
    position.board.hollow(point);
    let turn = position.turns + 1;
    let birth = match position.rules.nuke_acts {
        NukeActs::Next => turn,
        NukeActs::Now => turn - 1,
    };
    position.own.voids.push(Void {
        point,
        origin: point,
        birth,
    });
}

/// Every void that was there turns its arrow, and spreads if it points at an
/// empty point.
#[inline]
fn resolve<const C: bool>(position: &mut Position<Nuclear<C>>) {
    let turn = position.turns;
    let grid = *position.board.grid();
    for at in 0..position.own.voids.len {
        let void = position.own.voids.list[at];
        if void.birth == turn {
            break; // born in this turn, like all that follow
        }
        let (east, north) = ARROW_STEPS[void.arrow(turn)];
        let target = grid.towards(void.point, east, north);
        if position.board.cell(target) != Cell::Empty {
            continue;
        }
        if C && !close(grid.place(target), grid.place(void.origin)) {
            continue;
        }
        position.board.fill(target, Cell::Void);
        position.own.voids.push(Void {
            point: target,
            origin: void.origin,
            birth: turn,
        });
    }
}

fn close(a: (u8, u8), b: (u8, u8)) -> bool {
    a.0.abs_diff(b.0) <= 1 && a.1.abs_diff(b.1) <= 1
}

/// Removes all groups left without liberties at once. Only groups next to a
/// new void can be: what a nuke tears apart touches the nuke.
fn cascade<const C: bool>(position: &mut Position<Nuclear<C>>) {
    let mut doomed: SmallVec<[(Point, Color); 16]> = SmallVec::new();
    let voids = &position.own.voids;
    for void in &voids.list[voids.settled..voids.len] {
        for n in position.board.neighbours(void.point) {
            if let Some(color) = position.board.cell(n).color()
                && position.board.group(n).is_some_and(|g| g.liberties.is_none())
            {
                doomed.push((n, color));
            }
        }
    }
    for (stone, color) in doomed {
        // A group met twice is gone the second time.
        let removed = position.board.remove_group(stone);
        position.captures[!color as usize] += i32::from(removed);
    }
}

/// One of the stones of `color`, which has some.
#[inline]
fn random_own_stone<const C: bool>(
    position: &Position<Nuclear<C>>,
    color: Color,
    random: &mut Random,
) -> Point {
    let grid = position.board.grid();
    let own = Cell::stone(color);
    loop {
        let column = random.below(u32::from(grid.width())) as u8;
        let row = random.below(u32::from(grid.height())) as u8;
        if let Some(point) = grid.point(column, row)
            && position.board.cell(point) == own
        {
            return point;
        }
    }
}
