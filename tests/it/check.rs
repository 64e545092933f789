//! `kawari check`: all formats, all rules, results, and malformed input.

#[path = "check/input.rs"]
mod input;
#[path = "check/results.rs"]
mod results;
#[path = "check/support.rs"]
mod support;
#[path = "check/transcripts.rs"]
mod transcripts;
#[path = "check/turns.rs"]
mod turns;
