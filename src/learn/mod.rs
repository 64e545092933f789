//! Learning weights from games the engine plays with itself.
//!
//! Priors imitate: [`fit`] finds the weights under which the log-linear model
//! of [`policy`](crate::search::policy) would have shared a search's tries out
//! most alike. Playouts judge: [`tune`] finds those with which they tell best
//! how games ended.

mod fit;
mod lesson;
mod tune;

pub use fit::{Fit, PATTERN, SHAPE, fit};
pub use lesson::{Lesson, Played, Schooling, Tried, play};
pub use tune::{Moment, Tuned, tune};
