//! Gradients, back through [`float_net`](super::float_net).

use super::Sample;
use super::float_net::Workspace;
use super::kernels::{Geometry, Vectors};
use super::layout::{BiasedPlace, ConvolutionPlace, Layout, Transposed};
use super::loss::{LossWeights, Losses};
use super::operations::{back, clear, mask, sum_points, unpool};
use crate::net::{Frame, SCORE_UNIT};

impl Workspace {
    /// Adds the gradient for the sample that was evaluated last.
    pub(super) fn backward(
        &mut self,
        layout: &Layout,
        params: &[f32],
        transposed: &Transposed,
        (sample, weights): (&Sample, &LossWeights),
        gradient: &mut [f32],
    ) -> Losses {
        self.vectors.dispatch(
            #[inline(always)]
            || self.backward_with(layout, params, transposed, (sample, weights), gradient),
        )
    }

    #[inline(always)]
    fn backward_with(
        &mut self,
        layout: &Layout,
        params: &[f32],
        transposed: &Transposed,
        (sample, weights): (&Sample, &LossWeights),
        gradient: &mut [f32],
    ) -> Losses {
        let losses = self.outputs.losses(&sample.targets, weights, &mut self.gradients);
        let frame = &*sample.frame;
        let reversed: Vec<isize> = self.taps.iter().map(|tap| -tap).collect();
        let taps = std::mem::take(&mut self.taps);
        let geometry = |taps| Geometry { runs: frame.runs(), taps, positions: frame.positions() };
        let mut run = Backward {
            vectors: self.vectors,
            params,
            frame,
            forward: geometry(&[0]),
            reversed: geometry(&[0]),
        };
        let owned = self.value_gradients(layout, params, gradient);
        self.point_gradients(layout, frame, owned / SCORE_UNIT, gradient);
        let to_trunk = transposed.0.last().map_or(&[][..], Vec::as_slice);
        self.head_gradients(layout, &run, to_trunk, gradient);
        run.forward = geometry(&taps);
        run.reversed = geometry(&reversed);
        for number in (0..layout.blocks.len()).rev() {
            self.block_gradients(layout, &run, number, transposed, gradient);
        }
        self.stem_gradients(layout, &run, gradient);
        self.taps = taps;
        losses
    }

    #[inline(always)]
    fn head_gradients(
        &mut self,
        layout: &Layout,
        run: &Backward<'_>,
        transposed: &[f32],
        gradient: &mut [f32],
    ) {
        let shape = &layout.shape;
        let trunk = &self.trunk[shape.blocks];
        let pooled = &self.pooled[shape.blocks];
        let heads = &mut self.head_gradient;
        mask(run.frame, &self.head, heads, shape.head_channels);
        run.biased(
            &layout.head,
            (trunk, &pooled.values),
            (heads, &mut self.added),
            gradient,
            &mut self.pooled_gradient,
        );
        let to_trunk = &mut self.trunk_gradient;
        clear(run.frame, to_trunk, shape.channels);
        run.inputs(&layout.head.convolution, transposed, heads, to_trunk);
        unpool(run.frame, pooled, &mut self.pooled_gradient, to_trunk);
    }

    #[inline(always)]
    fn block_gradients(
        &mut self,
        layout: &Layout,
        run: &Backward<'_>,
        number: usize,
        transposed: &Transposed,
        gradient: &mut [f32],
    ) {
        let block = &layout.blocks[number];
        let (first, second) = (&transposed.0[2 * number], &transposed.0[2 * number + 1]);
        let (frame, channels) = (run.frame, layout.shape.channels);
        let (inner, pooled) = (&self.inner[number], &self.pooled[number]);
        let (to_trunk, to_inner) = (&mut self.trunk_gradient, &mut self.inner_gradient);
        mask(frame, &self.trunk[number + 1], to_trunk, channels);
        run.bias(&block.second, to_trunk, gradient, &mut self.added);
        run.weights(&block.second, inner, to_trunk, gradient);
        clear(frame, to_inner, channels);
        run.inputs(&block.second, second, to_trunk, to_inner);
        mask(frame, inner, to_inner, channels);
        self.pooled_gradient.fill(0.0);
        run.biased(
            &block.first,
            (&self.trunk[number], &pooled.values),
            (to_inner, &mut self.added),
            gradient,
            &mut self.pooled_gradient,
        );
        run.inputs(&block.first.convolution, first, to_inner, to_trunk);
        unpool(frame, pooled, &mut self.pooled_gradient, to_trunk);
    }

