//! Turns, the steps they are made of, and how both are written.

use crate::board::{Color, Grid, Point, column_name};
use smallvec::SmallVec;
use std::fmt;

/// The stones of a growth in order; up to twelve without allocation.
pub type Stones = SmallVec<[Point; 12]>;

/// Everything one player does before the other moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// No change.
    Pass,
    /// A stone (in sygo: a placement).
    Stone(Point),
    /// An own stone becomes a void.
    Nuke(Point),
    /// A tao stone is put down.
    Tao(Point),
    /// Groups grow; the last stone of a balance turn is its placement.
    Grow(Stones),
}

/// One atom of a turn: what a search tree branches on, and what a client
/// that knows one vertex a move can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A whole turn: no change.
    Pass,
    /// A stone: a whole turn, or the placement that ends a balance turn.
    Stone(Point),
    /// A whole turn: an own stone becomes a void.
    Nuke(Point),
    /// A whole turn: a tao stone is put down.
    Tao(Point),
    /// One stone of a growth.
    Grow(Point),
    /// The growth ends.
    Done,
}

impl Step {
    /// The point the step is about.
    pub fn point(self) -> Option<Point> {
        match self {
            Step::Stone(p) | Step::Nuke(p) | Step::Tao(p) | Step::Grow(p) => Some(p),
            Step::Pass | Step::Done => None,
        }
    }

    /// The step as a small number.
    #[inline]
    pub fn code(self) -> u16 {
        let (kind, point) = match self {
            Step::Pass => (0, Point::NONE),
            Step::Stone(point) => (1, point),
            Step::Nuke(point) => (2, point),
            Step::Tao(point) => (3, point),
            Step::Grow(point) => (4, point),
            Step::Done => (5, Point::NONE),
        };
        kind << 10 | point.index() as u16
    }

    /// The step of a number; a pass of one that is no step's.
    #[inline]
    pub fn from_code(code: u16) -> Step {
        let point = Point::at(code);
        match code >> 10 {
            1 => Step::Stone(point),
            2 => Step::Nuke(point),
            3 => Step::Tao(point),
            4 => Step::Grow(point),
            5 => Step::Done,
            _ => Step::Pass,
        }
    }

    /// The turn that consists of this step alone; none for steps of a growth.
    pub fn whole_turn(self) -> Option<Turn> {
        match self {
            Step::Pass => Some(Turn::Pass),
            Step::Stone(point) => Some(Turn::Stone(point)),
            Step::Nuke(point) => Some(Turn::Nuke(point)),
            Step::Tao(point) => Some(Turn::Tao(point)),
            Step::Grow(_) | Step::Done => None,
        }
    }
}

/// A set of steps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StepSet {
    /// A bit for each [`Step::code`].
    bits: Vec<u64>,
}

impl StepSet {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// Whether `step` is among them.
    #[inline]
    pub fn contains(&self, step: Step) -> bool {
        let code = usize::from(step.code());
        let bits = self.bits.get(code / 64).copied().unwrap_or(0);
        bits >> (code % 64) & 1 == 1
    }
}

impl FromIterator<Step> for StepSet {
    fn from_iter<I: IntoIterator<Item = Step>>(steps: I) -> StepSet {
        let mut bits = Vec::new();
        for step in steps {
            let code = usize::from(step.code());
            if bits.len() <= code / 64 {
                bits.resize(code / 64 + 1, 0);
            }
            bits[code / 64] |= 1 << (code % 64);
        }
        StepSet { bits }
    }
}

/// What a text that should be a turn may be, and whose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A turn.
    Turn(Turn),
    /// The player gives up; not a turn.
    Resign,
}

/// Why a text is no turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// Nothing of the kind is ever written.
    #[error("no such turn")]
    Syntax,
    /// A vertex that is well written but not on this board.
    #[error("off the board")]
    OffBoard,
}

/// Column and row, from 0, of a written vertex (`D4`, `d4`), wherever it may
/// lie; none if it is no vertex. Row and column are at most 999.
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

/// The point of a written vertex in the flat form.
///
/// # Errors
/// [`TurnError`].
pub fn parse_point(grid: &Grid, text: &str) -> Result<Point, TurnError> {
    let (column, row) = parse_vertex(text).ok_or(TurnError::Syntax)?;
    let small = |n: u16| u8::try_from(n).map_err(|_| TurnError::OffBoard);
    grid.point(small(column)?, small(row)?)
        .ok_or(TurnError::OffBoard)
}

