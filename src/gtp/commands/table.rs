//! The table of commands: the source of dispatch, `list_commands`, `kawari-help`, GoGui's menu, the
//! replay of transcripts and the command reference.

use super::arguments::{self, Arg, ArgType, SyntaxError, Values};
use crate::gtp::analyze::Stream;
use crate::gtp::commands;
use crate::gtp::request::Args;
use crate::gtp::{Failure, Session};
use std::fmt::Write;
use std::sync::LazyLock;

#[derive(Clone, Copy)]
pub struct CommandSpec {
    pub name: &'static str,
    pub args: &'static [Arg],
    /// For the reference: effect and errors.
    pub summary: &'static str,
    /// See [`effect_of`](CommandSpec::effect_of).
    pub effect: Effect,
    pub menu: Option<MenuEntry>,
    /// Whether malformed arguments are a `bad vertex list`.
    takes_vertex_list: bool,
    queries_without_arguments: bool,
    handler: Handler,
}

/// An entry of GoGui's menu of analyze commands.
#[derive(Clone, Copy, Debug)]
pub struct MenuEntry {
    /// Entries are sorted by this number.
    pub place: u8,
    /// GoGui's type of the reply: `dboard` (numbers of points), `gfx`, `hstring` (a text in its
    /// own window), `none`, `param` (a dialog), `plist` (points) or `string` (one line).
    pub kind: &'static str,
    pub label: &'static str,
    /// The arguments; GoGui replaces `%c` by the colour that the user chose.
    pub args: &'static str,
}

/// Takes the arguments as declared.
type HandlerFn<A> = fn(&mut Session, &mut Values<'_>) -> Result<A, Failure>;

#[derive(Clone, Copy)]
enum Handler {
    Immediate(HandlerFn<String>),
    /// Plays the turn that the name of the command and the arguments write.
    Turn,
    /// Checks the arguments; the stream then writes the reply line by line.
    Stream(HandlerFn<Stream>),
}

pub enum CommandOutput {
    Whole(String),
    Stream(Stream),
}

/// The effect of a command on the game, for the replay of transcripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Queries,
    NewGame,
    /// Adds blocked points or stones to the start position.
    SetsUp,
    /// Changes komi or rules of this game and later ones.
    ChangesRules,
    /// The parameter `encoding` changes the meaning of vertices.
    SetsParameter,
    /// Plays one or several turns of the client.
    Plays,
    /// Plays a turn of the engine, which the reply names.
    GeneratesMove,
    Undoes,
    Scores,
    Loads,
    Quits,
}

impl Effect {
    pub fn phrase(self) -> &'static str {
        match self {
            Effect::Queries => "leaves the game as it is",
            Effect::NewGame => "starts a new game",
            Effect::SetsUp => "changes the start position",
            Effect::ChangesRules => "changes komi or rules",
            Effect::SetsParameter => "sets a parameter",
            Effect::Plays => "plays turns",
            Effect::GeneratesMove => "searches and plays",
            Effect::Undoes => "takes turns back",
            Effect::Scores => "returns the result",
            Effect::Loads => "loads a game",
            Effect::Quits => "ends the session",
        }
    }
}

impl CommandSpec {
    /// A command that leaves the game as it is and is not in GoGui's menu.
    pub const fn new(
        name: &'static str,
        args: &'static [Arg],
        summary: &'static str,
        handler: HandlerFn<String>,
    ) -> CommandSpec {
        CommandSpec::with(name, args, summary, Handler::Immediate(handler))
    }

    /// As [`new`](Self::new), with a reply that comes line by line.
    pub const fn stream(
        name: &'static str,
        args: &'static [Arg],
        summary: &'static str,
        handler: HandlerFn<Stream>,
    ) -> CommandSpec {
        CommandSpec::with(name, args, summary, Handler::Stream(handler))
    }

    pub const fn turn(
        name: &'static str,
        args: &'static [Arg],
        summary: &'static str,
    ) -> CommandSpec {
        CommandSpec::with(name, args, summary, Handler::Turn).effect(Effect::Plays)
    }

    pub const fn ignored(name: &'static str, args: &'static [Arg]) -> CommandSpec {
        CommandSpec::new(name, args, "accepted and ignored", |_, _| commands::done())
    }

