//! Commands that play, search and take back.

use super::gogui::play_move;
use super::records::optional_file;
use super::{color, done};
use crate::gtp::genmove;
use crate::gtp::gogui::search_graphics::GraphicsObserver;
use crate::gtp::protocol::args::Args;
use crate::gtp::search_runner::StopCondition;
use crate::gtp::session::illegal;
use crate::gtp::table::{
    CommandGroup, CommandSpec,
    Handler::{self, Immediate},
};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Illegal, TurnError, is_well_formed, parse_color, worded_kinds};

/// The group: `play`, the commands that variants declare for their turns, and the rest.
pub fn group() -> CommandGroup {
    let mut commands = COMMANDS.to_vec();
    let turns = worded_kinds()
        .into_iter()
        .map(|(kind, variants)| CommandSpec {
            name: kind.word,
            args: kind.command_args(),
            summary: format!("{} (`{}`)", kind.help, variants.join("`, `")).leak(),
            handler: Handler::Turn(kind.word),
        });
    commands.splice(1..1, turns);
    CommandGroup {
        title: "Play",
        commands: commands.leak(),
    }
}

const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "play",
        args: "C V",
        summary: "plays a vertex, `pass` or `resign`; either colour may play at any time. \
                `illegal move` if a rule forbids it",
        handler: Immediate(play),
    },
    CommandSpec {
        name: "genmove",
        args: "C",
        summary: "searches, plays, and answers one vertex, `pass` or `resign`; `pass` if the game is \
                finished or the other side is in the middle of its turn",
        handler: Immediate(genmove_command),
    },
    CommandSpec {
        name: "reg_genmove",
        args: "C",
        summary: "as `genmove`, without playing",
        handler: Immediate(reg_genmove),
    },
    CommandSpec {
        name: "kawari-genturn",
        args: "C",
        summary: "searches, plays a whole turn and answers it in writing (`grow D4 E5`), or `resign`",
        handler: Immediate(genturn),
    },
    CommandSpec {
        name: "undo",
        args: "",
        summary: "takes back the last turn, step of a turn, or resignation; `cannot undo` at the \
                start",
        handler: Immediate(|session, _| undo(session, 1)),
    },
    CommandSpec {
        name: "kawari-untype",
        args: "",
        summary: "encoding `sabaki`: takes back the turn typed last, if no move came after it, and \
                forgets it; `cannot undo` otherwise",
        handler: Immediate(|session, _| {
            session.untype().map_err(|_| Failure::CannotUndo)?;
            done()
        }),
    },
    CommandSpec {
        name: "kawari-snapshot",
        args: "[FILE]",
        summary: "the true position as one node of SGF, with marks and the record of the game; with \
                FILE, writes it there, now and after each turn. When a client opens it and sends its \
                stones as moves or handicap, the game goes on from there. `nothing to show` in the \
                middle of a growth, `cannot save file`",
        handler: Immediate(snapshot),
    },
    CommandSpec {
        name: "gg-undo",
        args: "[N]",
        summary: "`undo` N times, or not at all",
        handler: Immediate(gg_undo),
    },
];

fn play(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = color(args)?;
    let text = args.word()?;
    args.end()?;
    play_move(session, color, text)?;
    done()
}

/// A command that is named like the turn it plays.
///
/// Users of a client with a move list of its own type such turns by hand and may
/// leave out the colour; then it is the side to move.
pub fn written_turn(session: &mut Session, word: &'static str, args: &mut Args<'_>) -> Reply {
    let by_hand = session.client_board().is_some();
    let color = match parse_color(args.clone().next().unwrap_or_default()) {
        None if by_hand => session.game().to_move(),
        _ => color(args)?,
    };
    if args.rest().is_empty() {
        return Err(Failure::Syntax);
    }
    let words: Vec<&str> = std::iter::once(word).chain(args).collect();
    // A turn of another variant may be well-formed: then the syntax is not at fault.
    let is_well_formed = || {
        let mut kinds = worded_kinds().into_iter().map(|(kind, _)| kind);
        kinds.any(|kind| kind.word == word && is_well_formed(kind, &words[1..]))
    };
    let action = session.game().parse(&words).map_err(|error| match error {
        TurnError::OffBoard => illegal(Illegal::OffBoard),
        TurnError::Syntax if is_well_formed() => illegal(Illegal::NoSuchTurn),
        TurnError::Syntax => Failure::Syntax,
    })?;
    session.play_action(color, &action).map_err(illegal)?;
    done()
}

fn genmove_command(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = color(args)?;
    args.end()?;
    let mut live = GraphicsObserver::new(session, color);
    genmove::play(session, color, &[], &mut live)
}

fn reg_genmove(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = color(args)?;
    args.end()?;
    let mut live = GraphicsObserver::new(session, color);
    genmove::search(session, color, &[], StopCondition::Never, &mut live)
}

fn genturn(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = color(args)?;
    args.end()?;
    genmove::play_turn(session, color)
}

fn undo(session: &mut Session, times: usize) -> Reply {
    session.undo(times).map_err(|_| Failure::CannotUndo)?;
    done()
}

fn snapshot(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let file = optional_file(args)?;
    let text = session
        .snapshot()
        .ok_or(Failure::Other("nothing to show"))?;
    let Some(path) = file else {
        let text = String::from_utf8_lossy(&text);
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        return Ok(lines.collect::<Vec<_>>().join("\n"));
    };
    session
        .start_snapshots(path.into(), &text)
        .map_err(|_| Failure::Other("cannot save file"))?;
    done()
}

fn gg_undo(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let times = match args.rest() {
        "" => 1,
        _ => args.int(0..=usize::MAX)?,
    };
    args.end()?;
    undo(session, times)
}
