//! Saved positions of a game, so that undo replays few turns. They are dense at the end and sparse
//! far back, so that long games need little memory.

use super::position::Position;
use super::turn::Turn;

/// Entries between two saved positions among the latest [`DENSE`].
const SPACING: usize = 64;

/// Number of the latest entries with dense positions.
const DENSE: usize = 32 * SPACING;

/// A saved position, with the number of entries, turns and set-ups that led to it.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Entries before it.
    pub entries: usize,
    /// Turns before it.
    pub turns: usize,
    /// Set-ups before it.
    pub set_ups: usize,
    /// The unfinished turn there.
    pub unfinished: Turn,
    /// The position.
    pub position: Box<Position>,
}

/// The saved positions of a game, the start first.
#[derive(Clone, Debug)]
pub struct SavedPositions {
    start: Saved,
    later: Vec<Saved>,
}

impl SavedPositions {
    /// The saved positions of a game that begins with `start`.
    pub fn new(start: Box<Position>) -> Self {
        SavedPositions {
            start: Saved {
                entries: 0,
                turns: 0,
                set_ups: 0,
                unfinished: Turn::pass(),
                position: start,
            },
            later: Vec::new(),
        }
    }

    /// The position before the first turn.
    pub fn start(&self) -> &Position {
        &self.start.position
    }

    /// Changes the komi of all.
    pub fn set_komi(&mut self, komi: f64) {
        let later = self.later.iter_mut();
        for saved in later.chain([&mut self.start]) {
            saved.position.situation.rules.komi = komi;
        }
    }

    /// Forgets the positions after entry `target`; returns the last remaining one.
    pub fn truncate_events(&mut self, target: usize) -> &Saved {
        while self.later.pop_if(|last| last.entries > target).is_some() {}
        self.later.last().unwrap_or(&self.start)
    }

    /// Whether a growing game saves the position after this number of entries.
    #[inline]
    pub fn is_due(entries: usize) -> bool {
        entries.is_multiple_of(SPACING)
    }

    /// Whether an undo back to entry `target` saves the position after `entries`, since clients
    /// often undo turn by turn.
    pub fn is_due_before(entries: usize, target: usize) -> bool {
        let distance = target - entries;
        SavedPositions::is_due(entries)
            || distance == 0
            || (distance < SPACING && distance.is_power_of_two())
    }

    /// Saves a position after all others, and thins out those far back.
    pub fn push(&mut self, saved: Saved) {
        let end = saved.entries;
        let last = self.later.last().unwrap_or(&self.start);
        if last.entries < end {
            self.later.push(saved);
        }
        self.later.retain(|saved| {
            let distance = end - saved.entries;
            let spacing = if distance <= SPACING {
                1
            } else if distance <= DENSE {
                SPACING
            } else {
                SPACING << (distance / DENSE).ilog2()
            };
            saved.entries.is_multiple_of(spacing)
        });
    }
}
