//! From averaged weights to a net in integers.

use super::layout::{BiasedPlace, ConvolutionPlace, DensePlace, Layout};
use super::loss::{LossWeights, Losses, Outputs, Sample};
use super::trainer::Trainer;
use crate::net::layers::{ACTIVATION_UNIT, POOL_PARTS};
use crate::net::layers::{ConvolutionData, MAX_ACTIVATION, SUM_LIMIT};
use crate::net::{
    BiasLayer, BiasedConvolution, BlockData, DenseLayer, Evaluation, Frame, Instructions, Net,
    NetData, NetError, Scratch,
};
use std::sync::Arc;

const PARTS: f32 = POOL_PARTS as f32;

const WEIGHT: f32 = 127.0;

const MAX_SHIFT: u8 = 8;

impl Trainer {
    pub fn export(&self) -> Result<Net, NetError> {
        let (layout, params) = (&self.layout, self.average.as_slice());
        let shape = layout.shape;
        let export = Exporter { params };
        let blocks = layout.blocks.iter().map(|block| BlockData {
            first: export.biased(&block.first),
            second: export.convolution(&block.second, None).0,
        });
        let (point_weights, point_scale) = export.points(layout);
        Net::new(NetData {
            shape,
            stem: export.biased(&layout.stem),
            blocks: blocks.collect(),
            head: export.biased(&layout.head),
            point_weights,
            point_scale,
            point_bias: params[layout.points.bias.clone()][..=shape.point_kinds].to_vec(),
            hidden: export.dense(&layout.hidden, shape.hidden),
            values: export.dense(&layout.values, shape.values()),
        })
    }
}

struct Exporter<'a> {
    params: &'a [f32],
}

impl Exporter<'_> {
    fn biased(&self, place: &BiasedPlace) -> BiasedConvolution {
        let (convolution, scales) = self.convolution(&place.convolution, Some(&place.added));
        BiasedConvolution { convolution, added: self.bias_layer(&place.added, &scales) }
    }

    /// Returns also the scale of each output, which weights of `added` must fit, too.
    fn convolution(
        &self,
        place: &ConvolutionPlace,
        added: Option<&DensePlace>,
    ) -> (ConvolutionData, Vec<f32>) {
        let weights = &self.params[place.weights.clone()];
        let bias = &self.params[place.bias.clone()];
        let row = |output: usize| {
            (0..place.taps * place.inputs).map(move |at| {
                let (tap, input) = (at / place.inputs, at % place.inputs);
                weights[place.weight(tap, input, output)]
            })
        };
        let mut data = ConvolutionData {
            weights: Vec::with_capacity(weights.len()),
            bias: Vec::new(),
            multiplier: Vec::new(),
            shift: Vec::new(),
        };
        let mut scales = Vec::new();
        for (output, &bias) in bias.iter().enumerate() {
            let column = added.into_iter().flat_map(|added| self.column(added, output));
            let greatest_added = column.fold(0.0, |most: f32, w| most.max(w.abs()));
            let greatest = row(output).fold(0.0, |most: f32, w| most.max(w.abs()));
            let least = (greatest / WEIGHT).max(greatest_added / (PARTS * WEIGHT));
            let total: f32 = row(output).map(f32::abs).sum();
            // Sums with bias must fit, with as much again for what is added.
            let needed = total * MAX_ACTIVATION as f32 + 2.0 * bias.abs() * ACTIVATION_UNIT;
            let (multiplier, shift) = split(least.max(1.02 * needed / SUM_LIMIT as f32));
            let scale = f32::from(multiplier) / (1u32 << shift) as f32;
            let quantized = |w: f32| (w / scale).round().clamp(-WEIGHT, WEIGHT) as i8;
            data.weights.extend(row(output).map(quantized));
            data.bias.push((bias * ACTIVATION_UNIT / scale).round() as i32);
            data.multiplier.push(multiplier);
            data.shift.push(shift);
            scales.push(scale);
        }
        (data, scales)
    }

    fn column(&self, place: &DensePlace, output: usize) -> impl Iterator<Item = f32> {
        let weights = self.params[place.weights.clone()].iter();
        weights.skip(output).step_by(place.outputs).copied()
    }

    /// Weights are in units of the sums.
    fn bias_layer(&self, place: &DensePlace, scales: &[f32]) -> BiasLayer {
        let weights = self.params[place.weights.clone()].iter();
        let in_sums = weights.zip(scales.iter().cycle());
        let in_sums: Vec<f32> = in_sums.map(|(w, scale)| w / (PARTS * scale)).collect();
        let greatest = in_sums.iter().fold(0.0, |most: f32, w| most.max(w.abs()));
        let fits = |shift: &u8| greatest * (1u32 << shift) as f32 <= WEIGHT;
        let shift = (0..=MAX_SHIFT).rev().find(fits).unwrap_or(0);
        let quantized = |w: &f32| (w * (1u32 << shift) as f32).round().clamp(-WEIGHT, WEIGHT);
        BiasLayer { weights: in_sums.iter().map(|w| quantized(w) as i8).collect(), shift }
    }

    /// Weights by output, channel, and the value of a unit of each output's sums.
    fn points(&self, layout: &Layout) -> (Vec<i8>, Vec<f32>) {
        let place = &layout.points;
        let (mut weights, mut scales) = (Vec::new(), Vec::new());
        for output in 0..=layout.shape.point_kinds {
            let column: Vec<f32> = self.column(place, output).collect();
            let greatest = column.iter().fold(1e-9, |most: f32, w| most.max(w.abs()));
            let scale = greatest / WEIGHT;
            weights.extend(column.iter().map(|w| (w / scale).round() as i8));
            scales.push(scale / ACTIVATION_UNIT);
        }
        (weights, scales)
    }

    /// Takes only the first outputs.
    fn dense(&self, place: &DensePlace, outputs: usize) -> DenseLayer {
        let rows = self.params[place.weights.clone()].chunks_exact(place.outputs);
        DenseLayer {
            weights: rows.flat_map(|row| &row[..outputs]).copied().collect(),
            bias: self.params[place.bias.clone()][..outputs].to_vec(),
        }
    }
}

