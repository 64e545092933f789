//! Parameters of the engine.

use super::done;
use crate::gtp::line::Args;
use crate::gtp::table::{Command, Group, Handler::Whole};
use crate::gtp::{Failure, Reply, Session, params};

/// The group.
pub const GROUP: Group = Group {
    title: "Parameters",
    commands: &[
        Command {
            name: "kata-list-params",
            args: "",
            summary: "the names of all parameters, which are below",
            handler: Whole(|_, _| Ok(params::names().collect::<Vec<_>>().join(" "))),
        },
        Command {
            name: "kata-get-param",
            args: "NAME",
            summary: "the value of a parameter; `unknown parameter` otherwise",
            handler: Whole(get),
        },
        Command {
            name: "kata-get-params",
            args: "",
            summary: "all parameters: one line of JSON",
            handler: Whole(|session, _| Ok(params::all(&session.settings).to_string())),
        },
        Command {
            name: "kata-set-param",
            args: "NAME VALUE",
            summary: "sets a parameter until the engine ends; `unknown parameter` or `bad value` \
                otherwise",
            handler: Whole(set),
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
    done()
}

impl From<params::ParamError> for Failure {
    fn from(error: params::ParamError) -> Failure {
        match error {
            params::ParamError::Unknown => Failure::UnknownParameter,
            params::ParamError::BadValue => Failure::BadValue,
        }
    }
}
