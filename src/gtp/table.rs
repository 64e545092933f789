//! The table of commands, from which dispatch, `list_commands` and the written
//! reference come.

use super::analysis::Stream;
use super::commands;
use super::request::Args;
use super::{Failure, Reply, Session};

/// One command.
pub struct CommandSpec {
    /// Its name, case-sensitive.
    pub name: &'static str,
    /// Its arguments, as the reference shows them.
    pub args: &'static str,
    /// What it does and when it fails.
    pub summary: &'static str,
    /// Carries it out.
    pub handler: Handler,
}

/// What carries a command out.
#[derive(Clone, Copy)]
pub enum Handler {
    /// Makes the whole reply.
    Immediate(fn(&mut Session, &mut Args<'_>) -> Reply),
    /// Checks everything; the reply is made line by line after that.
    Stream(fn(&mut Session, &mut Args<'_>) -> Result<Stream, Failure>),
}

/// Commands that belong together.
pub struct CommandGroup {
    /// Heading in the reference.
    pub title: &'static str,
    /// The commands.
    pub commands: &'static [CommandSpec],
}

/// All groups, in the order of the reference.
pub static COMMAND_GROUPS: &[CommandGroup] = &[
    commands::protocol::GROUP,
    commands::board::GROUP,
    commands::play::GROUP,
    commands::analysis::GROUP,
    commands::params::GROUP,
    commands::handicap::GROUP,
    commands::time::GROUP,
    commands::score::GROUP,
    commands::variant::GROUP,
    commands::named_rules::GROUP,
    commands::referee::GROUP,
    commands::records::GROUP,
    commands::servers::GROUP,
    commands::gogui::GROUP,
];

/// All commands.
pub fn all() -> impl Iterator<Item = &'static CommandSpec> {
    COMMAND_GROUPS.iter().flat_map(|group| group.commands)
}

/// The command of this name.
pub fn find(name: &str) -> Option<&'static CommandSpec> {
    all().find(|command| command.name == name)
}
