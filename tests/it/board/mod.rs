//! The board in the browser: the server, spoken to as its page does.

mod edits;
mod engine;
mod games;
mod hostile;
mod http;
mod kept;
mod levels;
mod life;
mod mailbox;
mod play;
mod records;
mod study;
pub mod support;
mod walks;
