//! What scripts ask a referee.

use super::{color, optional_color};
use crate::gtp::encoding::native;
use crate::gtp::request::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Action, Illegal, TurnError};

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Referee",
    commands: &[
        CommandSpec {
            name: "kawari-state",
            args: "",
            summary: "one line of JSON: variant, size, turn, side to move, board (rows from the top: `.` \
                empty, `X`, `O`, `+` tao stone, `#` wall, `*` void), voids, captures, hands, passes, \
                result",
            handler: Immediate(state),
        },
        CommandSpec {
            name: "kawari-legal",
            args: "[C]",
            summary: "every legal whole turn of C (the side to move), one a line, sorted; of growths \
                those of one stone. In the middle of a growth, the vertices that `play` takes, the \
                stone placed last (the end) among them, or the pass of the other side",
            handler: Immediate(legal),
        },
        CommandSpec {
            name: "kawari-explain",
            args: "C TURN",
            summary: "`legal`, or one line: the rule that forbids the turn, and why",
            handler: Immediate(explain),
        },
        CommandSpec {
            name: "kawari-history",
            args: "",
            summary: "the turns so far, one a line: `B D4`, `W nuke E5`",
            handler: Immediate(history),
        },
        CommandSpec {
            name: "kawari-perft",
            args: "N",
            summary: "number of sequences of N turns from here, passes included, none beyond the end \
                of the game; growths count once for each position they lead to",
            handler: Immediate(perft),
        },
    ],
};

fn state(session: &mut Session, _: &mut Args<'_>) -> Reply {
    serde_json::to_string(&session.game().state()).map_err(|_| Failure::Other("no state"))
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
