//! Choosing turns: a tree of steps grown by UCT (Kocsis and Szepesvári,
//! "Bandit based Monte-Carlo Planning", 2006; Coulom, "Efficient Selectivity
//! and Backup Operators in Monte-Carlo Tree Search", 2006).
//!
//! Nothing here knows the clock or the outside world. Randomness comes from a
//! seed and time from a callback, so that the same game, seed and number of
//! playouts give the same answer on every machine. For that reason only
//! arithmetic that IEEE 754 fixes to the last bit decides anything: sums,
//! products, quotients and square roots.
//!
//! - [`Evaluator`] judges positions and steps; [`RandomPlayouts`] is the plain
//!   one: it knows nothing and plays at random.
//! - [`choose_step`] and [`choose_turn`] search; [`ownership`] only plays out.

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
#[cfg(test)]
mod tests;
mod worker;

pub use evaluator::{Evaluator, Outcome, RandomPlayouts, Trace};
pub use knobs::{KNOBS, Knob, KnobError, Knobs};
pub use ownership::ownership;
pub use player::{
    Choice, Done, Lead, Owned, Player, Report, Restriction, StepReport, Task, TurnChoice, View,
    Watch,
};
pub use playout::{Played, playout};
