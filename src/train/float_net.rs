//! The net of [`net::model`](crate::net::model) in `f32`, with gradients.
//!
//! Activations are clamped to 127/64 as in integers, so that quantization loses little. The policy
//! of the opponent's reply only helps training (Wu 2019).

use super::Sample;
use super::kernels::{Geometry, Vectors};
use super::layout::{BiasedPlace, ConvolutionPlace, Layout};
use super::loss::{OutputGradients, Outputs};
use super::operations::{PointLayer, Pooled, apply, cut_off, pool};
use crate::net::{Frame, SCORE_UNIT, Shape, VALUES};

#[derive(Clone, Debug)]
pub(super) struct Workspace {
    pub(super) vectors: Vectors,
    pub(super) frame: Option<Frame>,
    pub(super) taps: Vec<isize>,
    pub(super) planes: Vec<f32>,
    pub(super) globals: Vec<f32>,
    /// The trunk after the stem and after each block.
    pub(super) trunk: Vec<Vec<f32>>,
    /// Between the convolutions of each block.
    pub(super) inner: Vec<Vec<f32>>,
    /// Before each block and before the head.
    pub(super) pooled: Vec<Pooled>,
    pub(super) head: Vec<f32>,
    pub(super) points: PointLayer,
    pub(super) point_gradient: PointLayer,
    pub(super) hidden_inputs: Vec<f32>,
    pub(super) hidden: Vec<f32>,
    pub(super) added: Vec<f32>,
    pub(super) outputs: Outputs,
    pub(super) gradients: OutputGradients,
    pub(super) trunk_gradient: Vec<f32>,
    pub(super) inner_gradient: Vec<f32>,
    pub(super) head_gradient: Vec<f32>,
    pub(super) pooled_gradient: Vec<f32>,
}

impl Workspace {
    pub(super) fn new(vectors: Vectors, shape: &Shape) -> Workspace {
        Workspace {
            vectors,
            frame: None,
            taps: Vec::new(),
            planes: Vec::new(),
            globals: vec![0.0; shape.globals],
            trunk: vec![Vec::new(); shape.blocks + 1],
            inner: vec![Vec::new(); shape.blocks],
            pooled: vec![Pooled::default(); shape.blocks + 1],
            head: Vec::new(),
            points: PointLayer::default(),
            point_gradient: PointLayer::default(),
            hidden_inputs: vec![0.0; shape.hidden_inputs()],
            hidden: vec![0.0; shape.hidden],
            added: vec![0.0; shape.channels.max(shape.head_channels)],
            outputs: Outputs::default(),
            gradients: OutputGradients::default(),
            trunk_gradient: Vec::new(),
            inner_gradient: Vec::new(),
            head_gradient: Vec::new(),
            pooled_gradient: vec![0.0; shape.pooled()],
        }
    }

    fn fit(&mut self, frame: &Frame, shape: &Shape) {
        if self.frame.as_ref() == Some(frame) {
            return;
        }
        self.taps = frame.taps(shape.layered).collect();
        let zero = |buffer: &mut Vec<f32>, channels: usize| {
            buffer.clear();
            buffer.resize(frame.positions() * channels, 0.0);
        };
        zero(&mut self.planes, shape.planes);
        for buffer in self.trunk.iter_mut().chain(&mut self.inner) {
            zero(buffer, shape.channels);
        }
        zero(&mut self.head, shape.head_channels);
        zero(&mut self.head_gradient, shape.head_channels);
        zero(&mut self.trunk_gradient, shape.channels);
        zero(&mut self.inner_gradient, shape.channels);
        self.frame = Some(frame.clone());
    }

    pub(super) fn forward(&mut self, layout: &Layout, params: &[f32], sample: &Sample) {
        self.vectors.dispatch(
            #[inline(always)]
            || self.forward_with(layout, params, sample),
        );
    }

