//! # `sygo`: Sygo
//!
//! White moves first. A turn either sows or grows:
//!
//! - a **placement**: one stone on an empty point that touches no stone of the
//!   player's own colour;
//! - a **growth**: any number of the player's groups grow by one stone each. The
//!   stones are placed in an order; each stands on an empty point next to at
//!   least one group as it stood when the turn began, and next to none that has
//!   grown already in this turn. A stone that touches several such groups grows
//!   them all. A new stone may touch stones that were placed or flipped in this
//!   turn; that does not grow their group;
//! - a **balance turn**: a growth of at least one stone, followed by one
//!   placement. Only the colour that did not make the first turn of the game may
//!   do so, and only if nobody has grown in an earlier turn (making one counts
//!   as having grown);
//! - a pass.
//!
//! Captures flip: after each stone, enemy groups next to it without liberties
//! change colour at once and join the capturing groups. Own groups that touch a
//! flipped group count as grown for the rest of the turn. A stone whose group
//! is then without liberties is suicide and illegal. Nothing is ever taken
//! off, so there is no ko, and flipped stones are no prisoners. A growth is
//! legal if each of its stones is, in the order given.
//!
//! Two passes or a resignation end the game. Area is counted; draws happen.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `first` | **white**, black | the colour of the first turn; the side that moves second has the balance turn |
//! | `scoring` | **area**, territory | stones and regions, or regions alone |
//! | `ko` | **none**, simple, positional, situational | no effect: nothing is ever taken off |
//! | `board` | **rectangle**, cylinder, torus | the sides that are joined: none; left and right; all opposite sides |
//!
//! Size 19, any rectangle of sides 2 to 25; komi 0; no handicap; any points
//! may be blocked before the first turn. A growth is written `grow D4 E5 Q16`;
//! if the last vertex touches no own stone, it is the placement of a balance
//! turn. A client that knows one vertex a move grows stone by stone.

mod growth;
mod hints;
mod planes;

use super::go;
use super::illegal::Illegal;
use super::options::{Ko, RuleKey, Rules};
use super::position::Position;
use super::set_up::Placement;
use super::step::{Step, StepKind, StepKindInfo, Target, TurnLength};
use super::turn::Turn;
use super::variant::{BoardMark, Extras, Handicap, Variant, VariantInfo};
use crate::board::{Cell, Color, Directions, Joined, Labelled, Lattice, Point, PointSet, Random};
use growth::GrowthCandidates;
use planes::{SygoGlobal, SygoPlane};
use std::marker::PhantomData;
use std::ops::RangeInclusive;

/// One stone of a growth.
pub const GROW: StepKind = StepKind::new(1);

/// A placement next to an own stone.
pub const TOUCHES_OWN: Illegal =
    Illegal::Rule("placement: next to an own stone (that would be a growth)");
/// A growth away from the groups at the beginning of the turn.
pub const NO_ORIGINAL_GROUP: Illegal =
    Illegal::Rule("growth: not next to a group that you had at the start of the turn");
/// A second stone for one group.
pub const HAS_GROWN: Illegal = Illegal::Rule("growth: this group has already grown in this turn");
/// A placement after a growth without the right to it.
pub const NO_BALANCE: Illegal =
    Illegal::Rule("balance: you may no longer grow and place a stone in one turn");

/// Sygo: the right to balance, and the changes of the unfinished turn.
#[derive(Clone, Debug, Default)]
pub struct Sygo<L: Lattice<GroupLabel = u64> = Labelled> {
    opener: Option<Color>,
    grown_before: bool,
    /// Stones that came or flipped in this turn.
    new_stones: PointSet,
    /// Heads of the groups with a new stone, which have grown, and former heads of them.
    grown_heads: PointSet,
    growth: GrowthCandidates,
    lattice: PhantomData<L>,
}

impl<L: Lattice<GroupLabel = u64>> Variant for Sygo<L> {
    type Lattice = L;
    type OnJoined = Sygo<Joined<Labelled>>;

