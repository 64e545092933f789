//! Commands of GoGui and its tools.

use super::{color, done, optional_color};
use crate::board::Color;
use crate::encoding::Vertex;
use crate::gtp::gogui::search_graphics::{SearchSummary, playout};
use crate::gtp::gogui::{board_graphics, dialog, menu, ruler};
use crate::gtp::protocol::args::Args;
use crate::gtp::session::illegal;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Illegal, Setup, TurnError, parse_color};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "GoGui",
    commands: &[
        CommandSpec {
            name: "gogui-rules_game_id",
            args: "",
            summary: "answers the id of the variant, its first letter upper case. GoGui applies its own \
                rules to `Go`, so Go with blocked points or on a rectangle is `Go-shaped`",
            handler: Immediate(|session, _| {
                session.client.has_square_board = true;
                Ok(ruler::game_id(session.game()))
            }),
        },
        CommandSpec {
            name: "gogui-rules_board_size",
            args: "",
            summary: "answers the side of the smallest square that contains the board shown. After this \
                command or `gogui-rules_game_id`, `boardsize` with that side keeps the size",
            handler: Immediate(|session, _| {
                session.client.has_square_board = true;
                Ok(session.codec().shown().side().to_string())
            }),
        },
        CommandSpec {
            name: "gogui-rules_board",
            args: "",
            summary: "answers that square, top row first: `X`, `O`, `.` (empty or a tao stone) and `?` (a \
                void, a blocked point, or outside the board)",
            handler: Immediate(|session, _| Ok(ruler::board(session.game(), &session.codec()))),
        },
        CommandSpec {
            name: "gogui-rules_board_gfx",
            args: "",
            summary: "draws what stones do not show: voids dark with their arrows, red if they are about \
                to spread, with an arrow on the target; tao stones purple; the panel grey; triangles on \
                the stones of an unfinished growth and green on the groups that may still grow; a cross \
                where only the history of the game forbids a stone (ko, stoical); squares on the last \
                turn",
            handler: Immediate(|session, _| {
                Ok(board_graphics::board_graphics(
                    session.game(),
                    &session.codec(),
                ))
            }),
        },
        CommandSpec {
            name: "gogui-rules_legal_moves",
            args: "",
            summary: "answers the vertices that the side to move may play, and `pass`; an empty reply if \
                the game is over",
            handler: Immediate(|session, _| {
                session.client.has_no_rules = true;
                Ok(ruler::legal_moves(session.game(), &session.codec()).join(" "))
            }),
        },
        CommandSpec {
            name: "gogui-rules_side_to_move",
            args: "",
            summary: "answers `black` or `white`; in the middle of a growth, the growing side. After this \
                command or `gogui-rules_legal_moves`, `play` refuses vertices out of turn, because the \
                client leaves the rules to the engine",
            handler: Immediate(|session, _| {
                session.client.has_no_rules = true;
                Ok(session.game().to_move().name().to_owned())
            }),
        },
        CommandSpec {
            name: "gogui-rules_final_result",
            args: "",
            summary: "answers the result, as `final_score`",
            handler: Immediate(|session, _| Ok(session.game().score().to_string())),
        },
        CommandSpec {
            name: "gogui-rules_captured_count",
            args: "",
            summary: "answers the number of stones that Black captured and that White captured, less \
                prisoners spent",
            handler: Immediate(captured_count),
        },
        CommandSpec {
            name: "gogui-play_sequence",
            args: "[C V]…",
            summary: "plays these moves, or none if one is refused",
            handler: Immediate(play_sequence),
        },
        CommandSpec {
            name: "gogui-setup",
            args: "[C V]…",
            summary: "sets stones up as the start position; fails with `board not empty` if stones are set \
                up already, and with `bad vertex list` if a point is taken or a group has no liberty",
            handler: Immediate(set_up),
        },
        CommandSpec {
            name: "gogui-setup_player",
            args: "C",
            summary: "sets the side that makes the first turn of a position set up",
            handler: Immediate(set_up_player),
        },
        CommandSpec {
            name: "set_position",
            args: "[C V]…",
            summary: "clears the board and sets stones up, as `gogui-setup`, or does neither",
            handler: Immediate(set_position),
        },
        CommandSpec {
            name: "gogui-interrupt",
            args: "",
            summary: "does nothing; it tells clients that the comment line `# interrupt` ends a search \
                early. GoGui and gogui-twogtp send it first; from then on a pass after the rules ended \
                the game is accepted and changes nothing, because gogui-twogtp ends games by two passes \
                only",
            handler: Immediate(|session, _| {
                session.client.passes_after_end = true;
                done()
            }),
        },
        CommandSpec {
            name: "gogui-title",
            args: "",
            summary: "answers variant, size and komi on one line",
            handler: Immediate(title),
        },
        CommandSpec {
            name: "gogui-version",
            args: "[VERSION]",
            summary: "accepted and ignored",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "gogui-analyze_commands",
            args: "",
            summary: "answers the entries of GoGui's menu, one per line: `type/label/command`. From then \
                on searches draw what the parameter `live_graphics` names: `gogui-gfx:` and drawing \
                commands on standard error",
            handler: Immediate(analyze_commands),
        },
        CommandSpec {
            name: "gogui-win_rates",
            args: "[C]",
            summary: "searches for C (default: the side to move) and draws the win rates of the moves in \
                percent, the best one green",
            handler: Immediate(|session, args| {
                let (summary, _) = search(session, args)?;
                Ok(summary.win_rates(session.game(), &session.codec()).finish())
            }),
        },
        CommandSpec {
            name: "gogui-visits",
            args: "[C]",
            summary: "searches and draws the visits of each move",
            handler: Immediate(|session, args| {
                let (summary, _) = search(session, args)?;
                Ok(summary.visits(session.game(), &session.codec()).finish())
            }),
        },
        CommandSpec {
            name: "gogui-variation",
            args: "[C]",
            summary: "searches and draws the principal variation",
            handler: Immediate(|session, args| {
                let (summary, color) = search(session, args)?;
                let picture = summary.variation(session.game(), &session.codec(), color);
                Ok(picture.finish())
            }),
        },
        CommandSpec {
            name: "gogui-ownership",
            args: "[C]",
            summary: "searches and answers the ownership of each point of the square, from 1 (Black) to \
                -1 (White), top row first",
            handler: Immediate(|session, args| {
                let (summary, color) = search(session, args)?;
                Ok(summary.ownership(&session.codec(), color))
            }),
        },
        CommandSpec {
            name: "gogui-expected_score",
            args: "[C]",
            summary: "searches and answers the expected score with its deviation, and the win rate",
            handler: Immediate(|session, args| {
                let (summary, color) = search(session, args)?;
                Ok(summary.expectation(color))
            }),
        },
        CommandSpec {
            name: "gogui-playout",
            args: "",
            summary: "draws one playout from the current position: its first thirty moves, the owner of \
                each point at its end, and its result",
            handler: Immediate(|session, _| Ok(playout(session).finish())),
        },
        CommandSpec {
            name: "gogui-param_thinking",
            args: "[NAME VALUE]",
            summary: "answers the dialog of the session's parameters; with NAME and VALUE, sets one",
            handler: Immediate(param_dialog),
        },
        CommandSpec {
            name: "gogui-param_rules",
            args: "[KEY VALUE]",
            summary: "answers the dialog of the rule options; with KEY and VALUE, changes one, and the \
                board stays; fails with `illegal move` if the new rules forbid a turn of the game. Set \
                the rules that GoGui shows on the command line instead, because it asks another process \
                for them",
            handler: Immediate(rule_dialog),
        },
    ],
};

