//! The inputs of a net, and the meaning of its outputs.
//!
//! The planes of all variants ([`PLANES`]) are similar to those of Wu, "Accelerating self-play
//! learning in Go" (2019): stones, liberties, forbidden points, the latest turns, ladders. A
//! variant adds [`planes`](crate::rules::VariantInfo::planes) and
//! [`globals`](crate::rules::VariantInfo::globals). All inputs are from the point of view of the
//! side to move.

mod board;
mod cache;
mod embedded;
mod evaluator;
mod inputs;
mod pool;
mod raw;
mod settled;

pub use board::NetBoard;
pub(super) use embedded::BuiltInNet;
pub use embedded::embedded_nets;
pub use embedded::{NetBoardKind, embedded_net};
pub use evaluator::NetEvaluator;
pub use inputs::{GLOBALS, InputWriter, PLANES, fits, global_count, plane_count, shape_for};
pub use pool::EvaluationPool;
pub use pool::PoolWorker;
pub use raw::RawEvaluation;
