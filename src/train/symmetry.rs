//! The symmetries of a board: how its points are permuted when it is turned or mirrored, and
//! moved along where sides are joined.

use crate::board::Point;
use crate::rules::VariantInfo;
use crate::search::neural::NetBoard;
use std::collections::HashSet;

/// Permutations of the numbers of the playable points; the first changes nothing.
#[derive(Clone, Debug)]
pub struct Symmetries {
    /// By symmetry, number of a point: the number of the point that it goes to.
    permutations: Vec<Vec<u16>>,
}

impl Symmetries {
    /// The symmetries that take this board to itself, blocked points included; in games whose
    /// rules know a direction only those that move it along.
    pub fn of(board: &NetBoard, info: &VariantInfo) -> Symmetries {
        let turns = if info.is_symmetric { 16 } else { 1 };
        let (grid, topology) = (board.grid(), board.grid().topology());
        let columns = if topology.joins_columns() {
            grid.width()
        } else {
            1
        };
        let rows = if topology.joins_rows() {
            grid.height()
        } else {
            1
        };
        let moves = (0..rows).flat_map(|north| (0..columns).map(move |east| (east, north)));
        let all =
            moves.flat_map(|by| (0..turns).filter_map(move |turn| permutation(board, turn, by)));
        // On sides of two points to mirror is to move.
        let mut seen = HashSet::new();
        let permutations = all.filter(|permutation| seen.insert(permutation.clone()));
        Symmetries {
            permutations: permutations.collect(),
        }
    }

    /// The permutation with this number, modulo their count.
    pub fn draw(&self, number: u64) -> &[u16] {
        let count = self.permutations.len().max(1) as u64;
        let found = self.permutations.get((number % count) as usize);
        found.map_or(&[], Vec::as_slice)
    }

    /// Number of symmetries.
    pub fn len(&self) -> usize {
        self.permutations.len()
    }

    /// Whether there is none: never.
    pub fn is_empty(&self) -> bool {
        self.permutations.is_empty()
    }
}

/// Where each point goes under a symmetry: bits 0 to 3 mirror columns and rows, swap
/// them, and mirror the layers; then it goes so far east and north. None if that is another
/// board.
fn permutation(board: &NetBoard, symmetry: u8, (east, north): (u8, u8)) -> Option<Vec<u16>> {
    let grid = board.grid();
    let (width, height, layers) = (grid.layer_width(), grid.height(), grid.layers());
    let is_set = |bit: u8| symmetry >> bit & 1 == 1;
    let topology = grid.topology();
    let is_square = width == height && topology.joins_columns() == topology.joins_rows();
    if is_set(2) && !is_square || is_set(3) && layers == 1 {
        return None;
    }
    let go = |&point: &Point| {
        let (mut layer, mut column, mut row) = grid.layer_coordinates(point);
        if is_set(0) {
            column = width - 1 - column;
        }
        if is_set(1) {
            row = height - 1 - row;
        }
        if is_set(2) {
            (column, row) = (row, column);
        }
        if is_set(3) {
            layer = layers - 1 - layer;
        }
        (column, row) = ((column + east) % width, (row + north) % height);
        let to = board.number(grid.point_on_layer(layer, column, row)?)?;
        to.try_into().ok()
    };
    board.points().iter().map(go).collect()
}

#[cfg(test)]
mod tests {
    use super::Symmetries;
    use crate::board::Topology;
    use crate::rules::{AnyGame, Setup, Size, variant, with_game};
    use crate::search::neural::NetBoard;
    use std::collections::HashSet;

    fn symmetries(id: &str, size: Size, blocked: &[(u8, u8)]) -> Symmetries {
        on_board(Topology::Rectangle, id, size, blocked)
    }

    fn on_board(board: Topology, id: &str, size: Size, blocked: &[(u8, u8)]) -> Symmetries {
        let info = variant(id).expect("a variant");
        let mut setup = Setup::new(info);
        setup.rules.board = board;
        (setup.size, setup.blocked_points) = (size, blocked.to_vec());
        let game = AnyGame::new(&setup).expect("a game");
        let board = with_game!(&game, game => NetBoard::new(&game.position().board));
        Symmetries::of(&board, info)
    }

    #[test]
    fn boards_with_joined_sides_move_along() {
        let square = Size::square(5);
        let wide = Size {
            width: 5,
            height: 4,
        };
        let narrow = Size {
            width: 2,
            height: 5,
        };
        for (board, id, size, blocked, count) in [
            (Topology::Cylinder, "go", square, &[][..], 4 * 5),
            (Topology::Torus, "go", square, &[], 8 * 25),
            (Topology::Torus, "go", wide, &[], 4 * 20),
            (Topology::Torus, "go", narrow, &[], 2 * 10),
            (Topology::Torus, "no", wide, &[], 20),
            (Topology::Torus, "go", square, &[(0, 1)], 8),
        ] {
            let found = on_board(board, id, size, blocked);
            assert_eq!(found.len(), count, "{board:?} {id} {size:?} {blocked:?}");
            let distinct: HashSet<&[u16]> = (0..count as u64).map(|n| found.draw(n)).collect();
            assert_eq!(distinct.len(), count);
        }
    }

    #[test]
    fn boards_have_the_symmetries_of_their_shape() {
        let square = Size::square(5);
        let wide = Size {
            width: 5,
            height: 4,
        };
        for (id, size, blocked, count) in [
            ("go", square, &[][..], 8),
            ("go", wide, &[], 4),
            ("go", square, &[(0, 0)], 2),
            ("go", square, &[(2, 2)], 8),
            ("go", square, &[(0, 1)], 1),
            ("no", square, &[], 1),
            ("2.5d", square, &[], 16),
        ] {
            let found = symmetries(id, size, blocked);
            assert_eq!(found.len(), count, "{id} {size:?} {blocked:?}");
            let distinct: HashSet<&[u16]> = (0..count as u64).map(|n| found.draw(n)).collect();
            assert_eq!(distinct.len(), count);
            assert!(
                found
                    .draw(0)
                    .iter()
                    .copied()
                    .eq(0..found.draw(0).len() as u16)
            );
        }
    }
}
