//! What servers and tournament programs ask.

use super::{color, done};
use crate::board::{Color, Point};
use crate::gtp::analysis::{Ask, Format, Purpose, Stream};
use crate::gtp::request::Args;
use crate::gtp::table::{
    CommandGroup, CommandSpec,
    Handler::{self, Immediate},
};
use crate::gtp::think::Nobody;
use crate::gtp::{Failure, Reply, Session, genmove, process};
use crate::search::{Restriction, statuses};

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Servers and tournaments",
    commands: &[
        CommandSpec {
            name: "cgos-genmove_analyze",
            args: "C",
            summary: "`genmove`; one line of JSON (win rate, score, visits, moves, ownership as one \
                character a point), then `play V`",
            handler: Handler::Stream(cgos_genmove),
        },
        CommandSpec {
            name: "cgos-opponent_name",
            args: "[NAME]",
            summary: "heard, not used",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "cgos-opponent_rating",
            args: "[RATING]",
            summary: "heard, not used",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "cgos-gameover",
            args: "[…]",
            summary: "heard, not used",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "kgs-genmove_cleanup",
            args: "C",
            summary: "`genmove`, without passing while stones of the other side stand that \
                `final_status_list` calls dead",
            handler: Immediate(cleanup),
        },
        CommandSpec {
            name: "kgs-game_over",
            args: "",
            summary: "heard, not used",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "gomill-describe_engine",
            args: "",
            summary: "what plays, and with what settings",
            handler: Immediate(describe),
        },
        CommandSpec {
            name: "gomill-explain_last_move",
            args: "",
            summary: "what was thought of the latest move of the engine; empty if there is none",
            handler: Immediate(explain),
        },
        CommandSpec {
            name: "gomill-genmove_ex",
            args: "[C KEYWORD…]",
            summary: "`genmove`; no keyword is known, so without arguments an empty list",
            handler: Immediate(genmove_ex),
        },
        CommandSpec {
            name: "gomill-cpu_time",
            args: "",
            summary: "processor seconds used so far, by all threads together",
            handler: Immediate(cpu_time),
        },
        CommandSpec {
            name: "cputime",
            args: "",
            summary: "the same",
            handler: Immediate(cpu_time),
        },
    ],
};

fn cgos_genmove(session: &mut Session, args: &mut Args<'_>) -> Result<Stream, Failure> {
    let color = color(args)?;
    args.end()?;
    let mut ask = Ask::new(session, Format::Cgos, color);
    ask.ownership = true;
    let purpose = Purpose::Play;
    Ok(Stream { ask, purpose })
}

fn cleanup(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = color(args)?;
    args.end()?;
    let restrictions = match has_dead_enemies(session, color) {
        true => vec![no_pass(color)],
        false => Vec::new(),
    };
    genmove::play(session, color, &restrictions, &mut Nobody)
}

fn has_dead_enemies(session: &Session, color: Color) -> bool {
    let game = session.game();
    let is_enemy = |point: &Point| game.cell(*point).color() == Some(!color);
    let dead = statuses(game, session.seed()).dead;
    dead.iter().any(|group| group.first().is_some_and(is_enemy))
}

fn no_pass(color: Color) -> Restriction {
    Restriction {
        color,
        points: Vec::new(),
        pass: true,
        only: false,
        depth: 1,
    }
}

fn describe(session: &mut Session, _: &mut Args<'_>) -> Reply {
    let settings = &session.settings;
    Ok(format!(
        "kawari {}: Monte-Carlo tree search for kinds of Go\n{}, {} threads, {} MB\n{}",
        env!("CARGO_PKG_VERSION"),
        session.game().info().summary,
        settings.threads,
        settings.memory,
        crate::gtp::params::all(settings),
    ))
}

fn explain(session: &mut Session, _: &mut Args<'_>) -> Reply {
    let Some((said, choice)) = &session.latest else {
        return done();
    };
    Ok(format!(
        "{said}: wins {:.1} of 100, margin {:+.1}, {} of {} playouts",
        100.0 * choice.win_rate,
        choice.margin,
        choice.visits,
        choice.playouts,
    ))
}

fn genmove_ex(session: &mut Session, args: &mut Args<'_>) -> Reply {
    if args.rest().is_empty() {
        return done();
    }
    let color = color(args)?;
    genmove::play(session, color, &[], &mut Nobody)
}

fn cpu_time(_: &mut Session, _: &mut Args<'_>) -> Reply {
    let time = process::cpu_time().ok_or(Failure::Other("no processor time"))?;
    Ok(format!("{:.3}", time.as_secs_f64()))
}
