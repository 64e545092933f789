//! What is said beside the protocol, on standard error.

use std::io::{self, Write};

/// Says lines to whoever reads standard error; that nobody does is no failure.
pub fn say(lines: &str) {
    let mut out = io::stderr().lock();
    let _ = out.write_all(lines.as_bytes()).and_then(|()| out.flush());
}
