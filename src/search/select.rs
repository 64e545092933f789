//! Which child to look at next, and what playouts say about steps that came
//! later in them (all moves as first: Gelly and Silver, "Monte-Carlo tree
//! search and rapid action value estimation in computer Go", 2011).

use super::arena::Arena;
use super::evaluator::Trace;
use super::knobs::Knobs;
use super::node::{Kind, Node, seen};
use crate::board::{Color, Point, PointMap};
use crate::rules::Step;

/// The child that promises `color`, who is to move, the most: its mean value,
/// mixed with that of the playouts in which its step came later as long as it
/// has few visits of its own, and a bonus that shrinks with every visit (PUCT:
/// Rosin, "Multi-armed bandits with episode context", 2011, as AlphaGo has
/// it). Children that cannot be better than what is proven already are left
/// alone, and so, if the knobs say so, are those of low prior as long as the
/// node has few visits.
pub(super) fn child(
    arena: &Arena,
    at: u32,
    color: Color,
    knobs: &Knobs,
    allowed: impl Fn(&Node) -> bool,
) -> Option<u32> {
    let parent = arena.node(at);
    let (first, count) = parent.children();
    if count == 0 {
        return None;
    }
    let expected = parent.value_for(color) - knobs.urgency_loss;
    let visits = parent.visits() + parent.flying();
    let drive = knobs.exploration * (visits as f32).sqrt();
    let low = parent.bounds().seen_by(color).low;
    let mut best = None;
    let mut best_score = f32::NEG_INFINITY;
    let mut fallback = None;
    let (mut met, width) = (0, knobs.width(visits));
    for (place, node) in (first..).zip(arena.block(first, count)) {
        if node.kind() == Kind::Illegal || !allowed(node) {
            continue;
        }
        // Then they are in the order of their priors.
        if met >= width && best.is_some() {
            break;
        }
        fallback = fallback.or(Some(place));
        if node.bounds().seen_by(color).high <= low {
            continue;
        }
        met += 1;
        let score = promise(node, color, expected, drive, knobs);
        if score > best_score {
            (best, best_score) = (Some(place), score);
        }
    }
    best.or(fallback)
}

/// What a child promises `color`.
#[inline]
fn promise(node: &Node, color: Color, expected: f32, drive: f32, knobs: &Knobs) -> f32 {
    let (visits, flying) = (node.visits() as f32, node.flying() as f32);
    let tried = visits + flying;
    let known = node.value_for(color) * visits + expected * knobs.parent_visits;
    let own = known / (tried + knobs.parent_visits);
    let bonus = drive * node.prior() / (1.0 + tried);
    if knobs.amaf_equivalence <= 0.0 {
        return own + bonus;
    }
    let (amaf, weight) = node.amaf();
    let share = weight / (weight + tried + weight * tried / knobs.amaf_equivalence + 1e-6);
    own + (seen(amaf, color) - own) * share + bonus
}

/// Who first came to each point in a playout, and when: for stones, and for
/// nukes and tao stones.
#[derive(Debug)]
pub(super) struct Marks {
    /// Number of the playout, then time and colour.
    first: [PointMap<(u32, u16, Color)>; 2],
    playout: u32,
}

impl Default for Marks {
    fn default() -> Self {
        let nobody = PointMap::filled((0, 0, Color::Black));
        Marks {
            first: [nobody.clone(), nobody],
            playout: 0,
        }
    }
}

/// Which of the two maps a step belongs to, and its point.
#[inline]
fn class(step: Step) -> Option<(usize, Point)> {
    match step {
        Step::Stone(point) | Step::Grow(point) => Some((0, point)),
        Step::Nuke(point) | Step::Tao(point) => Some((1, point)),
        Step::Pass | Step::Done => None,
    }
}

impl Marks {
    /// Adds the values that a playout has for the nodes of `path` to all their
    /// children whose steps the side to move there was the first to make later on.
    pub(super) fn note(
        &mut self,
        arena: &Arena,
        knobs: &Knobs,
        path: &[(u32, Color)],
        trace: &Trace,
        values: &[f32],
    ) {
        self.playout = self.playout.wrapping_add(1);
        let steps = &trace.steps;
        let within = path.len().min(steps.len());
        self.mark(steps, within);
        let fading = knobs.amaf_decay / steps.len().max(1) as f32;
        for depth in (0..path.len()).rev() {
            if let Some(&step) = steps.get(depth) {
                self.mark_one(depth, step);
            }
            let (at, color) = path[depth];
            let value = values[depth];
            for child in arena.children(at) {
                let Some((map, point)) = class(child.step()) else {
                    continue;
                };
                let (playout, time, by) = self.first[map][point];
                if playout == self.playout && by == color {
                    let wait = f32::from(time) - depth as f32;
                    let weight = 1.0 - fading * wait;
                    if weight > 0.0 {
                        child.add_amaf(value, weight);
                    }
                }
            }
        }
    }

    /// Marks the steps from `from` on, the earliest on a point last.
    fn mark(&mut self, steps: &[(Color, Step)], from: usize) {
        for (time, &step) in steps[from..].iter().enumerate().rev() {
            self.mark_one(from + time, step);
        }
    }

    #[inline]
    fn mark_one(&mut self, time: usize, (color, step): (Color, Step)) {
        if let Some((map, point)) = class(step) {
            self.first[map][point] = (self.playout, time as u16, color);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::board::Color;
    use crate::rules::{AnyGame, Setup, variant};
    use crate::search::{Knobs, Player, Task};

    /// How many first steps of 9x9 a search of 400 playouts that explores evenly
    /// looks at.
    fn looked_at(widening: f32) -> usize {
        let mut setup = Setup::new(variant("go").expect("go"));
        (setup.size.width, setup.size.height) = (9, 9);
        let game = AnyGame::new(&setup).expect("a game");
        let knobs = Knobs {
            exploration: 10.0,
            curiosity: 1.0,
            widening,
            widening_growth: 1.25,
            ..Knobs::default()
        };
        let mut task = Task::new(Color::Black);
        task.playouts = Some(400);
        let mut found = 0;
        Player::new(knobs, 16, 1).ponder(&game, &task, &mut |_| false, &mut |view| {
            found = view.report().steps.len();
        });
        found
    }

    #[test]
    fn few_visits_look_at_few_steps() {
        let (any, few) = (looked_at(0.0), looked_at(5.0));
        assert!(any > 40 && (20..=30).contains(&few), "{any} {few}");
    }
}
