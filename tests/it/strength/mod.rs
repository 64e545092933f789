//! Tests of how well the built-in nets play: only these may fail when a net is replaced.

mod cleanup;
mod levels;
