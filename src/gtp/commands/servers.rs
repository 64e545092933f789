//! Commands of servers and tournament programs: CGOS, KGS, Gomill.

use super::analysis::OPTIONS;
use super::{COLOR, done};
use crate::board::Color;
use crate::gtp::analyze::{Format, Purpose, Stream};
use crate::gtp::arguments::{Arg, ArgType, arg};
use crate::gtp::search_runner::NoObserver;
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Reply, Session, cleanup, genmove, process};

const IGNORED: Arg = arg("text", ArgType::Text("any text")).optional();

pub const GROUP: CommandGroup = CommandGroup {
    title: "Servers and tournaments",
    commands: &[
        CommandSpec::stream(
            "cgos-genmove_analyze",
            &[OPTIONS],
            "as `genmove`, but returns one line of JSON (win rate, score, visits, moves, ownership \
                as one character per point) and then `play V`. The arguments are those of \
                `lz-genmove_analyze`; with an interval, writes such a line every INTERVAL \
                hundredths of a second, too",
            |session, args| Stream::parse(session, Format::Cgos, Purpose::Play, args.take()?),
        )
        .effect(Effect::GeneratesMove),
        CommandSpec::ignored("cgos-opponent_name", &[IGNORED]),
        CommandSpec::ignored("cgos-opponent_rating", &[IGNORED]),
        CommandSpec::ignored("cgos-gameover", &[IGNORED]),
        CommandSpec::new(
            "kgs-genmove_cleanup",
            &[COLOR],
            "as `genmove`, but plays on, even after two passes, until it has captured every \
                opposing stone that `final_status_list` counts as dead; then it passes",
            |session, args| cleanup::play(session, args.take()?),
        )
        .effect(Effect::GeneratesMove),
        CommandSpec::ignored("kgs-game_over", &[]),
        CommandSpec::new(
            "gomill-describe_engine",
            &[],
            "returns the name of the engine and its settings",
            |session, _| describe(session),
        ),
        CommandSpec::new(
            "gomill-explain_last_move",
            &[],
            "returns win rate, score and visits of the engine's latest move, and the visits of all \
                moves, including visits of earlier searches in the same tree; empty before the \
                first move",
            |session, _| explain(session),
        )
        .menu(80, "string", "Explain Last Move", ""),
        CommandSpec::new(
            "gomill-genmove_ex",
            &[COLOR.optional(), arg("keyword", ArgType::Word("a keyword")).any()],
            "with COLOR, as `genmove`, ignoring keywords; otherwise returns the supported \
                keywords, an empty list",
            |session, args| genmove_ex(session, args.take()?),
        )
        .effect_with_arguments(Effect::GeneratesMove),
        CommandSpec::new(
            "gomill-cpu_time",
            &[],
            "returns the processor time of all threads in seconds",
            |_, _| cpu_time(),
        ),
        CommandSpec::new("cputime", &[], "as `gomill-cpu_time`", |_, _| cpu_time()),
    ],
};

fn describe(session: &mut Session) -> Reply {
    let settings = &session.settings;
    Ok(format!(
        "kawari {}: Monte-Carlo tree search for variants of Go\n{}, {} threads, {} MB\n{}",
        env!("CARGO_PKG_VERSION"),
        session.game().info().summary,
        settings.threads,
        settings.memory,
        crate::gtp::params::object(settings),
    ))
}

fn explain(session: &mut Session) -> Reply {
    let Some((said, choice)) = &session.last_search else {
        return done();
    };
    Ok(format!(
        "{said}: win rate {:.1}%, score {:+.1}, {} of {} visits",
        100.0 * choice.win_rate,
        choice.margin,
        choice.visits,
        choice.root_visits,
    ))
}

fn genmove_ex(session: &mut Session, color: Option<Color>) -> Reply {
    match color {
        None => done(),
        Some(color) => genmove::play(session, color, &[], &mut NoObserver),
    }
}

fn cpu_time() -> Reply {
    let time = process::cpu_time().ok_or("cannot read the processor time")?;
    Ok(format!("{:.3}", time.as_secs_f64()))
}
