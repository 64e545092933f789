//! Reports of a search in progress.

use super::context::SearchContext;
use super::edge::Edge;
use super::evaluator::Ownership;
use super::node::{Node, NodeState};
use super::passing::PassOrPlay;
use super::select;
use super::task::Choice;
use super::worker::Worker;
use crate::board::{Color, Point, Random};
use crate::rules::Step;
use std::cmp::{Ordering, Reverse};

/// The stability of the best step so far, for time management.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BestMoveStability {
    /// Visits of the most visited step and of the second.
    pub visits: [u32; 2],
    /// Whether the most visited step also has the best value.
    pub is_best_by_value: bool,
    /// Whether no search can change the choice: only one step is legal, or the result is proven.
    pub is_decided: bool,
    /// Whether the turn continues after the most visited step.
    pub continues_turn: bool,
}

/// The statistics of a step, all finite; values from the point of view of the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// Simulations through the step.
    pub visits: u32,
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// Mean margin in points.
    pub margin: f32,
    /// Standard deviation of the margin, in points.
    pub stdev: f32,
    /// The step's share of the policy prior, 0 to 1.
    pub prior: f32,
    /// Lower confidence bound of the win rate.
    pub lcb: f32,
    /// Principal variation: the step and the most visited steps after it.
    pub pv: Vec<Step>,
    /// Visits of each step of the principal variation.
    pub pv_visits: Vec<u32>,
    /// The step that the search has made instead, of which this one is a mirror image.
    pub image_of: Option<Step>,
}

/// The report of a choice without a search, or with a hidden search.
impl From<&Choice> for StepReport {
    fn from(choice: &Choice) -> StepReport {
        StepReport {
            step: choice.step,
            visits: choice.visits,
            win_rate: probability(choice.win_rate),
            margin: finite(choice.margin),
            stdev: 0.0,
            prior: 1.0,
            lcb: probability(choice.win_rate),
            pv: choice.pv.clone(),
            pv_visits: Vec::new(),
            image_of: None,
        }
    }
}

impl StepReport {
    /// The report of a step without a simulation.
    fn unvisited(step: Step, prior: f32) -> StepReport {
        StepReport {
            step,
            visits: 0,
            win_rate: 0.5,
            margin: 0.0,
            stdev: 0.0,
            prior,
            lcb: 0.0,
            pv: vec![step],
            pv_visits: vec![0],
            image_of: None,
        }
    }

    /// The principal variation, or without one only the step.
    pub fn variation(&self) -> &[Step] {
        if self.pv.is_empty() { std::slice::from_ref(&self.step) } else { &self.pv }
    }
}

/// The state of a search, all numbers finite; values from the point of view of the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchReport {
    /// Simulations through the root.
    pub visits: u64,
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// Mean margin in points.
    pub margin: f32,
    /// Standard deviation of the margin, in points.
    pub stdev: f32,
    /// Standard deviation of the win rate.
    pub win_stdev: f32,
    /// The visited steps, the best first.
    pub steps: Vec<StepReport>,
    /// The other candidates, the highest prior first, with the values of the root. Superko may
    /// forbid some of them.
    pub unvisited: Vec<StepReport>,
}

impl SearchReport {
    /// Draws a step other than a pass, in proportion to visits^(1/temperature); `None` without a
    /// visited one.
    pub fn draw(&self, temperature: f32, random: &mut Random) -> Option<Step> {
        let weight = |visits: u32| (visits as f32).powf(1.0 / temperature);
        let mut steps = self.steps.iter().filter(|step| step.step != Step::PASS);
        let total: f32 = steps.clone().map(|step| weight(step.visits)).sum();
        let mut remaining = random.fraction() * total;
        let drawn = steps.clone().find(|step| {
            remaining -= weight(step.visits);
            remaining < 0.0
        });
        drawn.or_else(|| steps.next_back()).map(|step| step.step)
    }
}

/// Ownership of one point from the point of view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointOwnership {
    /// The point.
    pub point: Point,
    /// Mean ownership, −1 (the opponent's) to +1 (own).
    pub mean: f32,
    /// Its standard deviation, 0 to 1.
    pub stdev: f32,
}

