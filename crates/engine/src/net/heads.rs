//! A net besides its convolutions: pooling, biases, policy, ownership and values.
//!
//! Inner loops have arrays of fixed length, which compilers vectorize. Sums of floats have one
//! order, so they are the same on every machine.

use super::data::{BiasLayer, DenseLayer, NetData, VALUES};
use super::frame::Frame;
use super::layers::{ACTIVATION_UNIT, OUTPUTS, POOL_PARTS};
use super::scratch::Scratch;

const LANES: usize = 8;

/// The outputs for the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Logits of steps to a point, by kind, playable point.
    pub point_policy: Vec<f32>,
    /// Logits of steps without a point.
    pub board_policy: Vec<f32>,
    /// Logits of a win, a draw and a loss.
    pub result: [f32; 3],
    /// Expected score, in points of [`SCORE_UNIT`].
    pub score_mean: f32,
    /// Logarithm of its standard deviation, in the same unit.
    pub score_log_stdev: f32,
    /// By playable point: −1 (the other side) to +1 (the side to move).
    pub ownership: Vec<f32>,
}

impl Evaluation {
    pub fn clear(&mut self) {
        self.point_policy.clear();
        self.board_policy.clear();
        self.ownership.clear();
        (self.result, self.score_mean, self.score_log_stdev) = ([0.0; 3], 0.0, 0.0);
    }
}

/// Number of points in a unit of the outputs of the score.
pub const SCORE_UNIT: f32 = 20.0;

impl BiasLayer {
    /// Adds to the biases of a convolution; the number of outputs is a multiple of [`OUTPUTS`].
    #[inline(always)]
    pub(super) fn apply(&self, inputs: &[i32], outputs: &mut [i32]) {
        let width = outputs.len();
        for (block, outputs) in outputs.as_chunks_mut::<OUTPUTS>().0.iter_mut().enumerate() {
            let mut sums = [0; OUTPUTS];
            let mut at = block * OUTPUTS;
            for &input in inputs {
                if let Some(weights) = array_at::<i8, OUTPUTS>(&self.weights, at) {
                    for lane in 0..OUTPUTS {
                        sums[lane] += input * i32::from(weights[lane]);
                    }
                }
                at += width;
            }
            for lane in 0..OUTPUTS {
                outputs[lane] = sums[lane] >> self.shift;
            }
        }
    }
}

impl DenseLayer {
    /// Adds in a fixed order, so results are the same on every machine.
    #[inline(always)]
    fn apply(&self, inputs: &[f32], outputs: &mut [f32]) {
        let width = outputs.len();
        let (blocks, rest) = outputs.as_chunks_mut::<LANES>();
        for (block, outputs) in blocks.iter_mut().enumerate() {
            let mut at = block * LANES;
            let mut sums = array_at(&self.bias, at).copied().unwrap_or([0.0; LANES]);
            for &input in inputs {
                if let Some(weights) = array_at::<f32, LANES>(&self.weights, at) {
                    for lane in 0..LANES {
                        sums[lane] += input * weights[lane];
                    }
                }
                at += width;
            }
            *outputs = sums;
        }
        let first = width - rest.len();
        for (lane, output) in rest.iter_mut().enumerate() {
            let mut at = first + lane;
            *output = self.bias[at];
            for &input in inputs {
                *output += input * self.weights[at];
                at += width;
            }
        }
    }
}

/// By channel: mean, mean times relative board size, and maximum, in [`POOL_PARTS`] of a unit.
#[inline(always)]
pub(super) fn pool(frame: &Frame, trunk: &[u8], pooled: &mut [i32]) {
    let channels = pooled.len() / 3;
    let points = frame.points().max(1) as i32;
    let size_factor = frame.size_factor();
    for block in 0..channels / OUTPUTS {
        let first = block * OUTPUTS;
        let (mut sums, mut largest) = ([0; OUTPUTS], [0; OUTPUTS]);
        for run in frame.runs() {
            let mut at = run.position * channels + first;
            for _ in 0..run.length {
                if let Some(activations) = array_at::<u8, OUTPUTS>(trunk, at) {
                    for lane in 0..OUTPUTS {
                        sums[lane] += i32::from(activations[lane]);
                        largest[lane] = activations[lane].max(largest[lane]);
                    }
                }
                at += channels;
            }
        }
        for lane in 0..OUTPUTS {
            let mean = sums[lane] * POOL_PARTS / points;
            pooled[first + lane] = mean;
            pooled[channels + first + lane] = mean * size_factor / 64;
            pooled[2 * channels + first + lane] = i32::from(largest[lane]) * POOL_PARTS;
        }
    }
}