    #[inline(always)]
    fn forward_with(&mut self, layout: &Layout, params: &[f32], sample: &Sample) {
        let shape = &layout.shape;
        let frame = &*sample.frame;
        self.fit(frame, shape);
        for (position, planes) in frame.playable().zip(sample.planes.chunks_exact(shape.planes)) {
            let inputs = &mut self.planes[position * shape.planes..][..shape.planes];
            for (input, &plane) in inputs.iter_mut().zip(planes) {
                *input = f32::from(plane) / 64.0;
            }
        }
        frame.copy_beyond(&mut self.planes, shape.planes);
        for (input, &global) in self.globals.iter_mut().zip(&sample.globals) {
            *input = f32::from(global) / 64.0;
        }
        let geometry = |taps| Geometry { runs: frame.runs(), taps, positions: frame.positions() };
        let run = Forward {
            vectors: self.vectors,
            params,
            frame,
            geometry: geometry(self.taps.as_slice()),
        };
        let added = &mut self.added;
        run.biased(&layout.stem, &self.planes, (&self.globals, added), &mut self.trunk[0]);
        for (number, block) in layout.blocks.iter().enumerate() {
            let (before, after) = self.trunk.split_at_mut(number + 1);
            let (trunk, inner) = (&before[number], &mut self.inner[number]);
            pool(frame, trunk, shape.channels, &mut self.pooled[number]);
            run.biased(&block.first, trunk, (&self.pooled[number].values, added), inner);
            run.convolve(&block.second, inner, &[], Some(trunk), &mut after[0]);
        }
        let trunk = &self.trunk[shape.blocks];
        let pooled = &mut self.pooled[shape.blocks];
        pool(frame, trunk, shape.channels, pooled);
        let run = Forward { geometry: geometry(&[0]), ..run };
        run.biased(&layout.head, trunk, (&pooled.values, added), &mut self.head);
        self.point_outputs(layout, params, frame);
        self.value_outputs(layout, params);
    }

    #[inline(always)]
    fn point_outputs(&mut self, layout: &Layout, params: &[f32], frame: &Frame) {
        let (shape, points) = (&layout.shape, frame.points());
        let kinds = shape.point_kinds;
        let outputs = &mut self.outputs;
        outputs.policy.resize(kinds * points + shape.board_kinds, 0.0);
        outputs.reply.resize(kinds * points + shape.board_kinds, 0.0);
        outputs.ownership.resize(points, 0.0);
        let mut found = vec![0.0; layout.points.outputs];
        self.points.load(&layout.points, params);
        for (point, position) in frame.playable().enumerate() {
            let head = &self.head[position * shape.head_channels..][..shape.head_channels];
            self.points.apply(head, &mut found);
            for kind in 0..kinds {
                outputs.policy[kind * points + point] = found[kind];
                outputs.reply[kind * points + point] = found[kinds + 1 + kind];
            }
            outputs.ownership[point] = found[kinds].tanh();
        }
    }

    #[inline(always)]
    fn value_outputs(&mut self, layout: &Layout, params: &[f32]) {
        let shape = &layout.shape;
        let outputs = &mut self.outputs;
        let owned = outputs.ownership.iter().sum::<f32>() / SCORE_UNIT;
        let pooled = &self.pooled[shape.blocks].values;
        self.hidden_inputs.clear();
        self.hidden_inputs.extend(pooled.iter().chain(&self.globals));
        self.hidden_inputs.push(owned);
        apply(&layout.hidden, params, &self.hidden_inputs, &mut self.hidden);
        let mut last: Vec<f32> = self.hidden.iter().map(|&n| n.max(0.0)).collect();
        last.push(owned);
        let mut values = vec![0.0; layout.values.outputs];
        apply(&layout.values, params, &last, &mut values);
        outputs.values.copy_from_slice(&values[..VALUES]);
        let kinds = shape.board_kinds;
        let split = outputs.policy.len() - kinds;
        outputs.policy[split..].copy_from_slice(&values[VALUES..][..kinds]);
        outputs.reply[split..].copy_from_slice(&values[VALUES + kinds..]);
    }
}

#[derive(Clone, Copy)]
struct Forward<'a> {
    vectors: Vectors,
    params: &'a [f32],
    frame: &'a Frame,
    geometry: Geometry<'a>,
}

impl Forward<'_> {
    /// `added` has room for what `inputs` add to the biases.
    #[inline(always)]
    fn biased(
        &self,
        place: &BiasedPlace,
        input: &[f32],
        (inputs, added): (&[f32], &mut Vec<f32>),
        output: &mut [f32],
    ) {
        apply(&place.added, self.params, inputs, added);
        self.convolve(&place.convolution, input, added, None, output);
    }

    /// Adds biases and a residual, and clamps.
    #[inline(always)]
    fn convolve(
        &self,
        place: &ConvolutionPlace,
        input: &[f32],
        added: &[f32],
        residual: Option<&[f32]>,
        output: &mut [f32],
    ) {
        let mut bias = self.params[place.bias.clone()].to_vec();
        for (bias, added) in bias.iter_mut().zip(added) {
            *bias += added;
        }
        let weights = &self.params[place.weights.clone()];
        let outputs = place.outputs;
        self.vectors.convolve(
            self.geometry,
            (input, place.inputs),
            weights,
            Some(&bias),
            (output, outputs),
        );
        cut_off(self.frame, residual, output, outputs);
        self.frame.copy_beyond(output, outputs);
    }
}
