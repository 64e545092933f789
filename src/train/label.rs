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
use super::plain_game::{Coordinates, PlainGame, parse_move, usual_first, write_move};
use crate::board::Color;
use crate::rules::{Illegal, Scoring, Setup, Size, Step, VariantInfo, to_komi};
use std::fmt::{self, Display, Write};

/// The first line of a file.
pub const HEADER: &str = "# kawari labels 2";

/// Steps with smaller shares are left out.
const MAX_ENTRIES: usize = 14;

/// In points: no board has more.
const MAX_POINTS: f32 = 1000.0;

#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    pub position: PlainGame,
    /// The number of the game among those of its source, from 0.
    pub game: Option<u32>,
    /// In half points.
    pub komi: i16,
    pub scoring: Scoring,
    /// Steps of the side to move and their shares in thousandths; `None` is the pass.
    pub policy: Vec<(Option<Coordinates>, u16)>,
    pub values: PositionValues,
}

fn wrong(field: &str, expected: impl Display) -> String {
    format!("{field}: expected {expected}")
}

/// Tells whether the file that begins with these bytes has labels.
pub fn has_labels(head: &[u8]) -> bool {
    let line = head.split(|&byte| byte == b'\n').next().unwrap_or_default();
    line.trim_ascii_end() == HEADER.as_bytes()
}

fn position(size: Size, setup: &str, moves: &str) -> Result<PlainGame, String> {
    let mut position = PlainGame::new(size);
    let (first, setup) = match setup.split_once(':') {
        Some(("b", stones)) => (Some(Color::Black), stones),
        Some(("w", stones)) => (Some(Color::White), stones),
        Some(_) => return Err(wrong("SETUP", "b: or w: before the stones")),
        None => (None, setup),
    };
    for (color, place) in placed("SETUP", setup, size)? {
        let place = place.ok_or_else(|| wrong("SETUP", "stones such as bD4,wQ16"))?;
        let [black, white] = &mut position.stones;
        match color {
            Color::Black => black.push(place),
            Color::White => white.push(place),
        }
    }
    position.first = first.unwrap_or_else(|| usual_first(&position.stones));
    for (color, place) in placed("MOVES", moves, size)? {
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

fn half_points(text: &str) -> Result<i16, String> {
    let komi = text.parse().ok().and_then(|komi| to_komi(komi).ok());
    let halves = komi.map(|komi| 2.0 * komi).filter(|halves| halves.fract() == 0.0);
    let halves = halves.filter(|halves| halves.abs() <= f64::from(i16::MAX));
    halves.map(|halves| halves as i16).ok_or_else(|| wrong("KOMI", "points, whole or half"))
}

fn scoring(text: &str) -> Result<Scoring, String> {
    match text {
        "c" => Ok(Scoring::Area),
        "j" => Ok(Scoring::Territory),
        _ => Err(wrong("RULES", "c (area scoring) or j (territory scoring)")),
    }
}

/// The place of a point counted from the top row; `None` for the pass.
pub(super) fn place_from_top(number: usize, size: Size) -> Option<Coordinates> {
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let row_from_top = number / width;
    (row_from_top < height).then(|| ((number % width) as u8, (height - 1 - row_from_top) as u8))
}

fn policy_of(text: &str, size: Size) -> Result<Vec<(Option<Coordinates>, u16)>, String> {
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

impl Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_position(f, &self.position)?;
        let rules = match self.scoring {
            Scoring::Area => 'c',
            Scoring::Territory => 'j',
        };
        let PositionValues { win_rate, lead, stdev, ownership } = &self.values;
        write!(f, " {:.1} {rules} {win_rate:.4} {lead:.1} ", f32::from(self.komi) / 2.0)?;
        write!(f, "{stdev:.1} {} ", written_policy(&self.policy, self.position.size))?;
        for row in ownership.chunks(usize::from(self.position.size.width).max(1)).rev() {
            for &owner in row {
                f.write_char(char::from(b'e'.saturating_add_signed(owner)))?;
            }
        }
        self.game.map_or(Ok(()), |game| write!(f, " {game}"))
    }
}

fn write_position(f: &mut fmt::Formatter<'_>, position: &PlainGame) -> fmt::Result {
    let Size { width, height } = position.size;
    if width == height {
        write!(f, "{width} ")?
    } else {
        write!(f, "{width}x{height} ")?
    };
    if position.moves.is_empty() && position.first != usual_first(&position.stones) {
        write!(f, "{}:", letter(position.first))?;
    }
    let stones = position.colored_stones().map(|(color, place)| (color, Some(place)));
    write!(f, "{} {}", written(stones), written(position.colored_moves()))
}

fn letter(color: Color) -> char {
    color.letter().to_ascii_lowercase()
}

fn written(moves: impl Iterator<Item = (Color, Option<Coordinates>)>) -> String {
    let words: Vec<String> =
        moves.map(|(color, place)| format!("{}{}", letter(color), write_move(place))).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(",") }
}

