//! Searches of a session, limited by settings and clocks, and the moves they choose.

pub mod cleanup;
pub mod genmove;
pub mod search_runner;
