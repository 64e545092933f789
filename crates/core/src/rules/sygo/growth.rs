//! The groups that may still grow in a turn, for random growths.
//!
//! Each group has an id bit; merged groups keep the bits of both. A point stores the bits of all
//! groups that were ever adjacent to it. Stones are never taken off, so these groups are still on
//! the board. A growth begins with a list of the empty points next to own stones and their bits. A
//! point leaves the list once one of its groups has grown. A stone on a remaining point grows a
//! group, but may be suicide. (If there are more groups than bits, some groups share the last bit,
//! and the list is approximate.)

use crate::board::{Board, CAPACITY, Color, Lattice, Point, PointMap, Random};

/// The lowest name; the bits below it have the point of an item of the list.
const FIRST: u32 = CAPACITY.trailing_zeros();
/// Maximum number of names in use before all groups get new ones.
const RENAMED: u32 = u64::BITS - 8;

/// The names around every point, and the list of the unfinished turn.
#[derive(Clone, Debug)]
pub(super) struct GrowthCandidates {
    /// At least one name of each group next to each point.
    around: PointMap<u64>,
    names: [u64; 2],
    next: u32,
    shared: bool,
    slots: usize,
    /// Empty points, each with the names around it.
    left: [u64; CAPACITY],
    len: usize,
    grown: u64,
}

impl Default for GrowthCandidates {
    fn default() -> Self {
        GrowthCandidates {
            around: PointMap::filled(0),
            names: [0; 2],
            next: FIRST,
            shared: false,
            slots: 0,
            left: [0; CAPACITY],
            len: 0,
            grown: 0,
        }
    }
}

