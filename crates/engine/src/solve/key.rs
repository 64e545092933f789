//! Keys of positions; symmetric positions have the same key.

use crate::board::{Cell, Point, PointMap};
use crate::rules::Position;
use smallvec::SmallVec;

pub(super) type StateKey = SmallVec<[(u64, Point); 8]>;

pub(super) type PerSymmetry<T> = SmallVec<[T; 16]>;

/// Maximum number of points that [`Cells`] distinguishes.
pub(super) const MAX_POINTS: usize = 32;

/// The cells of a board: bitboards of empty points, black stones, white stones, and other cells.
pub(super) type Cells = [u32; 4];

#[derive(Debug)]
pub(super) struct BoardKeys {
    points: Vec<Point>,
    /// For each symmetry the numbers of the images of the points.
    images: Vec<Vec<u16>>,
    numbers: PointMap<u16>,
    /// What each cell on each point adds to the sum of a board.
    addends: Vec<u128>,
}

/// The place of a cell on a point among the addends.
fn place(number: u16, cell: Cell) -> usize {
    usize::from(number) << 3 | cell as usize
}

impl BoardKeys {
    /// Keys for the board of a position under its rules. Blocked points are cells, so their places
    /// do not matter.
    pub(super) fn new(position: &Position) -> BoardKeys {
        let grid = position.board.grid();
        let points: Vec<Point> = grid.points().collect();
        let mut numbers = PointMap::filled(u16::MAX);
        for (number, &point) in (0..).zip(&points) {
            numbers[point] = number;
        }
        let images = grid.permutations(&points, !position.info().is_symmetric).collect();
        let addends = (0..8 * points.len() as u64).map(scatter).collect();
        BoardKeys { points, images, numbers, addends }
    }

    /// Whether [`cells`](Self::cells) tells all boards apart.
    pub(super) fn tells_cells(&self) -> bool {
        self.points.len() <= MAX_POINTS
    }

    pub(super) fn cells(&self, position: &Position) -> Cells {
        let (mut cells, all) = (Cells::default(), position.board.cells());
        for (number, &point) in self.points.iter().enumerate().take(MAX_POINTS) {
            let kind = match all[point] {
                Cell::Empty => 0,
                Cell::Black => 1,
                Cell::White => 2,
                _ => 3,
            };
            cells[kind] |= 1 << number;
        }
        cells
    }

    /// The image of cells under a symmetry.
    pub(super) fn turned(&self, cells: &Cells, frame: usize) -> Cells {
        self.mapped_cells(cells, |from| (from, usize::from(self.images[frame][from])))
    }

    /// The cells whose image under a symmetry is `cells`.
    pub(super) fn turned_back(&self, cells: &Cells, frame: usize) -> Cells {
        self.mapped_cells(cells, |from| (usize::from(self.images[frame][from]), from))
    }

    fn mapped_cells(&self, cells: &Cells, pair: impl Fn(usize) -> (usize, usize)) -> Cells {
        let mut moved = Cells::default();
        if !self.tells_cells() {
            return moved;
        }
        for number in 0..self.points.len() {
            let (from, to) = pair(number);
            for (cells, moved) in cells.iter().zip(&mut moved) {
                *moved |= (cells >> from & 1) << to;
            }
        }
        moved
    }

    pub(super) fn boards(&self, position: &Position) -> PerSymmetry<u128> {
        let mut sums: PerSymmetry<u128> = SmallVec::from_elem(0, self.images.len());
        let all = position.board.cells();
        for (number, &point) in self.points.iter().enumerate() {
            let cell = all[point];
            if cell == Cell::Empty {
                continue; // an empty point adds nothing
            }
            for (sum, image) in sums.iter_mut().zip(&self.images) {
                *sum = sum.wrapping_add(self.addends[place(image[number], cell)]);
            }
        }
        sums
    }

    /// The key of a position with these `boards` and future state, and the symmetry to the
    /// position that the key stands for.
    pub(super) fn key(&self, boards: &[u128], state: &[(u64, Point)]) -> (u128, usize) {
        let of_one = |frame: usize| {
            let place = |point: Point| match self.numbers[point] {
                u16::MAX => u64::MAX,
                number => u64::from(self.images[frame][usize::from(number)]),
            };
            let mixed = state
                .iter()
                .fold(boards[frame], |key, &(number, point)| mix(mix(key, number), place(point)));
            (mixed, frame)
        };
        (0..self.images.len()).map(of_one).min().unwrap_or_default()
    }
}

pub(super) fn scatter(number: u64) -> u128 {
    mix(mix(0x2545_F491_4F6C_DD1D_9E37_79B9_7F4A_7C15, number), number)
}

pub(super) fn mix(key: u128, number: u64) -> u128 {
    let mixed = (key ^ u128::from(number)).wrapping_mul(0xDA94_2042_E4DD_58B5_94D0_49BB_1331_11EB);
    (mixed ^ mixed >> 71).wrapping_mul(0xBF58_476D_1CE4_E5B9_9E6D_62D0_6F6A_0A3D)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Game, Setup, Size, variant};

    /// A board of more points than there are bits is not distinguished by its cells.
    #[test]
    fn cells_of_a_large_board_are_none() {
        let game = {
            let info = variant("go").expect("a variant");
            Game::new(&Setup { size: Size::square(6), ..Setup::new(info) }).expect("a game")
        };
        let keys = BoardKeys::new(game.position());
        assert!(!keys.tells_cells());
        let all = [u32::MAX; 4];
        for frame in 0..keys.images.len() {
            assert_eq!(keys.turned(&all, frame), Cells::default());
            assert_eq!(keys.turned_back(&all, frame), Cells::default());
        }
    }
}
