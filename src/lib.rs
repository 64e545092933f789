//! kawari (変わり碁, "variant Go"): a GTP engine that plays, referees and
//! records Go and variants of it.
//!
//! # A game in a few lines
//!
//! ```
//! use kawari::rules::{Action, Illegal, nuclear};
//! use kawari::{Game, Color, Setup, variant};
//!
//! let info = variant("no").expect("a registered variant");
//! let mut game = Game::new(&Setup::new(info)).expect("a valid setup");
//! let stone = game.parse("D4").expect("a turn of this variant");
//! assert_eq!(game.apply(Color::Black, &stone), Ok(()));
//! assert_eq!(game.apply(Color::White, &stone), Err(Illegal::Occupied));
//! let nuke = game.parse("nuke D4").expect("a turn of this variant");
//! assert_eq!(game.apply(Color::White, &nuke), Err(nuclear::NOT_OWN_STONE));
//! assert_eq!(game.apply(Color::Black, &nuke), Ok(()));
//! assert_eq!(game.state().board[5], "...*.....");
//! assert_eq!(game.apply(Color::White, &Action::Resign), Ok(()));
//! assert_eq!(game.score().to_string(), "B+R");
//! ```
//!
//! # Cargo features
//!
//! - `cli`, on by default: the program, with matches, the referee, training and the board in the
//!   browser.
//! - `nets`, on by default: the files of the built-in nets.
//! - `trial`: games that only tests have.
//!
//! With `default-features = false` the library has all public modules, and searches have playouts
//! instead of built-in nets.
//!
//! # Crates and modules
//!
//! This crate is the program, and promises a part of the crates below it, which promise nothing
//! themselves: `kawari-core` (what a game is) and `kawari-engine` (who plays). `kawari-tab` is what
//! the board in the browser decides.
//!
//! - [`board`]: points, stones, groups, liberties, hashes and areas, without rules.
//! - [`rules`]: the variants, setups, positions, games, turns and results.
//! - [`search`]: a [`Searcher`] chooses turns and reports what it has found.
//! - [`solve`](mod@solve): exact values of small boards.
//! - [`sgf`]: a [`GameRecord`] reads, follows and writes files of games.
//!
//! The guide *contributing* has the map of all modules and the rules for them.
//!
//! # Promises
//!
//! Public items keep their meaning until version 2 (semantic versioning). Hidden modules are for
//! the program and its tests, and are not part of the promise.

#![deny(unsafe_code)]
#![warn(missing_docs)]

mod promised;

pub use promised::board::Color;
pub use promised::rules::{Game, Setup, variant};
pub use promised::search::{Search, Searcher, Task};
pub use promised::sgf::GameRecord;
pub use promised::{board, rules, search, sgf, solve};

#[cfg(feature = "cli")]
use kawari_core::{encoding, json};
#[cfg(feature = "cli")]
use kawari_engine::{clock, net, playing, problems, similar, time};
#[cfg(feature = "cli")]
use kawari_tab::{guide, web};

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod analysis;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod arena;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "cli")]
mod files;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod gtp;
#[cfg(feature = "cli")]
mod inbox;
#[cfg(feature = "cli")]
mod line_file;
#[cfg(feature = "cli")]
mod plot;
#[cfg(feature = "cli")]
mod printable;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod referee;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod server;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod stats;
#[cfg(feature = "cli")]
mod table;
#[cfg(feature = "cli")]
mod train;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod transcript;
#[cfg(feature = "cli")]
mod workers;
