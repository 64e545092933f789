//! Commands that read and set parameters.

use super::done;
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Reply, Session, params};

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Parameters",
    commands: &[
        CommandSpec {
            name: "kata-list-params",
            args: "",
            summary: "the names of all parameters, which are below",
            handler: Immediate(|_, _| Ok(params::names().collect::<Vec<_>>().join(" "))),
        },
        CommandSpec {
            name: "kata-get-param",
            args: "NAME",
            summary: "the value of a parameter; `unknown parameter` otherwise",
            handler: Immediate(get),
        },
        CommandSpec {
            name: "kata-get-params",
            args: "",
            summary: "all parameters: one line of JSON",
            handler: Immediate(|session, _| Ok(params::all(&session.settings).to_string())),
        },
        CommandSpec {
            name: "kata-set-param",
            args: "NAME VALUE",
            summary: "sets a parameter until the engine ends; `unknown parameter` or `bad value` \
                otherwise",
            handler: Immediate(set),
        },
    ],
};

fn get(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let name = args.word()?;
    args.end()?;
    Ok(params::plain(&params::get(&session.settings, name)?))
}

fn set(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let (name, value) = (args.word()?, args.word()?);
    args.end()?;
    params::set(&mut session.settings, name, value)?;
    session.set_encoding(session.settings.encoding);
    done()
}
