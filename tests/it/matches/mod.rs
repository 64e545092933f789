//! `kawari match` with kawari as engines, and with shell scripts that misbehave.

mod failures;
mod games;
mod results;
mod support;
