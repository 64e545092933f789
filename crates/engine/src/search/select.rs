//! Selection: PUCT.

use super::bounds::Bounds;
use super::edge::{Block, Edge};
use super::node::Node;
use super::node_pool::NodePool;
use super::params::SearchParams;
use crate::board::Color;
use crate::rules::Step;

/// Selects the child of the highest PUCT score (Rosin, "Multi-armed bandits with episode context",
/// 2011, as in AlphaGo) for `color`, who is to move: the mean utility plus an exploration term that
/// shrinks with every visit. Returns the number of its edge. Skips children that cannot exceed
/// `bounds`, the proven bounds of `allowed` children. `changed` has the priors by number of child
/// if they are not those of the edges.
pub(super) fn select_child(
    nodes: &NodePool,
    at: u32,
    color: Color,
    params: &SearchParams,
    bounds: Bounds,
    allowed: impl Fn(Step) -> bool,
    changed: &[f32],
) -> Option<usize> {
    let parent = nodes.node(at);
    let block = nodes.block_of(at)?;
    // Later children are all unvisited.
    let reach = block.reach();
    let expected = parent.value_for(color) - fpu_reduction(nodes, block, params);
    let visits = parent.visits() + parent.virtual_losses();
    let exploration_term = params.cpuct_exploration * (visits as f32).sqrt();
    let low = bounds.for_color(color).low;
    let mut best = None;
    let mut best_score = f32::NEG_INFINITY;
    // The best unvisited child is that of the highest prior: the first one, unless priors changed.
    let is_sorted = changed.is_empty();
    let mut unvisited_prior = f32::NEG_INFINITY;
    for (number, edge) in block.edges().enumerate() {
        if is_sorted && number >= reach && unvisited_prior > f32::NEG_INFINITY {
            break;
        }
        let node = nodes.child(edge);
        if !allowed(edge.step()) || node.is_some_and(|node| !node.may_exceed(low, color)) {
            continue;
        }
        let prior = changed.get(number).copied().unwrap_or_else(|| edge.prior());
        let tried = Tried::new(node, color);
        if tried.visits + tried.virtual_losses == 0.0 {
            if prior <= unvisited_prior {
                continue;
            }
            unvisited_prior = prior;
        }
        let score = tried.puct_score(expected, exploration_term * prior, params);
        if score > best_score {
            (best, best_score) = (Some(number), score);
        }
    }
    best.or_else(|| {
        let is_legal = |edge: Edge<'_>| {
            allowed(edge.step()) && nodes.child(edge).is_none_or(|node| !node.is_illegal())
        };
        block.edges().position(is_legal)
    })
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
    let Some(block) = nodes.block_of(at) else {
        return Vec::new();
    };
    let parent = nodes.node(at);
    let exploration_term = params.cpuct_exploration * (parent.visits() as f32).sqrt();
    let bonus = |edge: Edge<'_>| exploration_term * edge.prior();
    let expected = parent.value_for(color) - fpu_reduction(nodes, block, params);
    let score = |node: Node<'_>, bonus: f32| {
        Tried::new(Some(node), color).puct_score(expected, bonus, params)
    };
    let children = || {
        let entered = block.entered().filter_map(|edge| Some((edge, nodes.child(edge)?)));
        entered.filter(|(_, node)| node.visits() > 0)
    };
    let Some((best, most_visited)) = children().max_by_key(|(_, node)| node.visits()) else {
        return Vec::new();
    };
    let reached = score(most_visited, bonus(best));
    let unforced = |edge: Edge<'_>, node: Node<'_>| {
        let missing = reached - score(node, 0.0);
        if edge.child() == best.child() || missing <= 0.0 {
            return node.visits();
        }
        // The score reaches that of the best child at this number of visits.
        let visits = bonus(edge) / missing - 1.0;
        node.visits().min(visits.max(0.0).ceil() as u32)
    };
    children().map(|(edge, node)| (edge.step(), unforced(edge, node))).collect()
}

/// First-play urgency: the assumed distance of an unvisited child's value below its parent's. As in
/// KataGo it grows with the visited share of the prior.
#[inline]
fn fpu_reduction(nodes: &NodePool, block: Block<'_>, params: &SearchParams) -> f32 {
    if params.fpu_reduction == 0.0 {
        return 0.0;
    }
    let visited =
        block.entered().filter(|&edge| nodes.child(edge).is_some_and(|node| node.visits() > 0));
    let share: f32 = visited.map(Edge::prior).sum();
    params.fpu_reduction * share.min(1.0).sqrt()
}

/// The findings of simulations about a child, for the side to move.
struct Tried {
    visits: f32,
    virtual_losses: f32,
    value: f32,
}

impl Tried {
    #[inline]
    fn new(node: Option<Node<'_>>, color: Color) -> Tried {
        let Some(node) = node else {
            return Tried { visits: 0.0, virtual_losses: 0.0, value: 0.5 };
        };
        Tried {
            visits: node.visits() as f32,
            virtual_losses: node.virtual_losses() as f32,
            value: node.value_for(color),
        }
    }

    /// The PUCT score; `exploration` includes the prior.
    #[inline]
    fn puct_score(&self, expected: f32, exploration: f32, params: &SearchParams) -> f32 {
        let all_visits = self.visits + self.virtual_losses;
        let sum = self.value * self.visits + expected * params.parent_prior_weight;
        let own = sum / (all_visits + params.parent_prior_weight);
        own + exploration / (1.0 + all_visits)
    }
}

