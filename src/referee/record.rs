//! Match records: a JSON object a line, as `kawari match` writes them.

use super::report::Report;
use crate::board::Color;
use crate::gtp::session::{fitting, known_key};
use crate::rules::{
    Action, AnyGame, Illegal, Setup, Size, TurnError, parse_color, parse_vertex, variant,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// What of a record tells how a game went; what is left out is as the options
/// of the referee say.
#[derive(Debug, Deserialize)]
struct Written<'a> {
    #[serde(borrow, default)]
    variant: Option<Cow<'a, str>>,
    #[serde(default)]
    width: Option<u8>,
    #[serde(default)]
    height: Option<u8>,
    #[serde(default)]
    komi: Option<f64>,
    #[serde(default)]
    rules: Map<String, Value>,
    #[serde(default)]
    blocks: Vec<String>,
    #[serde(default)]
    handicap: Vec<String>,
    #[serde(borrow)]
    turns: Vec<Cow<'a, str>>,
    #[serde(borrow, default)]
    result: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    reason: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    scores: Scores<'a>,
}

/// What was counted; of that, what the program says that judged the match.
#[derive(Debug, Default, Deserialize)]
struct Scores<'a> {
    #[serde(borrow, default)]
    program: Option<Cow<'a, str>>,
}

/// The first line of a file of records, which is no game.
#[derive(Debug, Deserialize)]
struct Header {
    #[serde(rename = "kawari-match")]
    _format: u32,
}

/// Whether a line is the first of a file, which tells of a match and of no game.
pub fn is_header(text: &[u8]) -> bool {
    // The key is looked for first: to parse everything twice would take time.
    let key = b"\"kawari-match\"";
    let found = text.windows(key.len()).any(|window| window == key);
    found && serde_json::from_slice::<Header>(text).is_ok()
}

/// Judges the record in a line.
pub fn judge(text: &[u8], line: u64, base: &Setup) -> Report {
    let written: Written<'_> = match serde_json::from_slice(text) {
        Ok(written) => written,
        Err(error) => return Report::unreadable(line, within_line(&error)),
    };
    let setup = setup(&written, base);
    let game = setup.and_then(|setup| AnyGame::new(&setup).map_err(|error| error.to_string()));
    match game {
        Ok(game) => replay(game, &written, line),
        Err(why) => Report::unreadable(line, why),
    }
}

/// The error of a parser that was given one line, which it calls line 1.
fn within_line(error: &serde_json::Error) -> String {
    let words = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let what = words.strip_suffix(&place).unwrap_or(&words);
    format!("{what} at column {}", error.column())
}

fn setup(written: &Written<'_>, base: &Setup) -> Result<Setup, String> {
    let mut setup = match &written.variant {
        Some(id) if *id != base.info.id => {
            Setup::new(variant(id).ok_or_else(|| format!("unknown variant '{id}'"))?)
        }
        _ => base.clone(),
    };
    for (name, value) in &written.rules {
        let key = known_key(setup.info, name);
        let key = key.ok_or_else(|| format!("unknown rule '{name}'"))?;
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let set = setup.rules.set(key, &value);
        set.map_err(|error| error.to_string())?;
    }
    setup.size = match (written.width, written.height) {
        (None, None) => fitting(setup.info, &setup.rules, setup.size),
        (Some(side), None) | (None, Some(side)) => Size::square(side),
        (Some(width), Some(height)) => Size { width, height },
    };
    setup.rules.komi = written.komi.unwrap_or(setup.rules.komi);
    setup.blocks.extend(places(&written.blocks)?);
    setup.handicap.extend(places(&written.handicap)?);
    Ok(setup)
}

fn places(vertices: &[String]) -> Result<Vec<(u8, u8)>, String> {
    let place = |text: &String| {
        let (column, row) = parse_vertex(text)?;
        Some((u8::try_from(column).ok()?, u8::try_from(row).ok()?))
    };
    let place = |text| place(text).ok_or_else(|| format!("'{text}' is no point"));
    vertices.iter().map(place).collect()
}

fn replay(mut game: AnyGame, written: &Written<'_>, line: u64) -> Report {
    for text in &written.turns {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [color, turn @ ..] = words.as_slice() else {
            return Report::unreadable(line, "a turn without words");
        };
        let Some(color) = parse_color(color) else {
            return Report::unreadable(line, format!("turn '{text}': no colour"));
        };
        if let Err(why) = act(&mut game, color, turn) {
            let turn = format!("{} {}", color.letter(), turn.join(" "));
            return Report::illegal(line, &game, game.turns().len() + 1, turn, why);
        }
    }
    // Two passes, or an end by the rules, can be seen on the board too.
    let seen = matches!(written.reason.as_deref(), Some("passes" | "rules"));
    let claimed = written.result.as_deref().unwrap_or_default();
    match &written.scores.program {
        _ if seen && !game.is_over() => Report::wrong(line, &game, claimed),
        Some(program) => Report::of_judged(line, &game, claimed, program),
        None => Report::of_claim(line, &game, claimed),
    }
}

/// Makes the turn that these words say.
///
/// # Errors
/// The rule that forbids it, as `kawari-explain` tells it.
pub fn act(game: &mut AnyGame, color: Color, words: &[&str]) -> Result<(), Illegal> {
    let action = game.parse(words).map_err(|error| match error {
        TurnError::Syntax => Illegal::NoSuchTurn,
        TurnError::OffBoard => Illegal::OffBoard,
    })?;
    match action {
        Action::Turn(turn) => game.play(color, &turn),
        Action::Resign => game.resign(color),
    }
}
