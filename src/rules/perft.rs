//! Counting turn sequences: the test that finds what a list of legal turns
//! got wrong.

use super::game::Game;
use super::history::History;
use super::position::Position;
use super::step::Step;
use super::variant::Variant;
use crate::board::{Cell, Color};
use std::collections::HashSet;

/// Number of sequences of exactly `depth` turns from here, colours alternating
/// from the side to move. Passes count, resigning does not; nothing follows
/// two passes in a row or an end by the rules. Turns of several steps count
/// once for each position they lead to. In the middle of a turn its ends are
/// the first turns.
///
/// None once `stop` answers true; it is asked every few thousand positions.
pub fn perft<V: Variant>(
    game: &Game<V>,
    depth: u32,
    stop: &mut dyn FnMut() -> bool,
) -> Option<u64> {
    let mut counter =
        Counter { history: game.history().clone(), positions: 0, stop, stopped: false };
    let total = counter.count(game.position(), depth);
    (!counter.stopped).then_some(total)
}

/// Number of positions between two questions whether to stop.
const STOP_INTERVAL: u32 = 1 << 10;

/// A count under way; its numbers mean nothing once it is stopped.
struct Counter<'s> {
    history: History,
    positions: u32,
    stop: &'s mut dyn FnMut() -> bool,
    stopped: bool,
}

impl Counter<'_> {
    fn is_stopped(&mut self) -> bool {
        self.positions = self.positions.wrapping_add(1);
        if self.positions.is_multiple_of(STOP_INTERVAL) {
            self.stopped = self.stopped || (self.stop)();
        }
        self.stopped
    }

    fn count<V: Variant>(&mut self, position: &Position<V>, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if position.is_over() || self.is_stopped() {
            return 0;
        }
        let color = position.to_move;
        let mut total = 0;
        let mut open = Vec::new();
        let mut after = boxed(position);
        V::for_each_step(position, color, &mut |step| {
            after.copy_from(position);
            if after.make(color, step) {
                total += self.follow(&mut after, depth, color, step);
            } else {
                keep(&mut open, &after);
            }
        });
        for after in &mut self.ends_of(open, color) {
            total += self.follow(after, depth, color, Step::END);
        }
        total
    }

    /// Counts on from the end of a turn, unless it repeats what it may not.
    fn follow<V: Variant>(
        &mut self,
        after: &mut Position<V>,
        depth: u32,
        color: Color,
        last: Step,
    ) -> u64 {
        let hash = after.board.hash();
        if last != Step::PASS && self.history.check_repetition(after, color).is_err() {
            return 0;
        }
        self.history.push(hash, color);
        let total = self.count(after, depth - 1);
        self.history.pop();
        total
    }

    /// Follows turns of several steps in every order to their ends; each position
    /// is reached once. (What lies on the board tells which stones came in this
    /// turn, so two orders with the same stones have the same future.)
    #[inline(never)] // Its positions are not on the stack of each depth.
    fn ends_of<V: Variant>(
        &mut self,
        mut open: Vec<Position<V>>,
        color: Color,
    ) -> Vec<Position<V>> {
        let (mut met, mut ended) = (HashSet::new(), HashSet::new());
        let mut ends = Vec::new();
        while let Some(position) = open.pop() {
            if self.is_stopped() {
                return Vec::new();
            }
            if !met.insert(cells(&position)) {
                continue;
            }
            V::for_each_step(&position, color, &mut |step| {
                let mut after = position.clone();
                if !after.make(color, step) {
                    open.push(after);
                } else if ended.insert(cells(&after)) {
                    ends.push(after);
                }
            });
        }
        ends
    }
}

/// A copy on the heap: a deep count would need more stack than a thread has.
#[inline(never)]
fn boxed<V: Variant>(position: &Position<V>) -> Box<Position<V>> {
    Box::new(position.clone())
}

/// Adds a copy, which is never on the stack of the caller.
#[inline(never)]
fn keep<V: Variant>(open: &mut Vec<Position<V>>, position: &Position<V>) {
    open.push(position.clone());
}

/// What lies on the board, point by point.
fn cells<V: Variant>(position: &Position<V>) -> Vec<Cell> {
    let board = &position.board;
    board.grid().points().map(|point| board.cell(point)).collect()
}
