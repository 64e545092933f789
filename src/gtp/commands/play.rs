//! Commands that play, search and take back.

use super::{COLOR, VERTEX, done};
use crate::board::Color;
use crate::gtp::analyze;
use crate::gtp::arguments::{Arg, ArgType, Arity, COUNT, MoveArg, SyntaxError, Values, arg};
use crate::gtp::genmove;
use crate::gtp::gogui::search_graphics::GraphicsObserver;
use crate::gtp::session::{REFUSED, illegal};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Illegal, StepKind, StepKindInfo, TurnError, TurnLength, worded_kinds};

/// Users who type a turn may leave out its side.
const TURN_COLOR: Arg = COLOR.arity(Arity::IfMatching);

const MOVE: Arg = arg("move", ArgType::Move);

const LAYER: Arg = arg("layer", ArgType::Integer(0, 65535));

/// `play`, the commands that variants declare for their turns, and the rest.
pub fn group() -> CommandGroup {
    let mut commands = COMMANDS.to_vec();
    let turns = worded_kinds().into_iter().map(|(kind, variants)| {
        let summary = format!("{} (`{}`)", kind.help, variants.join("`, `")).leak();
        CommandSpec::turn(kind.word, turn_args(kind), summary)
    });
    commands.splice(1..1, turns);
    CommandGroup { title: "Play", commands: commands.leak() }
}

fn turn_args(kind: &StepKindInfo) -> &'static [Arg] {
    const ON_LAYER: &[Arg] = &[TURN_COLOR, LAYER, VERTEX];
    const ONE: &[Arg] = &[TURN_COLOR, VERTEX];
    const SEVERAL: &[Arg] = &[TURN_COLOR, VERTEX.many()];
    match (kind.on_layer, kind.length) {
        (true, _) => ON_LAYER,
        (false, TurnLength::One) => ONE,
        (false, TurnLength::Exact | TurnLength::Several) => SEVERAL,
    }
}

const COMMANDS: &[CommandSpec] = &[
    CommandSpec::new(
        "play",
        &[COLOR, MOVE, VERTEX.any()],
        "plays a vertex, `pass` or `resign`. In games whose turns have several stones, several \
            vertices are a whole turn; the last one again ends a turn that could go on (`play B D4 \
            D4`). Either colour may play at any time. After the end of a final game a pass changes \
            nothing, and `undo` takes such passes back first. Fails with `illegal move:` and the \
            reason of `kawari-explain`. Gomill gets `illegal move` without the reason",
        play,
    )
    .effect(Effect::Plays),
    CommandSpec::new(
        "genmove",
        &[COLOR],
        "searches, plays, and returns one vertex, `pass` or `resign`. Returns `pass` if the game \
            is finished or the other side is in the middle of its turn. After `resign` the client \
            may play on",
        |session, args| {
            let color = args.take()?;
            let mut live = GraphicsObserver::new(session, color);
            genmove::play(session, color, &[], &mut live)
        },
    )
    .effect(Effect::GeneratesMove),
    CommandSpec::new("reg_genmove", &[COLOR], "as `genmove`, without playing", |session, args| {
        let color = args.take()?;
        let mut live = GraphicsObserver::new(session, color);
        genmove::search(session, color, &[], false, &mut live)
    }),
    CommandSpec::new(
        "kawari-genturn",
        &[COLOR],
        "searches, plays a whole turn and returns the written turn (`grow D4 E5`), or `resign`",
        |session, args| Ok(genmove::play_turn(session, args.take()?)?.0),
    )
    .effect(Effect::GeneratesMove),
    CommandSpec::new(
        "kawari-genturn_analyze",
        &[COLOR],
        "as `kawari-genturn`, but returns `info move TURN visits N winrate X scoreLead X` (from the \
            point of view of COLOR) if a search chose the turn, and then `play TURN`",
        |session, args| {
            let (turn, choice) = genmove::play_turn(session, args.take()?)?;
            Ok(analyze::whole_turn(&turn, choice.as_ref()))
        },
    )
    .effect(Effect::GeneratesMove),
    CommandSpec::new(
        "undo",
        &[],
        "takes back the client's last turn, step of a turn, or resignation, and a later \
            resignation of the engine. Fails with `cannot undo` at the start",
        |session, _| undo(session, 1),
    )
    .effect(Effect::Undoes),
    CommandSpec::new(
        "kawari-undo-typed",
        &[],
        "encoding `sabaki`: takes back the last typed turn and forgets it. Fails with `cannot \
            undo` after a later move",
        |session, _| {
            session.undo_typed().map_err(|_| Failure::NoTypedTurn)?;
            done()
        },
    )
    .effect(Effect::Undoes),
    CommandSpec::new(
        "gg-undo",
        &[arg("times", COUNT).optional()],
        "takes back TIMES turns (default: 1), as `undo`, or no turn if there are fewer",
        |session, args| undo(session, args.take::<Option<_>>()?.unwrap_or(1)),
    )
    .effect(Effect::Undoes),
];

