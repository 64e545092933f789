//! One thread of a search: descend, expand, judge, note.

use super::arena::Arena;
use super::bounds::Bounds;
use super::candidates;
use super::evaluator::{Ends, Evaluator, Outcome, Trace};
use super::knobs::Knobs;
use super::node::{Kind, Node};
use super::player::Restriction;
use super::select;
use crate::board::{Color, Point, Random};
use crate::rules::{Ending, History, Ko, Position, Step, StepSet, Variant};

/// What all threads of a search look at and none changes but through nodes.
pub(super) struct Ground<'a, V: Variant> {
    pub(super) arena: &'a Arena,
    pub(super) knobs: &'a Knobs,
    /// The place of the root.
    pub(super) root: u32,
    /// The position at the root.
    pub(super) start: &'a Position<V>,
    /// Where the turn before the latest was placed, at the root.
    pub(super) before: Point,
    /// First steps that cannot be said.
    pub(super) exclude: &'a StepSet,
    pub(super) restrictions: &'a [Restriction],
    /// Whether other threads search too.
    pub(super) shared: bool,
    /// Whether to note what the points become after each child of the root.
    pub(super) owners_apart: bool,
}

impl<V: Variant> Ground<'_, V> {
    /// The side to move at the root.
    pub(super) fn color(&self) -> Color {
        self.start.to_move
    }

    /// Whether `color` is allowed to look at `step`, so many steps from the
    /// root.
    pub(super) fn allows(&self, depth: usize, color: Color, step: Step) -> bool {
        let excluded = depth == 0 && step.point().is_some() && self.exclude.contains(step);
        !excluded
            && self
                .restrictions
                .iter()
                .all(|restriction| restriction.allows(depth, color, step))
    }

    /// Whether any step so far from the root may be forbidden to look at.
    fn is_restricted(&self, depth: usize) -> bool {
        depth == 0 && !self.exclude.is_empty()
            || self
                .restrictions
                .iter()
                .any(|restriction| depth < restriction.depth as usize)
    }
}

/// How a way down the tree ended.
enum End {
    Judged(Outcome),
    /// A step turned out to be illegal, and will not be taken again.
    Illegal,
}

/// What one thread needs to make the tree grow.
#[derive(Debug)]
pub(super) struct Worker<V: Variant> {
    evaluator: Box<dyn Evaluator<V>>,
    random: Random,
    /// The position that walks down the tree.
    position: Position<V>,
    history: History,
    /// Turns that the history holds at the root.
    noted: usize,
    /// Nodes of the way down, and who is to move at each.
    path: Vec<(u32, Color)>,
    /// What the latest playout was worth at each.
    values: Vec<f32>,
    pub(super) trace: Trace,
    marks: select::Marks,
    steps: Vec<Step>,
    priors: Vec<f32>,
    /// Priors, numbers and steps, the highest prior first if nodes are to widen.
    ranked: Vec<(f32, u16, Step)>,
    /// For each child of the root: sum of the squares of its margins, and
    /// their number.
    pub(super) squares: Vec<f64>,
    pub(super) tried: Vec<u32>,
    /// For each child of the root, what the points became after it, if the task
    /// asks for that; and what they had become before the latest playout.
    pub(super) apart: Vec<Ends>,
    ends_before: Ends,
    /// Set when there was no room for more children.
    pub(super) starved: bool,
}

impl<V: Variant> Worker<V> {
    pub(super) fn new(position: &Position<V>, evaluator: Box<dyn Evaluator<V>>) -> Self {
        Worker {
            evaluator,
            random: Random::new(0),
            position: position.clone(),
            history: History::new(0),
            noted: 0,
            path: Vec::new(),
            values: Vec::new(),
            trace: Trace::default(),
            marks: select::Marks::default(),
            steps: Vec::new(),
            priors: Vec::new(),
            ranked: Vec::new(),
            squares: Vec::new(),
            tried: Vec::new(),
            apart: Vec::new(),
            ends_before: Ends::default(),
            starved: false,
        }
    }

    /// Gets ready for another search.
    pub(super) fn prepare(&mut self, history: &History, seed: u64) {
        self.history = history.clone();
        self.noted = history.len();
        self.random = Random::new(seed);
        self.trace.ends = Ends::default();
        self.forget_children();
        self.starved = false;
    }

    /// One playout, through the child at `forced` if one is named; false if
    /// that turned out to be illegal.
    pub(super) fn simulate(&mut self, ground: &Ground<'_, V>, forced: Option<u32>) -> bool {
        loop {
            self.position.copy_from(ground.start);
            self.path.clear();
            self.trace.steps.clear();
            self.visit(ground, ground.root);
            let end = self.descend(ground, forced);
            self.history.truncate(self.noted);
            match end {
                End::Judged(outcome) => {
                    self.note(ground, outcome);
                    return true;
                }
                End::Illegal => {
                    self.turn_back(ground);
                    let tried = forced.map(|child| ground.arena.node(child).kind());
                    if tried == Some(Kind::Illegal) {
                        return false;
                    }
                }
            }
        }
    }

