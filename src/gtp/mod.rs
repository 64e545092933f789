//! The Go Text Protocol (GTP).
//!
//! A line is parsed to a [`Request`] ([`mod@request`]); the command table
//! ([`table`]) names its handler, which works on the [`Session`] and returns a
//! [`Reply`]; [`ReplyWriter`] writes it. Handlers never print, and a handler that
//! fails has changed nothing. For a streamed reply ([`analysis`]) the handler
//! checks its arguments and returns a [`Stream`], which writes the lines.
//!
//! Lines come through an [`Inbox`], so that a search sees new input: any line ends
//! an analysis or pondering, while the search for a move runs to its end unless
//! the client is gone.

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
pub mod clock;
pub mod commands;
pub mod document;
pub mod encoding;
mod genmove;
pub mod gogui;
pub mod inbox;
pub mod narration;
pub mod params;
pub mod process;
pub mod reply;
pub mod request;
pub mod resign_policy;
mod search_runner;
pub mod session;
mod show;
pub mod snapshot;
pub mod table;
mod time_manager;

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
/// The error of the writer, a broken pipe for instance.
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
        session.notify_when_idle();
        let may_ponder = std::mem::take(&mut session.may_ponder);
        if may_ponder && session.settings.ponder {
            search_runner::ponder(session);
        }
    }
    session.notify();
    Ok(())
}

/// The reply to one request; of a streamed reply all lines.
pub fn answer(session: &mut Session, request: &Request) -> Reply {
    match prepare(session, request) {
        Answer::Immediate(reply) => reply,
        Answer::Stream(stream) => {
            let mut lines = Vec::new();
            let mut collect = |line: &str| {
                lines.push(line.to_owned());
                Ok(())
            };
            // Collecting lines cannot fail.
            let _ = stream.run(session, &mut collect);
            Ok(lines.join("\n"))
        }
    }
}

/// A reply, or the stream that will write it.
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
