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
pub fn perft<V: Variant>(game: &Game<V>, depth: u32) -> u64 {
    let mut history = game.history().clone();
    count(game.position(), &mut history, depth)
}

fn count<V: Variant>(position: &Position<V>, history: &mut History, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.is_over() {
        return 0;
    }
    let color = position.to_move;
    let mut total = 0;
    let mut open = Vec::new();
    let mut after = position.clone();
    V::for_each_step(position, color, &mut |step| {
        after.copy_from(position);
        if after.make(color, step) {
            total += follow(&mut after, history, depth, color, step);
        } else {
            open.push(after.clone());
        }
    });
    for mut after in ends_of(open, color) {
        total += follow(&mut after, history, depth, color, Step::END);
    }
    total
}

/// Counts on from the end of a turn, unless it repeats what it may not.
fn follow<V: Variant>(
    after: &mut Position<V>,
    history: &mut History,
    depth: u32,
    color: Color,
    last: Step,
) -> u64 {
    let hash = after.board.hash();
    if last != Step::PASS && history.check_repetition(after, color).is_err() {
        return 0;
    }
    history.push(hash, color);
    let total = count(after, history, depth - 1);
    history.pop();
    total
}

/// Follows turns of several steps in every order to their ends; each position
/// is reached once. (What lies on the board tells which stones came in this
/// turn, so two orders with the same stones have the same future.)
fn ends_of<V: Variant>(mut open: Vec<Position<V>>, color: Color) -> Vec<Position<V>> {
    let (mut met, mut ended) = (HashSet::new(), HashSet::new());
    let mut ends = Vec::new();
    while let Some(position) = open.pop() {
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

/// What lies on the board, point by point.
fn cells<V: Variant>(position: &Position<V>) -> Vec<Cell> {
    let board = &position.board;
    board
        .grid()
        .points()
        .map(|point| board.cell(point))
        .collect()
}
