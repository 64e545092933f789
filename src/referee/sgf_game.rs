//! Checks games in SGF.

use super::Defaults;
use super::check_result::CheckResult;
use crate::board::{Color, Point};
use crate::rules::{AnyGame, Illegal, Setup, TurnError, rules_named};
use crate::sgf::{
    self, FileDefaults, GameRecord, GameTree, InvalidProperty, RecordError, Remark, TextPosition,
};

/// Checks the game of `text`, which begins at `line` of its file.
pub fn check_game(text: &[u8], line: u64, defaults: &Defaults) -> CheckResult {
    let at = |position: TextPosition| line + position.line as u64 - 1;
    match sgf::games(text).next() {
        Some(Ok(tree)) => GameChecker {
            tree: &tree,
            defaults: FileDefaults { setup: &defaults.setup, encoding: defaults.encoding },
            line,
        }
        .check(),
        Some(Err(error)) => CheckResult::unreadable(at(error.position), error.kind),
        None => CheckResult::unreadable(line, sgf::ParseErrorKind::NoGame),
    }
}

/// The checker of a game tree.
struct GameChecker<'t> {
    tree: &'t GameTree<'t>,
    defaults: FileDefaults<'t>,
    /// The line of the file in which the text begins.
    line: u64,
}

impl GameChecker<'_> {
    fn check(&self) -> CheckResult {
        match GameRecord::read(self.tree, self.defaults) {
            Ok(record) => self.check_turns(&record),
            Err(RecordError::Node { position, why }) => self.invalid_property(position, &why),
            Err(error) => self.replay_error(self.defaults.setup, error),
        }
    }

    /// The line of a text position in the file.
    fn file_line(&self, position: TextPosition) -> u64 {
        self.line + position.line as u64 - 1
    }

    /// The first line of the game.
    fn first_line(&self) -> u64 {
        self.file_line(self.tree.text_position(sgf::NodeId::ROOT))
    }

    fn check_turns(&self, record: &GameRecord) -> CheckResult {
        let result = match (record.game(), &record.result) {
            (Ok(game), None) => CheckResult::good(self.first_line(), &game),
            (Ok(game), Some(claimed)) => self.check_claim(record, &game, claimed),
            (Err(error), _) => self.replay_error(&record.setup, error),
        };
        let unread = record.remarks.iter().filter(|remark| remark.is_unread());
        result.with_remarks(unread.map(Remark::to_string).collect())
    }

    /// Checks the result. A game that this engine wrote is counted without removing dead
    /// stones, unless a program judged it.
    fn check_claim(&self, record: &GameRecord, game: &AnyGame, claimed: &str) -> CheckResult {
        let root = |name: &str| self.tree.value(sgf::NodeId::ROOT, name);
        if let Some(program) = root(sgf::JUDGE.as_str()) {
            return CheckResult::of_judged_game(
                self.first_line(),
                game,
                claimed,
                &program.simple_text(),
            );
        }
        let by = root("AP").map(|value| value.simple_text()).unwrap_or_default();
        if root("KAWARI").is_some() || by.split(':').next() == Some(env!("CARGO_PKG_NAME")) {
            return CheckResult::of_claimed_result(self.first_line(), game, claimed);
        }
        let marked = || {
            let [black, white] = sgf::marked_territory(self.tree, game.grid())?;
            let held = |points: Vec<Point>, by: Color| {
                let points = points.into_iter();
                points.filter(move |&point| game.cell(point).color() == Some(!by))
            };
            Some(held(black, Color::Black).chain(held(white, Color::White)).collect())
        };
        let compensation = || {
            let rules = rules_named(&root("RU")?.simple_text())?;
            let stated = root("HA").and_then(|stones| usize::try_from(stones.number()?).ok());
            let stones = stated.unwrap_or(0).max(record.setup.handicap.len());
            Some(rules.compensation.points(stones))
        };
        let compensation = || compensation().unwrap_or(0);
        CheckResult::of_played_game(self.first_line(), game, claimed, marked, compensation)
    }

    /// Converts the error of a replay.
    fn replay_error(&self, setup: &Setup, error: RecordError) -> CheckResult {
        match error {
            RecordError::Turn { number, turn, why } => {
                let position = GameRecord::text_position_of_turn(self.tree, self.defaults, number);
                let line = position.map_or(self.first_line(), |position| self.file_line(position));
                CheckResult::illegal(line, setup, number, turn, why)
            }
            other => CheckResult::unreadable(self.first_line(), other),
        }
    }

    /// Converts an invalid property. If it is a turn, the result is an illegal turn, unless
    /// an earlier turn is illegal.
    fn invalid_property(&self, position: TextPosition, why: &InvalidProperty) -> CheckResult {
        let rule = match why {
            InvalidProperty::Point(name, value) if name == "B" || name == "W" => {
                Some((Illegal::OffBoard, format!("{name}[{value}]")))
            }
            InvalidProperty::Turn(words) => Some((Illegal::NoSuchTurn, words.clone())),
            _ => None,
        };
        let (Some((rule, turn)), Some((number, before))) =
            (rule, GameRecord::read_before_invalid(self.tree, self.defaults))
        else {
            return CheckResult::unreadable(self.file_line(position), why);
        };
        match before.game() {
            Ok(game) => {
                let words: Vec<_> = turn.split_whitespace().collect();
                let off_board = game.parse(&words) == Err(TurnError::OffBoard);
                let rule = if off_board { Illegal::OffBoard } else { rule };
                CheckResult::illegal(self.file_line(position), &before.setup, number, turn, rule)
            }
            Err(error) => self.replay_error(&before.setup, error),
        }
    }
}
