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
//! off, so there is no ko, and flipped stones are not prisoners. A growth is
//! legal if each of its stones is, in the order given.
//!
//! Two passes or a resignation end the game. Area is counted; draws happen.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `first` | **white**, black | the colour of the first turn; the side that moves second has the balance turn |
//! | `scoring` | **area**, territory | stones and regions, or only regions |
//! | `ko` | **none**, simple, positional, situational | no effect: nothing is ever taken off |
//! | `board` | **rectangle**, cylinder, torus | the sides that are joined: none; left and right; all opposite sides |
//!
//! Size 19, any rectangle of sides 2 to 25; komi 0; no handicap; any points
//! may be blocked before the first turn. A growth is written `grow D4 E5 Q16`;
//! if the last vertex touches no own stone, it is the placement of a balance
//! turn. A client that knows one vertex per move grows stone by stone.

use super::go;
use super::illegal::Illegal;
use super::options::{Ko, RuleKey, Rules};
use super::placement::Placement;
use super::position::Position;
use super::step::{Step, StepKind, StepKindInfo, Target, TurnLength};
use super::turn::Turn;
use super::variant::{BoardMark, Extras, Handicap, Variant, VariantInfo};
use crate::board::{Cell, Color, Point, PointSet};
use std::ops::RangeInclusive;

/// One stone of a growth.
pub const GROW: StepKind = StepKind::new(1);

/// A placement next to a stone of the mover.
pub const TOUCHES_OWN: Illegal =
    Illegal::Rule("placement: next to one of your stones (that would be a growth)");
/// A growth away from the groups at the beginning of the turn.
pub const NO_ORIGINAL_GROUP: Illegal =
    Illegal::Rule("growth: not next to a group that you had at the start of the turn");
/// A second stone for one group.
pub const HAS_GROWN: Illegal = Illegal::Rule("growth: this group has already grown in this turn");
/// A placement after a growth without the right to it.
pub const NO_BALANCE: Illegal =
    Illegal::Rule("balance: you may no longer grow and place a stone in one turn");

/// The record of `sygo`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Sygo,
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
    planes: &["new", "grown", "may-grow"],
    globals: &["mid-turn", "own-balance", "enemy-balance"],
    experimental: false,
    ..go::BASE
};

/// The rules of Sygo.
#[derive(Debug)]
struct Sygo;

/// The right to balance, and the changes of the unfinished turn.
#[derive(Clone, Copy, Debug, Default)]
struct Growth {
    opener: Option<Color>,
    grown_before: bool,
    /// Stones that came or flipped in this turn.
    new_stones: PointSet,
    /// Heads of the groups with a new stone, which have grown, and former heads of them.
    grown_heads: PointSet,
}

impl Growth {
    fn may_balance(&self, color: Color) -> bool {
        !self.grown_before && self.opener == Some(!color)
    }

    /// Forgets the changes of the turn.
    fn end_turn(&mut self) {
        (self.new_stones, self.grown_heads) = Default::default();
    }
}

impl Variant for Sygo {
    fn start(&self, position: &mut Position) {
        position.set_state(Growth::default());
    }

    fn set_up(&self, position: &mut Position, _: &Placement) {
        position.state_mut::<Growth>().end_turn();
    }

    fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
        match step.parts() {
            (GROW, point) => check_growth(position, color, point),
            (StepKind::STONE, point) => check_placement(position, color, point),
            _ => self.check_without_point(position, color, step),
        }
    }

    fn turn_length(&self, _: &Position, _: Color) -> RangeInclusive<u16> {
        1..=u16::MAX
    }

    fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
        match step.parts() {
            (GROW, point) => {
                place(position, color, point, true);
                return false;
            }
            (StepKind::STONE, point) => place(position, color, point, false),
            _ => {}
        }
        if position.is_mid_turn() {
            let growth = position.state_mut::<Growth>();
            growth.grown_before = true;
            growth.end_turn();
        }
        true
    }

    fn turn_ended(&self, position: &mut Position) {
        let (_, situation, growth) = position.parts::<Growth>();
        growth.opener = growth.opener.or(situation.latest.color);
    }

    /// The stones, and the new ones among them, decide the further growths. Every step adds a stone
    /// that stays, so no position recurs.
    fn mid_turn_key(&self, position: &Position) -> Option<u64> {
        let state = position.state::<Growth>();
        let rights = u64::from(state.may_balance(position.situation.to_move)) << 1
            | position.situation.to_move as u64;
        position.is_mid_turn().then(|| state.new_stones.hash_with(position.board.hash() ^ rights))
    }

    /// The last stone of a turn is a placement unless it touches a stone of the mover.
    fn step_of_turn(&self, position: &Position, color: Color, turn: &Turn, number: usize) -> Step {
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

    fn for_each_step(&self, position: &Position, color: Color, visit: &mut dyn FnMut(Step)) {
        for point in position.board.empties().iter() {
            for step in [Step::stone(point), Step::new(GROW, point)] {
                if self.check(position, color, step).is_ok() {
                    visit(step);
                }
            }
        }
        position.for_each_step_without_point(color, visit);
    }

    fn extras(&self, position: &Position) -> Extras {
        let grown = position.state::<Growth>().grown_before || position.is_mid_turn();
        Extras { grown, ..Extras::default() }
    }

    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        let state = position.state::<Growth>();
        let rights = match state.opener {
            _ if state.grown_before => 0,
            None => 1,
            Some(opener) => 2 + opener as u64,
        };
        note(rights, Point::NONE);
    }

    /// Notes the right to a balance turn, and the groups that may still grow in the unfinished turn.
    fn hints(&self, position: &Position, note: &mut dyn FnMut(BoardMark)) {
        let (board, color) = (&position.board, position.situation.to_move);
        let state = position.state::<Growth>();
        if state.may_balance(color) {
            note(BoardMark::Closes {
                kind: StepKind::STONE,
                name: "balance stone",
                advice: "A balance stone may follow if you grow in this turn.",
            });
        }
        if !position.is_mid_turn() {
            return;
        }
        let own = Cell::stone(color);
        let unchanged =
            |&n: &Point| board.cell(n) == own && !state.grown_heads.contains(board.head(n));
        let mut heads = PointSet::default();
        for point in board.empties().iter() {
            if check_growth(position, color, point).is_ok() {
                let grown = board.neighbours(point).filter(unchanged);
                grown.for_each(|n| {
                    heads.insert(board.head(n));
                });
            }
        }
        let stones = board.grid().points().filter(|&p| board.cell(p) == own);
        for stone in stones.filter(|&stone| heads.contains(board.head(stone))) {
            note(BoardMark::Continues(stone));
        }
    }

    fn note_planes(&self, position: &Position, note: &mut dyn FnMut(usize, Point)) {
        let (board, state) = (&position.board, position.state::<Growth>());
        for point in board.empties().iter() {
            if check_growth(position, position.situation.to_move, point).is_ok() {
                note(2, point);
            }
        }
        if !position.is_mid_turn() {
            return;
        }
        for point in board.grid().points().filter(|&point| board.cell(point).is_stone()) {
            if state.new_stones.contains(point) {
                note(0, point);
            }
            if state.grown_heads.contains(board.head(point)) {
                note(1, point);
            }
        }
    }

    fn note_globals(&self, position: &Position, note: &mut dyn FnMut(usize, f32)) {
        let (state, own) = (position.state::<Growth>(), position.situation.to_move);
        // Before the first turn the side to move will open.
        let opener = Some(state.opener.unwrap_or(own));
        let may_balance = |color: Color| !state.grown_before && opener == Some(!color);
        note(0, f32::from(position.is_mid_turn()));
        note(1, f32::from(may_balance(own)));
        note(2, f32::from(may_balance(!own)));
    }

    fn stone_step_at(&self, position: &Position, point: Point) -> Step {
        if position.board.touches(point, position.situation.to_move) {
            Step::new(GROW, point)
        } else {
            Step::stone(point)
        }
    }
}

fn check_growth(position: &Position, color: Color, point: Point) -> Result<(), Illegal> {
    if position.board.cell(point) != Cell::Empty {
        return Err(Illegal::Occupied);
    }
    check_originals(position, color, point)?;
    check_suicide(position, color, point)
}

/// Checks that a stone on `point` grows groups from the beginning of the turn, and no group
/// that has grown. A group without new stones has not changed.
fn check_originals(position: &Position, color: Color, point: Point) -> Result<(), Illegal> {
    let (board, state) = (&position.board, position.state::<Growth>());
    let is_own = |&n: &Point| board.cell(n) == Cell::stone(color) && !state.new_stones.contains(n);
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

fn check_placement(position: &Position, color: Color, point: Point) -> Result<(), Illegal> {
    if position.board.cell(point) != Cell::Empty {
        return Err(Illegal::Occupied);
    }
    if position.is_mid_turn() && !position.state::<Growth>().may_balance(color) {
        return Err(NO_BALANCE);
    }
    if position.board.touches(point, color) {
        return Err(TOUCHES_OWN);
    }
    check_suicide(position, color, point)
}

fn check_suicide(position: &Position, color: Color, point: Point) -> Result<(), Illegal> {
    if is_suicide(position, color, point) { Err(Illegal::Suicide) } else { Ok(()) }
}

/// Whether the group of the stone would have no liberties, with the groups that it flips and
/// joins.
fn is_suicide(position: &Position, color: Color, point: Point) -> bool {
    let board = &position.board;
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

/// Places a stone and flips the enemy groups that it leaves without liberties. In a growth these
/// stones are new stones of the turn, and the stone's group has grown.
fn place(position: &mut Position, color: Color, point: Point, is_growth: bool) {
    let (board, _, growth) = position.parts::<Growth>();
    let without_liberties = board.place(point, color);
    for n in board.neighbours_in(point, without_liberties) {
        // In a second direction the same group is already flipped.
        if board.cell(n) == Cell::stone(!color) {
            if is_growth {
                board.group_stones(n).for_each(|stone| {
                    growth.new_stones.insert(stone);
                });
            }
            board.flip_group(n);
        }
    }
    if is_growth {
        growth.new_stones.insert(point);
        growth.grown_heads.insert(board.head(point));
    }
}
