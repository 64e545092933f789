//! The Go Text Protocol (GTP).
//!
//! [`serve`] reads lines from an [`Inbox`], parses each to a [`Request`], finds its
//! handler in the command [`table`], and writes the [`Reply`] with a [`ReplyWriter`].
//! A handler changes the [`Session`]; it never prints, and a handler that fails
//! changes nothing. For a streamed reply it returns a `Stream`, which writes the lines.
//!
//! Any line ends an analysis or pondering. The search for a move runs to its end
//! unless the client is gone.

#![allow(missing_docs)]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod analyze;
pub mod commands;
pub mod gogui;
pub mod process;
pub mod protocol;
mod search_control;
pub mod session;
mod terminal;

pub use crate::inbox::Inbox;
pub use crate::playing::{Seed, Settings, params};
pub use commands::{arguments, document, table};
pub use protocol::reply::{Failure, Reply, ReplyWriter, joined};
pub use protocol::request;
pub use protocol::session_log::SessionLog;
use search_control::{cleanup, genmove, search_runner};
pub use session::{Session, show};

use crate::inbox::MAX_LINE;
use crate::rules::vertices;
use arguments::SyntaxError;
use request::{Request, parse_line};
use std::io::{self, Write};
use table::{CommandOutput, Effect};

/// Serves requests until `quit`, the end of input, or an error of the writer, such as a broken
/// pipe.
pub fn serve(session: &mut Session, input: impl Into<Inbox>, output: impl Write) -> io::Result<()> {
    session.inbox = input.into();
    let mut writer = ReplyWriter::new(output, session.log.take());
    log_setup(session, &mut writer);
    if let Some(text) = terminal::first_move(session) {
        writer.write_notice(&text)?;
    }
    while let Some(raw) = session.inbox.next_line() {
        writer.log_request(&raw);
        let Some(request) = parse_line(&raw) else {
            continue;
        };
        carry_out(session, request, &mut writer)?;
        if session.has_quit {
            break;
        }
        let may_ponder = std::mem::take(&mut session.may_ponder);
        if may_ponder && session.settings.ponder {
            search_runner::ponder(session);
        }
    }
    Ok(())
}

/// Carries a request out and writes the reply.
fn carry_out(
    session: &mut Session,
    request: Request,
    writer: &mut ReplyWriter<impl Write>,
) -> io::Result<()> {
    let request = terminal::completed(session, request);
    let effect = terminal::effect_of(session, &request);
    match prepare(session, &request) {
        Ok(CommandOutput::Whole(text)) => writer.respond(request.id(), &Ok(text))?,
        Ok(CommandOutput::Stream(stream)) => {
            writer.begin(request.id())?;
            stream.run(session, &mut |line| writer.line(line))?;
            writer.finish()?;
        }
        Err(failure) => return writer.respond(request.id(), &Err(for_client(session, failure))),
    }
    effect.map_or(Ok(()), |effect| go_on_with_person(session, effect, writer))
}

/// Shows the board to a person, and answers the turn.
fn go_on_with_person(
    session: &mut Session,
    effect: Effect,
    writer: &mut ReplyWriter<impl Write>,
) -> io::Result<()> {
    terminal::undo_own_move(session, effect);
    if terminal::shows_board_after(session, effect) {
        writer.write_notice(&show(session.game()))?;
    }
    match terminal::own_move(session, effect) {
        Some(text) => writer.write_notice(&text),
        None => Ok(()),
    }
}

/// Begins the log with the commands that set up the game, so that a replay needs no options.
fn log_setup(session: &Session, writer: &mut ReplyWriter<impl Write>) {
    let (setup, info) = (session.setup(), session.game().info());
    let mut commands = vec![format!("kawari-variant {}", info.id)];
    let usual = &info.rules;
    let changed = info.keys.iter().filter(|&&key| setup.rules.get(key) != usual.get(key));
    commands.extend(changed.map(|&key| {
        let (key, value) = (key.name(), setup.rules.get(key));
        format!("kawari-set-rule {key} {value}")
    }));
    let encoding = session.settings.encoding.name();
    let codec = session.codec();
    let (width, height) = (codec.display().width(), codec.display().height());
    commands.push(format!("kata-set-param encoding {encoding}"));
    commands.push(format!("rectangular_boardsize {width} {height}"));
    commands.push(format!("komi {}", setup.rules.komi));
    if !setup.blocked_points.is_empty() {
        let points = vertices(session.game().grid(), &setup.blocked_points);
        commands.push(format!("kawari-block {}", points.join(" ")));
    }
    for command in commands {
        writer.log_request(command.as_bytes());
        writer.log_reply("= \n\n");
    }
}

/// An illegal move with the reason, unless the client wants the bare text.
fn for_client(session: &Session, failure: Failure) -> Failure {
    if session.client.compares_errors { failure.without_reason() } else { failure }
}

/// The reply to one request; of a streamed reply all lines.
pub fn answer(session: &mut Session, request: &Request) -> Reply {
    match prepare(session, request)? {
        CommandOutput::Whole(text) => Ok(text),
        CommandOutput::Stream(stream) => {
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

fn prepare(session: &mut Session, request: &Request) -> Result<CommandOutput, Failure> {
    let command = match request {
        Request::Command(command) => command,
        Request::IdOnly(_) => {
            return Err(SyntaxError::Other("expected a command after the id".to_owned()).into());
        }
        Request::TooLong(_) => {
            let text = format!("the line has more than {MAX_LINE} bytes");
            return Err(SyntaxError::Other(text).into());
        }
    };
    session.client.compares_errors |= is_of_gomill(command);
    if session.settings.terminal && command.name == terminal::HELP {
        return terminal::help(session, &command.rest).map(CommandOutput::Whole);
    }
    match table::find(&command.name) {
        Some(entry) => entry.call(session, command.args()),
        None if session.settings.terminal => Err(terminal::unknown_command(&command.name)),
        None => Err(Failure::UnknownCommand),
    }
}

/// Whether a command, or the question whether it exists, comes from Gomill, to which only
/// the exact text `illegal move` means that the opponent made one.
fn is_of_gomill(command: &request::Command) -> bool {
    const PREFIX: &str = "gomill-";
    let is_query = command.name == "known_command" && command.rest.starts_with(PREFIX);
    is_query || command.name.starts_with(PREFIX)
}
