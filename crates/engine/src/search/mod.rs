//! The search: Monte-Carlo tree search that chooses turns (Coulom, "Efficient
//! Selectivity and Backup Operators in Monte-Carlo Tree Search", 2006; Kocsis and
//! Szepesvári, "Bandit based Monte-Carlo Planning", 2006, UCT).
//!
//! Each simulation descends the tree, expands a leaf, evaluates it and backpropagates the outcome:
//!
//! - *Selection* (`select`) takes the child of the highest PUCT score: mean utility plus an
//!   exploration term that the policy prior weights. Unvisited children get first-play urgency
//!   (FPU). Virtual losses keep threads apart.
//! - *Expansion* (`worker`, `candidates`) creates one child per candidate step in the
//!   `node_pool`. Nodes that reach the same position in the middle of a turn share
//!   their children through the transposition table (`transpositions`).
//! - *Evaluation* goes through `Evaluator`: `neural` asks a net, and `RandomPlayouts` plays at random
//!   where a board has no net, with uniform priors.
//! - *Backpropagation* updates means in each `node`, that of the `utility` among them, and
//!   proven `bounds` of the margin (MCTS-Solver with score bounds).
//!
//! [`Searcher`] is the public interface. It keeps its `tree` from turn to turn: `follow` finds the
//! game in it, and `prune` frees nodes when the pool is full. Visits that selection did not choose
//! (`root_visits`) and those under restrictions do not count in later choices. `choose` and
//! `passing` choose the step, `report` shows a search in progress, [`ownership()`] and [`statuses`]
//! estimate ownership and dead groups without a tree, and `params` has the search parameters. A
//! [`Search`] advances until a [`Signal`] pauses it or it has its result.
//!
//! ```
//! use kawari_core::board::Color;
//! use kawari_core::rules::{Game, Setup, variant};
//! use kawari_engine::search::{Search, SearchParams, Searcher, Task};
//!
//! let mut setup = Setup::new(variant("tao").expect("a registered variant"));
//! (setup.size.width, setup.size.height) = (7, 7);
//! let mut game = Game::new(&setup).expect("a valid setup");
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
//! The search has no clock, input or output: a seed gives its randomness, and a callback its time
//! limit. With one thread the same game, seed and number of playouts give the same choice on every
//! machine. Decisions use only arithmetic that IEEE 754 fixes: sums, products, quotients and square
//! roots.

mod bounds;
mod candidates;
#[cfg(test)]
mod choice_tests;
mod choose;
mod context;
mod edge;
mod evaluator;
mod follow;
mod images;
mod ladder;
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
mod prune;
mod report;
mod root_visits;
mod searcher;
mod select;
mod signal;
mod task;
#[cfg(test)]
mod tests;
mod transpositions;
mod tree;
mod utility;
mod worker;

pub use crate::net::{Net, NetError};
pub use choose::{Pondering, StepSearch, TurnSearch};
pub use evaluator::Outcome;
pub use level::{LEVEL_NAMES, STANDING_PLAYOUTS, level_ranks};
pub use level::{LEVELS, Level};
pub use ownership::{Statuses, ownership, statuses};
pub use params::SearchParams;
pub use params::{Param, ParamValues, SEARCH_PARAMS, shortest};
pub use playout::PlayoutPreview;
pub use playout::playout;
pub use report::{BestMoveStability, PointOwnership, SearchProgress, SearchReport, StepReport};
pub use searcher::Searcher;
pub use signal::{Search, Signal, SignalCallback};
pub use task::seed_at;
pub use task::{Choice, Restriction, Task, TurnChoice, Weakness};
