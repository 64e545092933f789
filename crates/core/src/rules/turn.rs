//! Turns, and their notation.

use super::illegal::Illegal;
use super::step::{Step, StepKind, StepKindInfo, TurnLength};
use super::variant::VariantInfo;
use crate::board::{Color, Grid, Point, column_name};
use smallvec::SmallVec;

/// The points of a turn in order; up to twelve without allocation.
pub type TurnPoints = SmallVec<[Point; 12]>;

/// All that one player does before the other moves: a kind and its points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    kind: StepKind,
    points: TurnPoints,
}

impl Turn {
    /// A turn of the kind of its first step, with the points of all its steps.
    pub fn new(kind: StepKind, points: impl IntoIterator<Item = Point>) -> Turn {
        let points = points.into_iter().collect();
        Turn { kind, points }
    }

    /// A pass.
    pub fn pass() -> Turn {
        Turn::new(StepKind::PASS, [])
    }

    /// A stone.
    pub fn stone(point: Point) -> Turn {
        Turn::new(StepKind::STONE, [point])
    }

    /// The kind of its first step.
    pub fn kind(&self) -> StepKind {
        self.kind
    }

    /// Its points in order; empty for a pass.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The steps of its points, without the end of a turn of several.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.points.iter().map(|&point| Step::new(self.kind, point))
    }

    pub(super) fn push(&mut self, point: Option<Point>) {
        self.points.extend(point);
    }

    /// Whether it is a pass.
    pub fn is_pass(&self) -> bool {
        self.kind == StepKind::PASS
    }

    /// The point, if this is a stone.
    pub fn stone_point(&self) -> Option<Point> {
        let point = self.points.first().copied();
        point.filter(|_| self.kind == StepKind::STONE)
    }
}

/// The meaning of a text that should be a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A turn.
    Turn(Turn),
    /// Resignation; not a turn.
    Resign,
}

/// Why a text is not a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// The text is not a turn of this variant.
    #[error("no such turn")]
    Syntax,
    /// A vertex is not on this board.
    #[error("off the board")]
    OffBoard,
}

impl From<TurnError> for Illegal {
    fn from(error: TurnError) -> Illegal {
        match error {
            TurnError::Syntax => Illegal::NoSuchTurn,
            TurnError::OffBoard => Illegal::OffBoard,
        }
    }
}

/// The side before a written turn, if it has one (`B nuke D4`), and the words of the turn.
pub fn split_color<W: AsRef<str>>(words: &[W]) -> (Option<Color>, &[W]) {
    let color = words.first().and_then(|word| parse_color(word.as_ref()));
    match (color, words) {
        (Some(_), [_, turn @ ..]) => (color, turn),
        _ => (None, words),
    }
}

/// Column and row, from 0, of a written vertex (`D4`, `d4`) on any board; both are at most 999.
pub fn parse_vertex(text: &str) -> Option<(u16, u16)> {
    let split = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, digits) = text.split_at(split);
    let canonical = (1..=2).contains(&letters.len())
        && digits.len() <= 3
        && digits.bytes().all(|b| b.is_ascii_digit());
    let row: u16 = canonical.then(|| digits.parse().ok()).flatten()?;
    let mut column = 0;
    for letter in letters.bytes() {
        let at = match letter.to_ascii_uppercase() {
            b'I' => return None,
            high @ b'J'..=b'Z' => high - b'B',
            low => low - b'A',
        };
        column = column * 25 + u16::from(at) + 1;
    }
    (row > 0).then(|| (column - 1, row - 1))
}

