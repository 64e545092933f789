//! Commands of GoGui and its tools.

use super::play::play_move;
use super::{COLOR, KEY, NAME, VALUE, VERTEX, bad_vertex_list, done};
use crate::board::Color;
use crate::gtp::arguments::{Arg, ArgType, MoveArg, Values, arg};
use crate::gtp::gogui::search_graphics::{SearchSummary, playout};
use crate::gtp::gogui::{board_graphics, dialog, ruler};
use crate::gtp::table::{self, CommandGroup, CommandSpec, Effect, MenuEntry};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::Setup;

const MOVES: Arg = arg("moves", ArgType::Group(&[COLOR, arg("move", ArgType::Move)])).any();

const STONES: Arg = arg("stones", ArgType::Group(&[COLOR, VERTEX])).any();

pub const GROUP: CommandGroup = CommandGroup {
    title: "GoGui",
    commands: &[
        CommandSpec::new(
            "gogui-rules_game_id",
            &[],
            "returns the id of the variant with a capital letter. GoGui applies its own rules to \
                `Go`, so the id of Go on other boards than plain squares is `Go-shaped`",
            |session, _| {
                session.client.has_square_board = true;
                Ok(ruler::game_id(session.game()))
            },
        ),
        CommandSpec::new(
            "gogui-rules_board_size",
            &[],
            "returns the side of the smallest square that contains the board shown. After \
                this command or `gogui-rules_game_id`, `boardsize` with that side keeps the \
                size",
            |session, _| {
                session.client.has_square_board = true;
                Ok(session.codec().display().side().to_string())
            },
        ),
        CommandSpec::new(
            "gogui-rules_board",
            &[],
            "returns that square, top row first: `X`, `O`, `.` (empty or a tao stone) and \
                `?` (a void, a blocked point, or outside the board)",
            |session, _| Ok(ruler::board(session.game(), &session.codec())),
        ),
        CommandSpec::new(
            "gogui-rules_board_gfx",
            &[],
            "draws everything that stones do not show: voids dark with arrows, or red if they will \
                spread, with an arrow on the target; tao stones purple; the panel grey; triangles \
                on the stones of an unfinished turn, and green on groups that may continue it; a \
                cross where only the history of the game forbids a stone (ko, stoical); squares on \
                the last turn",
            |session, _| Ok(board_graphics::board_graphics(session.game(), &session.codec())),
        )
        .menu(70, "gfx", "Board Marks", ""),
        CommandSpec::new(
            "gogui-rules_legal_moves",
            &[],
            "returns the vertices that the side to move may play, and `pass`; an empty reply \
                if the game is over",
            |session, _| {
                session.client.has_no_rules = true;
                Ok(ruler::legal_moves(&session.game_to_play(), &session.codec()).join(" "))
            },
        ),
        CommandSpec::new(
            "gogui-rules_side_to_move",
            &[],
            "returns `black` or `white`; in the middle of a turn, the side that makes it. After \
                this command or `gogui-rules_legal_moves`, `play` refuses vertices out of turn, \
                because the client leaves the rules to the engine",
            |session, _| {
                session.client.has_no_rules = true;
                Ok(session.game().to_move().name().to_owned())
            },
        ),
        CommandSpec::new(
            "gogui-rules_final_result",
            &[],
            "returns the result, as `final_score`",
            |session, _| Ok(session.game().score().to_string()),
        ),
        CommandSpec::new(
            "gogui-rules_captured_count",
            &[],
            "returns the numbers of stones that Black and White captured, less spent prisoners",
            |session, _| {
                let captures = session.game().state().captures;
                Ok(format!("{} {}", captures.black, captures.white))
            },
        ),
        CommandSpec::new(
            "gogui-play_sequence",
            &[MOVES],
            "plays these moves, or no move if one of them is illegal",
            |session, args| play_sequence(session, args.take()?),
        )
        .effect(Effect::Plays),
        CommandSpec::new(
            "gogui-setup",
            &[STONES],
            "sets stones up as the start position; fails with `board not empty` if the start \
                position already has stones, and with `bad vertex list` if a point is occupied or \
                a group has no liberty",
            |session, args| set_up(session, args.take()?),
        )
        .effect(Effect::Plays),
        CommandSpec::new(
            "gogui-setup_player",
            &[COLOR],
            "sets the side to move in a position of `gogui-setup`",
            |session, args| {
                let color = Some(args.take()?);
                session.set_up(|setup| setup.to_move = color)?;
                done()
            },
        )
        .effect(Effect::Plays),
        CommandSpec::new(
            "set_position",
            &[STONES],
            "clears the board and sets stones up, as `gogui-setup`; an error changes nothing",
            |session, args| set_position(session, args.take()?),
        )
        .effect(Effect::Plays),
        CommandSpec::new(
            "gogui-interrupt",
            &[],
            "shows clients that the comment line `# interrupt` ends a search early. GoGui and \
                gogui-twogtp send this command first",
            |_, _| done(),
        ),
        CommandSpec::new(
            "gogui-title",
            &[],
            "returns variant, size and komi on one line",
            |session, _| title(session),
        ),
        CommandSpec::ignored(
            "gogui-version",
            &[arg("version", ArgType::Text("a version")).optional()],
        ),
        CommandSpec::new(
            "gogui-analyze_commands",
            &[],
            "returns the entries of GoGui's menu, one per line: `type/label/command`. From then on searches \
                print drawings on standard error (`gogui-gfx:`), which the parameter `live_graphics` chooses",
            |session, _| {
                session.client.draws_graphics = true;
                Ok(menu_lines().join("\n"))
            },
        ),
        CommandSpec::new(
            "gogui-win_rates",
            &[COLOR.optional()],
            "searches for COLOR (default: the side to move) and draws the win rates of the \
                moves in percent, the best one green",
            |session, args| searched(session, args, SearchSummary::win_rates),
        )
        .menu(10, "gfx", "Win Rates", "%c"),
        CommandSpec::new(
            "gogui-visits",
            &[COLOR.optional()],
            "searches and draws the visits of each move",
            |session, args| searched(session, args, SearchSummary::visits),
        )
        .menu(20, "gfx", "Visits", "%c"),
        CommandSpec::new(
            "gogui-variation",
            &[COLOR.optional()],
            "searches and draws the principal variation",
            |session, args| searched(session, args, SearchSummary::variation),
        )
        .menu(30, "gfx", "Principal Variation", "%c"),
        CommandSpec::new(
            "gogui-ownership",
            &[COLOR.optional()],
            "searches and returns the ownership of each point of the square, from 1 (Black) \
                to -1 (White), top row first",
            |session, args| searched(session, args, SearchSummary::ownership),
        )
        .menu(40, "dboard", "Ownership", "%c"),
        CommandSpec::new(
            "gogui-expected_score",
            &[COLOR.optional()],
            "searches and returns the expected score with its deviation, and the win rate",
            |session, args| searched(session, args, SearchSummary::expectation),
        )
        .menu(50, "string", "Expected Score", "%c"),
        CommandSpec::new(
            "gogui-playout",
            &[],
            "draws one playout from the current position: its first thirty moves, the owner \
                of each point at its end, and its result",
            |session, _| Ok(playout(session)),
        )
        .menu(60, "gfx", "Playout", ""),
        CommandSpec::new(
            "gogui-param_thinking",
            &[arg("parameter", ArgType::Group(&[NAME, VALUE])).optional()],
            "returns the dialog of the session's parameters; with NAME and VALUE, sets one",
            |session, args| {
                if let Some((name, value)) = args.take()? {
                    dialog::set_param(&mut session.settings, name, value)?;
                    return done();
                }
                Ok(dialog::params_dialog(&session.settings))
            },
        )
        .effect_with_arguments(Effect::SetsParameter)
        .menu(150, "param", "Search Parameters", ""),
        CommandSpec::new(
            "gogui-param_rules",
            &[arg("rule", ArgType::Group(&[KEY, VALUE])).optional()],
            "returns the dialog of the rule options; with KEY and VALUE, changes one and replays \
                the game. Fails with `illegal move` if the new rules forbid a turn of the game. \
                GoGui asks another process for the rules that it shows: set these on the command \
                line",
            |session, args| {
                if let Some((key, value)) = args.take()? {
                    dialog::set_rule(session, key, value)?;
                    return done();
                }
                Ok(dialog::rules_dialog(session))
            },
        )
        .effect_with_arguments(Effect::ChangesRules)
        .menu(160, "param", "Rule Options", ""),
    ],
};

