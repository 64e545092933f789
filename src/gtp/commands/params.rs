//! Commands that read and set parameters.

use super::{NAME, VALUE, done};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Reply, Session, params};

pub const GROUP: CommandGroup = CommandGroup {
    title: "Parameters",
    commands: &[
        CommandSpec::new(
            "kata-list-params",
            &[],
            "the names of all parameters, which are below",
            |_, _| Ok(params::names().collect::<Vec<_>>().join(" ")),
        ),
        CommandSpec::new(
            "kata-get-param",
            &[NAME],
            "the value of a parameter; `unknown parameter` otherwise",
            |session, args| get(session, args.take()?),
        ),
        CommandSpec::new(
            "kata-get-params",
            &[],
            "all parameters: one line of JSON",
            |session, _| Ok(params::object(&session.settings).to_string()),
        ),
        CommandSpec::new(
            "kata-set-param",
            &[NAME, VALUE],
            "sets a parameter until the engine ends; `unknown parameter` or `bad value` \
                otherwise",
            |session, args| set(session, args.take()?, args.take()?),
        )
        .effect(Effect::SetsParameter),
    ],
};

fn get(session: &mut Session, name: &str) -> Reply {
    Ok(params::plain(&params::get(&session.settings, name)?))
}

fn set(session: &mut Session, name: &str, value: &str) -> Reply {
    params::set(&mut session.settings, name, value)?;
    session.set_encoding(session.settings.encoding);
    done()
}
