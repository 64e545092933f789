//! SGF: parser, display in viewers, game records.

mod client;
mod common;

#[path = "sgf/commands.rs"]
mod commands;
#[path = "sgf/games.rs"]
mod games;
#[path = "sgf/malformed.rs"]
mod malformed;
#[path = "sgf/plain.rs"]
mod plain;
#[path = "sgf/syntax.rs"]
mod syntax;
#[path = "sgf/viewer.rs"]
mod viewer;
