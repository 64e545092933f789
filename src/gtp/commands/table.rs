//! The table of commands, the source of dispatch, `list_commands` and the
//! command reference.

use crate::gtp::analysis::Stream;
use crate::gtp::commands;
use crate::gtp::protocol::args::Args;
use crate::gtp::{Failure, Reply, Session};
use std::sync::LazyLock;

/// A command.
#[derive(Clone, Copy)]
pub struct CommandSpec {
    /// Its name; letter case matters.
    pub name: &'static str,
    /// Its arguments, as the command reference shows them.
    pub args: &'static str,
    /// What it does and when it fails.
    pub summary: &'static str,
    /// The function that carries it out.
    pub handler: Handler,
}

/// The function that carries a command out.
#[derive(Clone, Copy)]
pub enum Handler {
    /// Answers with the whole reply.
    Immediate(fn(&mut Session, &mut Args<'_>) -> Reply),
    /// Plays a turn that is written with this word and the arguments.
    Turn(&'static str),
    /// Checks the arguments; the stream then writes the reply line by line.
    Stream(fn(&mut Session, &mut Args<'_>) -> Result<Stream, Failure>),
}

/// A group of related commands.
pub struct CommandGroup {
    /// Heading in the command reference.
    pub title: &'static str,
    /// The commands of the group.
    pub commands: &'static [CommandSpec],
}

/// All groups, in the order of the command reference.
pub static COMMAND_GROUPS: LazyLock<Vec<CommandGroup>> = LazyLock::new(|| {
    vec![
        commands::protocol::GROUP,
        commands::board::GROUP,
        commands::play::group(),
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
    ]
});

/// All commands, group by group.
pub fn all() -> impl Iterator<Item = &'static CommandSpec> {
    COMMAND_GROUPS.iter().flat_map(|group| group.commands)
}

/// Looks a command up by name.
pub fn find(name: &str) -> Option<&'static CommandSpec> {
    all().find(|command| command.name == name)
}
