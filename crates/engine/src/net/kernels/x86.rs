//! The convolution with AVX2, AVX-VNNI and AVX-512 VNNI.

use super::{OUTPUTS, Span};
use std::arch::x86_64::*;

/// Calls `$kernel::<N>` for the number of points of a run.
macro_rules! by_points {
    ($span:expr, $output:expr, $kernel:ident, $($points:literal)+) => {
        match $span.run.points {
            // Safety: the caller checked the processor and all bounds.
            $($points => unsafe { $kernel::<$points>($span, $output) },)+
            _ => {}
        }
    };
}

pub fn with_avx2<R>(work: impl FnOnce() -> R) -> R {
    #[target_feature(enable = "avx2")]
    fn run<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    // Safety: nobody but `Instructions::all` hands this set out.
    unsafe { run(work) }
}

pub fn with_vnni<R>(work: impl FnOnce() -> R) -> R {
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512vl,avx512vnni")]
    fn run<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
    // Safety: nobody but `Instructions::all` hands this set out.
    unsafe { run(work) }
}

pub fn vnni(span: &Span<'_>, output: &mut [u8]) {
    by_points!(span, output, vnni_run, 1 2 3 4 5 6 7 8 9 10 11 12 13);
}

pub fn avx_vnni(span: &Span<'_>, output: &mut [u8]) {
    by_points!(span, output, avx_vnni_run, 1 2 3 4 5 6 7 8 9 10 11 12 13);
}

pub fn avx2(span: &Span<'_>, output: &mut [u8]) {
    by_points!(span, output, avx2_run, 1 2 3 4 5 6 7 8 9 10 11 12 13);
}

/// # Safety
/// The processor has the features, and `Instructions::convolve` has checked
/// that all taps of all `N` points lie in the input, and the points in the
/// output and the residual.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vnni")]
unsafe fn vnni_run<const N: usize>(span: &Span<'_>, output: &mut [u8]) {
    let inputs = span.inputs;
    // Safety: as above; weights hold two lines for each four inputs of a tap.
    unsafe {
        let bias = span.bias.as_ptr();
        let mut low = [_mm512_loadu_si512(bias.cast()); N];
        let mut high = [_mm512_loadu_si512(bias.add(16).cast()); N];
        let mut weights: *const __m512i = span.weights.as_ptr().cast();
        for &tap in span.run.taps {
            let from = span.run.input.as_ptr().add(span.run.at).offset(tap);
            for quad in 0..inputs / 4 {
                let w0 = _mm512_load_si512(weights);
                let w1 = _mm512_load_si512(weights.add(1));
                weights = weights.add(2);
                let quad = from.add(quad * 4);
                for point in 0..N {
                    let four: i32 = quad.add(point * inputs).cast::<i32>().read_unaligned();
                    let four = _mm512_set1_epi32(four);
                    low[point] = _mm512_dpbusd_epi32(low[point], four, w0);
                    high[point] = _mm512_dpbusd_epi32(high[point], four, w1);
                }
            }
        }
        let zero = _mm512_setzero_si512();
        let most = _mm512_set1_epi32(127);
        for (half, sums) in [low, high].into_iter().enumerate() {
            let requantization = span.requantization;
            let load =
                |from: &[i32; OUTPUTS]| _mm512_loadu_si512(from.as_ptr().add(16 * half).cast());
            let multiplier = load(&requantization.multiplier);
            let rounding = load(&requantization.rounding);
            let shift = load(&requantization.shift);
            for (point, sum) in sums.into_iter().enumerate() {
                let at = span.first_output + point * span.outputs + 16 * half;
                let product = _mm512_add_epi32(_mm512_mullo_epi32(sum, multiplier), rounding);
                let mut result = _mm512_srav_epi32(product, shift);
                if let Some(residual) = span.run.residual {
                    let residual = _mm_loadu_si128(residual.as_ptr().add(at).cast());
                    result = _mm512_add_epi32(result, _mm512_cvtepu8_epi32(residual));
                }
                let result = _mm512_min_epi32(_mm512_max_epi32(result, zero), most);
                let bytes = _mm512_cvtepi32_epi8(result);
                _mm_storeu_si128(output.as_mut_ptr().add(at).cast(), bytes);
            }
        }
    }
}

/// Output channels of one register of 256 bits.
const LANES: usize = 8;

/// Adds the products of four inputs and eight channels.
trait AddProducts {
    /// # Safety
    /// The processor has the instructions.
    unsafe fn add(sums: __m256i, inputs: __m256i, weights: __m256i) -> __m256i;
}

struct Avx2;

impl AddProducts for Avx2 {
    #[inline(always)]
    unsafe fn add(sums: __m256i, inputs: __m256i, weights: __m256i) -> __m256i {
        // Safety: as the caller's.
        unsafe {
            let pairs = _mm256_maddubs_epi16(inputs, weights);
            _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
        }
    }
}

