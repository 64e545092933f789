//! The line of turns that leads to a position.

use super::key::{Cells, PerSymmetry, mix};
use crate::board::Color;
use smallvec::SmallVec;
use std::collections::HashMap;

/// An entry of the line, at the end of a turn: a board, or a position where boards may be repeated.
#[derive(Clone, Debug)]
pub(super) struct Waypoint {
    pub(super) names: PerSymmetry<u64>,
    pub(super) cells: Cells,
    /// The side whose turn led to it; `None` at the start.
    pub(super) maker: Option<Color>,
}

impl Waypoint {
    pub(super) fn shared_name(&self) -> u64 {
        shared(self.names.iter().copied())
    }
}

/// The name that symmetric boards share.
pub(super) fn shared(names: impl Iterator<Item = u64>) -> u64 {
    names.min().unwrap_or(0)
}

#[derive(Debug, Default)]
pub(super) struct TurnLine {
    waypoints: Vec<Waypoint>,
    depths: HashMap<u64, SmallVec<[u32; 2]>>,
    /// The name of the set of waypoints for each symmetry.
    sums: PerSymmetry<u64>,
}

impl TurnLine {
    pub(super) fn len(&self) -> u32 {
        self.waypoints.len() as u32
    }

    pub(super) fn push(&mut self, waypoint: Waypoint) {
        self.sums.resize(waypoint.names.len(), 0);
        let depth = self.len();
        let is_new = self.deepest(0, waypoint.names[0]).is_none();
        for (number, (&name, sum)) in waypoint.names.iter().zip(&mut self.sums).enumerate() {
            self.depths.entry(in_frame(number, name)).or_default().push(depth);
            if is_new {
                *sum = sum.wrapping_add(spread(name));
            }
        }
        self.waypoints.push(waypoint);
    }

    pub(super) fn pop(&mut self) {
        let Some(waypoint) = self.waypoints.pop() else {
            return;
        };
        for (number, &name) in waypoint.names.iter().enumerate() {
            if let Some(depths) = self.depths.get_mut(&in_frame(number, name)) {
                depths.pop();
                if depths.is_empty() {
                    self.depths.remove(&in_frame(number, name));
                    self.sums[number] = self.sums[number].wrapping_sub(spread(name));
                }
            }
        }
    }

    /// The greatest depth of a waypoint with this name in the frame of a symmetry.
    pub(super) fn deepest(&self, frame: usize, name: u64) -> Option<u32> {
        self.depths.get(&in_frame(frame, name))?.last().copied()
    }

    pub(super) fn name(&self, depth: u32, frame: usize) -> u64 {
        let names = &self.waypoints[depth as usize].names;
        names.get(frame).or(names.first()).copied().unwrap_or(0)
    }

    pub(super) fn sum(&self, frame: usize) -> u64 {
        self.sums.get(frame).or(self.sums.first()).copied().unwrap_or(0)
    }

    pub(super) fn waypoints(&self) -> &[Waypoint] {
        &self.waypoints
    }
}

fn in_frame(frame: usize, name: u64) -> u64 {
    name.wrapping_add((frame as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

fn spread(name: u64) -> u64 {
    mix(0, name) as u64
}
