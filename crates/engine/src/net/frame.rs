//! Positions of a board's points among activations.
//!
//! Activations lie point by point, row by row from the bottom. Zeros around the board and between
//! rows reach as far as the farthest tap, and blocked points are zero. Beyond a joined side lies a
//! copy of the opposite side.

use super::kernels::MAX_RUN;
use crate::board::Topology;
use std::ops::Range;

/// The shape of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    stride: usize,
    first: usize,
    positions: usize,
    layer_step: usize,
    points: usize,
    /// First position, first point and number of points of each run.
    runs: Vec<FrameRun>,
    /// Beyond joined sides: a position, and the position that it copies.
    copies: Vec<(usize, usize)>,
}

/// Playable points that lie side by side, at most [`MAX_RUN`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRun {
    /// Index of the first point among the activations.
    pub position: usize,
    /// Number of the first point among the playable points.
    pub point: usize,
    /// Number of points.
    pub length: usize,
}

impl Frame {
    /// `playable` selects points by column and row from the lower left. In flat forms of layers,
    /// the point above lies `layer_step` columns to the right; 0 elsewhere.
    pub fn new(width: u8, height: u8, layer_step: u8, playable: impl Fn(u8, u8) -> bool) -> Frame {
        let layer_step = usize::from(layer_step);
        let aside = layer_step.max(1);
        Frame::spaced((width, height), aside, layer_step, playable)
    }

    /// A board of one layer, of which some sides may be joined.
    pub fn with_topology(
        width: u8,
        height: u8,
        topology: Topology,
        playable: impl Fn(u8, u8) -> bool,
    ) -> Frame {
        if !topology.is_joined() {
            return Frame::new(width, height, 0, playable);
        }
        // Each row has its own copies at both ends.
        let frame = Frame::spaced((width, height), 2, 0, playable);
        let (columns, rows) = (usize::from(width), usize::from(height));
        // Column and row count from the place before the first.
        let at = |column: usize, row: usize| {
            (frame.first + row * frame.stride + column) - (frame.stride + 1)
        };
        let across = if topology.joins_columns { 0..columns + 2 } else { 1..columns + 1 };
        let up = if topology.joins_rows { 0..rows + 2 } else { 1..rows + 1 };
        let opposite = |place: usize, length: usize| (place + length - 1) % length + 1;
        let mut copies = Vec::new();
        for row in up {
            for column in across.clone() {
                let to = at(column, row);
                let from = at(opposite(column, columns), opposite(row, rows));
                if to != from {
                    copies.push((to, from));
                }
            }
        }
        Frame { copies, ..frame }
    }

    /// `aside` zeros lie between rows.
    fn spaced(
        (width, height): (u8, u8),
        aside: usize,
        layer_step: usize,
        playable: impl Fn(u8, u8) -> bool,
    ) -> Frame {
        let stride = usize::from(width) + aside;
        let mut frame = Frame {
            stride,
            first: aside + stride,
            positions: 2 * aside + (usize::from(height) + 2) * stride,
            layer_step,
            points: 0,
            runs: Vec::new(),
            copies: Vec::new(),
        };
        for row in 0..height {
            let mut column = 0;
            while column < width {
                let end = (column..width).find(|&at| !playable(at, row));
                let end = end.unwrap_or(width);
                frame.add_runs(column, end, row);
                column = end + 1;
            }
        }
        frame
    }

    fn add_runs(&mut self, from: u8, to: u8, row: u8) {
        let (mut column, mut remaining) = (from, usize::from(to - from));
        let mut runs = remaining.div_ceil(MAX_RUN);
        while remaining > 0 {
            let length = remaining.div_ceil(runs);
            self.runs.push(FrameRun {
                position: self.position(column, row),
                point: self.points,
                length,
            });
            self.points += length;
            column += length as u8;
            remaining -= length;
            runs -= 1;
        }
    }

    pub fn position(&self, column: u8, row: u8) -> usize {
        self.first + usize::from(row) * self.stride + usize::from(column)
    }

    /// Repeats activations beyond joined sides.
    #[inline]
    pub fn copy_beyond<T: Copy>(&self, activations: &mut [T], channels: usize) {
        for &(to, from) in &self.copies {
            let here = from * channels..(from + 1) * channels;
            activations.copy_within(here, to * channels);
        }
    }

