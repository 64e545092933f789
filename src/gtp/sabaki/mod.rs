//! For Sabaki and other clients that keep a board of plain Go and send a list of moves.
//!
//! [`client_sync`] follows the client's list and board. [`notifications`] report what that board
//! does not show: [`narration`] in sentences on standard error, [`snapshot`] as a file.

mod client_sync;
mod narration;
mod notifications;
mod snapshot;

pub use client_sync::{Addition, ClientSync};
pub use notifications::Notifications;
