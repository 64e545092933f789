//! The protocol: lines in, requests, replies out.
//!
//! [`inbox`] receives lines from a reader thread, [`request`] parses them,
//! [`args`] reads the arguments of a command, [`reply`] writes the responses.

pub mod args;
pub mod inbox;
pub mod reply;
pub mod request;
