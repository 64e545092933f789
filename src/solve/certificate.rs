//! Whether a proof that was found without regard to the boards before it holds with regard
//! to them.
//!
//! The proof is a graph: of the side that forces something one turn in each position, of the
//! other all. It holds if no line through the graph makes a board that it had before, by a
//! turn that the rules would then refuse or call a draw.

use super::prover::{KoBan, Prover, Repetition, tag};
use super::successors::for_each_turn;
use super::table::Numbers;
use crate::board::Color;
use crate::rules::{Ko, Position, Variant};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

/// Edges followed at most while it is asked what leads to what.
const MOST_EDGES: u64 = 200_000_000;

/// The graph of a proof; positions by number.
#[derive(Default)]
struct Graph {
    boards: Vec<u64>,
    to_move: Vec<Color>,
    exits: Vec<Vec<Exit>>,
    known: HashMap<u128, u32>,
}

/// What a turn leads to.
#[derive(Clone, Copy)]
struct Exit {
    to: u32,
    /// Whether the turn may not make a board that was there before.
    must_be_new: bool,
}

/// A position of the graph whose turns are not known yet.
struct Open<V: Variant> {
    number: u32,
    position: Box<Position<V>>,
    ko: Option<KoBan>,
    key: u128,
}

impl<V: Variant> Prover<V> {
    /// Whether the proof of the goal from `position`, which was just found, holds.
    pub(super) fn is_certain(&mut self, position: &Position<V>, stop: &AtomicBool) -> bool {
        if self.is_exact || self.repetition == Repetition::Free {
            return true;
        }
        if position.is_over() {
            return true;
        }
        let situational = position.rules.ko == Ko::Situational;
        let graph = self.proof_graph(position, stop);
        graph.is_some_and(|graph| graph.repeats_nothing(situational))
    }

    /// The graph of a proof; none if it does not even hold where it begins.
    fn proof_graph(&mut self, position: &Position<V>, stop: &AtomicBool) -> Option<Graph> {
        let mut graph = Graph::default();
        let root = self.root(position);
        let number = graph.add(position, self.plain_key(position, None)).0;
        let mut open = vec![Open {
            number,
            position: Box::new(position.clone()),
            ko: None,
            key: root.key,
        }];
        while let Some(node) = open.pop() {
            self.note_exits(&node, &mut graph, &mut open, stop)?;
            self.give_back(node.position);
        }
        Some(graph)
    }

    fn plain_key(&self, position: &Position<V>, ko: Option<KoBan>) -> u128 {
        let boards = self.symmetries.boards(position);
        self.symmetries
            .plain_key(&boards, &self.notes(position, ko))
    }

    /// Adds what the turns of a position lead to; none if a turn of the proof is missing.
    fn note_exits(
        &mut self,
        node: &Open<V>,
        graph: &mut Graph,
        open: &mut Vec<Open<V>>,
        stop: &AtomicBool,
    ) -> Option<()> {
        let forces = node.position.to_move == self.goal.side;
        let chosen = match forces {
            true => Some(self.proven_choice(node, stop)?),
            false => None,
        };
        let place = self.place(&node.position, node.key, node.ko);
        let mut after = self.borrow(&node.position);
        let (mut holds, mut has_turn) = (true, false);
        let must_be_new = forces || self.repetition == Repetition::Draw;
        for_each_turn(&node.position, &mut after, &mut |turn, after| {
            if forces && has_turn {
                return;
            }
            let is_pass = turn.is_pass();
            let Some(child) = self.child(&place, turn, after) else {
                return;
            };
            if chosen.is_some_and(|chosen| chosen != tag(child.key)) {
                return;
            }
            has_turn = true;
            let plain = self.plain_key(after, child.ko);
            let (to, is_new) = graph.add(after, plain);
            graph.exits[node.number as usize].push(Exit {
                to,
                must_be_new: must_be_new && !is_pass,
            });
            match child.settled {
                Some(numbers) => holds &= numbers == Numbers::PROVEN,
                None if is_new => open.push(Open {
                    number: to,
                    position: Box::new(after.clone()),
                    ko: child.ko,
                    key: child.key,
                }),
                None => {}
            }
        });
        self.give_back(after);
        (holds && has_turn).then_some(())
    }

