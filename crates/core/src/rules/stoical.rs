//! # `stoical`: Stoical Go
//!
//! Go with area scoring and another ko rule: a turn may not capture if the turn
//! just before it was made by the opponent and captured. So ko fights need a
//! threat before every capture, and snapbacks do not work.
//!
//! A placement that brings an earlier position of the game back (at the end of
//! a turn, or before the first) is legal, but ends the game at once in a draw,
//! whatever the score.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `stoical-rule` | **basic**, snapback, refined | which captures may answer a capture |
//! | `ko` | **none**, simple, positional, situational | a superko, if set, forbids a repetition before it can be a draw |
//! | `scoring` | **area**, territory | stones and regions, or regions and captures |
//! | `board` | **rectangle**, cylinder, torus | the sides that are joined: none; left and right; all opposite sides |
//!
//! `basic` forbids them all.
//!
//! `snapback` allows the second capture of a snapback: the opponent's placement
//! joined a stone and captured exactly one; this turn plays where that stone
//! stood, captures the whole group that made the capture, and its own group
//! then has two liberties or more.
//!
//! `refined` forbids a capture if three conditions hold for it and for the
//! opponent's capture before it:
//!
//! 1. both are *disturbing*,
//! 2. each took fewer than five stones,
//! 3. each had a *capturing domain* of fewer than five points.
//!
//! Even then it is allowed in any of these cases:
//!
//! - both are only *loosely* disturbing;
//! - the domain or the captured group of one of them is no *open line*;
//! - the opponent's placement joined a stone and captured exactly one.
//!
//! - The *capturing group* is that of the placed stone, before anything is
//!   taken off. Its *domain* is the connected set of points that the enemy does
//!   not occupy and that contains it, at the same moment.
//! - A capture is *disturbing* if it takes exactly one group, two or more of the
//!   capturing side's groups touch the vacated area, and one of two cases holds.
//!   *Strictly*: the capturing group has liberties in the vacated area only.
//!   *Loosely*: the capturing group is one stone whose only liberty, before the
//!   removal, lies in an empty region that touches no other stone of the
//!   capturing side.
//! - An *open line* is a connected set of points, none next to more than two
//!   others of the set, and at least one next to fewer than two.
//!
//! Size 19, any rectangle of sides 2 to 25; komi 7.5; fixed and free handicap;
//! any points may be blocked before the first turn.

use super::go;
use super::illegal::Illegal;
use super::options::{Ko, RuleKey, Rules, StoicalRule};
use super::placement::Placement;
use super::position::Position;
use super::step::Step;
use super::variant::{Variant, VariantInfo};
use crate::board::{Board, Cell, Color, Point};
use smallvec::SmallVec;

/// A capture after a capture.
pub const CAPTURE_AFTER_CAPTURE: Illegal =
    Illegal::HistoryRule("stoical: you may not capture right after a capture of the opponent");

/// The record of `stoical`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Stoical,
    id: "stoical",
    summary: "Stoical Go: captures may not answer captures",
    introduction: "Go without a ko rule, for players who keep calm: you may not capture in answer to a capture. \
        A move that brings an earlier position back ends the game in a draw. \
        Options allow the second capture of a snapback, or forbid only captures that would really disturb.",
    example: "D5, E5, C4, F4, D3, E3, E4, H7, C7, D4, F7, C3",
    source: include_str!("stoical.rs"),
    rules: Rules { ko: Ko::None, ..Rules::GO },
    keys: &[RuleKey::Ko, RuleKey::Scoring, RuleKey::Stoical, RuleKey::Board],
    repetition_draws: true,
    globals: &["after-capture", "snapbacks-allowed", "refined"],
    experimental: false,
    ..go::BASE
};

/// The rules of Stoical Go. The state is the [latest capture](Capture), if a rule asks for it.
#[derive(Debug)]
struct Stoical;

#[derive(Clone, Copy, Debug)]
struct Capture {
    /// Whether a stone that joined another one captured a single stone: the first half of a
    /// snapback.
    single_by_joining: bool,
    /// How it disturbs, if it can be part of a forbidden pair: small and all in open lines.
    restricted: Option<Disturbing>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disturbing {
    Strictly,
    Loosely,
}

type LatestCapture = Option<Capture>;

impl Variant for Stoical {
    fn start(&self, position: &mut Position) {
        position.set_state::<LatestCapture>(None);
    }

    fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
        let Some(point) = step.stone_point() else {
            return self.check_without_point(position, color, step);
        };
        position.check_stone(color, point)?;
        check_stoical_rule(position, color, point)
    }

    fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
        let Some(point) = step.stone_point() else {
            return true;
        };
        let record = match position.situation.rules.stoical {
            StoicalRule::Basic => None,
            _ if !position.board.would_capture(point, color) => None,
            _ => Some(Capture::at(&position.board, color, point)),
        };
        position.place_and_capture(color, point);
        *position.state_mut::<LatestCapture>() = record;
        true
    }

    fn set_up(&self, position: &mut Position, _: &Placement) {
        self.start(position);
    }

    /// Whether the latest turn captured, and under the other rules how and where.
    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        if !answers_capture(position, position.situation.to_move) {
            return;
        }
        let Some(capture) = *position.state::<LatestCapture>() else {
            return note(1, Point::NONE);
        };
        let disturbing = match capture.restricted {
            None => 0,
            Some(Disturbing::Strictly) => 1,
            Some(Disturbing::Loosely) => 2,
        };
        let how = disturbing << 1 | u64::from(capture.single_by_joining);
        note(2 | how << 2, position.situation.latest.placed);
        note(2, position.situation.latest.captured_at);
    }

    fn note_globals(&self, position: &Position, note: &mut dyn FnMut(usize, f32)) {
        let rule = position.situation.rules.stoical;
        let answers = answers_capture(position, position.situation.to_move);
        note(0, f32::from(answers));
        note(1, f32::from(rule != StoicalRule::Basic));
        note(2, f32::from(rule == StoicalRule::Refined));
    }
}

