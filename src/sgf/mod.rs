//! Game records in SGF, the Smart Game Format FF\[4\].
//!
//! Two things are kept apart. A [`Tree`] is a game as it stands in a file:
//! nothing is left out, reordered or understood, whatever game it is. A
//! [`Record`] is a game of one of our variants, or of plain Go by any program:
//! setup, turns, result, and notes.
//!
//! ```
//! use kawari::rules::{Setup, variant};
//! use kawari::sgf::{Record, games};
//!
//! let file = b"(;GM[1]SZ[9]KM[5.5]PB[Ann];B[ee](;W[])(;W[cc]))";
//! let base = Setup::new(variant("go").expect("a registered variant"));
//! for tree in games(file) {
//!     let record = Record::read(&tree?, &base)?;
//!     let game = record.game()?;
//!     assert_eq!(record.notes.get(0, "PB"), Some("Ann"));
//!     assert_eq!(game.state().passes, 1); // the first variation is the main line
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What our files hold
//!
//! Besides the properties that every program knows, with which each node shows
//! the right stones (see below), these say the game exactly:
//!
//! | property | where | value |
//! | --- | --- | --- |
//! | `KAWARI` | root | the id of the variant |
//! | `KRULE` | root | every rule option, `key:value` each, as in `KRULE[ko:simple][nuke-acts:next]` |
//! | `KBLOCK` | root | the blocking points |
//! | `KRESIGN` | root | who gave up: `B` or `W` |
//! | `KJUDGE` | root | what a program counted that judged the game: `W+2` |
//! | `KTURN` | a node for each turn | the turn in words: `D4`, `nuke D4`, `tao E5`, `grow D4 E5`, `layer 1 D4`, `pass` |
//! | `KGROW` | the last node | the stones so far of a growth that has not ended: `grow D4 E5` |
//!
//! Komi is in `KM`, the board (the flat form, `SZ[19:9]`) in `SZ`, handicap in `HA`
//! and first in `AB`, other stones of the start in `AB` and `AW`, the side to move
//! in `PL`, the result in `RE`. Whose turn a node is says its `B` or `W`; where
//! there is none, it is the side that is not in `PL`.
//!
//! A reader of ours follows the first variation of each node, and takes words
//! before moves. Nodes without words are comments, or moves that somebody added.
//!
//! # What viewers show
//!
//! A turn is a move (`B`, `W`) if plain Go makes of it exactly what the variant
//! makes; captures included, and suicide, on which viewers differ, excluded. Any
//! other turn sets up what differs (`AB`, `AW`, `AE`), says who moves next (`PL`),
//! has its words for a name (`N`) and a triangle on its stones (`TR`). On every
//! node voids are arrows (`LB`), tao stones circles (`CR`), walls and the columns
//! between layers crosses (`MA`).

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod charset;
mod decode;
mod encode;
mod grammar;
mod names;
mod notes;
mod parse;
mod picture;
mod record;
mod root;
mod territory;
mod tree;
mod value;
mod viewer;
mod write;

pub use charset::{Charset, unwrapped};
pub use notes::{COMMENT, JUDGE, Notes, Reserved};
pub use parse::{Fault, Games, ParseError, Place, games, parse};
pub use picture::marks;
pub use record::{Nonsense, Record, RecordError};
pub use territory::territory;
pub use tree::{NodeId, Properties, Property, Tree};
pub use value::{Spot, Value};
pub use write::{Name, NodeText, write, write_line};
