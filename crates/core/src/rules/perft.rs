//! Counts sequences of turns, to test the list of legal turns.

use super::game::Game;
use super::history::History;
use super::position::Position;
use super::step::Step;
use super::turn::Turn;
use super::turn_ends::{TurnLengths, for_each_turn, must_pass};
use crate::board::Color;
use std::ops::ControlFlow;

impl Game {
    /// Number of sequences of exactly `depth` turns from here, colours alternating
    /// from the side to move; `None` if `stop` returned true, which is called every thousand
    /// positions.
    ///
    /// Passes count, resigning does not; nothing follows two passes in a row or an end by the
    /// rules. Turns of several steps count once for each position they lead to. In the middle of a
    /// turn its ends are the first turns.
    pub fn perft_until(&self, depth: u32, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
        let history = self.history().clone();
        let mut counter = Counter { history, positions: 0, stop, stopped: false };
        let total = counter.count(self.position(), depth);
        (!counter.stopped).then_some(total)
    }
}

const STOP_INTERVAL: u32 = 1 << 10;

/// A count in progress; its numbers are meaningless once it is stopped.
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

    fn count(&mut self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if position.situation.is_over() || self.is_stopped() {
            return 0;
        }
        let color = position.situation.to_move;
        let mut total = 0;
        let mut after = position.boxed();
        if must_pass(position, &self.history, color) {
            after.make(color, Step::PASS);
            return self.follow(&mut after, depth, color, &Turn::pass());
        }
        let _ = for_each_turn(position, color, TurnLengths::All, &mut after, &mut |turn, after| {
            total += self.follow(after, depth, color, &turn);
            if self.stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        total
    }

    /// Counts on from the end of a turn, unless the rules about repetition forbid it.
    fn follow(&mut self, after: &mut Position, depth: u32, color: Color, turn: &Turn) -> u64 {
        let hash = after.board.hash();
        if !turn.is_pass() && self.history.check_repetition(after, color).is_err() {
            return 0;
        }
        self.history.push(hash, color);
        let total = self.count(after, depth - 1);
        self.history.pop();
        total
    }
}