/// A search in progress.
pub trait SearchProgress {
    /// Playouts of this search.
    fn playouts(&self) -> u64;
    /// Playouts of all threads in the time of the check of a pass, if the search ended now.
    fn playouts_to_choose(&self) -> u64 {
        0
    }
    /// Whether the search has ended and makes the playouts of a check.
    fn is_choosing(&self) -> bool {
        false
    }
    /// See [`BestMoveStability`]; cheap enough for every callback.
    fn stability(&self) -> BestMoveStability;
    /// The statistics of the root and its steps.
    fn report(&self) -> SearchReport;
    /// The visited steps, and the visits of each without noise at the root: targets of a policy.
    fn unforced_visits(&self) -> Vec<(Step, u32)> {
        Vec::new()
    }
    /// Ownership of every point but walls and voids.
    fn ownership(&self) -> Vec<PointOwnership>;
    /// Ownership after a step at the root; empty if the task did not ask for it, or without visits.
    fn ownership_after(&self, step: Step) -> Vec<PointOwnership>;
}

/// Called about every millisecond during a search; returning true ends the search.
pub type StopCallback<'w> = dyn FnMut(&dyn SearchProgress) -> bool + 'w;

/// A search in progress, seen by one of its threads.
pub(super) struct RunningSearch<'a> {
    context: &'a SearchContext<'a>,
    worker: &'a Worker,
    playouts: u64,
    is_choosing: bool,
}

impl<'a> RunningSearch<'a> {
    pub(super) fn new(context: &'a SearchContext<'a>, worker: &'a Worker, playouts: u64) -> Self {
        RunningSearch { context, worker, playouts, is_choosing: false }
    }

    /// The same search, which makes the playouts of a check.
    pub(super) fn choosing(self) -> Self {
        RunningSearch { is_choosing: true, ..self }
    }

    /// The report of an edge; its share is that of all `priors`.
    fn step_report(&self, edge: Edge<'_>, priors: f32) -> StepReport {
        let prior = if priors > 0.0 { probability(edge.prior() / priors) } else { 0.0 };
        let Some(node_index) = edge.child() else {
            return StepReport::unvisited(edge.step(), prior);
        };
        let node = self.context.nodes.node(node_index);
        let color = self.context.color();
        let mean = node.mean().for_color(color);
        let visits = node.visits();
        let spread = lower_bound_distance(node);
        let (pv, pv_visits) = self.context.principal_variation(node_index);
        StepReport {
            step: node.step(),
            visits,
            win_rate: probability(mean.win),
            margin: finite(self.context.lead_after(node_index)),
            stdev: finite(node.margin_variance().max(0.0).sqrt()),
            prior,
            lcb: probability(mean.win - spread),
            pv,
            pv_visits,
            image_of: None,
        }
    }

    fn step_reports(&self) -> (Vec<StepReport>, Vec<StepReport>) {
        let (nodes, root) = (self.context.nodes, self.context.root);
        let priors: f32 = nodes.edges(root).map(Edge::prior).sum();
        let allowed = |edge: &Edge<'_>| self.context.allows_at_root(*edge);
        let reports = nodes.edges(root).filter(allowed);
        let mut reports: Vec<_> = reports.map(|edge| self.step_report(edge, priors)).collect();
        self.context.images.add_to(&mut reports, |step| {
            let edge = nodes.edges(root).find(|edge| edge.step() == step);
            edge.filter(|_| priors > 0.0).map_or(0.0, |edge| edge.prior() / priors)
        });
        reports.into_iter().partition(|step| step.visits > 0)
    }

    /// Ownership from the point of view of the side to move.
    fn owned(&self, ownership: &Ownership) -> Vec<PointOwnership> {
        let sign = f32::from(self.context.color().sign());
        let owned = |point| {
            let mean = ownership.mean_owner(point);
            let stdev = (1.0 - mean * mean).max(0.0).sqrt();
            PointOwnership { point, mean: mean * sign, stdev }
        };
        self.context.start.board.ownable_points().map(owned).collect()
    }
}

