//! The net of [`net::model`](crate::net::model) in `f32`, with gradients.
//!
//! Activations are cut off where the integers end, at 127/64, so that a trained net
//! loses little when it is quantized. Besides the outputs of the net there is the
//! policy of the opponent's reply, which only helps to learn (Wu 2019).

use super::Sample;
use super::kernels::{Geometry, Vectors};
use super::layout::{ConvolutionPlace, DensePlace, Layout, Transposed};
use super::loss::{LossWeights, Losses, OutputGradients, Outputs};
use crate::net::{Frame, SCORE_UNIT, Shape, VALUES};

/// The greatest activation.
const GREATEST: f32 = 127.0 / 64.0;

/// What pooling found: means, means times the size factor, and maxima by channel; and
/// where each maximum is.
#[derive(Clone, Debug, Default)]
struct Pooled {
    values: Vec<f32>,
    greatest_at: Vec<usize>,
}

/// Room for one sample: activations, and gradients on the way back.
#[derive(Clone, Debug)]
pub(super) struct Workspace {
    vectors: Vectors,
    frame: Option<Frame>,
    taps: Vec<isize>,
    planes: Vec<f32>,
    globals: Vec<f32>,
    /// The trunk after the stem and after each block.
    trunk: Vec<Vec<f32>>,
    /// Between the convolutions of each block.
    inner: Vec<Vec<f32>>,
    /// Before each block and before the head.
    pooled: Vec<Pooled>,
    head: Vec<f32>,
    hidden_inputs: Vec<f32>,
    hidden: Vec<f32>,
    added: Vec<f32>,
    pub(super) outputs: Outputs,
    gradients: OutputGradients,
    trunk_gradient: Vec<f32>,
    inner_gradient: Vec<f32>,
    head_gradient: Vec<f32>,
    pooled_gradient: Vec<f32>,
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

    /// Makes room for boards of this frame, zeros around them.
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

    /// Evaluates a sample.
    pub(super) fn forward(&mut self, layout: &Layout, params: &[f32], sample: &Sample) {
        let shape = &layout.shape;
        let frame = &*sample.frame;
        self.fit(frame, shape);
        for (position, planes) in frame
            .playable()
            .zip(sample.planes.chunks_exact(shape.planes))
        {
            let inputs = &mut self.planes[position * shape.planes..][..shape.planes];
            for (input, &plane) in inputs.iter_mut().zip(planes) {
                *input = f32::from(plane) / 64.0;
            }
        }
        for (input, &global) in self.globals.iter_mut().zip(&sample.globals) {
            *input = f32::from(global) / 64.0;
        }
        let geometry = |taps| Geometry {
            runs: frame.runs(),
            taps,
            positions: frame.positions(),
        };
        let run = Forward {
            vectors: self.vectors,
            params,
            frame,
            geometry: geometry(self.taps.as_slice()),
        };
        apply(&layout.globals, params, &self.globals, &mut self.added);
        run.convolve(
            &layout.stem,
            &self.planes,
            &self.added,
            None,
            &mut self.trunk[0],
        );
        for (number, block) in layout.blocks.iter().enumerate() {
            let (before, after) = self.trunk.split_at_mut(number + 1);
            let (trunk, inner) = (&before[number], &mut self.inner[number]);
            pool(frame, trunk, shape.channels, &mut self.pooled[number]);
            apply(
                &block.pooled,
                params,
                &self.pooled[number].values,
                &mut self.added,
            );
            run.convolve(&block.first, trunk, &self.added, None, inner);
            run.convolve(&block.second, inner, &[], Some(trunk), &mut after[0]);
        }
        let trunk = &self.trunk[shape.blocks];
        let pooled = &mut self.pooled[shape.blocks];
        pool(frame, trunk, shape.channels, pooled);
        apply(&layout.head_pooled, params, &pooled.values, &mut self.added);
        let run = Forward {
            geometry: geometry(&[0]),
            ..run
        };
        run.convolve(&layout.head, trunk, &self.added, None, &mut self.head);
        self.point_outputs(layout, params, frame);
        self.value_outputs(layout, params);
    }

    /// Policy, ownership and reply, point by point.
    fn point_outputs(&mut self, layout: &Layout, params: &[f32], frame: &Frame) {
        let (shape, points) = (&layout.shape, frame.points());
        let kinds = shape.point_kinds;
        let outputs = &mut self.outputs;
        outputs
            .policy
            .resize(kinds * points + shape.board_kinds, 0.0);
        outputs
            .reply
            .resize(kinds * points + shape.board_kinds, 0.0);
        outputs.ownership.resize(points, 0.0);
        let mut found = vec![0.0; layout.points.outputs];
        for (point, position) in frame.playable().enumerate() {
            let head = &self.head[position * shape.head_channels..][..shape.head_channels];
            apply(&layout.points, params, head, &mut found);
            for kind in 0..kinds {
                outputs.policy[kind * points + point] = found[kind];
                outputs.reply[kind * points + point] = found[kinds + 1 + kind];
            }
            outputs.ownership[point] = found[kinds].tanh();
        }
    }

