//! Search control: settings and clocks limit a search, and the engine plays its result.
//!
//! [`search_runner`] makes a [`Plan`](crate::playing::Plan) and runs its search;
//! [`genmove`] plays the result, [`cleanup`] until the dead stones are captured.

pub mod cleanup;
pub mod genmove;
pub mod search_runner;