impl GrowthCandidates {
    #[inline]
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.slots = other.slots;
        self.around.copy_prefix(&other.around, other.slots);
        self.names = other.names;
        self.next = other.next;
        self.shared = other.shared;
        self.grown = other.grown;
        self.len = other.len;
        self.left[..self.len].copy_from_slice(&other.left[..self.len]);
    }

    pub(super) fn name_all<L: Lattice<GroupLabel = u64>>(&mut self, board: &mut Board<L>) {
        self.slots = board.grid().slots();
        (self.names, self.next) = ([0; 2], FIRST);
        let groups = Color::BOTH.map(|color| u32::from(board.groups(color)));
        self.shared = groups[0] + groups[1] > RENAMED - FIRST;
        for point in board.grid().span() {
            self.around[point] = 0;
            if board.head(point) == point
                && let Some(color) = board.cell(point).color()
            {
                board.set_label(point, 1 << self.next);
                self.names[color as usize] |= 1 << self.next;
                self.next = (self.next + 1).min(u64::BITS - 1);
            }
        }
        self.next = self.next.min(RENAMED);
        for point in board.grid().span() {
            if board.cell(point).is_stone() {
                self.spread(board, point);
            }
        }
    }

    /// Adds the names of a stone's group to the points around it.
    #[inline]
    fn spread<L: Lattice<GroupLabel = u64>>(&mut self, board: &Board<L>, stone: Point) {
        let names = board.label(stone);
        for n in board.neighbours(stone) {
            self.around[n] |= names;
        }
    }

    /// Notes a new single stone of `color` on `point`.
    #[inline]
    pub(super) fn note_alone<L: Lattice<GroupLabel = u64>>(
        &mut self,
        board: &mut Board<L>,
        color: Color,
        point: Point,
    ) {
        let name = 1 << self.next;
        self.names[color as usize] |= name;
        board.set_label(point, name);
        self.spread(board, point);
        self.next += 1;
        if self.next == u64::BITS {
            self.name_all(board);
        }
    }

    #[inline]
    pub(super) fn note_flip(&mut self, names: u64, color: Color) {
        self.names[color as usize] |= names;
        self.names[!color as usize] &= !names;
    }

    /// Notes a stone of a growth, after its flips.
    #[inline]
    pub(super) fn note_grown<L: Lattice<GroupLabel = u64>>(
        &mut self,
        board: &Board<L>,
        point: Point,
    ) {
        self.grown |= board.label(point);
        self.spread(board, point);
    }

    #[inline]
    pub(super) fn is_guess(&self) -> bool {
        self.shared
    }

    /// Lists all points where groups of `color` may grow at the beginning of a growth.
    #[inline]
    pub(super) fn begin<L: Lattice<GroupLabel = u64>>(&mut self, board: &Board<L>, color: Color) {
        let names = self.names[color as usize];
        let mut len = 0;
        for &point in board.empties().active() {
            let around = self.around[point];
            self.left[len % CAPACITY] = point.index() as u64 | around;
            len += usize::from(around & names != 0);
        }
        (self.len, self.grown) = (len, 0);
    }

    /// Draws a point where a group may grow, and removes it from the list.
    #[inline]
    pub(super) fn draw(&mut self, random: &mut Random) -> Option<Point> {
        /// Number of reads of the list that take as long as one useless draw.
        const LOOKS: usize = 8;
        let mut looks = LOOKS;
        loop {
            let last = self.len.checked_sub(1)?;
            let at = random.below(self.len as u32) as usize;
            let item = self.left[at % CAPACITY];
            self.left[at % CAPACITY] = self.left[last % CAPACITY];
            self.len = last;
            if item & self.grown == 0 {
                return Some(Point::at(item as u16));
            }
            if looks >= self.len {
                self.remove_grown();
            }
            looks += LOOKS;
        }
    }

    /// Removes all points where no group may grow any more.
    #[inline]
    fn remove_grown(&mut self) {
        let (mut kept, grown) = (0, self.grown);
        for at in 0..self.len {
            let item = self.left[at % CAPACITY];
            self.left[kept % CAPACITY] = item;
            kept += usize::from(item & grown == 0);
        }
        self.len = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::super::{GROW, Sygo};
    use super::GrowthCandidates;
    use crate::board::{Cell, Point, PointSet, Random};
    use crate::rules::{Position, Setup, Size, Step, StepKind, Variant, variant};

    /// Draws a step that places a stone. Starts a growth in one of `grow_one_in` turns, or if no
    /// placement is legal, and always continues a growth. Otherwise ends the turn.
    fn any_step(position: &Position<Sygo>, random: &mut Random, grow_one_in: u32) -> Step {
        let growing = position.is_mid_turn();
        let (mut stones, mut growths) = (Vec::new(), Vec::new());
        Sygo::for_each_step(position, position.situation.to_move, &mut |step| match step.parts() {
            (StepKind::STONE, _) => stones.push(step),
            (GROW, _) => growths.push(step),
            _ => {}
        });
        let grow = growing || stones.is_empty() || random.below(grow_one_in) == 0;
        let steps = if grow && (growing || !growths.is_empty()) { growths } else { stones };
        let end = if growing { Step::END } else { Step::PASS };
        let drawn = random.below(steps.len() as u32) as usize;
        steps.get(drawn).copied().unwrap_or(end)
    }

    /// The points on the list where nothing has grown.
    fn listed(growth: &GrowthCandidates) -> PointSet {
        let mut points = PointSet::default();
        for item in growth.left.iter().take(growth.len) {
            if item & growth.grown == 0 {
                points.insert(Point::at(*item as u16));
            }
        }
        points
    }

    /// Plays random steps and compares the list with the rule in the middle of every turn. Returns
    /// the number of comparisons and of approximate lists. Every drawn step must be legal.
    fn compare(side: u8, turns: u32, grow_one_in: u32) -> (u32, u32) {
        let setup =
            Setup { size: Size::square(side), ..Setup::new(variant("sygo").expect("a variant")) };
        let mut position: Position<Sygo> = setup.start().expect("a position");
        let mut random = Random::new(7);
        let (mut compared, mut guesses) = (0, 0);
        while position.situation.turns < turns && !position.situation.is_over() {
            let color = position.situation.to_move;
            let step = any_step(&position, &mut random, grow_one_in);
            position.make(color, step);
            if !position.is_mid_turn() {
                continue;
            }
            compared += 1;
            let drawn = Sygo::random_step(&mut position.clone(), &mut random, |_, _, _| true);
            assert!(Sygo::check(&position, color, drawn).is_ok(), "{drawn:?}");
            let growth = &position.state.growth;
            guesses += u32::from(growth.is_guess());
            let listed = listed(growth);
            for point in position.board.grid().points() {
                let may = position.board.cell(point) == Cell::Empty
                    && position.check_originals(color, point).is_ok();
                assert!(growth.is_guess() || may == listed.contains(point));
            }
        }
        (compared, guesses)
    }

    #[test]
    fn the_list_holds_what_may_grow() {
        let (compared, guesses) = compare(9, 200, 2);
        assert!(compared > 20 && guesses == 0, "{compared} {guesses}");
        let (compared, guesses) = compare(19, 1000, 3);
        assert!(compared > 100 && guesses < compared, "{compared} {guesses}");
    }

    #[test]
    fn with_very_many_groups_the_list_is_a_guess_that_is_checked() {
        let (compared, guesses) = compare(19, 300, 40);
        assert!(guesses > 100, "{compared} {guesses}");
    }
}
