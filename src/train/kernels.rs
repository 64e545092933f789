//! The inner loops of training in `f32`: a convolution, and the gradient to its weights.
//!
//! One text serves AVX-512, AVX2 and plain code; it is generic over the vector. Sums of
//! a few points times 32 channels stay in registers, as in `net::kernels`. The results
//! differ between vectors in the last bits, because some fuse products and sums.

use crate::net::FrameRun;

/// Output channels that are computed at a time.
pub(super) const OUTPUTS: usize = 32;

/// Inputs whose weights' gradients are summed at a time.
const INPUTS: usize = 4;

/// Where the points of a board and the taps of a convolution lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry<'a> {
    /// Playable points, in runs of neighbours.
    pub(super) runs: &'a [FrameRun],
    /// By tap: how many positions from a point its input lies.
    pub(super) taps: &'a [isize],
    /// Number of positions.
    pub(super) positions: usize,
}

impl Geometry<'_> {
    /// Checks that the inputs of every point lie among the positions.
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

/// Vectors of this processor.
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
    /// All that this processor has, from the slowest to the fastest.
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

    /// The fastest.
    pub fn best() -> Vectors {
        let all = Vectors::all();
        all.last().copied().unwrap_or(Vectors(Set::Plain))
    }

    /// Convolves: `weights` by block of 32 outputs, tap, input, output; `input` by
    /// position, channel. Writes the playable points of `output` alone; starts from
    /// `bias` (by output), or adds to what is there.
    ///
    /// # Panics
    /// If the buffers are not as large as the geometry says.
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

    /// Adds to `gradient`, laid out as the weights of [`convolve`](Self::convolve), what
    /// the gradient of its outputs makes of its inputs.
    ///
    /// # Panics
    /// If the buffers are not as large as the geometry says.
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

/// A convolution whose bounds were checked.
struct Forward<'a> {
    geometry: Geometry<'a>,
    input: *const f32,
    inputs: usize,
    weights: *const f32,
    bias: Option<*const f32>,
    output: *mut f32,
    outputs: usize,
}

/// A gradient whose bounds were checked.
struct Backward<'a> {
    geometry: Geometry<'a>,
    input: *const f32,
    inputs: usize,
    output: *const f32,
    outputs: usize,
    gradient: *mut f32,
}

#[allow(unsafe_code)]
mod loops {
    use super::{Backward, Forward, INPUTS, OUTPUTS, Set};
    #[cfg(target_arch = "x86_64")]
    use std::arch::x86_64::*;

    /// A vector of floats; its methods are compiled into functions that have the
    /// instructions.
    trait Vector: Copy {
        const LANES: usize;
        /// Points whose sums fill the registers.
        const POINTS: usize;
        unsafe fn load(from: *const f32) -> Self;
        unsafe fn splat(value: f32) -> Self;
        unsafe fn store(self, to: *mut f32);
        /// `self` + `a` × `b`.
        unsafe fn plus_product(self, a: Self, b: Self) -> Self;
    }

    #[derive(Clone, Copy)]
    struct Plain([f32; 8]);

    impl Vector for Plain {
        const LANES: usize = 8;
        const POINTS: usize = 2;
        #[inline(always)]
        unsafe fn load(from: *const f32) -> Self {
            // Safety: the caller's.
            unsafe { Plain(from.cast::<[f32; 8]>().read_unaligned()) }
        }
        #[inline(always)]
        unsafe fn splat(value: f32) -> Self {
            Plain([value; 8])
        }
        #[inline(always)]
        unsafe fn store(self, to: *mut f32) {
            // Safety: the caller's.
            unsafe { to.cast::<[f32; 8]>().write_unaligned(self.0) }
        }
        #[inline(always)]
        unsafe fn plus_product(self, a: Self, b: Self) -> Self {
            Plain(std::array::from_fn(|lane| {
                self.0[lane] + a.0[lane] * b.0[lane]
            }))
        }
    }

