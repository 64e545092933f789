//! Choosing turns.

mod playout;

pub use playout::playout;
