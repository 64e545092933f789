//! What GoGui and its companions ask.

use super::{color, done, optional_color};
use crate::board::Color;
use crate::gtp::encoding::Place;
use crate::gtp::gogui::search_graphics::{SearchSummary, playout};
use crate::gtp::gogui::{board_graphics, dialog, menu, ruler};
use crate::gtp::request::Args;
use crate::gtp::session::illegal;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Illegal, Setup, TurnError, parse_color};

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "GoGui",
    commands: &[
        CommandSpec {
            name: "gogui-rules_game_id",
            args: "",
            summary: "the id, its first letter capital; `Go` is what GoGui knows itself, so with walls or \
                on a rectangle it is `Go-shaped`",
            handler: Immediate(|session, _| {
                session.client.sees_squares = true;
                Ok(ruler::game_id(session.game()))
            }),
        },
        CommandSpec {
            name: "gogui-rules_board_size",
            args: "",
            summary: "side of the square that has room for the board shown. Who asks this, or the game, is \
                shown that square: from then on `boardsize` with its side keeps the size",
            handler: Immediate(|session, _| {
                session.client.sees_squares = true;
                Ok(session.coder().shown().side().to_string())
            }),
        },
        CommandSpec {
            name: "gogui-rules_board",
            args: "",
            summary: "that square, top row first: `X`, `O`, `.` (empty, or a tao stone) and `?` (no point: \
                a void, a wall, what is beside or above the board)",
            handler: Immediate(|session, _| Ok(ruler::board(session.game(), &session.coder()))),
        },
        CommandSpec {
            name: "gogui-rules_board_gfx",
            args: "",
            summary: "a picture of what stones do not show. Voids are dark with their arrows, red if they \
                are about to spread, with an arrow where they go; tao stones purple; the panel grey. In \
                a growth triangles are on the stones so far, and groups that may still grow are green. A \
                cross is where only what was played before forbids a stone (ko, stoical); squares are \
                the last turn",
            handler: Immediate(|session, _| {
                Ok(board_graphics::board_graphics(
                    session.game(),
                    &session.coder(),
                ))
            }),
        },
        CommandSpec {
            name: "gogui-rules_legal_moves",
            args: "",
            summary: "what the side to move may play, each as one vertex, and `pass`; nothing if the game \
                is over",
            handler: Immediate(|session, _| {
                session.client.has_no_rules = true;
                Ok(ruler::legal_moves(session.game(), &session.coder()).join(" "))
            }),
        },
        CommandSpec {
            name: "gogui-rules_side_to_move",
            args: "",
            summary: "`black` or `white`; in the middle of a growth, who grows. Who asks this, or the legal \
                moves, leaves the rules to the engine: from then on `play` refuses vertices out of turn",
            handler: Immediate(|session, _| {
                session.client.has_no_rules = true;
                Ok(session.game().to_move().name().to_owned())
            }),
        },
        CommandSpec {
            name: "gogui-rules_final_result",
            args: "",
            summary: "the result, as in `final_score`",
            handler: Immediate(|session, _| Ok(session.game().score())),
        },
        CommandSpec {
            name: "gogui-rules_captured_count",
            args: "",
            summary: "white stones that Black captured and black stones that White captured, less \
                prisoners spent",
            handler: Immediate(captured_count),
        },
        CommandSpec {
            name: "gogui-play_sequence",
            args: "[C V]…",
            summary: "`play` for each, or for none if one is refused",
            handler: Immediate(play_sequence),
        },
        CommandSpec {
            name: "gogui-setup",
            args: "[C V]…",
            summary: "stones that stand on the board from the start; `board not empty` if any stand \
                already, `bad vertex list` if one has no place or its group no liberty",
            handler: Immediate(set_up),
        },
        CommandSpec {
            name: "gogui-setup_player",
            args: "C",
            summary: "who makes the first turn of a position set up",
            handler: Immediate(set_up_player),
        },
        CommandSpec {
            name: "set_position",
            args: "[C V]…",
            summary: "`clear_board` and `gogui-setup`, or neither",
            handler: Immediate(set_position),
        },
        CommandSpec {
            name: "gogui-interrupt",
            args: "",
            summary: "nothing: it says that the comment line `# interrupt` ends any thinking early. GoGui \
                and gogui-twogtp ask it first of all; to them a pass after the rules ended the game is \
                no turn but changes nothing, because gogui-twogtp ends games by two passes only",
            handler: Immediate(|session, _| {
                session.client.passes_on = true;
                done()
            }),
        },
        CommandSpec {
            name: "gogui-title",
            args: "",
            summary: "what is played, in a line",
            handler: Immediate(title),
        },
        CommandSpec {
            name: "gogui-version",
            args: "[VERSION]",
            summary: "heard, not used",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "gogui-analyze_commands",
            args: "",
            summary: "GoGui's menu: `type/label/command`, one a line. Who asks is drawn what \
                `live_graphics` says while the engine thinks: `gogui-gfx:` and lines of a picture on \
                standard error",
            handler: Immediate(analyze_commands),
        },
        CommandSpec {
            name: "gogui-win_rates",
            args: "[C]",
            summary: "thinks; a picture: win rates of the moves of C (the side to move) in parts of a \
                hundred, the best one green",
            handler: Immediate(|session, args| {
                let (seen, _) = thought(session, args)?;
                Ok(seen.win_rates(session.game(), &session.coder()).finish())
            }),
        },
        CommandSpec {
            name: "gogui-visits",
            args: "[C]",
            summary: "the same, with how often each was tried",
            handler: Immediate(|session, args| {
                let (seen, _) = thought(session, args)?;
                Ok(seen.visits(session.game(), &session.coder()).finish())
            }),
        },
        CommandSpec {
            name: "gogui-variation",
            args: "[C]",
            summary: "the same, with the line of play that was looked at most",
            handler: Immediate(|session, args| {
                let (seen, color) = thought(session, args)?;
                let picture = seen.variation(session.game(), &session.coder(), color);
                Ok(picture.finish())
            }),
        },
        CommandSpec {
            name: "gogui-ownership",
            args: "[C]",
            summary: "thinks; whose each place of the square becomes, 1 Black's to -1 White's, top row \
                first",
            handler: Immediate(|session, args| {
                let (seen, color) = thought(session, args)?;
                Ok(seen.ownership(&session.coder(), color))
            }),
        },
        CommandSpec {
            name: "gogui-expected_score",
            args: "[C]",
            summary: "thinks; by how much who is likely to win, and how likely",
            handler: Immediate(|session, args| {
                let (seen, color) = thought(session, args)?;
                Ok(seen.expectation(color))
            }),
        },
        CommandSpec {
            name: "gogui-playout",
            args: "",
            summary: "a picture of one playout, such as the engine thinks in: its first thirty moves, whose \
                the points become, and the result",
            handler: Immediate(|session, _| Ok(playout(session).finish())),
        },
        CommandSpec {
            name: "gogui-param_thinking",
            args: "[NAME VALUE]",
            summary: "the dialog of the parameters of the session; with NAME and VALUE, sets one",
            handler: Immediate(param_thinking),
        },
        CommandSpec {
            name: "gogui-param_rules",
            args: "[KEY VALUE]",
            summary: "the dialog of the rule options; with KEY and VALUE, changes one, and the board stays: \
                `illegal move` if the game could not have come about. Rules that GoGui is to show must \
                be set on the command line, because it asks another process for them",
            handler: Immediate(param_rules),
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
    session.client.draws = true;
    let lines: Vec<_> = menu::MENU.iter().map(ToString::to_string).collect();
    Ok(lines.join("\n"))
}

/// Colours and what follows each of them.
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
        moves.try_for_each(|(color, text)| play_word(session, color, text))
    })?;
    done()
}

