//! Learns weights from self-play.
//!
//! [`fit`] learns priors by imitation: the weights with which the log-linear model
//! of [`policy`](crate::search::policy) predicts the visits of searches best.
//! [`tune`] tunes playouts: the weights with which their results predict the
//! results of games best.

mod fit;
mod self_play;
mod tune;

pub use fit::{FitReport, fit};
pub use self_play::{SampleMove, SelfPlayGame, SelfPlaySettings, TrainingSample, play};
pub use tune::{TuneReport, ValuePosition, tune};
