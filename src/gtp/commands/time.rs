//! Time systems and clocks.

use super::{COLOR, done};
use crate::board::Color;
use crate::clock::{Clocks, KATA_SYSTEMS, TimeError, TimeSystem};
use crate::gtp::arguments::{Arg, ArgType, COUNT, INTEGER, SyntaxError, arg};
use crate::gtp::table::{CommandGroup, CommandSpec};
use crate::gtp::{Reply, Session};

const KGS_SYSTEMS: &[&str] = &["none", "absolute", "canadian", "byoyomi"];

/// Stones or periods left. Some clients send -1 without overtime.
const STONES_LEFT: Arg = arg("stones", INTEGER);

const TIMES: Arg = arg("time", ArgType::Word("seconds or a count")).any();

pub const GROUP: CommandGroup = CommandGroup {
    title: "Time",
    commands: &[
        CommandSpec::new(
            "time_settings",
            &[
                arg("main-time", ArgType::Number),
                arg("byo-yomi-time", ArgType::Number),
                arg("byo-yomi-stones", COUNT),
            ],
            "sets main time and byo-yomi time in seconds, and byo-yomi stones (Canadian). \
                Byo-yomi time 0 means absolute time; byo-yomi time with 0 stones means no limit",
            |session, args| {
                set(session, TimeSystem::from_gtp(args.take()?, args.take()?, args.take()?))
            },
        ),
        CommandSpec::new(
            "time_left",
            &[COLOR, arg("seconds", ArgType::Number), STONES_LEFT],
            "sets the remaining seconds and stones (or periods) of this side. Without time \
                settings, SECONDS is all the remaining time, and the log has a warning",
            |session, args| time_left(session, args.take()?, args.take()?, args.take()?),
        ),
        CommandSpec::new(
            "kgs-time_settings",
            &[arg("system", ArgType::OneOf(KGS_SYSTEMS)), TIMES],
            "sets a time system by name; `byoyomi` takes main time, period time and the \
                number of periods",
            |session, args| set_named_system(session, args.take()?, args.take()?),
        ),
        CommandSpec::new(
            "kata-time_settings",
            &[arg("system", ArgType::OneOf(KATA_SYSTEMS)), TIMES],
            "as `kgs-time_settings`, and `fischer` (main time, increment) and `fischer-capped` (main time, \
                increment, limit of the main time, limit per move)",
            |session, args| set_named_system(session, args.take()?, args.take()?),
        ),
        CommandSpec::new(
            "kata-list_time_settings",
            &[],
            "returns the time systems that `kata-time_settings` accepts",
            |_, _| Ok(KATA_SYSTEMS.join(" ")),
        ),
    ],
};

fn time_left(session: &mut Session, color: Color, seconds: f64, stones: u32) -> Reply {
    match session.clocks.system() {
        None if session.clocks.get(color).limit().is_none() => {
            log::warn!("time_left before any time settings: it counts as all the remaining time");
        }
        Some(TimeSystem::None) => {
            log::warn!("time_left is ignored: the time settings have no limit");
        }
        _ => {}
    }
    session.clocks.set_remaining(color, seconds, stones);
    done()
}

fn set_named_system(session: &mut Session, system: &str, times: Vec<&str>) -> Reply {
    let words: Vec<_> = std::iter::once(system).chain(times).collect();
    set(session, TimeSystem::from_words(&words))
}

fn set(session: &mut Session, system: Result<TimeSystem, TimeError>) -> Reply {
    let system = system.map_err(|error| SyntaxError::Other(error.to_string()))?;
    session.clocks = Clocks::new(system);
    done()
}
