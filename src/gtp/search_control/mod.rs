//! Search control: how settings and clocks limit a search, and what the engine
//! makes of its result.
//!
//! [`search_runner`] makes a [`Plan`](crate::playing::Plan) and runs its search;
//! [`genmove`] plays the result, [`cleanup`] until the dead stones are captured.

pub mod cleanup;
pub mod genmove;
pub mod search_runner;
