//! Samples of a net: inputs and targets.

use crate::net::Frame;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Sample {
    pub frame: Arc<Frame>,
    /// Inputs by playable point, plane; 64 stands for 1.
    pub planes: Vec<u8>,
    /// Inputs of the whole board; 64 stands for 1.
    pub globals: Vec<i8>,
    pub targets: Targets,
}

/// Targets for the side to move.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Indices of legal policy outputs: points kind by kind, then kinds without a point.
    pub legal: Vec<u32>,
    /// Shares that sum to 1; empty if unknown.
    pub policy: Vec<(u32, f32)>,
    /// The opponent's next step; empty if unknown.
    pub reply: Vec<(u32, f32)>,
    pub result: Option<ResultTarget>,
    pub score: Option<ScoreTarget>,
    /// By playable point, −1 to 1; empty if unknown.
    pub ownership: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultTarget {
    /// Probabilities of win, draw and loss; they sum to 1.
    pub shares: [f32; 3],
    /// The weight, from 0 to 1.
    pub weight: f32,
}

impl ResultTarget {
    /// A draw counts half.
    pub fn win_rate(&self) -> f32 {
        let [win, draw, _] = self.shares;
        win + draw / 2.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreTarget {
    pub mean: f32,
    pub stdev: f32,
}
