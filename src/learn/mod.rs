//! Learning weights from games the engine plays with itself.
//!
//! [`Lesson`]s are positions together with how often a search tried each step;
//! [`fit`] finds the weights under which the log-linear models of
//! [`policy`](crate::search::policy) would have shared the tries out most alike.

mod fit;
mod lesson;

pub use fit::{Fit, fit};
pub use lesson::{Lesson, Schooling, play};
