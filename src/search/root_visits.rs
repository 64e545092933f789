//! Visits that a node got because it was searched itself, as the root or by a check of a
//! pass, and not because the search above chose its step. They say nothing about how good
//! the step is: as soon as the search goes on above the node, or elsewhere, the node has
//! only the visits of choices again. What the others found stays in the tree below it, and
//! returns to the node when it becomes the root again.

use super::evaluator::Outcome;
use super::node::Statistics;
use super::node_pool::NodePool;
use std::collections::HashMap;

/// The nodes that were searched themselves, and what only that found.
#[derive(Debug, Default)]
pub(super) struct RootVisits {
    /// Nodes that have these visits now, and their statistics without them.
    entered: Vec<(u32, Statistics)>,
    /// The statistics of these visits at nodes that do not have them now.
    left: HashMap<u32, Statistics>,
}

impl RootVisits {
    /// Begins to search a node itself.
    pub(super) fn enter(&mut self, nodes: &NodePool, at: u32) {
        if self.entered.iter().any(|&(known, _)| known == at) {
            return;
        }
        let before = nodes.node(at).statistics();
        self.entered.push((at, before));
        if let Some(earlier) = self.left.remove(&at) {
            nodes.node(at).set_statistics(&before.with(earlier));
        }
    }

    /// Takes these visits from all nodes but those of the path to the root.
    pub(super) fn leave(&mut self, nodes: &NodePool, root_path: &[u32]) {
        let left = &mut self.left;
        self.entered.retain(|(at, before)| {
            let stays = root_path.contains(at);
            let now = nodes.node(*at).statistics();
            if !stays && now.visits > before.visits {
                left.insert(*at, now.without(*before));
                nodes.node(*at).set_statistics(before);
            }
            stays
        });
    }

    /// Adds to each value what `change` makes of its mean outcome.
    pub(super) fn change_values(&mut self, change: impl Fn(Outcome) -> f32) {
        let entered = self.entered.iter_mut().map(|(_, statistics)| statistics);
        for statistics in entered.chain(self.left.values_mut()) {
            statistics.value += change(statistics.mean);
        }
    }

    /// Forgets all: the nodes are moved or removed.
    pub(super) fn clear(&mut self) {
        self.entered.clear();
        self.left.clear();
    }
}
