//! Nets of random numbers, for tests.

use super::Shape;
use super::data::{BiasLayer, BiasedConvolution, BlockData, DenseLayer, NetData};
use super::layers::ConvolutionData;
use crate::board::Random;

pub fn small(random: &mut Random, below: u32) -> i8 {
    (random.below(2 * below + 1) as i32 - below as i32) as i8
}

pub fn integers(random: &mut Random, count: usize, below: u32) -> Vec<i8> {
    (0..count).map(|_| small(random, below)).collect()
}

pub fn floats(random: &mut Random, count: usize) -> Vec<f32> {
    (0..count).map(|_| f32::from(small(random, 127)) / 256.0).collect()
}

/// Scales under which about half of the activations are neither 0 nor 127.
pub fn convolution(
    random: &mut Random,
    taps: usize,
    inputs: usize,
    outputs: usize,
) -> ConvolutionData {
    ConvolutionData {
        weights: integers(random, taps * inputs * outputs, 127),
        bias: (0..outputs).map(|_| i32::from(small(random, 127)) * 300).collect(),
        multiplier: (0..outputs).map(|_| 64 + random.below(64) as u8).collect(),
        shift: (0..outputs).map(|_| 16 + random.below(2) as u8).collect(),
    }
}

pub fn biased(
    random: &mut Random,
    taps: usize,
    (inputs, added): (usize, usize),
    outputs: usize,
) -> BiasedConvolution {
    let convolution = convolution(random, taps, inputs, outputs);
    let weights = integers(random, added * outputs, 20);
    BiasedConvolution { convolution, added: BiasLayer { weights, shift: random.below(5) as u8 } }
}

pub fn dense(random: &mut Random, inputs: usize, outputs: usize) -> DenseLayer {
    DenseLayer { weights: floats(random, inputs * outputs), bias: floats(random, outputs) }
}

/// The numbers of a net of this shape, at random.
pub fn data(shape: Shape, random: &mut Random) -> NetData {
    let (taps, channels, head) = (shape.taps(), shape.channels, shape.head_channels);
    let outputs = shape.point_kinds + 1;
    NetData {
        shape,
        stem: biased(random, taps, (shape.planes, shape.globals), channels),
        blocks: (0..shape.blocks)
            .map(|_| BlockData {
                first: biased(random, taps, (channels, shape.pooled()), channels),
                second: convolution(random, taps, channels, channels),
            })
            .collect(),
        head: biased(random, 1, (channels, shape.pooled()), head),
        point_weights: integers(random, outputs * head, 127),
        point_scale: vec![1.0 / 16384.0; outputs],
        point_bias: floats(random, outputs),
        hidden: dense(random, shape.hidden_inputs(), shape.hidden),
        values: dense(random, shape.last_inputs(), shape.values()),
    }
}
