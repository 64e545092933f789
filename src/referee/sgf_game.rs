//! Checks games in SGF.

use super::Defaults;
use super::agreed_result::Leeway;
use super::check_result::CheckResult;
use super::claimed_result::equals_score;
use super::program_scores::ProgramScores;
use crate::board::{Color, Point};
use crate::rules::{Game, GameResult, Illegal};
use crate::sgf::{
    self, FileDefaults, GameRecord, GameTree, InvalidProperty, NamedRules, RecordError, Refusal,
    Refused, Remark, RemarkCode, TextPosition, rules_named,
};
use std::fmt::Display;

/// The text of the tree begins at `line` of its file.
pub fn check_game(
    tree: &GameTree,
    line: u64,
    defaults: &Defaults,
    scores: &ProgramScores,
) -> CheckResult {
    let chosen_rules = defaults.chosen_rules.as_ref();
    let defaults = FileDefaults {
        encoding: defaults.encoding,
        rules_are_chosen: defaults.chosen_rules.is_some(),
        places_handicap: false,
        ..(&defaults.setup).into()
    };
    GameChecker { tree, defaults, chosen_rules, scores, line }.check()
}

struct GameChecker<'t> {
    tree: &'t GameTree,
    defaults: FileDefaults<'t>,
    /// The rules of records that name none.
    chosen_rules: Option<&'t NamedRules>,
    scores: &'t ProgramScores,
    line: u64,
}

impl GameChecker<'_> {
    fn check(&self) -> CheckResult {
        let checked = match GameRecord::read_main_line(self.tree, self.defaults) {
            Ok((record, game)) => self.check_turns(&record, game),
            Err(RecordError::Node { position, why }) => self.unread(self.file_line(position), why),
            Err(error) => self.unread(self.first_line(), error),
        };
        CheckResult { names: ["PB", "PW"].map(|name| self.root(name)), ..checked }
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
        let on_result = game.as_ref().ok().and_then(|game| self.remark_on_result(record, game));
        let result = match (record.refusal(), game, record.result()) {
            (Some(refusal), ..) => self.refusal(record, refusal),
            (_, Ok(game), None) => CheckResult::good(self.first_line(), &game),
            (_, Ok(game), Some(claimed)) => self.check_claim(record, &game, claimed),
            (_, Err(RecordError::Turn { number, turn, why }), _) => {
                CheckResult::illegal(self.first_line(), &record.setup, number, turn, why)
            }
            (_, Err(error), _) => CheckResult::unreadable(self.first_line(), error),
        };
        let remarks = record.remarks.iter().cloned().chain(on_play).chain(on_result);
        let remarks = remarks.chain(result.remarks.iter().cloned()).collect();
        let handicap = sgf::handicap_stones(record);
        let main_time = self.root("TM").and_then(|text| text.trim().parse().ok());
        CheckResult { remarks, handicap, main_time, ..result }.claiming(record.result())
    }

    fn root(&self, name: &str) -> Option<String> {
        Some(self.tree.value(sgf::NodeId::ROOT, name)?.simple_text())
    }

    /// The remark on a result that is missing, or that the board does not show by itself.
    fn remark_on_result(&self, record: &GameRecord, game: &Game) -> Option<Remark> {
        let Some(claimed) = record.result() else {
            let text = match game.is_over() {
                true => format!("no result is stated, the board counts {}", game.score()),
                false => "no result is stated, and the game has not ended".to_owned(),
            };
            return Some(Remark::new(RemarkCode::NoResult, text));
        };
        if let Some(program) = self.root(sgf::JUDGE) {
            let score = program.parse().ok();
            let is_shown = score.is_some_and(|score| equals_score(score, game.score()));
            let is_confirmed =
                || score.is_some_and(|score| self.scores.confirm(&record.setup, game, score));
            if !is_shown && !is_confirmed() {
                let text = format!(
                    "KJUDGE[{program}]: no results file of the input confirms this score of a referee \
                     program"
                );
                return Some(Remark::new(RemarkCode::JudgedElsewhere, text));
            }
        }
        let is_score = |claim| matches!(claim, GameResult::Points(_) | GameResult::Win(_));
        let is_open = !game.is_over() && claimed.parse().is_ok_and(is_score);
        let text = || format!("RE[{claimed}]: the game has not ended");
        is_open.then(|| Remark::new(RemarkCode::Unfinished, text()))
    }

    /// A game of this engine is counted without removing dead stones, unless a program judged it.
    fn check_claim(&self, record: &GameRecord, game: &Game, claimed: &str) -> CheckResult {
        let line = self.first_line();
        if let Some(program) = self.root(sgf::JUDGE) {
            return CheckResult::for_refereed_game(line, game, claimed, &program);
        }
        if let Some(dead) = sgf::agreed_dead_stones(self.tree, game.grid()) {
            return CheckResult::for_agreed_game(line, game, claimed, &dead);
        }
        if self.is_of_this_engine() {
            return CheckResult::with_claimed_result(line, game, claimed);
        }
        let leeway = || Leeway { marked: self.stones_in_territory(game), ..self.leeway(record) };
        CheckResult::for_played_game(line, game, claimed, leeway)
    }

    fn is_of_this_engine(&self) -> bool {
        let by = self.root("AP").unwrap_or_default();
        self.root("KAWARI").is_some() || by.split(':').next() == Some(env!("CARGO_PKG_NAME"))
    }

    /// The results on which the rules let players agree: those that the record names, which are exact in
    /// `KRULE`, or else those of the command.
    fn leeway(&self, record: &GameRecord) -> Leeway {
        let name = self.root("RU").filter(|_| self.root("KAWARI").is_none());
        let exact = || Some(NamedRules::new(&record.setup.rules));
        let rules = name.and_then(|name| rules_named(&name));
        let rules = rules.or_else(|| self.root("KRULE").and_then(|_| exact()));
        let stated = sgf::stated_handicap(self.tree).unwrap_or(0);
        let stones = stated.max(record.setup.handicap.len());
        Leeway::under(rules.as_ref().or(self.chosen_rules), stones)
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
