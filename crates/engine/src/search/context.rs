//! The search context: the data that all threads of a search share.

use super::bounds::Bounds;
use super::images::MirrorImages;
use super::node::{Node, Statistics};
use super::node_pool::NodePool;
use super::params::SearchParams;
use super::task::Restriction;
use super::utility::Utility;
use crate::board::{Color, Point};
use crate::rules::{Position, Step, StepSet};

pub(super) struct SearchContext<'a> {
    pub(super) nodes: &'a NodePool,
    pub(super) params: &'a SearchParams,
    pub(super) utility: &'a Utility,
    pub(super) root: u32,
    pub(super) start: &'a Position,
    /// The point of the turn before the latest one at the root.
    pub(super) before: Point,
    /// Steps at the root that the encoding cannot express.
    pub(super) exclude: &'a StepSet,
    pub(super) restrictions: &'a [Restriction],
    /// Steps at the root of which the search makes only an image.
    pub(super) images: &'a MirrorImages,
    /// The priors of the root's children if the task changes them; otherwise empty.
    pub(super) root_priors: &'a [f32],
    /// The number of evaluations at a time.
    pub(super) threads: u64,
    /// Whether several simulations run at a time.
    pub(super) is_shared: bool,
    /// Whether to count ownership for each child of the root.
    pub(super) move_ownership: bool,
}

impl SearchContext<'_> {
    pub(super) fn color(&self) -> Color {
        self.start.situation.to_move
    }

    /// Whether the restrictions allow `step` of `color` at this depth; 0 is the root.
    #[inline]
    pub(super) fn allows(&self, depth: usize, color: Color, step: Step) -> bool {
        if depth == 0 && self.images.leave_out(step) {
            return false;
        }
        if self.exclude.is_empty() && self.restrictions.is_empty() {
            return true;
        }
        let excluded = depth == 0 && step.point().is_some() && self.exclude.contains(step);
        !excluded && Restriction::allow(self.restrictions, depth, color, step)
    }

    /// The child of the root that passes, if it is allowed; it may have no visit.
    pub(super) fn pass(&self) -> Option<u32> {
        let pass = self.nodes.edges(self.root).position(|edge| edge.step() == Step::PASS);
        let pass = pass.filter(|_| self.allows(0, self.color(), Step::PASS));
        self.nodes.enter(self.root, pass?)
    }

    /// The bounds of a node by the steps that are allowed at this depth.
    pub(super) fn allowed_bounds(&self, at: u32, depth: usize, color: Color) -> Bounds {
        let allowed = |step| self.allows(depth, color, step);
        Bounds::best(color, self.nodes.legal_bounds(at, allowed))
    }

    /// The statistics of the root; under restrictions those of the allowed steps.
    pub(super) fn root_statistics(&self) -> Statistics {
        if !self.is_restricted(0) {
            return self.nodes.node(self.root).statistics();
        }
        let children = self.nodes.children(self.root).map(|child| self.nodes.node(child));
        let allowed = children.filter(|node| self.allows(0, self.color(), node.step()));
        let all = allowed.map(Node::statistics);
        all.fold(Statistics::default(), Statistics::with)
    }

    pub(super) fn is_restricted(&self, depth: usize) -> bool {
        depth == 0 && !self.exclude.is_empty()
            || self.restrictions.iter().any(|restriction| depth < restriction.depth as usize)
    }
}
