//! `kawari check`: all formats, all rules, results, and malformed input.

mod input;
mod results;
mod sessions;
pub mod support;
mod transcripts;
mod turns;
