//! Games in SGF.

use super::report::Report;
use crate::board::{Color, Point};
use crate::rules::{AnyGame, Illegal, Setup, TurnError};
use crate::sgf::{self, Nonsense, Place, Record, RecordError, Tree};

/// Judges the game in this text, which begins on that line of its file.
pub fn judge(text: &[u8], line: u64, base: &Setup) -> Report {
    let at = |place: Place| line + place.line as u64 - 1;
    match sgf::games(text).next() {
        Some(Ok(tree)) => Judge {
            tree: &tree,
            base,
            line,
        }
        .judge(),
        Some(Err(error)) => Report::unreadable(at(error.place), error.fault),
        None => Report::unreadable(line, sgf::Fault::NoGame),
    }
}

/// A game tree that is judged.
struct Judge<'t> {
    tree: &'t Tree<'t>,
    base: &'t Setup,
    /// The line of the file that the text begins in.
    line: u64,
}

impl Judge<'_> {
    fn judge(&self) -> Report {
        match Record::read(self.tree, self.base) {
            Ok(record) => self.played(&record),
            Err(RecordError::Node { place, why }) => self.nonsense(place, &why),
            Err(error) => self.refused(self.base, error),
        }
    }

    /// The line of a place in the text.
    fn at(&self, place: Place) -> u64 {
        self.line + place.line as u64 - 1
    }

    /// The line where the game begins.
    fn begin(&self) -> u64 {
        self.at(self.tree.place(sgf::NodeId::ROOT))
    }

    fn played(&self, record: &Record) -> Report {
        match (record.game(), &record.result) {
            (Ok(game), None) => Report::good(self.begin(), &game),
            (Ok(game), Some(claimed)) => self.claimed(&game, claimed),
            (Err(error), _) => self.refused(&record.setup, error),
        }
    }

    /// Of a game of legal turns with a result. What this engine writes is counted as
    /// it stands, unless a program judged.
    fn claimed(&self, game: &AnyGame, claimed: &str) -> Report {
        let root = |name: &str| self.tree.value(sgf::NodeId::ROOT, name);
        if let Some(program) = root(sgf::JUDGE.as_str()) {
            return Report::of_judged(self.begin(), game, claimed, &program.simple_text());
        }
        let by = root("AP")
            .map(|value| value.simple_text())
            .unwrap_or_default();
        if root("KAWARI").is_some() || by.split(':').next() == Some(env!("CARGO_PKG_NAME")) {
            return Report::of_claim(self.begin(), game, claimed);
        }
        let marked = || {
            let [black, white] = sgf::territory(self.tree, game.grid())?;
            let held = |points: Vec<Point>, by: Color| {
                let points = points.into_iter();
                points.filter(move |&point| game.cell(point).color() == Some(!by))
            };
            Some(
                held(black, Color::Black)
                    .chain(held(white, Color::White))
                    .collect(),
            )
        };
        Report::of_agreement(self.begin(), game, claimed, marked)
    }

    /// Of a game that could not be played.
    fn refused(&self, setup: &Setup, error: RecordError) -> Report {
        match error {
            RecordError::Turn { number, turn, why } => {
                let place = Record::place_of_turn(self.tree, self.base, number);
                let line = place.map_or(self.begin(), |place| self.at(place));
                Report::illegal(line, setup, number, turn, why)
            }
            other => Report::unreadable(self.begin(), other),
        }
    }

    /// Of a game with a node that says what cannot be. If that is a turn, it is an
    /// illegal one, unless one before it is.
    fn nonsense(&self, place: Place, why: &Nonsense) -> Report {
        let rule = match why {
            Nonsense::Point(name, value) if name == "B" || name == "W" => {
                Some((Illegal::OffBoard, format!("{name}[{value}]")))
            }
            Nonsense::Turn(words) => Some((Illegal::NoSuchTurn, words.clone())),
            _ => None,
        };
        let (Some((rule, turn)), Some((number, before))) = (rule, self.before_nonsense()) else {
            return Report::unreadable(self.at(place), why);
        };
        match before.game() {
            Ok(game) => {
                let words: Vec<_> = turn.split_whitespace().collect();
                let off_board = game.parse(&words) == Err(TurnError::OffBoard);
                let rule = if off_board { Illegal::OffBoard } else { rule };
                Report::illegal(self.at(place), &before.setup, number, turn, rule)
            }
            Err(error) => self.refused(&before.setup, error),
        }
    }

    /// The number of the first turn that cannot be read, and the game before it.
    fn before_nonsense(&self) -> Option<(usize, Record)> {
        let read = |turn| Record::read_before(self.tree, self.base, turn).ok();
        let mut readable = (1, read(1)?);
        let mut beyond = 2 * self.tree.len();
        while beyond > readable.0 + 1 {
            let middle = readable.0.midpoint(beyond);
            match read(middle) {
                Some(record) => readable = (middle, record),
                None => beyond = middle,
            }
        }
        Some(readable)
    }
}