/// Whether a text has the form of a vertex: `D4`, `Z99`, and with the unused letter `I5`.
pub fn is_written_vertex(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = text.len() - digits.len();
    (1..=2).contains(&letters)
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has the form of a vertex with the letter I, which no board has.
pub fn names_column_i(text: &str) -> bool {
    is_written_vertex(text) && text.contains(['i', 'I'])
}

/// The point of a written vertex in the flat form.
pub fn parse_point(grid: &Grid, text: &str) -> Result<Point, TurnError> {
    let (column, row) = parse_vertex(text).ok_or(TurnError::Syntax)?;
    let small = |n: u16| u8::try_from(n).map_err(|_| TurnError::OffBoard);
    grid.point(small(column)?, small(row)?).ok_or(TurnError::OffBoard)
}

/// A point as a vertex of the flat form.
pub fn vertex(grid: &Grid, point: Point) -> String {
    let (column, row) = grid.coordinates(point);
    format!("{}{}", column_name(column), row + 1)
}

impl VariantInfo {
    /// The turn of only this step; `None` if its turn may have more steps.
    pub fn whole_turn(&self, step: Step) -> Option<Turn> {
        match (step.kind(), step.point()) {
            (StepKind::PASS, _) => Some(Turn::pass()),
            (kind, Some(point)) if !self.kind(kind)?.is_several() => Some(Turn::new(kind, [point])),
            _ => None,
        }
    }

    /// Parses the words of a turn, or `resign`, in any letter case.
    pub fn parse_turn(&self, grid: &Grid, words: &[&str]) -> Result<Action, TurnError> {
        let (&head, rest) = words.split_first().ok_or(TurnError::Syntax)?;
        let is = |word: &str| head.eq_ignore_ascii_case(word);
        match rest {
            [] if is("pass") => return Ok(Action::Turn(Turn::pass())),
            [] if is("resign") => return Ok(Action::Resign),
            _ => {}
        }
        let mut kinds = self.step_kinds();
        let turn = match kinds.find(|(_, info)| !info.word.is_empty() && is(info.word)) {
            Some((kind, info)) => Turn::new(kind, parse_points(grid, info, rest)?),
            None => match words {
                [vertex] => Turn::stone(parse_point(grid, vertex)?),
                _ => match self.kinds.first() {
                    Some(stone) if stone.word.is_empty() => {
                        Turn::new(StepKind::STONE, parse_points(grid, stone, words)?)
                    }
                    _ => return Err(TurnError::Syntax),
                },
            },
        };
        Ok(Action::Turn(turn))
    }

    /// The turn in writing.
    pub fn write_turn(&self, grid: &Grid, turn: &Turn) -> String {
        let Some(kind) = self.kind(turn.kind) else {
            return "pass".to_owned();
        };
        let points = turn.points.iter().map(|&point| {
            if !kind.on_layer {
                return vertex(grid, point);
            }
            let (layer, column, row) = grid.layer_coordinates(point);
            format!("{layer} {}{}", column_name(column), row + 1)
        });
        let word = (!kind.word.is_empty()).then(|| kind.word.to_owned());
        word.into_iter().chain(points).collect::<Vec<_>>().join(" ")
    }
}

fn parse_points(grid: &Grid, info: &StepKindInfo, words: &[&str]) -> Result<TurnPoints, TurnError> {
    match (info.on_layer, info.length, words) {
        (true, _, [layer, vertex]) => {
            Ok(SmallVec::from_slice(&[parse_on_layer(grid, layer, vertex)?]))
        }
        (false, TurnLength::One, [_]) | (false, TurnLength::Several, [_, ..]) => {
            words.iter().map(|text| parse_point(grid, text)).collect()
        }
        _ => Err(TurnError::Syntax),
    }
}

fn parse_on_layer(grid: &Grid, layer: &str, text: &str) -> Result<Point, TurnError> {
    let layer: u16 = layer.parse().map_err(|_| TurnError::Syntax)?;
    let (column, row) = parse_vertex(text).ok_or(TurnError::Syntax)?;
    let small = |n: u16| u8::try_from(n).map_err(|_| TurnError::OffBoard);
    grid.point_on_layer(small(layer)?, small(column)?, small(row)?).ok_or(TurnError::OffBoard)
}

/// Parses a colour: `b`, `w`, `black`, `white`, in any letter case.
pub fn parse_color(text: &str) -> Option<Color> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    match () {
        () if is("b") || is("black") => Some(Color::Black),
        () if is("w") || is("white") => Some(Color::White),
        () => None,
    }
}
