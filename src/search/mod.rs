//! Choosing turns: a tree of steps, grown where it promises most (Coulom,
//! "Efficient Selectivity and Backup Operators in Monte-Carlo Tree Search",
//! 2006; Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning", 2006).
//!
//! Nothing here knows the clock or the outside world. Randomness comes from a
//! seed and time from a callback, so that with one thread the same game, seed
//! and number of playouts give the same answer on every machine. For that
//! reason only arithmetic that IEEE 754 fixes to the last bit decides anything:
//! sums, products, quotients and square roots.
//!
//! - [`Player`] is what others call; it keeps a `mind` for the variant at hand,
//!   whose tree lasts from turn to turn.
//! - A `worker` is one thread's way down the tree and back: `select` says which
//!   child is next, `candidates` which there are, `bounds` what is proven. The
//!   `arena` holds the `node`s, `twins` are those that share children, `prune`
//!   makes room.
//! - [`Evaluator`] is the seam to what judges positions and steps:
//!   [`RandomPlayouts`] knows nothing and plays at random, [`policy`] plays by
//!   learned weights.
//! - `choose` and `passing` decide at the end, `report` shows.

mod arena;
mod bounds;
mod candidates;
mod choose;
mod evaluator;
mod knobs;
mod mind;
mod node;
mod ownership;
mod passing;
mod player;
mod playout;
pub mod policy;
mod prune;
mod report;
mod select;
mod status;
#[cfg(test)]
mod tests;
mod twins;
mod worker;

pub use evaluator::{Ends, Evaluator, Outcome, RandomPlayouts, Trace};
pub use knobs::{KNOBS, Knob, KnobError, Knobs};
pub use ownership::ownership;
pub use player::{
    Choice, Done, Explored, Lead, Owned, Player, Report, Restriction, StepReport, Task, TurnChoice,
    View, Watch,
};
pub use playout::{Played, Preview, playout};
pub use status::{Statuses, statuses};