fn written_policy(policy: &[(Option<Coordinates>, u16)], size: Size) -> String {
    let (width, height) = (usize::from(size.width), usize::from(size.height));
    let from_top = |place: Option<Coordinates>| match place {
        Some((column, row)) => (height - 1 - usize::from(row)) * width + usize::from(column),
        None => width * height,
    };
    let mut largest = policy.to_vec();
    largest.sort_by_key(|&(_, share)| std::cmp::Reverse(share));
    let entries = largest.into_iter().take(MAX_ENTRIES);
    let entry = |(place, share): (Option<Coordinates>, u16)| {
        format!("{}:{:.3}", from_top(place), f32::from(share) / 1000.0)
    };
    entries.map(entry).collect::<Vec<_>>().join(",")
}

impl Label {
    /// The label of a line; `None` for a blank line and a comment.
    pub fn from_line(line: &str) -> Result<Option<Label>, String> {
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
        let game = match game {
            [] => None,
            [game] => Some(game.parse().map_err(|_| wrong("GAME", "a number of a game"))?),
            _ => return Err(wrong_count(count)),
        };
        let size = size.parse().map_err(|why| format!("SIZE: {why}"))?;
        Ok(Some(Label {
            position: position(size, setup, moves)?,
            game,
            komi: half_points(komi)?,
            scoring: scoring(rules)?,
            policy: policy_of(policy, size)?,
            values: PositionValues {
                win_rate: number("WINRATE", win_rate, 0.0, 1.0)?,
                lead: number("LEAD", lead, -MAX_POINTS, MAX_POINTS)?,
                stdev: number("STDEV", stdev, 0.0, MAX_POINTS)?,
                ownership: ownership_of(ownership, size)?,
            },
        }))
    }

    fn setup(&self, info: &'static VariantInfo) -> Result<Setup, String> {
        let mut setup = Setup::new(info);
        if self.scoring != setup.rules.scoring {
            setup.rule_key("scoring").map_err(|error| error.to_string())?;
        }
        setup.rules.scoring = self.scoring;
        setup.rules.komi = f64::from(self.komi) / 2.0;
        setup.size = self.position.size;
        setup.stones.clone_from(&self.position.stones);
        setup.to_move = Some(self.position.first);
        Ok(setup)
    }

    pub fn game(&self, info: &'static VariantInfo) -> Result<TrainingGame, String> {
        let setup = self.setup(info)?;
        let (mut game, board) = begin(&setup)?;
        let grid = *game.grid();
        let step = |place: Option<Coordinates>| match place {
            Some((column, row)) => grid.point(column, row).map(Step::stone),
            None => Some(Step::PASS),
        };
        let mut before = Vec::with_capacity(self.position.moves.len());
        for (number, (color, place)) in (1..).zip(self.position.colored_moves()) {
            let step = step(place).ok_or(Illegal::OffBoard).map_err(illegal(number))?;
            game.step(color, step).map_err(illegal(number))?;
            before.push(step_number(&board, info, step));
        }
        let is_legal = |step: &Step| game.check_next_step(game.to_move(), *step).is_ok();
        let shares = self.policy.iter().filter_map(|&(place, share)| {
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
            start: Start::new(&setup),
            index: self.game,
            before,
            steps: vec![TrainingStep { step, policy, win: None }],
            label: Some(self.values.clone()),
            ..TrainingGame::default()
        })
    }
}

#[cfg(test)]
mod tests;
