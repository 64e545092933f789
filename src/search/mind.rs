//! A search that lasts: its tree is kept from turn to turn.
//!
//! The tree has a *base*, the position it was begun at, and a *root*, the
//! position thought about; the nodes between are the *spine*. As long as a game
//! goes on from the base the root follows it, forwards and, after undo, back
//! again. Only when memory is short is everything but the root's own part
//! given up.

use super::arena::{Arena, BASE};
use super::evaluator::Evaluator;
use super::knobs::Knobs;
use super::node::Kind;
use super::passing;
use super::player::{Task, Watch};
use super::policy::placed_before;
use super::prune;
use super::report::Sight;
use super::worker::{Ground, Worker};
use crate::board::{Color, Point};
use crate::rules::{Game, Position, Step, Stones, Turn, Variant};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// The callback is asked after every so many playouts of its thread.
const BETWEEN_LOOKS: u64 = 8;

/// What the tree grew from.
#[derive(Clone, Debug)]
struct Base<V: Variant> {
    start: Position<V>,
    turns: Vec<(Color, Turn)>,
    grown: usize,
    position: Position<V>,
}

/// A tree and the threads' workers.
#[derive(Debug)]
pub(super) struct Mind<V: Variant> {
    pub(super) arena: Arena,
    base: Option<Base<V>>,
    /// The base of a tree that would begin here.
    here: Option<Base<V>>,
    spine: Vec<u32>,
    pub(super) start: Position<V>,
    before: Point,
    workers: Vec<Worker<V>>,
    /// As they were given, and as they are for this board.
    given: Knobs,
    knobs: Knobs,
    /// Playouts since thinking began.
    pub(super) playouts: u64,
}

impl<V: Variant> Mind<V> {
    /// A mind with a tree of so many bytes at most, and a thread for each
    /// evaluator, of which there is one at least.
    pub(super) fn new(
        position: &Position<V>,
        knobs: Knobs,
        bytes: usize,
        evaluators: impl Iterator<Item = impl Evaluator<V> + 'static>,
    ) -> Self {
        let workers = evaluators.map(|evaluator| Worker::new(position, Box::new(evaluator)));
        Mind {
            arena: Arena::new(bytes),
            base: None,
            here: None,
            spine: vec![BASE],
            start: position.clone(),
            before: Point::NONE,
            workers: workers.collect(),
            given: knobs,
            knobs,
            playouts: 0,
        }
    }

    /// Turns to the position of a game in which `color` is to move.
    pub(super) fn turn_to(&mut self, game: &Game<V>, task: &Task) {
        self.playouts = 0;
        for (worker, number) in self.workers.iter_mut().zip(0..) {
            let seed = task.seed.wrapping_add(number);
            worker.prepare(game.history(), seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        }
        self.before = placed_before(game);
        let followed = self.follow(game, task.color).is_some();
        self.start.copy_from(game.position());
        self.start.to_move = task.color;
        self.knobs = passing::knobs(&self.start, &self.given);
        self.here = Some(Base {
            start: game.start().clone(),
            turns: game.turns().to_vec(),
            grown: game.grown().len(),
            position: self.start.clone(),
        });
        if !followed {
            self.arena.clear();
            self.rebase();
        }
    }

    /// Follows a game from the base on; none if it does not lead through the
    /// tree.
    fn follow(&mut self, game: &Game<V>, color: Color) -> Option<()> {
        let base = self.base.as_ref()?;
        if !is_same_start(&base.start, game.start()) {
            return None;
        }
        let (since, mid) = steps_since(base.turns.as_slice(), base.grown, game)?;
        let mut position = base.position.clone();
        let mut spine = vec![BASE];
        for (by, turn) in since {
            follow_turn(&self.arena, &mut position, &mut spine, *by, turn, true)?;
        }
        if let Some((by, turn)) = &mid {
            follow_turn(&self.arena, &mut position, &mut spine, *by, turn, false)?;
        }
        let arrived = position.board.hash() == game.position().board.hash()
            && position.to_move == color
            && V::mid_turn(&position) == game.is_mid_turn();
        if !arrived {
            return None;
        }
        self.spine = spine;
        Some(())
    }

    /// What the threads look at, and the first of them.
    pub(super) fn first<'a>(&'a mut self, task: &'a Task) -> (Ground<'a, V>, &'a mut Worker<V>) {
        let (ground, workers) = self.parts(task);
        (ground, &mut workers[0])
    }

