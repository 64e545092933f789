//! One search: descend, expand, evaluate, note.

use super::candidates;
use super::evaluator::{Evaluator, Outcome};
use super::options::SearchOptions;
use super::tree::{Kind, ROOT, Tree};
use crate::board::{Color, Random};
use crate::rules::{Ending, History, Ko, Position, Step, Variant};

/// The callback is asked after every so many playouts.
pub(super) const BETWEEN_STOPS: u64 = 16;

/// A tree and what it takes to make it grow.
pub(super) struct Search<'o, V: Variant, E> {
    options: &'o SearchOptions,
    evaluator: E,
    pub(super) random: Random,
    pub(super) tree: Tree,
    pub(super) root: usize,
    /// The position at the root.
    start: Position<V>,
    /// The position that walks down the tree.
    position: Position<V>,
    history: History,
    /// Turns that the history holds at the root.
    noted: usize,
    path: Vec<usize>,
    steps: Vec<Step>,
    priors: Vec<f32>,
    /// Playouts made so far.
    pub(super) playouts: u64,
}

impl<'o, V: Variant, E: Evaluator<V>> Search<'o, V, E> {
    /// A search from `start`, whose side to move is asked for, and which the
    /// turns of `history` led to.
    pub(super) fn new(
        start: Position<V>,
        history: History,
        evaluator: E,
        options: &'o SearchOptions,
    ) -> Self {
        let mut search = Search {
            options,
            evaluator,
            random: Random::new(options.seed),
            tree: Tree::new(options.max_nodes),
            root: ROOT,
            position: start.clone(),
            start,
            noted: history.len(),
            history,
            path: Vec::new(),
            steps: Vec::new(),
            priors: Vec::new(),
            playouts: 0,
        };
        search.expand(ROOT);
        search
    }

    /// The position at the root.
    pub(super) fn start(&self) -> &Position<V> {
        &self.start
    }

    /// The side to move at the root.
    pub(super) fn color(&self) -> Color {
        self.start.to_move
    }

    /// Makes at most `limit` playouts, until `stop` asks to end.
    pub(super) fn run(&mut self, limit: u64, stop: &mut dyn FnMut(u64) -> bool) {
        let end = self.playouts.saturating_add(limit);
        while self.playouts < end {
            self.simulate(None);
            if self.playouts.is_multiple_of(BETWEEN_STOPS) && stop(self.playouts) {
                break;
            }
        }
    }

    /// Makes the step of a child of the root, in the middle of a turn: the
    /// child is the new root.
    pub(super) fn advance(&mut self, child: usize) {
        let color = self.color();
        self.start.make(color, self.tree.node(child).step);
        self.root = child;
        if !self.tree.node(child).is_expanded() {
            self.position.copy_from(&self.start);
            self.expand(child);
        }
    }

    /// One playout, through `child` of the root if one is named; false if it
    /// turned out to be illegal.
    pub(super) fn simulate(&mut self, child: Option<usize>) -> bool {
        loop {
            self.position.copy_from(&self.start);
            self.path.clear();
            self.path.push(self.root);
            let end = self.descend(child);
            self.history.truncate(self.noted);
            if let Some(outcome) = end {
                self.tree.update(&self.path, outcome, &self.options.weights);
                self.playouts += 1;
                return true;
            }
            // A step was found illegal, and is not chosen again.
            if child.is_some_and(|child| self.tree.node(child).kind == Kind::Illegal) {
                return false;
            }
        }
    }

    /// Walks down to a node without children or to the end of the game, and
    /// judges it; none if the way led to an illegal step.
    fn descend(&mut self, mut forced: Option<usize>) -> Option<Outcome> {
        let mut at = self.root;
        loop {
            let node = self.tree.node(at);
            if node.kind == Kind::Over {
                return Some(node.mean);
            }
            if !node.is_expanded() && node.visits >= self.options.weights.expand_after {
                self.expand(at);
            }
            let color = self.position.to_move;
            let select = || self.tree.select(at, color, &self.options.weights);
            let Some(child) = forced.take().or_else(select) else {
                return Some(self.evaluator.value(&self.position, &mut self.random));
            };
            if !self.enter(child) {
                return None;
            }
            self.path.push(child);
            at = child;
        }
    }

    /// Gives a node, whose position is at hand, children if there is room.
    fn expand(&mut self, at: usize) {
        if at != self.root && self.tree.is_full() {
            return;
        }
        candidates::collect(&self.position, &mut self.random, &mut self.steps);
        if let Some(excluded) = self.options.exclude.filter(|_| at == ROOT) {
            self.steps
                .retain(|&step| step.point().is_none() || !excluded(step));
        }
        if at != self.root && !self.tree.makes_room(self.steps.len()) {
            return;
        }
        self.priors.clear();
        self.evaluator
            .priors(&self.position, &self.steps, &mut self.priors);
        self.tree.expand(at, &self.steps, &self.priors);
    }

    /// Makes the step of a node; false if the history forbids it.
    fn enter(&mut self, at: usize) -> bool {
        let node = self.tree.node(at);
        let (step, fresh) = (node.step, node.visits == 0);
        let color = self.position.to_move;
        if !self.position.make(color, step) {
            return true;
        }
        if self.looks_back() {
            let hash = self.position.board.hash();
            if fresh && step != Step::Pass && !self.check_repetition(hash, color) {
                self.tree.node_mut(at).kind = Kind::Illegal;
                return false;
            }
            self.history.push(hash, color);
        }
        if fresh && self.position.is_over() {
            let node = self.tree.node_mut(at);
            node.kind = Kind::Over;
            node.mean = Outcome::of(&self.position);
        }
        true
    }

    /// Whether any rule asks for earlier positions.
    fn looks_back(&self) -> bool {
        let superko = matches!(self.start.rules.ko, Ko::Positional | Ko::Situational);
        !V::INFO.ko_has_no_effect && (superko || V::INFO.repetition_draws)
    }

    /// Whether `color` may end a turn other than a pass with this position;
    /// ends the game where that makes it a draw.
    fn check_repetition(&mut self, hash: u64, color: Color) -> bool {
        if self.history.forbids(self.start.rules.ko, hash, color) {
            return false;
        }
        if V::INFO.repetition_draws && self.history.holds(hash) {
            self.position.ending = Some(Ending::Draw);
        }
        true
    }

    /// The outcome that a node promises the side to move at the root.
    pub(super) fn promise(&self, at: usize) -> Outcome {
        self.tree.node(at).mean.seen_by(self.color())
    }

    /// The steps that were looked at most, from a node on.
    pub(super) fn line(&self, from: usize) -> Vec<Step> {
        const LONGEST: usize = 30;
        let mut line = vec![self.tree.node(from).step];
        let mut at = from;
        // Which side is to move matters only among equals.
        while let Some(child) = self.tree.favourite(at, Color::Black, |_| true) {
            line.push(self.tree.node(child).step);
            at = child;
            if line.len() >= LONGEST {
                break;
            }
        }
        line
    }
}
