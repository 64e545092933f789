//! The numbers of points and steps for a net.

use crate::board::{Board, Cell, Grid, MAX_SIDE, Point, PointMap, Topology};
use crate::net::Frame;
use crate::rules::{Step, StepKind, VariantInfo};

/// A board for a net: its frame, and the number of each playable point.
#[derive(Clone, Debug)]
pub struct NetBoard {
    frame: Frame,
    grid: Grid,
    points: Vec<Point>,
    positions: Vec<usize>,
    /// [`NetBoard::BLOCKED`] elsewhere.
    numbers: PointMap<u16>,
}

/// Width, height, columns from a point to the one above it (0 with one layer), and joined sides.
type Outline = [u8; 4];

fn outline(grid: &Grid) -> Outline {
    let layer_step = if grid.layers() == 1 { 0 } else { grid.layer_width() + 1 };
    let Topology { joins_columns, joins_rows } = grid.topology();
    let joined = u8::from(joins_columns) | u8::from(joins_rows) << 1;
    [grid.width(), grid.height(), layer_step, joined]
}

fn frame([width, height, layer_step, joined]: Outline, playable: impl Fn(u8, u8) -> bool) -> Frame {
    let topology = Topology { joins_columns: joined & 1 != 0, joins_rows: joined & 2 != 0 };
    match layer_step {
        0 => Frame::with_topology(width, height, topology, playable),
        step => Frame::new(width, height, step, playable),
    }
}

pub(super) fn described_frame(description: &[u8]) -> Option<Frame> {
    let (&outline, playable) = description.split_first_chunk()?;
    let [width, height, ..]: Outline = outline;
    let places = usize::from(width) * usize::from(height);
    (width.max(height) <= MAX_SIDE && places == playable.len()).then(|| {
        let place = |column, row| usize::from(row) * usize::from(width) + usize::from(column);
        frame(outline, |column: u8, row: u8| playable.get(place(column, row)) == Some(&1))
    })
}

impl NetBoard {
    const BLOCKED: u16 = u16::MAX;

    /// Kinds of step without a point: the pass and the end of a turn.
    pub const BOARD_KINDS: usize = 2;

    /// The numbers for this board; walls and blocked points are not playable.
    pub fn new(board: &Board) -> NetBoard {
        let grid = *board.grid();
        let is_playable = |column, row| {
            grid.point(column, row).is_some_and(|point| board.cell(point) != Cell::Wall)
        };
        let frame = frame(outline(&grid), is_playable);
        let points: Vec<Point> =
            grid.points().filter(|&point| board.cell(point) != Cell::Wall).collect();
        let mut numbers = PointMap::filled(NetBoard::BLOCKED);
        for (number, &point) in (0..).zip(&points) {
            numbers[point] = number;
        }
        NetBoard { positions: frame.playable().collect(), frame, grid, points, numbers }
    }

    /// The places of the points among the activations of a net.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The board in bytes, which [give its frame](described_frame): the outline, and for each place
    /// whether it is playable.
    pub(super) fn description(&self) -> Vec<u8> {
        let outline @ [width, height, ..] = outline(&self.grid);
        let places = (0..height).flat_map(move |row| (0..width).map(move |column| (column, row)));
        let playable = places.map(|(column, row)| {
            let number = self.grid.point(column, row).and_then(|point| self.number(point));
            u8::from(number.is_some())
        });
        outline.into_iter().chain(playable).collect()
    }

    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The playable points, in the order of their numbers.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The numbers of the images of the points for each symmetry of the board with its blocked
    /// points, the identity first. Rules with a direction allow only translations.
    pub fn symmetries(&self, info: &VariantInfo) -> impl Iterator<Item = Vec<u16>> {
        self.grid().permutations(self.points(), !info.is_symmetric)
    }

    /// The number of a playable point; `None` for a wall.
    #[inline]
    pub fn number(&self, point: Point) -> Option<usize> {
        let number = self.numbers[point];
        (number != NetBoard::BLOCKED).then_some(usize::from(number))
    }

    /// The position of a playable point among the activations.
    #[inline]
    pub(super) fn position(&self, point: Point) -> Option<usize> {
        self.positions.get(usize::from(self.numbers[point])).copied()
    }

