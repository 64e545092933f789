//! What a client asks of an analysis.

use std::time::Duration;

use crate::board::Color;
use crate::gtp::encoding::{Coder, Place};
use crate::gtp::request::{ArgError, Args};
use crate::gtp::{Failure, Session};
use crate::rules::parse_color;
use crate::search::Restriction;

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Values as whole numbers out of 10000.
    Leela,
    /// The same, with the margin in points.
    Plain,
    /// Values as fractions, and more of them.
    Kata,
    /// One line of JSON, at the end only.
    Cgos,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// How to write it.
    pub format: Format,
    /// How moves are said.
    pub coder: Coder,
    /// The side that is to move.
    pub color: Color,
    /// Time between lines; none but at the end, if not given.
    pub interval: Option<Duration>,
    /// Moves to show at least, even if they were never tried, and at most.
    pub moves: (usize, usize),
    /// Moves that may not be tried, or alone.
    pub restrictions: Vec<Restriction>,
    /// Whether to add whose the points become.
    pub ownership: bool,
    /// Whether to add how sure that is.
    pub ownership_deviation: bool,
    /// Whether to add whose the points become after each move.
    pub moves_ownership: bool,
    /// Whether to add how sure that is.
    pub moves_ownership_deviation: bool,
    /// Whether to add visits along the lines.
    pub line_visits: bool,
    /// Whether to add them under the name for visits by those very moves, too.
    pub line_edge_visits: bool,
    /// Whether to add what is thought of the position as a whole.
    pub root: bool,
}

/// The shortest time between lines.
const SHORTEST: Duration = Duration::from_millis(10);

impl Ask {
    /// Time between lines if a client does not care.
    pub const INTERVAL: Duration = Duration::from_secs(1);

    /// The side to move and the session's settings, nothing else.
    pub fn new(session: &Session, format: Format, color: Color) -> Ask {
        Ask {
            format,
            coder: session.coder(),
            color,
            interval: None,
            moves: (0, session.settings.analysis_moves),
            restrictions: Vec::new(),
            ownership: false,
            ownership_deviation: false,
            moves_ownership: false,
            moves_ownership_deviation: false,
            line_visits: false,
            line_edge_visits: false,
            root: false,
        }
    }

    /// `[colour] [interval] {key value}`, in any order.
    ///
    /// # Errors
    /// [`Failure::Syntax`] for a key that is not known, a value that its key
    /// does not take, a second colour.
    pub fn parse(session: &Session, format: Format, args: &mut Args<'_>) -> Result<Ask, Failure> {
        let mut ask = Ask::new(session, format, session.game().to_move());
        let mut color = None;
        while let Some(word) = args.next() {
            match (parse_color(word), color) {
                (None, _) if is_number(word) => ask.interval = Some(interval(word)?),
                (None, _) => ask.set(&word.to_ascii_lowercase(), args)?,
                (found, None) => color = found,
                (Some(_), Some(_)) => return Err(Failure::Syntax),
            }
        }
        ask.color = color.unwrap_or(ask.color);
        Ok(ask)
    }

    /// Whether single moves need playouts of their own count.
    pub fn wants_owners_apart(&self) -> bool {
        let asked = self.moves_ownership || self.moves_ownership_deviation;
        asked && self.format == Format::Kata
    }

    fn set(&mut self, key: &str, args: &mut Args<'_>) -> Result<(), Failure> {
        match key {
            "interval" => self.interval = Some(interval(args.word()?)?),
            "minmoves" => self.moves.0 = args.int(0..=usize::MAX)?,
            "maxmoves" => self.moves.1 = args.int(1..=usize::MAX)?,
            "avoid" | "allow" => self.restrictions.push(restriction(&self.coder, key, args)?),
            "ownership" => self.ownership = flag(args)?,
            "ownershipstdev" => self.ownership_deviation = flag(args)?,
            "pvvisits" => self.line_visits = flag(args)?,
            "rootinfo" => self.root = flag(args)?,
            "movesownership" => self.moves_ownership = flag(args)?,
            "movesownershipstdev" => self.moves_ownership_deviation = flag(args)?,
            "pvedgevisits" => self.line_edge_visits = flag(args)?,
            // No move is known to end without result.
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

/// Hundredths of a second.
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

/// `C V,V… DEPTH`.
fn restriction(coder: &Coder, key: &str, args: &mut Args<'_>) -> Result<Restriction, Failure> {
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
            let place = Place::parse(vertex).map_err(|_| Failure::Syntax)?;
            let point = coder.point(place).map_err(|_| Failure::Syntax)?;
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

    fn ask(text: &str) -> Result<Ask, Failure> {
        let setup = Setup::new(variant("go").expect("a variant"));
        let session = Session::new(setup, Settings::default()).expect("a valid setup");
        Ask::parse(&session, Format::Kata, &mut Args::new(text))
    }

    fn plain(text: &str) -> (Color, Option<u64>) {
        let ask = ask(text).expect("a good request");
        let ms = ask.interval.map(|time| time.as_millis() as u64);
        (ask.color, ms)
    }

    #[test]
    fn colour_and_interval_come_in_any_order() {
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
    fn keys_are_read_whatever_their_case() {
        let ask = ask("rootInfo true W 50 ownership true minmoves 3 maxmoves 7 pvVisits true")
            .expect("a good request");
        assert_eq!((ask.color, ask.moves), (Color::White, (3, 7)));
        assert!(ask.root && ask.ownership && ask.line_visits && !ask.ownership_deviation);
    }

    #[test]
    fn moves_are_avoided_and_allowed() {
        let ask = ask("avoid b D4,pass,q16 5 50 allow W A1 1").expect("a good request");
        let [avoid, allow] = ask.restrictions.as_slice() else {
            panic!("{:?}", ask.restrictions);
        };
        assert_eq!((avoid.color, avoid.depth), (Color::Black, 5));
        assert!(avoid.pass && !avoid.only && avoid.points.len() == 2);
        assert_eq!((allow.color, allow.depth), (Color::White, 1));
        assert!(!allow.pass && allow.only && allow.points.len() == 1);
    }

    #[test]
    fn what_is_not_understood_is_refused() {
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
