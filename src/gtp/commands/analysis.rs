//! Analysis commands.

use super::{COLOR, done};
use crate::board::Color;
use crate::gtp::analysis::{Format, Purpose, Stream};
use crate::gtp::arguments::{Arg, ArgType, arg};
use crate::gtp::search_runner::NoObserver;
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Reply, Session, genmove};

pub(super) const OPTIONS: Arg =
    arg("options", ArgType::Text("a colour, an interval or keys")).optional();

pub const GROUP: CommandGroup = CommandGroup {
    title: "Analysis",
    commands: &[
        CommandSpec::stream(
            "lz-analyze",
            &[OPTIONS],
            "searches until any line arrives, an empty one too, which is then executed. \
                Answers at once, and then writes a line every INTERVAL hundredths of a second \
                (100): `info move V visits N winrate N prior N lcb N order N pv V…` for each \
                move, the best first, values out of 10000 from the point of view of COLOR: means \
                over the visits, which include those of earlier searches whose tree was kept. \
                `prior` is the share that the policy gives the move, `lcb` a lower confidence \
                bound of the win rate. Searches with `avoid` or `allow` begin with an empty tree \
                and leave none to other searches. The keys are below",
            |session, args| Stream::parse(session, Format::Leela, SHOW, args.take()?),
        ),
        CommandSpec::stream(
            "kata-analyze",
            &[OPTIONS],
            "as `lz-analyze` with fractions: `info move V visits N utility X winrate X scoreMean X \
                scoreStdev X scoreLead X prior X lcb X order N pv V…`, and the fields that the \
                keys add. `utility` is twice the win rate less one, `scoreMean` and `scoreLead` \
                are both the mean margin over the visits, `scoreStdev` is its standard deviation",
            |session, args| Stream::parse(session, Format::Kata, SHOW, args.take()?),
        ),
        CommandSpec::stream(
            "analyze",
            &[OPTIONS],
            "as `lz-analyze`, with `scoreLead X` after `winrate`",
            |session, args| Stream::parse(session, Format::Plain, SHOW, args.take()?),
        ),
        CommandSpec::stream(
            "lz-genmove_analyze",
            &[OPTIONS],
            "`genmove`, with the lines of `lz-analyze` every INTERVAL hundredths of a second \
                (if given) and at the end, and then `play V`. No line from the client ends the \
                search early",
            |session, args| Stream::parse(session, Format::Leela, PLAY, args.take()?),
        )
        .effect(Effect::GeneratesMove),
        CommandSpec::stream(
            "kata-genmove_analyze",
            &[OPTIONS],
            "as `lz-genmove_analyze` with the lines of `kata-analyze`",
            |session, args| Stream::parse(session, Format::Kata, PLAY, args.take()?),
        )
        .effect(Effect::GeneratesMove),
        CommandSpec::stream(
            "genmove_analyze",
            &[OPTIONS],
            "as `lz-genmove_analyze` with the lines of `analyze`",
            |session, args| Stream::parse(session, Format::Plain, PLAY, args.take()?),
        )
        .effect(Effect::GeneratesMove),
        CommandSpec::stream(
            "kata-search_analyze",
            &[OPTIONS],
            "as `kata-genmove_analyze`, but without playing the move and without a clock",
            |session, args| Stream::parse(session, Format::Kata, SEARCH, args.take()?),
        ),
        CommandSpec::stream(
            "kata-search_analyze_cancellable",
            &[OPTIONS],
            "the same, but any line ends it, an empty one too, which is then executed; the \
                response ends with `play cancelled` then",
            |session, args| Stream::parse(session, Format::Kata, CANCELLABLE, args.take()?),
        ),
        CommandSpec::new(
            "kata-search",
            &[COLOR.optional()],
            "as `reg_genmove`; for the side to move if no colour is given",
            |session, args| search(session, false, args.take()?),
        ),
        CommandSpec::new(
            "kata-search_cancellable",
            &[COLOR.optional()],
            "the same, but any line ends it, an empty one too, which is then executed; the \
                response is `cancelled` then",
            |session, args| search(session, true, args.take()?),
        ),
        CommandSpec::new(
            "stop",
            &[],
            "accepted without effect: any line ends an analysis or pondering",
            |_, _| done(),
        ),
        CommandSpec::new("clear_cache", &[], "clears the search tree", |session, _| {
            session.clear_cache();
            done()
        })
        .menu(170, "none", "Clear Search Tree", ""),
    ],
};

const SHOW: Purpose = Purpose::Show;
const PLAY: Purpose = Purpose::Play;
const SEARCH: Purpose = Purpose::Search { is_cancellable: false };
const CANCELLABLE: Purpose = Purpose::Search { is_cancellable: true };

fn search(session: &mut Session, is_cancellable: bool, color: Option<Color>) -> Reply {
    let color = color.unwrap_or(session.game().to_move());
    genmove::search(session, color, &[], is_cancellable, &mut NoObserver)
}