    fn value_outputs(&mut self, layout: &Layout, params: &[f32]) {
        let shape = &layout.shape;
        let outputs = &mut self.outputs;
        let owned = outputs.ownership.iter().sum::<f32>() / SCORE_UNIT;
        let pooled = &self.pooled[shape.blocks].values;
        self.hidden_inputs.clear();
        self.hidden_inputs
            .extend(pooled.iter().chain(&self.globals));
        self.hidden_inputs.push(owned);
        apply(
            &layout.hidden,
            params,
            &self.hidden_inputs,
            &mut self.hidden,
        );
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

    /// Adds the gradient of the losses of the sample that was evaluated last.
    pub(super) fn backward(
        &mut self,
        layout: &Layout,
        params: &[f32],
        transposed: &Transposed,
        (sample, weights): (&Sample, &LossWeights),
        gradient: &mut [f32],
    ) -> Losses {
        let losses = self
            .outputs
            .losses(&sample.targets, weights, &mut self.gradients);
        let frame = &*sample.frame;
        let mut owned = self.value_gradients(layout, params, gradient);
        owned /= SCORE_UNIT;
        self.point_gradients(layout, params, frame, owned, gradient);
        let shape = &layout.shape;
        let geometry = |taps| Geometry {
            runs: frame.runs(),
            taps,
            positions: frame.positions(),
        };
        let reversed: Vec<isize> = self.taps.iter().map(|tap| -tap).collect();
        let run = Backward {
            vectors: self.vectors,
            frame,
            forward: geometry(&[0]),
            reversed: geometry(&[0]),
        };
        // The head: its pooled biases, then the trunk.
        let trunk = &self.trunk[shape.blocks];
        let pooled = &self.pooled[shape.blocks];
        let heads = &mut self.head_gradient;
        mask(frame, &self.head, heads, shape.head_channels);
        run.bias(&layout.head, heads, gradient, &mut self.added);
        back(
            &layout.head_pooled,
            params,
            (&pooled.values, &self.added),
            gradient,
            &mut self.pooled_gradient,
        );
        run.weights(&layout.head, trunk, heads, gradient);
        clear(frame, &mut self.trunk_gradient, shape.channels);
        let last = transposed.0.last().map_or(&[][..], Vec::as_slice);
        run.inputs(&layout.head, last, heads, &mut self.trunk_gradient);
        unpool(
            frame,
            pooled,
            &self.pooled_gradient,
            &mut self.trunk_gradient,
        );

        let run = Backward {
            forward: geometry(self.taps.as_slice()),
            reversed: geometry(reversed.as_slice()),
            ..run
        };
        for (number, block) in layout.blocks.iter().enumerate().rev() {
            let inner = &self.inner[number];
            let pooled = &self.pooled[number];
            let (trunk_gradient, inner_gradient) =
                (&mut self.trunk_gradient, &mut self.inner_gradient);
            mask(
                frame,
                &self.trunk[number + 1],
                trunk_gradient,
                shape.channels,
            );
            run.bias(&block.second, trunk_gradient, gradient, &mut self.added);
            run.weights(&block.second, inner, trunk_gradient, gradient);
            clear(frame, inner_gradient, shape.channels);
            run.inputs(
                &block.second,
                &transposed.0[2 * number + 1],
                trunk_gradient,
                inner_gradient,
            );
            mask(frame, inner, inner_gradient, shape.channels);
            run.bias(&block.first, inner_gradient, gradient, &mut self.added);
            self.pooled_gradient.fill(0.0);
            back(
                &block.pooled,
                params,
                (&pooled.values, &self.added),
                gradient,
                &mut self.pooled_gradient,
            );
            run.weights(&block.first, &self.trunk[number], inner_gradient, gradient);
            run.inputs(
                &block.first,
                &transposed.0[2 * number],
                inner_gradient,
                trunk_gradient,
            );
            unpool(frame, pooled, &self.pooled_gradient, trunk_gradient);
        }
        mask(
            frame,
            &self.trunk[0],
            &mut self.trunk_gradient,
            shape.channels,
        );
        run.bias(
            &layout.stem,
            &self.trunk_gradient,
            gradient,
            &mut self.added,
        );
        back(
            &layout.globals,
            params,
            (&self.globals, &self.added),
            gradient,
            &mut [],
        );
        run.weights(&layout.stem, &self.planes, &self.trunk_gradient, gradient);
        losses
    }

    /// The gradients of the value head; returns that of the sum of ownership, and leaves
    /// that of the pooled trunk.
    fn value_gradients(&mut self, layout: &Layout, params: &[f32], gradient: &mut [f32]) -> f32 {
        let shape = &layout.shape;
        let kinds = shape.board_kinds;
        let (given, found) = (&self.gradients, &mut self.pooled_gradient);
        let split = given.policy.len() - kinds;
        let mut values = given.values.to_vec();
        values.extend(&given.policy[split..]);
        values.extend(&given.reply[split..]);
        let mut last: Vec<f32> = self.hidden.iter().map(|&n| n.max(0.0)).collect();
        last.extend(self.hidden_inputs.last());
        let mut to_last = vec![0.0; last.len()];
        back(
            &layout.values,
            params,
            (&last, &values),
            gradient,
            &mut to_last,
        );
        let mut owned = to_last.pop().unwrap_or(0.0);
        for (to, &hidden) in to_last.iter_mut().zip(&self.hidden) {
            *to *= f32::from(u8::from(hidden > 0.0));
        }
        let mut to_inputs = vec![0.0; self.hidden_inputs.len()];
        back(
            &layout.hidden,
            params,
            (&self.hidden_inputs, &to_last),
            gradient,
            &mut to_inputs,
        );
        owned += to_inputs.last().copied().unwrap_or(0.0);
        found.copy_from_slice(&to_inputs[..shape.pooled()]);
        owned
    }

    /// The gradients of policy, ownership and reply; leaves that of the head.
    fn point_gradients(
        &mut self,
        layout: &Layout,
        params: &[f32],
        frame: &Frame,
        owned: f32,
        gradient: &mut [f32],
    ) {
        let (channels, kinds) = (layout.shape.head_channels, layout.shape.point_kinds);
        let points = frame.points();
        let given = &self.gradients;
        let mut found = vec![0.0; layout.points.outputs];
        for (point, position) in frame.playable().enumerate() {
            let owner = self.outputs.ownership[point];
            for kind in 0..kinds {
                found[kind] = given.policy[kind * points + point];
                found[kinds + 1 + kind] = given.reply[kind * points + point];
            }
            found[kinds] = (given.ownership[point] + owned) * (1.0 - owner * owner);
            let head = &self.head[position * channels..][..channels];
            let to = &mut self.head_gradient[position * channels..][..channels];
            to.fill(0.0);
            back(&layout.points, params, (head, &found), gradient, to);
        }
    }
}

/// What convolutions of one forward pass share.
#[derive(Clone, Copy)]
struct Forward<'a> {
    vectors: Vectors,
    params: &'a [f32],
    frame: &'a Frame,
    geometry: Geometry<'a>,
}

