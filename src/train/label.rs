//! Labels: a teacher's values of positions, one a line. A teacher is a stronger engine.
//!
//! A file begins with [`HEADER`]. A line has fields with one space between: `SIZE SETUP
//! MOVES KOMI RULES WINRATE LEAD STDEV POLICY OWNERSHIP`, and may end with the number of its game,
//! from 0.
//!
//! | field | what |
//! | --- | --- |
//! | SIZE | `19`, or columns and rows: `13x9` |
//! | SETUP | stones before the first move, `bD4,wQ16`, or `-`; `b:` or `w:` before them says who begins, otherwise White after black stones alone, Black else |
//! | MOVES | `bQ16,wD4,bpass`, or `-` |
//! | KOMI | points, whole or half |
//! | RULES | `c` for area scoring, `j` for territory scoring |
//! | WINRATE, LEAD, STDEV | Black's chance from 0 to 1, Black's lead in points and its standard deviation |
//! | POLICY | `point:share` of the side to move; points from the top row, left to right, then the pass |
//! | OWNERSHIP | a letter for each point in the same order: `a` is White's, `e` nobody's, `i` Black's |

use super::game::{
    PolicyTarget, PositionValues, Start, TrainingGame, TrainingStep, begin, illegal, step_number,
};
use super::plain_game::{Coordinates, PlainGame, parse_move, usual_first};
use crate::board::Color;
use crate::rules::{Illegal, Scoring, Setup, Size, Step, VariantInfo, to_komi};
use std::fmt::Display;

/// The first line of a file.
pub const HEADER: &str = "# kawari labels 2";

/// In points: no board has more.
const MAX_POINTS: f32 = 1000.0;

/// Steps of the side to move and their shares in thousandths; `None` is the pass.
type Policy = Vec<(Option<Coordinates>, u16)>;

fn wrong(field: &str, expected: impl Display) -> String {
    format!("{field}: expected {expected}")
}

/// Tells whether the file that begins with these bytes has labels.
pub fn has_labels(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.trim_ascii_end() == HEADER.as_bytes()
}

/// Of the fields `SIZE SETUP MOVES KOMI RULES`.
fn position(fields: [&str; 5], info: &'static VariantInfo) -> Result<PlainGame, String> {
    let [size, stones, moves, komi, rules] = fields;
    let mut setup = Setup::new(info);
    setup.size = size.parse().map_err(|why| format!("SIZE: {why}"))?;
    let (first, stones) = match stones.split_once(':') {
        Some(("b", stones)) => (Some(Color::Black), stones),
        Some(("w", stones)) => (Some(Color::White), stones),
        Some(_) => return Err(wrong("SETUP", "b: or w: before the stones")),
        None => (None, stones),
    };
    for (color, place) in placed("SETUP", stones, setup.size)? {
        let place = place.ok_or_else(|| wrong("SETUP", "stones such as bD4,wQ16"))?;
        let [black, white] = &mut setup.stones;
        match color {
            Color::Black => black.push(place),
            Color::White => white.push(place),
        }
    }
    setup.to_move = Some(first.unwrap_or_else(|| usual_first(&setup.stones)));
    setup.rules.komi = komi_of(komi)?;
    let scoring = scoring(rules)?;
    if scoring != setup.rules.scoring {
        setup.rule_key("scoring").map_err(|error| error.to_string())?;
        setup.rules.scoring = scoring;
    }
    let mut position = PlainGame::new(setup)?;
    for (color, place) in placed("MOVES", moves, position.setup.size)? {
        position.add(color, place).map_err(|why| format!("MOVES: {why}"))?;
    }
    Ok(position)
}

fn wrong_count(count: usize) -> String {
    format!("{count} fields: expected 10, or 11 with the number of a game")
}

fn placed(
    field: &str,
    text: &str,
    size: Size,
) -> Result<Vec<(Color, Option<Coordinates>)>, String> {
    let one = |word: &str| {
        let (color, vertex) = match word.split_at_checked(1) {
            Some(("b", vertex)) => (Color::Black, vertex),
            Some(("w", vertex)) => (Color::White, vertex),
            _ => return Err(wrong(field, "- or moves such as bD4,wpass")),
        };
        let place = parse_move(vertex, size).map_err(|why| format!("{field}: {why}"))?;
        Ok((color, place))
    };
    if text == "-" { Ok(Vec::new()) } else { text.split(',').map(one).collect() }
}

fn number(field: &str, text: &str, least: f32, most: f32) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| wrong(field, format!("a number from {least} to {most}")))
}

fn komi_of(text: &str) -> Result<f64, String> {
    let komi = text.parse().ok().and_then(|komi| to_komi(komi).ok());
    let komi = komi.filter(|komi| (2.0 * komi).fract() == 0.0);
    komi.ok_or_else(|| wrong("KOMI", "points, whole or half"))
}

