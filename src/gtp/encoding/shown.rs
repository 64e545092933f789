//! The board that a client is shown, and its places.

use super::{Encoding, panel};
use crate::board::{Grid, MAX_SIDE, Point, column_name};
use crate::rules::{Setup, Size, TurnError, VariantInfo, parse_vertex};
use std::fmt;

/// A column and a row of the board shown, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The column.
    pub column: u8,
    /// The row.
    pub row: u8,
}

impl Place {
    /// The place of a written vertex.
    ///
    /// # Errors
    /// [`TurnError`].
    pub fn parse(text: &str) -> Result<Place, TurnError> {
        let (column, row) = parse_vertex(text).ok_or(TurnError::Syntax)?;
        let small = |n: u16| u8::try_from(n).map_err(|_| TurnError::OffBoard);
        let (column, row) = (small(column)?, small(row)?);
        Ok(Place { column, row })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", column_name(self.column), u16::from(self.row) + 1)
    }
}

/// What a place of the board shown is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Site {
    /// A point of the variant's own board.
    Point(Point),
    /// Another picture of that point.
    Copy(Point),
}

/// The board shown: the variant's own in its lower left corner, and perhaps a
/// second copy of it, behind a column that is no place of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    grid: Grid,
    width: u8,
}

impl Shown {
    /// What a client with this encoding is shown of a board.
    pub fn new(encoding: Encoding, info: &VariantInfo, grid: Grid) -> Shown {
        let copies = match encoding {
            Encoding::Panel if panel::is_needed(&info.words) => 2,
            Encoding::Native | Encoding::Panel => 1,
        };
        Shown {
            grid,
            width: copies * (grid.width() + 1) - 1,
        }
    }

    /// Columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u8 {
        self.grid.height()
    }

    /// What a place is; nothing off the board and between the copies.
    pub fn site(&self, place: Place) -> Option<Site> {
        let pitch = self.grid.width() + 1;
        let point = |column| self.grid.point(column, place.row);
        if place.column < pitch {
            point(place.column).map(Site::Point)
        } else if place.column < self.width {
            point(place.column - pitch).map(Site::Copy)
        } else {
            None
        }
    }

    /// Where a point of the variant's own board is shown.
    pub fn place(&self, point: Point) -> Place {
        let (column, row) = self.grid.place(point);
        Place { column, row }
    }

    /// Where its copy is shown, if there are copies.
    pub fn copy(&self, point: Point) -> Option<Place> {
        let Place { column, row } = self.place(point);
        let column = column + self.grid.width() + 1;
        (column < self.width).then_some(Place { column, row })
    }
}

/// The size that a client means by a single number: that of the board shown,
/// or the variant's own, or that of another board shown.
pub fn square(encoding: Encoding, setup: &Setup, number: i64) -> Option<Size> {
    let width_of = |size| Some(shown(encoding, setup, size)?.width());
    let number = u8::try_from(number).ok()?;
    if width_of(setup.size) == Some(number) {
        return Some(setup.size);
    }
    let mut all = (2..=MAX_SIDE).map(Size::square);
    let own = Some(Size::square(number)).filter(|&size| width_of(size).is_some());
    own.or_else(|| all.find(|&size| width_of(size) == Some(number)))
}

/// The size that a client means by two numbers, likewise.
pub fn rectangle(encoding: Encoding, setup: &Setup, width: i64, height: i64) -> Option<Size> {
    let sides = |size| {
        let shown = shown(encoding, setup, size)?;
        Some((shown.width(), shown.height()))
    };
    let (width, height) = (u8::try_from(width).ok()?, u8::try_from(height).ok()?);
    if sides(setup.size) == Some((width, height)) {
        return Some(setup.size);
    }
    let own = Some(Size { width, height }).filter(|&size| sides(size).is_some());
    let mut all = (2..=MAX_SIDE).map(|width| match setup.info.stacked {
        true => Size::square(height),
        false => Size { width, height },
    });
    own.or_else(|| all.find(|&size| sides(size) == Some((width, height))))
}

/// What would be shown of a board of another size.
fn shown(encoding: Encoding, setup: &Setup, size: Size) -> Option<Shown> {
    let setup = Setup {
        size,
        ..setup.clone()
    };
    let grid = setup.grid().ok()?;
    Some(Shown::new(encoding, setup.info, grid))
}
