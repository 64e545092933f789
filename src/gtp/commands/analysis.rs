//! What the engine thinks, shown while it thinks.

use super::{done, optional_color};
use crate::gtp::analysis::{Ask, Format, Purpose, Stream};
use crate::gtp::request::Args;
use crate::gtp::table::{
    CommandGroup, CommandSpec,
    Handler::{self, Immediate},
};
use crate::gtp::think::{Nobody, Patience};
use crate::gtp::{Failure, Reply, Session, genmove};

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Analysis",
    commands: &[
        CommandSpec {
            name: "lz-analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "thinks until any line arrives, an empty one too, which then is carried out. \
                Answers at once, and then a line every N hundredths of a second (100): `info move V \
                visits N winrate N prior N lcb N order N pv V…` for each move, the best first, values \
                out of 10000 as C sees them. The keys are below",
            handler: Handler::Stream(|session, args| show(session, Format::Leela, args)),
        },
        CommandSpec {
            name: "kata-analyze",
            args: "[C] [N] [KEY VALUE]…",
            summary: "the same, with fractions: `info move V visits N utility X winrate X scoreMean X \
                scoreStdev X scoreLead X prior X lcb X order N pv V…`, and what the keys add",
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
                at the end, and then `play V`. No line from the client cuts it short",
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
            summary: "as `kata-genmove_analyze`, but the move is not played and no clock runs",
            handler: Handler::Stream(|session, args| choose(session, Format::Kata, SEARCH, args)),
        },
        CommandSpec {
            name: "kata-search_analyze_cancellable",
            args: "[C] [N] [KEY VALUE]…",
            summary: "the same until any line arrives, an empty one too, which then is carried out: \
                `play cancelled` says that it came first",
            handler: Handler::Stream(|session, args| choose(session, Format::Kata, BRIEF, args)),
        },
        CommandSpec {
            name: "kata-search",
            args: "[C]",
            summary: "as `reg_genmove`; for the side to move if no colour is given",
            handler: Immediate(|session, args| search(session, Patience::Endless, args)),
        },
        CommandSpec {
            name: "kata-search_cancellable",
            args: "[C]",
            summary: "the same until any line arrives, an empty one too, which then is carried out: \
                `cancelled` says that it came first",
            handler: Immediate(|session, args| search(session, Patience::UntilALine, args)),
        },
        CommandSpec {
            name: "stop",
            args: "",
            summary: "nothing: any line ends an analysis or thinking on the opponent's time",
            handler: Immediate(|_, _| done()),
        },
        CommandSpec {
            name: "clear_cache",
            args: "",
            summary: "forgets all that was thought so far",
            handler: Immediate(|session, _| {
                session.forget();
                done()
            }),
        },
    ],
};

const PLAY: Purpose = Purpose::Play;
const SEARCH: Purpose = Purpose::Search(Patience::Endless);
const BRIEF: Purpose = Purpose::Search(Patience::UntilALine);

fn show(session: &mut Session, format: Format, args: &mut Args<'_>) -> Result<Stream, Failure> {
    let mut ask = Ask::parse(session, format, args)?;
    ask.interval = ask.interval.or(Some(Ask::INTERVAL));
    let purpose = Purpose::Show;
    Ok(Stream { ask, purpose })
}

fn choose(
    session: &mut Session,
    format: Format,
    purpose: Purpose,
    args: &mut Args<'_>,
) -> Result<Stream, Failure> {
    let ask = Ask::parse(session, format, args)?;
    Ok(Stream { ask, purpose })
}

fn search(session: &mut Session, patience: Patience, args: &mut Args<'_>) -> Reply {
    let color = optional_color(args)?.unwrap_or(session.game().to_move());
    args.end()?;
    genmove::search(session, color, &[], patience, &mut Nobody)
}
