//! Trains nets on games of the engine with itself (Silver et al., "Mastering the game
//! of Go without human knowledge", 2017; Wu, "Accelerating self-play learning in Go",
//! 2019).
//!
//! - [`game`]: what is kept of a game, for every variant;
//! - [`data_file`]: files of games, append-only and checksummed;
//! - [`self_play`]: plays games.

pub mod data_file;
pub mod game;
pub mod self_play;
