//! The board: points and their neighbours, what lies on them, groups with
//! their liberties, and the hash of it all.
//!
//! It knows nothing of turns, rules or variants. One core serves flat
//! rectangles, boards with walls and stacked layers: the shape is data
//! ([`Grid`]), only the number of directions is fixed at compile time
//! ([`Lattice`]).

mod area;
mod eyes;
mod grid;
mod liberties;
mod list;
mod point;
mod queries;
mod random;
mod shape;
mod stones;
mod zobrist;

pub use area::Owners;
pub use grid::{Directions, Flat, Grid, GridError, Lattice, MAX_SIDE, Stacked, column_name};
pub use liberties::Liberties;
pub use list::PointList;
pub use point::{CAPACITY, Cell, Color, FewPoints, Point, PointMap, PointSet, among};
pub use random::Random;
pub use shape::{Breath, Few, SURROUNDINGS};
pub use stones::{Board, Group};
