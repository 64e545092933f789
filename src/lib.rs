//! kawari: a GTP engine for seven kinds of Go.
pub mod board;
pub mod cli;
pub mod gtp;
pub mod rules;
pub mod search;
