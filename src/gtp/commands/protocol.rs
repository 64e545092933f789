//! Commands about the protocol.

use super::{NAME, done};
use crate::gtp::arguments::{ArgType, SyntaxError, arg, excerpt};
use crate::gtp::table::{self, CommandGroup, CommandSpec, Effect};
use crate::gtp::{Reply, joined};

pub const GROUP: CommandGroup = CommandGroup {
    title: "Protocol",
    commands: &[
        CommandSpec::new("protocol_version", &[], "returns `2`", |_, _| Ok("2".to_owned())),
        CommandSpec::new("name", &[], "returns `kawari`", |_, _| Ok("kawari".to_owned())),
        CommandSpec::new("version", &[], "returns the version of the engine", |_, _| {
            Ok(env!("CARGO_PKG_VERSION").to_owned())
        }),
        CommandSpec::new("known_command", &[NAME], "returns `true` or `false`", |_, args| {
            Ok(table::find(args.take()?).is_some().to_string())
        }),
        CommandSpec::new(
            "list_commands",
            &[],
            "returns the names of all commands, one per line",
            |_, _| Ok(joined(table::all().map(|command| command.name), "\n")),
        ),
        CommandSpec::new(
            "kawari-help",
            &[arg("command", ArgType::Word("the name of a command")).optional()],
            "returns the usage of all commands, one per line; with COMMAND, its usage, its \
                summary, the types of its arguments and its effect on the game",
            |_, args| help(args.take()?),
        ),
        CommandSpec::new("quit", &[], "ends the session after the reply", |session, _| {
            session.has_quit = true;
            done()
        })
        .effect(Effect::Quits),
    ],
};

pub(crate) fn help(name: Option<&str>) -> Reply {
    let Some(name) = name else {
        return Ok(joined(table::all().map(|command| command.usage()), "\n"));
    };
    let command = table::find(name)
        .ok_or_else(|| SyntaxError::Other(format!("command: unknown: \"{}\"", excerpt(name))))?;
    Ok(command.help())
}
