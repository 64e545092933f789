//! Game records in SGF, the Smart Game Format FF\[4\].
//!
//! A [`GameTree`] is a game exactly as it stands in a file, of Go or of another game.
//! A [`GameRecord`] is a game of one of our variants, or of plain Go by any program: the tree, its
//! start, and the changes of each node.
//!
//! ```
//! use kawari_core::rules::{Setup, variant};
//! use kawari_core::sgf::{GameRecord, NodeId, games};
//!
//! let file = b"(;GM[1]SZ[9]KM[5.5]PB[Ann];B[ee](;W[])(;W[cc]))";
//! let defaults = Setup::new(variant("go").expect("a registered variant"));
//! for tree in games(file) {
//!     let mut record = GameRecord::read(&tree?, &defaults)?;
//!     assert_eq!(record.note(NodeId::ROOT, "PB").as_deref(), Some("Ann"));
//!     let game = record.game()?; // the first variation is the main line
//!     assert_eq!(game.state().passes, 1);
//!     assert_eq!(record.write(), file); // as it was read
//!     let end = record.tree().end_of_main_line();
//!     record.set_comment(end, "White passes.");
//!     assert!(record.write_text().contains("(;W[]C[White passes.])\n(;W[cc])"));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Private properties
//!
//! Standard properties make every node display the right stones. Private properties record the
//! game exactly:
//!
//! | property | where | value |
//! | --- | --- | --- |
//! | `KAWARI` | root | the id of the variant |
//! | `KRULE` | root | all rule options as `key:value`: `KRULE[ko:simple][nuke-acts:next]`; `board` only where sides are joined |
//! | `KBLOCK` | root | the blocked points |
//! | `KPIECE` | a set-up | pieces that are not stones, as `point:symbol`: a tao stone `ee:+`, a void and its arrow `cc:*NE`, a wall `dd:#`, and at the start a point that the rules would fill, `ee:.` |
//! | `KRESIGN` | root | the colour that resigned: `B` or `W` |
//! | `KJUDGE` | root | the result that the referee program counted: `W+2` |
//! | `KTURN` | a node for each turn | the turn in words: `D4`, `nuke D4`, `tao E5`, `grow D4 E5`, `layer 1 D4`, `pass`; with its side (`B nuke D4`) where `B`, `W` or `PL` would mean the other |
//! | `KDEAD` | the last node | the stones that the players agreed on as dead, with `TB` and `TW` |
//! | `KBEGUN` | the last node | the points so far of an unfinished turn: `grow D4 E5` |
//!
//! A game of people against the clock has `TM`, and `OT` if its clocks can grow. Their turns have
//! `BL` or `WL`, and in byo-yomi `OB` or `OW`: the time and the periods left.
//!
//! `KM` holds the komi, `SZ` the board size (of the flat form, `SZ[19:9]`), `HA` the
//! number of handicap stones, `AB` first the handicap stones and then others of the
//! start, `AW` White's, `PL` the side to move, `RE` the result. The colour of a turn is
//! that of `B` or `W`; in a node without a move it is the opponent of `PL`. Without `PL` the side
//! of the first turn moves first. Without `HA` all of Black's stones are handicap if White moves
//! first and has no stones.
//!
//! A reader prefers `KTURN` to `B` and `W`, and ignores the set-up of such a node. A node
//! that sets up stones otherwise, or a side to move, is not a turn: the game continues from there.
//!
//! A file without `KAWARI` is a client's. The session supplies what the file omits
//! ([`FileDefaults`]), and moves are vertices of the board that the client displays; GoGui omits
//! `SZ` for 19 columns. A file becomes UTF-8 before it is parsed, from one character set: the
//! stated one (`CA`) if the bytes fit it, else UTF-8, else the one in which no text swallows a property. Text
//! before a game is skipped; the rest of a game whose beginning is missing is an error.
//!
//! An unedited record of a UTF-8 file is written as it was read. All else is written as UTF-8; `CA`
//! says so if the file had or named another set, or if a text is not ASCII.
//! The root of an edited record states the board size, and start properties that readers can no longer infer from
//! the turns (`PL`, `AB`).
//!
//! # Display in viewers
//!
//! A turn is a move (`B`, `W`) if a viewer of plain Go then displays the right stones. Where
//! the rules allow suicide, it is a move, although viewers differ on it. Any other turn sets up
//! the stones that differ (`AB`, `AW`, `AE`), states the side to move (`PL`), and has the
//! turn in words as its name (`N`) and a triangle on its stones (`TR`). In every node,
//! voids are arrows (`LB`), tao stones circles (`CR`), blocked points and the columns
//! between layers crosses (`MA`). All other marks are those of people.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

mod amount;
mod brackets;
mod charset;
mod client;
mod cursor;
mod decode;
mod detect;
mod edit;
mod encode;
mod grammar;
mod marks;
mod ours;
mod parse;
mod places;
mod property;
mod record;
mod remark;
mod result_words;
mod root;
mod rule_names;
mod start_position;
mod tree;
mod write;

pub use charset::Charset;
pub use client::FileDefaults;
pub use cursor::Cursor;
pub use marks::{AGREED, agreed_dead_stones, agreement_at, mark_named, marked_territory};
pub use parse::{Games, ParseError, ParseErrorKind, TextPosition, games, parse};
pub use parse::{game_start, games_in, games_of};
pub use property::{Property, PropertyValue, SgfPoint};
pub use record::{
    COMMENT, Change, GameRecord, InvalidProperty, PropertyOfGame, RecordError, Refusal, Refused,
};
pub use record::{DEAD, JUDGE};
pub use remark::{Remark, RemarkCode};
pub use remark::{handicap_stones, remarks_on_order, remarks_on_play, remarks_on_repetition};
pub use root::stated_handicap;
pub use rule_names::{HandicapBonus, NamedRules, RuleFieldError, rules_named};
pub use tree::{GameTree, NodeId};
pub use write::spliced;