    #[cfg(target_arch = "x86_64")]
    macro_rules! vector {
        ($vector:ty, $lanes:literal, $points:literal, $load:ident, $splat:ident, $store:ident, $fma:ident) => {
            impl Vector for $vector {
                const LANES: usize = $lanes;
                const POINTS: usize = $points;
                // Safety of all: the caller's.
                #[inline(always)]
                unsafe fn load(from: *const f32) -> Self {
                    unsafe { $load(from) }
                }
                #[inline(always)]
                unsafe fn splat(value: f32) -> Self {
                    unsafe { $splat(value) }
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut f32) {
                    unsafe { $store(to, self) }
                }
                #[inline(always)]
                unsafe fn plus_product(self, a: Self, b: Self) -> Self {
                    unsafe { $fma(a, b, self) }
                }
            }
        };
    }
    #[cfg(target_arch = "x86_64")]
    vector!(
        __m256,
        8,
        3,
        _mm256_loadu_ps,
        _mm256_set1_ps,
        _mm256_storeu_ps,
        _mm256_fmadd_ps
    );
    #[cfg(target_arch = "x86_64")]
    vector!(
        __m512,
        16,
        6,
        _mm512_loadu_ps,
        _mm512_set1_ps,
        _mm512_storeu_ps,
        _mm512_fmadd_ps
    );

    pub(super) fn forward(set: Set, pass: &Forward<'_>) {
        // Safety: `Vectors::all` found the instructions, and the bounds were checked.
        unsafe {
            match set {
                Set::Plain => forward_with::<Plain, 4>(pass),
                #[cfg(target_arch = "x86_64")]
                Set::Avx2 => forward_avx2(pass),
                #[cfg(target_arch = "x86_64")]
                Set::Avx512 => forward_avx512(pass),
            }
        }
    }

