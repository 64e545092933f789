//! SGF: parser, display in viewers, game records.

mod clients;
mod commands;
mod games;
mod malformed;
mod plain;
mod syntax;
mod viewer;