impl NetData {
    #[inline(always)]
    pub(super) fn point_outputs(&self, frame: &Frame, head: &[u8], evaluation: &mut Evaluation) {
        let shape = &self.shape;
        let channels = shape.head_channels;
        let points = frame.points();
        evaluation.point_policy.resize(shape.point_kinds * points, 0.0);
        evaluation.ownership.resize(points, 0.0);
        for output in 0..=shape.point_kinds {
            let weights = &self.point_weights[output * channels..][..channels];
            let (scale, bias) = (self.point_scale[output], self.point_bias[output]);
            let values = if output < shape.point_kinds {
                &mut evaluation.point_policy[output * points..][..points]
            } else {
                &mut evaluation.ownership[..]
            };
            for run in frame.runs() {
                let mut at = run.position * channels;
                for value in &mut values[run.point..run.point + run.length] {
                    let sum = product(&head[at..at + channels], weights);
                    *value = sum as f32 * scale + bias;
                    at += channels;
                }
            }
        }
        for owner in &mut evaluation.ownership {
            *owner = tanh(*owner);
        }
    }

    /// Computes also the policy of steps without a point.
    #[inline(always)]
    pub(super) fn value_outputs(&self, scratch: &mut Scratch, evaluation: &mut Evaluation) {
        let owned = evaluation.ownership.iter().sum::<f32>() / SCORE_UNIT;
        let Scratch { pooled, globals, dense: [inputs, hidden, values], .. } = scratch;
        let parts = ACTIVATION_UNIT * POOL_PARTS as f32;
        let (of_pooled, rest) = inputs.split_at_mut(pooled.len());
        for (input, &number) in of_pooled.iter_mut().zip(&*pooled) {
            *input = number as f32 / parts;
        }
        for (input, &global) in rest.iter_mut().zip(&*globals) {
            *input = f32::from(global) / ACTIVATION_UNIT;
        }
        if let Some(last) = rest.last_mut() {
            *last = owned;
        }
        if let Some((last, units)) = hidden.split_last_mut() {
            self.hidden.apply(inputs, units);
            for unit in units {
                *unit = unit.max(0.0);
            }
            *last = owned;
        }
        self.values.apply(hidden, values);
        let (values, board_policy) = values.split_at(VALUES);
        if let &[win, draw, loss, mean, log_stdev] = values {
            evaluation.result = [win, draw, loss];
            evaluation.score_mean = mean;
            evaluation.score_log_stdev = log_stdev;
        }
        evaluation.board_policy.clear();
        evaluation.board_policy.extend_from_slice(board_policy);
    }
}

/// Both slices have the same length, a multiple of [`OUTPUTS`].
#[inline(always)]
fn product(activations: &[u8], weights: &[i8]) -> i32 {
    let (activations, _) = activations.as_chunks::<OUTPUTS>();
    let (weights, _) = weights.as_chunks::<OUTPUTS>();
    let mut sum = 0;
    for block in 0..activations.len().min(weights.len()) {
        let (activations, weights) = (&activations[block], &weights[block]);
        for lane in 0..OUTPUTS {
            sum += i32::from(activations[lane]) * i32::from(weights[lane]);
        }
    }
    sum
}

/// Exact within 0.0001, with operations that IEEE 754 fixes: a quotient of Lambert's continued
/// fraction.
#[inline(always)]
fn tanh(x: f32) -> f32 {
    let x = x.clamp(-4.97, 4.97);
    let square = x * x;
    let above = x * (135_135.0 + square * (17_325.0 + square * (378.0 + square)));
    let below = 135_135.0 + square * (62_370.0 + square * (3_150.0 + square * 28.0));
    (above / below).clamp(-1.0, 1.0)
}

#[inline(always)]
fn array_at<T, const N: usize>(numbers: &[T], at: usize) -> Option<&[T; N]> {
    numbers.get(at..)?.first_chunk()
}

#[cfg(test)]
mod tests {
    use super::tanh;

    #[test]
    fn the_tangent_is_near_enough() {
        for number in -1000..=1000 {
            let x = number as f32 / 100.0;
            assert!((tanh(x) - x.tanh()).abs() < 1e-4, "{x}");
        }
    }
}
