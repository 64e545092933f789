//! The Go Text Protocol: bytes in, replies out.
//!
//! A line becomes a [`Request`] ([`mod@request`]), the table of commands
//! ([`table`]) names the handler, the handler works on the [`Session`] and
//! returns a [`Reply`], and one writer ([`reply`]) puts it on the wire.
//! Handlers never print, and a handler that fails has changed nothing. Of a
//! reply that grows while the engine thinks ([`analysis`]) the handler returns
//! what will make it, once everything has been checked.
//!
//! Lines come through an [`Inbox`], so that a session that thinks sees what
//! arrives: any line ends an analysis or thinking on the opponent's time, while
//! a move is thought out to its end unless the client is gone.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod analysis;
mod aside;
pub mod clock;
pub mod commands;
pub mod document;
pub mod encoding;
mod genmove;
pub mod gogui;
pub mod inbox;
pub mod narrate;
pub mod outlook;
mod pace;
pub mod params;
pub mod process;
pub mod reply;
pub mod request;
pub mod session;
mod show;
pub mod snapshot;
pub mod table;
mod think;

pub use inbox::Inbox;
pub use reply::{Failure, Reply, ReplyWriter};
pub use session::{Seed, Session, Settings};
pub use show::show;

use analysis::Stream;
use request::{Request, parse_line};
use std::io::{self, Write};
use table::Handler;

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
        match prepare(session, &request) {
            Answer::Immediate(reply) => writer.respond(request.id(), &reply)?,
            Answer::Stream(stream) => {
                writer.begin(request.id())?;
                stream.run(session, &mut |line| writer.line(line))?;
                writer.finish()?;
            }
        }
        if session.has_quit() {
            break;
        }
        session.tell_when_quiet();
        let awaits_opponent = std::mem::take(&mut session.awaits_opponent);
        if awaits_opponent && session.settings.ponder {
            think::ponder(session);
        }
    }
    session.tell();
    Ok(())
}

/// The reply to one request; all lines of one that grows.
pub fn answer(session: &mut Session, request: &Request) -> Reply {
    match prepare(session, request) {
        Answer::Immediate(reply) => reply,
        Answer::Stream(stream) => {
            let mut lines = Vec::new();
            let mut note = |line: &str| {
                lines.push(line.to_owned());
                Ok(())
            };
            // A vector takes every line.
            let _ = stream.run(session, &mut note);
            Ok(lines.join("\n"))
        }
    }
}

/// A reply, or what will make it.
enum Answer {
    Immediate(Reply),
    Stream(Stream),
}

fn prepare(session: &mut Session, request: &Request) -> Answer {
    let Request::Command(command) = request else {
        return Answer::Immediate(Err(Failure::Syntax));
    };
    let Some(entry) = table::find(&command.name) else {
        return Answer::Immediate(Err(Failure::UnknownCommand));
    };
    let mut args = command.args();
    let surplus = entry
        .args
        .is_empty()
        .then(|| args.end())
        .and_then(Result::err);
    let answer = match (surplus, entry.handler) {
        (Some(surplus), _) => Err(surplus.into()),
        (None, Handler::Immediate(handler)) => {
            handler(session, &mut args).map(|text| Answer::Immediate(Ok(text)))
        }
        (None, Handler::Stream(handler)) => handler(session, &mut args).map(Answer::Stream),
    };
    answer.unwrap_or_else(|failure| {
        log::info!("{}: {failure}", command.name);
        Answer::Immediate(Err(failure))
    })
}
