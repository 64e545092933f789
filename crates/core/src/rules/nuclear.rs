//! The rules that `no` and `go-san` share: nukes, voids that spread by a fixed schedule, and
//! the cascade that follows.
//!
//! The state has no arrows: every void acts once a turn from the turn after its birth on, so the
//! arrow is its age in eighths of a rotation. It has no resolver tokens either: at the end of a
//! turn every void is processed, and carries a token on even turns only.

mod planes;
mod schedule;
mod voids;

use super::illegal::Illegal;
use super::options::NukeActs;
use super::position::{Ending, Position};
use super::set_up::{Piece, Placement};
use super::step::{Step, StepKind, StepKindInfo, Target};
use super::variant::{BoardMark, Extras, SPECIAL_STEP_INTERVAL, Variant, VariantInfo};
use crate::board::{Board, Cell, Color, FewLiberties, Flat, Grid, Joined, Lattice, Point, Random};
use schedule::BitIndex;
use smallvec::SmallVec;
use std::cmp::Reverse;
use std::fmt::Debug;
use std::marker::PhantomData;
use voids::Voids;

pub use planes::{NuclearGlobal, NuclearPlane};
pub use voids::{ARROWS, Void};

/// The nuclear variants.
#[derive(Clone, Debug, Default)]
pub struct Nuclear<G: NuclearGame, L: Lattice = Flat> {
    voids: Voids,
    game: PhantomData<(G, L)>,
}

/// The differences between nuclear variants.
pub trait NuclearGame: Clone + Copy + Default + Debug + Send + Sync + 'static {
    /// The record.
    const INFO: &'static VariantInfo;

    /// Whether voids stay within one row and one column of their origin.
    const CONTAINED: bool;
}

/// A nuke: an own stone becomes a void.
pub const NUKE: StepKind = StepKind::new(1);

/// The kinds of step of all nuclear variants.
pub const KINDS: &[StepKindInfo] = &[
    StepKindInfo::STONE,
    StepKindInfo {
        word: "nuke",
        help: "the own stone on VERTEX becomes a void",
        verb: "nukes",
        key: 'n',
        target: Target::OwnStone,
        leaves: Some(Cell::Void),
        on_panel: true,
        ..StepKindInfo::STONE
    },
];

/// Only own stones can become voids.
pub const NOT_OWN_STONE: Illegal = Illegal::Rule("nuke: there is no stone of yours on this point");

impl<G: NuclearGame, L: Lattice> Nuclear<G, L> {
    /// The voids, oldest first.
    pub fn voids(&self, grid: &Grid) -> Vec<Void> {
        self.voids.with_origins::<G, L>(grid)
    }
}

impl<G: NuclearGame, L: Lattice> Variant for Nuclear<G, L> {
    type Lattice = L;
    type OnJoined = Nuclear<G, Joined>;

    const HAS_UNCONDITIONAL_EYES: bool = G::CONTAINED;

    const INFO: &'static VariantInfo = G::INFO;

    fn start(position: &mut Position<Self>) -> Self {
        let mut state = Self::default();
        let empties = position.board.empties();
        let grid = position.board.grid();
        empties
            .iter()
            .for_each(|point| state.voids.schedule.note_empty(BitIndex::new(grid, point)));
        state
    }

    /// A void that is set up begins like a nuke: it is its own origin.
    fn set_up(position: &mut Position<Self>, set_up: &Placement) {
        let (turns, grid) = (position.situation.turns, *position.board.grid());
        let is_set_up = |void: &Void| set_up.cells.iter().any(|(at, _)| *at == void.point);
        let mut voids = position.state.voids(&grid);
        voids.retain(|void| !is_set_up(void));
        voids.extend(set_up.cells.iter().filter_map(|&(point, piece)| match piece {
            Some(Piece::Void(arrow)) => {
                let birth = turns.wrapping_sub(u32::from(arrow));
                Some(Void { point, origin: point, birth })
            }
            _ => None,
        }));
        voids.sort_by_key(|void| Reverse(turns.wrapping_sub(void.birth)));
        let mut state = Self::start(position);
        voids.into_iter().for_each(|void| state.voids.push::<G>(void));
        state.voids.schedule_new::<G, L>(&grid);
        position.state = state;
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.voids.copy_from(&other.voids);
    }

    #[inline]
    fn check(position: &Position<Self>, color: Color, step: Step) -> Result<(), Illegal> {
        match step.parts() {
            (StepKind::PASS, _) => Self::may_pass(position, color),
            (StepKind::STONE, point) => position.check_stone(color, point),
            (NUKE, point) if position.board.cell(point) == Cell::stone(color) => Ok(()),
            (NUKE, _) => Err(NOT_OWN_STONE),
            _ => Err(Illegal::NoSuchTurn),
        }
    }