    /// Number of positions, zeros around the board included.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Number of playable points.
    pub fn points(&self) -> usize {
        self.points
    }

    /// The runs, in the order of their points.
    pub fn runs(&self) -> &[FrameRun] {
        &self.runs
    }

    /// The positions of the playable points, in order.
    pub fn playable(&self) -> impl Iterator<Item = usize> {
        self.runs.iter().flat_map(|run| -> Range<usize> { run.position..run.position + run.length })
    }

    /// Offsets: three by three from the lower left, row by row; with layers, then the points below
    /// and above.
    pub fn taps(&self, layered: bool) -> impl Iterator<Item = isize> {
        let (stride, step) = (self.stride as isize, self.layer_step as isize);
        let square =
            (-1..=1).flat_map(move |row| (-1..=1).map(move |column| row * stride + column));
        let vertical = [-step, step].into_iter().take(if layered { 2 } else { 0 });
        square.chain(vertical)
    }

    /// The size in sixteenths of a point: 4 (√points − 13), within ±63.
    pub fn size_factor(&self) -> i32 {
        let side = (16 * self.points).isqrt() as i32;
        (side - 4 * 13).clamp(-63, 63)
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, MAX_RUN};
    use crate::board::Topology;

    #[test]
    fn runs_cover_the_playable_points_and_taps_stay_inside() {
        for (width, height, step) in [(2, 25, 0), (9, 9, 0), (19, 19, 0), (25, 25, 0), (23, 5, 6)] {
            let playable = |column: u8, row: u8| {
                (step == 0 || column % step != step - 1) && (column, row) != (1, 1)
            };
            let frame = Frame::new(width, height, step, playable);
            let wanted: Vec<_> = (0..height)
                .flat_map(|row| (0..width).map(move |column| (column, row)))
                .filter(|&(column, row)| playable(column, row))
                .map(|(column, row)| frame.position(column, row))
                .collect();
            assert_eq!(frame.playable().collect::<Vec<_>>(), wanted);
            assert_eq!(frame.points(), wanted.len());
            assert!(frame.runs().iter().all(|run| run.length <= MAX_RUN));
            let beside =
                |position: usize| frame.taps(true).map(move |tap| position.checked_add_signed(tap));
            assert!(
                wanted
                    .iter()
                    .flat_map(|&at| beside(at))
                    .all(|at| { at.is_some_and(|at| at < frame.positions()) })
            );
        }
    }

    /// The taps of a point are the points around it, going round where sides are joined.
    #[test]
    fn the_opposite_side_lies_beyond_a_joined_one() {
        for (joins_columns, joins_rows) in [(true, false), (false, true), (true, true)] {
            let topology = Topology { joins_columns, joins_rows };
            for (width, height) in [(2, 2), (3, 5), (25, 2), (9, 9)] {
                let frame = Frame::with_topology(width, height, topology, |_, _| true);
                let mut numbers = vec![0; frame.positions()];
                for (number, position) in (1..).zip(frame.playable()) {
                    numbers[position] = number;
                }
                frame.copy_beyond(&mut numbers, 1);
                let around = |place: i32, by: i32, length: u8, joined: bool| {
                    let to = place + by;
                    let length = i32::from(length);
                    (joined || (0..length).contains(&to)).then(|| to.rem_euclid(length))
                };
                for (number, position) in (0..).zip(frame.playable()) {
                    let (row, column) = (number / i32::from(width), number % i32::from(width));
                    let square = (-1..=1).flat_map(|up| (-1..=1).map(move |right| (right, up)));
                    for (tap, (right, up)) in frame.taps(false).zip(square) {
                        let to = around(column, right, width, joins_columns)
                            .zip(around(row, up, height, joins_rows))
                            .map_or(0, |(column, row)| row * i32::from(width) + column + 1);
                        assert_eq!(numbers[position.wrapping_add_signed(tap)], to);
                    }
                }
            }
        }
    }

    #[test]
    fn points_beyond_the_outer_layers_are_no_points_of_the_board() {
        let frame = Frame::new(19, 9, 10, |column, _| column != 9);
        for row in 0..9 {
            for column in 0..9 {
                let (below, above) =
                    (frame.position(column, row), frame.position(column + 10, row));
                assert_eq!(below + 10, above);
                assert!(frame.playable().all(|at| at != below - 10 && at != above + 10));
            }
        }
    }
}
