//! Commands for scripts and referees: state, legal turns, history, perft.

use super::COLOR;
use crate::board::Color;
use crate::encoding::native;
use crate::gtp::arguments::{ArgType, arg};
use crate::gtp::request::Args;
use crate::gtp::table::{CommandGroup, CommandSpec};
use crate::gtp::{Reply, Session, joined};
use crate::json;
use crate::rules::{Action, Illegal, TurnError};

pub const GROUP: CommandGroup = CommandGroup {
    title: "Referee",
    commands: &[
        CommandSpec::new(
            "kawari-state",
            &[],
            "returns one line of JSON: variant, size, turn, side to move, board (rows from the \
                top: `.` empty, `X`, `O`, `+` tao stone, `#` blocked point, `*` void), voids, \
                captures, pieces in hand, passes, result; in games that points do not decide, also \
                what decides the game, and why it ended",
            |session, _| Ok(json::text(&session.game().state())),
        ),
        CommandSpec::new(
            "kawari-legal",
            &[COLOR.optional()],
            "returns every legal whole turn of COLOR (default: the side to move), one per line, \
                sorted; of turns that may grow longer, the shortest. In the middle of a turn, \
                returns the vertices that `play` accepts: also the last stone if the turn may end, \
                or the pass of the other side",
            |session, args| legal(session, args.take()?),
        )
        .menu(110, "hstring", "Legal Turns", "%c"),
        CommandSpec::new(
            "kawari-explain",
            &[COLOR, arg("turn", ArgType::Text("a turn such as D4 or nuke D4"))],
            "returns `legal`, or one line with the rule that forbids the turn and the reason, or \
                with the error in its form",
            |session, args| explain(session, args.take()?, args.take()?),
        ),
        CommandSpec::new(
            "kawari-history",
            &[],
            "returns the turns so far, one per line: `B D4`, `W nuke E5`",
            |session, _| history(session),
        )
        .menu(120, "hstring", "Move History", ""),
        CommandSpec::new(
            "kawari-perft",
            &[arg("depth", ArgType::Integer(0, 99))],
            "returns the number of sequences of DEPTH turns from the current position. Passes \
                count, no turn follows the end of the game, and turns of several steps that lead \
                to the same position count once. Fails with `interrupted` at the comment line `# \
                interrupt`, or when the client has closed both pipes",
            |session, args| perft(session, args.take()?),
        ),
    ],
};

fn legal(session: &mut Session, color: Option<Color>) -> Reply {
    let color = color.unwrap_or(session.game().to_move());
    Ok(session.game_to_play().legal_turns_written(color).join("\n"))
}

fn explain(session: &mut Session, color: Color, turn: &str) -> Reply {
    let words: Vec<_> = Args::new(turn).collect();
    let game = session.game_to_play();
    let verdict = match game.parse_words(&words) {
        // Scripts know this class; `play` names the point.
        Err(TurnError::OffBoard) => Err(Illegal::OffBoard),
        Err(error) => return Ok(game.turn_error(&words, error)),
        Ok(Action::Resign) if game.is_final() => Err(Illegal::GameOver),
        Ok(Action::Resign) => Ok(()),
        Ok(Action::Turn(turn)) => native::check(&game, color, &turn),
    };
    Ok(verdict.map_or_else(|why| why.to_string(), |()| "legal".to_owned()))
}

fn history(session: &mut Session) -> Reply {
    let game = session.game();
    let line = |(color, turn): &(Color, _)| format!("{} {}", color.letter(), game.write(turn));
    Ok(joined(game.turns().iter().map(line), "\n"))
}

fn perft(session: &mut Session, depth: u32) -> Reply {
    let (_, game, inbox) = session.search_parts();
    let count = game.perft_until(depth, &mut || inbox.ends_search()).ok_or("interrupted")?;
    Ok(count.to_string())
}