    fn visit(&mut self, ground: &Ground<'_, V>, at: u32) {
        if ground.shared {
            ground.arena.node(at).set_out();
        }
        self.path.push((at, self.position.to_move));
    }

    fn turn_back(&self, ground: &Ground<'_, V>) {
        if ground.shared {
            for &(at, _) in &self.path {
                ground.arena.node(at).come_back();
            }
        }
    }

    /// Walks down to a node without children or to the end of the game, and
    /// judges it.
    fn descend(&mut self, ground: &Ground<'_, V>, mut forced: Option<u32>) -> End {
        let mut at = ground.root;
        loop {
            let node = ground.arena.node(at);
            if at != ground.root
                && let Some(margin) = node.bounds().exact()
            {
                return End::Judged(Outcome::counted(margin));
            }
            if node.kind() == Kind::Over {
                return End::Judged(node.mean());
            }
            if !node.is_expanded() {
                self.open(ground, at);
            }
            let Some(child) = forced.take().or_else(|| self.select(ground, at)) else {
                let outcome =
                    self.evaluator
                        .value(&self.position, &mut self.random, &mut self.trace);
                return End::Judged(outcome);
            };
            if !self.enter(ground, child) {
                return End::Illegal;
            }
            self.visit(ground, child);
            at = child;
        }
    }

    fn select(&self, ground: &Ground<'_, V>, at: u32) -> Option<u32> {
        let depth = self.path.len() - 1;
        let color = self.position.to_move;
        // What a second pass makes of the game is certain, and decides what the
        // first was worth; but priors hardly ever tell to look.
        if self.position.passes > 0
            && let Some(pass) = untried_pass(ground.arena, at)
            && ground.allows(depth, color, Step::Pass)
        {
            return Some(pass);
        }
        if !ground.is_restricted(depth) {
            return select::child(ground.arena, at, color, ground.knobs, |_| true);
        }
        let allowed = |node: &Node| ground.allows(depth, color, node.step());
        select::child(ground.arena, at, color, ground.knobs, allowed)
    }

    /// Gives the node at hand the children that its position has already after
    /// other steps, or, when it was visited often enough, new ones.
    #[inline]
    fn open(&mut self, ground: &Ground<'_, V>, at: u32) {
        let node = ground.arena.node(at);
        let key = V::part_key(&self.position);
        let known = key.and_then(|key| ground.arena.twins.find(key));
        if let Some((first, count)) = known {
            if node.claim() {
                node.publish(first, count);
            }
        } else if at == ground.root || node.visits() as f32 >= ground.knobs.expand_after {
            self.expand(ground, at);
            if let (Some(key), (first, count @ 1..)) = (key, node.children()) {
                ground.arena.twins.note(key, first, count);
            }
        }
    }

    /// Gives the node at hand children if there is room.
    fn expand(&mut self, ground: &Ground<'_, V>, at: u32) {
        let node = ground.arena.node(at);
        if !node.claim() {
            return;
        }
        let before = match self.trace.steps.as_slice() {
            [] => ground.before,
            [_] => ground.start.latest.placed,
            [.., (_, step), _] => step.point().unwrap_or(Point::NONE),
        };
        candidates::collect(
            &self.position,
            self.evaluator.knows_eyes(),
            &mut self.random,
            &mut self.steps,
        );
        self.priors.clear();
        self.evaluator
            .priors(&self.position, before, &self.steps, &mut self.priors);
        let curiosity = ground.knobs.curiosity;
        let even = curiosity * self.priors.iter().sum::<f32>() / self.priors.len() as f32;
        let count = self.steps.len() as u16;
        let Some(first) = ground.arena.take(count) else {
            self.starved = true;
            node.unclaim();
            return;
        };
        self.rank(ground.knobs);
        let block = ground.arena.block(first, count);
        for (child, &(prior, _, step)) in block.iter().zip(&self.ranked) {
            child.reset(step, prior * (1.0 - curiosity) + even);
        }
        node.publish(first, count);
    }

    /// Puts the steps in the order of their priors, if nodes are to widen; alike
    /// ones stay in theirs.
    fn rank(&mut self, knobs: &Knobs) {
        let steps = self.priors.iter().zip(&self.steps);
        let numbered = (0u16..).zip(steps);
        self.ranked.clear();
        self.ranked
            .extend(numbered.map(|(number, (&prior, &step))| (prior, number, step)));
        if knobs.widening > 0.0 {
            self.ranked
                .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        }
    }

