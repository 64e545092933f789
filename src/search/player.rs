//! What others call: a player that thinks about a game and remembers what it
//! thought.

use super::choose;
use super::evaluator::{Evaluator, RandomPlayouts, Trace};
use super::knobs::Knobs;
use super::mind::Mind;
use super::passing;
use super::playout::{Preview, playout_noted};
use super::policy::{Factors, Learned, Weights, embedded};
use super::report::Sight;
use crate::board::{Color, Point, Random};
use crate::rules::{AnyGame, Game, Step, StepSet, Turn, Variant, with_game};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// Steps that one side may not, or may only, begin with.
#[derive(Clone, Debug, PartialEq)]
pub struct Restriction {
    /// Whose steps.
    pub color: Color,
    /// The points; a step is among them if it is about one of them.
    pub points: Vec<Point>,
    /// Whether a pass (or the end of a growth) is among them.
    pub pass: bool,
    /// Whether only these are allowed, rather than all others.
    pub only: bool,
    /// For how many steps from the root on; 1 is the root alone.
    pub depth: u32,
}

impl Restriction {
    /// Whether `color` may make `step`, so many steps from the root.
    pub(super) fn allows(&self, depth: usize, color: Color, step: Step) -> bool {
        let among = match step.point() {
            Some(point) => self.points.contains(&point),
            None => self.pass,
        };
        self.color != color || depth >= self.depth as usize || among == self.only
    }
}

/// What to think about beside the game.
#[derive(Clone, Debug)]
pub struct Task {
    /// The side that is to move.
    pub color: Color,
    /// Playouts to make; without it `watch` ends the search.
    pub playouts: Option<u64>,
    /// Where the random numbers start.
    pub seed: u64,
    /// First steps that cannot be said, though they may be legal.
    pub exclude: StepSet,
    /// See [`Restriction`].
    pub restrictions: Vec<Restriction>,
    /// Whether to note whose the points become after each first step.
    pub owners_apart: bool,
}

impl Task {
    /// Thinking for `color` without limits.
    pub fn new(color: Color) -> Task {
        Task {
            color,
            playouts: None,
            seed: 0,
            exclude: StepSet::default(),
            restrictions: Vec::new(),
            owners_apart: false,
        }
    }
}

/// How clear the choice is so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lead {
    /// Visits of the favourite and of the next.
    pub visits: [u32; 2],
    /// Whether the favourite is also worth most.
    pub agreed: bool,
    /// Whether nothing can change the choice: there is but one step, or the
    /// result is proven.
    pub settled: bool,
    /// Whether more steps of the turn come after the favourite.
    pub goes_on: bool,
}

/// One step that was looked at; values as the side to move sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct StepReport {
    /// The step.
    pub step: Step,
    /// Times tried.
    pub visits: u32,
    /// How often it wins, 0 to 1.
    pub win_rate: f32,
    /// Mean margin in points, and its standard deviation.
    pub margin: f32,
    /// See there.
    pub deviation: f32,
    /// The part of all priors that is this step's, 0 to 1.
    pub prior: f32,
    /// A lower bound of the win rate that is rarely too high.
    pub lcb: f32,
    /// The step and what was looked at most after it.
    pub line: Vec<Step>,
    /// Visits along the line.
    pub line_visits: Vec<u32>,
}

/// What a search thinks; values as the side to move sees them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Playouts that the root has seen.
    pub visits: u64,
    /// How often the side to move wins, 0 to 1.
    pub win_rate: f32,
    /// Mean margin in points, and its standard deviation.
    pub margin: f32,
    /// See there.
    pub deviation: f32,
    /// The steps looked at, the best first.
    pub steps: Vec<StepReport>,
}

/// A point and whose it becomes: mean owner as the side to move sees it, from
/// +1 (its own) to -1, and the standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Owned {
    /// The point.
    pub point: Point,
    /// Its mean owner.
    pub mean: f32,
    /// The standard deviation.
    pub deviation: f32,
}

/// A position of the tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explored {
    /// The steps that lead there from the root.
    pub path: Vec<Step>,
    /// What may follow, and how often it was tried.
    pub tried: Vec<(Step, u32)>,
}

/// A search under way, to look at.
pub trait View {
    /// Playouts made since thinking began.
    fn playouts(&self) -> u64;
    /// How clear the choice is; cheap.
    fn lead(&self) -> Lead;
    /// Everything about the steps.
    fn report(&self) -> Report;
    /// Whose the points become: all that are neither wall nor void.
    fn ownership(&self) -> Vec<Owned>;
    /// The same after a first step; nothing if the task did not ask for it, or no
    /// playout tells.
    fn ownership_after(&self, step: Step) -> Vec<Owned>;
    /// Every position of the tree that was looked at so often, the root first.
    fn explored(&self, visits: u32) -> Vec<Explored>;
}