/// A multiplier of 64 to 127 and a shift, whose quotient is the smallest from `scale` on.
fn split(scale: f32) -> (u8, u8) {
    for shift in (1..=24u8).rev() {
        let multiplier = (scale * (1u32 << shift) as f32).ceil();
        if multiplier <= WEIGHT {
            return (multiplier.max(64.0) as u8, shift);
        }
    }
    (127, 1)
}

pub(super) fn write_inputs(scratch: &mut Scratch, sample: &Sample, planes: usize) {
    let inputs = sample.planes.chunks_exact(planes);
    for (position, inputs) in sample.frame.playable().zip(inputs) {
        scratch.planes(position).copy_from_slice(inputs);
    }
    scratch.globals().copy_from_slice(&sample.globals);
}

pub fn evaluate_net(net: &Net, samples: &[Sample], weights: &LossWeights) -> Losses {
    let mut losses = Losses::default();
    evaluate_each(net, samples.iter(), |sample, outputs| {
        losses += outputs.losses(&sample.targets, weights, &mut Default::default());
    });
    losses
}

pub(super) fn evaluate_each<'s>(
    net: &Net,
    samples: impl Iterator<Item = &'s Sample>,
    mut visit: impl FnMut(&Sample, &Outputs),
) {
    let mut room: Option<(Arc<Frame>, Scratch)> = None;
    let mut evaluation = Evaluation::default();
    let planes = net.shape().planes;
    for sample in samples {
        let frame = &sample.frame;
        let known = room.take().filter(|(known, _)| known == frame);
        let (_, scratch) =
            room.insert(known.unwrap_or_else(|| (frame.clone(), Scratch::new(net.shape(), frame))));
        write_inputs(scratch, sample, planes);
        net.evaluate(Instructions::best(), frame, scratch, &mut evaluation);
        visit(sample, &Outputs::from_evaluation(&evaluation));
    }
}
