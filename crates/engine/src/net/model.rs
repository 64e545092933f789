//! The evaluation of a net.

use super::data::{BiasedConvolution, DenseLayer, MAX_TAPS, NetData, NetError, SHAPE, Shape};
use super::frame::Frame;
use super::heads::{Evaluation, pool};
use super::kernels::{Instructions, Run};
use super::layers::{Convolution, OUTPUTS, POOL_PARTS};
use super::scratch::Scratch;

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
