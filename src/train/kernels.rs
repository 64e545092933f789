//! Inner loops of training in `f32`: a convolution, and the gradient of its weights.
//!
//! One generic text serves AVX-512, AVX2 and plain code. Sums of a few points times 32 channels
//! stay in registers. Results differ in the last bits, because some vectors fuse products and sums.

use crate::net::FrameRun;

#[allow(unsafe_code)]
mod loops;

/// Numbers of a pass.
pub(super) const OUTPUTS: usize = 32;

/// Numbers of a pass.
const INPUTS: usize = 4;

#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry<'a> {
    /// Playable points, in runs of neighbours.
    pub(super) runs: &'a [FrameRun],
    pub(super) taps: &'a [isize],
    pub(super) positions: usize,
}

impl Geometry<'_> {
    /// The inputs of every point must lie among the positions.
    fn check(&self) {
        for run in self.runs {
            let end = run.position + run.length;
            assert!(end <= self.positions);
            for &tap in self.taps {
                let first = run.position.checked_add_signed(tap);
                assert!(first.is_some() && end.saturating_add_signed(tap) <= self.positions);
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vectors(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Vectors {
    /// From the slowest to the fastest.
    pub fn all() -> Vec<Vectors> {
        #[allow(unused_mut)]
        let mut all = vec![Vectors(Set::Plain)];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                all.push(Vectors(Set::Avx2));
            }
            if is_x86_feature_detected!("avx512f") {
                all.push(Vectors(Set::Avx512));
            }
        }
        all
    }

    pub fn best() -> Vectors {
        let all = Vectors::all();
        all.last().copied().unwrap_or(Vectors(Set::Plain))
    }

    /// Compiles `work` for these vectors, as far as the compiler inlines it.
    pub(super) fn dispatch<R>(self, work: impl FnOnce() -> R) -> R {
        loops::dispatch(self.0, work)
    }

    /// Writes the playable points of `output`. Starts from `bias` (by output), or adds to what is
    /// there. Weights lie by block of 32 outputs, tap, input, output. Panics if a buffer does not
    /// fit the geometry.
    pub(super) fn convolve(
        self,
        geometry: Geometry<'_>,
        (input, inputs): (&[f32], usize),
        weights: &[f32],
        bias: Option<&[f32]>,
        (output, outputs): (&mut [f32], usize),
    ) {
        geometry.check();
        let whole = geometry.taps.len() * inputs * outputs;
        assert!(outputs.is_multiple_of(OUTPUTS) && weights.len() == whole);
        assert!(input.len() == geometry.positions * inputs);
        assert!(output.len() == geometry.positions * outputs);
        assert!(bias.is_none_or(|bias| bias.len() == outputs));
        let pass = Forward {
            geometry,
            input: input.as_ptr(),
            inputs,
            weights: weights.as_ptr(),
            bias: bias.map(<[f32]>::as_ptr),
            output: output.as_mut_ptr(),
            outputs,
        };
        loops::forward(self.0, &pass);
    }

    /// Adds the gradient of the weights of [`convolve`](Self::convolve). Panics if a buffer does
    /// not fit the geometry.
    pub(super) fn add_weight_gradient(
        self,
        geometry: Geometry<'_>,
        (input, inputs): (&[f32], usize),
        (output, outputs): (&[f32], usize),
        gradient: &mut [f32],
    ) {
        geometry.check();
        let whole = geometry.taps.len() * inputs * outputs;
        assert!(outputs.is_multiple_of(OUTPUTS) && inputs.is_multiple_of(INPUTS));
        assert!(gradient.len() == whole);
        assert!(input.len() == geometry.positions * inputs);
        assert!(output.len() == geometry.positions * outputs);
        let pass = Backward {
            geometry,
            input: input.as_ptr(),
            inputs,
            output: output.as_ptr(),
            outputs,
            gradient: gradient.as_mut_ptr(),
        };
        loops::backward(self.0, &pass);
    }
}

/// Bounds are checked.
struct Forward<'a> {
    geometry: Geometry<'a>,
    input: *const f32,
    inputs: usize,
    weights: *const f32,
    bias: Option<*const f32>,
    output: *mut f32,
    outputs: usize,
}

/// Bounds are checked.
struct Backward<'a> {
    geometry: Geometry<'a>,
    input: *const f32,
    inputs: usize,
    output: *const f32,
    outputs: usize,
    gradient: *mut f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Random;
    use crate::net::Frame;

    fn floats(random: &mut Random, count: usize) -> Vec<f32> {
        (0..count).map(|_| random.fraction() - 0.5).collect()
    }

    /// Activations with zeros around the board.
    fn activations(random: &mut Random, frame: &Frame, channels: usize) -> Vec<f32> {
        let mut all = vec![0.0; frame.positions() * channels];
        for position in frame.playable() {
            let here = &mut all[position * channels..][..channels];
            here.copy_from_slice(&floats(random, channels));
        }
        all
    }

    fn near(a: &[f32], b: &[f32]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4)
    }

    #[test]
    fn all_vectors_agree_with_a_plain_sum() {
        let mut random = Random::new(3);
        let frame = Frame::new(7, 4, 0, |column, row| (column, row) != (2, 1));
        let taps: Vec<isize> = frame.taps(false).collect();
        let geometry = Geometry { runs: frame.runs(), taps: &taps, positions: frame.positions() };
        let (inputs, outputs) = (8, 64);
        let input = activations(&mut random, &frame, inputs);
        let weights = floats(&mut random, taps.len() * inputs * outputs);
        let bias = floats(&mut random, outputs);
        let gradient = activations(&mut random, &frame, outputs);
        let weight = |tap: usize, i: usize, o: usize| {
            ((o / OUTPUTS * taps.len() + tap) * inputs + i) * OUTPUTS + o % OUTPUTS
        };
        let mut expected = vec![0.0; frame.positions() * outputs];
        let mut expected_gradient = vec![0.0; weights.len()];
        for position in frame.playable() {
            for o in 0..outputs {
                let mut sum = bias[o];
                for (number, &tap) in taps.iter().enumerate() {
                    for i in 0..inputs {
                        let value = input[position.wrapping_add_signed(tap) * inputs + i];
                        sum += value * weights[weight(number, i, o)];
                        expected_gradient[weight(number, i, o)] +=
                            value * gradient[position * outputs + o];
                    }
                }
                expected[position * outputs + o] = sum;
            }
        }
        for vectors in Vectors::all() {
            let mut output = vec![0.0; expected.len()];
            vectors.convolve(
                geometry,
                (&input, inputs),
                &weights,
                Some(&bias),
                (&mut output, outputs),
            );
            assert!(near(&output, &expected), "{vectors:?}");
            vectors.convolve(geometry, (&input, inputs), &weights, None, (&mut output, outputs));
            let twice = |at: usize| 2.0 * expected[at] - bias[at % outputs];
            let at = frame.position(3, 3) * outputs + 40;
            assert!((output[at] - twice(at)).abs() < 1e-4, "{vectors:?}");
            let mut sums = vec![0.0; weights.len()];
            vectors.add_weight_gradient(
                geometry,
                (&input, inputs),
                (&gradient, outputs),
                &mut sums,
            );
            assert!(near(&sums, &expected_gradient), "{vectors:?}");
        }
    }
}