    /// Makes the step of a node; false if the history forbids it.
    fn enter(&mut self, ground: &Ground<'_, V>, at: u32) -> bool {
        let node = ground.arena.node(at);
        let (step, fresh) = (node.step(), node.visits() == 0);
        let color = self.position.to_move;
        self.trace.steps.push((color, step));
        let ended = self.position.make(color, step);
        if ended && looks_back(ground.start) {
            let hash = self.position.board.hash();
            if fresh && step != Step::Pass && !self.check_repetition(hash, color) {
                node.set_kind(Kind::Illegal);
                return false;
            }
            self.history.push(hash, color);
        }
        if fresh && ended && self.position.is_over() {
            self.end_here(ground, node);
        }
        true
    }

    /// Notes that the game is over at a node.
    fn end_here(&self, ground: &Ground<'_, V>, node: &Node) {
        let outcome = Outcome::of(&self.position);
        let margin = match self.position.ending {
            Some(Ending::Draw) => 0.0,
            _ => self.position.margin(),
        };
        node.settle(outcome, outcome.value(ground.knobs));
        node.set_bounds(Bounds::exactly(margin));
        node.set_kind(Kind::Over);
    }

    /// Whether `color` may end a turn other than a pass with this position;
    /// ends the game where that makes it a draw.
    fn check_repetition(&mut self, hash: u64, color: Color) -> bool {
        if self.history.forbids(self.position.rules.ko, hash, color) {
            return false;
        }
        if V::INFO.repetition_draws && self.history.holds(hash) {
            self.position.ending = Some(Ending::Draw);
        }
        true
    }

    /// Adds an outcome to every node of the way, as far as it is possible
    /// there, and what it says about steps that came later.
    fn note(&mut self, ground: &Ground<'_, V>, mut outcome: Outcome) {
        self.prove(ground);
        self.values.clear();
        self.values.resize(self.path.len(), 0.0);
        for (&(at, _), value) in self.path.iter().zip(&mut self.values).rev() {
            let node = ground.arena.node(at);
            outcome = node.bounds().clamp(outcome);
            *value = outcome.value(ground.knobs);
            if ground.shared {
                node.come_back();
            }
            if node.kind() == Kind::Over {
                node.count();
            } else {
                node.add(outcome, *value);
            }
        }
        if ground.knobs.amaf_equivalence > 0.0 {
            self.marks.note(
                ground.arena,
                ground.knobs,
                &self.path,
                &self.trace,
                &self.values,
            );
        }
        self.note_child(ground, outcome);
    }

    /// Notes what is asked of single children of the root.
    fn note_child(&mut self, ground: &Ground<'_, V>, outcome: Outcome) {
        let Some(&(child, _)) = self.path.get(1) else {
            return;
        };
        let places = ground.arena.places(ground.root);
        self.squares.resize(places.len(), 0.0);
        self.tried.resize(places.len(), 0);
        let at = child.wrapping_sub(places.start) as usize;
        if let (Some(square), Some(tried)) = (self.squares.get_mut(at), self.tried.get_mut(at)) {
            *square += f64::from(outcome.margin * outcome.margin);
            *tried += 1;
        }
        if ground.owners_apart {
            self.apart.resize(places.len(), Ends::default());
            let points = ground.start.board.grid().points();
            if let Some(ends) = self.apart.get_mut(at) {
                ends.add(points, &self.ends_before, &self.trace.ends);
            }
            self.ends_before.clone_from(&self.trace.ends);
        }
    }

    /// Forgets what is known of single children: the root has changed.
    pub(super) fn forget_children(&mut self) {
        self.squares.clear();
        self.tried.clear();
        self.apart.clear();
        self.ends_before.clone_from(&self.trace.ends);
    }

    /// Lets what is proven about the last node of the way count for those
    /// before it.
    fn prove(&self, ground: &Ground<'_, V>) {
        let Some(&(leaf, _)) = self.path.last() else {
            return;
        };
        if ground.arena.node(leaf).bounds() == Bounds::UNKNOWN {
            return;
        }
        for &(at, color) in self.path.iter().rev().skip(1) {
            let children = ground.arena.children(at).iter();
            let legal = children.filter(|child| child.kind() != Kind::Illegal);
            let bounds = Bounds::best(color, legal.map(Node::bounds));
            let node = ground.arena.node(at);
            // What was proven by children that were given up since stays.
            let bounds = bounds.within(node.bounds());
            // Steps of a growth may have told another way already.
            if bounds == node.bounds() && !matches!(node.step(), Step::Grow(_)) {
                break;
            }
            node.set_bounds(bounds);
        }
    }
}

/// The child of a node that passes, if it was never tried.
fn untried_pass(arena: &Arena, at: u32) -> Option<u32> {
    arena.places(at).find(|&place| {
        let node = arena.node(place);
        node.step() == Step::Pass && node.visits() == 0 && node.kind() != Kind::Illegal
    })
}

/// Whether any rule asks for earlier positions.
pub(super) fn looks_back<V: Variant>(position: &Position<V>) -> bool {
    let superko = matches!(position.rules.ko, Ko::Positional | Ko::Situational);
    !V::INFO.ko_has_no_effect && (superko || V::INFO.repetition_draws)
}