#[cfg(test)]
mod tests {
    use super::{Tried, select_child, unforced_visits};
    use crate::board::{Color, Random};
    use crate::rules::Step;
    use crate::search::SearchParams;
    use crate::search::bounds::Bounds;
    use crate::search::edge::PackedPrior;
    use crate::search::evaluator::Outcome;
    use crate::search::node_pool::{NodePool, TREE_ROOT};

    /// A pool whose start node had these simulations, each a win (1) or a loss (0) of Black.
    fn after(values: &[f32]) -> NodePool {
        let nodes = NodePool::new(0);
        for &win in values {
            nodes.node(TREE_ROOT).add(Outcome { win, margin: 0.0 }, win);
        }
        nodes
    }

    #[test]
    fn a_virtual_loss_counts_as_a_lost_simulation() {
        let params = SearchParams::default();
        let score = |nodes: &NodePool, color| {
            Tried::new(Some(nodes.node(TREE_ROOT)), color).puct_score(0.5, 0.075, &params)
        };
        for (color, lost) in [(Color::Black, 0.0), (Color::White, 1.0)] {
            let nodes = after(&[1.0, 0.0, 1.0]);
            let before = score(&nodes, color);
            let searched = nodes.node(TREE_ROOT);
            searched.add_virtual_loss();
            searched.add_virtual_loss();
            let expected = score(&after(&[1.0, 0.0, 1.0, lost, lost]), color);
            let score_after = score(&nodes, color);
            assert!((score_after - expected).abs() < 1e-6, "{color:?}: {score_after} {expected}");
            assert!(score_after < before, "{color:?}");
            searched.remove_virtual_loss();
            searched.remove_virtual_loss();
            assert_eq!(score(&nodes, color), before, "{color:?}");
        }
    }

    /// Gives the start node edges with these priors.
    fn expand(nodes: &NodePool, priors: &[f32]) {
        let (at, block) = nodes.new_block(priors.len() as u16).expect("room");
        for (edge, &prior) in block.edges().zip(priors) {
            edge.reset(Step::PASS, PackedPrior::new(prior));
        }
        assert!(nodes.node(TREE_ROOT).try_claim());
        nodes.node(TREE_ROOT).publish(at);
    }

    #[test]
    fn a_child_keeps_the_visits_that_its_own_prior_explains() {
        let nodes = NodePool::new(0);
        let root = nodes.node(TREE_ROOT);
        // Priors and numbers of visits; the second child loses every time, the third is as
        // good as the best.
        let visited = [(0.6, 40, 0.5), (0.3, 20, 0.0), (0.1, 10, 0.6)];
        expand(&nodes, &visited.map(|(prior, ..)| prior));
        for (number, (_, visits, value)) in visited.into_iter().enumerate() {
            let child = nodes.node(nodes.enter(TREE_ROOT, number).expect("room"));
            for _ in 0..visits {
                let outcome = Outcome { win: value, margin: 0.0 };
                child.add(outcome, value);
                root.add(outcome, value);
            }
        }
        let params = SearchParams { cpuct_exploration: 0.6, ..SearchParams::default() };
        let unforced = unforced_visits(&nodes, TREE_ROOT, Color::Black, &params);
        let visits: Vec<u32> = unforced.into_iter().map(|(_, visits)| visits).collect();
        // 0.6 * sqrt(70) = 5.02: the best reaches 0.5 + 5.02 * 0.6 / 41 = 0.573, and the
        // second 5.02 * 0.3 / (1 + 2) = 0.50 with two visits, 0.38 with three.
        assert_eq!(visits, [40, 2, 10]);
    }

    /// Children are entered by selection, which ends at the first unvisited one, and sometimes
    /// besides, as passes are.
    #[test]
    fn the_first_unvisited_child_is_the_last_that_selection_needs() {
        const CHILDREN: usize = 300;
        let params = SearchParams { fpu_reduction: 0.3, ..SearchParams::default() };
        let mut random = Random::new(7);
        let [short, full] = [(); 2].map(|()| NodePool::new(0));
        let priors: Vec<f32> = (0..CHILDREN).map(|at| 0.05 * 0.97_f32.powi(at as i32)).collect();
        for nodes in [&short, &full] {
            expand(nodes, &priors);
        }
        full.enter(TREE_ROOT, CHILDREN - 1);
        for playout in 0..2000 {
            let selected = |nodes| {
                let all = Bounds::UNKNOWN;
                select_child(nodes, TREE_ROOT, Color::Black, &params, all, |_| true, &[])
            };
            let child = selected(&short).expect("a child");
            assert_eq!(selected(&full), Some(child), "playout {playout}");
            let entered = match random.below(50) {
                0 => random.below(CHILDREN as u32) as usize,
                _ => child,
            };
            let win = f32::from(random.below(2) as u8);
            for nodes in [&short, &full] {
                let child = nodes.enter(TREE_ROOT, entered).expect("room");
                for at in [TREE_ROOT, child] {
                    nodes.node(at).add(Outcome { win, margin: 0.0 }, win);
                }
            }
        }
        assert!(short.block_of(TREE_ROOT).is_some_and(|block| block.reach() > 10));
    }
}
