//! The loops for each kind of vector; callers check all bounds.

use super::{Backward, Forward, INPUTS, OUTPUTS, Set};
#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Methods are inlined into functions that have the instructions.
trait Vector: Copy {
    const LANES: usize;
    /// At most 6: 13 would fit into the registers of AVX-512, but were a quarter slower.
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
        Plain(std::array::from_fn(|lane| self.0[lane] + a.0[lane] * b.0[lane]))
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
vector!(__m256, 8, 3, _mm256_loadu_ps, _mm256_set1_ps, _mm256_storeu_ps, _mm256_fmadd_ps);
#[cfg(target_arch = "x86_64")]
vector!(__m512, 16, 6, _mm512_loadu_ps, _mm512_set1_ps, _mm512_storeu_ps, _mm512_fmadd_ps);

pub(super) fn dispatch<R>(set: Set, work: impl FnOnce() -> R) -> R {
    match set {
        Set::Plain => work(),
        // Safety: `Vectors::all` found the instructions.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 => unsafe { with_avx2(work) },
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 => unsafe { with_avx512(work) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn with_avx512<R>(work: impl FnOnce() -> R) -> R {
    work()
}

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
        let mut sums = [[V::splat(0.0); W]; N];
        for (point, sums) in sums.iter_mut().enumerate() {
            let from = match pass.bias {
                Some(bias) => bias.add(block * OUTPUTS),
                None => place(point).cast_const(),
            };
            load_row(from, sums);
        }
        let taps = pass.geometry.taps;
        let mut weights = pass.weights.add(block * taps.len() * inputs * OUTPUTS);
        for &tap in taps {
            let from = pass.input.add(at.wrapping_add_signed(tap) * inputs);
            for input in 0..inputs {
                let mut row = [V::splat(0.0); W];
                load_row(weights, &mut row);
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

/// Loads vectors that lie side by side. No closure does it: one that the compiler does not
/// inline has no vector instructions, and every load becomes a call.
///
/// # Safety
/// The floats of all vectors in `row` are readable, and the processor has their instructions.
#[inline(always)]
unsafe fn load_row<V: Vector>(from: *const f32, row: &mut [V]) {
    for (part, value) in row.iter_mut().enumerate() {
        // Safety: as above.
        *value = unsafe { V::load(from.add(part * V::LANES)) };
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
                        add_outer_products::<V>(pass, tap, pass.input.add(input), output, gradient);
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
        let mut sums = [[V::splat(0.0); PARTS]; INPUTS];
        for (row, sums) in sums.iter_mut().enumerate() {
            load_row(place(row, 0), sums);
        }
        for run in pass.geometry.runs {
            let first = run.position;
            let mut input = input.add(first.wrapping_add_signed(tap) * pass.inputs);
            let mut output = output.add(first * pass.outputs);
            for _ in 0..run.length {
                let mut values = [V::splat(0.0); PARTS];
                load_row(output, &mut values);
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
