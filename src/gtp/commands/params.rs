//! Commands that read and set parameters.

use super::{NAME, VALUE, done};
use crate::gtp::params::ParamError;
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Failure, joined, params};

pub const GROUP: CommandGroup = CommandGroup {
    title: "Parameters",
    commands: &[
        CommandSpec::new(
            "kata-list-params",
            &[],
            "returns the names of all parameters (below)",
            |_, _| Ok(joined(params::names(), " ")),
        ),
        CommandSpec::new(
            "kata-get-param",
            &[NAME],
            "returns the value of a parameter; fails with `unknown parameter`",
            |session, args| {
                let name = args.take()?;
                let value = params::get(&session.settings, name).map_err(named(name))?;
                Ok(params::plain(&value))
            },
        ),
        CommandSpec::new(
            "kata-get-params",
            &[],
            "returns all parameters as one line of JSON",
            |session, _| Ok(params::object(&session.settings).to_string()),
        ),
        CommandSpec::new(
            "kata-set-param",
            &[NAME, VALUE],
            "sets a parameter until the engine exits; fails with `unknown parameter` or `bad \
                value`",
            |session, args| {
                let name = args.take()?;
                params::set(&mut session.settings, name, args.take()?).map_err(named(name))?;
                session.set_encoding(session.settings.encoding);
                done()
            },
        )
        .effect(Effect::SetsParameter),
    ],
};

/// The failure of a command with a parameter of this name.
fn named(name: &str) -> impl Fn(ParamError) -> Failure {
    move |error| match error {
        ParamError::Unknown => {
            format!("{}; kata-list-params lists them", params::unknown(name)).into()
        }
        error => error.into(),
    }
}
