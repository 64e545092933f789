//! Operations besides convolutions, inlined into code for the processor's vectors.

use super::layout::DensePlace;
use crate::net::{Frame, FrameRun};
use std::ops::Range;

/// The limit of a net in integers.
pub(super) const MAX_ACTIVATION: f32 = 127.0 / 64.0;

/// Means, means times the size factor, and maxima by channel, with the positions of maxima (0 if
/// zero).
#[derive(Clone, Debug, Default)]
pub(super) struct Pooled {
    pub(super) values: Vec<f32>,
    greatest_at: Vec<u32>,
}

#[inline(always)]
pub(super) fn activations(run: &FrameRun, channels: usize) -> Range<usize> {
    run.position * channels..(run.position + run.length) * channels
}

/// Sums sixteen parts that fill a vector.
#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let (a, a_rest) = a.as_chunks::<16>();
    let (b, b_rest) = b.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| a * b);
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

#[inline(always)]
fn add_multiple(to: &mut [f32], factor: f32, from: &[f32]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

#[inline(always)]
pub(super) fn apply(place: &DensePlace, params: &[f32], inputs: &[f32], outputs: &mut Vec<f32>) {
    outputs.clear();
    outputs.extend_from_slice(&params[place.bias.clone()]);
    outputs.resize(place.outputs, 0.0);
    let rows = params[place.weights.clone()].chunks_exact(place.outputs);
    for (&input, weights) in inputs.iter().zip(rows) {
        add_multiple(outputs, input, weights);
    }
}

#[inline(always)]
pub(super) fn back(
    place: &DensePlace,
    params: &[f32],
    (inputs, outputs): (&[f32], &[f32]),
    gradient: &mut [f32],
    to_inputs: &mut [f32],
) {
    add_multiple(&mut gradient[place.bias.clone()], 1.0, outputs);
    let rows = gradient[place.weights.clone()].chunks_exact_mut(place.outputs);
    for (&input, weights) in inputs.iter().zip(rows) {
        if input != 0.0 {
            add_multiple(weights, input, outputs);
        }
    }
    let rows = params[place.weights.clone()].chunks_exact(place.outputs);
    for (to, weights) in to_inputs.iter_mut().zip(rows) {
        *to += dot(weights, outputs);
    }
}

/// A dense layer with few outputs, applied to each point: weights by output, input.
#[derive(Clone, Debug, Default)]
pub(super) struct PointLayer {
    rows: Vec<f32>,
    bias: Vec<f32>,
    inputs: usize,
}

impl PointLayer {
    #[inline(always)]
    pub(super) fn load(&mut self, place: &DensePlace, params: &[f32]) {
        let weights = &params[place.weights.clone()];
        self.inputs = weights.len() / place.outputs;
        self.rows.clear();
        for output in 0..place.outputs {
            self.rows.extend(weights.iter().skip(output).step_by(place.outputs));
        }
        self.bias.clear();
        self.bias.extend_from_slice(&params[place.bias.clone()]);
    }

    #[inline(always)]
    pub(super) fn apply(&self, inputs: &[f32], outputs: &mut [f32]) {
        let rows = self.rows.chunks_exact(self.inputs).zip(&self.bias);
        for (output, (weights, bias)) in outputs.iter_mut().zip(rows) {
            *output = bias + dot(inputs, weights);
        }
    }

    #[inline(always)]
    pub(super) fn gradient_of(&mut self, layer: &PointLayer) {
        self.inputs = layer.inputs;
        self.rows.clear();
        self.rows.resize(layer.rows.len(), 0.0);
        self.bias.clear();
        self.bias.resize(layer.bias.len(), 0.0);
    }

    /// Adds gradients of `layer` at one point; writes those of its inputs.
    #[inline(always)]
    pub(super) fn add_point(
        &mut self,
        layer: &PointLayer,
        (inputs, outputs): (&[f32], &[f32]),
        to_inputs: &mut [f32],
    ) {
        to_inputs.fill(0.0);
        let weights = layer.rows.chunks_exact(layer.inputs);
        let gradients = self.rows.chunks_exact_mut(self.inputs);
        let rows = weights.zip(gradients).zip(&mut self.bias);
        for (&output, ((weights, gradient), bias)) in outputs.iter().zip(rows) {
            if output != 0.0 {
                *bias += output;
                add_multiple(gradient, output, inputs);
                add_multiple(to_inputs, output, weights);
            }
        }
    }

    #[inline(always)]
    pub(super) fn add_to(&self, place: &DensePlace, gradient: &mut [f32]) {
        add_multiple(&mut gradient[place.bias.clone()], 1.0, &self.bias);
        let weights = &mut gradient[place.weights.clone()];
        for (output, row) in self.rows.chunks_exact(self.inputs).enumerate() {
            let column = weights.iter_mut().skip(output).step_by(place.outputs);
            for (to, from) in column.zip(row) {
                *to += from;
            }
        }
    }
}

#[inline(always)]
pub(super) fn cut_off(
    frame: &Frame,
    residual: Option<&[f32]>,
    output: &mut [f32],
    channels: usize,
) {
    for run in frame.runs() {
        let here = activations(run, channels);
        if let Some(residual) = residual {
            add_multiple(&mut output[here.clone()], 1.0, &residual[here.clone()]);
        }
        for value in &mut output[here] {
            *value = value.clamp(0.0, MAX_ACTIVATION);
        }
    }
}

#[inline(always)]
pub(super) fn pool(frame: &Frame, trunk: &[f32], channels: usize, pooled: &mut Pooled) {
    pooled.values.clear();
    pooled.values.resize(3 * channels, 0.0);
    pooled.greatest_at.clear();
    pooled.greatest_at.resize(channels, 0);
    let (sums, rest) = pooled.values.split_at_mut(channels);
    let (sized, greatest) = rest.split_at_mut(channels);
    for position in frame.playable() {
        let here = &trunk[position * channels..][..channels];
        add_multiple(sums, 1.0, here);
        let most = greatest.iter_mut().zip(&mut pooled.greatest_at);
        for ((most, at), &value) in most.zip(here) {
            let is_greater = value > *most;
            *most = if is_greater { value } else { *most };
            *at = if is_greater { position as u32 } else { *at };
        }
    }
    let factor = frame.size_factor() as f32 / 64.0;
    for (sum, sized) in sums.iter_mut().zip(sized) {
        *sum /= frame.points().max(1) as f32;
        *sized = *sum * factor;
    }
}

/// `gradient` is overwritten.
#[inline(always)]
pub(super) fn unpool(frame: &Frame, pooled: &Pooled, gradient: &mut [f32], trunk: &mut [f32]) {
    let channels = pooled.greatest_at.len();
    let factor = frame.size_factor() as f32 / 64.0;
    let points = frame.points().max(1) as f32;
    let (means, rest) = gradient.split_at_mut(channels);
    let (sized, greatest) = rest.split_at_mut(channels);
    for (mean, sized) in means.iter_mut().zip(sized) {
        *mean = (*mean + *sized * factor) / points;
    }
    for position in frame.playable() {
        add_multiple(&mut trunk[position * channels..][..channels], 1.0, means);
    }
    for (channel, (&position, greatest)) in pooled.greatest_at.iter().zip(greatest).enumerate() {
        if position > 0 {
            trunk[position as usize * channels + channel] += *greatest;
        }
    }
}

/// Removes gradients of clamped activations; at the upper end they stay if they lead back.
#[inline(always)]
pub(super) fn mask(frame: &Frame, activations_of: &[f32], gradient: &mut [f32], channels: usize) {
    for run in frame.runs() {
        let here = activations(run, channels);
        let values = &activations_of[here.clone()];
        for (to, &value) in gradient[here].iter_mut().zip(values) {
            let passes = (value > 0.0) & ((value < MAX_ACTIVATION) | (*to > 0.0));
            *to = if passes { *to } else { 0.0 };
        }
    }
}

#[inline(always)]
pub(super) fn sum_points(frame: &Frame, values: &[f32], channels: usize, sums: &mut Vec<f32>) {
    sums.clear();
    sums.resize(channels, 0.0);
    for position in frame.playable() {
        add_multiple(sums, 1.0, &values[position * channels..][..channels]);
    }
}

#[inline(always)]
pub(super) fn clear(frame: &Frame, gradient: &mut [f32], channels: usize) {
    for run in frame.runs() {
        gradient[activations(run, channels)].fill(0.0);
    }
}
