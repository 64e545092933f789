//! The conditions of a tournament, and strictness about remarks.

use super::agreed_result::ScoreSource;
use super::check_result::{BoardShape, CheckResult, Verdict};
use crate::rules::{Rules, Size, variant};
use crate::sgf::{NamedRules, Remark, RemarkCode};

/// Conditions for games besides their rules.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// Some [remarks](RemarkCode::is_fault) are faults.
    pub strict: bool,
    /// The komi.
    pub komi: Option<f64>,
    /// The size of the board, one layer of it.
    pub size: Option<Size>,
    /// The rules and their name.
    pub rules: Option<(String, NamedRules)>,
    /// The number of handicap stones; 0 and 1 are an even game.
    pub handicap: Option<usize>,
    /// Seconds of main time.
    pub time: Option<f64>,
}

impl Conditions {
    /// Adds remarks on conditions that do not hold. The first fault is the verdict on a game whose
    /// turns and result hold.
    pub fn judge(&self, mut result: CheckResult) -> CheckResult {
        let fails = result.board.map(|board| self.failures(&board, &result));
        result.remarks.extend(fails.unwrap_or_default());
        result.remarks.extend(uncertain_result(&result).filter(|_| self.strict));
        let is_fault =
            |remark: &&Remark| self.strict && remark.code.is_fault() || is_condition(remark);
        let fault = result.remarks.iter().find(is_fault).cloned();
        if let Some(fault) = fault.filter(|_| result.holds()) {
            result.remarks.retain(|remark| *remark != fault);
            result.verdict = Verdict::Irregular(fault);
        }
        result
    }

    fn failures(&self, board: &BoardShape, result: &CheckResult) -> Vec<Remark> {
        let mut failures = Vec::new();
        if let Some(komi) = self.komi.filter(|komi| *komi != board.rules.komi) {
            let text = format!("komi is {}, expected {komi}", board.rules.komi);
            failures.push(Remark::new(RemarkCode::ExpectedKomi, text));
        }
        let is_other = |size: &Size| (size.width, size.height) != (board.width, board.height);
        if let Some(size) = self.size.filter(is_other) {
            let (width, height) = (board.width, board.height);
            let text =
                format!("the board is {width}x{height}, expected {}x{}", size.width, size.height);
            failures.push(Remark::new(RemarkCode::ExpectedSize, text));
        }
        let remarks = &result.remarks;
        failures.extend(self.rules.as_ref().and_then(|rules| other_rules(rules, board, remarks)));
        let even_or = |stones: usize| if stones < 2 { 0 } else { stones };
        let stones = result.handicap;
        if let Some(expected) = self.handicap.filter(|&other| even_or(other) != even_or(stones)) {
            let text = format!("the handicap is {stones}, expected {expected}");
            failures.push(Remark::new(RemarkCode::ExpectedHandicap, text));
        }
        if let Some(expected) = self.time.filter(|&time| result.main_time != Some(time)) {
            let text = match result.main_time {
                Some(time) => format!("the main time is {time} s, expected {expected} s"),
                None => format!("the record states no main time, expected {expected} s"),
            };
            failures.push(Remark::new(RemarkCode::ExpectedTime, text));
        }
        failures
    }
}

fn is_condition(remark: &Remark) -> bool {
    let codes = [
        RemarkCode::ExpectedKomi,
        RemarkCode::ExpectedSize,
        RemarkCode::ExpectedRules,
        RemarkCode::ExpectedHandicap,
        RemarkCode::ExpectedTime,
    ];
    codes.contains(&remark.code)
}

/// The remark on a result that is not right, and not wrong either. The score of a referee program
/// is right unless it is [elsewhere](RemarkCode::JudgedElsewhere).
fn uncertain_result(result: &CheckResult) -> Option<Remark> {
    let code = match result.verdict {
        Verdict::OtherScore { source: ScoreSource::Agreed(_), .. } => RemarkCode::OtherCount,
        Verdict::UnreadResult => RemarkCode::UnreadResult,
        _ => return None,
    };
    Some(Remark::new(code, result.words()?))
}

/// The remark on rules other than the expected ones, or on a record that names no rules.
fn other_rules(
    (name, expected): &(String, NamedRules),
    board: &BoardShape,
    remarks: &[Remark],
) -> Option<Remark> {
    let info = variant(board.variant)?;
    let unknown = [RemarkCode::RulesAssumed, RemarkCode::RulesUnreadable];
    if remarks.iter().any(|remark| unknown.contains(&remark.code)) {
        let text = format!("the record names no rules, expected {name}");
        return Some(Remark::new(RemarkCode::ExpectedRules, text));
    }
    let mut rules = board.rules;
    expected.apply_to(&mut rules, info);
    let words = |rules: &Rules| {
        let keys = info.keys.iter().filter(|key| key.is_written(rules));
        let words: Vec<_> = keys.map(|key| format!("{} {}", key.name(), rules.get(*key))).collect();
        words.join(", ")
    };
    let (played, wanted) = (words(&board.rules), words(&rules));
    let text = format!("the rules are {played}, expected {name}: {wanted}");
    (played != wanted).then(|| Remark::new(RemarkCode::ExpectedRules, text))
}
