//! Commands for scripts and referees: state, legal turns, history, perft.

use super::{color, optional_color};
use crate::encoding::native;
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Action, Illegal, TurnError};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Referee",
    commands: &[
        CommandSpec {
            name: "kawari-state",
            args: "",
            summary: "answers one line of JSON: variant, size, turn, side to move, board (rows from the \
                top: `.` empty, `X`, `O`, `+` tao stone, `#` blocked point, `*` void), voids, captures, \
                tao stones in hand, passes, result",
            handler: Immediate(state),
        },
        CommandSpec {
            name: "kawari-legal",
            args: "[C]",
            summary: "answers every legal whole turn of C (default: the side to move), one per line, \
                sorted; only growths of one stone are listed. In the middle of a growth it answers the \
                vertices that `play` accepts, including the stone placed last, which ends the growth, \
                or the pass of the other side",
            handler: Immediate(legal),
        },
        CommandSpec {
            name: "kawari-explain",
            args: "C TURN",
            summary: "answers `legal`, or one line with the rule that forbids the turn and the reason",
            handler: Immediate(explain),
        },
        CommandSpec {
            name: "kawari-history",
            args: "",
            summary: "answers the turns so far, one per line: `B D4`, `W nuke E5`",
            handler: Immediate(history),
        },
        CommandSpec {
            name: "kawari-perft",
            args: "N",
            summary: "answers the number of sequences of N turns from the current position: passes count, \
                nothing follows the end of the game, and growths that lead to the same position count \
                once",
            handler: Immediate(perft),
        },
    ],
};

fn state(session: &mut Session, _: &mut Args<'_>) -> Reply {
    serde_json::to_string(&session.game().state())
        .map_err(|_| Failure::Other("cannot write the state"))
}

fn legal(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = optional_color(args)?.unwrap_or(session.game().to_move());
    args.end()?;
    Ok(session.game().legal(color).join("\n"))
}

fn explain(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = color(args)?;
    let words: Vec<_> = args.collect();
    if words.is_empty() {
        return Err(Failure::Syntax);
    }
    let game = session.game();
    let verdict = match game.parse(&words) {
        Err(TurnError::Syntax) => Err(Illegal::NoSuchTurn),
        Err(TurnError::OffBoard) => Err(Illegal::OffBoard),
        Ok(Action::Resign) if game.is_final() => Err(Illegal::GameOver),
        Ok(Action::Resign) => Ok(()),
        Ok(Action::Turn(turn)) => native::check(game, color, &turn),
    };
    Ok(verdict.map_or_else(|why| why.to_string(), |()| "legal".to_owned()))
}

fn history(session: &mut Session, _: &mut Args<'_>) -> Reply {
    let game = session.game();
    let line = |(color, turn): &(crate::board::Color, _)| {
        format!("{} {}", color.letter(), game.write(turn))
    };
    Ok(game.turns().iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn perft(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let depth = args.int(0..=99)?;
    args.end()?;
    Ok(session.game().perft(depth).to_string())
}
