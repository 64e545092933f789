//! The symmetries of a board's shape: mirrors, rotations, and translations across joined sides.

use super::grid::Grid;
use super::point::{Point, PointMap};

/// A symmetry of all grids with one size and topology.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    mirrors_columns: bool,
    mirrors_rows: bool,
    /// Whether columns become rows, after the mirrors.
    swaps: bool,
    mirrors_layers: bool,
    /// Columns and rows of a final translation around the board.
    shift: (u8, u8),
}

impl Grid {
    /// The symmetries of the shape, each once, the identity first. Rules with a direction allow no
    /// rotations and mirrors.
    pub fn symmetries(&self, rules_know_direction: bool) -> Vec<Symmetry> {
        let (width, height) = (self.layer_width(), self.height());
        let topology = self.topology();
        let (joins_columns, joins_rows) = (topology.joins_columns, topology.joins_rows);
        let may = |condition: bool| -> &[bool] {
            if condition && !rules_know_direction { &[false, true] } else { &[false] }
        };
        // With joined sides two points apart, a mirror is a translation.
        let columns = may(!(joins_columns && width == 2));
        let rows = may(!(joins_rows && height == 2));
        let swaps = may(width == height && joins_columns == joins_rows);
        let layers = may(self.layers() > 1);
        let moves = |joins: bool, side: u8| if joins { 0..side } else { 0..1 };
        let mut all = Vec::new();
        for north in moves(joins_rows, height) {
            for east in moves(joins_columns, width) {
                for &mirrors_layers in layers {
                    for &swaps in swaps {
                        for &mirrors_rows in rows {
                            all.extend(columns.iter().map(|&mirrors_columns| Symmetry {
                                mirrors_columns,
                                mirrors_rows,
                                swaps,
                                mirrors_layers,
                                shift: (east, north),
                            }));
                        }
                    }
                }
            }
        }
        all
    }

    /// The numbers of the images of these points for each symmetry that maps them to each other,
    /// the identity first.
    pub fn permutations(
        &self,
        points: &[Point],
        rules_know_direction: bool,
    ) -> impl Iterator<Item = Vec<u16>> {
        let mut numbers = PointMap::filled(None);
        for (number, &point) in (0..).zip(points) {
            numbers[point] = Some(number);
        }
        let all = self.symmetries(rules_know_direction).into_iter();
        all.filter_map(move |symmetry| {
            points.iter().map(|&point| numbers[self.image(point, symmetry)]).collect()
        })
    }

    /// The image of a point of the grid under one of its symmetries.
    pub fn image(&self, point: Point, symmetry: Symmetry) -> Point {
        let (width, height) = (self.layer_width(), self.height());
        let (layer, column, row) = self.layer_coordinates(point);
        let mirrored = |is_mirrored: bool, at: u8, side: u8| {
            if is_mirrored { side - 1 - at } else { at }
        };
        let column = mirrored(symmetry.mirrors_columns, column, width);
        let row = mirrored(symmetry.mirrors_rows, row, height);
        let (column, row) = if symmetry.swaps { (row, column) } else { (column, row) };
        let (east, north) = symmetry.shift;
        let layer = mirrored(symmetry.mirrors_layers, layer, self.layers());
        self.point_on_layer(layer, (column + east) % width, (row + north) % height).unwrap_or(point)
    }
}

#[cfg(test)]
mod tests {
    use super::Symmetry;
    use crate::board::{Grid, Point, Topology};
    use std::collections::HashSet;

    /// The number of symmetries, each of which is another one and takes neighbours to
    /// neighbours.
    fn checked_count(grid: &Grid) -> usize {
        let symmetries = grid.symmetries(false);
        assert_eq!(symmetries.first(), Some(&Symmetry::default()));
        let mut seen = HashSet::new();
        for &symmetry in &symmetries {
            let image: Vec<Point> = grid.points().map(|at| grid.image(at, symmetry)).collect();
            let points: HashSet<Point> = image.iter().copied().collect();
            assert_eq!(points.len(), image.len(), "{grid:?} {symmetry:?}");
            let on_board = |n: &Point| grid.points().any(|point| point == *n);
            for point in grid.points() {
                let neighbours = grid.neighbours(point).filter(on_board);
                let moved: HashSet<_> = neighbours.map(|n| grid.image(n, symmetry)).collect();
                let to = grid.neighbours(grid.image(point, symmetry));
                let there: HashSet<_> = to.filter(on_board).collect();
                assert_eq!(moved, there, "{grid:?} {symmetry:?}");
            }
            assert!(seen.insert(image), "{grid:?} {symmetry:?}");
        }
        let one_way = grid.symmetries(true);
        assert!(one_way.iter().all(|of| symmetries.contains(of)));
        symmetries.len()
    }

    #[test]
    fn symmetries_keep_neighbours_and_are_all_there() {
        let tube = Topology { joins_columns: false, joins_rows: true };
        for (topology, width, height, count) in [
            (Topology::RECTANGLE, 5, 5, 8),
            (Topology::RECTANGLE, 5, 4, 4),
            (Topology::RECTANGLE, 2, 2, 8),
            (Topology::CYLINDER, 5, 5, 4 * 5),
            (Topology::CYLINDER, 2, 3, 4),
            (tube, 4, 4, 4 * 4),
            (Topology::TORUS, 3, 3, 8 * 9),
            (Topology::TORUS, 5, 4, 4 * 20),
            (Topology::TORUS, 2, 5, 2 * 10),
            (Topology::TORUS, 2, 2, 8),
        ] {
            // Miri is slow.
            if cfg!(miri) && width * height > 6 {
                continue;
            }
            let grid = Grid::with_topology(topology, width, height).expect("a grid");
            let found = checked_count(&grid);
            assert_eq!(found, count, "{topology:?} {width}x{height}");
        }
        let stacked = Grid::stack(if cfg!(miri) { 2 } else { 3 }, 2).expect("a grid");
        assert_eq!(checked_count(&stacked), 16);
    }

    #[test]
    fn games_with_a_direction_have_only_translations() {
        let count = |topology| {
            let grid = Grid::with_topology(topology, 5, 4).expect("a grid");
            grid.symmetries(true).len()
        };
        assert_eq!(count(Topology::RECTANGLE), 1);
        assert_eq!(count(Topology::CYLINDER), 5);
        assert_eq!(count(Topology::TORUS), 20);
    }
}
