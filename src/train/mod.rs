//! Trains nets on self-play (Silver et al., "Mastering the game of Go without human knowledge",
//! 2017; Wu, "Accelerating self-play learning in Go", 2019).
//!
//! Games are a [`game`] for every variant, in a [`data_file`]. [`self_play`] plays them,
//! [`records`] reads recorded ones, and [`label`] the values that a [`teacher`] gives to positions
//! of a [`plain_game`]. [`samples`] are positions under a symmetry. The [`loss`] compares outputs
//! with targets; [`measure`] uses human units. A [`trainer`] has a net in `f32`: `float_net` and
//! `backward` use `operations` and [`kernels`]. `layout` orders the parameters, `checkpoint` stores
//! them, `export` converts them to integers, and `adopt` takes them from a net. [`mod@fit`] fits a
//! net, [`packed`] writes samples for other trainers, and [`gate`] chooses the net.

mod adopt;
mod backward;
mod checkpoint;
pub mod data_file;
mod export;
pub mod fit;
mod float_net;
pub mod game;
pub mod gate;
pub mod kernels;
pub mod label;
mod layout;
pub mod loss;
pub mod measure;
mod operations;
pub mod packed;
pub mod plain_game;
pub mod records;
pub mod samples;
pub mod self_play;
pub mod teacher;
pub mod trainer;

pub use export::evaluate_net;
pub use loss::{LossKind, LossWeights, Losses, MeanLosses, Sample, Targets};
pub use trainer::Trainer;

/// Approximately standard normal, by the central limit theorem.
fn normal(random: &mut crate::board::Random) -> f32 {
    (0..12).map(|_| random.fraction()).sum::<f32>() - 6.0
}
