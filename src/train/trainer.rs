//! Adam with decoupled weight decay (Loshchilov and Hutter, "Decoupled weight decay
//! regularization", 2019). An average of weights (after Izmailov et al., "Averaging weights leads
//! to wider optima and better generalization", 2018) is evaluated and exported.

use super::float_net::Workspace;
use super::kernels::Vectors;
use super::layout::{Layout, Transposed};
use super::loss::{LossWeights, Losses, Sample};
use crate::board::Random;
use crate::net::Shape;

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.99;
const WEIGHT_DECAY: f32 = 1e-3;
/// Longer gradients are scaled down.
const MAX_GRADIENT_LENGTH: f32 = 2.0;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FitProgress {
    pub(super) done: u64,
    pub(super) steps: u64,
}

#[derive(Clone, Debug)]
pub struct Trainer {
    pub(super) layout: Layout,
    pub(super) params: Vec<f32>,
    pub(super) means: Vec<f32>,
    pub(super) squares: Vec<f32>,
    pub(super) average: Vec<f32>,
    pub(super) steps: u64,
    pub(super) progress: FitProgress,
    loss_weights: LossWeights,
    transposed: Transposed,
    threads: Vec<(Workspace, Vec<f32>)>,
}

impl Trainer {
    /// Random weights, but 0 for inputs of the whole board: training may never set an input.
    pub fn new(shape: Shape, seed: u64) -> Trainer {
        let layout = Layout::new(shape);
        let mut random = Random::new(seed);
        let mut params = vec![0.0; layout.len];
        for segment in &layout.segments {
            for param in &mut params[segment.range.clone()] {
                *param = super::normal(&mut random) * segment.deviation;
            }
        }
        for global in 0..layout.shape.globals {
            let of_hidden = layout.shape.pooled() + global;
            for (place, input) in [(&layout.stem.added, global), (&layout.hidden, of_hidden)] {
                let first = place.at(input, 0);
                params[first..first + place.outputs].fill(0.0);
            }
        }
        Trainer::with_params(layout, params)
    }

    pub(super) fn with_params(layout: Layout, params: Vec<f32>) -> Trainer {
        Trainer {
            means: vec![0.0; layout.len],
            squares: vec![0.0; layout.len],
            average: params.clone(),
            steps: 0,
            progress: FitProgress::default(),
            loss_weights: LossWeights::default(),
            transposed: Transposed::default(),
            threads: Vec::new(),
            params,
            layout,
        }
    }

    pub fn shape(&self) -> &Shape {
        &self.layout.shape
    }

    #[cfg(test)]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Continues an interrupted fit of as many steps. Returns the number of steps done.
    pub(super) fn begin_fit(&mut self, steps: u64) -> u64 {
        if self.progress.steps != steps || !self.is_mid_fit() {
            self.progress = FitProgress { done: 0, steps };
        }
        self.progress.done
    }

    pub fn is_mid_fit(&self) -> bool {
        self.progress.done < self.progress.steps
    }

    pub fn loss_weights(&self) -> &LossWeights {
        &self.loss_weights
    }

    /// A checkpoint does not keep the weights.
    pub fn set_loss_weights(&mut self, weights: LossWeights) {
        self.loss_weights = weights;
    }

    /// Returns the losses before the step.
    pub fn step(
        &mut self,
        batch: &[Sample],
        learning_rate: f32,
        average_decay: f32,
        threads: usize,
    ) -> Losses {
        self.transposed.update(&self.layout, &self.params);
        let losses = self.backward(batch, threads);
        self.update(batch.len(), learning_rate, average_decay);
        losses
    }

