//! Checks match records: a JSON object per line, as `kawari match` writes them.

use super::Defaults;
use super::check_result::CheckResult;
use super::program_scores;
use crate::board::Color;
use crate::clock::TimeSystem;
use crate::rules::split_color;
use crate::rules::{Game, GameResult, Illegal, Setup, SetupRecord, SetupRecordError, VARIANTS};
use crate::sgf::{self, Remark, RemarkCode};
use serde::Deserialize;
use std::borrow::Cow;
use std::time::Duration;

/// Fields that determine the game. Defaults replace missing fields, and the check reports them;
/// only `handicap` is optional.
#[derive(Debug, Deserialize)]
struct RecordedMatchGame<'a> {
    #[serde(flatten)]
    setup: SetupRecord,
    #[serde(borrow)]
    turns: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    result: Option<Cow<'a, str>>,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    scores: Scores<'a>,
    #[serde(borrow, default)]
    black: Player<'a>,
    #[serde(borrow, default)]
    white: Player<'a>,
}

#[derive(Debug, Default, Deserialize)]
struct Player<'a> {
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    time: Option<Cow<'a, str>>,
}

impl Player<'_> {
    /// Seconds of main time; a single number is a time per move.
    fn main_time(&self) -> Option<f64> {
        let words: Vec<_> = self.time.as_ref()?.split_whitespace().collect();
        let main = match words.as_slice() {
            [number] if number.parse::<f64>().is_ok() => Duration::ZERO,
            words => {
                TimeSystem::from_words(words).ok().filter(|time| *time != TimeSystem::None)?.main()
            }
        };
        Some(main.as_secs_f64())
    }
}

#[derive(Debug, Default, Deserialize)]
struct Scores<'a> {
    #[serde(borrow, default)]
    program: Option<Cow<'a, str>>,
}

#[derive(Debug, Deserialize)]
struct Header {
    #[serde(rename = "kawari-match")]
    _format: u32,
}

pub fn is_header(text: &[u8]) -> bool {
    // Searching first avoids parsing every line twice.
    has(text, b"\"kawari-match\"") && serde_json::from_slice::<Header>(text).is_ok()
}

/// Whether the line begins a file of `kawari balance`, which has no turns.
pub fn is_of_balance(text: &[u8]) -> bool {
    has(text, b"\"kawari-balance\":")
}

fn has(text: &[u8], key: &[u8]) -> bool {
    text.windows(key.len()).any(|window| window == key)
}

/// The game and the score of its referee program, as a results file states all of it.
pub fn program_score(text: &[u8]) -> Option<String> {
    let record: RecordedMatchGame<'_> = serde_json::from_slice(text).ok()?;
    let score: GameResult = record.scores.program.as_ref()?.parse().ok()?;
    let setup = record.setup.setup(&Setup::new(VARIANTS.first()?)).ok()?;
    let turns = record.turns.iter().map(|turn| &**turn);
    let is_whole = record.setup.missing().is_empty();
    is_whole.then(|| program_scores::key(&setup, turns, score))
}

pub fn check_record(text: &[u8], line: u64, defaults: &Defaults) -> CheckResult {
    let record: RecordedMatchGame<'_> = match serde_json::from_slice(text) {
        Ok(record) => record,
        Err(error) => return CheckResult::unreadable(line, within_line(&error)),
    };
    let mut remarks = Vec::new();
    let missing = record.setup.missing().join(", ");
    if !missing.is_empty() {
        let text = format!("not stated, so the options decide: {missing}");
        remarks.push(Remark::new(RemarkCode::Incomplete, text));
    }
    let checked = match start(&record.setup, &defaults.setup) {
        Ok((setup, mut game)) => {
            let rules_are_assumed = record.setup.rules.is_none() && defaults.chosen_rules.is_none();
            game.forgive_superko(rules_are_assumed);
            let checked = replay(&mut game, &record, line, &mut remarks);
            remarks.extend(sgf::remarks_on_repetition(&game));
            remarks.extend(sgf::remarks_on_order(&setup, &game, !rules_are_assumed, 0));
            checked
        }
        Err(why) => CheckResult::unreadable(line, why.to_string()),
    };
    if record.result.is_none() {
        remarks.push(Remark::new(RemarkCode::NoResult, "no result is stated"));
    }
    let handicap = record.setup.handicap.len();
    let main_time = record.black.main_time().filter(|_| record.black.time == record.white.time);
    let names = [&record.black, &record.white];
    let names = names.map(|player| player.name.as_deref().map(str::to_owned));
    let checked = CheckResult { remarks, handicap, main_time, names, ..checked };
    checked.claiming(record.result.as_deref())
}