/// The lines of the menu: `type/label/command`.
fn menu_lines() -> Vec<String> {
    let entries = table::all().filter_map(|command| Some((command.menu?, command.name)));
    let mut entries: Vec<_> = entries.collect();
    entries.sort_by_key(|(entry, _)| entry.place);
    let line = |(MenuEntry { kind, label, args, .. }, name)| {
        format!("{kind}/{label}/{name} {args}").trim_end().to_owned()
    };
    entries.into_iter().map(line).collect()
}

fn title(session: &mut Session) -> Reply {
    let (info, setup) = (session.game().info(), session.setup());
    let (width, height) = (setup.size.width, setup.size.height);
    let komi = session.game().rules().komi;
    Ok(format!("kawari: {} {width}x{height}, komi {komi}", info.id))
}

fn play_sequence(session: &mut Session, moves: Vec<(Color, MoveArg)>) -> Reply {
    if moves.is_empty() {
        return done();
    }
    session.play_on(|session| {
        session.all_or_nothing(|session| {
            let mut moves = moves.into_iter();
            moves.try_for_each(|(color, played)| play_move(session, color, played))
        })
    })?;
    done()
}

/// Columns and rows of black and white stones.
type Stones = [Vec<(u8, u8)>; 2];

fn split_colors(stones: Vec<(Color, MoveArg)>) -> Result<Stones, Failure> {
    let [mut black, mut white] = Stones::default();
    for (color, stone) in stones {
        let side = if color == Color::Black { &mut black } else { &mut white };
        let vertex = stone.vertex().ok_or_else(|| bad_vertex_list("a stone is off the board"))?;
        side.push(vertex.into());
    }
    Ok([black, white])
}

fn set_up(session: &mut Session, stones: Vec<(Color, MoveArg)>) -> Reply {
    let stones = split_colors(stones)?;
    if session.setup().has_stones() {
        return Err(Failure::BoardNotEmpty);
    }
    session.set_up(|setup| setup.stones = stones)?;
    done()
}

fn set_position(session: &mut Session, stones: Vec<(Color, MoveArg)>) -> Reply {
    let stones = split_colors(stones)?;
    let setup = Setup { stones, ..session.without_stones(session.setup().clone()) };
    session.renew(setup).map_err(bad_vertex_list)?;
    done()
}

/// Searches for the given colour or the side to move, and shows the result.
fn searched(
    session: &mut Session,
    args: &mut Values<'_>,
    show: fn(&SearchSummary) -> String,
) -> Reply {
    let color: Option<Color> = args.take()?;
    let color = color.unwrap_or(session.game().to_move());
    Ok(show(&SearchSummary::search(session, color)))
}
