//! Trains nets on self-play (Silver et al., "Mastering the game of Go without human knowledge",
//! 2017; Wu, "Accelerating self-play learning in Go", 2019).
//!
//! Games are a [`game`] for every variant, in a [`data_file`]. [`self_play`] plays them,
//! [`records`] reads recorded ones, and [`label`] the values that `torch/label.py` gets from a teacher
//! for positions of a [`plain_game`]. [`samples`] are positions under a symmetry, with their [`targets`].
//! [`packed`] writes them for the trainer, `torch/fit.py`. [`mod@export`] makes its weights a net in
//! integers, [`measure`] compares a net with labels, and [`gate`] chooses the net that plays.

pub mod data_file;
pub mod export;
pub mod game;
pub mod gate;
pub mod label;
pub mod measure;
pub mod packed;
pub mod plain_game;
pub mod records;
pub mod samples;
pub mod self_play;

/// Approximately standard normal, by the central limit theorem.
fn normal(random: &mut crate::board::Random) -> f32 {
    (0..12).map(|_| random.fraction()).sum::<f32>() - 6.0
}
