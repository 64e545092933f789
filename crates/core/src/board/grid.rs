//! The shape of a board: size, layers and neighbours.

use super::point::{Point, PointMap};
use super::topology::Topology;
use std::hint::select_unpredictable;

/// Maximum side of a flat board, and width of a flat form.
pub const MAX_SIDE: u8 = 25;

/// The playable points of a [`Grid`], row by row. A small type compiles faster than nested
/// adapters.
#[derive(Clone, Debug)]
pub struct Points {
    grid: Grid,
    row: u8,
    column: u8,
}

impl Iterator for Points {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        if self.row == self.grid.height {
            return None;
        }
        let point = Point::at(self.grid.slot(self.column, self.row));
        self.column += 1;
        let pitch = self.grid.layer_width() + 1;
        // Skips the separating column between layers.
        if self.column % pitch == pitch - 1 {
            self.column += 1;
        }
        if self.column >= self.grid.width {
            (self.row, self.column) = (self.row + 1, 0);
        }
        Some(point)
    }
}

/// A set of directions to neighbours, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Directions(pub(super) u32);

impl Directions {
    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first direction; 32 if the set is empty.
    #[inline]
    pub(super) fn first(self) -> u32 {
        self.0.trailing_zeros()
    }

    #[inline]
    pub(super) fn all(self) -> impl Iterator<Item = u32> {
        let mut remaining = self.0;
        std::iter::from_fn(move || {
            let direction = remaining.trailing_zeros();
            (remaining != 0).then(|| {
                remaining &= remaining - 1;
                direction
            })
        })
    }

    #[inline]
    pub(super) fn others(self) -> impl Iterator<Item = u32> {
        Directions(self.0 & self.0.wrapping_sub(1)).all()
    }
}

/// Why a grid cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GridError {
    /// A side is shorter than 2 or longer than 25.
    #[error("each side must be 2 to 25")]
    Side,
    /// Layers are square and must fit side by side in 25 columns.
    #[error("1, 2, 3 or 4 square layers of side at most 25, 12, 7 or 5")]
    Layers,
}

/// The geometry of a board: a rectangle whose opposite sides may be joined, or square layers side
/// by side with a wall column between them (the *flat form*).
///
/// Between joined sides two points apart, both neighbours are one point, which counts once; the
/// eight directions of a point still go around the board.
///
/// Rows and columns are those of the flat form, from 0 at its lower left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    width: u8,
    height: u8,
    layers: u8,
    topology: Topology,
    /// Number of neighbours of a point in the middle.
    degree: u8,
    stride: u16,
    /// 2^16 / stride, rounded up, to replace a division by a multiplication.
    stride_reciprocal: u32,
    steps: [Point; 8],
    ring: [Point; 8],
}

impl Grid {
    /// A rectangle of one layer.
    ///
    /// # Errors
    /// [`GridError::Side`] unless both sides are 2 to 25.
    pub fn rectangle(width: u8, height: u8) -> Result<Grid, GridError> {
        Grid::with_topology(Topology::RECTANGLE, width, height)
    }

    /// A rectangle of one layer with joined sides.
    ///
    /// # Errors
    /// [`GridError::Side`] unless both sides are 2 to 25.
    pub fn with_topology(topology: Topology, width: u8, height: u8) -> Result<Grid, GridError> {
        let fits = |side| (2..=MAX_SIDE).contains(&side);
        if !fits(width) || !fits(height) {
            return Err(GridError::Side);
        }
        // A wall column is both the right edge of a row and the left edge of the next row.
        let rectangle = Grid::with_layout(width, height, 1, u16::from(width) + 1);
        Ok(Grid { topology, ..rectangle })
    }

    /// `layers` squares of side `side`; each point is adjacent to those directly above and below
    /// it.
    ///
    /// # Errors
    /// [`GridError`] unless the flat form fits in 25 columns.
    pub fn stack(side: u8, layers: u8) -> Result<Grid, GridError> {
        let largest = Grid::largest_side(layers).ok_or(GridError::Layers)?;
        if layers == 1 {
            return Grid::rectangle(side, side);
        }
        if !(2..=largest).contains(&side) {
            return Err(GridError::Layers);
        }
        let pitch = u16::from(side) + 1;
        let width = layers * (side + 1) - 1;
        // A vertical step off the stack leads to a wall in the extra columns.
        let stride = u16::from(width) + pitch;
        Ok(Grid::with_layout(width, side, layers, stride))
    }

