//! Selection: PUCT and AMAF.

use super::bounds::Bounds;
use super::evaluator::Trace;
use super::node::{Node, NodeState, value_for_color};
use super::node_pool::NodePool;
use super::params::SearchParams;
use crate::board::{Color, Point, PointMap};
use crate::rules::{Step, VariantInfo};

/// Selects the child of the highest PUCT score (Rosin, "Multi-armed bandits with episode context",
/// 2011, as in AlphaGo) for `color`, who is to move: the mean utility, mixed with the AMAF mean
/// while the child has few visits (RAVE), plus an exploration term that shrinks with every visit.
/// Skips children that cannot exceed `bounds`, the proven bounds of `allowed` children; progressive
/// widening skips children of low prior while the node has few visits. `changed` has the priors by
/// number of child if they are not those of the nodes.
pub(super) fn select_child(
    nodes: &NodePool,
    at: u32,
    color: Color,
    params: &SearchParams,
    bounds: Bounds,
    allowed: impl Fn(&Node) -> bool,
    changed: &[f32],
) -> Option<u32> {
    let parent = nodes.node(at);
    let (first, count) = parent.children();
    if count == 0 {
        return None;
    }
    let block = nodes.block(first, count);
    // Later children are all unvisited.
    let reach = nodes.reach(at).min(block.len());
    let expected = parent.value_for(color) - fpu_reduction(&block[..reach], params);
    let visits = parent.visits() + parent.virtual_losses();
    let exploration_term = params.cpuct_exploration * (visits as f32).sqrt();
    let low = bounds.for_color(color).low;
    let mut best = None;
    let mut best_score = f32::NEG_INFINITY;
    let mut fallback = None;
    // Without AMAF the best unvisited child is that of the highest prior: the first one, where the
    // children are sorted.
    let by_prior = params.amaf_equivalence <= 0.0;
    let is_sorted = by_prior && changed.is_empty();
    let mut unvisited_prior = f32::NEG_INFINITY;
    let (mut considered, max_children) = (0, params.max_children(visits));
    for (number, node) in block.iter().enumerate() {
        if is_sorted && number >= reach && unvisited_prior > f32::NEG_INFINITY {
            break;
        }
        if node.state() == NodeState::Illegal || !allowed(node) {
            continue;
        }
        // With a limit the children are sorted by prior.
        if considered >= max_children && best.is_some() {
            break;
        }
        let node_index = first + number as u32;
        fallback = fallback.or(Some(node_index));
        if node.bounds().for_color(color).high <= low {
            continue;
        }
        considered += 1;
        let prior = changed.get(number).copied().unwrap_or_else(|| node.prior());
        if by_prior && node.visits() == 0 && node.virtual_losses() == 0 {
            if prior <= unvisited_prior {
                continue;
            }
            unvisited_prior = prior;
        }
        let bonus = exploration_term * prior;
        let score = puct_score(node, color, expected, bonus, params);
        if score > best_score {
            (best, best_score) = (Some(node_index), score);
        }
    }
    best.or(fallback)
}

/// The visits of each child without noise at the root: as many as keep its PUCT score with the
/// unchanged prior below that of the most visited child, which keeps all (Wu 2019, "policy target
/// pruning").
pub(super) fn unforced_visits(
    nodes: &NodePool,
    at: u32,
    color: Color,
    params: &SearchParams,
) -> Vec<(Step, u32)> {
    let visits = nodes.node(at).visits();
    let exploration_term = params.cpuct_exploration * (visits as f32).sqrt();
    let bonus = |node: &Node| exploration_term * node.prior();
    let (first, count) = nodes.node(at).children();
    let expected =
        nodes.node(at).value_for(color) - fpu_reduction(nodes.block(first, count), params);
    let score = |node: &Node, bonus: f32| puct_score(node, color, expected, bonus, params);
    let children = || nodes.children(at).iter().filter(|node| node.visits() > 0);
    let Some(best) = children().max_by_key(|node| node.visits()) else {
        return Vec::new();
    };
    let reached = score(best, bonus(best));
    let unforced = |node: &Node| {
        let missing = reached - score(node, 0.0);
        if std::ptr::eq(node, best) || missing <= 0.0 {
            return node.visits();
        }
        // The score reaches that of the best child at this number of visits.
        let visits = bonus(node) / missing - 1.0;
        node.visits().min(visits.max(0.0).ceil() as u32)
    };
    children().map(|node| (node.step(), unforced(node))).collect()
}

/// First-play urgency: the assumed distance of an unvisited child's value below its parent's. As in
/// KataGo it grows with the visited share of the prior.
#[inline]
fn fpu_reduction(children: &[Node], params: &SearchParams) -> f32 {
    if params.fpu_prior_reduction == 0.0 {
        return 0.0;
    }
    let visited = children.iter().filter(|child| child.visits() > 0);
    let share: f32 = visited.map(Node::prior).sum();
    params.fpu_prior_reduction * share.min(1.0).sqrt()
}

