//! The protocol: lines in, requests, replies out.

pub mod reply;
pub mod request;
pub mod session_log;
