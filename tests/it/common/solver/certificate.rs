//! Going through a proof: whether a board in it could come back.

use super::search::{Node, Search};
use kawari::board::Color;
use kawari::rules::{Ko, Step, Variant};
use std::collections::{HashMap, HashSet};

/// A position of a proof.
struct Place {
    board: u64,
    /// Where it leads, and who makes a new board by that; nobody by a pass.
    exits: Vec<(u64, Option<Color>)>,
}

/// Whether no line of the proof that was just found comes back to a board it
/// had before, by a turn that the rules would then refuse or call a draw.
///
/// (The numbers of turns that proofs take shrink along every line, so none
/// comes back to the same position; but it may to the same board, with the
/// other side to move.)
pub(super) fn holds<V: Variant>(search: &Search<V>) -> bool {
    let superko = matches!(
        search.root.position.rules.ko,
        Ko::Positional | Ko::Situational
    );
    if V::INFO.ko_has_no_effect || !superko && !V::INFO.repetition_draws {
        return true;
    }
    let places = places(search);
    let mut by_board: HashMap<u64, Vec<u64>> = HashMap::new();
    for (&key, place) in &places {
        by_board.entry(place.board).or_default().push(key);
    }
    // Only the side that forces something is bound by superko here.
    let bound = (!V::INFO.repetition_draws).then_some(search.goal.side);
    by_board
        .iter()
        .filter(|(_, keys)| keys.len() > 1)
        .all(|(&board, keys)| {
            !keys
                .iter()
                .any(|&key| comes_back(&places, key, board, bound))
        })
}

/// All positions of the proof.
fn places<V: Variant>(search: &Search<V>) -> HashMap<u64, Place> {
    let mut places = HashMap::new();
    let mut open = vec![search.root.clone()];
    while let Some(node) = open.pop() {
        let key = search.key(&node);
        if places.contains_key(&key) {
            continue;
        }
        let mover = node.position.to_move;
        let mut exits = Vec::new();
        for step in steps(search, &node) {
            for after in search.nodes_after(&node, step) {
                let maker = (step != Step::PASS).then_some(mover);
                exits.push((search.key(&after), maker));
                open.push(after);
            }
        }
        let board = node.position.board.hash();
        places.insert(key, Place { board, exits });
    }
    places
}

/// The steps that the proof looks at: one for the side that forces something,
/// all for the other.
fn steps<V: Variant>(search: &Search<V>, node: &Node<V>) -> Vec<Step> {
    let position = &node.position;
    if position.is_over() {
        return Vec::new();
    }
    if position.to_move == search.goal.side {
        let known = search.recall(node).expect("a position of the proof");
        return vec![known.best.expect("a step that forces the goal")];
    }
    let mut steps = Vec::new();
    V::for_each_step(position, position.to_move, &mut |step| steps.push(step));
    steps
}

/// Whether a line from `start` makes `board` again.
fn comes_back(places: &HashMap<u64, Place>, start: u64, board: u64, bound: Option<Color>) -> bool {
    let (mut met, mut open) = (HashSet::new(), vec![start]);
    while let Some(key) = open.pop() {
        for &(after, maker) in &places[&key].exits {
            let counts = maker.is_some_and(|maker| bound.is_none_or(|bound| bound == maker));
            if counts && places[&after].board == board {
                return true;
            }
            if met.insert(after) {
                open.push(after);
            }
        }
    }
    false
}
