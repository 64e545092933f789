//! A neural net in exact integers: a residual tower of 3x3 convolutions with global pooling, and
//! heads for policy, result, score and ownership (Wu, "Accelerating self-play learning in Go",
//! 2019). The biases of a block may depend on means and maxima over the board, so the same weights
//! serve boards of every shape ([`Frame`]). Weights have eight bits and activations seven
//! ([`layers`]). [`kernels`] give the same bits on every processor, and sums in `f32` have a fixed
//! order: an evaluation is the same on every machine.
//!
//! - [`frame`]: where the points of a board lie among activations;
//! - [`layers`]: quantized convolutions;
//! - [`kernels`]: their inner loops, for each set of instructions;
//! - [`data`]: the shape of a net and the numbers of its layers;
//! - [`model`]: the evaluation in the buffers of a `scratch`; `heads` computes everything but
//!   convolutions;
//! - [`mod@file`]: nets as bytes, with a checksum.
//!
//! The module knows no rules: callers decide the meaning of each plane.

#![allow(missing_docs)]

pub mod data;
pub mod file;
pub mod frame;
mod heads;
pub mod kernels;
pub mod layers;
pub mod model;
#[doc(hidden)]
pub mod sample;
mod scratch;

pub use data::{BiasLayer, BiasedConvolution, BlockData, DenseLayer, NetData};
pub use data::{NetError, Shape};
pub use frame::{Frame, FrameRun};
pub use heads::{Evaluation, SCORE_UNIT};
pub use kernels::Instructions;
pub use model::Net;
pub use scratch::Scratch;

#[cfg(test)]
mod tests;