fn captured_count(session: &mut Session, _: &mut Args<'_>) -> Reply {
    let captures = session.game().state().captures;
    Ok(format!("{} {}", captures.black, captures.white))
}

fn title(session: &mut Session, _: &mut Args<'_>) -> Reply {
    let (info, setup) = (session.game().info(), session.setup());
    let (width, height) = (setup.size.width, setup.size.height);
    let komi = session.game().rules().komi;
    Ok(format!("kawari: {} {width}x{height}, komi {komi}", info.id))
}

fn analyze_commands(session: &mut Session, _: &mut Args<'_>) -> Reply {
    session.client.draws_graphics = true;
    let lines: Vec<_> = menu::MENU.iter().map(ToString::to_string).collect();
    Ok(lines.join("\n"))
}

/// Reads pairs of a colour and a word.
fn pairs<'a>(args: &mut Args<'a>) -> Result<Vec<(Color, &'a str)>, Failure> {
    let mut pairs = Vec::new();
    while let Some(word) = args.next() {
        let color = parse_color(word).ok_or(Failure::Syntax)?;
        pairs.push((color, args.word()?));
    }
    Ok(pairs)
}

fn play_sequence(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let moves = pairs(args)?;
    session.all_or_nothing(|session| {
        let mut moves = moves.into_iter();
        moves.try_for_each(|(color, text)| play_move(session, color, text))
    })?;
    done()
}

