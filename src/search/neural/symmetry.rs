//! Symmetries of a board: permutations of its points by rotation, reflection and, across joined
//! sides, translation.

use super::board::NetBoard;
use crate::board::{Point, Symmetry};
use crate::rules::VariantInfo;

/// The first one changes nothing.
#[derive(Clone, Debug)]
pub struct Symmetries {
    /// The image of each point, by symmetry.
    permutations: Vec<Vec<u16>>,
}

impl Symmetries {
    /// Symmetries that preserve the board with its blocked points. Rules with a direction allow
    /// only translations along it.
    pub fn new(board: &NetBoard, info: &VariantInfo) -> Symmetries {
        Symmetries::at_most(usize::MAX, board, info)
    }

    /// The first `count` of these.
    pub fn at_most(count: usize, board: &NetBoard, info: &VariantInfo) -> Symmetries {
        let all = board.grid().symmetries(!info.is_symmetric).into_iter();
        let kept = all.filter_map(|of| permutation(board, of)).take(count);
        Symmetries { permutations: kept.collect() }
    }

    /// `number` counts modulo the number of symmetries.
    pub fn draw(&self, number: u64) -> &[u16] {
        let count = self.permutations.len().max(1) as u64;
        let found = self.permutations.get((number % count) as usize);
        found.map_or(&[], Vec::as_slice)
    }

    /// Each symmetry: the number of the image of each point.
    pub fn all(&self) -> &[Vec<u16>] {
        &self.permutations
    }
}

/// `None` if a blocked point moves.
fn permutation(board: &NetBoard, symmetry: Symmetry) -> Option<Vec<u16>> {
    let go = |&point: &Point| {
        let to = board.number(board.grid().image(point, symmetry))?;
        u16::try_from(to).ok()
    };
    board.points().iter().map(go).collect()
}

#[cfg(test)]
mod tests {
    use super::Symmetries;
    use crate::board::Topology;
    use crate::rules::{AnyGame, Setup, Size, variant};
    use crate::search::neural::NetBoard;
    use std::collections::HashSet;

    fn symmetries(id: &str, size: Size, blocked: &[(u8, u8)]) -> Symmetries {
        on_board(Topology::RECTANGLE, id, size, blocked)
    }

    fn on_board(board: Topology, id: &str, size: Size, blocked: &[(u8, u8)]) -> Symmetries {
        let info = variant(id).expect("a variant");
        let mut setup = Setup::new(info);
        setup.rules.board = board;
        (setup.size, setup.blocked_points) = (size, blocked.to_vec());
        let game = AnyGame::new(&setup).expect("a game");
        let board = NetBoard::new(game.position().board());
        Symmetries::new(&board, info)
    }

    #[test]
    fn boards_with_joined_sides_move_along() {
        let square = Size::square(5);
        let wide = Size { width: 5, height: 4 };
        let narrow = Size { width: 2, height: 5 };
        for (board, id, size, blocked, count) in [
            (Topology::CYLINDER, "go", square, &[][..], 4 * 5),
            (Topology::TORUS, "go", square, &[], 8 * 25),
            (Topology::TORUS, "go", wide, &[], 4 * 20),
            (Topology::TORUS, "go", narrow, &[], 2 * 10),
            (Topology::TORUS, "no", wide, &[], 20),
            (Topology::TORUS, "go", square, &[(0, 1)], 8),
        ] {
            let found = on_board(board, id, size, blocked);
            assert_eq!(found.all().len(), count, "{board:?} {id} {size:?} {blocked:?}");
            let distinct: HashSet<&[u16]> = (0..count as u64).map(|n| found.draw(n)).collect();
            assert_eq!(distinct.len(), count);
        }
    }

    #[test]
    fn boards_have_the_symmetries_of_their_shape() {
        let square = Size::square(5);
        let wide = Size { width: 5, height: 4 };
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
            assert_eq!(found.all().len(), count, "{id} {size:?} {blocked:?}");
            let distinct: HashSet<&[u16]> = (0..count as u64).map(|n| found.draw(n)).collect();
            assert_eq!(distinct.len(), count);
            assert!(found.draw(0).iter().copied().eq(0..found.draw(0).len() as u16));
        }
    }
}