    /// Maximum side of a stack of `layers` layers; `None` unless 1 to 4.
    pub fn largest_side(layers: u8) -> Option<u8> {
        match layers {
            1 => Some(25),
            2 => Some(12),
            3 => Some(7),
            4 => Some(5),
            _ => None,
        }
    }

    fn with_layout(width: u8, height: u8, layers: u8, stride: u16) -> Grid {
        let vertical = u16::from(width + 1) / u16::from(layers);
        let on = Point::at;
        let back = |step: u16| Point::at(step.wrapping_neg());
        Grid {
            width,
            height,
            layers,
            topology: Topology::RECTANGLE,
            degree: if layers > 1 { 6 } else { 4 },
            stride,
            stride_reciprocal: (1 << 16) / u32::from(stride) + 1,
            steps: [
                on(stride),
                on(1),
                back(1),
                back(stride),
                on(vertical),
                back(vertical),
                Point::NONE,
                Point::NONE,
            ],
            ring: [
                on(stride),
                on(stride + 1),
                on(1),
                back(stride - 1),
                back(stride),
                back(stride + 1),
                back(1),
                on(stride - 1),
            ],
        }
    }

    /// Columns of the flat form.
    pub fn width(&self) -> u8 {
        self.width
    }

    /// Rows of the flat form.
    pub fn height(&self) -> u8 {
        self.height
    }

    /// Number of layers.
    pub fn layers(&self) -> u8 {
        self.layers
    }

    /// The joined sides.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// Columns of one layer.
    pub fn layer_width(&self) -> u8 {
        (self.width + 1) / self.layers - 1
    }

    /// Number of slots of the padded board. Later slots are unused.
    #[inline]
    pub fn slots(&self) -> usize {
        (usize::from(self.height) + 2) * usize::from(self.stride) + 1
    }

    /// The point at a column and row of the flat form; `None` off the board and between layers.
    pub fn point(&self, column: u8, row: u8) -> Option<Point> {
        let on_board = column < self.width && row < self.height;
        let separator = column % (self.layer_width() + 1) == self.layer_width();
        (on_board && !separator).then(|| Point::at(self.slot(column, row)))
    }

    /// The row and the column of a slot, both counted from 1; other numbers are walls.
    #[inline]
    pub fn padded_coordinates(&self, slot: Point) -> (usize, usize) {
        // The error is at most 1/64, because there are at most 1,024 slots.
        let row = (slot.index() * self.stride_reciprocal as usize) >> 16;
        (row, slot.index() - row * usize::from(self.stride))
    }

    /// The slot at this row and column.
    #[inline]
    pub fn padded_point(&self, row: usize, column: usize) -> Point {
        Point::at((row * usize::from(self.stride) + column) as u16)
    }

    /// The slot at a column and row of the flat form.
    #[inline]
    fn slot(&self, column: u8, row: u8) -> u16 {
        (u16::from(row) + 1) * self.stride + u16::from(column) + 1
    }

    /// The point at a column and row of one layer.
    pub fn point_on_layer(&self, layer: u8, column: u8, row: u8) -> Option<Point> {
        let inside = layer < self.layers && column < self.layer_width();
        inside.then(|| self.point(layer * (self.layer_width() + 1) + column, row)).flatten()
    }

    /// Column and row of a point, in the flat form.
    pub fn coordinates(&self, point: Point) -> (u8, u8) {
        let (row, column) = self.padded_coordinates(point);
        (column.wrapping_sub(1) as u8, row.wrapping_sub(1) as u8)
    }

    /// Whether this board has the point, which may come from another.
    pub fn has(&self, point: Point) -> bool {
        let (column, row) = self.coordinates(point);
        self.point(column, row) == Some(point)
    }

