//! Opening features for large boards, where playouts rate all moves alike: the place in the corner
//! and the distance to the nearest stone.

use crate::board::{Board, Cell, Color, Grid, Lattice, Point};
use smallvec::SmallVec;

const CORNER_LINES: u8 = 7;
/// Number of points of a corner; reflections at the diagonal count once.
const POINTS_PER_CORNER: usize = CORNER_LINES as usize * (CORNER_LINES as usize + 1) / 2;

/// Number of corner features: points of empty corners, of corners with only own stones, and of
/// corners with only enemy stones.
pub const CORNER_POINTS: usize = 3 * POINTS_PER_CORNER;

pub const NEAREST_STONE_CLASSES: usize = MAX_DISTANCE.len() + 1;

/// The greatest distance of each class but the last.
const MAX_DISTANCE: [usize; 7] = [3, 5, 7, 9, 12, 15, 19];

/// The stones of an opening.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// Each stone, and whether it belongs to the side to move.
    stones: SmallVec<[(Point, bool); 64]>,
}

impl Opening {
    pub fn new<L: Lattice>(board: &Board<L>, own: Color) -> Opening {
        let stones = board.grid().points().filter_map(|point| {
            let cell = board.cell(point);
            cell.is_stone().then(|| (point, cell == Cell::stone(own)))
        });
        Opening { stones: stones.collect() }
    }

    /// The number of a point's corner feature; `None` outside the corners, and in corners with
    /// stones of both sides.
    pub fn corner(&self, grid: &Grid, point: Point) -> Option<usize> {
        let (across, up) = corner_lines(grid, point)?;
        let is_in_same_corner = |at: Point| {
            let ((layer, column, row), (other, left, below)) =
                (grid.layer_coordinates(point), grid.layer_coordinates(at));
            let same_half = |a: u8, b: u8, whole: u8| (a < whole / 2) == (b < whole / 2);
            layer == other
                && same_half(column, left, grid.layer_width())
                && same_half(row, below, grid.height())
                && corner_lines(grid, at).is_some()
        };
        let mut in_corner = self.stones.iter().filter(|(at, _)| is_in_same_corner(*at));
        let owner = match in_corner.next() {
            None => 0,
            Some((_, own)) if in_corner.all(|(_, other)| other == own) => 2 - usize::from(*own),
            Some(_) => return None,
        };
        let (low, high) = (usize::from(across.min(up)), usize::from(across.max(up)));
        Some(owner * POINTS_PER_CORNER + high * (high + 1) / 2 + low)
    }

    /// The class of the distance to the nearest stone.
    pub fn nearest_stone(&self, grid: &Grid, point: Point) -> usize {
        let far = self.stones.iter().map(|&(at, _)| distance(grid, point, at));
        let nearest = far.min().unwrap_or(usize::MAX);
        MAX_DISTANCE.partition_point(|&farthest| farthest < nearest)
    }
}

/// The distance of two points, dx + dy + max(dx, dy) as in Coulom's "Computing Elo Ratings of Move
/// Patterns in the Game of Go" (2007), plus the distance of their layers.
pub(super) fn distance(grid: &Grid, a: Point, b: Point) -> usize {
    let (layers, dx, dy) = grid.apart(a, b);
    usize::from(dx + dy + dx.max(dy) + layers)
}

/// The name of a corner feature: the owner of the corner, and the point's lines.
pub fn corner_name(number: usize) -> String {
    const OWNERS: [&str; 3] = ["empty", "own", "enemy"];
    let (owner, place) = (number / POINTS_PER_CORNER, number % POINTS_PER_CORNER);
    // Places are numbered as in a triangle: (1, 1), (1, 2), (2, 2), (1, 3), …
    let lines = usize::from(CORNER_LINES);
    let high = (0..lines).rfind(|high| high * (high + 1) / 2 <= place).unwrap_or(0);
    let low = place - high * (high + 1) / 2;
    format!("{}-{}-{}", OWNERS[owner % 3], low + 1, high + 1)
}

/// The name of a class of the distance to the nearest stone.
pub fn nearest_stone_name(class: usize) -> String {
    match MAX_DISTANCE.get(class) {
        Some(distance) => format!("within-{distance}"),
        None => "farther".to_owned(),
    }
}

