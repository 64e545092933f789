//! What a search is told.

use super::tree::Node;
use crate::rules::Step;

/// The constants of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// How strongly little visited steps are preferred: the factor of
    /// `prior * sqrt(visits of the parent) / (1 + visits)`. Priors are scaled
    /// so that those of n siblings sum up to the root of n: between a sum of
    /// one, which never looks at most steps of a large board, and a mean of
    /// one, which hardly looks twice at any.
    pub exploration: f32,
    /// How many visits the value of the parent counts for in the value of
    /// each child: it stands in for what has not been visited (first-play
    /// urgency) and keeps a first unlucky playout from deciding. Above 0.
    pub parent_visits: f32,
    /// The part of a value that is the margin rather than the win, 0 to 1.
    pub margin_share: f32,
    /// The margin, in points, that counts half of what any can.
    pub margin_scale: f32,
    /// Visits of a node before it gets children.
    pub expand_after: u32,
}

impl Default for Weights {
    fn default() -> Self {
        Weights {
            exploration: 0.27,
            parent_visits: 1.0,
            margin_share: 0.1,
            margin_scale: 10.0,
            expand_after: 2,
        }
    }
}

/// What a search is told.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Playouts for a step; without it the callback ends the search, or
    /// [`MOST_PLAYOUTS`](Self::MOST_PLAYOUTS) do.
    pub playouts: Option<u64>,
    /// Where the random numbers start.
    pub seed: u64,
    /// Nodes of the tree; once there are so many the search goes on without
    /// new ones. (The root and its children are always kept.)
    pub max_nodes: usize,
    /// First steps that are not to be chosen, though they may be legal; a pass
    /// and the end of a growth are never left out.
    pub exclude: Option<fn(Step) -> bool>,
    /// The constants.
    pub weights: Weights,
}

impl SearchOptions {
    /// Playouts after which a search without a limit ends anyhow.
    pub const MOST_PLAYOUTS: u64 = 10_000_000;

    /// The number of nodes that fit in so many megabytes (of 2^20 bytes).
    pub fn nodes_in(megabytes: usize) -> usize {
        megabytes.saturating_mul(1 << 20) / size_of::<Node>()
    }
}

impl Default for SearchOptions {
    /// 1000 playouts, seed 0, 64 megabytes, nothing excluded.
    fn default() -> Self {
        SearchOptions {
            playouts: Some(1000),
            seed: 0,
            max_nodes: SearchOptions::nodes_in(64),
            exclude: None,
            weights: Weights::default(),
        }
    }
}