    const INFO: &'static VariantInfo = &VariantInfo {
        id: "sygo",
        summary: "Sygo: sow one stone or grow every group; captures flip colour",
        introduction: "White begins, and a turn either places one lone stone or lets any of your groups grow by one stone each. \
            Captured groups are not removed: they change colour and join the captors. \
            The side that did not begin may once grow and place a stone in the same turn, as long as nobody has grown before.",
        example: "D4, F6, grow D5, C6, grow E5, grow F5 C5, G3, grow E6 D6, grow G4 E4",
        source: include_str!("sygo.rs"),
        rules: Rules { ko: Ko::None, komi: 0.0, first: Color::White, ..Rules::GO },
        keys: &[RuleKey::Ko, RuleKey::Scoring, RuleKey::First, RuleKey::Board],
        handicap: Handicap::None,
        kinds: &[
            StepKindInfo::STONE,
            StepKindInfo {
                word: "grow",
                help: "grows with these stones, in this order",
                verb: "grows to",
                continuation: "grow the marked groups",
                target: Target::NextToOwn,
                length: TurnLength::Several,
                ..StepKindInfo::STONE
            },
        ],
        ko_has_no_effect: true,
        captures_flip: true,
        planes: SygoPlane::NAMES,
        globals: SygoGlobal::NAMES,
        experimental: false,
        ..go::BASE
    };

    fn start(position: &mut Position<Self>) -> Self {
        let mut state = Self::default();
        state.growth.name_all(&mut position.board);
        state
    }

    fn set_up(position: &mut Position<Self>, _: &Placement) {
        let Sygo { opener, grown_before, .. } = position.state;
        position.state = Self { opener, grown_before, ..Self::start(position) };
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.opener = other.opener;
        self.grown_before = other.grown_before;
        self.new_stones = other.new_stones;
        self.grown_heads = other.grown_heads;
        self.growth.copy_from(&other.growth);
    }

    #[inline]
    fn check(position: &Position<Self>, color: Color, step: Step) -> Result<(), Illegal> {
        match step.parts() {
            (GROW, point) => position.check_growth(color, point),
            (StepKind::STONE, point) => position.check_placement(color, point),
            (StepKind::PASS, _) => Self::may_pass(position, color),
            (StepKind::END, _) => Self::may_end(position),
            _ => Err(Illegal::NoSuchTurn),
        }
    }

    #[inline]
    fn turn_length(_: &Position<Self>, _: Color) -> RangeInclusive<u16> {
        1..=u16::MAX
    }

    #[inline]
    fn apply(position: &mut Position<Self>, color: Color, step: Step) -> bool {
        match step.parts() {
            (GROW, point) => {
                position.grow(color, point);
                return false;
            }
            (StepKind::STONE, point) => position.place_alone(color, point),
            _ => {}
        }
        if position.is_mid_turn() {
            let state = &mut position.state;
            state.grown_before = true;
            state.new_stones = PointSet::default();
            state.grown_heads = PointSet::default();
        }
        true
    }

    #[inline]
    fn turn_ended(position: &mut Position<Self>) {
        let latest = position.situation.latest.color;
        position.state.opener = position.state.opener.or(latest);
    }

    /// The stones, and the new ones among them, decide the further growths. Every step adds a stone
    /// that stays, so no position recurs.
    #[inline]
    fn mid_turn_key(position: &Position<Self>) -> Option<u64> {
        let state = &position.state;
        let rights = u64::from(state.may_balance(position.situation.to_move)) << 1
            | position.situation.to_move as u64;
        position.is_mid_turn().then(|| state.new_stones.hash_with(position.board.hash() ^ rights))
    }

    /// The last stone of a turn is a placement unless it touches an own stone.
    fn step_of_turn(position: &Position<Self>, color: Color, turn: &Turn, number: usize) -> Step {
        let Some(&point) = turn.points().get(number) else {
            return Step::END;
        };
        let last = number > 0 && number + 1 == turn.points().len();
        if last && !position.board.touches(point, color) {
            Step::stone(point)
        } else {
            Step::new(turn.kind(), point)
        }
    }

    fn for_each_step(position: &Position<Self>, color: Color, visit: &mut dyn FnMut(Step)) {
        for point in position.board.empties().iter() {
            for step in [Step::stone(point), Step::new(GROW, point)] {
                if Self::check(position, color, step).is_ok() {
                    visit(step);
                }
            }
        }
        position.for_each_step_without_point(color, visit);
    }

    fn extras(position: &Position<Self>) -> Extras {
        let grown = position.state.grown_before || position.is_mid_turn();
        Extras { grown, ..Extras::default() }
    }

    fn visit_future_state(position: &Position<Self>, note: &mut dyn FnMut(u64, Point)) {
        let state = &position.state;
        let rights = match state.opener {
            _ if state.grown_before => 0,
            None => 1,
            Some(opener) => 2 + opener as u64,
        };
        note(rights, Point::NONE);
    }

    fn hints(position: &Position<Self>, note: &mut dyn FnMut(BoardMark)) {
        position.note_hints(note);
    }

    fn note_planes(position: &Position<Self>, note: impl FnMut(usize, Point)) {
        position.note_planes(note);
    }

    fn note_globals(position: &Position<Self>, note: impl FnMut(usize, f32)) {
        position.note_globals(note);
    }

    /// Draws the first stone from all placements and growths. A growth goes on, stone by stone,
    /// until no group can grow, and ends with the placement of a balance turn if that is legal.
    #[inline]
    fn random_step(
        position: &mut Position<Self>,
        random: &mut Random,
        mut accept: impl FnMut(&Position<Self>, Step, &mut Random) -> bool,
    ) -> Step {
        if position.is_mid_turn() {
            return position.random_growth(random, accept);
        }
        let color = position.situation.to_move;
        let point = position.random_empty(random, |at, point, random| {
            at.may_draw(color, point) && accept(at, Self::stone_step_at(at, point), random)
        });
        point.map_or(Step::PASS, |point| Self::stone_step_at(position, point))
    }

    #[inline]
    fn stone_step_at(position: &Position<Self>, point: Point) -> Step {
        if position.board.touches(point, position.situation.to_move) {
            Step::new(GROW, point)
        } else {
            Step::stone(point)
        }
    }
}

