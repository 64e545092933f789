//! Commands of servers and tournament programs: CGOS, KGS, Gomill.

use super::{color, done};
use crate::board::{Color, Point};
use crate::gtp::analysis::{AnalysisOptions, Format, Purpose, Stream};
use crate::gtp::protocol::args::Args;
use crate::gtp::search_runner::NoObserver;
use crate::gtp::table::{
    CommandGroup, CommandSpec,
    Handler::{self, Immediate},
};
use crate::gtp::{Failure, Reply, Session, genmove, process};
use crate::search::{Restriction, statuses};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Servers and tournaments",
    commands: &[
        CommandSpec {
            name: "cgos-genmove_analyze",
            args: "C",
            summary: "as `genmove`, but answers one line of JSON (win rate, score, visits, moves, \
                ownership as one character per point) and then `play V`",
            handler: Handler::Stream(cgos_genmove),
        },
        CommandSpec {
            name: "cgos-opponent_name",
            args: "[NAME]",
            summary: "accepted and ignored",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "cgos-opponent_rating",
            args: "[RATING]",
            summary: "accepted and ignored",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "cgos-gameover",
            args: "[…]",
            summary: "accepted and ignored",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "kgs-genmove_cleanup",
            args: "C",
            summary: "as `genmove`, but never passes while `final_status_list` reports dead stones of the \
                other side",
            handler: Immediate(cleanup),
        },
        CommandSpec {
            name: "kgs-game_over",
            args: "",
            summary: "accepted and ignored",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "gomill-describe_engine",
            args: "",
            summary: "answers the name of the engine and its settings",
            handler: Immediate(describe),
        },
        CommandSpec {
            name: "gomill-explain_last_move",
            args: "",
            summary: "answers win rate, score and visits of the engine's latest move; empty if there is \
                none",
            handler: Immediate(explain),
        },
        CommandSpec {
            name: "gomill-genmove_ex",
            args: "[C KEYWORD…]",
            summary: "as `genmove` if C is given; otherwise answers the supported keywords, an empty \
                list. Keywords are ignored",
            handler: Immediate(genmove_ex),
        },
        CommandSpec {
            name: "gomill-cpu_time",
            args: "",
            summary: "answers the processor time used by all threads, in seconds",
            handler: Immediate(cpu_time),
        },
        CommandSpec {
            name: "cputime",
            args: "",
            summary: "the same as `gomill-cpu_time`",
            handler: Immediate(cpu_time),
        },
    ],
};

fn cgos_genmove(session: &mut Session, args: &mut Args<'_>) -> Result<Stream, Failure> {
    let color = color(args)?;
    args.end()?;
    let mut options = AnalysisOptions::new(session, Format::Cgos, color);
    options.ownership = true;
    let purpose = Purpose::Play;
    Ok(Stream { options, purpose })
}

fn cleanup(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let color = color(args)?;
    args.end()?;
    let restrictions = match has_dead_stones(session, color) {
        true => vec![no_pass(color)],
        false => Vec::new(),
    };
    genmove::play(session, color, &restrictions, &mut NoObserver)
}

fn has_dead_stones(session: &Session, color: Color) -> bool {
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
        "kawari {}: Monte-Carlo tree search for variants of Go\n{}, {} threads, {} MB\n{}",
        env!("CARGO_PKG_VERSION"),
        session.game().info().summary,
        settings.threads,
        settings.memory,
        crate::gtp::params::all(settings),
    ))
}

fn explain(session: &mut Session, _: &mut Args<'_>) -> Reply {
    let Some((said, choice)) = &session.last_search else {
        return done();
    };
    Ok(format!(
        "{said}: win rate {:.1}%, score {:+.1}, {} of {} visits",
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
    genmove::play(session, color, &[], &mut NoObserver)
}

fn cpu_time(_: &mut Session, _: &mut Args<'_>) -> Reply {
    let time = process::cpu_time().ok_or(Failure::Other("cannot read the processor time"))?;
    Ok(format!("{:.3}", time.as_secs_f64()))
}
