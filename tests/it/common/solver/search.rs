//! The search for a proof.

use super::certificate;
use super::{Goal, Verdict};
use kawari::board::{Cell, Color};
use kawari::rules::{
    Ending, Game, History, Ko, Position, Scoring, Step, StepKind, StoicalRule, Target, Variant,
};
use std::collections::{HashMap, HashSet};

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Turns in which the goal is forced; [`NEVER`] if that is not proven.
    pub(super) forced_in: u32,
    /// Turns in which it could not be shown to be forced.
    open_for: u32,
    /// Whether the other side prevents it.
    refuted: bool,
    /// The step that forces it, or that did best against it.
    pub(super) best: Option<Step>,
}

const NEVER: u32 = u32::MAX;

/// A position, and what its future depends on that it does not hold itself.
#[derive(Clone, Debug)]
pub(super) struct Node<V: Variant> {
    pub(super) position: Position<V>,
    /// The board before the latest turn.
    before: u64,
}

/// A search for the proof of one goal from one position.
pub(super) struct Search<V: Variant> {
    pub(super) goal: Goal,
    strict: bool,
    pub(super) root: Node<V>,
    /// The game's past and the line under way.
    history: History,
    /// A sum over the different boards of the history.
    past: u64,
    known: HashMap<u64, Known>,
    /// Positions to work in, one for every turn of a line and more.
    #[allow(clippy::vec_box)] // moving a position about would copy it
    spare: Vec<Box<Node<V>>>,
    nodes: u64,
    most_nodes: u64,
}

impl<V: Variant> Search<V> {
    /// A search from `root`, which has the past of `game`.
    pub(super) fn new(game: &Game<V>, root: Position<V>, goal: Goal, strict: bool) -> Self {
        let mut earlier = game.clone();
        let before = match earlier.undo(1) {
            Ok(()) => earlier.position().board.hash(),
            Err(_) => 0,
        };
        Search {
            goal,
            strict,
            root: Node {
                before,
                position: root,
            },
            history: game.history().clone(),
            past: 0,
            known: HashMap::new(),
            spare: Vec::new(),
            nodes: 0,
            most_nodes: u64::MAX,
        }
    }

    /// Whether the search has looked at as many positions as it may.
    pub(super) fn is_spent(&self) -> bool {
        self.nodes >= self.most_nodes
    }

    /// Looks for a proof of so many turns.
    pub(super) fn prove(&mut self, depth: u32, most_nodes: u64) -> Verdict {
        self.most_nodes = most_nodes;
        let root = self.root.clone();
        let verdict = self.look(&root, depth);
        let sound = verdict != Verdict::Forced || self.strict || certificate::holds(self);
        if sound { verdict } else { Verdict::Open }
    }

    /// Whether the goal is forced in `depth` turns.
    fn look(&mut self, node: &Node<V>, depth: u32) -> Verdict {
        let position = &node.position;
        if position.is_over() {
            return self.judge_end(position);
        }
        if depth == 0 || self.is_spent() {
            return Verdict::Open;
        }
        let key = self.key(node);
        let mut known = self.known.get(&key).copied().unwrap_or(Known {
            forced_in: NEVER,
            open_for: 0,
            refuted: false,
            best: None,
        });
        match known {
            _ if known.forced_in <= depth => return Verdict::Forced,
            _ if known.refuted => return Verdict::Refuted,
            _ if known.open_for >= depth => return Verdict::Open,
            _ => {}
        }
        self.nodes += 1;
        let (verdict, best) = self.look_ahead(node, depth, known.best);
        known.best = best.or(known.best);
        match verdict {
            Verdict::Forced => known.forced_in = known.forced_in.min(depth),
            Verdict::Refuted => known.refuted = true,
            Verdict::Open if self.is_spent() => return Verdict::Open,
            Verdict::Open => known.open_for = depth,
        }
        self.known.insert(key, known);
        verdict
    }

    fn judge_end(&self, position: &Position<V>) -> Verdict {
        let repeated = position.ending == Some(Ending::Draw);
        match self.goal.is_met(position) {
            true if !repeated || self.strict => Verdict::Forced,
            false if self.strict => Verdict::Refuted,
            _ => Verdict::Open,
        }
    }

