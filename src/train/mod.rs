//! Trains nets on games of the engine with itself (Silver et al., "Mastering the game
//! of Go without human knowledge", 2017; Wu, "Accelerating self-play learning in Go",
//! 2019).
//!
//! - [`game`]: what is kept of a game, for every variant;
//! - [`data_file`]: files of games, append-only and checksummed;
//! - [`self_play`]: plays games, [`records`] reads recorded ones;
//! - [`label`]: what a [`teacher`] says of positions of a [`plain_game`], as text and as
//!   games to learn from;
//! - [`samples`]: positions of games as training samples, turned and mirrored by the
//!   [`symmetry`] of their boards;
//! - [`loss`]: what a net should say of a sample, and how far it is from that; [`measure`]:
//!   the same in points and percentages;
//! - [`trainer`]: a net in `f32` (`float_net`, back through it `backward`, of `operations` and
//!   convolutions, whose inner loops are in [`kernels`]; parameters in the order of `layout`) and
//!   its optimizer; `checkpoint` keeps it, `export` makes it a net in integers, `adopt` begins with
//!   one;
//! - [`mod@fit`]: fits a net to games; [`packed`] writes their samples for trainers in other
//!   languages;
//! - [`gate`]: matches that decide which net plays.

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
pub mod symmetry;
pub mod teacher;
pub mod trainer;

pub use export::evaluate_net;
pub use loss::{LossKind, LossWeights, Losses, MeanLosses, Sample, Targets};
pub use trainer::Trainer;