struct AvxVnni;

impl AddProducts for AvxVnni {
    #[inline(always)]
    unsafe fn add(sums: __m256i, inputs: __m256i, weights: __m256i) -> __m256i {
        // Safety: as the caller's.
        unsafe { _mm256_dpbusd_avx_epi32(sums, inputs, weights) }
    }
}

/// # Safety
/// As of [`vnni_run`].
#[target_feature(enable = "avx2")]
unsafe fn avx2_run<const N: usize>(span: &Span<'_>, output: &mut [u8]) {
    for first in (0..N).step_by(4) {
        for pair in 0..2 {
            // Safety: the points are among the N of the caller.
            unsafe {
                match N - first {
                    1 => part::<Avx2, 1>(span, first, pair, output),
                    2 => part::<Avx2, 2>(span, first, pair, output),
                    3 => part::<Avx2, 3>(span, first, pair, output),
                    _ => part::<Avx2, 4>(span, first, pair, output),
                }
            }
        }
    }
}

/// One instruction instead of three leaves registers for two more points.
///
/// # Safety
/// As of [`vnni_run`].
#[target_feature(enable = "avx2,avxvnni")]
unsafe fn avx_vnni_run<const N: usize>(span: &Span<'_>, output: &mut [u8]) {
    for first in (0..N).step_by(6) {
        for pair in 0..2 {
            // Safety: the points are among the N of the caller.
            unsafe {
                match N - first {
                    1 => part::<AvxVnni, 1>(span, first, pair, output),
                    2 => part::<AvxVnni, 2>(span, first, pair, output),
                    3 => part::<AvxVnni, 3>(span, first, pair, output),
                    4 => part::<AvxVnni, 4>(span, first, pair, output),
                    5 => part::<AvxVnni, 5>(span, first, pair, output),
                    _ => part::<AvxVnni, 6>(span, first, pair, output),
                }
            }
        }
    }
}

/// Sums of 16 channels, the first or the second, of `N` points from `first` on.
///
/// # Safety
/// As of [`vnni_run`].
#[inline(always)]
unsafe fn part<A: AddProducts, const N: usize>(
    span: &Span<'_>,
    first: usize,
    pair: usize,
    output: &mut [u8],
) {
    let inputs = span.inputs;
    // Safety: as above.
    unsafe {
        let load = |from: &[i32; OUTPUTS], half: usize| {
            _mm256_loadu_si256(from.as_ptr().add((2 * pair + half) * LANES).cast())
        };
        let mut sums = [[load(span.bias, 0), load(span.bias, 1)]; N];
        let mut weights: *const __m256i = span.weights.as_ptr().cast();
        weights = weights.add(2 * pair);
        for &tap in span.run.taps {
            let from = span.run.input.as_ptr().add(span.run.at + first * inputs).offset(tap);
            for quad in 0..inputs / 4 {
                let w = [_mm256_load_si256(weights), _mm256_load_si256(weights.add(1))];
                weights = weights.add(4);
                let quad = from.add(quad * 4);
                for (point, sums) in sums.iter_mut().enumerate() {
                    let four: i32 = quad.add(point * inputs).cast::<i32>().read_unaligned();
                    let four = _mm256_set1_epi32(four);
                    for (sum, w) in sums.iter_mut().zip(w) {
                        *sum = A::add(*sum, four, w);
                    }
                }
            }
        }
        for half in 0..2 {
            let requantization = span.requantization;
            let multiplier = load(&requantization.multiplier, half);
            let rounding = load(&requantization.rounding, half);
            let shift = load(&requantization.shift, half);
            for (point, sums) in sums.iter().enumerate() {
                let sum = sums[half];
                let at =
                    span.first_output + (first + point) * span.outputs + (2 * pair + half) * LANES;
                let product = _mm256_add_epi32(_mm256_mullo_epi32(sum, multiplier), rounding);
                let mut result = _mm256_srav_epi32(product, shift);
                if let Some(residual) = span.run.residual {
                    let residual = _mm_loadl_epi64(residual.as_ptr().add(at).cast());
                    result = _mm256_add_epi32(result, _mm256_cvtepu8_epi32(residual));
                }
                let zero = _mm256_setzero_si256();
                let result = _mm256_max_epi32(result, zero);
                let result = _mm256_min_epi32(result, _mm256_set1_epi32(127));
                let words = _mm256_packus_epi32(result, result);
                let bytes = _mm256_packus_epi16(words, words);
                let low = _mm256_extract_epi32(bytes, 0);
                let high = _mm256_extract_epi32(bytes, 4);
                let to: *mut i32 = output.as_mut_ptr().add(at).cast();
                to.write_unaligned(low);
                to.add(1).write_unaligned(high);
            }
        }
    }
}
