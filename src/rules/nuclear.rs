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
use super::variant::{Extras, RARITY, Variant, VariantInfo};
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
    /// A bit for each arrow: whether it may still find an empty point.
    open: u8,
}

impl Void {
    #[inline]
    fn new<const C: bool>(
        position: &Position<Nuclear<C>>,
        point: Point,
        origin: Point,
        birth: u32,
    ) -> Void {
        let grid = position.board.grid();
        let open = (0..8).fold(0, |open, arrow| {
            let target = grid.towards(point, arrow);
            let reached = !C | grid.is_close(target, origin);
            let free = reached & !position.board.cell(target).is_for_ever();
            open | u8::from(free) << arrow
        });
        Void {
            point,
            origin,
            birth,
            open,
        }
    }

    #[inline]
    fn may_reach(&self, arrow: usize) -> bool {
        self.open >> arrow & 1 != 0
    }

    /// Eighths of a turn, clockwise from north, after turn number `turn`.
    pub fn arrow(&self, turn: u32) -> usize {
        (turn.wrapping_sub(self.birth) % 8) as usize
    }
}

/// The names of the arrows, clockwise from north.
pub const ARROWS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// Voids in the order they appeared, which is also that of their births.
#[derive(Clone, Debug)]
struct VoidList {
    items: [Void; CAPACITY],
    len: usize,
}

impl Default for VoidList {
    fn default() -> Self {
        let none = Void {
            point: Point::NONE,
            origin: Point::NONE,
            birth: 0,
            open: 0,
        };
        VoidList {
            items: [none; CAPACITY],
            len: 0,
        }
    }
}

impl VoidList {
    #[inline]
    fn as_slice(&self) -> &[Void] {
        &self.items[..self.len.min(CAPACITY)]
    }

    #[inline]
    fn push(&mut self, void: Void) {
        self.items[self.len % CAPACITY] = void;
        self.len += 1;
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.len = other.len;
        self.items[..other.len].copy_from_slice(other.as_slice());
    }
}

/// All voids, and which of them can still spread.
#[derive(Clone, Debug, Default)]
struct Voids {
    all: VoidList,
    /// Those with a point to spread to that is not a void or wall for ever.
    acting: VoidList,
    /// Number of voids at the end of the turn before.
    settled: usize,
    /// Whether a group may be without liberties.
    starved: bool,
}

impl Voids {
    #[inline]
    fn push(&mut self, void: Void) {
        self.all.push(void);
        self.acting.push(void);
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.all.copy_from(&other.all);
        self.acting.copy_from(&other.acting);
        self.settled = other.settled;
        self.starved = other.starved;
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
        self.voids.all.as_slice()
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
        if position.own.voids.starved {
            cascade(position);
            position.own.voids.starved = false;
        }
        position.own.voids.settled = position.own.voids.all.len;
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
            voids: voids
                .map(|v| (v.point, v.arrow(position.turns), v.origin))
                .collect(),
            ..Extras::default()
        }
    }

    /// A stone; once in [`RARITY`] turns a nuke.
    #[inline]
    fn random_step(position: &mut Position<Self>, random: &mut Random) -> Step {
        let color = position.to_move;
        if random.below(RARITY) == 0 && position.board.stones(color) > 0 {
            return Step::Nuke(position.board.random_stone(color, random));
        }
        let found = position.random_empty(random, |at, point| at.may_fill(color, point));
        found.map_or(Step::Pass, Step::Stone)
    }
}

fn go_nuclear<const C: bool>(position: &mut Position<Nuclear<C>>, point: Point) {
    position.board.hollow(point);
    let turn = position.turns + 1;
    let birth = match position.rules.nuke_acts {
        NukeActs::Next => turn,
        NukeActs::Now => turn - 1,
    };
    let void = Void::new(position, point, point, birth);
    position.own.voids.push(void);
    // What the nuke tears apart may be left without liberties.
    position.own.voids.starved = true;
}

/// Every void that was there turns its arrow, and spreads if it points at an
/// empty point.
#[inline]
fn resolve<const C: bool>(position: &mut Position<Nuclear<C>>) {
    let turn = position.turns;
    let before = position.own.voids.all.len;
    let mut kept = 0;
    for at in 0..position.own.voids.acting.len {
        let mut void = position.own.voids.acting.items[at % CAPACITY];
        let arrow = void.arrow(turn);
        let target = position.board.grid().towards(void.point, arrow);
        let cell = position.board.cell(target);
        let spreads = cell == Cell::Empty && void.may_reach(arrow) && void.birth != turn;
        void.open &= !(u8::from(spreads | cell.is_for_ever()) << arrow);
        // Those with nowhere left to go drop out here.
        position.own.voids.acting.items[kept % CAPACITY] = void;
        kept += usize::from(void.open != 0);
        if spreads {
            position.own.voids.starved |= position.board.fill(target, Cell::Void);
            let born = Void::new::<C>(position, target, void.origin, turn);
            position.own.voids.all.push(born);
        }
    }
    let Voids { all, acting, .. } = &mut position.own.voids;
    acting.len = kept;
    all.as_slice()[before..]
        .iter()
        .for_each(|&void| acting.push(void));
}

/// Removes all groups left without liberties at once. Only groups next to a
/// new void can be: what a nuke tears apart touches the nuke.
fn cascade<const C: bool>(position: &mut Position<Nuclear<C>>) {
    let mut doomed: SmallVec<[(Point, Color); 16]> = SmallVec::new();
    let voids = &position.own.voids;
    for void in &voids.all.as_slice()[voids.settled..] {
        for n in position.board.neighbours(void.point) {
            if let Some(color) = position.board.cell(n).color()
                && position
                    .board
                    .group(n)
                    .is_some_and(|g| g.liberties.is_none())
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
