//! Where the points of a board lie among activations.
//!
//! Activations are kept point by point, row by row from the bottom, with zeros
//! around the board: a row of zeros below and above, and between rows as many as
//! the farthest tap reaches aside, so that every tap of every point lies in the
//! buffer and what is beyond the board, a blocked point among it, is zero.

use super::kernels::WIDEST;
use std::ops::Range;

/// The shape of one board, for as many evaluations as there are on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    stride: usize,
    first: usize,
    positions: usize,
    layer_step: usize,
    points: usize,
    /// First position, first point and number of points of each run.
    runs: Vec<FrameRun>,
}

/// Playable points that lie side by side, at most [`WIDEST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRun {
    /// Where the first of them lies among the activations.
    pub position: usize,
    /// Its number among the playable points of the board.
    pub point: usize,
    /// How many they are.
    pub length: usize,
}

impl Frame {
    /// The frame of `width` columns and `height` rows, of which `playable` tells
    /// the points that can ever be played on, by column and row from the lower
    /// left. In flat forms of layers, `layer_step` is how many columns to the right
    /// the point above lies; 0 elsewhere.
    pub fn new(width: u8, height: u8, layer_step: u8, playable: impl Fn(u8, u8) -> bool) -> Frame {
        let layer_step = usize::from(layer_step);
        let aside = layer_step.max(1);
        let stride = usize::from(width) + aside;
        let mut frame = Frame {
            stride,
            first: aside + stride,
            positions: 2 * aside + (usize::from(height) + 2) * stride,
            layer_step,
            points: 0,
            runs: Vec::new(),
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

    /// Adds the points from column `from` to before column `to`, in runs of about
    /// the same length.
    fn add_runs(&mut self, from: u8, to: u8, row: u8) {
        let (mut column, mut left) = (from, usize::from(to - from));
        let mut runs = left.div_ceil(WIDEST);
        while left > 0 {
            let length = left.div_ceil(runs);
            self.runs.push(FrameRun {
                position: self.position(column, row),
                point: self.points,
                length,
            });
            self.points += length;
            column += length as u8;
            left -= length;
            runs -= 1;
        }
    }

    /// Where the point of this column and row lies among the activations.
    pub fn position(&self, column: u8, row: u8) -> usize {
        self.first + usize::from(row) * self.stride + usize::from(column)
    }

    /// Number of places for activations, zeros around the board included.
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
        self.runs
            .iter()
            .flat_map(|run| -> Range<usize> { run.position..run.position + run.length })
    }

    /// The positions of the taps relative to a point: three by three, from the
    /// lower left, row by row; then, with layers, the points below and above.
    pub(crate) fn taps(&self, layered: bool) -> impl Iterator<Item = isize> {
        let (stride, step) = (self.stride as isize, self.layer_step as isize);
        let square =
            (-1..=1).flat_map(move |row| (-1..=1).map(move |column| row * stride + column));
        let vertical = [-step, step].into_iter().take(if layered { 2 } else { 0 });
        square.chain(vertical)
    }

    /// How much wider than 13x13 the board is, in sixteenths of a point:
    /// 4 (√points − 13), within ±63.
    pub(crate) fn size_factor(&self) -> i32 {
        let side = (16 * self.points).isqrt() as i32;
        (side - 4 * 13).clamp(-63, 63)
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, WIDEST};

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
            assert!(frame.runs().iter().all(|run| run.length <= WIDEST));
            let beside = |position: usize| {
                frame
                    .taps(true)
                    .map(move |tap| position.checked_add_signed(tap))
            };
            assert!(
                wanted
                    .iter()
                    .flat_map(|&at| beside(at))
                    .all(|at| { at.is_some_and(|at| at < frame.positions()) })
            );
        }
    }

    #[test]
    fn points_beyond_the_outer_layers_are_no_points_of_the_board() {
        let frame = Frame::new(19, 9, 10, |column, _| column != 9);
        for row in 0..9 {
            for column in 0..9 {
                let (below, above) = (
                    frame.position(column, row),
                    frame.position(column + 10, row),
                );
                assert_eq!(below + 10, above);
                assert!(
                    frame
                        .playable()
                        .all(|at| at != below - 10 && at != above + 10)
                );
            }
        }
    }
}
