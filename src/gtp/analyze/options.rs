//! The options of an analysis command.

use super::report_words::Format;
use crate::board::Color;
use crate::encoding::{Vertex, VertexCodec};
use crate::gtp::arguments::{self, Arg, ArgType, COUNT, SyntaxError, Values, arg};
use crate::gtp::request::Args;
use crate::gtp::session::illegal;
use crate::gtp::{Failure, Session, joined, search_runner};
use crate::playing::analysis_report::ReportOptions;
use crate::rules::parse_color;
use crate::search::Restriction;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisOptions {
    pub format: Format,
    pub codec: VertexCodec,
    pub color: Color,
    /// Time between two lines; `None` for one line at the end.
    pub interval: Option<Duration>,
    pub restrictions: Vec<Restriction>,
    pub report: ReportOptions,
    pub root: bool,
}

const MIN_INTERVAL: Duration = Duration::from_millis(10);

impl AnalysisOptions {
    pub const INTERVAL: Duration = Duration::from_secs(1);

    pub fn new(session: &Session, format: Format, color: Color) -> AnalysisOptions {
        AnalysisOptions {
            format,
            codec: session.codec(),
            color,
            interval: None,
            restrictions: Vec::new(),
            report: ReportOptions { ownership: format == Format::Cgos, ..ReportOptions::default() },
            root: false,
        }
    }

    pub fn parse(
        session: &Session,
        format: Format,
        text: Option<&str>,
    ) -> Result<AnalysisOptions, Failure> {
        let mut options = AnalysisOptions::new(session, format, session.game().to_move());
        let mut words = Args::new(text.unwrap_or_default());
        let mut color = None;
        loop {
            let mut ahead = words.clone();
            let Some(word) = ahead.next() else {
                break;
            };
            if word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
                options.set_interval(arguments::read(&INTERVAL, &mut words)?)?;
            } else if let (Some(found), None) = (parse_color(word), color) {
                color = Some(found);
                words = ahead;
            } else {
                let key = KEYS
                    .iter()
                    .find(|key| key.name.eq_ignore_ascii_case(word))
                    .ok_or_else(|| unknown_key(word))?;
                words = ahead;
                let mut values = arguments::read_list(key.args, &mut words)?;
                (key.set)(&mut options, &mut values)?;
            }
        }
        options.color = color.unwrap_or(options.color);
        session.game().check_side(options.color).map_err(illegal)?;
        options.check_restrictions(session)?;
        let default = session.settings.analysis_moves.max(options.report.min_moves);
        options.report.max_moves.get_or_insert(default);
        Ok(options)
    }

    pub fn wants_move_ownership(&self) -> bool {
        self.report.wants_move_ownership() && self.format == Format::Kata
    }

    fn check_restrictions(&self, session: &Session) -> Result<(), Failure> {
        let color = self.color;
        let leaves = |lists: &[Restriction]| search_runner::leaves_moves(session, color, lists);
        match self.restrictions.as_slice() {
            [] => Ok(()),
            lists if leaves(lists) || !leaves(&[]) => Ok(()),
            _ => Err("avoid and allow leave no legal move".into()),
        }
    }

    fn set_interval(&mut self, hundredths: f64) -> Result<(), Failure> {
        let time = Duration::try_from_secs_f64(hundredths / 100.0)
            .map_err(|_| INTERVAL.malformed(&hundredths.to_string()))?;
        self.interval = Some(time.max(MIN_INTERVAL));
        Ok(())
    }

    /// Adds points that one side avoids or, with `only`, must choose from.
    fn restrict(&mut self, only: bool, values: &mut Values<'_>) -> Result<(), Failure> {
        let (color, vertices, depth): (_, &str, _) =
            (values.take()?, values.take()?, values.take()?);
        let mut restriction =
            Restriction { color, points: Vec::new(), steps: Vec::new(), pass: false, only, depth };
        for word in vertices.split(',') {
            if word.eq_ignore_ascii_case("pass") {
                restriction.pass = true;
                continue;
            }
            let point = Vertex::parse(word)
                .ok()
                .map(|vertex| self.codec.point(vertex))
                .and_then(Result::ok)
                .ok_or_else(|| VERTICES.malformed(word))?;
            restriction.points.push(point);
        }
        self.restrictions.push(restriction);
        Ok(())
    }
}

pub struct AnalysisKey {
    pub name: &'static str,
    pub args: &'static [Arg],
    pub summary: &'static str,
    set: Setter,
}