impl<L: Lattice<GroupLabel = u64>> Sygo<L> {
    #[inline]
    fn may_balance(&self, color: Color) -> bool {
        !self.grown_before && self.opener == Some(!color)
    }
}

impl<L: Lattice<GroupLabel = u64>> Position<Sygo<L>> {
    fn check_growth(&self, color: Color, point: Point) -> Result<(), Illegal> {
        if self.board.cell(point) != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        self.check_originals(color, point)?;
        self.check_suicide(color, point)
    }

    /// Checks that a stone on `point` grows groups from the beginning of the turn, and no group
    /// that has grown. A group without new stones has not changed.
    fn check_originals(&self, color: Color, point: Point) -> Result<(), Illegal> {
        let (board, state) = (&self.board, &self.state);
        let is_own =
            |&n: &Point| board.cell(n) == Cell::stone(color) && !state.new_stones.contains(n);
        let mut original = board.neighbours(point).filter(is_own).peekable();
        if original.peek().is_none() {
            return Err(NO_ORIGINAL_GROUP);
        }
        if original.any(|n| state.grown_heads.contains(board.head(n))) {
            Err(HAS_GROWN)
        } else {
            Ok(())
        }
    }

    fn check_placement(&self, color: Color, point: Point) -> Result<(), Illegal> {
        if self.board.cell(point) != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        if self.is_mid_turn() && !self.state.may_balance(color) {
            return Err(NO_BALANCE);
        }
        if self.board.touches(point, color) {
            return Err(TOUCHES_OWN);
        }
        self.check_suicide(color, point)
    }