impl SearchProgress for RunningSearch<'_> {
    fn playouts(&self) -> u64 {
        self.playouts
    }

    fn playouts_to_choose(&self) -> u64 {
        let context = self.context;
        let best = context.best_child(&|node| node.step() != Step::PASS);
        let (Some(pass), Some(best)) = (context.pass(), best) else { return 0 };
        let children = PassOrPlay { pass, best };
        context.expected_check_playouts(children, self.playouts) * context.threads
    }

    fn is_choosing(&self) -> bool {
        self.is_choosing
    }

    fn stability(&self) -> BestMoveStability {
        let color = self.context.color();
        let mut stability = BestMoveStability::default();
        let mut legal = 0;
        let (mut most_visited_value, mut best_value) = (0.0, f32::NEG_INFINITY);
        for edge in self.context.nodes.edges(self.context.root) {
            if !self.context.allows_at_root(edge) {
                continue;
            }
            legal += 1;
            let Some(node) = self.context.nodes.child(edge) else {
                continue;
            };
            let (visits, value) = (node.visits(), node.value_for(color));
            if visits > stability.visits[0] {
                stability.visits = [visits, stability.visits[0]];
                stability.continues_turn = self.context.start.info().continues_turn(node.step());
                most_visited_value = value;
            } else {
                stability.visits[1] = stability.visits[1].max(visits);
            }
            if visits > 0 {
                best_value = best_value.max(value);
            }
        }
        stability.is_best_by_value = most_visited_value >= best_value;
        let root = self.context.root;
        let leaves_out = !self.context.images.is_empty();
        let bounds = if leaves_out || self.context.is_restricted(0) {
            self.context.allowed_bounds(root, 0, color)
        } else {
            self.context.nodes.node(root).bounds()
        };
        stability.is_decided = legal <= 1 || bounds.exact().is_some();
        stability
    }

    fn report(&self) -> SearchReport {
        let color = self.context.color();
        let (mut steps, mut unvisited) = self.step_reports();
        unvisited.sort_by(|a, b| b.prior.total_cmp(&a.prior));
        steps.sort_by(|a, b| {
            let more = b.visits.cmp(&a.visits);
            more.then(b.win_rate.total_cmp(&a.win_rate))
        });
        // The best step comes first, even with few visits.
        let first = self.context.best_child(&|_| true).map(|node_index| {
            let step = self.context.nodes.node(node_index).step();
            steps.iter().position(|report| report.step == step)
        });
        if let Some(at) = first.flatten() {
            steps[..=at].rotate_right(1);
        }
        let all = self.context.root_statistics();
        let win_rate = probability(all.mean.for_color(color).win);
        let stdev = finite(all.margin_variance.max(0.0).sqrt());
        let margin = finite(self.context.lead());
        for step in &mut unvisited {
            (step.win_rate, step.margin, step.stdev) = (win_rate, margin, stdev);
            step.lcb = 0.0;
        }
        SearchReport {
            visits: u64::from(all.visits),
            win_rate,
            margin,
            stdev,
            win_stdev: finite(all.win_variance.max(0.0).sqrt()),
            steps,
            unvisited,
        }
    }

    fn unforced_visits(&self) -> Vec<(Step, u32)> {
        let context = self.context;
        select::unforced_visits(context.nodes, context.root, context.color(), context.params)
    }

    fn ownership(&self) -> Vec<PointOwnership> {
        let mut owned = self.owned(&self.worker.trace.ownership);
        self.context.images.make_symmetric(&mut owned);
        owned
    }

    fn ownership_after(&self, step: Step) -> Vec<PointOwnership> {
        let mut edges = self.context.nodes.edges(self.context.root);
        let images = self.context.images;
        let original = images.original(step);
        let number = edges.position(|edge| edge.step() == original);
        let ownership = number.and_then(|number| self.worker.child_ownership.get(number));
        let ownership = ownership.filter(|ownership| !ownership.is_empty());
        let mut owned = ownership.map_or_else(Vec::new, |ownership| self.owned(ownership));
        images.moved_ownership(step, &mut owned);
        owned
    }
}

/// A number for clients: 0 instead of a number that is not finite, and of −0.
fn finite(value: f32) -> f32 {
    if value.is_finite() { value + 0.0 } else { 0.0 }
}

/// A number for clients from 0 to 1.
fn probability(value: f32) -> f32 {
    finite(value).clamp(0.0, 1.0)
}

