//! The browser board: a tab without its transport, and the page.
//!
//! The page draws what the server sends and knows no rule. A tab of the browser has one
//! WebSocket and one game. It sends requests, each with a number that the reply repeats, and
//! gets events:
//!
//! ```text
//! {"id":1,"do":{"new":{"variant":"no"}}}     →  {"id":1,"ok":{}}
//! {"id":2,"do":{"play":{"turn":"nuke D4"}}}  →  {"id":2,"error":"nuke: there is no stone of yours on this point"}
//!                                               {"event":"state","node":0,…}
//! ```
//!
//! - [`assets`] are the files of the page.
//! - [`request`] and [`event`] are the messages as types. The server bounds the
//!   length of a message.
//! - A [`tab`] knows no transport: it takes requests and findings of searches, and gives
//!   messages and the next [`job`] for the [`job_runner`]. In the server it has two threads,
//!   for its [`tab_game`] and its searches; in a browser one
//!   thread does both, in [`slices`].
//! - The game has an open record, a tree of turns with a cursor, and a head, the node of
//!   its latest turn; elsewhere a person browses, or tries a variation. [`open_game`] begins and opens
//!   games.
//! - [`view`] is the position as the page draws it, [`consequences`] the effects of turns,
//!   [`forecast`] the coming positions, [`layers`] the coordinates, [`catalog`] the variants.
//! - A [`page_report`] shows a search. A [`reviewer`] judges turns by the searches of a game's positions,
//!   and [`owner_changes`] finds the groups that they lost; a [`teacher`] puts costly turns on hold.
//! - In a game [`by_link`] two people send each other the whole game; a server that other machines
//!   reach, at a [`place`], passes the links on.
//! - An [`exercise`] is a position with a task: one of the [`lessons`] on the rules, the
//!   [`problems`] or the [`mistakes`] of a game. It leaves the game of the tab alone.

#![allow(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod assets;
pub mod by_link;
pub mod catalog;
pub mod consequences;
pub mod dead;
pub mod error_text;
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
pub mod node_view;
pub mod open_game;
pub mod owner_changes;
pub mod page_report;
pub mod place;
pub mod problems;
pub mod request;
pub mod reviewer;
pub mod sentence;
pub mod slices;
pub mod tab;
pub mod tab_game;
pub mod teacher;
#[cfg(test)]
mod tests;
pub mod value_notes;
pub mod view;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod web_worker;

pub use job_runner::SearchSettings;
