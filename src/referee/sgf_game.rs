//! Checks games in SGF.

use super::Defaults;
use super::check_result::CheckResult;
use crate::board::{Color, Point};
use crate::rules::{Game, Illegal};
use crate::sgf::{
    self, FileDefaults, GameRecord, GameTree, InvalidProperty, RecordError, Refusal, Refused,
    TextPosition, rules_named,
};
use std::fmt::Display;

/// The text of the tree begins at `line` of its file.
pub fn check_game(tree: &GameTree, line: u64, defaults: &Defaults) -> CheckResult {
    let defaults = FileDefaults {
        encoding: defaults.encoding,
        rules_are_chosen: defaults.rules_are_chosen,
        ..(&defaults.setup).into()
    };
    GameChecker { tree, defaults, line }.check()
}

struct GameChecker<'t> {
    tree: &'t GameTree,
    defaults: FileDefaults<'t>,
    line: u64,
}

impl GameChecker<'_> {
    fn check(&self) -> CheckResult {
        match GameRecord::read_main_line(self.tree, self.defaults) {
            Ok((record, game)) => self.check_turns(&record, game),
            Err(RecordError::Node { position, why }) => self.unread(self.file_line(position), why),
            Err(error) => self.unread(self.first_line(), error),
        }
    }

    /// An unreadable game, with the result that its root states.
    fn unread(&self, line: u64, why: impl Display) -> CheckResult {
        let claimed = self.root("RE").filter(|text| !text.is_empty());
        CheckResult::unreadable(line, why).claiming(claimed.as_deref())
    }

    fn file_line(&self, position: TextPosition) -> u64 {
        self.line + position.line as u64 - 1
    }

    fn first_line(&self) -> u64 {
        self.file_line(self.tree.text_position(sgf::NodeId::ROOT))
    }

    fn check_turns(&self, record: &GameRecord, game: Result<Game, RecordError>) -> CheckResult {
        let on_play = sgf::remarks_on_play(record, game.as_ref().ok());
        let result = match (record.refusal(), game, record.result()) {
            (Some(refusal), ..) => self.refusal(record, refusal),
            (_, Ok(game), None) => CheckResult::good(self.first_line(), &game),
            (_, Ok(game), Some(claimed)) => self.check_claim(record, &game, claimed),
            (_, Err(RecordError::Turn { number, turn, why }), _) => {
                CheckResult::illegal(self.first_line(), &record.setup, number, turn, why)
            }
            (_, Err(error), _) => CheckResult::unreadable(self.first_line(), error),
        };
        let remarks = record.remarks.iter().cloned().chain(on_play).collect();
        CheckResult { remarks, ..result }.claiming(record.result())
    }

    fn root(&self, name: &str) -> Option<String> {
        Some(self.tree.value(sgf::NodeId::ROOT, name)?.simple_text())
    }

    /// A game of this engine is counted without removing dead stones, unless a program judged it.
    fn check_claim(&self, record: &GameRecord, game: &Game, claimed: &str) -> CheckResult {
        let line = self.first_line();
        if let Some(program) = self.root(sgf::JUDGE) {
            return CheckResult::for_refereed_game(line, game, claimed, &program);
        }
        let agreed = sgf::agreed_dead_stones(self.tree, game.grid());
        if agreed.is_none() && self.is_of_this_engine() {
            return CheckResult::with_claimed_result(line, game, claimed);
        }
        let marked = || agreed.or_else(|| self.stones_in_territory(game));
        let compensation = || self.compensation(record).unwrap_or(0);
        CheckResult::for_played_game(line, game, claimed, marked, compensation)
    }

    fn is_of_this_engine(&self) -> bool {
        let by = self.root("AP").unwrap_or_default();
        self.root("KAWARI").is_some() || by.split(':').next() == Some(env!("CARGO_PKG_NAME"))
    }

    /// White's points for handicap stones under the rules that the record names.
    fn compensation(&self, record: &GameRecord) -> Option<usize> {
        let rules = rules_named(&self.root("RU")?)?;
        let stated = self.tree.value(sgf::NodeId::ROOT, "HA");
        let stated = stated.and_then(|stones| usize::try_from(stones.number()?).ok());
        let stones = stated.unwrap_or(0).max(record.setup.handicap.len());
        Some(rules.compensation.points(stones))
    }

    /// Stones in the marked territory of the other side.
    fn stones_in_territory(&self, game: &Game) -> Option<Vec<Point>> {
        let [black, white] = sgf::marked_territory(self.tree, game.grid())?;
        let held = |points: Vec<Point>, by: Color| {
            let points = points.into_iter();
            points.filter(move |&point| game.cell(point).color() == Some(!by))
        };
        Some(held(black, Color::Black).chain(held(white, Color::White)).collect())
    }

    fn refusal(&self, record: &GameRecord, refusal: &Refusal) -> CheckResult {
        let line = self.file_line(self.tree.text_position(refusal.node));
        let Refusal { number, turn, why, .. } = refusal;
        let rule = match why {
            Refused::Illegal(rule) => *rule,
            Refused::Property(InvalidProperty::Point(name, _)) if name == "B" || name == "W" => {
                Illegal::OffBoard
            }
            Refused::Property(InvalidProperty::Turn(_)) => Illegal::NoSuchTurn,
            Refused::Property(why) => return CheckResult::unreadable(line, why),
        };
        CheckResult::illegal(line, &record.setup, *number, turn.clone(), rule)
    }
}
