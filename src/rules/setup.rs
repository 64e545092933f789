//! What a game starts from: variant, size, rules, walls and handicap stones,
//! as raw data and as a validated position.

use super::position::Position;
use super::record::Rules;
use super::variant::{Handicap, Variant, VariantInfo};
use crate::board::{Board, Cell, Color, Grid, GridError, Point};

/// Columns and rows of a board, of one layer where there are several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl Size {
    /// A square.
    pub fn square(side: u8) -> Size {
        Size {
            width: side,
            height: side,
        }
    }
}

/// Why a game cannot start like this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No variant is registered under this id.
    #[error("unknown variant")]
    UnknownVariant,
    /// The board cannot be made.
    #[error("unacceptable size: {0}")]
    Size(#[from] GridError),
    /// A wall or handicap stone lies off the board.
    #[error("off the board")]
    OffBoard,
    /// Two things on one point.
    #[error("point taken twice")]
    Taken,
    /// A handicap stone is left without liberties.
    #[error("a handicap stone has no liberty")]
    NoLiberty,
    /// The variant has no handicap.
    #[error("this variant has no handicap")]
    NoHandicap,
}

/// Raw data of a start; [`AnyGame::new`](super::AnyGame::new) validates it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The variant.
    pub info: &'static VariantInfo,
    /// Board size.
    pub size: Size,
    /// Rules and komi.
    pub rules: Rules,
    /// Walls: columns and rows of the flat form, from 0.
    pub blocks: Vec<(u8, u8)>,
    /// Black's handicap stones, likewise.
    pub handicap: Vec<(u8, u8)>,
}

impl Setup {
    /// The variant with its default size and rules.
    pub fn new(info: &'static VariantInfo) -> Setup {
        Setup {
            info,
            size: Size::square(info.default_side),
            rules: info.rules,
            blocks: Vec::new(),
            handicap: Vec::new(),
        }
    }

    /// The shape of the board.
    ///
    /// # Errors
    /// [`GridError`] if there is no such board.
    pub fn grid(&self) -> Result<Grid, GridError> {
        if !self.info.stacked {
            return Grid::rectangle(self.size.width, self.size.height);
        }
        if self.size.width != self.size.height {
            return Err(GridError::Layers);
        }
        Grid::stack(self.size.width, self.rules.layers)
    }

    /// The position before the first turn.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub fn start<V: Variant>(&self) -> Result<Position<V>, SetupError> {
        let grid = self.grid()?;
        let mut board = Board::new(grid);
        for point in points(&grid, &self.blocks)? {
            claim(&board, point)?;
            board.fill(point, Cell::Wall);
        }
        if !self.handicap.is_empty() && self.info.handicap == Handicap::None {
            return Err(SetupError::NoHandicap);
        }
        let stones = points(&grid, &self.handicap)?;
        for &point in &stones {
            claim(&board, point)?;
            board.place(point, Color::Black);
        }
        let breathes = |&p: &Point| board.group(p).is_some_and(|g| !g.liberties.is_none());
        if !stones.iter().all(breathes) {
            return Err(SetupError::NoLiberty);
        }
        let to_move = match stones.as_slice() {
            [] => self.rules.first,
            _ => Color::White,
        };
        Ok(Position::new(board, self.rules, to_move))
    }
}

fn points(grid: &Grid, places: &[(u8, u8)]) -> Result<Vec<Point>, SetupError> {
    let point = |&(column, row): &(u8, u8)| grid.point(column, row).ok_or(SetupError::OffBoard);
    places.iter().map(point).collect()
}

fn claim<L: crate::board::Lattice>(board: &Board<L>, point: Point) -> Result<(), SetupError> {
    match board.cell(point) {
        Cell::Empty => Ok(()),
        _ => Err(SetupError::Taken),
    }
}

/// The points of a fixed handicap of `stones` stones on a board of this size,
/// as GTP 2 defines them; none where it defines none.
pub fn fixed_handicap(size: Size, stones: usize) -> Option<Vec<(u8, u8)>> {
    let side = size.width;
    let most = match side {
        _ if size.height != side => 0,
        0..=6 => 0,
        7 => 4,
        _ if side % 2 == 0 => 4,
        _ => 9,
    };
    if !(2..=most).contains(&stones) {
        return None;
    }
    let low = if side < 13 { 2 } else { 3 };
    let (mid, high) = (side / 2, side - 1 - low);
    let mut points = vec![(low, low), (high, high), (low, high), (high, low)];
    if stones >= 6 {
        points.extend([(low, mid), (high, mid)]);
    }
    if stones >= 8 {
        points.extend([(mid, low), (mid, high)]);
    }
    let centre = stones > 4 && stones % 2 == 1;
    points.truncate(stones - usize::from(centre));
    if centre {
        points.push((mid, mid));
    }
    Some(points)
}