/// Asked about every millisecond while thinking; true ends the search.
pub type Watch<'w> = dyn FnMut(&dyn View) -> bool + 'w;

/// Shown a choice and the search that led to it, once it is over.
pub type Done<'d> = dyn FnMut(&Choice, &dyn View) + 'd;

/// A step, and what the search thinks of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The step.
    pub step: Step,
    /// How often the side that makes it wins after it, 0 to 1.
    pub win_rate: f32,
    /// By how many points on average; negative for a loss.
    pub margin: f32,
    /// Playouts that went through the step; 0 if nothing was searched.
    pub visits: u32,
    /// Playouts of this search.
    pub playouts: u64,
    /// The step and what was looked at most after it.
    pub line: Vec<Step>,
}

/// A whole turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnChoice {
    /// The turn; a growth that is under way is given from its beginning.
    pub turn: Turn,
    /// Its first step (of those still to be made), but with all playouts.
    pub choice: Choice,
}

/// A mind for one variant, as the player sees it.
trait Thinking: Debug + Send {
    /// Whether the game is of this variant, and on the same board.
    fn knows(&self, game: &AnyGame) -> bool;
    fn step(
        &mut self,
        game: &AnyGame,
        task: &Task,
        watch: &mut Watch<'_>,
        done: &mut Done<'_>,
    ) -> Option<Choice>;
    fn turn(&mut self, game: &AnyGame, task: &Task, watch: &mut Watch<'_>) -> Option<TurnChoice>;
    fn ponder(
        &mut self,
        game: &AnyGame,
        task: &Task,
        watch: &mut Watch<'_>,
        done: &mut dyn FnMut(&dyn View),
    ) -> Option<()>;
}

/// The game, if it is of this variant.
fn of<V: Variant>(game: &AnyGame) -> Option<&Game<V>> {
    with_game!(game, game => (&**game as &dyn Any).downcast_ref())
}

impl<V: Variant> Thinking for Mind<V> {
    fn knows(&self, game: &AnyGame) -> bool {
        let grid = self.start.board.grid();
        of::<V>(game).is_some_and(|game| game.position().board.grid() == grid)
    }

    fn step(
        &mut self,
        game: &AnyGame,
        task: &Task,
        watch: &mut Watch<'_>,
        done: &mut Done<'_>,
    ) -> Option<Choice> {
        let game = of::<V>(game)?;
        Some(choose::at_once(game, task).unwrap_or_else(|| {
            self.turn_to(game, task);
            let (_, choice) = choose::step(game, self, task, watch);
            let playouts = self.playouts;
            let (ground, worker) = self.first(task);
            done(&choice, &Sight::new(&ground, worker, playouts));
            choice
        }))
    }

    fn turn(&mut self, game: &AnyGame, task: &Task, watch: &mut Watch<'_>) -> Option<TurnChoice> {
        let game = of::<V>(game)?;
        if let Some(choice) = choose::at_once(game, task) {
            let turn = Turn::Pass;
            return Some(TurnChoice { turn, choice });
        }
        self.turn_to(game, task);
        Some(choose::turn(game, self, task, watch))
    }

    fn ponder(
        &mut self,
        game: &AnyGame,
        task: &Task,
        watch: &mut Watch<'_>,
        done: &mut dyn FnMut(&dyn View),
    ) -> Option<()> {
        let game = of::<V>(game)?;
        let others_turn = game.is_mid_turn() && game.position().to_move != task.color;
        if game.position().ending.is_some() || others_turn {
            return None;
        }
        self.turn_to(game, task);
        self.run(task, task.playouts.unwrap_or(u64::MAX), watch);
        let playouts = self.playouts;
        let (ground, worker) = self.first(task);
        done(&Sight::new(&ground, worker, playouts));
        Some(())
    }
}

/// Thinks about games of any variant, and remembers what it thought as long as
/// a game goes on.
#[derive(Debug)]
pub struct Player {
    knobs: Knobs,
    memory: usize,
    threads: usize,
    weights: Option<Weights>,
    mind: Option<Box<dyn Thinking>>,
}

impl Player {
    /// A player that has not thought yet, with so many megabytes (of 2^20
    /// bytes) for its tree and so many threads.
    pub fn new(knobs: Knobs, memory: usize, threads: usize) -> Player {
        Player {
            knobs,
            memory,
            threads,
            weights: None,
            mind: None,
        }
    }

