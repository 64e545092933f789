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
use super::variant::{Extras, Hint, RARITY, Variant, VariantInfo};
use super::{go_san, no};
use crate::board::{Board, CAPACITY, Cell, Color, Flat, Point, PointMap, Random};
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

/// All voids in the order they appeared, and those that can still spread.
#[derive(Clone, Debug)]
struct Voids {
    all: [Void; CAPACITY],
    len: usize,
    /// Where the void on a point is among all.
    place: PointMap<u16>,
    /// How many of them have been taken among the acting ones.
    taken: usize,
    acting: Acting,
    /// How many there were at the end of the turn before.
    settled: usize,
    /// Whether a group may be without liberties.
    starved: bool,
}

impl Default for Voids {
    fn default() -> Self {
        let none = Void {
            point: Point::NONE,
            origin: Point::NONE,
            birth: 0,
        };
        Voids {
            all: [none; CAPACITY],
            len: 0,
            place: PointMap::filled(0),
            taken: 0,
            acting: Acting::default(),
            settled: 0,
            starved: false,
        }
    }
}

impl Voids {
    #[inline]
    fn as_slice(&self) -> &[Void] {
        &self.all[..self.len.min(CAPACITY)]
    }

    #[inline]
    fn push(&mut self, void: Void) {
        self.all[self.len % CAPACITY] = void;
        self.place[void.point] = self.len as u16;
        self.len += 1;
    }

    /// The void on `point`, which is one.
    #[inline]
    fn at(&self, point: Point) -> &Void {
        &self.all[usize::from(self.place[point]) % CAPACITY]
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        for void in other.as_slice() {
            self.place[void.point] = other.place[void.point];
        }
        self.all[..other.len].copy_from_slice(other.as_slice());
        self.len = other.len;
        self.taken = other.taken;
        self.acting.copy_from(&other.acting);
        self.settled = other.settled;
        self.starved = other.starved;
    }
}

/// The voids with a point to spread to that is no void or wall for ever, in
/// order; field by field, for they are all looked at every turn.
#[derive(Clone, Debug)]
struct Acting {
    points: [Point; CAPACITY],
    origins: [Point; CAPACITY],
    /// Births, of which only the eighth counts.
    births: [u8; CAPACITY],
    /// A bit for each arrow: whether it may still find an empty point.
    open: [u8; CAPACITY],
    len: usize,
}

impl Default for Acting {
    fn default() -> Self {
        Acting {
            points: [Point::NONE; CAPACITY],
            origins: [Point::NONE; CAPACITY],
            births: [0; CAPACITY],
            open: [0; CAPACITY],
            len: 0,
        }
    }
}

impl Acting {
    #[inline]
    fn push(&mut self, void: Void, open: u8) {
        let at = self.len % CAPACITY;
        self.points[at] = void.point;
        self.origins[at] = void.origin;
        self.births[at] = void.birth as u8;
        self.open[at] = open;
        self.len += usize::from(open != 0);
    }

    /// Drops the voids that have nowhere left to spread to.
    fn drop_spent(&mut self) {
        let mut kept = 0;
        for at in 0..self.len.min(CAPACITY) {
            self.points[kept] = self.points[at];
            self.origins[kept] = self.origins[at];
            self.births[kept] = self.births[at];
            self.open[kept] = self.open[at];
            kept += usize::from(self.open[at] != 0);
        }
        self.len = kept;
    }