    /// Number of outputs of a policy: the points for each kind, then the pass and the end.
    #[cfg(test)]
    fn policy_size(&self, variant: &VariantInfo) -> usize {
        variant.kinds.len() * self.points.len() + NetBoard::BOARD_KINDS
    }

    /// The number of a step among the outputs of a policy; `None` if it goes to a wall.
    #[inline]
    pub fn policy_index(&self, variant: &VariantInfo, step: Step) -> Option<usize> {
        let points = self.points.len();
        match step.parts() {
            (StepKind::PASS, _) => Some(variant.kinds.len() * points),
            (StepKind::END, _) => Some(variant.kinds.len() * points + 1),
            (kind, point) => Some(kind.index() * points + self.number(point)?),
        }
    }

    /// The step with this number among the outputs; `None` if there is no such step.
    pub fn step(&self, variant: &VariantInfo, index: usize) -> Option<Step> {
        let points = self.points.len();
        let kind = index / points.max(1);
        if kind < variant.kinds.len() {
            let kind = StepKind::new(kind as u8);
            return Some(Step::new(kind, *self.points.get(index % points)?));
        }
        match index - variant.kinds.len() * points {
            0 => Some(Step::PASS),
            1 => Some(Step::END),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NetBoard, described_frame};
    use crate::board::{Cell, Topology};
    use crate::rules::{Game, Setup, Size, VARIANTS, variant};
    use std::collections::HashSet;

    #[test]
    fn steps_have_distinct_numbers_and_walls_none() {
        for info in VARIANTS {
            let mut setup = Setup::new(info);
            setup.blocked_points = vec![(1, 2), (4, 4)];
            let game = Game::new(&setup).expect("a game");
            let board = NetBoard::new(&game.position().board);
            let points = game.grid().points();
            let playable: Vec<_> = points.filter(|&p| game.cell(p) != Cell::Wall).collect();
            assert_eq!(board.points(), playable);
            assert_eq!(board.frame().points(), playable.len());
            for index in 0..board.policy_size(info) {
                let step = board.step(info, index).expect("a step");
                assert_eq!(board.policy_index(info, step), Some(index), "{}", info.id);
            }
            assert_eq!(board.step(info, board.policy_size(info)), None);
            let wall = game.grid().point(1, 2).expect("a point");
            assert_eq!(board.number(wall), None);
        }
    }

    #[test]
    fn a_description_gives_the_frame() {
        for (id, topology) in [
            ("2.5d", Topology::RECTANGLE),
            ("go", Topology::RECTANGLE),
            ("go", Topology::CYLINDER),
            ("go", Topology::TORUS),
        ] {
            let mut setup = Setup::new(variant(id).expect("a variant"));
            (setup.rules.board, setup.blocked_points) = (topology, vec![(1, 2), (4, 4)]);
            let game = Game::new(&setup).expect("a game");
            let board = NetBoard::new(&game.position().board);
            let description = board.description();
            assert_eq!(described_frame(&description).as_ref(), Some(board.frame()));
            for length in 0..description.len() {
                assert_eq!(described_frame(&description[..length]), None);
            }
        }
    }

    fn symmetries(id: &str, size: Size, blocked: &[(u8, u8)]) -> Vec<Vec<u16>> {
        on_board(Topology::RECTANGLE, id, size, blocked)
    }

    fn on_board(board: Topology, id: &str, size: Size, blocked: &[(u8, u8)]) -> Vec<Vec<u16>> {
        let info = variant(id).expect("a variant");
        let mut setup = Setup::new(info);
        setup.rules.board = board;
        (setup.size, setup.blocked_points) = (size, blocked.to_vec());
        let game = Game::new(&setup).expect("a game");
        let board = NetBoard::new(&game.position().board);
        board.symmetries(info).collect()
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
            let images = on_board(board, id, size, blocked);
            assert_eq!(images.len(), count, "{board:?} {id} {size:?} {blocked:?}");
            let distinct: HashSet<_> = images.iter().collect();
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
            let images = symmetries(id, size, blocked);
            assert_eq!(images.len(), count, "{id} {size:?} {blocked:?}");
            let distinct: HashSet<_> = images.iter().collect();
            assert_eq!(distinct.len(), count);
            assert!(images[0].iter().copied().eq(0..images[0].len() as u16));
        }
    }
}
