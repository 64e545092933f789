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
    /// What ends a growth.
    End,
}

/// What stands to the right of the variant's own board, behind a column that is
/// no place of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    Nothing,
    Copies,
    Ends,
}

/// The board shown: the variant's own in its lower left corner, and perhaps more
/// to the right of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    grid: Grid,
    beside: Beside,
    width: u8,
    height: u8,
}

impl Shown {
    /// What a client with this encoding is shown of a board.
    pub fn new(encoding: Encoding, info: &VariantInfo, grid: Grid) -> Shown {
        let beside = match encoding {
            Encoding::Native => Beside::Nothing,
            Encoding::Panel | Encoding::Sabaki if panel::is_needed(&info.words) => Beside::Copies,
            Encoding::Sabaki if info.words.grow && grid.width() + 2 <= MAX_SIDE => Beside::Ends,
            Encoding::Panel | Encoding::Sabaki => Beside::Nothing,
        };
        let more = match beside {
            Beside::Nothing => 0,
            Beside::Copies => 1 + grid.width(),
            Beside::Ends => 2,
        };
        Shown {
            grid,
            beside,
            width: grid.width() + more,
            height: grid.height(),
        }
    }

    /// The same as a client shows it that was told another size for its board:
    /// more columns to end growths with, rows of nothing above, or less to the
    /// right than it takes to say everything.
    #[must_use]
    pub fn of_size(self, (width, height): (u8, u8)) -> Shown {
        Shown {
            width,
            height,
            ..self
        }
    }

    /// Columns.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Rows and columns of the square that has room for it, for clients that know
    /// only squares.
    pub fn side(&self) -> u8 {
        self.width().max(self.height())
    }

    /// All places that are something, lower left first, row by row.
    pub fn sites(&self) -> impl Iterator<Item = (Place, Site)> + '_ {
        let places = (0..self.height())
            .flat_map(|row| (0..self.width).map(move |column| Place { column, row }));
        places.filter_map(|place| Some((place, self.site(place)?)))
    }

    /// What a place is; nothing off the board and between the copies.
    pub fn site(&self, place: Place) -> Option<Site> {
        let pitch = self.grid.width() + 1;
        let point = |column| self.grid.point(column, place.row);
        match place.column.checked_sub(pitch) {
            None => point(place.column).map(Site::Point),
            Some(_) if self.beside == Beside::Ends => {
                let on_board = place.column < self.width && place.row < self.height;
                on_board.then_some(Site::End)
            }
            Some(column) if self.beside == Beside::Copies => point(column).map(Site::Copy),
            Some(_) => None,
        }
    }

    /// The places that end a growth, the columns next to the board first.
    pub fn ends(&self) -> impl Iterator<Item = Place> + use<> {
        let first = match self.beside {
            Beside::Ends => self.grid.width() + 1,
            Beside::Nothing | Beside::Copies => self.width,
        };
        let height = self.height;
        let places = move |column| (0..height).map(move |row| Place { column, row });
        (first..self.width).flat_map(places)
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
        (self.beside == Beside::Copies).then_some(Place { column, row })
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
    let now = shown(encoding, setup, setup.size)?;
    let more_ends = now.beside == Beside::Ends && (now.width..=MAX_SIDE).contains(&width);
    if (now.width == width || more_ends) && now.height == height {
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
