//! Clocks.

use super::{color, done, whole};
use crate::gtp::clock::{Clocks, KATA_SYSTEMS, TimeError, TimeSystem};
use crate::gtp::request::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Reply, Session};

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Time",
    commands: &[
        CommandSpec {
            name: "time_settings",
            args: "X X N",
            summary: "main time, byo-yomi time in seconds, byo-yomi stones (canadian). Byo-yomi 0 is \
                absolute time; byo-yomi time with 0 stones is no limit",
            handler: Immediate(time_settings),
        },
        CommandSpec {
            name: "time_left",
            args: "C X N",
            summary: "the time and stones (or periods) left to C, if the client keeps the clock",
            handler: Immediate(time_left),
        },
        CommandSpec {
            name: "kgs-time_settings",
            args: "none \\| absolute X \\| canadian X X N \\| byoyomi X X N",
            summary: "the same, with the system named; `byoyomi`: main time, period, periods",
            handler: Immediate(|session, args| named(session, args, TimeSystem::from_kgs)),
        },
        CommandSpec {
            name: "kata-time_settings",
            args: "… \\| fischer X X \\| fischer-capped X X X X",
            summary: "also main time and increment, and limits of the main time and of a move",
            handler: Immediate(|session, args| named(session, args, TimeSystem::from_kata)),
        },
        CommandSpec {
            name: "kata-list_time_settings",
            args: "",
            summary: "the systems of `kata-time_settings`",
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
    // Some clients say -1 where there are no stones or periods to count.
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
