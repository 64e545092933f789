//! The tree: nodes in one arena, the children of a node side by side.

use super::evaluator::Outcome;
use super::options::Weights;
use crate::board::Color;
use crate::rules::Step;
use std::ops::Range;

/// What is known about a node beside its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The game goes on.
    Open,
    /// The game is over; the node's numbers are exact.
    Over,
    /// The history forbids the step; never entered again.
    Illegal,
}

/// A step, and what came of it. Means are Black's view.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The step that leads here.
    pub(super) step: Step,
    /// Times entered.
    pub(super) visits: u32,
    /// Mean of what the search maximises, 0 to 1.
    pub(super) value: f32,
    /// Mean of wins and of margins.
    pub(super) mean: Outcome,
    /// Weight of the step among its siblings; see [`Weights`].
    pub(super) prior: f32,
    first_child: u32,
    child_count: u16,
    /// See [`Kind`].
    pub(super) kind: Kind,
}

impl Node {
    fn new(step: Step, prior: f32) -> Node {
        Node {
            step,
            visits: 0,
            value: 0.5,
            mean: Outcome {
                win: 0.5,
                margin: 0.0,
            },
            prior,
            first_child: 0,
            child_count: 0,
            kind: Kind::Open,
        }
    }

    /// Whether the node has children.
    pub(super) fn is_expanded(&self) -> bool {
        self.child_count > 0
    }

    fn add(&mut self, outcome: Outcome, value: f32) {
        self.visits = self.visits.saturating_add(1);
        let share = self.visits as f32;
        self.value += (value - self.value) / share;
        self.mean.win += (outcome.win - self.mean.win) / share;
        self.mean.margin += (outcome.margin - self.mean.margin) / share;
    }
}

/// The arena. Nodes are named by their places in it.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    max_nodes: usize,
}

/// The place of the first root.
pub(super) const ROOT: usize = 0;

impl Tree {
    /// A tree that is only a root.
    pub(super) fn new(max_nodes: usize) -> Tree {
        Tree {
            nodes: vec![Node::new(Step::Pass, 1.0)],
            max_nodes: max_nodes.min(u32::MAX as usize),
        }
    }

    /// Number of nodes.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The node at a place.
    pub(super) fn node(&self, at: usize) -> &Node {
        &self.nodes[at]
    }

    /// The node at a place.
    pub(super) fn node_mut(&mut self, at: usize) -> &mut Node {
        &mut self.nodes[at]
    }

    /// The places of a node's children.
    pub(super) fn children(&self, at: usize) -> Range<usize> {
        let node = &self.nodes[at];
        let first = node.first_child as usize;
        first..first + usize::from(node.child_count)
    }

    /// Whether no more nodes are allowed.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.max_nodes
    }

    /// Whether so many nodes more are allowed; if not, no more ever are, so
    /// that steps are not listed again and again in vain.
    pub(super) fn makes_room(&mut self, count: usize) -> bool {
        let fits = self.nodes.len() + count <= self.max_nodes;
        if !fits {
            self.max_nodes = self.nodes.len();
        }
        fits
    }

    /// Gives a node its children, one for each step; `priors` of any sum.
    pub(super) fn expand(&mut self, at: usize, steps: &[Step], priors: &[f32]) {
        let (first, Ok(count)) = (self.nodes.len() as u32, u16::try_from(steps.len())) else {
            return;
        };
        self.reserve(steps.len());
        let sum: f32 = priors.iter().sum();
        let scale = if sum > 0.0 {
            (priors.len() as f32).sqrt() / sum
        } else {
            1.0
        };
        let children = steps.iter().zip(priors);
        self.nodes
            .extend(children.map(|(&step, &prior)| Node::new(step, prior * scale)));
        self.nodes[at].first_child = first;
        self.nodes[at].child_count = count;
    }

    /// Doubles the arena when it is short, but not beyond its limit.
    fn reserve(&mut self, count: usize) {
        let len = self.nodes.len();
        if len + count > self.nodes.capacity() {
            let doubled = len.min(self.max_nodes.saturating_sub(len));
            self.nodes.reserve_exact(doubled.max(count));
        }
    }

    /// Adds an outcome to every node of a path.
    pub(super) fn update(&mut self, path: &[usize], outcome: Outcome, weights: &Weights) {
        let value = outcome.value(weights);
        for &at in path {
            self.nodes[at].add(outcome, value);
        }
    }

    /// The child that promises `color`, who is to move, the most: its mean
    /// value, or what stands in for it, and a bonus that shrinks with every
    /// visit (PUCT: Rosin, "Multi-armed bandits with episode context", 2011,
    /// as AlphaGo has it).
    pub(super) fn select(&self, at: usize, color: Color, weights: &Weights) -> Option<usize> {
        let parent = &self.nodes[at];
        let view = |value: f32| match color {
            Color::Black => value,
            Color::White => 1.0 - value,
        };
        let expected = view(parent.value);
        let drive = weights.exploration * (parent.visits as f32).sqrt();
        let mut best = None;
        let mut best_score = f32::NEG_INFINITY;
        for child in self.children(at) {
            let node = &self.nodes[child];
            let visits = node.visits as f32;
            let known = view(node.value) * visits + expected * weights.parent_visits;
            let score =
                known / (visits + weights.parent_visits) + drive * node.prior / (1.0 + visits);
            if score > best_score && node.kind != Kind::Illegal {
                (best, best_score) = (Some(child), score);
            }
        }
        best
    }

    /// The most visited child that `accept` takes; of equals the one that is
    /// worth more to `color`, then the first.
    pub(super) fn favourite(
        &self,
        at: usize,
        color: Color,
        accept: impl Fn(&Node) -> bool,
    ) -> Option<usize> {
        let mut best: Option<usize> = None;
        for child in self.children(at) {
            let node = &self.nodes[child];
            let better = best.is_none_or(|best| {
                let best = &self.nodes[best];
                let more = match color {
                    Color::Black => node.value > best.value,
                    Color::White => node.value < best.value,
                };
                node.visits > best.visits || node.visits == best.visits && more
            });
            if node.visits > 0 && better && accept(node) {
                best = Some(child);
            }
        }
        best
    }
}