impl Forward<'_> {
    /// A convolution with biases added to its own, a residual, and the cut-off.
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
        for position in self.frame.playable() {
            let here = position * outputs..(position + 1) * outputs;
            if let Some(residual) = residual {
                let from = &residual[here.clone()];
                for (value, residual) in output[here.clone()].iter_mut().zip(from) {
                    *value += residual;
                }
            }
            for value in &mut output[here] {
                *value = value.clamp(0.0, GREATEST);
            }
        }
    }
}

/// What convolutions of one backward pass share.
#[derive(Clone, Copy)]
struct Backward<'a> {
    vectors: Vectors,
    frame: &'a Frame,
    forward: Geometry<'a>,
    reversed: Geometry<'a>,
}

impl Backward<'_> {
    /// Sums the gradient over the points: into the gradient of the bias, and `sums`.
    fn bias(
        &self,
        place: &ConvolutionPlace,
        output: &[f32],
        gradient: &mut [f32],
        sums: &mut Vec<f32>,
    ) {
        sums.clear();
        sums.resize(place.outputs, 0.0);
        for position in self.frame.playable() {
            let here = &output[position * place.outputs..][..place.outputs];
            for (sum, value) in sums.iter_mut().zip(here) {
                *sum += value;
            }
        }
        for (bias, sum) in gradient[place.bias.clone()].iter_mut().zip(&*sums) {
            *bias += sum;
        }
    }

    fn weights(
        &self,
        place: &ConvolutionPlace,
        input: &[f32],
        output: &[f32],
        gradient: &mut [f32],
    ) {
        self.vectors.add_weight_gradient(
            self.forward,
            (input, place.inputs),
            (output, place.outputs),
            &mut gradient[place.weights.clone()],
        );
    }

    /// Adds the gradient of the outputs to that of the inputs.
    fn inputs(
        &self,
        place: &ConvolutionPlace,
        transposed: &[f32],
        output: &[f32],
        input: &mut [f32],
    ) {
        self.vectors.convolve(
            self.reversed,
            (output, place.outputs),
            transposed,
            None,
            (input, place.inputs),
        );
    }
}

