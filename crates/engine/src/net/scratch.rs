//! The buffers of evaluations.

use super::data::Shape;
use super::frame::Frame;
use std::hash::{Hash, Hasher};

/// Buffers for evaluations on a frame, one after the other.
#[derive(Clone, Debug)]
pub struct Scratch {
    /// Inputs by position, plane.
    pub(super) planes: Vec<u8>,
    per_position: usize,
    pub(super) globals: Vec<i8>,
    /// The same inputs in parts of a unit.
    pub(super) global_inputs: Vec<i32>,
    pub(super) trunk: Vec<u8>,
    pub(super) inner: Vec<u8>,
    pub(super) next: Vec<u8>,
    /// Not shared: the zeros around the board must stay, and lie elsewhere with other numbers of
    /// channels.
    pub(super) head: Vec<u8>,
    pub(super) pooled: Vec<i32>,
    pub(super) added: Vec<i32>,
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

    /// All inputs: those of the positions, and those of the whole board.
    pub fn inputs(&self) -> (&[u8], &[i8]) {
        (&self.planes, &self.globals)
    }

    /// Sets all inputs; `None`, without a change, if there are more or fewer.
    pub fn set_inputs(
        &mut self,
        planes: &[u8],
        globals: impl ExactSizeIterator<Item = i8>,
    ) -> Option<()> {
        if (planes.len(), globals.len()) != (self.planes.len(), self.globals.len()) {
            return None;
        }
        self.planes.copy_from_slice(planes);
        self.globals.iter_mut().zip(globals).for_each(|(input, value)| *input = value);
        Some(())
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