type Setter = fn(&mut AnalysisOptions, &mut Values<'_>) -> Result<(), Failure>;

impl AnalysisKey {
    const fn flag(name: &'static str, summary: &'static str, set: Setter) -> AnalysisKey {
        AnalysisKey { name, args: &[FLAG], summary, set }
    }
}

const INTERVAL: Arg = arg("interval", ArgType::Number);
const COLOR: Arg = arg("color", ArgType::Color);
const VERTICES: Arg = arg("vertices", ArgType::Word("points of the board, separated by commas"));
const DEPTH: Arg = arg("depth", ArgType::Integer(1, i128::MAX));
const FLAG: Arg = arg("flag", ArgType::OneOf(&["true", "false", "t", "f", "1", "0"]));

pub static KEYS: &[AnalysisKey] = &[
    AnalysisKey {
        name: "interval",
        args: &[INTERVAL],
        summary: "interval between lines in hundredths of a second",
        set: |options, values| options.set_interval(values.take()?),
    },
    AnalysisKey {
        name: "minmoves",
        args: &[arg("moves", COUNT)],
        summary: "reports at least MOVES legal moves; moves without visits are last, by prior, \
            with the values of the root and an `lcb` of 0",
        set: |options, values| values.take().map(|moves| options.report.min_moves = moves),
    },
    AnalysisKey {
        name: "maxmoves",
        args: &[arg("moves", ArgType::Integer(1, i128::MAX))],
        summary: "reports at most MOVES moves (default: the greater of the parameter \
            `analysis_moves` and `minmoves`)",
        set: |options, values| values.take().map(|moves| options.report.max_moves = Some(moves)),
    },
    AnalysisKey {
        name: "avoid",
        args: &[COLOR, VERTICES, DEPTH],
        summary: "COLOR does not play on these points in the first DEPTH moves",
        set: |options, values| options.restrict(false, values),
    },
    AnalysisKey {
        name: "allow",
        args: &[COLOR, VERTICES, DEPTH],
        summary: "COLOR plays only on these points in the first DEPTH moves; several lists of a \
            colour add up. Fails if the lists leave the side to move no legal move",
        set: |options, values| options.restrict(true, values),
    },
    AnalysisKey::flag(
        "pvVisits",
        "adds `pvVisits N…` after each principal variation: the visits of its moves",
        |options, values| values.take().map(|on| options.report.pv_visits = on),
    ),
    AnalysisKey::flag(
        "pvEdgeVisits",
        "adds `pvEdgeVisits N…`, the same numbers as `pvVisits`",
        |options, values| values.take().map(|on| options.report.pv_edge_visits = on),
    ),
    AnalysisKey::flag(
        "rootInfo",
        "adds `rootInfo visits N utility X … rawStWrError X rawStScoreError X`: values of the root, \
                  and the standard deviations of its win rate and margin (`kata-` only)",
        |options, values| values.take().map(|on| options.root = on),
    ),
    AnalysisKey::flag(
        "ownership",
        "adds `ownership X…`: the ownership of each point, 1 (COLOR) to -1 (the other side), row \
            by row from the top left, 0 outside the board: a mean over the playouts or evaluations \
            of the first thread (`kata-` only)",
        |options, values| values.take().map(|on| options.report.ownership = on),
    ),
    AnalysisKey::flag(
        "ownershipStdev",
        "adds `ownershipStdev X…`: the standard deviation of the ownership (`kata-` only)",
        |options, values| values.take().map(|on| options.report.ownership_stdev = on),
    ),
    AnalysisKey::flag(
        "movesOwnership",
        "adds `movesOwnership X…` for each move with playouts in this search: the ownership after \
            the move (`kata-` only)",
        |options, values| values.take().map(|on| options.report.moves_ownership = on),
    ),
    AnalysisKey::flag(
        "movesOwnershipStdev",
        "adds `movesOwnershipStdev X…`: the standard deviation of `movesOwnership` (`kata-` only)",
        |options, values| values.take().map(|on| options.report.moves_ownership_stdev = on),
    ),
    AnalysisKey::flag("noResultValue", "accepted and ignored: every game has a result", |_, _| {
        Ok(())
    }),
];

fn unknown_key(found: &str) -> SyntaxError {
    if parse_color(found).is_some() {
        return SyntaxError::surplus(found);
    }
    let expected =
        format!("a colour, a number or one of {}", joined(KEYS.iter().map(|key| key.name), ", "));
    SyntaxError::malformed("key", expected, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Settings;
    use crate::rules::{Setup, variant};

    fn ask(text: &str) -> Result<AnalysisOptions, Failure> {
        let setup = Setup::new(variant("go").expect("a variant"));
        let session = Session::new(setup, Settings::default()).expect("a valid setup");
        AnalysisOptions::parse(&session, Format::Kata, Some(text))
    }

    fn plain(text: &str) -> (Color, Option<u64>) {
        let options = ask(text).expect("a good request");
        let ms = options.interval.map(|time| time.as_millis() as u64);
        (options.color, ms)
    }

    #[test]
    fn colour_and_interval_in_any_order() {
        let (black, white) = (Color::Black, Color::White);
        assert_eq!(plain(""), (black, None));
        assert_eq!(plain("50"), (black, Some(500)));
        assert_eq!(plain("W 50"), (white, Some(500)));
        assert_eq!(plain("50 white"), (white, Some(500)));
        assert_eq!(plain("w interval 100"), (white, Some(1000)));
        assert_eq!(plain("interval 2.5 b"), (black, Some(25)));
        assert_eq!(plain("0"), (black, Some(10)), "the shortest");
    }

    #[test]
    fn keys_ignore_case() {
        let options = ask("rootInfo true W 50 ownership true minmoves 3 maxmoves 7 pvVisits true")
            .expect("a good request");
        let moves = (options.report.min_moves, options.report.max_moves);
        assert_eq!((options.color, moves), (Color::White, (3, Some(7))));
        let ReportOptions { ownership, ownership_stdev, pv_visits, .. } = options.report;
        assert!(options.root && ownership && pv_visits && !ownership_stdev);
    }

    #[test]
    fn avoid_and_allow_are_parsed() {
        let options = ask("avoid b D4,pass,q16 5 50 allow W A1 1").expect("a good request");
        let [avoid, allow] = options.restrictions.as_slice() else {
            panic!("{:?}", options.restrictions);
        };
        assert_eq!((avoid.color, avoid.depth), (Color::Black, 5));
        assert!(avoid.pass && !avoid.only && avoid.points.len() == 2);
        assert_eq!((allow.color, allow.depth), (Color::White, 1));
        assert!(!allow.pass && allow.only && allow.points.len() == 1);
    }
}
