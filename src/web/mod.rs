//! The browser board: a small server whose page shows and plays all games.
//!
//! The page draws what the server sends and knows no rule. A tab of the browser has one
//! WebSocket and one game. It sends requests, each with a number that the one reply to it
//! repeats, and gets events:
//!
//! ```text
//! {"id":1,"do":{"new":{"variant":"no"}}}     →  {"id":1,"ok":{}}
//! {"id":2,"do":{"play":{"turn":"nuke D4"}}}  →  {"id":2,"error":"nuke: not an own stone"}
//!                                               {"event":"state","node":0,…}
//! ```
//!
//! - [`server`] has the files of the page ([`assets`]) and checks clients ([`access`]);
//!   [`socket`] is the connection of a tab.
//! - A [`tab`] decides: it takes requests and findings of searches, and puts out events and the
//!   [`job`] for the [`job_runner`]. It knows no transport.
//! - In the server a tab has two threads ([`tab_thread`]): one for its [`session`], one for its
//!   searches; in a browser one thread does both, in [`slices`]. When the page is gone, both end;
//!   when it does not respond, its search stops.
//! - [`request`] and [`event`] are the messages as types. Every text and list has a maximum.
//! - The session keeps a [`tree`] of turns and a [`cursor`] in it, and the node where the game
//!   stands: elsewhere a person browses, or tries a variation. Edits of the tree can be undone.
//!   Before events that show a change, another event has the game for the page to keep.
//! - [`game_clock`] has the clocks of people; [`value_notes`] keep values of searches in records,
//!   and [`header`] names and dates.
//!   [`view`] is the position as the page draws it, [`point_names`] has its coordinates, [`story`]
//!   narrates turns, [`report`] shows searches, [`reviewer`] judges the turns of a game by the
//!   searches of its positions, and [`owner_changes`] finds the groups that they lost. [`dead`]
//!   counts without dead stones, [`sentence`] writes results, [`sheets`] are layers side by side,
//!   [`start`] begins games, [`offer`] describes the variants. An [`opponent`] is another engine as
//!   a player.
//! - A [`teacher`] holds up costly turns of a person, by the same verdict as a review.
//! - An [`exercise`] is a position with a task: of the [`lessons`] on the rules, one of the
//!   [`problems`], or one of the [`mistakes`] of a game. It leaves the game of the tab alone.
//! - [`analysis`] is another WebSocket, for programs that speak KataGo's protocol.

#![allow(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

#[cfg(feature = "web")]
pub mod access;
#[cfg(feature = "web")]
pub mod analysis;
#[cfg(feature = "web")]
pub mod assets;
pub mod catalog;
pub mod consequences;
pub mod cursor;
pub mod dead;
pub mod event;
pub mod exact;
pub mod exercise;
pub mod forecast;
pub mod game_clock;
pub mod header;
pub mod job;
pub mod job_runner;
pub mod layers;
pub mod lessons;
pub mod mistakes;
#[cfg(feature = "web")]
pub mod opponent;
pub mod owner_changes;
pub mod problems;
pub mod report;
pub mod request;
#[cfg(test)]
mod review_tests;
pub mod reviewer;
pub mod sentence;
#[cfg(feature = "web")]
pub mod server;
pub mod slices;
#[cfg(feature = "web")]
pub mod socket;
pub mod start;
pub mod tab;
pub mod tab_game;
#[cfg(feature = "web")]
pub mod tab_thread;
pub mod teacher;
pub mod tree;
pub mod value_notes;
pub mod view;
#[cfg(feature = "site")]
pub mod worker;

#[cfg(feature = "web")]
pub use job_runner::SearchSettings;
#[cfg(feature = "web")]
pub use server::Server;
#[cfg(feature = "web")]
pub use tab_thread::TabSettings;
