//! The lead that a search expects: the margin after its good steps.
//!
//! The mean over all visits differs from it. In a decided game visits follow the priors, so bad
//! steps have their share of them. Here a visit has less weight the more utility its step loses, on
//! each level of the tree. KataGo weighs children likewise (`valueWeightExponent`).

use super::context::SearchContext;
use super::evaluator::Outcome;
use super::node::{Node, NodeState};
use crate::board::Color;
use std::collections::HashMap;

/// The leads of nodes by their block of edges. Steps of a turn in different orders share their
/// edges, and there are as many orders as a factorial: each is followed once.
type SharedLeads = HashMap<u32, Option<f32>>;

/// The lead of a node with fewer visits is their mean margin.
const MIN_VISITS: u32 = 8;
/// So is the lead of a node with less than this part of the visits of the root, so that a report
/// reads only a part of a large tree.
const MAX_TREE: u32 = 512;

/// A loss of this utility divides the weight of a visit by e. In the last quarters of 30 games of
/// six variants 0.1 to 0.003 were better than equal weights, and hardly differed.
const SOFTNESS: f32 = 0.01;

/// Smaller losses than this number of standard deviations do not count.
const DEVIATIONS: f32 = 2.0;

impl SearchContext<'_> {
    /// The lead of the root, for the side to move.
    pub(super) fn lead(&self) -> f32 {
        let least = self.least_visits();
        let mean = self.root_statistics().mean.margin;
        let mut shared = SharedLeads::new();
        let lead = self.weighted_lead(self.root, self.color(), least, &mut shared).unwrap_or(mean);
        lead * f32::from(self.color().sign())
    }

    /// The lead after the step of a child of the root, for the side to move at the root.
    pub(super) fn lead_after(&self, child: u32) -> f32 {
        let lead = self.black_lead(child, self.least_visits(), &mut SharedLeads::new());
        lead * f32::from(self.color().sign())
    }

    fn least_visits(&self) -> u32 {
        (self.nodes.node(self.root).visits() / MAX_TREE).max(MIN_VISITS)
    }

    /// Black's lead after the step of a node.
    fn black_lead(&self, at: u32, least: u32, shared: &mut SharedLeads) -> f32 {
        let node = self.nodes.node(at);
        let mean = node.mean().margin;
        let is_read = node.visits() >= least && node.bounds().exact().is_none();
        let Some(block) = node.block().filter(|_| is_read) else {
            return mean;
        };
        let lead = shared.get(&block).copied().unwrap_or_else(|| {
            let lead = self.weighted_lead(at, node.to_move(), least, shared);
            shared.insert(block, lead);
            lead
        });
        lead.unwrap_or(mean)
    }

    /// Black's lead by the children of a node, where this side is to move; `None` if they have few
    /// of its visits.
    fn weighted_lead(
        &self,
        at: u32,
        color: Color,
        least: u32,
        shared: &mut SharedLeads,
    ) -> Option<f32> {
        let depth = if at == self.root { 0 } else { usize::MAX };
        let counts = |&at: &u32| {
            let node = self.nodes.node(at);
            node.visits() > 0
                && node.state() != NodeState::Illegal
                && self.allows(depth, color, node.step())
        };
        let children = || self.nodes.children(at).filter(counts);
        let node = |at: u32| self.nodes.node(at);
        let visits: u32 = children().map(|at| node(at).visits()).sum();
        let reference = children().max_by_key(|&at| node(at).visits())?;
        if visits < self.nodes.node(at).visits() / 2 {
            return None;
        }
        let variance = node(at).win_variance().max(0.0);
        let noise = |node: Node<'_>| variance / node.visits() as f32;
        let reference = node(reference);
        let weight = |node: Node<'_>| {
            let certain = DEVIATIONS * (noise(node) + noise(reference)).sqrt();
            let lost = (reference.value_for(color) - node.value_for(color) - certain).max(0.0);
            node.visits() as f32 * libm::expf(-lost / SOFTNESS)
        };
        let (mut sum, mut weights) = (0.0, 0.0);
        for child in children() {
            let weight = weight(node(child));
            weights += weight;
            sum += weight * self.black_lead(child, least, shared);
        }
        let lead = Outcome { margin: sum / weights, ..Outcome::default() };
        // The search does not visit proven children again.
        (weights > 0.0).then(|| self.allowed_bounds(at, depth, color).clamp(lead).margin)
    }
}

#[cfg(test)]
mod tests {
    use super::SharedLeads;
    use crate::board::Color;
    use crate::rules::{Game, Turn};
    use crate::search::bounds::Bounds;
    use crate::search::evaluator::Outcome;
    use crate::search::node::Statistics;
    use crate::search::signal::Signal;
    use crate::search::tests::{BLACK, WHITE, setup, task, tree};

