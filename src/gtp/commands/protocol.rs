//! The protocol itself.

use super::done;
use crate::gtp::line::Args;
use crate::gtp::table::{self, Command, Group, Handler::Whole};
use crate::gtp::{Reply, Session};

/// The group.
pub const GROUP: Group = Group {
    title: "Protocol",
    commands: &[
        Command {
            name: "protocol_version",
            args: "",
            summary: "`2`",
            handler: Whole(|_, _| Ok("2".to_owned())),
        },
        Command {
            name: "name",
            args: "",
            summary: "`kawari`",
            handler: Whole(|_, _| Ok("kawari".to_owned())),
        },
        Command {
            name: "version",
            args: "",
            summary: "the version of the engine",
            handler: Whole(|_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
        },
        Command {
            name: "known_command",
            args: "NAME",
            summary: "`true` or `false`",
            handler: Whole(known_command),
        },
        Command {
            name: "list_commands",
            args: "",
            summary: "all commands, one a line",
            handler: Whole(list_commands),
        },
        Command {
            name: "quit",
            args: "",
            summary: "ends the session after the reply",
            handler: Whole(quit),
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
