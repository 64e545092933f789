//! Stones set up within a game, which goes on from the new position.

use super::illegal::Illegal;
use super::position::{LatestTurn, Position};
use super::variant::Variant;
use crate::board::{Board, Cell, Color, Lattice, Point};

/// A set-up: stones and empty points, and a change of the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetUp {
    /// Points and their stones; `None` for an empty point.
    pub cells: Vec<(Point, Option<Color>)>,
    /// The new side to move.
    pub to_move: Option<Color>,
}

impl<V: Variant> Position<V> {
    /// The position after a set-up. It keeps the turn number, captures and the variant's counters,
    /// and forgets passes and the latest turn.
    ///
    /// # Errors
    /// [`Illegal::Occupied`] for a stone on a wall, [`Illegal::NoLiberty`] for a group without
    /// liberties.
    pub fn with(&self, set_up: &SetUp) -> Result<Self, Illegal> {
        let mut position = self.clone();
        position.board = board_after(&self.board, &set_up.cells)?;
        position.forget_passes();
        position.latest = LatestTurn::NOTHING;
        V::set_up(&mut position);
        position.to_move = match (set_up.to_move, self.latest.color) {
            (Some(color), _) => color,
            (None, Some(mover)) => V::next_to_move(&position, mover),
            // The side to move was set up, or is that of the start.
            (None, None) => self.to_move,
        };
        Ok(position)
    }
}

fn board_after<L: Lattice>(
    board: &Board<L>,
    set_up: &[(Point, Option<Color>)],
) -> Result<Board<L>, Illegal> {
    let grid = *board.grid();
    let mut cells: Vec<_> = grid.points().map(|at| (at, board.cell(at))).collect();
    for &(point, stone) in set_up {
        let found = cells.iter_mut().find(|(at, _)| *at == point);
        let (_, cell) = found.ok_or(Illegal::OffBoard)?;
        *cell = match (stone, *cell) {
            (Some(_), Cell::Wall) => return Err(Illegal::Occupied),
            (None, Cell::Wall) => Cell::Wall,
            (Some(color), _) => Cell::stone(color),
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
    let chokes = |point| after.group(point).is_some_and(|group| group.liberties.is_none());
    let is_choked = cells.iter().any(|&(point, _)| chokes(point));
    if is_choked { Err(Illegal::NoLiberty) } else { Ok(after) }
}
