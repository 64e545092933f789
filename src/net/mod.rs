//! A neural net in exact integers: a residual tower of 3x3 convolutions with global pooling, and
//! heads for policy, result, score and ownership (Wu, "Accelerating self-play learning in Go",
//! 2019). The biases of a block may depend on means and maxima over the board, so the same weights
//! serve boards of every shape ([`Frame`]). Weights have eight bits and activations seven
//! ([`layers`]). [`kernels`] give the same bits on every processor, and sums in `f32` have a fixed
//! order: an evaluation is the same on every machine.
//!
//! - [`frame`]: where the points of a board lie among activations;
//! - [`layers`]: quantized convolutions;
//! - [`kernels`]: their inner loops, for three sets of instructions;
//! - [`model`]: the shape of a net, its layers, and the evaluation; `heads` has what is no
//!   convolution;
//! - [`mod@file`]: nets as bytes, with a checksum.
//!
//! The module knows no rules: callers decide the meaning of each plane.

pub mod file;
pub mod frame;
mod heads;
pub mod kernels;
pub mod layers;
pub mod model;

pub use file::NetError;
pub use frame::{Frame, FrameRun};
pub use kernels::Instructions;
#[cfg(feature = "cli")]
pub(crate) use model::VALUES;
pub use model::{
    BiasLayer, BiasedConvolution, BlockData, DenseLayer, Evaluation, Net, NetData, SCORE_UNIT,
    Scratch, Shape,
};

#[cfg(test)]
pub(crate) mod tests;
