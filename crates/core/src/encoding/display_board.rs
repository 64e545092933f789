//! The board that a client displays, and the meaning of its vertices.

use super::{Encoding, panel};
use crate::board::{Grid, MAX_SIDE, Point, column_name};
use crate::rules::{Setup, Size, TurnError, VariantInfo, parse_vertex};
use std::fmt;

/// A column and a row from 0; `A1` is the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex {
    pub column: u8,
    pub row: u8,
}

impl Vertex {
    /// Reads a vertex such as `D4`.
    pub fn parse(text: &str) -> Result<Vertex, TurnError> {
        let (column, row) = parse_vertex(text).ok_or(TurnError::Syntax)?;
        let small = |n: u16| u8::try_from(n).map_err(|_| TurnError::OffBoard);
        let (column, row) = (small(column)?, small(row)?);
        Ok(Vertex { column, row })
    }
}

impl From<Vertex> for (u8, u8) {
    fn from(Vertex { column, row }: Vertex) -> (u8, u8) {
        (column, row)
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_name(self.column), u16::from(self.row) + 1)
    }
}

/// The meaning of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayCell {
    /// A point of the variant's own board.
    Point(Point),
    /// Its copy on the panel.
    Copy(Point),
    /// The end of a turn.
    End,
}

/// The columns after the variant's own board and a dead column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Panel {
    None,
    Copies,
    Ends,
}

/// The variant's own board in the lower left corner, and a panel on its right in some encodings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayBoard {
    grid: Grid,
    panel: Panel,
    width: u8,
    height: u8,
}

impl DisplayBoard {
    /// The board that a client with this encoding displays.
    pub fn new(encoding: Encoding, info: &VariantInfo, grid: Grid) -> DisplayBoard {
        let panel = match encoding {
            Encoding::Native => Panel::None,
            Encoding::Panel | Encoding::Sabaki if panel::is_needed(info) => Panel::Copies,
            Encoding::Sabaki if !info.has_single_steps_only() && grid.width() + 2 <= MAX_SIDE => {
                Panel::Ends
            }
            Encoding::Panel | Encoding::Sabaki => Panel::None,
        };
        let more = match panel {
            Panel::None => 0,
            Panel::Copies => 1 + grid.width(),
            Panel::Ends => 2,
        };
        DisplayBoard { grid, panel, width: grid.width() + more, height: grid.height() }
    }

    /// With the size that a client asked for: more END columns, dead rows above, or a panel that is
    /// cut off.
    #[must_use]
    pub fn resized(self, (width, height): (u8, u8)) -> DisplayBoard {
        DisplayBoard { width, height, ..self }
    }

    /// Columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// The side of the smallest square around the board, for clients that know only squares.
    pub fn side(&self) -> u8 {
        self.width().max(self.height())
    }

