//! The shape of a net, its layers, and its evaluation.

use super::file::{NetError, SHAPE};
use super::frame::Frame;
use super::heads::pool;
use super::kernels::{Instructions, Run};
use super::layers::{Convolution, ConvolutionData, OUTPUTS};
use std::hash::{Hash, Hasher};

/// Number and width of the layers of a net.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shape {
    /// Input planes, a multiple of four.
    pub planes: usize,
    /// Inputs of the whole board.
    pub globals: usize,
    /// Channels of the trunk, a multiple of [`OUTPUTS`].
    pub channels: usize,
    /// Residual blocks.
    pub blocks: usize,
    /// Channels of the heads, a multiple of [`OUTPUTS`].
    pub head_channels: usize,
    /// Kinds of step that go to a point.
    pub point_kinds: usize,
    /// Kinds of step without a point, such as the pass.
    pub board_kinds: usize,
    /// Hidden units of the value head.
    pub hidden: usize,
    /// Whether convolutions reach to the layers above and below.
    pub layered: bool,
}

/// Outputs of the value head besides steps without a point.
pub(crate) const VALUES: usize = 5;

const MAX_TAPS: usize = 11;

impl Shape {
    /// Whether every number is possible.
    pub fn is_valid(&self) -> bool {
        let small = [self.planes, self.channels, self.head_channels, self.hidden];
        small.into_iter().all(|n| (1..=512).contains(&n))
            && self.planes.is_multiple_of(4)
            && self.channels.is_multiple_of(OUTPUTS)
            && self.head_channels.is_multiple_of(OUTPUTS)
            && self.globals <= 64
            && (1..=64).contains(&self.blocks)
            && (1..=8).contains(&self.point_kinds)
            && (1..=8).contains(&self.board_kinds)
    }

    /// Taps of the convolutions of the tower.
    pub fn taps(&self) -> usize {
        if self.layered { MAX_TAPS } else { 9 }
    }

    /// Numbers that pooling gives for the trunk.
    pub fn pooled(&self) -> usize {
        3 * self.channels
    }

    /// The pooled trunk, the whole board's inputs, and the sum of ownership.
    pub(crate) fn hidden_inputs(&self) -> usize {
        self.pooled() + self.globals + 1
    }

    /// Hidden units, and the sum of ownership.
    pub(crate) fn last_inputs(&self) -> usize {
        self.hidden + 1
    }

    pub(crate) fn values(&self) -> usize {
        VALUES + self.board_kinds
    }
}

/// A layer of small integers that adds to the biases of a convolution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BiasLayer {
    /// By input, output.
    pub weights: Vec<i8>,
    /// By how many bits the sums are shifted right, at most 8.
    pub shift: u8,
}

/// A convolution, and the layer that adds to its biases.
#[derive(Clone, Debug, PartialEq)]
pub struct BiasedConvolution {
    /// The convolution.
    pub convolution: ConvolutionData,
    /// The layer of numbers that concern the whole board.
    pub added: BiasLayer,
}

/// A layer in `f32`.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseLayer {
    /// By input, output.
    pub weights: Vec<f32>,
    /// By output.
    pub bias: Vec<f32>,
}

/// The numbers of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockData {
    /// The pooled trunk adds to the biases.
    pub first: BiasedConvolution,
    /// The results are added to the trunk.
    pub second: ConvolutionData,
}

/// All numbers of a net.
#[derive(Clone, Debug, PartialEq)]
pub struct NetData {
    /// The shape.
    pub shape: Shape,
    /// From planes to the trunk; inputs of the whole board add to the biases.
    pub stem: BiasedConvolution,
    /// The blocks.
    pub blocks: Vec<BlockData>,
    /// From the trunk to the head, point by point; the pooled trunk adds to the biases.
    pub head: BiasedConvolution,
    /// From the head to policy and ownership, by output, channel.
    pub point_weights: Vec<i8>,
    /// By output: the unit of its sums.
    pub point_scale: Vec<f32>,
    /// By output.
    pub point_bias: Vec<f32>,
    /// From the pooled trunk, the whole board's inputs and the sum of ownership.
    pub hidden: DenseLayer,
    /// From the hidden units and the sum of ownership.
    pub values: DenseLayer,
}

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
    pub(crate) fn clear(&mut self) {
        self.point_policy.clear();
        self.board_policy.clear();
        self.ownership.clear();
        (self.result, self.score_mean, self.score_log_stdev) = ([0.0; 3], 0.0, 0.0);
    }
}

