//! Matches between engines, and their statistics.
//!
//! A match is one of [`matches`]: [`settings`] define it, in a match file as [`words`], [`schedule`]
//! lists its games, and [`runner`] plays several at the same time from their [`opening`]s. In a
//! [`game`], a [`controller`] sends commands to the [`process`] of each [`engine`]; [`move_format`]
//! converts turns, [`time_control`] measures time. Engines are not trusted: every turn is checked, the clocks are the match's own, and a
//! [`process_guard`] kills all engines at the end. [`results`] go to a [`results_file`], through an
//! [`sgf_writer`] to SGF, and what engines said to a [`game_log`]. [`standings`] count them,
//! [`ratings`] rate all engines at once, [`table`] and [`html_report`] show them. [`merge`] joins
//! shards. [`balance`] estimates the fair komi. [`comply`](mod@comply) checks the protocol of an
//! engine.

// Only tests see the module from outside.
#![allow(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod balance;
pub mod comply;
pub mod controller;
pub mod engine;
pub mod game;
pub mod game_log;
pub mod html_report;
pub mod matches;
pub mod merge;
pub mod move_format;
pub mod opening;
pub mod process;
pub mod process_guard;
pub mod ratings;
pub mod results;
pub mod results_file;
pub mod runner;
pub mod schedule;
pub mod settings;
pub mod sgf_writer;
pub mod standings;
pub mod table;
pub mod time_control;
pub mod words;
