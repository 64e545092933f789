//! `kawari match` with kawari as engines, and with shell scripts that misbehave.
#![cfg(unix)]

mod matches {
    mod failures;
    mod games;
    mod results;
    mod support;
}
