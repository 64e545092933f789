//! Matches between engines, and their statistics.
//!
//! [`settings`] define a match, [`schedule`] lists its games, [`opening`] provides their
//! openings, [`runner`] plays several at the same time. A [`game`] has an [`engine`] for
//! each colour: a [`controller`] sends GTP commands to its [`process`], [`move_format`]
//! converts turns into commands and vertices, [`time_control`] measures its time. Engines
//! are not trusted: the position is a [`crate::rules::AnyGame`] that checks every turn, the
//! clocks are the match's own, and a [`process_guard`] kills all engines when the match
//! ends.
//!
//! The [`results`] of each game are appended to a [`results_file`], which is a [`line_file`],
//! and written as SGF by
//! [`sgf_writer`]; the [`standings`] count them, [`stats`] computes Elo, intervals, LOS and
//! SPRT, [`table`] prints them, and [`html_report`] is a page with the plots of [`plot`].
//! [`merge`] joins the results of several shards. [`balance`] estimates the fair komi from
//! games of the engine with itself.

// Only tests see the module from outside.
#![allow(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod balance;
pub mod controller;
pub mod engine;
pub mod game;
pub mod html_report;
pub mod line_file;
pub mod merge;
pub mod move_format;
pub mod opening;
pub mod plot;
pub mod process;
pub mod process_guard;
pub mod results;
pub mod results_file;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod sgf_writer;
pub mod standings;
pub mod stats;
pub mod table;
pub mod time_control;
