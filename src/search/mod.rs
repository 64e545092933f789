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
//! - *Backpropagation* updates means in each `node`, and proven `bounds` of the
//!   margin (MCTS-Solver with score bounds).
//!
//! [`Searcher`] is the public interface; its `tree` is kept from turn to turn, and
//! `prune` frees nodes when the pool is full. `choose` and `passing` choose the step
//! at the end, `report` shows a search in progress, [`ownership()`] and [`statuses`]
//! estimate ownership and dead groups without a tree, and `params` holds the search
//! parameters.
//!
//! The search reads no clock and does no input or output. Its randomness comes from a
//! seed and its time limit from a callback, so that with one thread the same game,
//! seed and number of playouts give the same choice on every machine. For that
//! reason all decisions use only arithmetic that IEEE 754 fixes to the last bit:
//! sums, products, quotients and square roots.

mod bounds;
mod candidates;
mod choose;
mod evaluator;
mod node;
mod node_pool;
mod ownership;
mod params;
mod passing;
mod playout;
pub mod policy;
mod prune;
mod report;
mod searcher;
mod select;
mod status;
#[cfg(test)]
mod tests;
mod transpositions;
mod tree;
mod worker;

pub use evaluator::{Evaluator, Outcome, Ownership, RandomPlayouts, Trace};
pub use ownership::ownership;
pub use params::{
    ParamType, ParamValue, SEARCH_PARAMS, SearchParam, SearchParamError, SearchParams,
};
pub use playout::{PlayoutLength, PlayoutPreview, playout};
pub use searcher::{
    BestMoveStability, Choice, DoneCallback, ExploredNode, PointOwnership, Restriction,
    SearchProgress, SearchReport, Searcher, StepReport, StopCallback, Task, TurnChoice,
};
pub use status::{Statuses, statuses};