fn scoring(text: &str) -> Result<Scoring, String> {
    match text {
        "c" => Ok(Scoring::Area),
        "j" => Ok(Scoring::Territory),
        _ => Err(wrong("RULES", "c (area scoring) or j (territory scoring)")),
    }
}

/// The place of a point counted from the top row; `None` for the pass.
fn place_from_top(number: usize, size: Size) -> Option<Coordinates> {
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let row_from_top = number / width;
    (row_from_top < height).then(|| ((number % width) as u8, (height - 1 - row_from_top) as u8))
}

fn policy_of(text: &str, size: Size) -> Result<Policy, String> {
    let points = usize::from(size.width) * usize::from(size.height);
    let error = || wrong("POLICY", format!("point:share pairs, points from 0 to {points}"));
    let entry = |text: &str| {
        let (point, share) = text.split_once(':').ok_or_else(error)?;
        let point = point.parse().ok().filter(|&point: &usize| point <= points);
        let share = share.parse().ok().filter(|share: &f32| (0.0..=1.0).contains(share));
        let (point, share) = point.zip(share).ok_or_else(error)?;
        Ok((place_from_top(point, size), (1000.0 * share).round() as u16))
    };
    text.split(',').map(entry).collect()
}

fn ownership_of(text: &str, size: Size) -> Result<Vec<i8>, String> {
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let error = || wrong("OWNERSHIP", format!("{} letters from a to i", width * height));
    if text.len() != width * height {
        return Err(error());
    }
    let owner = |&letter: &u8| match letter {
        b'a'..=b'i' => Ok((letter - b'a') as i8 - PositionValues::OWNED),
        _ => Err(error()),
    };
    text.as_bytes().chunks(width).rev().flatten().map(owner).collect()
}

/// The game of one step of a line; `None` for a blank line and a comment.
pub fn read(line: &str, info: &'static VariantInfo) -> Result<Option<TrainingGame>, String> {
    let line = line.trim_end();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let fields: Vec<&str> = line.split(' ').collect();
    let count = fields.len();
    let [size, setup, moves, komi, rules, win_rate, lead, stdev, policy, ownership, game @ ..] =
        fields.as_slice()
    else {
        return Err(wrong_count(count));
    };
    let index = match game {
        [] => None,
        [game] => Some(game.parse().map_err(|_| wrong("GAME", "a number of a game"))?),
        _ => return Err(wrong_count(count)),
    };
    let position = position([size, setup, moves, komi, rules], info)?;
    let size = position.setup.size;
    let policy = policy_of(policy, size)?;
    let values = PositionValues {
        win_rate: number("WINRATE", win_rate, 0.0, 1.0)?,
        lead: number("LEAD", lead, -MAX_POINTS, MAX_POINTS)?,
        stdev: number("STDEV", stdev, 0.0, MAX_POINTS)?,
        ownership: ownership_of(ownership, size)?,
    };
    let game = training_game(&position, &policy)?;
    Ok(Some(TrainingGame { index, label: Some(values), ..game }))
}

fn training_game(position: &PlainGame, policy: &Policy) -> Result<TrainingGame, String> {
    let (setup, info) = (&position.setup, position.setup.info);
    let (mut game, board) = begin(setup)?;
    let grid = *game.grid();
    let step = |place: Option<Coordinates>| match place {
        Some((column, row)) => grid.point(column, row).map(Step::stone),
        None => Some(Step::PASS),
    };
    let mut before = Vec::with_capacity(position.moves.len());
    for (number, (color, place)) in (1..).zip(position.colored_moves()) {
        let step = step(place).ok_or(Illegal::OffBoard).map_err(illegal(number))?;
        game.step(color, step).map_err(illegal(number))?;
        before.push(step_number(&board, info, step));
    }
    let is_legal = |step: &Step| game.check_next_step(game.to_move(), *step).is_ok();
    let shares = policy.iter().filter_map(|&(place, share)| {
        let step = step(place).filter(is_legal)?;
        Some((step_number(&board, info, step), share))
    });
    let policy = PolicyTarget::from_visits(shares.collect());
    let PolicyTarget::Visits(visits) = &policy else {
        return Err("no step of the policy is legal".to_owned());
    };
    let best = visits.iter().max_by_key(|(_, share)| *share);
    let step = best.map_or(u16::MAX, |&(step, _)| step);
    Ok(TrainingGame {
        start: Start::new(setup),
        before,
        steps: vec![TrainingStep { step, policy, win: None }],
        ..TrainingGame::default()
    })
}

#[cfg(test)]
mod tests;