fn answers_capture(position: &Position, color: Color) -> bool {
    position.situation.latest.color == Some(!color) && position.situation.latest.captured > 0
}

fn check_stoical_rule(position: &Position, color: Color, point: Point) -> Result<(), Illegal> {
    if !answers_capture(position, color) || !position.board.would_capture(point, color) {
        return Ok(());
    }
    let allowed = match (position.situation.rules.stoical, *position.state::<LatestCapture>()) {
        (StoicalRule::Basic, _) | (_, None) => false,
        (StoicalRule::Snapback, Some(first)) => {
            first.single_by_joining && completes_snapback(position, color, point)
        }
        (StoicalRule::Refined, Some(first)) => {
            first.single_by_joining
                || match (first.restricted, Capture::at(&position.board, color, point).restricted) {
                    (Some(a), Some(b)) => a == Disturbing::Loosely && b == Disturbing::Loosely,
                    _ => true,
                }
        }
    };
    if allowed { Ok(()) } else { Err(CAPTURE_AFTER_CAPTURE) }
}

/// Whether a stone completes a snapback: on the point of the captured stone, it captures the
/// capturing group and has two liberties.
fn completes_snapback(position: &Position, color: Color, point: Point) -> bool {
    let capturing = position.situation.latest.placed;
    let board = &position.board;
    if point != position.situation.latest.captured_at {
        return false;
    }
    if !board.captures(point, color).any(|stone| board.same_group(stone, capturing)) {
        return false;
    }
    let mut after = board.clone();
    let without_liberties = after.place(point, color);
    after.capture(point, color, without_liberties);
    let several = |group: crate::board::Group| {
        !group.liberties.is_empty() && group.liberties.only_liberty().is_none()
    };
    after.group(point).is_some_and(several)
}

/// The rules need only sets of at most this number of points; larger ones are cut off.
const SMALL: usize = 4;
type SmallSet = SmallVec<[Point; SMALL + 1]>;

impl Capture {
    fn at(board: &Board, color: Color, point: Point) -> Capture {
        let joined = board.touches(point, color);
        let mut placed = board.clone();
        placed.place(point, color);
        let dead = |&n: &Point| {
            placed.cell(n) == Cell::stone(!color)
                && placed.group(n).is_some_and(|group| group.liberties.is_empty())
        };
        let captured: SmallVec<[Point; 4]> = placed.neighbours(point).filter(dead).collect();
        let one_group = captured.iter().all(|&n| placed.same_group(n, captured[0]));
        let victim = captured.first().copied().filter(|_| one_group);
        let stones = victim.and_then(|stone| placed.group(stone)).map_or(0, |g| g.size);
        Capture {
            single_by_joining: joined && stones == 1,
            restricted: victim.and_then(|stone| restricted(&placed, color, point, stone)),
        }
    }
}

/// How the capture of the group of `victim` by the latest stone on `point` disturbs, if the group
/// and the capturing domain are small open lines.
fn restricted(board: &Board, color: Color, point: Point, victim: Point) -> Option<Disturbing> {
    let taken: SmallSet = board.group_stones(victim).take(SMALL + 1).collect();
    let enemy = Cell::stone(!color);
    let domain = spread(board, point, |cell| cell != enemy && cell != Cell::Wall);
    if !is_small_open_line(board, &taken) || !is_small_open_line(board, &domain) {
        return None;
    }
    let around = taken.iter().flat_map(|&stone| board.neighbours(stone));
    let own = Cell::stone(color);
    let mut capturing_stones = around.filter(|&n| board.cell(n) == own);
    if !capturing_stones.any(|n| !board.same_group(n, point)) {
        return None; // no other capturing group touches the vacated area
    }
    let capturing = board.group(point)?;
    if capturing.liberties.is_empty() {
        return Some(Disturbing::Strictly);
    }
    let liberty = capturing.liberties.only_liberty().filter(|_| capturing.size == 1)?;
    let (region, _) = board.empty_region(liberty);
    let alone = region
        .iter()
        .flat_map(|&empty| board.neighbours(empty))
        .all(|n| n == point || board.cell(n) != own);
    alone.then_some(Disturbing::Loosely)
}

/// The connected set of points around `start` whose cells `belong`; a larger set than [`SMALL`] is
/// cut off.
fn spread(board: &Board, start: Point, belong: impl Fn(Cell) -> bool) -> SmallSet {
    let mut set: SmallSet = SmallVec::from_slice(&[start]);
    let mut done = 0;
    while done < set.len() && set.len() <= SMALL {
        for n in board.neighbours(set[done]) {
            if set.len() <= SMALL && belong(board.cell(n)) && !set.contains(&n) {
                set.push(n);
            }
        }
        done += 1;
    }
    set
}

/// Whether a connected set is small and an open line (see the rules).
fn is_small_open_line(board: &Board, set: &SmallSet) -> bool {
    let degree = |&point: &Point| board.neighbours(point).filter(|n| set.contains(n)).count();
    set.len() <= SMALL
        && set.iter().all(|point| degree(point) <= 2)
        && set.iter().any(|point| degree(point) < 2)
}
