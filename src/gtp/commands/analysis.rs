//! Analysis commands.

use super::{COLOR, done};
use crate::board::Color;
use crate::gtp::analyze::{Format, Purpose, Stream};
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
            "searches until the next line of input, even an empty line, and then executes this \
                line. Returns at once, and then writes a line every INTERVAL hundredths of a \
                second (default: 100): `info move V visits N winrate N prior N lcb N order N pv \
                V…` for each move, the best first. Values are out of 10000, from the point of view \
                of COLOR. They are means over the visits, including visits of earlier searches in \
                the same tree. `prior` is the probability of the move in the policy, `lcb` a lower \
                confidence bound of the win rate. A search with `avoid` or `allow` has a tree of \
                its own. The keys are below",
            |session, args| Stream::parse(session, Format::Leela, SHOW, args.take()?),
        ),
        CommandSpec::stream(
            "kata-analyze",
            &[OPTIONS],
            "as `lz-analyze`, with fractions: `info move V visits N utility X winrate X scoreMean \
                X scoreStdev X scoreLead X prior X lcb X order N pv V…`, and the fields that the \
                keys add. `utility` is twice the win rate less one. `scoreMean` and `scoreLead` \
                are the expected lead in points, `scoreStdev` its standard deviation. In a symmetric \
                position the search makes only one of the moves that are images of each other; \
                the others have its numbers and `isSymmetryOf V`",
            |session, args| Stream::parse(session, Format::Kata, SHOW, args.take()?),
        ),
        CommandSpec::stream(
            "lz-genmove_analyze",
            &[OPTIONS],
            "as `genmove`, but writes the lines of `lz-analyze` every INTERVAL hundredths of a \
                second (if given) and at the end, and then `play V`. No line from the client ends \
                the search early",
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
            "kata-search_analyze",
            &[OPTIONS],
            "as `kata-genmove_analyze`, but without playing the move and without a clock",
            |session, args| Stream::parse(session, Format::Kata, SEARCH, args.take()?),
        ),
        CommandSpec::stream(
            "kata-search_analyze_cancellable",
            &[OPTIONS],
            "as `kata-search_analyze`, but the next line of input, even an empty line, ends the \
                search; the response then ends with `play cancelled`. The engine executes this \
                line afterwards",
            |session, args| Stream::parse(session, Format::Kata, CANCELLABLE, args.take()?),
        ),
        CommandSpec::new(
            "kata-search",
            &[COLOR.optional()],
            "as `reg_genmove` (default: the side to move)",
            |session, args| search(session, false, args.take()?),
        ),
        CommandSpec::new(
            "kata-search_cancellable",
            &[COLOR.optional()],
            "as `kata-search`, but the next line of input, even an empty line, ends the search; \
                the response is then `cancelled`. The engine executes this line afterwards",
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
