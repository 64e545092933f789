//! `kawari check`: all formats, all rules, results, and malformed input.

mod input;
mod remarks;
mod results;
mod sessions;
pub mod support;
mod transcripts;
mod turns;
