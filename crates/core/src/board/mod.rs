//! The board: points, their neighbours and cells, groups with their liberties, and a hash.
//!
//! It has no turns, rules or variants. Rectangles, cylinders, tori, boards with walls and stacked
//! layers share one implementation: the shape is data ([`Grid`]).

mod area;
mod grid;
mod hash;
mod liberties;
mod life;
mod list;
mod plain_go;
mod point;
mod queries;
mod random;
mod regroup;
mod stones;
mod symmetry;
mod tactics;
mod topology;

pub use area::Owners;
pub use grid::{Directions, Grid, GridError, MAX_SIDE, Points, column_name};
pub use hash::{FNV_OFFSET, fnv1a};
pub use liberties::Liberties;
pub use life::UnconditionalLife;
pub use list::PointList;
pub use plain_go::PlainGoBoard;
pub use point::{CAPACITY, contains_point};
pub use point::{Cell, Color, Point, PointMap, PointSet};
pub use random::Random;
pub use random::derived_seed;
pub use stones::{Board, Group};
pub use symmetry::Symmetry;
pub use tactics::FewLiberties;
pub use topology::Topology;

/// A board with the stones `X` and `O` of some rows, first line on top, and its
/// points with their characters.
#[doc(hidden)] // for tests
pub fn board_from_diagram(rows: &[&str]) -> (Board, Vec<(char, Point)>) {
    let height = rows.len() as u8;
    let grid = Grid::rectangle(rows[0].len() as u8, height).expect("a grid");
    let (mut board, mut points) = (Board::new(grid), Vec::new());
    for (row, line) in (0..height).rev().zip(rows) {
        for (column, letter) in (0..).zip(line.chars()) {
            let point = grid.point(column, row).expect("a point");
            match letter {
                'X' => drop(board.place(point, Color::Black)),
                'O' => drop(board.place(point, Color::White)),
                _ => {}
            }
            points.push((letter, point));
        }
    }
    (board, points)
}