    /// The eighth that a void points at after turn number `turn`.
    #[inline]
    fn arrow(&self, at: usize, turn: u32) -> usize {
        usize::from((turn as u8).wrapping_sub(self.births[at % CAPACITY]) % 8)
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        let len = other.len.min(CAPACITY);
        self.points[..len].copy_from_slice(&other.points[..len]);
        self.origins[..len].copy_from_slice(&other.origins[..len]);
        self.births[..len].copy_from_slice(&other.births[..len]);
        self.open[..len].copy_from_slice(&other.open[..len]);
        self.len = len;
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
        if position.own.voids.starved {
            cascade(position);
            position.own.voids.starved = false;
        }
        position.own.voids.settled = position.own.voids.len;
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

    fn hints(position: &Position<Self>, note: &mut dyn FnMut(Hint)) {
        let grid = position.board.grid();
        for void in position.own.voids() {
            let arrow = void.arrow(position.turns + 1);
            let to = grid.towards(void.point, arrow);
            let within = !CONTAINED || grid.is_close(to, void.origin);
            if within && position.board.cell(to) == Cell::Empty {
                let from = void.point;
                note(Hint::Spreads { from, to, arrow });
            }
        }
    }

    /// Voids move by clockwork: when one will take a point is known. Of
    /// stones: 0 if none will within eight turns, 1 to 8 if one will in so many,
    /// 9 if all open points next to it will be taken, 10 if some. Of nukes: 11
    /// if the group is in atari, 12 if it shares its liberties with voids to
    /// come, 13 if an enemy group has all its liberties around the nuke, 14 if
    /// another own group has, 15 to 17 for few, some or many empty points
    /// around it.
    fn signs(position: &Position<Self>, step: Step, note: &mut dyn FnMut(usize)) {
        match step {
            Step::Stone(point) => stone_signs(position, point, note),
            Step::Nuke(point) => nuke_signs(position, point, note),
            _ => {}
        }
    }

    /// A stone; once in [`RARITY`] turns a nuke.
    #[inline]
    fn random_step(
        position: &mut Position<Self>,
        random: &mut Random,
        mut accept: impl FnMut(&Position<Self>, Step) -> bool,
    ) -> Step {
        let color = position.to_move;
        if random.below(RARITY) == 0
            && let Some(nuke) = Self::random_special(position, random)
            && accept(position, nuke)
        {
            return nuke;
        }
        let found = position.random_empty(random, |at, point| {
            at.may_fill(color, point) && accept(at, Step::Stone(point))
        });
        found.map_or(Step::Pass, Step::Stone)
    }

    /// A nuke.
    #[inline]
    fn random_special(position: &mut Position<Self>, random: &mut Random) -> Option<Step> {
        let (board, color) = (&position.board, position.to_move);
        (board.stones(color) > 0).then(|| Step::Nuke(board.random_stone(color, random)))
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
    if position.rules.nuke_acts == NukeActs::Now {
        take_born(position);
    }
    // What the nuke tears apart may be left without liberties.
    position.own.voids.starved = true;
}

/// Takes the voids that appeared since the last time among the acting ones.
#[inline]
fn take_born<const C: bool>(position: &mut Position<Nuclear<C>>) {
    let Position { board, own, .. } = position;
    let voids = &mut own.voids;
    for at in voids.taken..voids.len {
        let void = voids.all[at % CAPACITY];
        voids.acting.push(void, reach::<C>(board, void));
    }
    voids.taken = voids.len;
}

/// A bit for each arrow of a void that may find an empty point one day.
#[inline]
fn reach<const C: bool>(board: &Board<Flat>, void: Void) -> u8 {
    let grid = board.grid();
    (0..8).fold(0, |open, arrow| {
        let target = grid.towards(void.point, arrow);
        let reached = !C | grid.is_close(target, void.origin);
        open | u8::from(reached & !board.cell(target).is_for_ever()) << arrow
    })
}

/// Every void that was there turns its arrow, and spreads if it points at an
/// empty point.
#[inline]
fn resolve<const C: bool>(position: &mut Position<Nuclear<C>>) {
    const LOT: usize = 64;
    let turn = position.turns;
    if turn.is_multiple_of(4) {
        position.own.voids.acting.drop_spent();
    }
    let acting = position.own.voids.acting.len;
    for first in (0..acting).step_by(LOT) {
        // Few voids have an empty point ahead. They are found a lot at a time,
        // without branches, then let act in their order.
        let mut ready = look_ahead(position, first, acting.min(first + LOT));
        while ready != 0 {
            let at = first + ready.trailing_zeros() as usize;
            ready &= ready - 1;
            spread(position, at);
        }
    }
    take_born(position);
}

/// A bit for each acting void from `first` to before `end` that points at an
/// empty point within its reach. Notes what is shut for ever.
#[inline]
fn look_ahead<const C: bool>(position: &mut Position<Nuclear<C>>, first: usize, end: usize) -> u64 {
    let (board, turn) = (&position.board, position.turns);
    let acting = &mut position.own.voids.acting;
    let mut ready = 0;
    for at in first..end.min(CAPACITY) {
        let arrow = acting.arrow(at, turn);
        let cell = board.cell(board.grid().towards(acting.points[at], arrow));
        let open = acting.open[at];
        ready |= u64::from((cell == Cell::Empty) & (open >> arrow & 1 != 0)) << (at - first);
        acting.open[at] = open & !(u8::from(cell.is_for_ever()) << arrow);
    }
    ready
}

/// Lets an acting void spread, if an earlier one has not taken the point.
fn spread<const C: bool>(position: &mut Position<Nuclear<C>>, at: usize) {
    let turn = position.turns;
    let acting = &position.own.voids.acting;
    let (point, origin) = (acting.points[at % CAPACITY], acting.origins[at % CAPACITY]);
    let target = position.board.grid().towards(point, acting.arrow(at, turn));
    if position.board.cell(target) == Cell::Empty {
        position.own.voids.starved |= position.board.fill(target, Cell::Void);
        position.own.voids.push(Void {
            point: target,
            origin,
            birth: turn,
        });
    }
}

/// Removes all groups left without liberties at once. Only groups next to a
/// new void can be: what a nuke tears apart touches the nuke.
fn cascade<const C: bool>(position: &mut Position<Nuclear<C>>) {
    let mut doomed: SmallVec<[(Point, Color); 16]> = SmallVec::new();
    let voids = &position.own.voids;
    for void in &voids.as_slice()[voids.settled..] {
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

/// In how many turns a void will take the empty `point`, 1 to 8, if nothing
/// else happens there.
fn doom<const C: bool>(position: &Position<Nuclear<C>>, point: Point) -> Option<usize> {
    let grid = position.board.grid();
    let next = position.turns + 1;
    let mut soonest = None;
    for eighth in 0..8 {
        let from = grid.towards(point, eighth + 4);
        if position.board.cell(from) != Cell::Void {
            continue;
        }
        let void = position.own.voids.at(from);
        if C && !grid.is_close(point, void.origin) {
            continue;
        }
        let wait = (eighth + 8 - void.arrow(next)) % 8 + 1;
        soonest = Some(soonest.map_or(wait, |soonest: usize| soonest.min(wait)));
    }
    soonest
}

fn stone_signs<const C: bool>(
    position: &Position<Nuclear<C>>,
    point: Point,
    note: &mut dyn FnMut(usize),
) {
    note(doom(position, point).unwrap_or(0));
    let (mut open, mut doomed) = (0, 0);
    for n in position.board.neighbours(point) {
        if position.board.cell(n) == Cell::Empty {
            open += 1;
            doomed += usize::from(doom(position, n).is_some());
        }
    }
    match doomed {
        0 => {}
        all if all == open => note(9),
        _ => note(10),
    }
}

fn nuke_signs<const C: bool>(
    position: &Position<Nuclear<C>>,
    point: Point,
    note: &mut dyn FnMut(usize),
) {
    const MOST: usize = 8;
    let (board, own) = (&position.board, position.to_move);
    let ring = |i| board.grid().towards(point, i);
    let empty: SmallVec<[Point; 8]> = (0..8)
        .map(ring)
        .filter(|&n| board.cell(n) == Cell::Empty)
        .collect();
    if board
        .group(point)
        .is_some_and(|group| group.liberties.single().is_some())
    {
        note(11);
    }
    if board.neighbours(point).any(|n| board.cell(n) == Cell::Void) {
        note(12);
    }
    let surrounded = |stone: Point| {
        let liberties = board.liberties_of(stone, MOST + 1);
        liberties.iter().all(|liberty| empty.contains(liberty))
    };
    let near = || empty.iter().flat_map(|&n| board.neighbours(n));
    if near().any(|n| board.cell(n) == Cell::stone(!own) && surrounded(n)) {
        note(13);
    }
    if near()
        .any(|n| board.cell(n) == Cell::stone(own) && !board.same_group(n, point) && surrounded(n))
    {
        note(14);
    }
    note(match empty.len() {
        0..=1 => 15,
        2..=4 => 16,
        _ => 17,
    });
}
