//! Help, turns without a command, and the board after each turn for a person in a terminal.

use super::commands::protocol;
use super::request::{Command, Request};
use super::table::{self, Effect};
use super::{Failure, Reply, Session, genmove, show};
use crate::rules::is_written_vertex;
use crate::similar::similar;
use std::fmt::Write;

/// Only a terminal session has this command.
pub const HELP: &str = "help";

/// How to play or, with the name of a command, its help.
pub fn help(session: &Session, args: &str) -> Reply {
    match args {
        "" | HELP => Ok(how_to_play(session)),
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
        let _ = write!(text, "  {command:<27} {does}");
        lines.push(text);
    };
    line("D4", "plays a stone; also `pass` and `resign`");
    line(&format!("play {color} D4"), "plays a stone of this colour");
    for (_, kind) in game.info().step_kinds().filter(|(_, kind)| !kind.word.is_empty()) {
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
        ("clear_board", "starts a new game; also `boardsize N`, `komi K`, `kawari-variant ID`"),
        ("help COMMAND", "explains a command; `list_commands` names all"),
        ("quit", "ends"),
    ] {
        line(command, does);
    }
    lines.join("\n")
}

pub fn unknown_command(name: &str) -> Failure {
    let names = table::all().map(|spec| spec.name).chain([HELP]);
    similar(name, names).map_or(Failure::UnknownCommand, |similar| {
        format!("unknown command; did you mean {similar}?").into()
    })
}

/// Adds `play` and the side to move to a turn typed without a command.
pub fn completed(session: &Session, request: Request) -> Request {
    let Request::Command(command) = request else {
        return request;
    };
    if !session.settings.terminal || !is_turn(session, &command) {
        return Request::Command(command);
    }
    let color = session.game().to_move().letter();
    let Command { id, name, rest } = command;
    let rest = format!("{color} {name} {rest}").trim_end().to_owned();
    let name = "play".to_owned();
    Request::Command(Command { id, name, rest })
}

/// Whether a line is a vertex (of any board), `pass` or `resign` without a command.
fn is_turn(session: &Session, command: &Command) -> bool {
    let name = command.name.as_str();
    let is_word = || session.game().parse(name).is_ok();
    table::find(name).is_none() && (is_written_vertex(name) || is_word())
}

pub fn effect_of(session: &Session, request: &Request) -> Option<Effect> {
    match request {
        Request::Command(command) if session.settings.terminal => {
            table::find(&command.name).map(|entry| entry.effect_of(&command.rest))
        }
        _ => None,
    }
}

/// The engine's turn in words, if it is its turn after a command with this effect.
pub fn own_move(session: &mut Session, effect: Effect) -> Option<String> {
    let begins = matches!(effect, Effect::NewGame | Effect::SetsUp | Effect::Plays);
    begins.then(|| first_move(session)).flatten()
}

/// The engine's turn in words, if it plays next.
pub fn first_move(session: &mut Session) -> Option<String> {
    let game = session.game();
    let color = session.settings.engine_color.filter(|_| session.settings.terminal)?;
    if game.is_over() || game.to_move() != color {
        return None;
    }
    let turn = genmove::play_turn(session, color);
    let name = color.name();
    Some(match turn.as_ref().map(|(turn, _)| turn.as_str()) {
        Ok("resign") => format!("{name} resigns"),
        Ok("pass") => format!("{name} passes"),
        Ok(turn) if session.settings.show_board => {
            format!("{name} plays {turn}\n{}", show(session.game()))
        }
        Ok(turn) => format!("{name} plays {turn}"),
        Err(failure) => format!("{name} cannot play: {failure}"),
    })
}

/// After `undo` took back the engine's turn, takes back the person's, too.
pub fn undo_own_move(session: &mut Session, effect: Effect) {
    let is_own = session.settings.engine_color == Some(session.game().to_move());
    if effect == Effect::Undoes && is_own {
        // The engine may have begun the game.
        let _ = session.undo(1);
    }
}

pub fn shows_board_after(session: &Session, effect: Effect) -> bool {
    let changes_board = matches!(
        effect,
        Effect::NewGame
            | Effect::SetsUp
            | Effect::Plays
            | Effect::GeneratesMove
            | Effect::Undoes
            | Effect::Loads
    );
    changes_board && session.settings.show_board
}