    const fn with(
        name: &'static str,
        args: &'static [Arg],
        summary: &'static str,
        handler: Handler,
    ) -> CommandSpec {
        CommandSpec {
            name,
            args,
            summary,
            effect: Effect::Queries,
            menu: None,
            takes_vertex_list: false,
            queries_without_arguments: false,
            handler,
        }
    }

    pub const fn effect(mut self, effect: Effect) -> CommandSpec {
        self.effect = effect;
        self
    }

    /// Sets the effect of the command with arguments.
    pub const fn effect_with_arguments(mut self, effect: Effect) -> CommandSpec {
        self.effect = effect;
        self.queries_without_arguments = true;
        self
    }

    pub const fn takes_vertex_list(mut self) -> CommandSpec {
        self.takes_vertex_list = true;
        self
    }

    pub const fn menu(
        mut self,
        place: u8,
        kind: &'static str,
        label: &'static str,
        args: &'static str,
    ) -> CommandSpec {
        self.menu = Some(MenuEntry { place, kind, label, args });
        self
    }

    /// The effect of the command with these arguments.
    pub fn effect_of(&self, args: &str) -> Effect {
        if self.queries_without_arguments && args.is_empty() {
            Effect::Queries
        } else {
            self.effect
        }
    }

    pub fn usage(&self) -> String {
        format!("{} {}", self.name, arguments::usage(self.args)).trim_end().to_owned()
    }

    /// Usage, summary, arguments and effect as text.
    pub fn help(&self) -> String {
        let mut text = format!("{}\n{}", self.usage(), self.summary);
        for arg in self.args {
            arg.describe(&mut text);
        }
        if self.takes_file() {
            text += "\nfiles: refused with the option --no-files";
        }
        let _ = write!(text, "\neffect: {}", self.effect.phrase());
        if self.queries_without_arguments {
            text += "; without arguments, leaves the game as it is";
        }
        text
    }

    /// Whether the command takes a file. Every command that reads or writes one declares it, for
    /// [`Settings::no_files`](crate::gtp::Settings).
    pub fn takes_file(&self) -> bool {
        self.args.iter().any(|arg| matches!(arg.kind, ArgType::File))
    }

    fn check(&self, session: &Session, args: &str) -> Result<(), Failure> {
        // The file may be optional.
        if session.settings.no_files && self.takes_file() && !args.is_empty() {
            return Err("files are not allowed (--no-files)".into());
        }
        match self.effect_of(args) {
            Effect::Plays | Effect::GeneratesMove => session.check_length(),
            _ => Ok(()),
        }
    }

    pub fn call(&self, session: &mut Session, words: Args<'_>) -> Result<CommandOutput, Failure> {
        let text = words.rest();
        let values = self.check(session, text).and_then(|()| {
            arguments::parse_all(self.args, words).map_err(|error| match error {
                SyntaxError::Malformed { .. } if self.takes_vertex_list => {
                    format!("bad vertex list: {error}").into()
                }
                SyntaxError::Malformed { ref found, .. } => {
                    let own_command = commands::play::turn_by_command(session, text, found);
                    Failure::Syntax(own_command.unwrap_or(error))
                }
                error => Failure::Syntax(error),
            })
        });
        let answer = values.and_then(|mut values| match self.handler {
            Handler::Immediate(handler) => handler(session, &mut values).map(CommandOutput::Whole),
            Handler::Turn => commands::play::written_turn(session, self.name, &mut values)
                .map(CommandOutput::Whole),
            Handler::Stream(handler) => handler(session, &mut values).map(CommandOutput::Stream),
        });
        answer.inspect_err(|failure| log::info!("{}: {failure}", self.name))
    }
}

pub struct CommandGroup {
    pub title: &'static str,
    pub commands: &'static [CommandSpec],
}

/// In the order of the command reference.
pub static COMMAND_GROUPS: LazyLock<Vec<CommandGroup>> = LazyLock::new(|| {
    vec![
        commands::protocol::GROUP,
        commands::board::GROUP,
        commands::play::group(),
        commands::analysis::GROUP,
        commands::raw_net::GROUP,
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

static COMMANDS: LazyLock<Vec<&'static CommandSpec>> =
    LazyLock::new(|| COMMAND_GROUPS.iter().flat_map(|group| group.commands).collect());

pub fn all() -> impl Iterator<Item = &'static CommandSpec> {
    COMMANDS.iter().copied()
}

pub fn find(name: &str) -> Option<&'static CommandSpec> {
    all().find(|command| command.name == name)
}
