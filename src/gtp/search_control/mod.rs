//! Search control: how settings and clocks limit a search, and what the engine
//! makes of its result.
//!
//! [`search_runner`] plans and runs a search, which [`time_manager`] ends;
//! [`genmove`] plays the result, [`cleanup`] until the dead stones are captured;
//! [`resign_policy`] decides when to resign.

pub mod cleanup;
pub mod genmove;
pub mod resign_policy;
pub mod search_runner;
pub mod time_manager;