/// Number of points in a unit of the outputs of the score.
pub const SCORE_UNIT: f32 = 20.0;

/// Buffers for evaluations on a frame, one after the other.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Inputs by position, plane.
    planes: Vec<u8>,
    per_position: usize,
    pub(super) globals: Vec<i8>,
    /// The same inputs in parts of a unit.
    global_inputs: Vec<i32>,
    trunk: Vec<u8>,
    inner: Vec<u8>,
    next: Vec<u8>,
    /// Not shared: the zeros around the board must stay, and lie elsewhere with other numbers of
    /// channels.
    head: Vec<u8>,
    pub(super) pooled: Vec<i32>,
    added: Vec<i32>,
    /// Inputs, hidden units and outputs of the value head.
    pub(super) dense: [Vec<f32>; 3],
}

impl Scratch {
    /// Buffers with all inputs zero.
    pub fn new(shape: &Shape, frame: &Frame) -> Scratch {
        let room = |channels| vec![0; frame.positions() * channels];
        Scratch {
            planes: room(shape.planes),
            per_position: shape.planes,
            globals: vec![0; shape.globals],
            global_inputs: vec![0; shape.globals],
            trunk: room(shape.channels),
            inner: room(shape.channels),
            next: room(shape.channels),
            head: room(shape.head_channels),
            pooled: vec![0; shape.pooled()],
            added: vec![0; shape.channels.max(shape.head_channels)],
            dense: [
                vec![0.0; shape.hidden_inputs()],
                vec![0.0; shape.last_inputs()],
                vec![0.0; shape.values()],
            ],
        }
    }

    /// The inputs of a position, plane by plane: 0 to 127, where 64 stands for 1.
    pub fn planes(&mut self, position: usize) -> &mut [u8] {
        let planes = self.per_position;
        &mut self.planes[position * planes..][..planes]
    }

    /// Feeds all inputs to a hasher.
    pub fn hash_inputs(&self, hasher: &mut impl Hasher) {
        hasher.write(&self.planes);
        self.globals.hash(hasher);
    }

    /// Sets all inputs to zero.
    pub fn clear(&mut self) {
        self.planes.fill(0);
        self.globals.fill(0);
    }

    /// The inputs of the whole board: -127 to 127, where 64 stands for 1.
    pub fn globals(&mut self) -> &mut [i8] {
        &mut self.globals
    }
}

/// A net that can evaluate positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    data: NetData,
    stem: Convolution,
    blocks: Vec<(Convolution, Convolution)>,
    head: Convolution,
}

impl Net {
    /// Prepares the numbers for evaluations.
    ///
    /// # Errors
    /// [`NetError`] if the numbers do not fit the shape or could overflow.
    pub fn new(data: NetData) -> Result<Net, NetError> {
        let shape = data.shape;
        if !shape.is_valid() || data.blocks.len() != shape.blocks {
            return Err(SHAPE.into());
        }
        let (taps, channels) = (shape.taps(), shape.channels);
        let biased = |layer: &BiasedConvolution, taps, (inputs, added), outputs| {
            if layer.added.weights.len() != added * outputs || layer.added.shift > 8 {
                return Err(SHAPE);
            }
            Convolution::new(taps, inputs, outputs, &layer.convolution)
        };
        let pooled = shape.pooled();
        let stem = biased(&data.stem, taps, (shape.planes, shape.globals), channels)?;
        let blocks = data.blocks.iter().map(|block| {
            let first = biased(&block.first, taps, (channels, pooled), channels)?;
            Ok((first, Convolution::new(taps, channels, channels, &block.second)?))
        });
        let blocks = blocks.collect::<Result<_, NetError>>()?;
        let head = biased(&data.head, 1, (channels, pooled), shape.head_channels)?;
        let dense = |layer: &DenseLayer, inputs: usize, outputs: usize| {
            layer.weights.len() == inputs * outputs
                && layer.bias.len() == outputs
                && layer.weights.iter().chain(&layer.bias).all(|n| n.is_finite())
        };
        let outputs = shape.point_kinds + 1;
        let fits = data.point_weights.len() == outputs * shape.head_channels
            && [&data.point_scale, &data.point_bias]
                .iter()
                .all(|list| list.len() == outputs && list.iter().all(|n| n.is_finite()))
            && dense(&data.hidden, shape.hidden_inputs(), shape.hidden)
            && dense(&data.values, shape.last_inputs(), shape.values());
        if !fits {
            return Err(SHAPE.into());
        }
        Ok(Net { data, stem, blocks, head })
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.data.shape
    }