    /// Changes constants, memory and threads; forgets everything if they
    /// differ.
    pub fn configure(&mut self, knobs: Knobs, memory: usize, threads: usize) {
        if (knobs, memory, threads) != (self.knobs, self.memory, self.threads) {
            (self.knobs, self.memory, self.threads) = (knobs, memory, threads);
            self.forget();
        }
    }

    /// Forgets all that was thought so far.
    pub fn forget(&mut self) {
        self.mind = None;
    }

    /// Thinks with these weights rather than the embedded ones.
    pub fn teach(&mut self, weights: Weights) {
        self.weights = Some(weights);
        self.forget();
    }

    fn weights_for(&self, id: &str) -> Weights {
        let embedded = || Weights::parse(embedded(id)).unwrap_or_default();
        self.weights.clone().unwrap_or_else(embedded)
    }

    /// The mind for games of this kind.
    fn mind(&mut self, game: &AnyGame) -> &mut dyn Thinking {
        fn new<V: Variant>(game: &Game<V>, player: &Player) -> Box<dyn Thinking> {
            let (knobs, bytes, start) = (player.knobs, player.memory << 20, game.position());
            let threads = 0..player.threads.max(1);
            if knobs.learned > 0.0 {
                let mut weights = player.weights_for(V::INFO.id);
                if passing::is_small(start) {
                    weights.suit_small_boards();
                }
                let factors = Arc::new(Factors::new(&weights));
                let each = threads.map(|_| Learned::with(start, factors.clone()));
                return Box::new(Mind::new(start, knobs, bytes, each));
            }
            let each = threads.map(|_| RandomPlayouts::new(start));
            Box::new(Mind::new(start, knobs, bytes, each))
        }
        if !self.mind.as_ref().is_some_and(|mind| mind.knows(game)) {
            // The old one's memory is given back first.
            self.mind = None;
        }
        let mind = match self.mind.take() {
            Some(mind) => mind,
            None => with_game!(game, game => new(game, self)),
        };
        self.mind.insert(mind).as_mut()
    }

    /// One playout from the position now, of the kind that thinking consists of.
    pub fn preview(&self, game: &AnyGame, seed: u64) -> Preview {
        fn of<V: Variant>(game: &Game<V>, player: &Player, seed: u64) -> Preview {
            let (start, mut random) = (game.position(), Random::new(seed));
            let mut steps = Vec::new();
            if player.knobs.learned > 0.0 {
                let factors = Arc::new(Factors::new(&player.weights_for(V::INFO.id)));
                let mut trace = Trace::default();
                Learned::with(start, factors).value(start, &mut random, &mut trace);
                steps.extend(trace.steps.into_iter().map(|(_, step)| step));
            } else {
                playout_noted(&mut start.clone(), &mut random, Some(&mut steps));
            }
            Preview::of(start, steps)
        }
        with_game!(game, game => of(game, self, seed))
    }

    /// Chooses a step, in the middle of a turn if one is under way. Without a
    /// limit of playouts `watch` should end the search. The answer is a pass if
    /// the game accepts no turn, or if it is the other side's turn that is under
    /// way.
    pub fn step(&mut self, game: &AnyGame, task: &Task, watch: &mut Watch<'_>) -> Choice {
        self.step_and_show(game, task, watch, &mut |_, _| ())
    }

    /// [`step`](Self::step), which shows the search at its end to `done`, unless
    /// there was nothing to think about.
    pub fn step_and_show(
        &mut self,
        game: &AnyGame,
        task: &Task,
        watch: &mut Watch<'_>,
        done: &mut Done<'_>,
    ) -> Choice {
        let answer = self.mind(game).step(game, task, watch, done);
        answer.unwrap_or_else(choose::nothing)
    }

    /// Chooses a whole legal turn. Of a growth the first step gets all
    /// playouts, the others share as many again. For the rest see
    /// [`step`](Self::step).
    pub fn turn(&mut self, game: &AnyGame, task: &Task, watch: &mut Watch<'_>) -> TurnChoice {
        let answer = self.mind(game).turn(game, task, watch);
        answer.unwrap_or_else(|| TurnChoice {
            turn: Turn::Pass,
            choice: choose::nothing(),
        })
    }

    /// Thinks without choosing, until `watch` ends it or the task's playouts
    /// are made: for analysis, and for the opponent's time. What was thought is
    /// kept. `done` is shown the search at the end, unless there was nothing to
    /// think about.
    pub fn ponder(
        &mut self,
        game: &AnyGame,
        task: &Task,
        watch: &mut Watch<'_>,
        done: &mut dyn FnMut(&dyn View),
    ) {
        self.mind(game).ponder(game, task, watch, done);
    }
}
