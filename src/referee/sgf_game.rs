//! Games in SGF.

use super::check_result::CheckResult;
use crate::board::{Color, Point};
use crate::rules::{AnyGame, Illegal, Setup, TurnError};
use crate::sgf::{self, GameRecord, GameTree, InvalidProperty, RecordError, TextPosition};

/// Judges the game in this text, which begins on that line of its file.
pub fn check_game(text: &[u8], line: u64, defaults: &Setup) -> CheckResult {
    let at = |position: TextPosition| line + position.line as u64 - 1;
    match sgf::games(text).next() {
        Some(Ok(tree)) => GameChecker {
            tree: &tree,
            defaults,
            line,
        }
        .check(),
        Some(Err(error)) => CheckResult::unreadable(at(error.position), error.kind),
        None => CheckResult::unreadable(line, sgf::ParseErrorKind::NoGame),
    }
}

/// A game tree that is checked.
struct GameChecker<'t> {
    tree: &'t GameTree<'t>,
    defaults: &'t Setup,
    /// The line of the file that the text begins in.
    line: u64,
}

impl GameChecker<'_> {
    fn check(&self) -> CheckResult {
        match GameRecord::read(self.tree, self.defaults) {
            Ok(record) => self.played(&record),
            Err(RecordError::Node { position, why }) => self.nonsense(position, &why),
            Err(error) => self.refused(self.defaults, error),
        }
    }

    /// The line of a position in the text.
    fn at(&self, position: TextPosition) -> u64 {
        self.line + position.line as u64 - 1
    }

    /// The line where the game begins.
    fn begin(&self) -> u64 {
        self.at(self.tree.text_position(sgf::NodeId::ROOT))
    }

    fn played(&self, record: &GameRecord) -> CheckResult {
        match (record.game(), &record.result) {
            (Ok(game), None) => CheckResult::good(self.begin(), &game),
            (Ok(game), Some(claimed)) => self.claimed(&game, claimed),
            (Err(error), _) => self.refused(&record.setup, error),
        }
    }

    /// Of a game of legal turns with a result. What this engine writes is counted as
    /// it stands, unless a program checked.
    fn claimed(&self, game: &AnyGame, claimed: &str) -> CheckResult {
        let root = |name: &str| self.tree.value(sgf::NodeId::ROOT, name);
        if let Some(program) = root(sgf::JUDGE.as_str()) {
            return CheckResult::of_judged_game(
                self.begin(),
                game,
                claimed,
                &program.simple_text(),
            );
        }
        let by = root("AP")
            .map(|value| value.simple_text())
            .unwrap_or_default();
        if root("KAWARI").is_some() || by.split(':').next() == Some(env!("CARGO_PKG_NAME")) {
            return CheckResult::of_claimed_result(self.begin(), game, claimed);
        }
        let marked = || {
            let [black, white] = sgf::marked_territory(self.tree, game.grid())?;
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
        CheckResult::of_played_game(self.begin(), game, claimed, marked)
    }

    /// Of a game that could not be played.
    fn refused(&self, setup: &Setup, error: RecordError) -> CheckResult {
        match error {
            RecordError::Turn { number, turn, why } => {
                let position = GameRecord::text_position_of_turn(self.tree, self.defaults, number);
                let line = position.map_or(self.begin(), |position| self.at(position));
                CheckResult::illegal(line, setup, number, turn, why)
            }
            other => CheckResult::unreadable(self.begin(), other),
        }
    }

    /// Of a game with a node that says what cannot be. If that is a turn, it is an
    /// illegal one, unless one before it is.
    fn nonsense(&self, position: TextPosition, why: &InvalidProperty) -> CheckResult {
        let rule = match why {
            InvalidProperty::Point(name, value) if name == "B" || name == "W" => {
                Some((Illegal::OffBoard, format!("{name}[{value}]")))
            }
            InvalidProperty::Turn(words) => Some((Illegal::NoSuchTurn, words.clone())),
            _ => None,
        };
        let (Some((rule, turn)), Some((number, before))) = (rule, self.before_nonsense()) else {
            return CheckResult::unreadable(self.at(position), why);
        };
        match before.game() {
            Ok(game) => {
                let words: Vec<_> = turn.split_whitespace().collect();
                let off_board = game.parse(&words) == Err(TurnError::OffBoard);
                let rule = if off_board { Illegal::OffBoard } else { rule };
                CheckResult::illegal(self.at(position), &before.setup, number, turn, rule)
            }
            Err(error) => self.refused(&before.setup, error),
        }
    }

    /// The number of the first turn that cannot be read, and the game before it.
    fn before_nonsense(&self) -> Option<(usize, GameRecord)> {
        let read = |turn| GameRecord::read_before(self.tree, self.defaults, turn).ok();
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