    #[inline]
    fn apply(position: &mut Position<Self>, color: Color, step: Step) -> bool {
        match step.parts() {
            (StepKind::STONE, point) => {
                position.place_and_capture(color, point);
                let Position { board, state, .. } = position;
                state.voids.schedule.note_occupied(BitIndex::new(board.grid(), point));
                position.note_vacated(position.situation.latest.captured);
            }
            (NUKE, point) => position.apply_nuke(point),
            _ => {}
        }
        true
    }

    #[inline]
    fn turn_ended(position: &mut Position<Self>) {
        position.resolve();
        if !position.state.voids.capturing_voids().is_empty() {
            position.cascade();
        }
        if position.board.empties().is_empty() {
            position.situation.ending =
                Some(Ending::Counted("No empty point is left: the game ends."));
        }
    }

    fn for_each_step(position: &Position<Self>, color: Color, visit: &mut dyn FnMut(Step)) {
        position.for_each_stone(color, visit);
        let own = Cell::stone(color);
        for point in position.board.grid().span() {
            if position.board.cell(point) == own {
                visit(Step::new(NUKE, point));
            }
        }
        position.for_each_step_without_point(color, visit);
    }

    fn extras(position: &Position<Self>) -> Extras {
        let voids = position.state.voids(position.board.grid()).into_iter();
        Extras {
            voids: voids.map(|v| (v.point, v.arrow(position.situation.turns), v.origin)).collect(),
            ..Extras::default()
        }
    }

    fn hints(position: &Position<Self>, note: &mut dyn FnMut(BoardMark)) {
        let grid = position.board.grid();
        for void in position.state.voids(grid) {
            let arrow = void.arrow(position.situation.turns + 1);
            let to = grid.neighbour_towards::<L>(void.point, arrow);
            if void.reaches::<G, L>(grid, to) && position.board.cell(to) == Cell::Empty {
                let from = void.point;
                note(BoardMark::Spreads { from, to, arrow });
            }
        }
    }

    /// Visits the voids next to a point that can still become a void. Where voids are contained,
    /// the first of several that show a point hands on its origin, so the order counts.
    fn visit_future_state(position: &Position<Self>, note: &mut dyn FnMut(u64, Point)) {
        let (board, voids) = (&position.board, &position.state.voids);
        let grid = board.grid();
        for void in voids.as_slice() {
            let may_take = |eighth| {
                let at = grid.neighbour_towards::<L>(void.point, eighth);
                void.reaches::<G, L>(grid, at) && !board.cell(at).is_solid()
            };
            if !(0..8).any(may_take) {
                continue;
            }
            note(1 + void.arrow(position.situation.turns) as u64, void.point);
            if G::CONTAINED {
                note(0, void.origin);
            }
        }
    }

    fn note_planes(position: &Position<Self>, note: impl FnMut(usize, Point)) {
        position.note_planes(note);
    }

    fn note_globals(position: &Position<Self>, note: impl FnMut(usize, f32)) {
        position.note_globals(note);
    }

    /// Draws a stone; once in `SPECIAL_STEP_INTERVAL` turns a nuke.
    #[inline]
    fn random_step(
        position: &mut Position<Self>,
        random: &mut Random,
        mut accept: impl FnMut(&Position<Self>, Step, &mut Random) -> bool,
    ) -> Step {
        let color = position.situation.to_move;
        if random.below(SPECIAL_STEP_INTERVAL) == 0
            && let Some(nuke) = Self::random_special_step(position, random)
            && accept(position, nuke, random)
        {
            return nuke;
        }
        let point = position.random_empty(random, |at, point, random| {
            at.is_playout_candidate(color, point) && accept(at, Step::stone(point), random)
        });
        point.map_or(Step::PASS, Step::stone)
    }

    #[inline]
    fn random_special_step(position: &mut Position<Self>, random: &mut Random) -> Option<Step> {
        let (board, color) = (&position.board, position.situation.to_move);
        (board.stones(color) > 0).then(|| Step::new(NUKE, board.random_stone(color, random)))
    }

    /// A nuke is useful on a stone in atari, or next to a group whose last one or two liberties its
    /// voids will reach.
    #[inline]
    fn is_useful(position: &Position<Self>, step: Step) -> bool {
        let (NUKE, point) = step.parts() else {
            return false;
        };
        let board = &position.board;
        let grid = board.grid();
        let dies = |n| match board.few_liberties(n) {
            FewLiberties::One(last) => grid.is_within_one::<L>(last, point),
            FewLiberties::Two(one, two) => {
                grid.is_within_one::<L>(one, point) && grid.is_within_one::<L>(two, point)
            }
            FewLiberties::Other => false,
        };
        let in_atari = matches!(board.few_liberties(point), FewLiberties::One(_));
        let enemy = Cell::stone(!position.situation.to_move);
        in_atari || board.neighbours(point).any(|n| board.cell(n) == enemy && dies(n))
    }
}