    /// Tries every step. The verdict, and the step that decided it.
    fn look_ahead(
        &mut self,
        node: &Node<V>,
        depth: u32,
        first: Option<Step>,
    ) -> (Verdict, Option<Step>) {
        let attacks = node.position.to_move == self.goal.side;
        // What ends this side's wait: one child with this verdict.
        let wanted = if attacks {
            Verdict::Forced
        } else {
            Verdict::Refuted
        };
        let mut seen = (false, false);
        for step in self.steps(&node.position, first) {
            if self.is_too_late(&node.position, step, depth) {
                seen.1 = true;
                if attacks {
                    continue;
                }
                return (Verdict::Open, Some(step));
            }
            for verdict in self.look_after(node, step, depth) {
                match verdict {
                    _ if verdict == wanted => return (wanted, Some(step)),
                    // The defence holds for so many turns: enough for now.
                    Verdict::Open if !attacks => return (Verdict::Open, Some(step)),
                    Verdict::Open => seen.1 = true,
                    _ => seen.0 = true,
                }
            }
        }
        match seen {
            (_, true) => (Verdict::Open, None),
            // Nothing but the other verdict.
            _ if attacks => (Verdict::Refuted, None),
            _ => (Verdict::Forced, None),
        }
    }

    /// Whether a game cannot end any more in `depth` turns that begin with
    /// this step: it takes two passes, unless the board fills up.
    fn is_too_late(&self, position: &Position<V>, step: Step, depth: u32) -> bool {
        let ends_otherwise =
            V::INFO.kind_named("nuke").is_some() || V::INFO.repetition_draws && self.strict;
        let needed = match step {
            Step::PASS => 2u32.saturating_sub(position.passes),
            _ => 3,
        };
        !ends_otherwise && needed > depth
    }

    /// What comes of a step; of a growth, of each of its ends.
    fn look_after(&mut self, node: &Node<V>, step: Step, depth: u32) -> Vec<Verdict> {
        let mut after = self.spare.pop().unwrap_or_else(|| Box::new(node.clone()));
        after.before = node.position.board.hash();
        let verdicts = if V::continues_turn(step) {
            let mut verdicts = Vec::new();
            for end in ends_of(&node.position, step) {
                after.position.copy_from(&end);
                verdicts.extend(self.enter(node, &mut after, step, depth));
            }
            verdicts
        } else {
            after.position.copy_from(&node.position);
            after.position.make(node.position.to_move, step);
            let verdict = self.enter(node, &mut after, step, depth);
            verdict.into_iter().collect()
        };
        self.spare.push(after);
        verdicts
    }

    /// Goes into a position, unless the rules on repetition forbid it.
    fn enter(
        &mut self,
        node: &Node<V>,
        after: &mut Node<V>,
        step: Step,
        depth: u32,
    ) -> Option<Verdict> {
        let color = node.position.to_move;
        if !self.judge_repetition(node, after, step) {
            return None;
        }
        let hash = after.position.board.hash();
        let new = !self.history.holds(hash);
        let share = if new { scatter(hash) } else { 0 };
        self.history.push(hash, color);
        self.past = self.past.wrapping_add(share);
        let verdict = self.look(after, depth - 1);
        self.past = self.past.wrapping_sub(share);
        self.history.pop();
        Some(verdict)
    }

    /// Whether a step may lead to this board; ends the game where that is a
    /// draw.
    fn judge_repetition(&self, node: &Node<V>, after: &mut Node<V>, step: Step) -> bool {
        if step == Step::PASS || V::INFO.ko_has_no_effect {
            return true;
        }
        let color = node.position.to_move;
        let hash = after.position.board.hash();
        let rules = after.position.rules;
        let bound = self.strict || color == self.goal.side;
        if bound && self.history.forbids(rules.ko, hash, color) {
            return false;
        }
        if rules.ko == Ko::Positional && hash == node.before && node.position.latest.captured == 1 {
            return false; // the ko: whoever it is, whatever came before
        }
        if V::INFO.repetition_draws && self.history.holds(hash) {
            after.position.ending = Some(Ending::Draw);
        }
        true
    }

