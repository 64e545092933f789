//! What others call: a player that thinks about a game and remembers what it
//! thought.

use super::choose::{Choice, TurnChoice};
use super::knobs::Knobs;
use super::options::SearchOptions;
use super::{choose_step, choose_turn};
use crate::board::{Color, Point};
use crate::rules::{AnyGame, Step};

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
    pub exclude: Option<fn(Step) -> bool>,
    /// See [`Restriction`].
    pub restrictions: Vec<Restriction>,
}

impl Task {
    /// Thinking for `color` without limits.
    pub fn new(color: Color) -> Task {
        Task {
            color,
            playouts: None,
            seed: 0,
            exclude: None,
            restrictions: Vec::new(),
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
}

/// Asked about every millisecond while thinking; true ends the search.
pub type Watch<'w> = dyn FnMut(&dyn View) -> bool + 'w;

/// Thinks about games of any variant.
#[derive(Debug)]
pub struct Player {
    /// The constants of the search.
    pub knobs: Knobs,
    /// Megabytes (of 2^20 bytes) for the tree.
    pub memory: usize,
    /// Threads that search together.
    pub threads: usize,
}

impl Player {
    /// A player that has not thought yet.
    pub fn new(knobs: Knobs, memory: usize, threads: usize) -> Player {
        Player {
            knobs,
            memory,
            threads,
        }
    }

    /// Forgets all that was thought so far.
    pub fn forget(&mut self) {}

    fn options(&self, task: &Task) -> SearchOptions {
        SearchOptions {
            playouts: task.playouts,
            seed: task.seed,
            max_nodes: SearchOptions::nodes_in(self.memory),
            exclude: task.exclude,
            ..SearchOptions::default()
        }
    }

    /// Chooses a step, in the middle of a turn if one is under way. The answer
    /// is a pass if the game accepts no turn, or if it is the other side's turn
    /// that is under way.
    pub fn step(&mut self, game: &AnyGame, task: &Task, watch: &mut Watch<'_>) -> Choice {
        let mut stop = |playouts| watch(&Placeholder { playouts });
        choose_step(game, task.color, &self.options(task), &mut stop)
    }

    /// Chooses a whole legal turn.
    pub fn turn(&mut self, game: &AnyGame, task: &Task, watch: &mut Watch<'_>) -> TurnChoice {
        let mut stop = |playouts| watch(&Placeholder { playouts });
        choose_turn(game, task.color, &self.options(task), &mut stop)
    }

    /// Thinks without choosing, until `watch` ends it or the task's playouts
    /// are made: for analysis, and for the opponent's time. What was thought is
    /// kept. `done` is shown the search at the end.
    pub fn ponder(
        &mut self,
        game: &AnyGame,
        task: &Task,
        watch: &mut Watch<'_>,
        done: &mut dyn FnMut(&dyn View),
    ) {
        let mut last = 0;
        let mut stop = |playouts| {
            last = playouts;
            watch(&Placeholder { playouts })
        };
        choose_step(game, task.color, &self.options(task), &mut stop);
        done(&Placeholder { playouts: last });
    }
}

struct Placeholder {
    playouts: u64,
}

impl View for Placeholder {
    fn playouts(&self) -> u64 {
        self.playouts
    }
    fn lead(&self) -> Lead {
        Lead::default()
    }
    fn report(&self) -> Report {
        Report::default()
    }
    fn ownership(&self) -> Vec<Owned> {
        Vec::new()
    }
}