impl SearchContext<'_> {
    /// Whether neither the task nor superko forbids this step at the root.
    fn allows_at_root(&self, edge: Edge<'_>) -> bool {
        self.allows(0, self.color(), edge.step())
            && self.nodes.child(edge).is_none_or(|node| !node.is_illegal())
    }

    /// The principal variation from a node on, and the visits of its steps.
    pub(super) fn principal_variation(&self, from: u32) -> (Vec<Step>, Vec<u32>) {
        const MAX_STEPS: usize = 30;
        let visits = |&at: &u32| self.nodes.node(at).visits();
        let most_visited = |&at: &u32| {
            let children = self.nodes.children(at).filter(|child| visits(child) > 0);
            children.max_by_key(|child| (visits(child), Reverse(*child)))
        };
        let path = std::iter::successors(Some(from), most_visited).take(MAX_STEPS);
        path.map(|at| (self.nodes.node(at).step(), visits(&at))).unzip()
    }

    /// The best child of the root among those that `accept` takes: the one with the most visits,
    /// then with the higher value, then the first. With `lcb_visits_share` the highest lower
    /// confidence bound of much visited children decides (as in Leela Zero and KataGo). The search
    /// does not visit a proven child again, so its value decides: it is better than a child of the
    /// same value.
    pub(super) fn best_child(&self, accept: &dyn Fn(Node<'_>) -> bool) -> Option<u32> {
        let color = self.color();
        let node = |node_index: u32| self.nodes.node(node_index);
        let value = |node_index: u32| node(node_index).value_for(color);
        let low = |node_index: u32| node(node_index).bounds().for_color(color).low;
        let eligible = |&node_index: &u32| {
            let child = node(node_index);
            child.visits() > 0
                && child.state() != NodeState::Illegal
                && self.allows(0, color, child.step())
                && accept(child)
        };
        let is_sure = |node_index: u32| node(node_index).bounds().decides(color);
        let (mut open, mut proven): (Option<u32>, Option<u32>) = (None, None);
        for node_index in self.nodes.children(self.root).filter(eligible) {
            let sure = is_sure(node_index);
            if sure && proven.is_none_or(|best| low(node_index) > low(best)) {
                proven = Some(node_index);
            }
            if !sure
                && open.is_none_or(|best| compare_open(node(node_index), node(best), color).is_gt())
            {
                open = Some(node_index);
            }
        }
        if let Some(most_visited) = open.filter(|_| self.params.lcb_visits_share < 1.0) {
            let children = self.nodes.children(self.root);
            let children = children.filter(|at| eligible(at) && !is_sure(*at));
            open = Some(self.highest_lower_bound(most_visited, children));
        }
        match (proven, open) {
            (Some(proven), Some(open)) => {
                let is_better = node(proven).bounds().wins(color)
                    || node(open).bounds().loses(color)
                    || value(proven) >= value(open);
                Some(if is_better { proven } else { open })
            }
            (proven, open) => proven.or(open),
        }
    }

    /// The child of the highest lower confidence bound among those with enough visits, compared
    /// with the most visited child.
    fn highest_lower_bound(&self, most_visited: u32, children: impl Iterator<Item = u32>) -> u32 {
        let color = self.color();
        let node = |at: u32| self.nodes.node(at);
        let bound = |at: u32| node(at).value_for(color) - lower_bound_distance(node(at));
        let least = node(most_visited).visits() as f32 * self.params.lcb_visits_share;
        let visited = children.filter(|&at| node(at).visits() as f32 >= least);
        visited.fold(most_visited, |best, at| if bound(at) > bound(best) { at } else { best })
    }
}

/// The distance of the lower confidence bound of a child from its mean: two standard deviations, so
/// that a child is better with 97%.
fn lower_bound_distance(node: Node<'_>) -> f32 {
    const STDEVS: f32 = 2.0;
    let deviation = (node.win_variance().max(0.0) / node.visits().max(1) as f32).sqrt();
    STDEVS * deviation
}

/// Compares children that are not proven: by visits, then by value.
fn compare_open(one: Node<'_>, other: Node<'_>, color: Color) -> Ordering {
    let more = one.visits().cmp(&other.visits());
    more.then(one.value_for(color).total_cmp(&other.value_for(color)))
}