/// A point as a vertex of the flat form.
pub fn vertex(grid: &Grid, point: Point) -> String {
    let (column, row) = grid.coordinates(point);
    format!("{}{}", column_name(column), row + 1)
}

/// Which words of the language of turns a variant has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// `nuke D4`
    pub nuke: bool,
    /// `tao D4`
    pub tao: bool,
    /// `grow D4 E5`
    pub grow: bool,
    /// `layer 1 D4`, and stones are written so
    pub layer: bool,
}

impl Vocabulary {
    /// Stones and passes only.
    pub const PLAIN: Vocabulary = Vocabulary {
        nuke: false,
        tao: false,
        grow: false,
        layer: false,
    };

    /// Reads a turn, or `resign`, from its words; letter case is free.
    ///
    /// # Errors
    /// [`TurnError::Syntax`] if it is no turn of this variant,
    /// [`TurnError::OffBoard`] if a vertex lies elsewhere.
    pub fn parse(&self, grid: &Grid, words: &[&str]) -> Result<Action, TurnError> {
        let (&head, rest) = words.split_first().ok_or(TurnError::Syntax)?;
        let head = head.to_ascii_lowercase();
        let turn = match (head.as_str(), rest) {
            ("pass", []) => Turn::Pass,
            ("resign", []) => return Ok(Action::Resign),
            ("nuke", rest) if self.nuke => Turn::Nuke(self.parse_place(grid, rest)?),
            ("tao", rest) if self.tao => Turn::Tao(self.parse_place(grid, rest)?),
            ("grow", rest) if self.grow && !rest.is_empty() => {
                let points = rest.iter().map(|text| parse_point(grid, text));
                Turn::Grow(points.collect::<Result<_, _>>()?)
            }
            _ => Turn::Stone(self.parse_place(grid, words)?),
        };
        Ok(Action::Turn(turn))
    }

    /// A vertex, or `layer L V` where layers are spoken of.
    fn parse_place(&self, grid: &Grid, words: &[&str]) -> Result<Point, TurnError> {
        match words {
            [text] => parse_point(grid, text),
            [word, layer, text] if self.layer && word.eq_ignore_ascii_case("layer") => {
                parse_on_layer(grid, layer, text)
            }
            _ => Err(TurnError::Syntax),
        }
    }

    /// The turn as it is written.
    pub fn write<'a>(&self, grid: &'a Grid, turn: &'a Turn) -> impl fmt::Display + use<'a> {
        Written {
            layer: self.layer,
            grid,
            turn,
        }
    }
}

fn parse_on_layer(grid: &Grid, layer: &str, text: &str) -> Result<Point, TurnError> {
    let layer: u16 = layer.parse().map_err(|_| TurnError::Syntax)?;
    let (column, row) = parse_vertex(text).ok_or(TurnError::Syntax)?;
    let small = |n: u16| u8::try_from(n).map_err(|_| TurnError::OffBoard);
    grid.point_on_layer(small(layer)?, small(column)?, small(row)?)
        .ok_or(TurnError::OffBoard)
}

struct Written<'a> {
    layer: bool,
    grid: &'a Grid,
    turn: &'a Turn,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn {
            Turn::Pass => f.write_str("pass"),
            Turn::Stone(p) if self.layer => {
                let (layer, column, row) = self.grid.layer_coordinates(*p);
                write!(f, "layer {layer} {}{}", column_name(column), row + 1)
            }
            Turn::Stone(p) => f.write_str(&vertex(self.grid, *p)),
            Turn::Nuke(p) => write!(f, "nuke {}", vertex(self.grid, *p)),
            Turn::Tao(p) => write!(f, "tao {}", vertex(self.grid, *p)),
            Turn::Grow(stones) => {
                f.write_str("grow")?;
                stones
                    .iter()
                    .try_for_each(|p| write!(f, " {}", vertex(self.grid, *p)))
            }
        }
    }
}

/// Reads a colour: `b`, `w`, `black`, `white`, in any letter case.
pub fn parse_color(text: &str) -> Option<Color> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    match () {
        () if is("b") || is("black") => Some(Color::Black),
        () if is("w") || is("white") => Some(Color::White),
        () => None,
    }
}
