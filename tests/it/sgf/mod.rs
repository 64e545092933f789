//! SGF: parser, display in viewers, game records.

mod clients;
mod commands;
mod games;
mod kept;
mod malformed;
mod mutations;
mod plain;
mod reports;
mod syntax;
mod trees;
mod viewer;
mod world;
