//! Search control: how settings and clocks limit a search, and what the engine
//! makes of its result.
//!
//! [`search_runner`] plans and runs a search, which [`search_clock`] ends as
//! [`time_manager`] decides;
//! [`proof`] proves turns on boards that need no search;
//! [`genmove`] plays the result, [`cleanup`] until the dead stones are captured;
//! [`resign_policy`] decides when to resign.

pub mod cleanup;
pub mod genmove;
pub mod proof;
pub mod resign_policy;
pub mod search_clock;
pub mod search_runner;
pub mod time_manager;
