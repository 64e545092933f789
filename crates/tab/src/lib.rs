//! What the board in the browser decides: the tab of a page without its transport, the page itself,
//! and the guides, which it shows in parts.
//!
//! # Invariants
//!
//! - The page draws and knows no rule; all that it shows is an event of a [`web::tab::Tab`].
//! - A tab starts no thread and waits for nothing: a server gives it two threads, a worker of the
//!   browser runs it in slices. The same crate is compiled for both.
//!
//! # Absent on purpose
//!
//! There is no server, no socket and no file: the program has them.

#![deny(unsafe_code)]

use kawari_core::{board, encoding, json, rules, sgf};
use kawari_engine::{clock, playing, problems, search, solve, time};
use kawari_packed as packed;

pub mod guide;
pub mod web;
