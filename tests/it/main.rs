//! The tests, in one program: each further one would link the library once more.

mod analysis;
mod binary;
mod board;
mod broken_law;
mod capture;
mod check;
mod client;
mod commands;
mod common;
mod comply;
mod diagrams;
mod files;
mod fixtures;
mod fuzz;
mod game_lists;
mod games;
mod gogui;
mod good_play;
mod graded;
mod gtp;
mod guides;
mod install;
mod joined;
mod kept;
mod labels;
#[path = "../laws/mod.rs"]
mod laws;
mod live;
#[cfg(unix)]
mod matches;
mod measurements;
mod mistakes;
mod perft;
mod plain;
mod problems;
mod robustness;
mod sabaki;
mod sgf;
mod small_boards;
mod solve;
mod strength;
mod train;
