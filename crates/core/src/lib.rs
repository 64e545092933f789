//! What a game is: boards, the rules of all variants, turns as single vertices, and game records.
//!
//! # Invariants
//!
//! - There is no clock, no thread, no file and no global state. Randomness is a seeded
//!   [`board::Random`], with the same numbers on every machine.
//! - A [`rules::Game`] checks every turn; a refused turn changes nothing.
//! - Text and bytes of others are parsed once, and never lead to a panic.
//!
//! # Absent on purpose
//!
//! Nothing here plays, judges a position beyond its rules, or knows a protocol, a program or a
//! person.

#![deny(unsafe_code)]

pub mod board;
pub mod encoding;
pub mod json;
pub mod rules;
pub mod sgf;