    fn parts<'a>(&'a mut self, task: &'a Task) -> (Ground<'a, V>, &'a mut [Worker<V>]) {
        let ground = Ground {
            arena: &self.arena,
            knobs: &self.knobs,
            root: self.spine.last().copied().unwrap_or(BASE),
            start: &self.start,
            before: self.before,
            exclude: &task.exclude,
            restrictions: &task.restrictions,
            shared: self.workers.len() > 1,
            owners_apart: task.owners_apart,
        };
        (ground, &mut self.workers)
    }

    /// Makes at most `limit` playouts, until `watch` asks to end.
    pub(super) fn run(&mut self, task: &Task, limit: u64, watch: &mut Watch<'_>) {
        let end = self.playouts.saturating_add(limit);
        while self.playouts < end {
            let full = self.run_until_full(task, end, watch);
            if !full {
                return;
            }
            prune::adopt(&self.arena, self.root());
            self.rebase();
            if !self.prune(task, watch) {
                return;
            }
        }
    }

    /// Makes room; false if `watch` ended it.
    fn prune(&mut self, task: &Task, watch: &mut Watch<'_>) -> bool {
        let playouts = self.playouts;
        let (ground, worker) = self.first(task);
        prune::prune(ground.arena, &mut || {
            watch(&Sight::new(&ground, worker, playouts))
        })
    }

    /// One lap; true if it ended for want of room.
    fn run_until_full(&mut self, task: &Task, end: u64, watch: &mut Watch<'_>) -> bool {
        let before = self.playouts;
        let count = AtomicU64::new(before);
        let (ground, workers) = self.parts(task);
        let Some((first, others)) = workers.split_first_mut() else {
            return false;
        };
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for worker in others {
                let (ground, count, done) = (&ground, &count, &done);
                scope.spawn(move || {
                    while !done.load(Relaxed) {
                        if count.fetch_add(1, Relaxed) >= end || !lap(ground, worker) {
                            done.store(true, Relaxed);
                        }
                    }
                });
            }
            let mut own: u64 = 0;
            while !done.load(Relaxed) && count.fetch_add(1, Relaxed) < end {
                own += 1;
                if !lap(&ground, first) {
                    break;
                }
                let sight = || Sight::new(&ground, first, count.load(Relaxed).min(end));
                if own.is_multiple_of(BETWEEN_LOOKS) && watch(&sight()) {
                    break;
                }
            }
            done.store(true, Relaxed);
        });
        self.playouts = count.load(Relaxed).min(end).max(before);
        let starved = self
            .workers
            .iter_mut()
            .map(|worker| std::mem::take(&mut worker.starved));
        starved.fold(false, |any, starved| any | starved)
    }

    /// The place of the root.
    pub(super) fn root(&self) -> u32 {
        self.spine.last().copied().unwrap_or(BASE)
    }

    /// The root is the base now.
    fn rebase(&mut self) {
        self.spine = vec![BASE];
        self.base.clone_from(&self.here);
    }

    /// Makes the step of a child of the root, in the middle of a turn: the
    /// child is the new root.
    pub(super) fn advance(&mut self, child: u32) {
        let color = self.start.to_move;
        self.start.make(color, self.arena.node(child).step());
        self.spine.push(child);
        self.here = None;
        for worker in &mut self.workers {
            worker.forget_children();
        }
    }
}

/// One playout; false if there is no more room for nodes.
fn lap<V: Variant>(ground: &Ground<'_, V>, worker: &mut Worker<V>) -> bool {
    worker.simulate(ground, None);
    !worker.starved
}

/// Whether two games began alike.
fn is_same_start<V: Variant>(a: &Position<V>, b: &Position<V>) -> bool {
    a.rules == b.rules
        && a.board.grid() == b.board.grid()
        && a.board.hash() == b.board.hash()
        && a.to_move == b.to_move
}

/// Turns, and the part of one that is under way.
type Since<'g> = (&'g [(Color, Turn)], Option<(Color, Turn)>);

/// What a game did since a base; none if it went another way.
fn steps_since<'g, V: Variant>(
    turns: &[(Color, Turn)],
    grown: usize,
    game: &'g Game<V>,
) -> Option<Since<'g>> {
    let since = game.turns().strip_prefix(turns)?;
    let skip = if since.is_empty() { grown } else { 0 };
    if grown > 0 && !since.is_empty() {
        return None;
    }
    let stones = game.grown().get(skip..)?;
    let under_way = Turn::Grow(Stones::from_slice(stones));
    let color = game.position().to_move;
    Some((since, (!stones.is_empty()).then_some((color, under_way))))
}

/// Follows a turn down the tree.
fn follow_turn<V: Variant>(
    arena: &Arena,
    position: &mut Position<V>,
    spine: &mut Vec<u32>,
    color: Color,
    turn: &Turn,
    whole: bool,
) -> Option<()> {
    let mut go = |position: &mut Position<V>, wanted: &dyn Fn(Step) -> bool| {
        let at = *spine.last()?;
        let open = |&place: &u32| {
            let node = arena.node(place);
            node.kind() != Kind::Illegal && wanted(node.step())
        };
        let child = arena.places(at).find(open)?;
        let step = arena.node(child).step();
        spine.push(child);
        (position.to_move == color).then(|| position.make(color, step))?;
        Some(step)
    };
    let Turn::Grow(stones) = turn else {
        return go(position, &|step| step.whole_turn().as_ref() == Some(turn)).map(|_| ());
    };
    // The tree may know the stones in another order.
    let mut left = stones.clone();
    while !left.is_empty() {
        let last = left.len() == 1 && whole && V::mid_turn(position);
        let step = go(position, &|step| match step {
            Step::Grow(point) => left.contains(&point),
            Step::Stone(point) => last && left.contains(&point),
            _ => false,
        })?;
        left.retain(|point| Some(*point) != step.point());
    }
    if whole && V::mid_turn(position) {
        go(position, &|step| step == Step::Done)?;
    }
    Some(())
}