    /// Computes the gradients in `threads` parts.
    fn backward(&mut self, batch: &[Sample], threads: usize) -> Losses {
        let new =
            || (Workspace::new(Vectors::best(), &self.layout.shape), vec![0.0; self.layout.len]);
        let threads = threads.max(1);
        self.threads.resize_with(threads, new);
        let (layout, params, transposed, weights) =
            (&self.layout, &self.params, &self.transposed, &self.loss_weights);
        let work = |room: &mut (Workspace, Vec<f32>), part: &[Sample]| {
            room.1.fill(0.0);
            let mut losses = Losses::default();
            for sample in part {
                room.0.forward(layout, params, sample);
                losses +=
                    room.0.backward(layout, params, transposed, (sample, weights), &mut room.1);
            }
            losses
        };
        // Threads without samples must not keep old gradients.
        let parts =
            batch.chunks(batch.len().div_ceil(threads).max(1)).chain(std::iter::repeat(&[][..]));
        let mut losses = Losses::default();
        std::thread::scope(|scope| {
            let rooms = self.threads.iter_mut().zip(parts);
            let running: Vec<_> =
                rooms.map(|(room, part)| scope.spawn(|| work(room, part))).collect();
            for thread in running {
                match thread.join() {
                    Ok(found) => losses += found,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
        });
        losses
    }

    fn update(&mut self, samples: usize, learning_rate: f32, average_decay: f32) {
        let Some(((_, gradient), others)) = self.threads.split_first_mut() else {
            return;
        };
        for (_, other) in others {
            for (sum, value) in gradient.iter_mut().zip(other) {
                *sum += *value;
            }
        }
        let each = 1.0 / samples.max(1) as f32;
        let length: f64 = gradient.iter().map(|&n| f64::from(n * each).powi(2)).sum();
        let scale = each * (MAX_GRADIENT_LENGTH / length.sqrt() as f32).min(1.0);
        self.steps += 1;
        let corrected = |decay: f32| 1.0 - decay.powf(self.steps.min(100_000) as f32);
        let (mean_scale, square_scale) = (corrected(MEAN_DECAY), corrected(SQUARE_DECAY));
        for segment in &self.layout.segments {
            let decay = if segment.deviation > 0.0 { WEIGHT_DECAY } else { 0.0 };
            for at in segment.range.clone() {
                let slope = gradient[at] * scale;
                let mean = &mut self.means[at];
                *mean += (slope - *mean) * (1.0 - MEAN_DECAY);
                let square = &mut self.squares[at];
                *square += (slope * slope - *square) * (1.0 - SQUARE_DECAY);
                let change = *mean / mean_scale / ((*square / square_scale).sqrt() + 1e-8);
                self.params[at] -= learning_rate * (change + decay * self.params[at]);
            }
        }
        let keep = average_decay.min(1.0 - 1.0 / self.steps as f32);
        for (average, param) in self.average.iter_mut().zip(&self.params) {
            *average += (param - *average) * (1.0 - keep);
        }
    }

    pub fn evaluate(&self, samples: &[Sample]) -> Losses {
        let mut room = Workspace::new(Vectors::best(), &self.layout.shape);
        let mut losses = Losses::default();
        for sample in samples {
            room.forward(&self.layout, &self.average, sample);
            let found =
                room.outputs.losses(&sample.targets, &self.loss_weights, &mut Default::default());
            losses += found;
        }
        losses
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::Topology;
    use crate::net::{Evaluation, Frame, Instructions, Scratch};
    use crate::rules::go;
    use crate::search::neural::shape_for;
    use crate::train::evaluate_net;
    use crate::train::export::write_inputs;
    use crate::train::loss::{Outputs, ResultTarget, ScoreTarget, Targets};
    use std::sync::Arc;

    pub(in crate::train) const SHAPE: Shape = Shape {
        planes: 4,
        globals: 3,
        channels: 32,
        blocks: 1,
        head_channels: 32,
        point_kinds: 2,
        board_kinds: 2,
        hidden: 8,
        layered: false,
    };

    pub(in crate::train) fn go_trainer() -> Trainer {
        Trainer::new(shape_for(&go::INFO, 1, 32), 3)
    }

    fn sample(frame: &Arc<Frame>, random: &mut Random) -> Sample {
        let points = frame.points() as u32;
        let outputs = 2 * points + 2;
        let legal: Vec<u32> = (0..outputs).filter(|index| index % 3 != 1).collect();
        let step = legal[random.below(legal.len() as u32) as usize];
        let reply = random.below(outputs);
        let planes = (0..4 * points).map(|_| random.below(2) as u8 * 24);
        Sample {
            frame: frame.clone(),
            planes: planes.collect(),
            globals: vec![64, 0, -20],
            targets: Targets {
                policy: vec![(step, 0.75), (legal[0], 0.25)],
                legal,
                reply: vec![(reply, 1.0)],
                result: Some(ResultTarget { shares: [0.5, 0.25, 0.25], weight: 1.0 }),
                score: Some(ScoreTarget { mean: random.below(20) as f32 - 10.0, stdev: 2.0 }),
                ownership: (0..points).map(|_| random.below(3) as f32 - 1.0).collect(),
            },
        }
    }

    pub(in crate::train) fn some_samples(count: usize) -> Vec<Sample> {
        let mut random = Random::new(2);
        let frame = Arc::new(Frame::new(5, 4, 0, |_, _| true));
        (0..count).map(|_| sample(&frame, &mut random)).collect()
    }

    fn frames() -> Vec<(Frame, bool)> {
        vec![
            (Frame::new(5, 5, 0, |_, _| true), false),
            (Frame::new(3, 7, 0, |column, row| (column, row) != (1, 1)), false),
            (Frame::new(7, 3, 4, |column, _| column != 3), true),
            (Frame::joined(4, 3, Topology::TORUS, |column, row| (column, row) != (0, 1)), false),
        ]
    }

    /// The slope of a small difference.
    fn slope(trainer: &Trainer, sample: &Sample, at: usize) -> f64 {
        const STEP: f32 = 1e-3;
        let loss = |change: f32| {
            let mut changed = trainer.clone();
            changed.average[at] += change;
            changed.evaluate(std::slice::from_ref(sample)).total(&trainer.loss_weights)
        };
        (loss(STEP) - loss(-STEP)) / f64::from(2.0 * STEP)
    }

    #[test]
    fn gradients_are_the_slopes_of_the_losses() {
        for (frame, layered) in frames() {
            let mut random = Random::new(11);
            let frame = Arc::new(frame);
            let sample = sample(&frame, &mut random);
            let mut trainer = Trainer::new(Shape { layered, ..SHAPE }, 5);
            trainer.transposed.update(&trainer.layout, &trainer.params);
            let mut room = Workspace::new(Vectors::best(), trainer.shape());
            let mut gradient = vec![0.0; trainer.layout.len];
            room.forward(&trainer.layout, &trainer.params, &sample);
            let given = (&sample, &trainer.loss_weights);
            room.backward(
                &trainer.layout,
                &trainer.params,
                &trainer.transposed,
                given,
                &mut gradient,
            );
            for segment in &trainer.layout.segments {
                // The steepest parameter of each kind, and one at random.
                let steepest = segment
                    .range
                    .clone()
                    .max_by(|&a, &b| gradient[a].abs().total_cmp(&gradient[b].abs()));
                let any = segment.range.start + random.below(segment.range.len() as u32) as usize;
                for at in steepest.into_iter().chain([any]) {
                    let (found, expected) = (f64::from(gradient[at]), slope(&trainer, &sample, at));
                    let off = (found - expected).abs() / (0.02 + found.abs().max(expected.abs()));
                    assert!(off < 0.15, "{at} of {:?}: {found} {expected}", segment.range);
                }
            }
        }
    }

    #[test]
    fn threads_share_batches_of_any_size() {
        let samples = some_samples(7);
        let trained = |threads| {
            let mut trainer = Trainer::new(SHAPE, 3);
            for part in [&samples[..], &samples[..2], &[], &samples[..1]] {
                trainer.step(part, 1e-3, 0.9, threads);
            }
            trainer.params
        };
        let alone = trained(1);
        for threads in [2, 5] {
            let params = trained(threads);
            // Sums in another order differ in the last places; a step is 1e-3.
            let off = params.iter().zip(&alone).map(|(a, b)| (a - b).abs());
            let mean = off.sum::<f32>() / params.len() as f32;
            assert!(mean < 2e-5, "{threads} threads: {mean}");
        }
    }

    #[test]
    fn a_net_learns_a_few_samples_by_heart() {
        let samples = some_samples(8);
        let mut trainer = Trainer::new(SHAPE, 9);
        let before = trainer.evaluate(&samples).means();
        for _ in 0..300 {
            trainer.step(&samples, 2e-3, 0.9, 2);
        }
        let after = trainer.evaluate(&samples).means();
        assert!(before.policy > 1.5 && after.policy < 0.1, "{after:?}");
        assert!(
            after.policy_hits == 1.0 && after.ownership < 0.1 && after.reply < 0.3,
            "{after:?}"
        );
        // The entropy of the target is left.
        assert!((after.result - 1.04).abs() < 0.02, "{after:?}");
        let net = trainer.export().expect("a net");
        let exported = evaluate_net(&net, &samples, trainer.loss_weights()).means();
        assert!((exported.policy - after.policy).abs() < 0.05, "{exported:?}");
        assert!((exported.result - after.result).abs() < 0.02, "{exported:?}");
        assert!((exported.ownership - after.ownership).abs() < 0.02, "{exported:?}");
        assert!((exported.score - after.score).abs() < 0.2, "{exported:?}");
    }

    #[test]
    fn a_layered_net_says_in_integers_what_it_says_in_floats() {
        let (frame, _) = frames().pop().expect("a layered frame");
        let frame = Arc::new(frame);
        let shape = Shape { layered: true, ..SHAPE };
        let mut random = Random::new(4);
        let samples: Vec<Sample> = (0..8).map(|_| sample(&frame, &mut random)).collect();
        let mut trainer = Trainer::new(shape, 9);
        for _ in 0..60 {
            trainer.step(&samples, 2e-3, 0.9, 2);
        }
        let net = trainer.export().expect("a net");
        let mut room = Workspace::new(Vectors::best(), &shape);
        let mut scratch = Scratch::new(&shape, &frame);
        let (mut evaluation, mut off, mut spread) = (Evaluation::default(), 0.0, 0.0);
        for sample in &samples {
            room.forward(&trainer.layout, &trainer.average, sample);
            write_inputs(&mut scratch, sample, shape.planes);
            net.evaluate(Instructions::best(), &frame, &mut scratch, &mut evaluation);
            let floats = &room.outputs;
            let integers = Outputs::from_evaluation(&evaluation);
            assert_eq!(integers.policy.len(), floats.policy.len());
            for (a, b) in integers.policy.iter().zip(&floats.policy) {
                off += (a - b).abs();
                spread += b.abs();
            }
            for (a, b) in integers.ownership.iter().zip(&floats.ownership) {
                assert!((a - b).abs() < 0.1, "{a} {b}");
            }
            for (a, b) in integers.values.iter().zip(&floats.values) {
                assert!((a - b).abs() < 0.15, "{a} {b}");
            }
        }
        assert!(off < 0.05 * spread, "{off} of {spread}");
    }
}
