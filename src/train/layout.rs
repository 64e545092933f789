//! One list has all parameters, so optimizer, averages and checkpoints are loops over a slice.

use super::kernels::OUTPUTS;
use crate::net::{Shape, VALUES};
use std::ops::Range;

/// Weights by block of 32 outputs, tap, input, output.
#[derive(Clone, Debug)]
pub(super) struct ConvolutionPlace {
    pub(super) weights: Range<usize>,
    pub(super) bias: Range<usize>,
    pub(super) taps: usize,
    pub(super) inputs: usize,
    pub(super) outputs: usize,
}

impl ConvolutionPlace {
    pub(super) fn weight(&self, tap: usize, input: usize, output: usize) -> usize {
        let block = output / OUTPUTS * self.taps + tap;
        (block * self.inputs + input) * OUTPUTS + output % OUTPUTS
    }
}

/// Weights by input, output; the bias may be empty.
#[derive(Clone, Debug)]
pub(super) struct DensePlace {
    pub(super) weights: Range<usize>,
    pub(super) bias: Range<usize>,
    pub(super) outputs: usize,
}

impl DensePlace {
    pub(super) fn at(&self, input: usize, output: usize) -> usize {
        self.weights.start + input * self.outputs + output
    }
}

/// A convolution, and the layer that adds to its biases.
#[derive(Clone, Debug)]
pub(super) struct BiasedPlace {
    pub(super) convolution: ConvolutionPlace,
    pub(super) added: DensePlace,
}

#[derive(Clone, Debug)]
pub(super) struct BlockPlace {
    pub(super) first: BiasedPlace,
    pub(super) second: ConvolutionPlace,
}

#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) range: Range<usize>,
    /// The standard deviation of initial values; 0 for biases.
    pub(super) deviation: f32,
}

#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) shape: Shape,
    pub(super) stem: BiasedPlace,
    pub(super) blocks: Vec<BlockPlace>,
    pub(super) head: BiasedPlace,
    /// By kind: policy, ownership, policy of the reply.
    pub(super) points: DensePlace,
    pub(super) hidden: DensePlace,
    /// Values of the net, then boardless kinds of the reply.
    pub(super) values: DensePlace,
    pub(super) segments: Vec<Segment>,
    pub(super) len: usize,
}

#[derive(Default)]
struct Allocator {
    segments: Vec<Segment>,
    len: usize,
}

impl Allocator {
    fn take(&mut self, count: usize, deviation: f32) -> Range<usize> {
        let range = self.len..self.len + count;
        self.len += count;
        let segment = Segment { range: range.clone(), deviation };
        self.segments.push(segment);
        range
    }

    /// He's initialization (He et al., "Delving deep into rectifiers", 2015), scaled.
    fn convolution(
        &mut self,
        taps: usize,
        inputs: usize,
        outputs: usize,
        scale: f32,
    ) -> ConvolutionPlace {
        let deviation = (2.0 / (taps * inputs) as f32).sqrt() * scale;
        ConvolutionPlace {
            weights: self.take(taps * inputs * outputs, deviation),
            bias: self.take(outputs, 0.0),
            taps,
            inputs,
            outputs,
        }
    }

    /// `added` is the number of inputs that add to the biases.
    fn biased(
        &mut self,
        taps: usize,
        (inputs, added): (usize, usize),
        outputs: usize,
    ) -> BiasedPlace {
        BiasedPlace {
            convolution: self.convolution(taps, inputs, outputs, 1.0),
            added: self.dense(added, outputs, SMALL, false),
        }
    }

    fn dense(&mut self, inputs: usize, outputs: usize, scale: f32, biased: bool) -> DensePlace {
        let deviation = (2.0 / inputs as f32).sqrt() * scale;
        DensePlace {
            weights: self.take(inputs * outputs, deviation),
            bias: self.take(if biased { outputs } else { 0 }, 0.0),
            outputs,
        }
    }
}

/// Scales initial weights of the ends of blocks (Zhang et al., "Fixup initialization", 2019), added
/// biases and heads.
const SMALL: f32 = 0.2;

impl Layout {
    pub(super) fn new(shape: Shape) -> Layout {
        let mut all = Allocator::default();
        let (taps, channels, head) = (shape.taps(), shape.channels, shape.head_channels);
        let pooled = shape.pooled();
        let stem = all.biased(taps, (shape.planes, shape.globals), channels);
        let blocks = (0..shape.blocks)
            .map(|_| BlockPlace {
                first: all.biased(taps, (channels, pooled), channels),
                second: all.convolution(taps, channels, channels, SMALL),
            })
            .collect();
        Layout {
            shape,
            stem,
            blocks,
            head: all.biased(1, (channels, pooled), head),
            points: all.dense(head, 2 * shape.point_kinds + 1, SMALL, true),
            hidden: all.dense(shape.hidden_inputs(), shape.hidden, 1.0, true),
            values: all.dense(shape.last_inputs(), VALUES + 2 * shape.board_kinds, SMALL, true),
            segments: all.segments,
            len: all.len,
        }
    }

    /// Leaves out the stem, which needs no gradient to its inputs.
    pub(super) fn inner_convolutions(&self) -> impl Iterator<Item = &ConvolutionPlace> {
        let blocks = self.blocks.iter();
        blocks
            .flat_map(|block| [&block.first.convolution, &block.second])
            .chain([&self.head.convolution])
    }
}

/// Weights for gradients to inputs: taps reversed, inputs and outputs exchanged.
#[derive(Clone, Debug, Default)]
pub(super) struct Transposed(pub(super) Vec<Vec<f32>>);

impl Transposed {
    pub(super) fn update(&mut self, layout: &Layout, params: &[f32]) {
        self.0.resize(layout.inner_convolutions().count(), Vec::new());
        for (place, to) in layout.inner_convolutions().zip(&mut self.0) {
            let from = &params[place.weights.clone()];
            to.resize(from.len(), 0.0);
            let back =
                ConvolutionPlace { inputs: place.outputs, outputs: place.inputs, ..place.clone() };
            for tap in 0..place.taps {
                for input in 0..place.inputs {
                    for output in 0..place.outputs {
                        to[back.weight(tap, output, input)] =
                            from[place.weight(tap, input, output)];
                    }
                }
            }
        }
    }
}