/// The error for `args` of a command whose move begins with the word of a kind of turn, such as
/// `w nuke D4`: that turn is a command of its own.
pub fn turn_by_command(session: &Session, args: &str, word: &str) -> Option<SyntaxError> {
    session.game().info().step_kinds().find(|(_, kind)| kind.word == word)?;
    let (color, turn) = args.trim().split_once(char::is_whitespace)?;
    let places = turn.trim_start().strip_prefix(word)?.trim_start();
    let places = if places.is_empty() { "…" } else { places };
    let why = format!("{word} is a command of its own: use `{word} {color} {places}`");
    Some(SyntaxError::Other(why))
}

fn play(session: &mut Session, args: &mut Values<'_>) -> Reply {
    let words: Vec<&str> = args.words().collect();
    let (color, played) = (args.take()?, args.take()?);
    let kind = session.game().info().kind(StepKind::STONE);
    match (played, words.as_slice()) {
        (_, [_, _, surplus, ..]) if !kind.is_some_and(StepKindInfo::is_several) => {
            Err(SyntaxError::surplus(surplus).into())
        }
        (MoveArg::At(_), [_, turn @ ..]) if turn.len() > 1 => play_written(session, color, turn),
        _ => {
            let played = play_move(session, color, played);
            played.map_err(|failure| match failure {
                Failure::Forbidden(Illegal::OffBoard) => off_shown_board(session, words.get(1)),
                failure => failure,
            })?;
            done()
        }
    }
}

/// The failure of a vertex that the board of the encoding does not have.
fn off_shown_board(session: &Session, vertex: Option<&&str>) -> Failure {
    let codec = session.codec();
    let (width, height) = (codec.display().width(), codec.display().height());
    let vertex = vertex.copied().unwrap_or("the vertex");
    Failure::OffBoard(format!("{vertex} is off this {width}x{height} board"))
}

pub(super) fn play_move(
    session: &mut Session,
    color: Color,
    played: MoveArg,
) -> Result<(), Failure> {
    session.check_length()?;
    session.play_on(|session| {
        let played = match played {
            MoveArg::Pass => session.pass(color),
            MoveArg::Resign => session.resign(color),
            MoveArg::OffBoard => Err(Illegal::OffBoard),
            MoveArg::At(_) if session.client.has_no_rules && color != session.game().to_move() => {
                log::warn!(target: REFUSED, "illegal move: out of turn");
                return Err(Failure::OutOfTurn);
            }
            MoveArg::At(vertex) => session.play_at(color, vertex),
        };
        played.map_err(illegal)
    })
}

/// Carries out a command with the name of the turn that it plays.
///
/// In a terminal, and for a client with a move list of its own, the colour may be missing: the
/// default is the side to move.
pub(super) fn written_turn(
    session: &mut Session,
    word: &'static str,
    args: &mut Values<'_>,
) -> Reply {
    let by_hand = session.client_board().is_some() || session.settings.terminal;
    let written_color: Option<Color> = args.take()?;
    let color = match written_color {
        None if by_hand => session.game().to_move(),
        color => color.ok_or_else(|| COLOR.missing())?,
    };
    let points = args.words().skip(usize::from(written_color.is_some()));
    let words: Vec<&str> = std::iter::once(word).chain(points).collect();
    play_written(session, color, &words)
}

fn play_written(session: &mut Session, color: Color, words: &[&str]) -> Reply {
    let action =
        session.game().parse_words(words).map_err(|error| no_turn(session, words, error))?;
    session.play_on(|session| session.play_action(color, &action)).map_err(illegal)?;
    done()
}

/// The failure of words that are not a turn.
fn no_turn(session: &Session, words: &[&str], error: TurnError) -> Failure {
    /// Longer words are not repeated.
    const MOST: usize = 100;
    let is_short = words.iter().map(|word| word.len()).sum::<usize>() <= MOST;
    match error {
        error if is_short => {
            let why = session.game().turn_error(words, error);
            log::warn!(target: REFUSED, "illegal move: {why}");
            match error {
                TurnError::Syntax => Failure::NoTurn(why),
                TurnError::OffBoard => Failure::OffBoard(why),
            }
        }
        error => illegal(error.into()),
    }
}

fn undo(session: &mut Session, times: usize) -> Reply {
    session.undo(times).map_err(|_| Failure::CannotUndo)?;
    done()
}