    /// Layer, column and row of a point.
    pub fn layer_coordinates(&self, point: Point) -> (u8, u8, u8) {
        let (column, row) = self.coordinates(point);
        let pitch = self.layer_width() + 1;
        (column / pitch, column % pitch, row)
    }

    /// All playable points, lower left first, row by row.
    pub fn points(&self) -> Points {
        Points { grid: *self, row: 0, column: 0 }
    }

    /// The number of [`points`](Self::points).
    pub fn point_count(&self) -> usize {
        let layer = usize::from(self.layer_width()) * usize::from(self.height);
        layer * usize::from(self.layers)
    }

    /// All slots from the first playable point to the last, walls included: faster than
    /// [`points`](Self::points).
    #[inline]
    pub fn span(&self) -> impl Iterator<Item = Point> + use<> {
        let (first, after) = (self.slot(0, 0), self.slot(self.width, self.height - 1));
        (first..after).map(Point::at)
    }

    /// The middle point of one layer with odd sides.
    pub fn tengen(&self) -> Option<Point> {
        let odd = self.width % 2 == 1 && self.height % 2 == 1 && self.layers == 1;
        odd.then(|| self.point(self.width / 2, self.height / 2)).flatten()
    }

    /// The slots next to `point`, walls included.
    #[inline]
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let steps = self.steps_from(point);
        (0..self.degree()).map(move |direction| point.step(steps[direction % 8]))
    }

    /// Number of neighbours of a point in the middle: four, or six in layers.
    #[inline]
    pub fn degree(&self) -> usize {
        self.degree.into()
    }

    #[inline]
    pub(super) fn neighbour(&self, point: Point, direction: u32) -> Point {
        point.step(self.steps_from(point)[direction as usize % 8])
    }

    #[inline]
    fn steps_from(&self, point: Point) -> [Point; 8] {
        let mut steps = self.steps;
        if self.topology.is_joined() {
            // Between two points that face each other the direct step suffices.
            let around = (self.width > 2, self.height > 2);
            let [north, east, south, west] = self.straight_steps(point, around);
            steps[..4].copy_from_slice(&[north, east, west, south]);
        }
        steps
    }

    /// The steps north, east, south and west from `point`. `around` says whether they cross joined
    /// sides. Not inlined into every loop over neighbours.
    #[inline(never)]
    fn straight_steps(&self, point: Point, around: (bool, bool)) -> [Point; 4] {
        let (row, column) = self.padded_coordinates(point);
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        let columns = around.0 & self.topology.joins_columns;
        let rows = around.1 & self.topology.joins_rows;
        let stride = self.stride;
        // Steps wrap around the capacity, a power of two, so products may overflow.
        let whole_row = u16::from(self.width).wrapping_sub(1);
        let whole_column = stride.wrapping_mul(u16::from(self.height).wrapping_sub(1));
        let step = |is_last: bool, forward: u16, round: u16| {
            Point::at(select_unpredictable(is_last, round, forward))
        };
        [
            step(rows & (row == height), stride, whole_column.wrapping_neg()),
            step(columns & (column == width), 1, whole_row.wrapping_neg()),
            step(rows & (row == 1), stride.wrapping_neg(), whole_column),
            step(columns & (column == 1), 1u16.wrapping_neg(), whole_row),
        ]
    }

    /// The slots diagonally next to `point` on its layer; walls where both ways lead to one point.
    #[inline]
    pub fn diagonals(&self, point: Point) -> impl Iterator<Item = Point> + use<> {
        let straight = if self.topology.is_joined() {
            self.straight_steps(point, (self.width > 2, self.height > 2))
        } else {
            let [north, .., south, _, _, _, _] = self.steps;
            [north, Point::at(1), south, Point::at(1u16.wrapping_neg())]
        };
        let [north, east, south, west] = straight;
        [(north, east), (north, west), (south, east), (south, west)]
            .into_iter()
            .map(move |(along, across)| point.step(along).step(across))
    }

    /// The slot next to `point` in one of eight directions on its layer, clockwise from 0 for
    /// north.
    #[inline]
    pub fn neighbour_towards(&self, point: Point, eighth: usize) -> Point {
        if !self.topology.is_joined() {
            return point.step(self.ring[eighth % 8]);
        }
        let [north, east, south, west] = self.straight_steps(point, (true, true));
        let none = Point::NONE; // slot 0: no step
        let along = [north, north, none, south, south, south, none, north][eighth % 8];
        let across = [none, east, east, east, none, west, west, west][eighth % 8];
        point.step(along).step(across)
    }

    /// The values of `map` for the slots around `point` on its layer, clockwise from north.
    #[inline]
    pub fn ring<T: Copy + Default>(&self, map: &PointMap<T>, point: Point) -> [T; 8] {
        if self.topology.is_joined() {
            return std::array::from_fn(|eighth| map[self.neighbour_towards(point, eighth)]);
        }
        let row = |eighth| map.row(self.neighbour_towards(point, eighth));
        let ([north_west, north, north_east], [south_west, south, south_east]) = (row(0), row(4));
        let [west, _, east] = map.row(point);
        [north, north_east, east, south_east, south, south_west, west, north_west]
    }

    /// Whether a slot is at most one row and one column away from `point`.
    #[inline]
    pub fn is_within_one(&self, slot: Point, point: Point) -> bool {
        if self.topology.is_joined() {
            return slot == point || (0..8).any(|at| self.neighbour_towards(point, at) == slot);
        }
        // From the slot south-west of `point`, the three rows of its neighbourhood begin at 0, 1
        // and 2 strides.
        let south_west = point.step(self.ring[5]).slot();
        let ahead = Point::at(slot.slot().wrapping_sub(south_west)).slot();
        let begins = |row: u16| ahead.wrapping_sub(row * self.stride) < 3;
        begins(0) | begins(1) | begins(2)
    }

    /// The distance of two points in layers, columns and rows, by the shorter way around joined
    /// sides.
    #[inline]
    pub fn apart(&self, a: Point, b: Point) -> (u8, u8, u8) {
        let ((al, ac, ar), (bl, bc, br)) = (self.layer_coordinates(a), self.layer_coordinates(b));
        let shorter = |apart: u8, whole: u8, joined: bool| {
            if joined { apart.min(whole - apart) } else { apart }
        };
        (
            al.abs_diff(bl),
            shorter(ac.abs_diff(bc), self.layer_width(), self.topology.joins_columns),
            shorter(ar.abs_diff(br), self.height, self.topology.joins_rows),
        )
    }

    /// The number of lines between a point and the nearest edges of its layer, across and up;
    /// [`MAX_SIDE`] between joined sides.
    #[inline]
    pub fn lines_to_edges(&self, point: Point) -> (u8, u8) {
        let (_, column, row) = self.layer_coordinates(point);
        let lines = |at: u8, whole: u8, joined: bool| {
            if joined { MAX_SIDE } else { at.min(whole - 1 - at) }
        };
        (
            lines(column, self.layer_width(), self.topology.joins_columns),
            lines(row, self.height, self.topology.joins_rows),
        )
    }

    /// The point at an offset from `point` on its layer, around joined sides; `None` off the board.
    pub fn point_at_offset(&self, point: Point, east: i8, north: i8) -> Option<Point> {
        let (layer, column, row) = self.layer_coordinates(point);
        let to = |at: u8, by: i8, whole: u8, joined: bool| {
            let there = i16::from(at) + i16::from(by);
            let there = if joined { there.rem_euclid(whole.into()) } else { there };
            u8::try_from(there).ok()
        };
        let column = to(column, east, self.layer_width(), self.topology.joins_columns)?;
        let row = to(row, north, self.height, self.topology.joins_rows)?;
        self.point_on_layer(layer, column, row)
    }
}

/// The letters of a column: `A` to `Z` without `I`, then `AA`, `AB` and so on, for displayed
/// panels.
pub fn column_name(column: u8) -> String {
    const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let letter = |i: u8| char::from(LETTERS[usize::from(i % 25)]);
    match column / 25 {
        0 => letter(column).to_string(),
        high => format!("{}{}", letter(high - 1), letter(column)),
    }
}