    fn check_suicide(&self, color: Color, point: Point) -> Result<(), Illegal> {
        if self.is_suicide(color, point) { Err(Illegal::Suicide) } else { Ok(()) }
    }

    /// Whether the group of the stone would have no liberties, with the groups that it flips and
    /// joins.
    #[inline]
    fn is_suicide(&self, color: Color, point: Point) -> bool {
        let board = &self.board;
        if board.has_open_neighbour(point) {
            return false;
        }
        let (own, enemy) = (Cell::stone(color), Cell::stone(!color));
        // Without branches, which would be unpredictable.
        let around = |at: Point| {
            board.neighbours(at).fold((false, false), |(lives, takes), n| {
                let last = board.is_last_liberty(n, point);
                let (is_own, is_enemy) = (board.cell(n) == own, board.cell(n) == enemy);
                (lives | (is_own & !last), takes | (is_enemy & last))
            })
        };
        let (lives, takes) = around(point);
        let joins_living = |captive| board.group_stones(captive).any(|stone| around(stone).0);
        let saved = || takes && board.captures(point, color).any(joins_living);
        !(lives || saved())
    }

    #[inline]
    fn place_alone(&mut self, color: Color, point: Point) {
        let Position { board, state, .. } = self;
        let without_liberties = board.place(point, color);
        state.growth.note_alone(board, color, point);
        self.flip(color, point, without_liberties, false);
    }

    #[inline]
    fn grow(&mut self, color: Color, point: Point) {
        let is_first = !self.is_mid_turn();
        let Position { board, state, .. } = self;
        if is_first {
            state.growth.begin(board, color);
        }
        let without_liberties = board.place(point, color);
        state.new_stones.insert(point);
        self.flip(color, point, without_liberties, true);
        let Position { board, state, .. } = self;
        state.grown_heads.insert(board.head(point));
        state.growth.note_grown(board, point);
    }

    /// Flips the enemy groups in these directions, which the latest stone left without liberties.
    /// In a growth their stones are new stones of the turn.
    #[inline]
    fn flip(&mut self, color: Color, point: Point, without_liberties: Directions, is_growth: bool) {
        let Position { board, state, .. } = self;
        for n in board.neighbours_in(point, without_liberties) {
            // In a second direction the same group is already flipped.
            if board.cell(n) == Cell::stone(!color) {
                if is_growth {
                    board.group_stones(n).for_each(|stone| {
                        state.new_stones.insert(stone);
                    });
                }
                state.growth.note_flip(board.label(n), color);
                board.flip_group(n);
            }
        }
    }

    #[inline(always)]
    fn may_draw(&self, color: Color, point: Point) -> bool {
        self.board.has_open_neighbour(point) || self.may_close(color, point)
    }

    /// Whether a playout may place a stone on a point without an open neighbour. Not inlined, since
    /// the first test mostly decides.
    #[inline(never)]
    fn may_close(&self, color: Color, point: Point) -> bool {
        !self.board.is_eye(point, color) && !self.is_suicide(color, point)
    }

    #[inline]
    fn random_growth(
        &mut self,
        random: &mut Random,
        mut accept: impl FnMut(&Position<Sygo<L>>, Step, &mut Random) -> bool,
    ) -> Step {
        let color = self.situation.to_move;
        while let Some(point) = self.state.growth.draw(random) {
            let is_sure =
                !self.state.growth.is_guess() || self.check_originals(color, point).is_ok();
            if is_sure
                && self.may_draw(color, point)
                && accept(self, Step::new(GROW, point), random)
            {
                return Step::new(GROW, point);
            }
        }
        if self.state.may_balance(color) {
            let placed = self.random_empty(random, |at, point, random| {
                !at.board.touches(point, color)
                    && at.may_draw(color, point)
                    && accept(at, Step::stone(point), random)
            });
            return placed.map_or(Step::END, Step::stone);
        }
        Step::END
    }
}