/// The number of lines between a point and the nearest edges; `None` outside the corners. Joined
/// sides have no corners, and the middle line of a board belongs to no corner.
fn corner_lines(grid: &Grid, point: Point) -> Option<(u8, u8)> {
    let (across, up) = grid.lines_to_edges(point);
    let inside = |line: u8, whole: u8| line < CORNER_LINES.min(whole / 2);
    (inside(across, grid.layer_width()) && inside(up, grid.height())).then_some((across, up))
}

#[cfg(test)]
mod tests {
    use super::{CORNER_POINTS, NEAREST_STONE_CLASSES, Opening, POINTS_PER_CORNER};
    use crate::board::{Board, Color, Flat, Grid, Point};
    use crate::rules::go::{Go, INFO};
    use crate::rules::{Setup, Step, variant};
    use crate::search::policy::{CompiledWeights, PolicyEvaluator, embedded};
    use crate::search::{Evaluator, Leaf, Trace};
    use std::sync::Arc;

    fn point(grid: &Grid, column: u8, row: u8) -> Point {
        grid.point(column, row).expect("a point")
    }

    #[test]
    fn corners_differ_by_the_side_that_has_stones_there() {
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
        let third_and_sixth = 5 * 6 / 2 + 2; // third and sixth line
        assert_eq!(corner(5, 2), Some(POINTS_PER_CORNER + third_and_sixth));
        assert_eq!(corner(2, 5), Some(POINTS_PER_CORNER + third_and_sixth));
        assert_eq!(corner(13, 2), Some(2 * POINTS_PER_CORNER + third_and_sixth));
        assert_eq!(corner(13, 16), Some(third_and_sixth));
        assert_eq!((corner(5, 16), corner(9, 3)), (None, None));
        let all = grid.points().filter_map(|at| opening.corner(&grid, at));
        assert!(all.max().is_some_and(|most| most < CORNER_POINTS));
    }

    #[test]
    fn corners_do_not_overlap_on_13x13() {
        let grid = Grid::rectangle(13, 13).expect("a grid");
        let opening = Opening::new(&Board::<Flat>::new(grid), Color::Black);
        let corner = |column, row| opening.corner(&grid, point(&grid, column, row));
        assert_eq!(corner(6, 2), None);
        assert!(corner(5, 2).is_some() && corner(5, 2) == corner(7, 2));
    }

    #[test]
    fn nearest_stone_is_a_class_of_distance() {
        let grid = Grid::rectangle(19, 19).expect("a grid");
        let mut board = Board::<Flat>::new(grid);
        let nearest_stone = |board: &Board<Flat>, column, row| {
            Opening::new(board, Color::Black).nearest_stone(&grid, point(&grid, column, row))
        };
        assert_eq!(nearest_stone(&board, 9, 9), NEAREST_STONE_CLASSES - 1);
        assert!(board.place(point(&grid, 3, 3), Color::White).is_empty());
        let points = [(4, 3), (4, 4), (5, 3), (5, 5), (6, 3), (9, 3), (18, 18)];
        let classes = points.map(|(column, row)| nearest_stone(&board, column, row));
        assert_eq!(classes, [0, 0, 1, 2, 2, 4, NEAREST_STONE_CLASSES - 1]);
    }

    #[test]
    fn games_of_go_open_in_the_corners() {
        let setup = Setup::new(variant("go").expect("go"));
        let position = &setup.start::<Go>().expect("a start");
        let weights = embedded(&INFO);
        let mut learned =
            PolicyEvaluator::<Go>::new(position, Arc::new(CompiledWeights::new(&weights)));
        let grid = position.board.grid();
        let steps: Vec<_> = grid.points().map(Step::stone).collect();
        let mut priors = Vec::new();
        let leaf = Leaf { position, before: Point::NONE, steps: &steps, is_root: false };
        learned.expand(leaf, &mut priors, &mut Trace::default());
        let best = steps.iter().zip(&priors).max_by(|a, b| a.1.total_cmp(b.1));
        let (column, row) =
            grid.coordinates(best.and_then(|(step, _)| step.point()).expect("a point"));
        assert!([3, 15].contains(&column) && [3, 15].contains(&row));
        let prior = |column, row| {
            let at = steps.iter().position(|&step| step == Step::stone(point(grid, column, row)));
            priors[at.expect("a step")]
        };
        assert!(prior(3, 3) > 5.0 * prior(9, 9) && prior(2, 3) > 20.0 * prior(9, 0));
    }
}
