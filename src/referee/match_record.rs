//! Checks match records: a JSON object per line, as `kawari match` writes them.

use super::check_result::CheckResult;
use crate::board::Color;
use crate::rules::{
    Action, AnyGame, Illegal, Setup, Size, TurnError, parse_color, parse_vertex, to_komi, variant,
};
use crate::sgf::variant_ids;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// The fields of a match record that determine the game, by the names under which
/// [`crate::arena`] writes them. The defaults of the referee replace missing fields, and the
/// check says which; only `handicap` is left out where there is none.
#[derive(Debug, Deserialize)]
struct RecordedMatchGame<'a> {
    #[serde(borrow)]
    variant: Option<Cow<'a, str>>,
    width: Option<u8>,
    height: Option<u8>,
    komi: Option<f64>,
    rules: Option<Map<String, Value>>,
    #[serde(alias = "blocked_points")]
    blocks: Option<Vec<String>>,
    #[serde(default)]
    handicap: Vec<String>,
    #[serde(borrow)]
    turns: Vec<Cow<'a, str>>,
    #[serde(borrow)]
    result: Option<Cow<'a, str>>,
    #[serde(borrow)]
    reason: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    scores: Scores<'a>,
}

impl RecordedMatchGame<'_> {
    /// The fields that the defaults of the referee replace.
    fn missing(&self) -> Vec<&'static str> {
        let stated = [
            ("variant", self.variant.is_some()),
            ("width", self.width.is_some()),
            ("height", self.height.is_some()),
            ("komi", self.komi.is_some()),
            ("rules", self.rules.is_some()),
            ("blocks", self.blocks.is_some()),
        ];
        let missing = stated.into_iter().filter(|(_, stated)| !stated);
        missing.map(|(name, _)| name).collect()
    }
}

/// The reported scores; the check uses that of the judging program only.
#[derive(Debug, Default, Deserialize)]
struct Scores<'a> {
    #[serde(borrow, default)]
    program: Option<Cow<'a, str>>,
}

/// The header line of a file of match records.
#[derive(Debug, Deserialize)]
struct Header {
    #[serde(rename = "kawari-match")]
    _format: u32,
}

/// Whether a line is the header of a match, which is not a game.
pub fn is_header(text: &[u8]) -> bool {
    // Searching for the key first avoids parsing every line twice.
    let key = b"\"kawari-match\"";
    let found = text.windows(key.len()).any(|window| window == key);
    found && serde_json::from_slice::<Header>(text).is_ok()
}

/// Checks the match record of a line.
pub fn check_record(text: &[u8], line: u64, defaults: &Setup) -> CheckResult {
    let record: RecordedMatchGame<'_> = match serde_json::from_slice(text) {
        Ok(record) => record,
        Err(error) => return CheckResult::unreadable(line, within_line(&error)),
    };
    let setup = setup(&record, defaults);
    let game = setup.and_then(|setup| AnyGame::new(&setup).map_err(|error| error.to_string()));
    let checked = match game {
        Ok(game) => replay(game, &record, line),
        Err(why) => CheckResult::unreadable(line, why),
    };
    let missing = record.missing();
    let remark = (!missing.is_empty()).then(|| {
        let names = missing.join(", ");
        format!("not stated, and as the options have it: {names}")
    });
    checked.with_remarks(remark.into_iter().collect())
}

/// The message of a parse error within one line, which the parser calls line 1.
fn within_line(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = words.strip_suffix(&place).unwrap_or(&words);
    format!("{what} at column {}", error.column())
}

fn setup(record: &RecordedMatchGame<'_>, defaults: &Setup) -> Result<Setup, String> {
    let mut setup = match &record.variant {
        Some(id) if *id != defaults.info.id => {
            let unknown = || format!("unknown variant '{id}', expected one of {}", variant_ids());
            Setup::new(variant(id).ok_or_else(unknown)?)
        }
        _ => defaults.clone(),
    };
    for (name, value) in record.rules.iter().flatten() {
        let key = setup.rule_key(name).map_err(|error| error.to_string())?;
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let set = setup.rules.set(key, &value);
        set.map_err(|error| error.to_string())?;
    }
    match (record.width, record.height) {
        (None, None) => setup.limit_size(),
        (Some(side), None) | (None, Some(side)) => setup.size = Size::square(side),
        (Some(width), Some(height)) => setup.size = Size { width, height },
    }
    if let Some(komi) = record.komi {
        setup.rules.komi = to_komi(komi).map_err(|error| error.to_string())?;
    }
    if let Some(blocks) = &record.blocks {
        setup.blocked_points = parse_points(blocks)?;
    }
    setup.handicap.extend(parse_points(&record.handicap)?);
    Ok(setup)
}

fn parse_points(vertices: &[String]) -> Result<Vec<(u8, u8)>, String> {
    let place = |text: &String| {
        let (column, row) = parse_vertex(text)?;
        Some((u8::try_from(column).ok()?, u8::try_from(row).ok()?))
    };
    let place = |text| place(text).ok_or_else(|| format!("'{text}' is not a vertex"));
    vertices.iter().map(place).collect()
}

fn replay(mut game: AnyGame, record: &RecordedMatchGame<'_>, line: u64) -> CheckResult {
    for text in &record.turns {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [color, turn @ ..] = words.as_slice() else {
            return CheckResult::unreadable(line, "an empty turn");
        };
        let Some(color) = parse_color(color) else {
            return CheckResult::unreadable(
                line,
                format!("turn '{text}': expected a colour, B or W"),
            );
        };
        if let Err(why) = play_turn(&mut game, color, turn) {
            let turn = format!("{} {}", color.letter(), turn.join(" "));
            return CheckResult::illegal(line, &game, game.turns().len() + 1, turn, why);
        }
    }
    // The board also shows whether passes or the rules ended the game.
    let ended_on_board = matches!(record.reason.as_deref(), Some("passes" | "rules"));
    let claimed = record.result.as_deref().unwrap_or_default();
    match &record.scores.program {
        _ if ended_on_board && !game.is_over() => CheckResult::wrong(line, &game, claimed),
        Some(program) => CheckResult::of_judged_game(line, &game, claimed, program),
        None => CheckResult::of_claimed_result(line, &game, claimed),
    }
}

/// Plays a turn in words.
///
/// # Errors
/// The rule that forbids the turn.
pub fn play_turn(game: &mut AnyGame, color: Color, words: &[&str]) -> Result<(), Illegal> {
    let action = game.parse(words).map_err(|error| match error {
        TurnError::Syntax => Illegal::NoSuchTurn,
        TurnError::OffBoard => Illegal::OffBoard,
    })?;
    match action {
        Action::Turn(turn) => game.play(color, &turn),
        Action::Resign => game.resign(color),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::referee::Verdict;

    #[test]
    fn what_a_record_does_not_state_is_said() {
        let defaults = Setup::new(variant("go").expect("a variant"));
        let record = br#"{"variant":"go","width":5,"height":5,"komi":1,"rules":{},"turns":[]}"#;
        let checked = check_record(record, 1, &defaults);
        assert_eq!(checked.verdict, Verdict::Good);
        assert_eq!(
            checked.remarks,
            ["not stated, and as the options have it: blocks"]
        );
    }

    #[test]
    fn a_huge_komi_is_refused() {
        let defaults = Setup::new(variant("go").expect("a variant"));
        let checked = check_record(br#"{"komi": 1e308, "turns": []}"#, 1, &defaults);
        let Verdict::Unreadable(why) = checked.verdict else {
            panic!("accepted");
        };
        assert!(why.contains("-10000 to 10000"), "{why}");
    }
}
