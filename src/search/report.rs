//! What a search shows of itself.

use super::evaluator::Ends;
use super::node::{Kind, Node, seen};
use super::player::{Explored, Lead, Owned, Report, StepReport, View};
use super::worker::{Ground, Worker};
use crate::board::{Cell, Color, Point};
use crate::rules::{Step, Variant};
use std::collections::HashSet;

/// A search under way.
pub(super) struct Sight<'a, V: Variant> {
    ground: &'a Ground<'a, V>,
    worker: &'a Worker<V>,
    playouts: u64,
}

/// Standard deviations that a lower bound lies below the mean.
const CAUTION: f32 = 2.0;

impl<'a, V: Variant> Sight<'a, V> {
    pub(super) fn new(ground: &'a Ground<'a, V>, worker: &'a Worker<V>, playouts: u64) -> Self {
        Sight {
            ground,
            worker,
            playouts,
        }
    }

    fn step_report(&self, index: usize, place: u32, priors: f32) -> StepReport {
        let node = self.ground.arena.node(place);
        let color = self.ground.color();
        let mean = node.mean().seen_by(color);
        let visits = node.visits();
        let spread = mean.win * (1.0 - mean.win) / visits.max(1) as f32;
        let (line, line_visits) = line(self.ground, place);
        StepReport {
            step: node.step(),
            visits,
            win_rate: mean.win,
            margin: mean.margin,
            deviation: self.deviation(index, node),
            prior: if priors > 0.0 {
                node.prior() / priors
            } else {
                0.0
            },
            lcb: (mean.win - CAUTION * spread.sqrt()).max(0.0),
            line,
            line_visits,
        }
    }

    /// From the squares of this thread's part of the playouts.
    fn deviation(&self, index: usize, node: &Node) -> f32 {
        let square = self.worker.squares.get(index).copied().unwrap_or(0.0);
        let tried = self.worker.tried.get(index).copied().unwrap_or(0);
        if tried == 0 {
            return 0.0;
        }
        let mean = f64::from(node.mean().margin);
        (square / f64::from(tried) - mean * mean).max(0.0).sqrt() as f32
    }
}

impl<V: Variant> Sight<'_, V> {
    /// Whose the points became at these ends, as the side to move sees it.
    fn owned(&self, ends: &Ends) -> Vec<Owned> {
        let board = &self.ground.start.board;
        let sign = match self.ground.color() {
            Color::Black => 1.0,
            Color::White => -1.0,
        };
        let playable = |&point: &Point| !matches!(board.cell(point), Cell::Wall | Cell::Void);
        let points = board.grid().points().filter(playable);
        points
            .map(|point| {
                let mean = ends.mean_owner(point);
                Owned {
                    point,
                    mean: mean * sign,
                    deviation: (1.0 - mean * mean).max(0.0).sqrt(),
                }
            })
            .collect()
    }
}

impl<V: Variant> View for Sight<'_, V> {
    fn playouts(&self) -> u64 {
        self.playouts
    }

    fn lead(&self) -> Lead {
        let color = self.ground.color();
        let mut lead = Lead::default();
        let mut legal = 0;
        let (mut favourite, mut most_worth) = (0.0, f32::NEG_INFINITY);
        for node in self.ground.arena.children(self.ground.root) {
            if node.kind() == Kind::Illegal || !self.ground.allows(0, color, node.step()) {
                continue;
            }
            legal += 1;
            let (visits, worth) = (node.visits(), node.value_for(color));
            if visits > lead.visits[0] {
                lead.visits = [visits, lead.visits[0]];
                lead.goes_on = matches!(node.step(), Step::Grow(_));
                favourite = worth;
            } else {
                lead.visits[1] = lead.visits[1].max(visits);
            }
            if visits > 0 {
                most_worth = most_worth.max(worth);
            }
        }
        lead.agreed = favourite >= most_worth;
        let bounds = self.ground.arena.node(self.ground.root).bounds();
        lead.settled = legal <= 1 || bounds.exact().is_some();
        lead
    }

    fn report(&self) -> Report {
        let root = self.ground.root;
        let color = self.ground.color();
        let places = self.ground.arena.places(root);
        let priors = self
            .ground
            .arena
            .children(root)
            .iter()
            .map(Node::prior)
            .sum();
        let looked_at = |&(_, place): &(usize, u32)| {
            let node = self.ground.arena.node(place);
            node.visits() > 0
                && node.kind() != Kind::Illegal
                && self.ground.allows(0, color, node.step())
        };
        let listed = places.enumerate().filter(looked_at);
        let mut steps: Vec<_> = listed
            .map(|(index, place)| self.step_report(index, place, priors))
            .collect();
        most_visited_first(&mut steps);
        // What would be chosen comes first, however little it was looked at.
        let first = favourite(self.ground, &|_| true).map(|place| {
            let step = self.ground.arena.node(place).step();
            steps.iter().position(|report| report.step == step)
        });
        if let Some(at) = first.flatten() {
            steps[..=at].rotate_right(1);
        }
        let node = self.ground.arena.node(root);
        let mean = node.mean().seen_by(color);
        let tried: u32 = self.worker.tried.iter().sum();
        let square: f64 = self.worker.squares.iter().sum();
        let variance = square / f64::from(tried.max(1)) - f64::from(mean.margin).powi(2);
        Report {
            visits: u64::from(node.visits()),
            win_rate: mean.win,
            margin: mean.margin,
            deviation: variance.max(0.0).sqrt() as f32,
            steps,
        }
    }

    fn ownership(&self) -> Vec<Owned> {
        self.owned(&self.worker.trace.ends)
    }

    fn ownership_after(&self, step: Step) -> Vec<Owned> {
        let children = self.ground.arena.children(self.ground.root).iter();
        let number = children.map(Node::step).position(|other| other == step);
        let ends = number.and_then(|number| self.worker.apart.get(number));
        match ends {
            Some(ends) if !ends.is_empty() => self.owned(ends),
            _ => Vec::new(),
        }
    }

    fn explored(&self, visits: u32) -> Vec<Explored> {
        let arena = self.ground.arena;
        let mut found = Vec::new();
        let mut met = HashSet::new();
        let mut open = vec![(self.ground.root, Vec::new())];
        while let Some((at, path)) = open.pop() {
            // Several ways may lead to the same children.
            if !met.insert(arena.places(at).start) {
                continue;
            }
            let legal = |&place: &u32| arena.node(place).kind() != Kind::Illegal;
            let children = arena.places(at).filter(legal);
            let mut tried = Vec::new();
            for place in children {
                let node = arena.node(place);
                tried.push((node.step(), node.visits()));
                if node.visits() >= visits && node.is_expanded() {
                    let mut path: Vec<Step> = path.clone();
                    path.push(node.step());
                    open.push((place, path));
                }
            }
            found.push(Explored { path, tried });
        }
        found
    }
}

