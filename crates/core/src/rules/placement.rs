//! Pieces that are set up, at the start or within a game, which goes on from the new position.

use super::illegal::Illegal;
use super::nuclear::ARROWS;
use super::position::{LatestTurn, Position};
use crate::board::{Board, Cell, Color, Point};
use std::fmt;
use std::str::FromStr;

/// A stone or another piece that a set-up puts on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// A stone.
    Stone(Color),
    /// A tao stone.
    Tao,
    /// A void, with its arrow in eighths clockwise from north.
    Void(u8),
}

impl Piece {
    /// The cell of a point with this piece.
    pub fn cell(self) -> Cell {
        match self {
            Piece::Stone(color) => Cell::stone(color),
            Piece::Tao => Cell::Tao,
            Piece::Void(_) => Cell::Void,
        }
    }
}

/// No piece of a set-up has this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a piece: X, O, + or a void with its arrow, such as *NE")]
pub struct NoPiece;

impl FromStr for Piece {
    type Err = NoPiece;

    fn from_str(text: &str) -> Result<Piece, NoPiece> {
        if let Some(arrow) = text.strip_prefix(Cell::Void.symbol()) {
            let eighths = ARROWS.iter().position(|&name| name == arrow).ok_or(NoPiece)?;
            return Ok(Piece::Void(eighths as u8));
        }
        let all = [Piece::Stone(Color::Black), Piece::Stone(Color::White), Piece::Tao];
        all.into_iter().find(|piece| piece.to_string() == text).ok_or(NoPiece)
    }
}

impl fmt::Display for Piece {
    /// The symbol of its cell; that of a void has its arrow: `*NE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self {
            Piece::Void(eighths) => ARROWS[usize::from(*eighths) % ARROWS.len()],
            Piece::Stone(_) | Piece::Tao => "",
        };
        write!(f, "{}{arrow}", self.cell().symbol())
    }
}

/// A set-up: pieces and empty points, and a change of the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Points and their pieces; `None` for an empty point.
    pub cells: Vec<(Point, Option<Piece>)>,
    /// The new side to move.
    pub to_move: Option<Color>,
}

impl Position {
    /// The position after a set-up. It keeps the turn number, captures and the variant's counters,
    /// and forgets passes and the latest turn.
    ///
    /// # Errors
    /// [`Illegal::NoSuchPiece`], [`Illegal::Occupied`] for a piece on a wall, [`Illegal::NoLiberty`] for a group without
    /// liberties.
    pub fn with(&self, set_up: &Placement) -> Result<Self, Illegal> {
        let mut pieces = set_up.cells.iter().filter_map(|&(_, piece)| piece);
        if pieces.any(|piece| !piece.cell().is_stone() && !self.info().leaves(piece.cell())) {
            return Err(Illegal::NoSuchPiece);
        }
        let mut position = self.clone();
        position.board = board_after(&self.board, &set_up.cells)?;
        position.situation.forget_passes();
        position.situation.latest = LatestTurn::NOTHING;
        self.info().hooks.set_up(&mut position, set_up);
        position.situation.to_move = match (set_up.to_move, self.situation.latest.color) {
            (Some(color), _) => color,
            (None, Some(mover)) => position.next_to_move(mover),
            // The side to move was set up, or is that of the start.
            (None, None) => self.situation.to_move,
        };
        Ok(position)
    }
}

fn board_after(board: &Board, set_up: &[(Point, Option<Piece>)]) -> Result<Board, Illegal> {
    let grid = *board.grid();
    let mut cells: Vec<_> = grid.points().map(|at| (at, board.cell(at))).collect();
    for &(point, piece) in set_up {
        let entry = cells.iter_mut().find(|(at, _)| *at == point);
        let (_, cell) = entry.ok_or(Illegal::OffBoard)?;
        *cell = match (piece, *cell) {
            (Some(_), Cell::Wall) => return Err(Illegal::Occupied),
            (None, Cell::Wall) => Cell::Wall,
            (Some(piece), _) => piece.cell(),
            (None, _) => Cell::Empty,
        };
    }
    let mut after = Board::new(grid);
    for &(point, cell) in &cells {
        match cell.color() {
            Some(color) => drop(after.place(point, color)),
            None if cell.is_open() => after.set_open(point, cell),
            None => drop(after.fill(point, cell)),
        }
    }
    let chokes = |point| after.group(point).is_some_and(|group| group.liberties.is_empty());
    let is_choked = cells.iter().any(|&(point, _)| chokes(point));
    if is_choked { Err(Illegal::NoLiberty) } else { Ok(after) }
}
