//! Who plays: nets, searches, proofs, problems, clocks, and the engine as a player.
//!
//! # Invariants
//!
//! - The same seed gives the same turns on every machine, with one thread: nets compute in exact
//!   integers, and no search reads a clock. [`playing`] measures time and ends searches.
//! - A search advances until a [`search::Signal`] pauses it, so that a browser without threads can
//!   run it.
//! - Nothing asks which variant it serves: variants differ by a record and hooks of the rules.
//!
//! # Absent on purpose
//!
//! There is no protocol, no file and no output: callers hand over games and get turns and reports.

#![deny(unsafe_code)]

use kawari_core::{board, encoding, rules, sgf};
#[cfg(feature = "nets")]
use kawari_packed as packed;

pub mod clock;
pub mod net;
pub mod playing;
pub mod problems;
pub mod search;
pub mod similar;
pub mod solve;
pub mod time;
