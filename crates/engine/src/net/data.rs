//! The numbers of a net: its shape and its layers.

use super::layers::{ConvolutionData, OUTPUTS};
use std::borrow::Cow;

/// The reason why bytes are not a net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NetError(Cow<'static, str>);

impl From<&'static str> for NetError {
    fn from(why: &'static str) -> Self {
        NetError(why.into())
    }
}

impl From<String> for NetError {
    fn from(why: String) -> Self {
        NetError(why.into())
    }
}

/// The error of an impossible shape, or of numbers that do not fit.
pub(super) const SHAPE: &str = "the shape of the net is invalid";

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
pub const VALUES: usize = 5;

pub(super) const MAX_TAPS: usize = 11;

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

    /// Multiplications of the convolutions for each point.
    pub fn multiplications(&self) -> usize {
        let tower = self.planes * self.channels + 2 * self.blocks * self.channels * self.channels;
        self.taps() * tower + self.channels * self.head_channels
    }

    /// Numbers that pooling gives for the trunk.
    pub fn pooled(&self) -> usize {
        3 * self.channels
    }

    /// The pooled trunk, the whole board's inputs, and the sum of ownership.
    pub fn hidden_inputs(&self) -> usize {
        self.pooled() + self.globals + 1
    }

    /// Hidden units, and the sum of ownership.
    pub fn last_inputs(&self) -> usize {
        self.hidden + 1
    }

    pub fn values(&self) -> usize {
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
    pub shape: Shape,
    /// From planes to the trunk; inputs of the whole board add to the biases.
    pub stem: BiasedConvolution,
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
