//! The board in the browser: the server, spoken to as its page does. The decisions of a tab are tested
//! beside them, without a server.

mod hostile;
mod http;
mod life;
mod mailbox;
mod records;
pub mod support;