    /// The numbers.
    pub fn data(&self) -> &NetData {
        &self.data
    }

    /// Evaluates the inputs in `scratch`, which fits the shape and the frame.
    pub fn evaluate(
        &self,
        instructions: Instructions,
        frame: &Frame,
        scratch: &mut Scratch,
        evaluation: &mut Evaluation,
    ) {
        instructions.dispatch(
            #[inline(always)]
            || self.evaluate_with(instructions, frame, scratch, evaluation),
        );
    }

    #[inline(always)]
    fn evaluate_with(
        &self,
        instructions: Instructions,
        frame: &Frame,
        scratch: &mut Scratch,
        evaluation: &mut Evaluation,
    ) {
        let data = &self.data;
        let Scratch {
            planes, globals, trunk, inner, next, head, pooled, added, global_inputs, ..
        } = scratch;
        let mut taps = [0; MAX_TAPS];
        let taps = &mut taps[..data.shape.taps()];
        for (tap, at) in taps.iter_mut().zip(frame.taps(data.shape.layered)) {
            *tap = at;
        }
        let on = (instructions, frame);

        frame.copy_beyond(planes, data.shape.planes);
        for (input, &global) in global_inputs.iter_mut().zip(&*globals) {
            *input = i32::from(global) * POOL_PARTS;
        }
        data.stem.added.apply(global_inputs, &mut added[..data.shape.channels]);
        convolve(on, &self.stem, taps, (planes, None), added, trunk);
        for ((first, second), block) in self.blocks.iter().zip(&data.blocks) {
            pool(frame, trunk, pooled);
            block.first.added.apply(pooled, &mut added[..data.shape.channels]);
            convolve(on, first, taps, (trunk, None), added, inner);
            convolve(on, second, taps, (inner, Some(trunk)), &[], next);
            std::mem::swap(trunk, next);
        }
        pool(frame, trunk, pooled);
        data.head.added.apply(pooled, &mut added[..data.shape.head_channels]);
        convolve(on, &self.head, &[0], (trunk, None), added, head);
        data.point_outputs(frame, head, evaluation);
        data.value_outputs(scratch, evaluation);
    }
}

/// The activation that stands for 1.
pub const ACTIVATION_UNIT: f32 = 64.0;

/// Pooled numbers and board inputs count in these parts of a unit.
pub(crate) const POOL_PARTS: i32 = 16;

#[inline(always)]
fn convolve(
    (instructions, frame): (Instructions, &Frame),
    layer: &Convolution,
    taps: &[isize],
    (input, residual): (&[u8], Option<&[u8]>),
    added: &[i32],
    output: &mut [u8],
) {
    let (inputs, outputs) = (layer.inputs(), layer.outputs());
    let mut bytes = [0; MAX_TAPS];
    let bytes = &mut bytes[..taps.len()];
    for (byte, tap) in bytes.iter_mut().zip(taps) {
        *byte = tap * inputs as isize;
    }
    for block in 0..outputs / OUTPUTS {
        let bias = layer.bias(block, added);
        for run in frame.runs() {
            let run = Run {
                input,
                at: run.position * inputs,
                taps: bytes,
                points: run.length,
                residual,
                output_at: run.position * outputs,
            };
            instructions.convolve(&run, layer, block, &bias, output);
        }
    }
    frame.copy_beyond(output, outputs);
}
