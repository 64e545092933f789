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
//! - `cli`, on by default: the program, with matches, the referee, problems and training.
//! - `web`, on by default: the board in the browser.
//! - `nets`, on by default: the files of the built-in nets.
//! - `tab`: the decisions of the board in the browser, without the server; `site`: the same as a
//!   module for a worker of the browser.
//! - `trial`: games that only tests have.
//!
//! With `default-features = false` the library has all public modules, and searches have playouts
//! in place of built-in nets.
//!
//! # Modules
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
//! Public items keep their meaning until version 2 (semantic versioning). `cli` and `testing` are
//! for the program and its tests, and are not part of the promise.

#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cli")]
mod analysis;
#[cfg(feature = "cli")]
mod arena;
// Only the program uses all of it.
#[cfg_attr(not(feature = "web"), allow(dead_code, unused_imports))]
pub mod board;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
// Only the program uses all of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod clock;
mod encoding;
// Only the program uses all of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod files;
#[cfg(feature = "cli")]
mod gtp;
// Only the program and the board use all of it.
#[cfg_attr(not(feature = "web"), allow(dead_code, unused_imports))]
mod guide;
#[cfg(feature = "cli")]
mod inbox;
// Only the program uses all of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod json;
#[cfg(feature = "cli")]
mod line_file;
mod net;
#[cfg(any(feature = "nets", feature = "tab"))]
mod packed;
// Only the program uses all of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod playing;
#[cfg(feature = "cli")]
mod plot;
#[cfg(feature = "cli")]
mod printable;
// Only the program uses all of it.
#[cfg(any(feature = "cli", feature = "tab"))]
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod problems;
#[cfg(feature = "cli")]
mod referee;
// Only the program uses all of it.
#[cfg_attr(not(feature = "web"), allow(dead_code, unused_imports))]
pub mod rules;
// Only the program uses all of it.
#[cfg_attr(not(feature = "web"), allow(dead_code, unused_imports))]
pub mod search;
// Only the program uses all of it.
#[cfg_attr(not(feature = "web"), allow(dead_code, unused_imports))]
pub mod sgf;
mod similar;
// Only the program uses all of it.
#[cfg_attr(not(feature = "web"), allow(dead_code, unused_imports))]
pub mod solve;
#[cfg(feature = "cli")]
mod stats;
#[cfg(feature = "cli")]
mod table;
// Only the board uses all of it.
#[cfg_attr(not(feature = "tab"), allow(dead_code, unused_imports))]
mod time;
#[cfg(feature = "cli")]
mod train;
#[cfg(feature = "cli")]
mod transcript;
#[cfg(feature = "tab")]
mod web;
#[cfg(feature = "cli")]
mod workers;

pub use board::Color;
pub use rules::{Game, Setup, variant};
pub use search::{Searcher, Task};
pub use sgf::GameRecord;

/// What the tests and the fuzz targets use of the modules that are the program's own.
#[doc(hidden)]
pub mod testing {
    #[cfg(feature = "cli")]
    pub use cli::*;

    /// Steps as single vertices.
    pub mod encoding {
        pub use crate::encoding::*;
    }
    /// Neural nets.
    pub mod net {
        pub use crate::net::*;
    }
    pub use crate::search::playout;

    #[cfg(feature = "cli")]
    mod cli {
        pub use crate::analysis::{AnalysisSettings, request};
        pub use crate::arena::balance::{KomiScore, fit::Fit};
        pub use crate::arena::merge::standings_of;
        pub use crate::arena::opening::{self, Opening, OpeningOrder, Openings};
        pub use crate::arena::results::{EndReason, MatchGame, MatchHeader, ResultsLine};
        pub use crate::cli::settings_of_text;
        pub use crate::guide::{Example, GROUPS, guide, guides, passages};
        pub use crate::problems::{GRADES, Problem};
        pub use crate::stats::{Interval, wilson};
        /// Checks of recorded games.
        pub mod referee {
            pub use crate::referee::*;
        }
        /// The Go Text Protocol.
        pub mod gtp {
            pub use crate::gtp::*;
        }
        pub use crate::transcript::{Split, TranscriptGame, games, replay_session};
        #[cfg(feature = "web")]
        pub use crate::web::{
            SearchSettings, Server, TabSettings,
            request::{MAX_COMMENT, MAX_MESSAGE},
        };
        #[cfg(feature = "tab")]
        pub use crate::web::{
            catalog,
            job::Stop,
            tab::{Tab, TabOutput},
            view,
        };
    }
}