    /// All vertices with a meaning, row by row from the lower left.
    pub fn cells_shown(&self) -> impl Iterator<Item = (Vertex, DisplayCell)> + '_ {
        let vertices = vertices(self.width, self.height);
        vertices.filter_map(|vertex| Some((vertex, self.cell(vertex)?)))
    }

    /// All vertices of the square, row by row from the lower left.
    pub fn square(&self) -> impl Iterator<Item = Vertex> {
        vertices(self.side(), self.side())
    }

    /// A text for each vertex of the square, rows from the top.
    pub fn square_rows(&self, separator: &str, text: impl Fn(Vertex) -> String) -> String {
        let texts: Vec<_> = self.square().map(text).collect();
        let rows = texts.chunks(self.side().max(1).into()).rev().map(|row| row.join(separator));
        rows.collect::<Vec<_>>().join("\n")
    }

    /// `None` off the board and in the dead column.
    pub fn cell(&self, vertex: Vertex) -> Option<DisplayCell> {
        let pitch = self.grid.width() + 1;
        let point = |column| self.grid.point(column, vertex.row);
        match vertex.column.checked_sub(pitch) {
            None => point(vertex.column).map(DisplayCell::Point),
            Some(_) if self.panel == Panel::Ends => {
                let on_board = vertex.column < self.width && vertex.row < self.height;
                on_board.then_some(DisplayCell::End)
            }
            Some(column) if self.panel == Panel::Copies => point(column).map(DisplayCell::Copy),
            Some(_) => None,
        }
    }

    /// The vertices that end a turn, column by column.
    pub fn ends(&self) -> impl Iterator<Item = Vertex> + use<> {
        let first = match self.panel {
            Panel::Ends => self.grid.width() + 1,
            Panel::None | Panel::Copies => self.width,
        };
        let height = self.height;
        let vertices = move |column| (0..height).map(move |row| Vertex { column, row });
        (first..self.width).flat_map(vertices)
    }

    /// The vertex of a point on the variant's own board.
    pub fn vertex_of(&self, point: Point) -> Vertex {
        let (column, row) = self.grid.coordinates(point);
        Vertex { column, row }
    }

    /// The number of a vertex, counted from the top left by rows; `None` off the board.
    pub fn number(&self, Vertex { column, row }: Vertex) -> Option<usize> {
        let from_top = usize::from(self.height.checked_sub(row)?.checked_sub(1)?);
        let (column, width) = (usize::from(column), usize::from(self.width));
        (column < width).then_some(from_top * width + column)
    }

    /// The vertex of a point's copy; `None` without copies.
    pub fn copy_of(&self, point: Point) -> Option<Vertex> {
        let Vertex { column, row } = self.vertex_of(point);
        let column = column + self.grid.width() + 1;
        (self.panel == Panel::Copies).then_some(Vertex { column, row })
    }
}

/// Row by row from the lower left.
fn vertices(width: u8, height: u8) -> impl Iterator<Item = Vertex> {
    (0..height).flat_map(move |row| (0..width).map(move |column| Vertex { column, row }))
}

/// The size that `boardsize N` means: the present one if N is its displayed width, else the
/// variant's own size N, else the size with N displayed columns.
pub fn square(encoding: Encoding, setup: &Setup, number: i64) -> Option<Size> {
    let width_of = |size| Some(display_of(encoding, setup, size)?.width());
    let number = u8::try_from(number).ok()?;
    if width_of(setup.size) == Some(number) {
        return Some(setup.size);
    }
    let mut all = (2..=MAX_SIDE).map(Size::square);
    let own = Some(Size::square(number)).filter(|&size| width_of(size).is_some());
    own.or_else(|| all.find(|&size| width_of(size) == Some(number)))
}

/// The size that `boardsize W H` means, by the same order.
pub fn rectangle(encoding: Encoding, setup: &Setup, width: i64, height: i64) -> Option<Size> {
    let sides = |size| {
        let display = display_of(encoding, setup, size)?;
        Some((display.width(), display.height()))
    };
    let (width, height) = (u8::try_from(width).ok()?, u8::try_from(height).ok()?);
    let now = display_of(encoding, setup, setup.size)?;
    let more_ends = now.panel == Panel::Ends && (now.width..=MAX_SIDE).contains(&width);
    if (now.width == width || more_ends) && now.height == height {
        return Some(setup.size);
    }
    let own = Some(Size { width, height }).filter(|&size| sides(size).is_some());
    let mut all = (2..=MAX_SIDE).map(|width| {
        if setup.info.stacked { Size::square(height) } else { Size { width, height } }
    });
    own.or_else(|| all.find(|&size| sides(size) == Some((width, height))))
}

fn display_of(encoding: Encoding, setup: &Setup, size: Size) -> Option<DisplayBoard> {
    let setup = Setup { size, ..setup.clone() };
    let grid = setup.grid().ok()?;
    Some(DisplayBoard::new(encoding, setup.info, grid))
}
