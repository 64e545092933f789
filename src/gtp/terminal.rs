//! What a person sees who types the commands in a terminal: help, and the board after each
//! turn. A program as the client sees none of it.

use super::commands::protocol;
use super::request::Request;
use super::table::{self, Effect};
use super::{Reply, Session};
use std::fmt::Write;

/// The command that only a terminal session has.
pub const HELP: &str = "help";

/// How to play; with the name of a command, its help.
pub fn help(session: &Session, args: &str) -> Reply {
    match args {
        "" => Ok(how_to_play(session)),
        name => protocol::help(Some(name)),
    }
}

fn how_to_play(session: &Session) -> String {
    let game = session.game();
    let (letter, id) = (game.to_move().letter(), game.info().id);
    let color = letter.to_ascii_lowercase();
    let mut lines = vec![format!("{id}: {}", game.info().summary)];
    let mut line = |command: &str, does: &str| {
        let mut text = String::new();
        let _ = write!(text, "  {command:<24} {does}");
        lines.push(text);
    };
    line(
        &format!("play {color} D4"),
        "plays a stone; also `pass` and `resign`",
    );
    for (_, kind) in game
        .info()
        .step_kinds()
        .filter(|(_, kind)| !kind.word.is_empty())
    {
        let layer = if kind.on_layer { "1 " } else { "" };
        line(&format!("{} {color} {layer}D4", kind.word), kind.help);
    }
    for (command, does) in [
        ("genmove COLOR", "the engine plays; COLOR is b or w"),
        ("undo", "takes the last turn back"),
        ("showboard", "shows the board (X Black, O White)"),
        ("kawari-legal", "lists the legal turns"),
        ("kawari-explain COLOR TURN", "says why a turn is illegal"),
        ("final_score", "counts the board as it stands"),
        (
            "clear_board",
            "starts a new game; also `boardsize N`, `komi K`, `kawari-variant ID`",
        ),
        (
            "help COMMAND",
            "explains a command; `list_commands` names all",
        ),
        ("quit", "ends"),
    ] {
        line(command, does);
    }
    lines.join("\n")
}

/// Whether a person is shown the board after this request, which has succeeded.
pub fn shows_board_after(session: &Session, request: &Request) -> bool {
    let Request::Command(command) = request else {
        return false;
    };
    let effect = table::find(&command.name).map(|entry| entry.effect_of(&command.rest));
    let changes_board = match effect {
        Some(
            Effect::NewGame
            | Effect::SetsUp
            | Effect::Plays
            | Effect::GeneratesMove
            | Effect::Undoes
            | Effect::Loads,
        ) => true,
        Some(
            Effect::Queries
            | Effect::ChangesRules
            | Effect::SetsParameter
            | Effect::Stores
            | Effect::Scores
            | Effect::AcceptsPasses
            | Effect::Quits,
        )
        | None => false,
    };
    changes_board && session.settings.terminal && session.settings.show_board
}