/// The steps that were looked at most from a node on, and how often.
pub(super) fn line<V: Variant>(ground: &Ground<'_, V>, from: u32) -> (Vec<Step>, Vec<u32>) {
    const LONGEST: usize = 30;
    let mut steps = vec![ground.arena.node(from).step()];
    let mut visits = vec![ground.arena.node(from).visits()];
    let mut at = from;
    while steps.len() < LONGEST {
        let tried = |&place: &u32| ground.arena.node(place).visits() > 0;
        let most = |&place: &u32| (ground.arena.node(place).visits(), std::cmp::Reverse(place));
        let Some(child) = ground.arena.places(at).filter(tried).max_by_key(most) else {
            break;
        };
        steps.push(ground.arena.node(child).step());
        visits.push(ground.arena.node(child).visits());
        at = child;
    }
    (steps, visits)
}

fn most_visited_first(steps: &mut [StepReport]) {
    steps.sort_by(|a, b| {
        let more = b.visits.cmp(&a.visits);
        more.then(b.win_rate.total_cmp(&a.win_rate))
    });
}

/// The child of the root to prefer among those that `accept` takes: the most
/// visited, of equals the one that is worth more to the side to move, then the
/// first. What is proven is looked at no more, so it is weighed by its worth: it
/// goes before if it is worth no less, and if it surely loses, behind.
pub(super) fn favourite<V: Variant>(
    ground: &Ground<'_, V>,
    accept: &dyn Fn(&Node) -> bool,
) -> Option<u32> {
    let color = ground.color();
    let (mut open, mut proven): (Option<u32>, Option<u32>) = (None, None);
    let node = |place: u32| ground.arena.node(place);
    let worth = |place: u32| seen(node(place).value(), color);
    let low = |place: u32| node(place).bounds().seen_by(color).low;
    for place in ground.arena.places(ground.root) {
        let child = node(place);
        let eligible = child.visits() > 0
            && child.kind() != Kind::Illegal
            && ground.allows(0, color, child.step())
            && accept(child);
        if !eligible {
            continue;
        }
        let visits = |place: u32| node(place).visits();
        let sure = child.bounds().exact().is_some() || child.bounds().wins(color);
        if sure && proven.is_none_or(|best| low(place) > low(best)) {
            proven = Some(place);
        }
        let better = |best: u32| {
            let more = visits(place).cmp(&visits(best));
            more.then(worth(place).total_cmp(&worth(best))).is_gt()
        };
        if !sure && open.is_none_or(better) {
            open = Some(place);
        }
    }
    match (proven, open) {
        (Some(proven), Some(open)) => {
            let wins = node(proven).bounds().wins(color);
            let lost = node(open).bounds().loses(color);
            let prefer = wins || lost || worth(proven) >= worth(open);
            Some(if prefer { proven } else { open })
        }
        (proven, open) => proven.or(open),
    }
}
