//! The positions of a game, for rules about repetition.

use super::illegal::Illegal;
use super::options::Ko;
use super::position::Ending;
use super::position::Position;
use crate::board::Color;
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// How often a position stood at the end of a turn of each colour, and how often it was set
/// up, at the start or within the game.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    set_up: u32,
    after: [u32; 2],
}

/// All positions so far, set up or at the end of a turn, by their 64-bit Zobrist hashes.
#[derive(Clone, Debug, Default)]
pub struct History {
    seen: HashMap<u64, Seen>,
    /// The positions after the start, each with the side that made the turn; `None` for a set-up.
    path: Vec<(u64, Option<Color>)>,
}

impl History {
    /// The history of a game that begins with the hash `start`.
    pub fn new(start: u64) -> Self {
        let mut history = History::default();
        history.seen.entry(start).or_default().set_up = 1;
        history
    }

    /// Notes the position at the end of a turn of `color`.
    pub fn push(&mut self, hash: u64, color: Color) {
        self.seen.entry(hash).or_default().after[color as usize] += 1;
        self.path.push((hash, Some(color)));
    }

    /// Notes a position that was set up within the game.
    pub fn push_set_up(&mut self, hash: u64) {
        self.seen.entry(hash).or_default().set_up += 1;
        self.path.push((hash, None));
    }

    /// Forgets the latest turn or set-up.
    pub fn pop(&mut self) {
        let Some((hash, color)) = self.path.pop() else {
            return;
        };
        // Searches push and pop endlessly, so an empty entry must not stay.
        if let Entry::Occupied(mut entry) = self.seen.entry(hash) {
            let seen = entry.get_mut();
            match color {
                Some(color) => seen.after[color as usize] -= 1,
                None => seen.set_up -= 1,
            }
            if seen.set_up == 0 && seen.after == [0, 0] {
                entry.remove();
            }
        }
    }

    /// Number of turns and set-ups noted.
    pub fn len(&self) -> usize {
        self.path.len()
    }

    /// Whether nothing is noted.
    pub fn is_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Forgets all turns and set-ups after the first `len`.
    pub fn truncate(&mut self, len: usize) {
        while self.path.len() > len {
            self.pop();
        }
    }

    /// Whether this position stood before.
    pub fn holds(&self, hash: u64) -> bool {
        let stood = |seen: &Seen| seen.set_up > 0 || seen.after != [0, 0];
        self.seen.get(&hash).is_some_and(stood)
    }

    /// Applies the rules about repetition to a turn of `color`, other than a pass, that ended in
    /// `position`; ends the game where a repetition is a draw.
    ///
    /// # Errors
    /// The superko that forbids the turn.
    pub fn check_repetition(&self, position: &mut Position, color: Color) -> Result<(), Illegal> {
        let info = position.info();
        if info.ko_has_no_effect {
            return Ok(());
        }
        let (ko, hash) = (position.situation.rules.ko, position.board.hash());
        if self.forbids(ko, hash, color) {
            return Err(match ko {
                Ko::Situational => Illegal::SituationalSuperko,
                _ => Illegal::PositionalSuperko,
            });
        }
        if info.repetition_draws && position.situation.ending.is_none() && self.holds(hash) {
            position.situation.ending = Some(Ending::Draw);
        }
        Ok(())
    }

    /// The numbers, from 1, of the turns that end with a position that `ko` forbids, each with that
    /// of the latest turn, or set-up after it, with the same position.
    pub(super) fn repetitions(&self, ko: Ko, start: u64) -> Vec<(usize, usize)> {
        let mut numbers: HashMap<(u64, Option<Color>), usize> = HashMap::new();
        let (mut repetitions, mut number) = (Vec::new(), 0);
        let by = |color: Option<Color>| color.filter(|_| ko == Ko::Situational);
        if ko == Ko::Positional {
            numbers.insert((start, None), 0);
        }
        for &(hash, color) in &self.path {
            number += usize::from(color.is_some());
            let key = (hash, by(color));
            match numbers.get(&key) {
                Some(&earlier) if color.is_some() => repetitions.push((number, earlier)),
                _ => {}
            }
            if color.is_some() || ko == Ko::Positional {
                numbers.insert(key, number);
            }
        }
        if matches!(ko, Ko::Positional | Ko::Situational) { repetitions } else { Vec::new() }
    }

    /// Whether `ko` forbids a turn of `color`, other than a pass, to end with this hash.
    pub fn forbids(&self, ko: Ko, hash: u64, color: Color) -> bool {
        match ko {
            Ko::None | Ko::Simple => false,
            Ko::Positional => self.holds(hash),
            Ko::Situational => {
                let seen = self.seen.get(&hash);
                seen.is_some_and(|seen| seen.after[color as usize] > 0)
            }
        }
    }
}
