//! Openings on wide boards, where playouts tell next to nothing: corners, and
//! how much room there is.

use super::features::{distance, edges};
use crate::board::{Board, Cell, Color, Grid, Lattice, Point};
use smallvec::SmallVec;

/// Lines of a corner, both ways.
const SIDE: u8 = 7;
/// Points of a corner that differ when it is turned over.
const SPOTS: usize = SIDE as usize * (SIDE as usize + 1) / 2;

/// Points of corners: where nobody is, where only own stones are, and where
/// only enemy stones are.
pub const CORNERS: usize = 3 * SPOTS;

/// How far the nearest stone is away, in steps that grow.
pub const ROOMS: usize = FARTHEST.len() + 1;

/// The greatest distance of each step but the last.
const FARTHEST: [usize; 7] = [3, 5, 7, 9, 12, 15, 19];

/// The stones of an opening.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// Each with whether it is an own one.
    stones: SmallVec<[(Point, bool); 64]>,
}

impl Opening {
    /// What the side to move sees.
    pub fn new<L: Lattice>(board: &Board<L>, own: Color) -> Opening {
        let points = board.grid().points().filter_map(|point| {
            let cell = board.cell(point);
            cell.is_stone().then(|| (point, cell == Cell::stone(own)))
        });
        Opening {
            stones: points.collect(),
        }
    }

    /// Which point of which kind of corner this is, below [`CORNERS`]; none
    /// outside, and where both sides have stones.
    pub fn corner(&self, grid: &Grid, point: Point) -> Option<usize> {
        let (across, up) = lines(grid, point)?;
        let side = |at: Point| {
            let ((layer, column, row), (other, left, below)) =
                (grid.place_on_layer(point), grid.place_on_layer(at));
            let same = |a: u8, b: u8, whole: u8| (a < whole / 2) == (b < whole / 2);
            layer == other
                && same(column, left, grid.layer_width())
                && same(row, below, grid.height())
                && lines(grid, at).is_some()
        };
        let mut within = self.stones.iter().filter(|(at, _)| side(*at));
        let kind = match within.next() {
            None => 0,
            Some((_, own)) if within.all(|(_, other)| other == own) => 2 - usize::from(*own),
            Some(_) => return None,
        };
        let (low, high) = (usize::from(across.min(up)), usize::from(across.max(up)));
        Some(kind * SPOTS + high * (high + 1) / 2 + low)
    }

    /// How far the nearest stone is away, below [`ROOMS`].
    pub fn room(&self, grid: &Grid, point: Point) -> usize {
        let far = self.stones.iter().map(|&(at, _)| distance(grid, point, at));
        let nearest = far.min().unwrap_or(usize::MAX);
        FARTHEST.partition_point(|&farthest| farthest < nearest)
    }
}

/// The lines to the nearest edges of a point in a corner; the middle line of a
/// board is in none.
fn lines(grid: &Grid, point: Point) -> Option<(u8, u8)> {
    let (across, up) = edges(grid, point);
    let inside = |line: u8, whole: u8| line < SIDE.min(whole / 2);
    (inside(across, grid.layer_width()) && inside(up, grid.height())).then_some((across, up))
}

#[cfg(test)]
mod tests {
    use super::{CORNERS, Opening, ROOMS, SPOTS};
    use crate::board::{Board, Color, Flat, Grid, Point};
    use crate::rules::go::Go;
    use crate::rules::{Game, Setup, Step, variant};
    use crate::search::Evaluator;
    use crate::search::policy::{Factors, Learned, Weights, embedded};
    use std::sync::Arc;

    fn point(grid: &Grid, column: u8, row: u8) -> Point {
        grid.point(column, row).expect("a point")
    }

    #[test]
    fn corners_are_told_apart_by_who_is_there() {
        let grid = Grid::rectangle(19, 19).expect("a grid");
        let mut board = Board::<Flat>::new(grid);
        for ((column, row), color) in [
            ((3, 3), Color::Black),
            ((15, 3), Color::White),
            ((3, 15), Color::Black),
            ((2, 13), Color::White),
            ((9, 15), Color::White),
        ] {
            assert!(board.place(point(&grid, column, row), color).is_empty());
        }
        let opening = Opening::new(&board, Color::Black);
        let corner = |column, row| opening.corner(&grid, point(&grid, column, row));
        let spot = 5 * 6 / 2 + 2; // third and sixth line
        assert_eq!(corner(5, 2), Some(SPOTS + spot));
        assert_eq!(corner(2, 5), Some(SPOTS + spot));
        assert_eq!(corner(13, 2), Some(2 * SPOTS + spot));
        assert_eq!(corner(13, 16), Some(spot));
        assert_eq!((corner(5, 16), corner(9, 3)), (None, None));
        let all = grid.points().filter_map(|at| opening.corner(&grid, at));
        assert!(all.max().is_some_and(|most| most < CORNERS));
    }

    #[test]
    fn corners_do_not_meet_on_boards_of_thirteen_lines() {
        let grid = Grid::rectangle(13, 13).expect("a grid");
        let opening = Opening::new(&Board::<Flat>::new(grid), Color::Black);
        let corner = |column, row| opening.corner(&grid, point(&grid, column, row));
        assert_eq!(corner(6, 2), None);
        assert!(corner(5, 2).is_some() && corner(5, 2) == corner(7, 2));
    }

    #[test]
    fn room_is_the_distance_to_the_nearest_stone() {
        let grid = Grid::rectangle(19, 19).expect("a grid");
        let mut board = Board::<Flat>::new(grid);
        let room = |board: &Board<Flat>, column, row| {
            Opening::new(board, Color::Black).room(&grid, point(&grid, column, row))
        };
        assert_eq!(room(&board, 9, 9), ROOMS - 1);
        assert!(board.place(point(&grid, 3, 3), Color::White).is_empty());
        let rooms = [(4, 3), (4, 4), (5, 3), (5, 5), (6, 3), (9, 3), (18, 18)];
        let rooms = rooms.map(|(column, row)| room(&board, column, row));
        assert_eq!(rooms, [0, 0, 1, 2, 2, 4, ROOMS - 1]);
    }

    #[test]
    fn games_of_go_begin_in_corners() {
        let setup = Setup::new(variant("go").expect("go"));
        let game = Game::<Go>::new(setup.start().expect("a start"));
        let position = game.position();
        let weights = Weights::parse(embedded("go")).expect("weights");
        let mut learned = Learned::<Go>::with(position, Arc::new(Factors::new(&weights)));
        let grid = position.board.grid();
        let steps: Vec<_> = grid.points().map(Step::Stone).collect();
        let mut priors = Vec::new();
        learned.priors(position, Point::NONE, &steps, &mut priors);
        let best = steps.iter().zip(&priors).max_by(|a, b| a.1.total_cmp(b.1));
        let (column, row) = grid.place(best.and_then(|(step, _)| step.point()).expect("a point"));
        assert!([3, 15].contains(&column) && [3, 15].contains(&row));
        let prior = |column, row| {
            let at = steps
                .iter()
                .position(|&step| step == Step::Stone(point(grid, column, row)));
            priors[at.expect("a step")]
        };
        assert!(prior(3, 3) > 5.0 * prior(9, 9) && prior(2, 3) > 20.0 * prior(9, 0));
    }
}
