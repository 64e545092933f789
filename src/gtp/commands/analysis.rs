//! Analysis commands.

use super::{done, optional_color};
use crate::gtp::analysis::{AnalysisOptions, Format, Purpose, Stream};
use crate::gtp::protocol::args::Args;
use crate::gtp::search_runner::{NoObserver, StopCondition};
use crate::gtp::table::{
    CommandGroup, CommandSpec,
    Handler::{self, Immediate},
};
use crate::gtp::{Failure, Reply, Session, genmove};

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Analysis",
    commands: &[
        CommandSpec {
            name: "lz-analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "searches until any line arrives, an empty one too, which is then executed. Answers at \
                once, and then writes a line every N hundredths of a second (100): `info move V \
                visits N winrate N prior N lcb N order N pv V…` for each move, the best first, values \
                out of 10000 from the point of view of C. The keys are below",
            handler: Handler::Stream(|session, args| show(session, Format::Leela, args)),
        },
        CommandSpec {
            name: "kata-analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "the same with fractions: `info move V visits N utility X winrate X scoreMean X \
                scoreStdev X scoreLead X prior X lcb X order N pv V…`, and the fields that the keys add",
            handler: Handler::Stream(|session, args| show(session, Format::Kata, args)),
        },
        CommandSpec {
            name: "analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "as `lz-analyze`, with `scoreLead X` after `winrate`",
            handler: Handler::Stream(|session, args| show(session, Format::Plain, args)),
        },
        CommandSpec {
            name: "lz-genmove_analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "`genmove`, with the lines of `lz-analyze` every N hundredths of a second (none) and \
                at the end, and then `play V`. No line from the client ends the search early",
            handler: Handler::Stream(|session, args| choose(session, Format::Leela, PLAY, args)),
        },
        CommandSpec {
            name: "kata-genmove_analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "the same with the lines of `kata-analyze`",
            handler: Handler::Stream(|session, args| choose(session, Format::Kata, PLAY, args)),
        },
        CommandSpec {
            name: "genmove_analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "the same with the lines of `analyze`",
            handler: Handler::Stream(|session, args| choose(session, Format::Plain, PLAY, args)),
        },
        CommandSpec {
            name: "kata-search_analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "as `kata-genmove_analyze`, but without playing the move and without a clock",
            handler: Handler::Stream(|session, args| choose(session, Format::Kata, SEARCH, args)),
        },
        CommandSpec {
            name: "kata-search_analyze_cancellable",
            args: "[C] [N] [KEY VALUE]…",
            summary: "the same, but any line ends it, an empty one too, which is then executed; the \
                response ends with `play cancelled` then",
            handler: Handler::Stream(|session, args| {
                choose(session, Format::Kata, CANCELLABLE, args)
            }),
        },
        CommandSpec {
            name: "kata-search",
            args: "[C]",
            summary: "as `reg_genmove`; for the side to move if no colour is given",
            handler: Immediate(|session, args| search(session, StopCondition::Never, args)),
        },
        CommandSpec {
            name: "kata-search_cancellable",
            args: "[C]",
            summary: "the same, but any line ends it, an empty one too, which is then executed; the \
                response is `cancelled` then",
            handler: Immediate(|session, args| search(session, StopCondition::AnyInput, args)),
        },
        CommandSpec {
            name: "stop",
            args: "",
            summary: "accepted without effect: any line ends an analysis or pondering",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "clear_cache",
            args: "",
            summary: "clears the search tree",
            handler: Immediate(|session, _| {
                session.clear_cache();
                done()
            }),
        },
    ],
};

const PLAY: Purpose = Purpose::Play;
const SEARCH: Purpose = Purpose::Search(StopCondition::Never);
const CANCELLABLE: Purpose = Purpose::Search(StopCondition::AnyInput);

fn show(session: &mut Session, format: Format, args: &mut Args<'_>) -> Result<Stream, Failure> {
    let mut options = AnalysisOptions::parse(session, format, args)?;
    options.interval = options.interval.or(Some(AnalysisOptions::INTERVAL));
    let purpose = Purpose::Show;
    Ok(Stream { options, purpose })
}

fn choose(
    session: &mut Session,
    format: Format,
    purpose: Purpose,
    args: &mut Args<'_>,
) -> Result<Stream, Failure> {
    let options = AnalysisOptions::parse(session, format, args)?;
    Ok(Stream { options, purpose })
}

fn search(session: &mut Session, stop_condition: StopCondition, args: &mut Args<'_>) -> Reply {
    let color = optional_color(args)?.unwrap_or(session.game().to_move());
    args.end()?;
    genmove::search(session, color, &[], stop_condition, &mut NoObserver)
}
