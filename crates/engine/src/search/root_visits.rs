//! Visits of a node as the root or in a check of a pass, for which selection did not choose its
//! step. They do not tell how good the step is, so the node loses them when the search continues
//! elsewhere. The tree below the node keeps their results, and the node gets them back as the root.

use super::evaluator::Outcome;
use super::node::Statistics;
use super::node_pool::NodePool;
use std::collections::HashMap;

/// The nodes that were the root or checked, and the statistics of these visits.
#[derive(Debug, Default)]
pub(super) struct RootVisits {
    /// Nodes that now have these visits, and their statistics without them.
    entered: Vec<(u32, Statistics)>,
    /// The statistics of these visits for nodes that lost them.
    departed: HashMap<u32, Statistics>,
}

impl RootVisits {
    /// Begins to search a node as the root or in a check.
    pub(super) fn enter(&mut self, nodes: &NodePool, at: u32) {
        if self.entered.iter().any(|&(known, _)| known == at) {
            return;
        }
        let before = nodes.node(at).statistics();
        self.entered.push((at, before));
        if let Some(earlier) = self.departed.remove(&at) {
            nodes.node(at).set_statistics(&before.with(earlier));
        }
    }

    /// Takes these visits from all nodes outside the path to the root.
    pub(super) fn leave(&mut self, nodes: &NodePool, root_path: &[u32]) {
        let departed = &mut self.departed;
        self.entered.retain(|(at, before)| {
            let stays = root_path.contains(at);
            let now = nodes.node(*at).statistics();
            if !stays && now.visits > before.visits {
                departed.insert(*at, now.without(*before));
                nodes.node(*at).set_statistics(before);
            }
            stays
        });
    }

    /// Adds `change` of its mean outcome to each value.
    pub(super) fn change_values(&mut self, change: impl Fn(Outcome) -> f32) {
        let entered = self.entered.iter_mut().map(|(_, statistics)| statistics);
        for statistics in entered.chain(self.departed.values_mut()) {
            statistics.value += change(statistics.mean);
        }
    }

    pub(super) fn clear(&mut self) {
        self.entered.clear();
        self.departed.clear();
    }
}
