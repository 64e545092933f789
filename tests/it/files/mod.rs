//! Files that exist are kept, signals end commands without a loss, and work that is only
//! announced costs nothing.

mod commands;
#[cfg(unix)]
mod signals;
mod support;
#[cfg(unix)]
mod writing;
