//! The board in the browser: the server, spoken to as its page does.

mod engine;
mod games;
mod hostile;
mod http;
mod levels;
mod life;
mod records;
mod study;
mod support;