    /// Both leads of a search at the empty board whose first children have these visits, utilities
    /// for Black and margins.
    fn leads(
        color: Color,
        children: &[(u32, f32, f32)],
        win_variance: f32,
        bounds: Option<Bounds>,
    ) -> (f32, f32) {
        let game = Game::new(&setup("go", 7, 7)).expect("a game");
        let mut tree = tree(&game, 1 << 20);
        let task = task(color, 1, 1);
        tree.set_game(&game, &task);
        assert!(tree.run(&task, 1, &mut |_| Signal::GoOn));
        let (context, _) = tree.first(&task);
        let nodes = context.nodes;
        for at in nodes.children(context.root) {
            nodes.node(at).set_statistics(&Statistics::default());
        }
        let numbers = |(visits, value, margin)| Statistics {
            visits,
            value,
            mean: Outcome { win: 0.99, margin },
            win_variance,
            ..Statistics::default()
        };
        let entered = (0..children.len()).map(|number| nodes.enter(context.root, number));
        let entered: Vec<u32> = entered.map(|child| child.expect("room")).collect();
        for (&at, &child) in entered.iter().zip(children) {
            nodes.node(at).set_statistics(&numbers(child));
        }
        let visits = children.iter().map(|child| child.0).sum();
        nodes.node(context.root).set_statistics(&numbers((visits, 0.5, 0.0)));
        let first = entered[0];
        if let Some(bounds) = bounds {
            nodes.node(first).set_bounds(bounds);
        }
        (context.lead(), context.lead_after(first))
    }

    #[test]
    fn steps_that_lose_utility_hardly_count() {
        let (root, first) = leads(BLACK, &[(50, 0.95, 20.0), (40, 0.80, -60.0)], 0.0, None);
        assert!((root - 20.0).abs() < 0.1 && first == 20.0, "{root} {first}");
        let (root, first) = leads(WHITE, &[(50, 0.80, -20.0), (40, 0.95, 60.0)], 0.0, None);
        assert!((root - 20.0).abs() < 0.1 && first == 20.0, "{root} {first}");
        let (root, _) = leads(BLACK, &[(30, 0.9, 20.0), (10, 0.9, 12.0)], 0.0, None);
        assert_eq!(root, 18.0, "equal steps count by their visits");
    }

    #[test]
    fn a_loss_within_the_noise_does_not_count() {
        // The standard deviation of the difference is the root of variance · (1/60 + 1/40).
        let children = [(60, 0.95, 20.0), (40, 0.85, 10.0)];
        let root = |win_variance| leads(BLACK, &children, win_variance, None).0;
        assert_eq!(root(0.07), 16.0, "the loss is below 2 deviations");
        assert!(root(0.03) > 19.0, "{} with a loss above 2 deviations", root(0.03));
        // A step with few visits has more noise.
        let (root, _) = leads(BLACK, &[(96, 0.95, 20.0), (4, 0.85, -5.0)], 0.03, None);
        assert_eq!(root, 19.0);
    }

    /// A proven step is visited no more, however good it is.
    #[test]
    fn a_proven_step_bounds_the_lead() {
        let proven = Bounds { low: 9, high: 9 };
        let (root, first) = leads(BLACK, &[(1, 0.9, 4.5), (60, 0.6, -30.0)], 0.0, Some(proven));
        assert_eq!((root, first), (4.5, 4.5));
    }

    /// A turn that grows eight groups has 40,320 orders, which share the nodes after them.
    #[test]
    fn steps_in_different_orders_are_followed_once() {
        let mut game = Game::new(&setup("sygo", 9, 9)).expect("a game");
        for row in [0, 2, 4, 6] {
            for (color, column) in [(WHITE, 0), (BLACK, 8), (WHITE, 3), (BLACK, 5)] {
                let point = game.grid().point(column, row).expect("a point");
                game.play(color, &Turn::stone(point)).expect("legal");
            }
        }
        let mut tree = tree(&game, 1 << 22);
        let task = task(WHITE, 20_000, 1);
        tree.set_game(&game, &task);
        assert!(tree.run(&task, 20_000, &mut |_| Signal::GoOn));
        let (context, _) = tree.first(&task);
        let mut shared = SharedLeads::new();
        assert!(context.weighted_lead(context.root, WHITE, 1, &mut shared).is_some());
        assert!(
            shared.len() > 100 && shared.len() <= context.nodes.used() as usize,
            "{}",
            shared.len()
        );
    }
}
