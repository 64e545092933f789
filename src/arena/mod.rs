//! Matches between engines, and what they tell.
//!
//! [`settings`] define a match, [`schedule`] numbers its games, [`opening`] says
//! how they begin, [`runner`] plays several at a time. A [`game`] has an
//! [`engine`] for each colour, with a [`client`] that speaks GTP to a
//! [`process`], and a [`time`] of its own; [`speech`] puts turns into words or
//! vertices. Nothing an engine says is believed: the position is a
//! [`crate::rules::AnyGame`] that follows the game, clocks are read here, and a
//! [`keeper`] sees to it that no engine outlives the match.
//!
//! A [`record`] of each game goes to the [`store`], and to [`mod@sgf`]; the [`standings`] are counts
//! of them, [`stats`] tell what counts mean, a [`table`] says so to people, and a
//! [`report`] with the pictures of [`plot`]. [`merge`] joins the files of several
//! machines. [`balance`] plays games of another kind: of the engine with itself, to
//! find the fair komi.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod balance;
pub mod client;
pub mod engine;
pub mod game;
pub mod keeper;
pub mod merge;
pub mod opening;
pub mod plot;
pub mod process;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod settings;
pub mod sgf;
pub mod speech;
pub mod standings;
pub mod stats;
pub mod store;
pub mod table;
pub mod time;
