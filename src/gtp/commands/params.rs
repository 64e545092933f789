//! Commands that read and set parameters.

use super::{NAME, VALUE, done};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{joined, params};

pub const GROUP: CommandGroup = CommandGroup {
    title: "Parameters",
    commands: &[
        CommandSpec::new(
            "kata-list-params",
            &[],
            "answers the names of all parameters (below)",
            |_, _| Ok(joined(params::names(), " ")),
        ),
        CommandSpec::new(
            "kata-get-param",
            &[NAME],
            "answers the value of a parameter; fails with `unknown parameter`",
            |session, args| Ok(params::plain(&params::get(&session.settings, args.take()?)?)),
        ),
        CommandSpec::new(
            "kata-get-params",
            &[],
            "answers all parameters as one line of JSON",
            |session, _| Ok(params::object(&session.settings).to_string()),
        ),
        CommandSpec::new(
            "kata-set-param",
            &[NAME, VALUE],
            "sets a parameter until the engine exits; fails with `unknown parameter` or `bad \
                value`",
            |session, args| {
                params::set(&mut session.settings, args.take()?, args.take()?)?;
                session.set_encoding(session.settings.encoding);
                done()
            },
        )
        .effect(Effect::SetsParameter),
    ],
};