/// Plays a vertex, `pass` or `resign`.
pub(super) fn play_word(session: &mut Session, color: Color, text: &str) -> Result<(), Failure> {
    let played = if text.eq_ignore_ascii_case("pass") {
        session.pass(color)
    } else if text.eq_ignore_ascii_case("resign") {
        session.resign(color)
    } else {
        match Place::parse(text) {
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

/// Columns and rows of black and of white stones.
type Stones = [Vec<(u8, u8)>; 2];

fn stones(args: &mut Args<'_>) -> Result<Stones, Failure> {
    let [mut black, mut white] = Stones::default();
    for (color, text) in pairs(args)? {
        let place = Place::parse(text).map_err(|error| match error {
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

fn thought(session: &mut Session, args: &mut Args<'_>) -> Result<(SearchSummary, Color), Failure> {
    let color = optional_color(args)?.unwrap_or(session.game().to_move());
    args.end()?;
    Ok((SearchSummary::by_thinking(session, color), color))
}

fn param_thinking(session: &mut Session, args: &mut Args<'_>) -> Reply {
    if args.rest().is_empty() {
        return Ok(dialog::search(&session.settings));
    }
    let (name, value) = (args.word()?, args.word()?);
    args.end()?;
    dialog::set_search(&mut session.settings, name, value)?;
    done()
}

fn param_rules(session: &mut Session, args: &mut Args<'_>) -> Reply {
    if args.rest().is_empty() {
        return Ok(dialog::rules(session));
    }
    let (name, value) = (args.word()?, args.word()?);
    args.end()?;
    dialog::set_rule(session, name, value)?;
    done()
}
