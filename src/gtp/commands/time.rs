//! Time systems and clocks.

use super::{color, done, whole};
use crate::clock::{Clocks, KATA_SYSTEMS, TimeError, TimeSystem};
use crate::gtp::protocol::args::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Reply, Session};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Time",
    commands: &[
        CommandSpec {
            name: "time_settings",
            args: "X X N",
            summary: "sets main time and byo-yomi time in seconds, and byo-yomi stones (Canadian). \
                Byo-yomi time 0 means absolute time; byo-yomi time with 0 stones means no limit",
            handler: Immediate(time_settings),
        },
        CommandSpec {
            name: "time_left",
            args: "C X N",
            summary: "sets the seconds and stones (or periods) that C has left, if the client keeps the \
                clock",
            handler: Immediate(time_left),
        },
        CommandSpec {
            name: "kgs-time_settings",
            args: "none \\| absolute X \\| canadian X X N \\| byoyomi X X N",
            summary: "sets a time system by name; `byoyomi` takes main time, period time and the number \
                of periods",
            handler: Immediate(|session, args| named(session, args, TimeSystem::from_kgs)),
        },
        CommandSpec {
            name: "kata-time_settings",
            args: "… \\| fischer X X \\| fischer-capped X X X X",
            summary: "the same, and `fischer` (main time, increment) and `fischer-capped` (main time, \
                increment, limit of the main time, limit per move)",
            handler: Immediate(|session, args| named(session, args, TimeSystem::from_kata)),
        },
        CommandSpec {
            name: "kata-list_time_settings",
            args: "",
            summary: "answers the time systems that `kata-time_settings` accepts",
            handler: Immediate(|_, _| Ok(KATA_SYSTEMS.join(" "))),
        },
    ],
};

fn time_settings(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let (main, period, stones) = (args.float()?, args.float()?, args.int(0..=u32::MAX)?);
    args.end()?;
    session.clocks = Clocks::new(TimeSystem::from_gtp(main, period, stones)?);
    done()
}

fn time_left(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let (color, seconds) = (color(args)?, args.float()?);
    // Some clients send -1 if there are no stones or periods to count.
    let stones = u32::try_from(whole(args.word()?)?.max(0)).unwrap_or(u32::MAX);
    args.end()?;
    session
        .clocks
        .side_mut(color as usize)
        .set_left(seconds, stones);
    done()
}

fn named(
    session: &mut Session,
    args: &mut Args<'_>,
    read: fn(&[&str]) -> Result<TimeSystem, TimeError>,
) -> Reply {
    let words: Vec<_> = args.collect();
    session.clocks = Clocks::new(read(&words)?);
    done()
}
