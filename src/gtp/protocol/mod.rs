//! The protocol: lines in, requests, replies out.
//!
//! [`inbox`] receives lines from a reader thread, [`request`] parses them,
//! [`args`] reads the arguments of a command, [`reply`] writes the responses,
//! and [`session_log`] writes both down.

pub mod args;
pub mod inbox;
pub mod reply;
pub mod request;
pub mod session_log;