    #[inline(always)]
    fn stem_gradients(&mut self, layout: &Layout, run: &Backward<'_>, gradient: &mut [f32]) {
        let to_trunk = &mut self.trunk_gradient;
        mask(run.frame, &self.trunk[0], to_trunk, layout.shape.channels);
        let inputs = (&*self.planes, &*self.globals);
        run.biased(&layout.stem, inputs, (to_trunk, &mut self.added), gradient, &mut []);
    }

    /// Returns the gradient of the sum of ownership; leaves that of the pooled trunk.
    #[inline(always)]
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
        back(&layout.values, params, (&last, &values), gradient, &mut to_last);
        let mut owned = to_last.pop().unwrap_or(0.0);
        for (to, &hidden) in to_last.iter_mut().zip(&self.hidden) {
            *to *= f32::from(u8::from(hidden > 0.0));
        }
        let mut to_inputs = vec![0.0; self.hidden_inputs.len()];
        back(&layout.hidden, params, (&self.hidden_inputs, &to_last), gradient, &mut to_inputs);
        owned += to_inputs.last().copied().unwrap_or(0.0);
        found.copy_from_slice(&to_inputs[..shape.pooled()]);
        owned
    }

    /// Leaves the gradient of the head.
    #[inline(always)]
    fn point_gradients(
        &mut self,
        layout: &Layout,
        frame: &Frame,
        owned: f32,
        gradient: &mut [f32],
    ) {
        let (channels, kinds) = (layout.shape.head_channels, layout.shape.point_kinds);
        let points = frame.points();
        let given = &self.gradients;
        let mut found = vec![0.0; layout.points.outputs];
        self.point_gradient.gradient_of(&self.points);
        for (point, position) in frame.playable().enumerate() {
            let owner = self.outputs.ownership[point];
            for kind in 0..kinds {
                found[kind] = given.policy[kind * points + point];
                found[kinds + 1 + kind] = given.reply[kind * points + point];
            }
            found[kinds] = (given.ownership[point] + owned) * (1.0 - owner * owner);
            let head = &self.head[position * channels..][..channels];
            let to = &mut self.head_gradient[position * channels..][..channels];
            self.point_gradient.add_point(&self.points, (head, &found), to);
        }
        self.point_gradient.add_to(&layout.points, gradient);
    }
}

#[derive(Clone, Copy)]
struct Backward<'a> {
    vectors: Vectors,
    params: &'a [f32],
    frame: &'a Frame,
    forward: Geometry<'a>,
    reversed: Geometry<'a>,
}

impl Backward<'_> {
    /// `sums` is a buffer; `to_added` gets the gradients of the added inputs.
    #[inline(always)]
    fn biased(
        &self,
        place: &BiasedPlace,
        (input, added): (&[f32], &[f32]),
        (output, sums): (&[f32], &mut Vec<f32>),
        gradient: &mut [f32],
        to_added: &mut [f32],
    ) {
        self.bias(&place.convolution, output, gradient, sums);
        back(&place.added, self.params, (added, sums), gradient, to_added);
        self.weights(&place.convolution, input, output, gradient);
    }

    /// Adds to the gradient of the bias; leaves the sums over the points.
    #[inline(always)]
    fn bias(
        &self,
        place: &ConvolutionPlace,
        output: &[f32],
        gradient: &mut [f32],
        sums: &mut Vec<f32>,
    ) {
        sum_points(self.frame, output, place.outputs, sums);
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

    fn inputs(
        &self,
        place: &ConvolutionPlace,
        transposed: &[f32],
        output: &mut [f32],
        input: &mut [f32],
    ) {
        self.frame.copy_beyond(output, place.outputs);
        self.vectors.convolve(
            self.reversed,
            (output, place.outputs),
            transposed,
            None,
            (input, place.inputs),
        );
    }
}
