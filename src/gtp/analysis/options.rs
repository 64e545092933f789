//! The options of an analysis, parsed from the arguments of its command.

use std::time::Duration;

use crate::board::Color;
use crate::encoding::{Vertex, VertexCodec};
use crate::gtp::protocol::args::{ArgError, Args};
use crate::gtp::{Failure, Session};
use crate::rules::parse_color;
use crate::search::Restriction;

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Leela Zero's: values as integers out of 10000.
    Leela,
    /// The same with `scoreLead`, in points.
    Plain,
    /// KataGo's: values as fractions, and more fields.
    Kata,
    /// CGOS: one line of JSON at the end.
    Cgos,
}

/// The options of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalysisOptions {
    /// Output format.
    pub format: Format,
    /// Converts moves to vertices.
    pub codec: VertexCodec,
    /// The side to move.
    pub color: Color,
    /// Time between two lines; none means only one line at the end.
    pub interval: Option<Duration>,
    /// Minimum (unvisited moves included) and maximum number of moves to show.
    pub moves: (usize, usize),
    /// Moves to avoid, or to allow alone.
    pub restrictions: Vec<Restriction>,
    /// Whether to report ownership.
    pub ownership: bool,
    /// Whether to report the standard deviation of ownership.
    pub ownership_stdev: bool,
    /// Whether to report ownership after each move.
    pub moves_ownership: bool,
    /// Whether to report its standard deviation.
    pub moves_ownership_stdev: bool,
    /// Whether to report visits along principal variations (`pvVisits`).
    pub pv_visits: bool,
    /// Whether to report them as `pvEdgeVisits` too.
    pub pv_edge_visits: bool,
    /// Whether to report the root (`rootInfo`).
    pub root: bool,
}

/// Minimum time between lines.
const SHORTEST: Duration = Duration::from_millis(10);

impl AnalysisOptions {
    /// Default time between lines.
    pub const INTERVAL: Duration = Duration::from_secs(1);

    /// The default options for a session and a side to move.
    pub fn new(session: &Session, format: Format, color: Color) -> AnalysisOptions {
        AnalysisOptions {
            format,
            codec: session.codec(),
            color,
            interval: None,
            moves: (0, session.settings.analysis_moves),
            restrictions: Vec::new(),
            ownership: false,
            ownership_stdev: false,
            moves_ownership: false,
            moves_ownership_stdev: false,
            pv_visits: false,
            pv_edge_visits: false,
            root: false,
        }
    }

    /// Parses `[colour] [interval] {key value}`, in any order.
    ///
    /// # Errors
    /// [`Failure::Syntax`] for an unknown key, a value that its key does not take,
    /// or a second colour.
    pub fn parse(
        session: &Session,
        format: Format,
        args: &mut Args<'_>,
    ) -> Result<AnalysisOptions, Failure> {
        let mut options = AnalysisOptions::new(session, format, session.game().to_move());
        let mut color = None;
        while let Some(word) = args.next() {
            match (parse_color(word), color) {
                (None, _) if is_number(word) => options.interval = Some(interval(word)?),
                (None, _) => options.set(&word.to_ascii_lowercase(), args)?,
                (found, None) => color = found,
                (Some(_), Some(_)) => return Err(Failure::Syntax),
            }
        }
        options.color = color.unwrap_or(options.color);
        Ok(options)
    }

    /// Whether the search has to count ownership separately for each move.
    pub fn wants_move_ownership(&self) -> bool {
        let asked = self.moves_ownership || self.moves_ownership_stdev;
        asked && self.format == Format::Kata
    }

    fn set(&mut self, key: &str, args: &mut Args<'_>) -> Result<(), Failure> {
        match key {
            "interval" => self.interval = Some(interval(args.word()?)?),
            "minmoves" => self.moves.0 = args.int(0..=usize::MAX)?,
            "maxmoves" => self.moves.1 = args.int(1..=usize::MAX)?,
            "avoid" | "allow" => self.restrictions.push(restriction(&self.codec, key, args)?),
            "ownership" => self.ownership = flag(args)?,
            "ownershipstdev" => self.ownership_stdev = flag(args)?,
            "pvvisits" => self.pv_visits = flag(args)?,
            "rootinfo" => self.root = flag(args)?,
            "movesownership" => self.moves_ownership = flag(args)?,
            "movesownershipstdev" => self.moves_ownership_stdev = flag(args)?,
            "pvedgevisits" => self.pv_edge_visits = flag(args)?,
            // Accepted and ignored: no game ends without result.
            "noresultvalue" => {
                flag(args)?;
            }
            _ => return Err(Failure::Syntax),
        }
        Ok(())
    }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.')
}

/// Parses an interval in hundredths of a second.
fn interval(word: &str) -> Result<Duration, Failure> {
    let mut args = Args::new(word);
    let seconds = args.float()? / 100.0;
    let time = Duration::try_from_secs_f64(seconds).map_err(|_| ArgError::Malformed)?;
    Ok(time.max(SHORTEST))
}

fn flag(args: &mut Args<'_>) -> Result<bool, Failure> {
    match args.word()?.to_ascii_lowercase().as_str() {
        "true" | "t" | "1" => Ok(true),
        "false" | "f" | "0" => Ok(false),
        _ => Err(Failure::Syntax),
    }
}

/// Parses `C V,V… DEPTH`.
fn restriction(
    codec: &VertexCodec,
    key: &str,
    args: &mut Args<'_>,
) -> Result<Restriction, Failure> {
    let color = parse_color(args.word()?).ok_or(Failure::Syntax)?;
    let vertices = args.word()?;
    let depth = args.int(1..=u32::MAX)?;
    let mut restriction = Restriction {
        color,
        points: Vec::new(),
        pass: false,
        only: key == "allow",
        depth,
    };
    for vertex in vertices.split(',') {
        if vertex.eq_ignore_ascii_case("pass") {
            restriction.pass = true;
        } else {
            let place = Vertex::parse(vertex).map_err(|_| Failure::Syntax)?;
            let point = codec.point(place).map_err(|_| Failure::Syntax)?;
            restriction.points.push(point);
        }
    }
    Ok(restriction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::Settings;
    use crate::rules::{Setup, variant};

    fn ask(text: &str) -> Result<AnalysisOptions, Failure> {
        let setup = Setup::new(variant("go").expect("a variant"));
        let session = Session::new(setup, Settings::default()).expect("a valid setup");
        AnalysisOptions::parse(&session, Format::Kata, &mut Args::new(text))
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
        assert_eq!((options.color, options.moves), (Color::White, (3, 7)));
        assert!(options.root && options.ownership && options.pv_visits && !options.ownership_stdev);
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

    #[test]
    fn malformed_options_are_refused() {
        for text in [
            "green",
            "b w",
            "b 50 b",
            "-1",
            "nan",
            "1e300",
            "interval",
            "interval x",
            "x 1",
            "minmoves -1",
            "maxmoves 0",
            "maxmoves x",
            "ownership",
            "ownership maybe",
            "ownership 50",
            "avoid",
            "avoid b",
            "avoid b D4",
            "avoid b D4 0",
            "avoid D4 1",
            "avoid b I1 1",
            "avoid b Z25 1",
            "avoid b D4, 1",
            "avoid b  1",
            "pvVisits 2",
        ] {
            assert_eq!(ask(text), Err(Failure::Syntax), "{text}");
        }
    }
}
