//! `kawari check`: all formats, all rules, results, and malformed input.

mod input;
mod remarks;
mod results;
mod sessions;
mod strict;
pub mod support;
mod transcripts;
mod turns;