/// A dense layer, starting from its bias.
fn apply(place: &DensePlace, params: &[f32], inputs: &[f32], outputs: &mut Vec<f32>) {
    outputs.clear();
    outputs.extend(&params[place.bias.clone()]);
    outputs.resize(place.outputs, 0.0);
    let rows = params[place.weights.clone()].chunks_exact(place.outputs);
    for (&input, weights) in inputs.iter().zip(rows) {
        for (output, weight) in outputs.iter_mut().zip(weights) {
            *output += input * weight;
        }
    }
}

/// The gradients of a dense layer: those of its parameters, and to its inputs.
fn back(
    place: &DensePlace,
    params: &[f32],
    (inputs, outputs): (&[f32], &[f32]),
    gradient: &mut [f32],
    to_inputs: &mut [f32],
) {
    for (bias, output) in gradient[place.bias.clone()].iter_mut().zip(outputs) {
        *bias += output;
    }
    let rows = gradient[place.weights.clone()].chunks_exact_mut(place.outputs);
    for (&input, weights) in inputs.iter().zip(rows) {
        if input != 0.0 {
            for (weight, output) in weights.iter_mut().zip(outputs) {
                *weight += input * output;
            }
        }
    }
    let rows = params[place.weights.clone()].chunks_exact(place.outputs);
    for (to, weights) in to_inputs.iter_mut().zip(rows) {
        let products = weights
            .iter()
            .zip(outputs)
            .map(|(weight, output)| weight * output);
        *to += products.sum::<f32>();
    }
}

/// Means, means by size and maxima over the playable points.
fn pool(frame: &Frame, trunk: &[f32], channels: usize, pooled: &mut Pooled) {
    pooled.values.clear();
    pooled.values.resize(3 * channels, 0.0);
    pooled.greatest_at.clear();
    pooled.greatest_at.resize(channels, 0);
    let (sums, rest) = pooled.values.split_at_mut(channels);
    let (sized, greatest) = rest.split_at_mut(channels);
    for position in frame.playable() {
        let here = &trunk[position * channels..][..channels];
        for (channel, &value) in here.iter().enumerate() {
            sums[channel] += value;
            if value > greatest[channel] {
                greatest[channel] = value;
                pooled.greatest_at[channel] = position;
            }
        }
    }
    let factor = frame.size_factor() as f32 / 64.0;
    for (sum, sized) in sums.iter_mut().zip(sized) {
        *sum /= frame.points().max(1) as f32;
        *sized = *sum * factor;
    }
}

/// Adds the gradient of pooled numbers to that of the trunk.
fn unpool(frame: &Frame, pooled: &Pooled, gradient: &[f32], trunk: &mut [f32]) {
    let channels = pooled.greatest_at.len();
    let factor = frame.size_factor() as f32 / 64.0;
    let points = frame.points().max(1) as f32;
    let (means, rest) = gradient.split_at(channels);
    let (sized, greatest) = rest.split_at(channels);
    let each = means
        .iter()
        .zip(sized)
        .map(|(mean, sized)| (mean + sized * factor) / points);
    let each: Vec<f32> = each.collect();
    for position in frame.playable() {
        for (to, each) in trunk[position * channels..][..channels]
            .iter_mut()
            .zip(&each)
        {
            *to += each;
        }
    }
    for (channel, (&position, greatest)) in pooled.greatest_at.iter().zip(greatest).enumerate() {
        if position > 0 {
            trunk[position * channels + channel] += greatest;
        }
    }
}

/// Removes the gradient where activations were cut off. At the upper end it stays if it
/// leads back.
fn mask(frame: &Frame, activations: &[f32], gradient: &mut [f32], channels: usize) {
    for position in frame.playable() {
        let here = position * channels..(position + 1) * channels;
        for (to, &value) in gradient[here.clone()].iter_mut().zip(&activations[here]) {
            let passes = value > 0.0 && (value < GREATEST || *to > 0.0);
            *to = if passes { *to } else { 0.0 };
        }
    }
}

fn clear(frame: &Frame, gradient: &mut [f32], channels: usize) {
    for position in frame.playable() {
        gradient[position * channels..][..channels].fill(0.0);
    }
}
