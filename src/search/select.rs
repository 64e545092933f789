//! Selection: PUCT.

use super::bounds::Bounds;
use super::node::{Node, NodeState};
use super::node_pool::NodePool;
use super::params::SearchParams;
use crate::board::Color;
use crate::rules::Step;

/// Selects the child of the highest PUCT score (Rosin, "Multi-armed bandits with episode context",
/// 2011, as in AlphaGo) for `color`, who is to move: the mean utility plus an exploration term that
/// shrinks with every visit. Skips children that cannot exceed `bounds`, the proven bounds of
/// `allowed` children. `changed` has the priors by number of child if they are not those of the
/// nodes.
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
    // The best unvisited child is that of the highest prior: the first one, unless priors changed.
    let is_sorted = changed.is_empty();
    let mut unvisited_prior = f32::NEG_INFINITY;
    for (number, node) in block.iter().enumerate() {
        if is_sorted && number >= reach && unvisited_prior > f32::NEG_INFINITY {
            break;
        }
        if node.state() == NodeState::Illegal || !allowed(node) {
            continue;
        }
        let node_index = first + number as u32;
        fallback = fallback.or(Some(node_index));
        if node.bounds().for_color(color).high <= low {
            continue;
        }
        let prior = changed.get(number).copied().unwrap_or_else(|| node.prior());
        if node.visits() == 0 && node.virtual_losses() == 0 {
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
    if params.fpu_reduction == 0.0 {
        return 0.0;
    }
    let visited = children.iter().filter(|child| child.visits() > 0);
    let share: f32 = visited.map(Node::prior).sum();
    params.fpu_reduction * share.min(1.0).sqrt()
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
    own + bonus
}

#[cfg(test)]
mod tests {
    use super::{puct_score, select_child, unforced_visits};
    use crate::board::{Color, Random};
    use crate::rules::Step;
    use crate::search::SearchParams;
    use crate::search::bounds::Bounds;
    use crate::search::evaluator::Outcome;
    use crate::search::node::Node;
    use crate::search::node_pool::{NodePool, TREE_ROOT};

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
        let params = SearchParams { cpuct_exploration: 0.6, ..SearchParams::default() };
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
        let params = SearchParams { fpu_reduction: 0.3, ..SearchParams::default() };
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
}