/// The PUCT score of a child for `color`; `exploration` includes the prior.
#[inline]
fn puct_score(
    node: &Node,
    color: Color,
    expected: f32,
    exploration: f32,
    params: &SearchParams,
) -> f32 {
    let (visits, virtual_losses) = (node.visits() as f32, node.virtual_losses() as f32);
    let all_visits = visits + virtual_losses;
    let known = node.value_for(color) * visits + expected * params.parent_prior_weight;
    let own = known / (all_visits + params.parent_prior_weight);
    let bonus = exploration / (1.0 + all_visits);
    if params.amaf_equivalence <= 0.0 {
        return own + bonus;
    }
    let (amaf, weight) = node.amaf();
    let share =
        weight / (weight + all_visits + weight * all_visits / params.amaf_equivalence + 1e-6);
    own + (value_for_color(amaf, color) - own) * share + bonus
}

/// AMAF (all moves as first: Gelly and Silver, "Monte-Carlo tree search and rapid action value
/// estimation in computer Go", 2011): the side and time of the first step on each point in a
/// simulation, for stones and for other steps.
#[derive(Debug)]
pub(super) struct AmafUpdater {
    /// Number of the simulation, then time and colour.
    first: [PointMap<(u32, u16, Color)>; 2],
    playout: u32,
    /// A bit for each kind of step that places a stone.
    placing_kinds: u64,
}

impl Default for AmafUpdater {
    fn default() -> Self {
        let never = PointMap::filled((0, 0, Color::Black));
        AmafUpdater { first: [never.clone(), never], playout: 0, placing_kinds: 0 }
    }
}

impl AmafUpdater {
    pub(super) fn new(info: &VariantInfo) -> AmafUpdater {
        AmafUpdater { placing_kinds: info.placing_kinds(), ..AmafUpdater::default() }
    }

    #[inline]
    fn class(&self, step: Step) -> Option<(usize, Point)> {
        let places_stone = self.placing_kinds >> step.kind().index() & 1 == 1;
        Some((usize::from(!places_stone), step.point()?))
    }

    /// Updates the AMAF statistics below the nodes of `path`, without the first `skipped`. A child
    /// gets the utility of the simulation if the side to move was the first to play its step later
    /// on.
    pub(super) fn update(
        &mut self,
        nodes: &NodePool,
        params: &SearchParams,
        path: &[(u32, Color)],
        skipped: usize,
        trace: &Trace,
        values: &[f32],
    ) {
        self.playout = self.playout.wrapping_add(1);
        let steps = &trace.steps;
        let within = path.len().min(steps.len());
        // The earliest step on each point is recorded last.
        for (time, &step) in steps.iter().enumerate().skip(within).rev() {
            self.record_step(time, step);
        }
        let fading = params.amaf_decay / steps.len().max(1) as f32;
        for depth in (skipped..path.len()).rev() {
            if let Some(&step) = steps.get(depth) {
                self.record_step(depth, step);
            }
            let (at, color) = path[depth];
            let value = values[depth];
            for child in nodes.children(at) {
                let Some((map, point)) = self.class(child.step()) else {
                    continue;
                };
                let (playout, time, by) = self.first[map][point];
                if playout == self.playout && by == color {
                    let delay = f32::from(time) - depth as f32;
                    let weight = 1.0 - fading * delay;
                    if weight > 0.0 {
                        child.add_amaf(value, weight);
                    }
                }
            }
        }
    }