    /// All steps, the most promising first.
    fn steps(&self, position: &Position<V>, first: Option<Step>) -> Vec<Step> {
        let color = position.to_move;
        let content = self.goal.is_met(position) == (color == self.goal.side);
        let mut steps = Vec::new();
        V::for_each_step(position, color, &mut |step| {
            let target = V::INFO.kind(step.kind()).map(|kind| kind.target);
            let place = match step.parts() {
                _ if Some(step) == first => 0,
                (StepKind::PASS, _) if position.passes > 0 => 1,
                (StepKind::PASS, _) if content => 2,
                (StepKind::STONE, point) if position.board.would_capture(point, color) => 3,
                (StepKind::STONE, point) if position.board.is_eye(point, color) => 6,
                (StepKind::PASS, _) => 5,
                _ if target == Some(Target::OwnStone) => 5,
                _ => 4,
            };
            steps.push((place, step));
        });
        steps.sort_by_key(|(place, _)| *place);
        steps.into_iter().map(|(_, step)| step).collect()
    }

    /// What is known about a position, by the key of a loose search.
    pub(super) fn recall(&self, node: &Node<V>) -> Option<Known> {
        self.known.get(&self.key(node)).copied()
    }

    /// The nodes that a step leads to, for any past.
    pub(super) fn nodes_after(&self, node: &Node<V>, step: Step) -> Vec<Node<V>> {
        let mut position = node.position.clone();
        position.make(node.position.to_move, step);
        let before = node.position.board.hash();
        let retakes = step != Step::PASS
            && position.rules.ko == Ko::Positional
            && node.position.latest.captured == 1
            && position.board.hash() == node.before;
        match retakes {
            true => Vec::new(),
            false => vec![Node { position, before }],
        }
    }

    /// Tells nodes apart.
    pub(super) fn key(&self, node: &Node<V>) -> u64 {
        let position = &node.position;
        let mut key = scatter(position.board.hash());
        let mut add = |number: u64| key = scatter(key ^ number);
        add(u64::from(position.to_move == Color::Black) << 1 | u64::from(position.passes > 0));
        let latest = &position.latest;
        let ko = latest.captured == 1;
        if (ko || latest.captured > 0 && V::INFO.repetition_draws) && !V::INFO.ko_has_no_effect {
            let shape = V::INFO.repetition_draws && position.rules.stoical != StoicalRule::Basic;
            add(1);
            add(if ko || shape { node.before } else { 0 });
            add(latest.color.map_or(0, |color| 1 + color as u64));
            add(if ko {
                latest.captured_at.index() as u64
            } else {
                0
            });
            add(latest.placed.index() as u64);
        }
        if position.rules.scoring == Scoring::Territory || V::INFO.kind_named("tao").is_some() {
            position.captures.iter().for_each(|&n| add(n as u64));
        }
        let extras = V::extras(position);
        for (point, arrow, origin) in extras.voids {
            add((point.index() as u64) << 32 | (origin.index() as u64) << 8 | arrow as u64);
        }
        let hand = extras.hand.map_or([0; 2], |hand| hand.count);
        hand.iter().for_each(|&n| add(u64::from(n)));
        add(u64::from(extras.grown));
        add(V::bonus(position).to_bits());
        if self.strict && !V::INFO.ko_has_no_effect {
            add(self.past);
        }
        key
    }
}

/// Spreads the bits of a number.
fn scatter(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (number ^ number >> 31).wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// The positions in which a growth that begins with this step can end.
pub(super) fn ends_of<V: Variant>(position: &Position<V>, step: Step) -> Vec<Position<V>> {
    let color = position.to_move;
    let mut first = position.clone();
    first.make(color, step);
    let (mut open, mut ends) = (vec![first], Vec::new());
    let (mut met, mut ended) = (HashSet::new(), HashSet::new());
    while let Some(position) = open.pop() {
        // What lies on the board tells which stones came in this turn.
        if !met.insert(cells(&position)) {
            continue;
        }
        V::for_each_step(&position, color, &mut |step| {
            let mut after = position.clone();
            if !after.make(color, step) {
                open.push(after);
            } else if ended.insert(cells(&after)) {
                ends.push(after);
            }
        });
    }
    ends
}

/// What lies on the board, point by point.
fn cells<V: Variant>(position: &Position<V>) -> Vec<Cell> {
    let board = &position.board;
    let points = board.grid().points();
    points.map(|point| board.cell(point)).collect()
}
