//! Commands about the protocol.

use super::done;
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{self, CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Reply, Session};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Protocol",
    commands: &[
        CommandSpec {
            name: "protocol_version",
            args: "",
            summary: "answers `2`",
            handler: Immediate(|_, _| Ok("2".to_owned())),
        },
        CommandSpec {
            name: "name",
            args: "",
            summary: "answers `kawari`",
            handler: Immediate(|_, _| Ok("kawari".to_owned())),
        },
        CommandSpec {
            name: "version",
            args: "",
            summary: "answers the version of the engine",
            handler: Immediate(|_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
        },
        CommandSpec {
            name: "known_command",
            args: "NAME",
            summary: "answers `true` or `false`",
            handler: Immediate(known_command),
        },
        CommandSpec {
            name: "list_commands",
            args: "",
            summary: "answers the names of all commands, one per line",
            handler: Immediate(list_commands),
        },
        CommandSpec {
            name: "quit",
            args: "",
            summary: "ends the session after the reply",
            handler: Immediate(quit),
        },
    ],
};

fn known_command(_: &mut Session, args: &mut Args<'_>) -> Reply {
    let name = args.word()?;
    args.end()?;
    Ok(table::find(name).is_some().to_string())
}

fn list_commands(_: &mut Session, _: &mut Args<'_>) -> Reply {
    let names: Vec<_> = table::all().map(|command| command.name).collect();
    Ok(names.join("\n"))
}

fn quit(session: &mut Session, _: &mut Args<'_>) -> Reply {
    session.quit();
    done()
}