    #[inline]
    fn record_step(&mut self, time: usize, (color, step): (Color, Step)) {
        if let Some((map, point)) = self.class(step) {
            self.first[map][point] = (self.playout, time as u16, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{puct_score, select_child, unforced_visits};
    use crate::board::{Color, Random};
    use crate::rules::{AnyGame, Setup, Step, variant};
    use crate::search::bounds::Bounds;
    use crate::search::evaluator::Outcome;
    use crate::search::node::Node;
    use crate::search::node_pool::{NodePool, TREE_ROOT};
    use crate::search::tests::pondered;
    use crate::search::{SearchParams, Searcher, Task};

    /// Number of first steps on 9x9 that a search of 400 playouts with uniform
    /// exploration visits.
    fn visited_steps(progressive_widening: u32) -> usize {
        let mut setup = Setup::new(variant("go").expect("go"));
        (setup.size.width, setup.size.height) = (9, 9);
        let game = AnyGame::new(&setup).expect("a game");
        let params = SearchParams {
            cpuct_exploration: 10.0,
            policy_uniform_share: 1.0,
            progressive_widening,
            progressive_widening_growth: 1.25,
            ..SearchParams::playouts()
        };
        let mut task = Task::new(Color::Black);
        task.playouts = Some(400);
        let mut searcher = Searcher::new(params, 16, 1);
        pondered(&mut searcher, &game, &task, |progress| progress.report().steps.len())
    }

    /// A node after these simulations, each a win (1) or a loss (0) of Black.
    fn node_after(values: &[f32]) -> Node {
        let node = Node::default();
        node.reset(Step::PASS, 0.25);
        for &value in values {
            let win = value;
            node.add(Outcome { win, margin: 0.0 }, value);
        }
        node
    }

    #[test]
    fn a_virtual_loss_counts_as_a_lost_simulation() {
        let params = SearchParams::default();
        let score = |node: &Node, color| puct_score(node, color, 0.5, 0.3 * node.prior(), &params);
        for (color, lost) in [(Color::Black, 0.0), (Color::White, 1.0)] {
            let searched = node_after(&[1.0, 0.0, 1.0]);
            let before = score(&searched, color);
            searched.add_virtual_loss();
            searched.add_virtual_loss();
            let expected = score(&node_after(&[1.0, 0.0, 1.0, lost, lost]), color);
            let found = score(&searched, color);
            assert!((found - expected).abs() < 1e-6, "{color:?}: {found} {expected}");
            assert!(found < before, "{color:?}");
            searched.remove_virtual_loss();
            searched.remove_virtual_loss();
            assert_eq!(score(&searched, color), before, "{color:?}");
        }
    }

    #[test]
    fn a_child_keeps_the_visits_that_its_own_prior_explains() {
        let nodes = NodePool::new(1 << 16);
        let first = nodes.allocate(3).expect("room");
        let block = nodes.block(first, 3);
        let root = nodes.node(TREE_ROOT);
        root.reset(Step::PASS, 1.0);
        assert!(root.try_claim());
        root.publish(first, 3);
        // Priors and numbers of visits; the second child loses every time, the third is as
        // good as the best.
        let visited = [(0.6, 40, 0.5), (0.3, 20, 0.0), (0.1, 10, 0.6)];
        for (child, (prior, visits, value)) in block.iter().zip(visited) {
            child.reset(Step::PASS, prior);
            for _ in 0..visits {
                let outcome = Outcome { win: value, margin: 0.0 };
                child.add(outcome, value);
                root.add(outcome, value);
            }
        }
        let params =
            SearchParams { net_cpuct_exploration: 0.6, ..SearchParams::default() }.for_net();
        let found = unforced_visits(&nodes, TREE_ROOT, Color::Black, &params);
        let visits: Vec<u32> = found.into_iter().map(|(_, visits)| visits).collect();
        // 0.6 * sqrt(70) = 5.02: the best reaches 0.5 + 5.02 * 0.6 / 41 = 0.573, and the
        // second 5.02 * 0.3 / (1 + 2) = 0.50 with two visits, 0.38 with three.
        assert_eq!(visits, [40, 2, 10]);
    }

    /// Children are entered by selection, which ends at the first unvisited one, and sometimes
    /// besides, as passes are.
    #[test]
    fn the_first_unvisited_child_is_the_last_that_selection_needs() {
        const CHILDREN: u16 = 300;
        let params = SearchParams { net_fpu_reduction: 0.3, ..SearchParams::default() }.for_net();
        let mut random = Random::new(7);
        let [short, full] = [(); 2].map(|()| NodePool::new(1 << 16));
        let priors: Vec<f32> = (0..CHILDREN).map(|at| 0.05 * 0.97_f32.powi(at.into())).collect();
        let expanded = |nodes: &NodePool| {
            let first = nodes.allocate(CHILDREN).expect("room");
            for (child, &prior) in nodes.block(first, CHILDREN).iter().zip(&priors) {
                child.reset(Step::PASS, prior);
            }
            assert!(nodes.node(TREE_ROOT).try_claim());
            nodes.node(TREE_ROOT).publish(first, CHILDREN);
            first
        };
        let first = expanded(&short);
        assert_eq!(expanded(&full), first);
        full.enter(TREE_ROOT, first + u32::from(CHILDREN) - 1);
        for playout in 0..2000 {
            let selected = |nodes| {
                let all = Bounds::UNKNOWN;
                select_child(nodes, TREE_ROOT, Color::Black, &params, all, |_| true, &[])
            };
            let child = selected(&short).expect("a child");
            assert_eq!(selected(&full), Some(child), "playout {playout}");
            let entered = match random.below(50) {
                0 => first + random.below(CHILDREN.into()),
                _ => child,
            };
            let win = f32::from(random.below(2) as u8);
            for nodes in [&short, &full] {
                nodes.enter(TREE_ROOT, entered);
                for at in [TREE_ROOT, entered] {
                    nodes.node(at).add(Outcome { win, margin: 0.0 }, win);
                }
            }
        }
        assert!(short.reach(TREE_ROOT) > 10);
    }

    #[test]
    fn progressive_widening_limits_visited_children() {
        let (any, few) = (visited_steps(0), visited_steps(5));
        assert!(any > 40 && (20..=30).contains(&few), "{any} {few}");
    }
}
