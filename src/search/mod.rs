//! The search: Monte-Carlo tree search that chooses turns (Coulom, "Efficient
//! Selectivity and Backup Operators in Monte-Carlo Tree Search", 2006; Kocsis and
//! Szepesvári, "Bandit based Monte-Carlo Planning", 2006, UCT).
//!
//! Each simulation walks down the tree, expands a leaf, evaluates it by a playout and
//! backpropagates the outcome:
//!
//! - *Selection* (`select`) takes the child of the highest PUCT score: mean utility,
//!   mixed with AMAF statistics (RAVE), plus an exploration term that the policy
//!   prior weights. Unvisited children get first-play urgency (FPU). Progressive
//!   widening considers the children of the highest priors first. Several threads
//!   keep apart by virtual losses.
//! - *Expansion* (`worker`, `candidates`) creates one child per candidate step in the
//!   `node_pool`. Nodes that reach the same position in the middle of a turn share
//!   their children through the transposition table (`transpositions`).
//! - *Evaluation* goes through [`Evaluator`]: [`RandomPlayouts`] has uniform priors
//!   and plays at random, [`policy`] uses trained weights for priors and playouts.
//! - *Backpropagation* updates means in each `node`, that of the `utility` among them, and
//!   proven `bounds` of the margin (MCTS-Solver with score bounds).
//!
//! [`Searcher`] is the public interface; its `tree` is kept from turn to turn, where it can
//! `follow` the game, and `prune` frees nodes when the pool is full. Visits that no choice made (`root_visits`) and
//! those under restrictions count in no later choice. `choose` and `passing` choose the step
//! at the end, `report` shows a search in progress, [`ownership()`] and [`statuses`]
//! estimate ownership and dead groups without a tree, and `params` holds the search
//! parameters. Each [`Search`] is a value that advances until a [`Signal`] pauses it, for threads
//! that listen meanwhile, or it has found what it looks for.
//!
//! ```
//! use kawari::board::Color;
//! use kawari::rules::{AnyGame, Setup, variant};
//! use kawari::search::{Search, SearchParams, Searcher, Task};
//!
//! let mut setup = Setup::new(variant("tao").expect("a registered variant"));
//! (setup.size.width, setup.size.height) = (7, 7);
//! let mut game = AnyGame::new(&setup).expect("a valid setup");
//! // 16 megabytes for the tree, one thread.
//! let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
//! let task = Task {
//!     playouts: Some(200),
//!     seed: 1,
//!     ..Task::new(Color::Black)
//! };
//! let chosen = searcher.turn(&game, &task).finish(&mut |_| false);
//! assert_eq!(game.play(Color::Black, &chosen.turn), Ok(()));
//! assert!(chosen.choice.visits > 0 && chosen.choice.playouts == 200);
//! println!("{}: win rate {}", game.write(&chosen.turn), chosen.choice.win_rate);
//! ```
//!
//! The search reads no clock and does no input or output. Its randomness comes from a
//! seed and its time limit from a callback, so that with one thread the same game,
//! seed and number of playouts give the same choice on every machine. For that
//! reason all decisions use only arithmetic that IEEE 754 fixes to the last bit:
//! sums, products, quotients and square roots.

mod bounds;
mod candidates;
#[cfg(test)]
mod choice_tests;
mod choose;
mod context;
mod evaluator;
mod follow;
mod lead;
mod level;
pub mod neural;
mod node;
mod node_pool;
mod noise;
mod ownership;
mod params;
mod passing;
mod playout;
pub mod policy;
mod prune;
mod report;
mod root_visits;
mod searcher;
mod select;
mod signal;
#[cfg(test)]
mod tests;
mod transpositions;
mod tree;
mod utility;
mod worker;

pub use choose::{Pondering, StepSearch, TurnSearch};
pub use evaluator::{Evaluator, Leaf, Outcome, Ownership, RandomPlayouts, Trace};
pub use level::{LEVEL_NAMES, LEVELS, Level, STANDING_PLAYOUTS, Weakness, level_ranks};
pub use ownership::{PartCallback, StatusSearch, Statuses, ownership, statuses};
pub use params::{Param, ParamValues, SEARCH_PARAMS, SearchParams, shortest};
pub use playout::{PlayoutLength, PlayoutPreview, playout};
pub use report::{
    BestMoveStability, PointOwnership, SearchProgress, SearchReport, StepReport, StopCallback,
};
pub use searcher::{Choice, Restriction, Searcher, Task, TurnChoice, seed_at};
pub use signal::{Search, Signal, SignalCallback};