/// Plays a vertex, `pass` or `resign`.
pub(super) fn play_move(session: &mut Session, color: Color, text: &str) -> Result<(), Failure> {
    let played = if text.eq_ignore_ascii_case("pass") {
        session.pass(color)
    } else if text.eq_ignore_ascii_case("resign") {
        session.resign(color)
    } else {
        match Vertex::parse(text) {
            Err(TurnError::Syntax) => return Err(Failure::Syntax),
            Err(TurnError::OffBoard) => Err(Illegal::OffBoard),
            Ok(_) if session.client.has_no_rules && color != session.game().to_move() => {
                log::warn!("illegal move: out of turn");
                return Err(Failure::IllegalMove);
            }
            Ok(place) => session.play_at(color, place),
        }
    };
    played.map_err(illegal)
}

/// Columns and rows of the black and of the white stones.
type Stones = [Vec<(u8, u8)>; 2];

fn stones(args: &mut Args<'_>) -> Result<Stones, Failure> {
    let [mut black, mut white] = Stones::default();
    for (color, text) in pairs(args)? {
        let place = Vertex::parse(text).map_err(|error| match error {
            TurnError::Syntax => Failure::Syntax,
            TurnError::OffBoard => Failure::BadVertexList,
        })?;
        let side = match color {
            Color::Black => &mut black,
            Color::White => &mut white,
        };
        side.push((place.column, place.row));
    }
    Ok([black, white])
}

fn set_up(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let stones = stones(args)?;
    if session.setup().has_stones() {
        return Err(Failure::BoardNotEmpty);
    }
    session.set_up(|setup| setup.stones = stones)?;
    done()
}

fn set_up_player(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = color(args)?;
    args.end()?;
    session.set_up(|setup| setup.to_move = Some(color))?;
    done()
}

fn set_position(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let stones = stones(args)?;
    let setup = Setup {
        stones,
        ..session.cleared()
    };
    session.renew(setup).map_err(|_| Failure::BadVertexList)?;
    done()
}

/// Searches for the colour given, or for the side to move.
fn search(session: &mut Session, args: &mut Args<'_>) -> Result<(SearchSummary, Color), Failure> {
    let color = optional_color(args)?.unwrap_or(session.game().to_move());
    args.end()?;
    Ok((SearchSummary::of_search(session, color), color))
}

fn param_dialog(session: &mut Session, args: &mut Args<'_>) -> Reply {
    if args.rest().is_empty() {
        return Ok(dialog::params_dialog(&session.settings));
    }
    let (name, value) = (args.word()?, args.word()?);
    args.end()?;
    dialog::set_param(&mut session.settings, name, value)?;
    done()
}

fn rule_dialog(session: &mut Session, args: &mut Args<'_>) -> Reply {
    if args.rest().is_empty() {
        return Ok(dialog::rules_dialog(session));
    }
    let (name, value) = (args.word()?, args.word()?);
    args.end()?;
    dialog::set_rule(session, name, value)?;
    done()
}