impl<G: NuclearGame, L: Lattice> Position<Nuclear<G, L>> {
    fn apply_nuke(&mut self, point: Point) {
        self.board.make_void(point);
        let turn = self.situation.turns + 1;
        let birth = match self.situation.rules.nuke_acts {
            NukeActs::Next => turn,
            NukeActs::Now => turn - 1,
        };
        let Position { board, situation, state } = self;
        let voids = &mut state.voids;
        voids.push::<G>(Void { point, origin: point, birth });
        if situation.rules.nuke_acts == NukeActs::Now {
            voids.schedule_new::<G, L>(board.grid());
        }
        // The nuke may leave parts of its group without liberties.
        voids.note_capturing(point, board.groups_without_liberties_around(point));
    }

    /// Every void older than this turn turns its arrow, and spreads if it points at an
    /// empty point. Their order matters only to the origins of new voids.
    #[inline]
    fn resolve(&mut self) {
        let Position { board, situation, state } = self;
        let (voids, turn) = (&mut state.voids, situation.turns);
        let mut targets = voids.schedule.due_targets(board.grid(), turn);
        if targets.is_empty() {
            return voids.schedule_new::<G, L>(board.grid());
        }
        if G::CONTAINED {
            let ordered = voids.in_order::<L>(board.grid(), turn, targets);
            voids.schedule_new::<G, L>(board.grid());
            for &(place, target) in &ordered {
                let origin = voids.as_slice()[usize::from(place)].origin;
                let place = BitIndex::new(board.grid(), target);
                spread::<G, L>(board, voids, (target, place), origin, turn);
            }
        } else {
            voids.schedule_new::<G, L>(board.grid());
            while let Some(target) = targets.next(board.grid()) {
                spread::<G, L>(board, voids, target, Point::NONE, turn);
            }
        }
    }

    /// Removes all groups without liberties at once. Each of them touches a new void: the parts of
    /// a group that a nuke divides touch the nuke.
    fn cascade(&mut self) {
        let Position { board, state, .. } = self;
        let mut dead: SmallVec<[(Point, Color); 16]> = SmallVec::new();
        for &(at, without_liberties) in state.voids.capturing_voids() {
            for stone in board.neighbours_in(at, without_liberties) {
                dead.extend(board.cell(stone).color().map(|color| (stone, color)));
            }
        }
        state.voids.clear_capturing();
        for &(stone, color) in &dead {
            // A group may be listed twice; the second removal finds it gone.
            let removed = self.board.remove_group(stone);
            self.note_vacated(removed);
            self.situation.captures[!color as usize] += i32::from(removed);
        }
    }

    /// Notes the `count` points that became empty last.
    #[inline]
    fn note_vacated(&mut self, count: u16) {
        let Position { board, state, .. } = self;
        for &point in board.empties().last_added(usize::from(count)) {
            state.voids.schedule.note_empty(BitIndex::new(board.grid(), point));
        }
    }
}

#[inline]
fn spread<G: NuclearGame, L: Lattice>(
    board: &mut Board<L>,
    voids: &mut Voids,
    (point, place): (Point, BitIndex),
    origin: Point,
    birth: u32,
) {
    let without_liberties = board.fill(point, Cell::Void);
    voids.note_capturing(point, without_liberties);
    voids.schedule.note_occupied(place);
    let void = Void { point, origin, birth };
    voids.push_scheduled::<G, L>(board.grid(), void, place);
}

#[cfg(test)]
mod tests {
    use super::{NUKE, Point, Step, Variant};
    use crate::board::Color;
    use crate::rules::go_san::{self, GoSan};
    use crate::rules::{AnyGame, Setup, Turn};

    /// Whether White's nuke on a point of 9x9 is useful after these turns.
    fn is_useful(turns: &[(u8, u8)], nuke: (u8, u8)) -> bool {
        let mut game = AnyGame::new(&Setup::new(&go_san::INFO)).expect("a game");
        let grid = *game.grid();
        let point = |(x, y)| -> Point { grid.point(x, y).expect("a point") };
        for (color, &at) in Color::BOTH.into_iter().cycle().zip(turns) {
            game.play(color, &Turn::stone(point(at))).expect("legal");
        }
        assert_eq!(game.position().situation().to_move, Color::White);
        GoSan::is_useful(game.position().of_variant(), Step::new(NUKE, point(nuke)))
    }

    #[test]
    fn a_nuke_is_useful_in_atari_and_where_voids_will_kill() {
        let in_corner = [(1, 0), (0, 0), (5, 5)];
        assert!(is_useful(&in_corner, (0, 0)));
        let both_reached = [(0, 1), (1, 1), (0, 0)];
        assert!(is_useful(&both_reached, (1, 1)));
        for (turns, nuke, why) in [
            ([(1, 0), (2, 0), (0, 0)], (2, 0), "one liberty is out of reach"),
            ([(0, 2), (1, 2), (0, 1)], (1, 2), "three liberties"),
            ([(0, 0), (1, 1), (5, 5)], (1, 1), "not next to it"),
        ] {
            assert!(!is_useful(&turns, nuke), "{why}");
        }
    }
}
