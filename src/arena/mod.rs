//! Matches between engines, and what they tell.

pub mod stats;
