//! Game records: what viewers show, games read back.

mod common;

#[path = "sgf/games.rs"]
mod games;
#[path = "sgf/viewer.rs"]
mod viewer;