    pub(super) fn backward(set: Set, pass: &Backward<'_>) {
        // Safety: as above.
        unsafe {
            match set {
                Set::Plain => backward_with::<Plain>(pass),
                #[cfg(target_arch = "x86_64")]
                Set::Avx2 => backward_avx2(pass),
                #[cfg(target_arch = "x86_64")]
                Set::Avx512 => backward_avx512(pass),
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn forward_avx2(pass: &Forward<'_>) {
        unsafe { forward_with::<__m256, 4>(pass) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    unsafe fn forward_avx512(pass: &Forward<'_>) {
        unsafe { forward_with::<__m512, 2>(pass) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn backward_avx2(pass: &Backward<'_>) {
        unsafe { backward_with::<__m256>(pass) }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    unsafe fn backward_avx512(pass: &Backward<'_>) {
        unsafe { backward_with::<__m512>(pass) }
    }

    /// # Safety
    /// The bounds were checked, and the processor has the instructions of the vector,
    /// `W` of which hold 32 floats.
    #[inline(always)]
    unsafe fn forward_with<V: Vector, const W: usize>(pass: &Forward<'_>) {
        for block in 0..pass.outputs / OUTPUTS {
            for run in pass.geometry.runs {
                let (mut at, mut left) = (run.position, run.length);
                let mut parts = left.div_ceil(V::POINTS);
                while left > 0 {
                    let points = left.div_ceil(parts);
                    // Safety: the points are among those of the run.
                    unsafe {
                        match points {
                            1 => forward_part::<V, W, 1>(pass, block, at),
                            2 => forward_part::<V, W, 2>(pass, block, at),
                            3 => forward_part::<V, W, 3>(pass, block, at),
                            4 => forward_part::<V, W, 4>(pass, block, at),
                            5 => forward_part::<V, W, 5>(pass, block, at),
                            _ => forward_part::<V, W, 6>(pass, block, at),
                        }
                    }
                    at += points;
                    left -= points;
                    parts -= 1;
                }
            }
        }
    }

    /// # Safety
    /// As of [`forward_with`], for `N` points from position `at` on.
    #[inline(always)]
    unsafe fn forward_part<V: Vector, const W: usize, const N: usize>(
        pass: &Forward<'_>,
        block: usize,
        at: usize,
    ) {
        let (inputs, outputs) = (pass.inputs, pass.outputs);
        // Safety: as above.
        unsafe {
            let place = |point: usize| pass.output.add((at + point) * outputs + block * OUTPUTS);
            let mut sums: [[V; W]; N] = std::array::from_fn(|point| {
                std::array::from_fn(|part| match pass.bias {
                    Some(bias) => V::load(bias.add(block * OUTPUTS + part * V::LANES)),
                    None => V::load(place(point).add(part * V::LANES)),
                })
            });
            let taps = pass.geometry.taps;
            let mut weights = pass.weights.add(block * taps.len() * inputs * OUTPUTS);
            for &tap in taps {
                let from = pass.input.add(at.wrapping_add_signed(tap) * inputs);
                for input in 0..inputs {
                    let row: [V; W] =
                        std::array::from_fn(|part| V::load(weights.add(part * V::LANES)));
                    weights = weights.add(OUTPUTS);
                    for (point, sums) in sums.iter_mut().enumerate() {
                        let value = V::splat(*from.add(point * inputs + input));
                        for (sum, weight) in sums.iter_mut().zip(row) {
                            *sum = sum.plus_product(value, weight);
                        }
                    }
                }
            }
            for (point, sums) in sums.into_iter().enumerate() {
                for (part, sum) in sums.into_iter().enumerate() {
                    sum.store(place(point).add(part * V::LANES));
                }
            }
        }
    }

    /// Vectors of outputs whose weights' gradients are summed at a time.
    const PARTS: usize = 2;

    /// # Safety
    /// As of [`forward_with`].
    #[inline(always)]
    unsafe fn backward_with<V: Vector>(pass: &Backward<'_>) {
        let (inputs, taps) = (pass.inputs, pass.geometry.taps);
        for block in 0..pass.outputs / OUTPUTS {
            for (number, &tap) in taps.iter().enumerate() {
                for input in (0..inputs).step_by(INPUTS) {
                    for part in (0..OUTPUTS).step_by(PARTS * V::LANES) {
                        // Safety: as above.
                        unsafe {
                            let row = (block * taps.len() + number) * inputs + input;
                            let gradient = pass.gradient.add(row * OUTPUTS + part);
                            let output = pass.output.add(block * OUTPUTS + part);
                            add_outer_products::<V>(
                                pass,
                                tap,
                                pass.input.add(input),
                                output,
                                gradient,
                            );
                        }
                    }
                }
            }
        }
    }

    /// # Safety
    /// As of [`forward_with`]; the pointers are to the first inputs, outputs and weights.
    #[inline(always)]
    unsafe fn add_outer_products<V: Vector>(
        pass: &Backward<'_>,
        tap: isize,
        input: *const f32,
        output: *const f32,
        gradient: *mut f32,
    ) {
        // Safety: as above.
        unsafe {
            let place = |row: usize, part: usize| gradient.add(row * OUTPUTS + part * V::LANES);
            let mut sums: [[V; PARTS]; INPUTS] =
                std::array::from_fn(|row| std::array::from_fn(|part| V::load(place(row, part))));
            for run in pass.geometry.runs {
                let first = run.position;
                let mut input = input.add(first.wrapping_add_signed(tap) * pass.inputs);
                let mut output = output.add(first * pass.outputs);
                for _ in 0..run.length {
                    let values: [V; PARTS] =
                        std::array::from_fn(|part| V::load(output.add(part * V::LANES)));
                    for (row, sums) in sums.iter_mut().enumerate() {
                        let weight = V::splat(*input.add(row));
                        for (sum, value) in sums.iter_mut().zip(values) {
                            *sum = sum.plus_product(weight, value);
                        }
                    }
                    input = input.add(pass.inputs);
                    output = output.add(pass.outputs);
                }
            }
            for (row, sums) in sums.into_iter().enumerate() {
                for (part, sum) in sums.into_iter().enumerate() {
                    sum.store(place(row, part));
                }
            }
        }
    }
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
        let geometry = Geometry {
            runs: frame.runs(),
            taps: &taps,
            positions: frame.positions(),
        };
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
            vectors.convolve(
                geometry,
                (&input, inputs),
                &weights,
                None,
                (&mut output, outputs),
            );
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
