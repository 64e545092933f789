//! The Go Text Protocol: bytes in, replies out.
//!
//! A line becomes a [`Request`] ([`mod@line`]), the table of commands
//! ([`table`]) names the handler, the handler works on the [`Session`] and
//! returns a [`Reply`], and one writer ([`reply`]) puts it on the wire.
//! Handlers never print, and a handler that fails has changed nothing.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod clock;
pub mod commands;
pub mod document;
mod genmove;
pub mod inbox;
pub mod line;
pub mod outlook;
mod pace;
pub mod process;
pub mod reply;
pub mod session;
mod show;
pub mod table;
mod think;
mod vertex_code;

pub use inbox::Inbox;
pub use reply::{Failure, Reply, ReplyWriter};
pub use session::{Seed, Session, Settings};
pub use show::show;

use line::{Request, parse_line};
use std::io::{self, Write};

/// Serves requests until `quit` or the end of input.
///
/// # Errors
/// What the writer meets, a broken pipe for instance.
pub fn serve(session: &mut Session, input: impl Into<Inbox>, output: impl Write) -> io::Result<()> {
    session.inbox = input.into();
    let mut writer = ReplyWriter::new(output);
    while let Some(raw) = session.inbox.next_line() {
        let Some(request) = parse_line(&raw) else {
            continue;
        };
        let reply = answer(session, &request);
        writer.respond(request.id(), &reply)?;
        if session.has_quit() {
            break;
        }
        let awaits_opponent = std::mem::take(&mut session.awaits_opponent);
        if awaits_opponent && session.settings.ponder {
            think::ponder(session);
        }
    }
    Ok(())
}

/// The reply to one request.
pub fn answer(session: &mut Session, request: &Request) -> Reply {
    let Request::Command(command) = request else {
        return Err(Failure::Syntax);
    };
    let Some(entry) = table::find(&command.name) else {
        return Err(Failure::UnknownCommand);
    };
    let mut args = command.args();
    if entry.args.is_empty() {
        args.end()?;
    }
    let reply = (entry.handler)(session, &mut args);
    if let Err(failure) = &reply {
        log::info!("{}: {failure}", command.name);
    }
    reply
}