/// Strips "line 1": each line is parsed by itself, so the parser always says line 1.
fn within_line(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = words.strip_suffix(&place).unwrap_or(&words);
    format!("{what} at column {}", error.column())
}

fn start(record: &SetupRecord, defaults: &Setup) -> Result<(Setup, Game), SetupRecordError> {
    let setup = record.setup(defaults)?;
    let game = Game::new(&setup)?;
    Ok((setup, game))
}

fn replay(
    game: &mut Game,
    record: &RecordedMatchGame<'_>,
    line: u64,
    remarks: &mut Vec<Remark>,
) -> CheckResult {
    let mut idle_passes = 0;
    for text in &record.turns {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let (Some(color), turn) = split_color(&words) else {
            let why = format!("turn '{text}': expected a colour, B or W, and a turn");
            return CheckResult::unreadable(line, why);
        };
        if game.is_final() && turn == ["pass"] {
            idle_passes += 1;
            continue;
        }
        if let Err(why) = play_turn(game, color, turn) {
            let turn = format!("{} {}", color.letter(), turn.join(" "));
            return CheckResult::illegal(line, &*game, game.turns().len() + 1, turn, why);
        }
    }
    if idle_passes > 0 {
        let text = format!("passes after the end of the game: {idle_passes}");
        remarks.push(Remark::new(RemarkCode::AfterEnd, text));
    }
    // The board also shows whether passes or the rules ended the game.
    let ended_on_board = matches!(record.reason.as_deref(), Some("passes" | "rules"));
    let claimed = record.result.as_deref().unwrap_or_default();
    match &record.scores.program {
        _ if ended_on_board && !game.is_over() => CheckResult::wrong(line, game, claimed, None),
        Some(program) => CheckResult::for_refereed_game(line, game, claimed, program),
        None => CheckResult::with_claimed_result(line, game, claimed),
    }
}

pub fn play_turn(game: &mut Game, color: Color, words: &[&str]) -> Result<(), Illegal> {
    let action = game.parse_words(words)?;
    game.apply(color, &action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::Encoding;
    use crate::referee::Verdict;
    use crate::rules::variant;

    fn defaults() -> Defaults {
        Defaults {
            setup: Setup::new(variant("go").expect("a variant")),
            encoding: Encoding::Native,
            chosen_rules: None,
        }
    }

    #[test]
    fn missing_parts_of_a_record_are_named() {
        let record =
            br#"{"variant":"go","width":5,"height":5,"komi":1,"rules":{},"turns":[],"result":"?"}"#;
        let checked = check_record(record, 1, &defaults());
        assert_eq!(checked.verdict, Verdict::Good);
        let text = "not stated, so the options decide: blocks";
        assert_eq!(checked.remarks, [Remark::new(RemarkCode::Incomplete, text)]);
    }

    #[test]
    fn a_huge_komi_is_refused() {
        let checked = check_record(br#"{"komi": 1e308, "turns": []}"#, 1, &defaults());
        let Verdict::Unreadable(why) = checked.verdict else {
            panic!("accepted");
        };
        assert!(why.contains("-10000 to 10000"), "{why}");
    }
}