    /// The child that the proof takes, by its tag; it is looked for again if the table has
    /// forgotten it.
    fn proven_choice(&mut self, node: &Open<V>, stop: &AtomicBool) -> Option<u32> {
        let is_proven = |numbers: Numbers| numbers.proof == 0;
        if !self.table().get(node.key).is_some_and(is_proven) {
            let place = self.place(&node.position, node.key, node.ko);
            self.search(&place, Numbers::MOST, stop);
        }
        let found = self.table().get(node.key).filter(|&found| is_proven(found));
        found.and_then(|_| self.table().best(node.key))
    }
}

impl Graph {
    /// The number of a position, and whether it is new.
    fn add<V: Variant>(&mut self, position: &Position<V>, plain_key: u128) -> (u32, bool) {
        let next = self.boards.len() as u32;
        let number = *self.known.entry(plain_key).or_insert(next);
        if number == next {
            self.boards.push(position.board.hash());
            self.to_move.push(position.to_move);
            self.exits.push(Vec::new());
        }
        (number, number == next)
    }

    /// Whether no line makes a board that must be new and is not.
    fn repeats_nothing(&self, situational: bool) -> bool {
        let Some(finish) = self.finishing_order() else {
            return false;
        };
        let mut by_board: HashMap<u64, Vec<u32>> = HashMap::new();
        for (number, &board) in (0..).zip(&self.boards) {
            by_board.entry(board).or_default().push(number);
        }
        by_board.retain(|_, numbers| numbers.len() > 1);
        let mut edges = 0;
        let mut met = vec![0; self.boards.len()];
        let mut round = 0;
        for exits in &self.exits {
            for exit in exits.iter().filter(|exit| exit.must_be_new) {
                let same = by_board.get(&self.boards[exit.to as usize]);
                for &earlier in same.into_iter().flatten() {
                    let counts = !situational
                        || self.to_move[earlier as usize] == self.to_move[exit.to as usize];
                    if earlier == exit.to
                        || !counts
                        || finish[earlier as usize] < finish[exit.to as usize]
                    {
                        continue;
                    }
                    round += 1;
                    if self.leads_to(earlier, exit.to, &finish, (&mut met, round), &mut edges) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether a line from one position makes another by a turn that must be new; true, too,
    /// if that takes too long to tell.
    fn leads_to(
        &self,
        from: u32,
        to: u32,
        finish: &[u32],
        (met, round): (&mut [u32], u32),
        edges: &mut u64,
    ) -> bool {
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            for exit in &self.exits[at as usize] {
                *edges += 1;
                if exit.to == to && exit.must_be_new || *edges > MOST_EDGES {
                    return true;
                }
                let next = exit.to as usize;
                if finish[next] > finish[to as usize] && met[next] != round {
                    met[next] = round;
                    open.push(exit.to);
                }
            }
        }
        false
    }

    /// Numbers such that each position has a greater one than all that it leads to; none if a
    /// position leads to itself.
    fn finishing_order(&self) -> Option<Vec<u32>> {
        const ENTERED: u32 = u32::MAX;
        let mut finish = vec![0; self.boards.len()];
        let mut count = 0;
        let mut stack = vec![(0u32, 0usize)];
        while let Some((at, next)) = stack.pop() {
            let place = at as usize;
            if next == 0 {
                finish[place] = ENTERED;
            }
            match self.exits[place].get(next) {
                None => {
                    count += 1;
                    finish[place] = count;
                }
                Some(exit) => {
                    stack.push((at, next + 1));
                    match finish[exit.to as usize] {
                        0 => stack.push((exit.to, 0)),
                        ENTERED => return None,
                        _ => {}
                    }
                }
            }
        }
        Some(finish)
    }
}
