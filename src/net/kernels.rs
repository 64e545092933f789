//! One convolution over a run of neighbouring points, written four times with
//! the same bits for an answer: in plain code, with AVX2, with AVX-512 VNNI, and with
//! the SIMD of WebAssembly.
//!
//! Activations are numbers of seven bits (0 to 127) and weights of eight, so
//! that no product pair overflows the 16 bits in which AVX2 adds them, and all
//! sums are exact in 32 bits. Sums become activations again with a multiplier, a
//! shift and one rounding rule. The loops keep a row of up to [`WIDEST`] points
//! times 32 channels in registers, as direct convolutions for small images do.

use super::layers::{Convolution, Line, OUTPUTS, Requantization};

/// The most points that a run may have: 13 of 32 sums fill the registers of
/// AVX-512.
pub const WIDEST: usize = 13;

/// What a convolution over one run of points reads and writes.
///
/// All offsets count bytes from the start of a buffer.
pub struct Run<'a> {
    /// Activations of all input channels, point by point.
    pub input: &'a [u8],
    /// Where the first point of the run lies in `input`.
    pub at: usize,
    /// Added to `at`: where the point of each tap lies.
    pub taps: &'a [isize],
    /// Numbers of points.
    pub points: usize,
    /// Activations added to the results before they are cut off at zero.
    pub residual: Option<&'a [u8]>,
    /// Where the first point of the run lies in the output and the residual.
    pub output_at: usize,
}

/// A set of instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

/// Private, so that nobody makes a set that the processor lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    /// Plain code for any processor.
    Plain,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 with VNNI.
    #[cfg(target_arch = "x86_64")]
    Vnni,
    /// SIMD of WebAssembly, for which the whole module is compiled or not.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Instructions {
    /// Plain code, which every processor runs.
    pub const PLAIN: Instructions = Instructions(Set::Plain);

    /// The best that this processor has.
    pub fn best() -> Instructions {
        Instructions::all().last().copied().unwrap_or(Instructions::PLAIN)
    }

    /// All that this processor has, from the slowest to the fastest.
    pub fn all() -> &'static [Instructions] {
        #[cfg(target_arch = "x86_64")]
        {
            let vnni = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vnni");
            if vnni && is_x86_feature_detected!("avx2") {
                return &[Instructions::PLAIN, Instructions(Set::Avx2), Instructions(Set::Vnni)];
            }
            if is_x86_feature_detected!("avx2") {
                return &[Instructions::PLAIN, Instructions(Set::Avx2)];
            }
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        return &[Instructions::PLAIN, Instructions(Set::Simd128)];
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        &[Instructions::PLAIN]
    }

    /// Runs `work` compiled for these instructions, as far as the compiler inlines
    /// it.
    #[inline]
    pub fn dispatch<R>(self, work: impl FnOnce() -> R) -> R {
        match self.0 {
            Set::Plain => work(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => x86::with_avx2(work),
            #[cfg(target_arch = "x86_64")]
            Set::Vnni => x86::with_vnni(work),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128 => work(),
        }
    }

    /// Convolves one run of at most [`WIDEST`] points with the weights of one
    /// block of [`OUTPUTS`] output channels.
    ///
    /// # Panics
    /// If the run reaches beyond the buffers: frames are made so that none does.
    #[inline]
    pub fn convolve(
        self,
        run: &Run<'_>,
        layer: &Convolution,
        block: usize,
        bias: &[i32; OUTPUTS],
        output: &mut [u8],
    ) {
        let (inputs, outputs) = (layer.inputs(), layer.outputs());
        let weights = layer.block(block);
        let requantization = layer.requantization(block);
        assert!(run.points <= WIDEST && weights.len() == run.taps.len() * inputs / 2);
        for &tap in run.taps {
            let first = run.at.checked_add_signed(tap);
            let end = first.map(|first| first + run.points * inputs);
            assert!(end.is_some_and(|end| end <= run.input.len()));
        }
        let end = run.output_at + run.points * outputs;
        assert!((block + 1) * OUTPUTS <= outputs && end <= output.len());
        assert!(run.residual.is_none_or(|residual| end <= residual.len()));
        let span = Span {
            run,
            inputs,
            outputs,
            weights,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            wide: layer.wide_block(block),
            requantization,
            bias,
            first_output: run.output_at + block * OUTPUTS,
        };
        match self.0 {
            Set::Plain => plain(&span, output),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => x86::avx2(&span, output),
            #[cfg(target_arch = "x86_64")]
            Set::Vnni => x86::vnni(&span, output),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128 => wasm::simd128(&span, output),
        }
    }
}

/// A run whose bounds were checked, with the weights for it.
struct Span<'a> {
    run: &'a Run<'a>,
    inputs: usize,
    outputs: usize,
    weights: &'a [Line],
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    wide: &'a [super::layers::WideLine],
    requantization: &'a Requantization,
    bias: &'a [i32; OUTPUTS],
    first_output: usize,
}

fn plain(span: &Span<'_>, output: &mut [u8]) {
    let Span { run, inputs, .. } = *span;
    for point in 0..run.points {
        let mut sums = *span.bias;
        let taps = run.taps.iter().zip(span.weights.chunks_exact(inputs / 2));
        for (tap, weights) in taps {
            let from = run.at.wrapping_add_signed(*tap) + point * inputs;
            let (quads, _) = run.input[from..from + inputs].as_chunks::<4>();
            let (lines, _) = weights.as_chunks::<2>();
            for (quad, lines) in quads.iter().zip(lines) {
                if *quad != [0; 4] {
                    Line::add_products(lines, quad.map(i32::from), &mut sums);
                }
            }
        }
        let at = span.first_output + point * span.outputs;
        for (channel, &sum) in sums.iter().enumerate() {
            let residual = run.residual.map_or(0, |residual| residual[at + channel]);
            output[at + channel] = span.requantization.apply(channel, sum, residual);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
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

    /// Output channels of one AVX2 register.
    const LANES: usize = 8;

    /// # Safety
    /// As of [`vnni_run`].
    #[target_feature(enable = "avx2")]
    unsafe fn avx2_run<const N: usize>(span: &Span<'_>, output: &mut [u8]) {
        for first in (0..N).step_by(4) {
            for pair in 0..2 {
                // Safety: the points are among the N of the caller.
                unsafe {
                    match N - first {
                        1 => avx2_part::<1>(span, first, pair, output),
                        2 => avx2_part::<2>(span, first, pair, output),
                        3 => avx2_part::<3>(span, first, pair, output),
                        _ => avx2_part::<4>(span, first, pair, output),
                    }
                }
            }
        }
    }

    /// Sums of 16 channels, the first or the second, of `N` points from `first` on.
    ///
    /// # Safety
    /// As of [`vnni_run`].
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn avx2_part<const N: usize>(
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
            let ones = _mm256_set1_epi16(1);
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
                            let products = _mm256_madd_epi16(_mm256_maddubs_epi16(four, w), ones);
                            *sum = _mm256_add_epi32(*sum, products);
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
                    let at = span.first_output
                        + (first + point) * span.outputs
                        + (2 * pair + half) * LANES;
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
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod wasm {
    use super::{OUTPUTS, Span};
    use crate::net::layers::WIDE_OUTPUTS;
    use std::arch::wasm32::*;

    /// Output channels whose sums stay in registers, for two points: sums of pairs of inputs
    /// in 8 registers and weights in 4 leave room for the inputs of one point.
    const CHANNELS: usize = WIDE_OUTPUTS;

    /// The most bits that are shifted out of a sum.
    const MAX_SHIFT: u32 = 24;

    /// What the taps of a run read, in 16 bits, so that the inner loop has nothing but loads,
    /// products and sums.
    struct Inputs {
        wide: Vec<u16>,
        /// Where the first point of the run lies in it.
        at: usize,
    }

    impl Inputs {
        fn of(span: &Span<'_>) -> Inputs {
            let run = span.run;
            let taps = run.taps.iter().copied();
            let (least, most) =
                taps.fold((0, 0), |(least, most), tap| (tap.min(least), tap.max(most)));
            let at = least.unsigned_abs();
            let end = run.at + most.unsigned_abs() + run.points * span.inputs;
            let bytes = &run.input[run.at - at..end];
            let wide = bytes.iter().map(|&byte| u16::from(byte)).collect();
            Inputs { wide, at }
        }
    }

    pub fn simd128(span: &Span<'_>, output: &mut [u8]) {
        let inputs = Inputs::of(span);
        for channel in (0..OUTPUTS).step_by(CHANNELS) {
            for first in (0..span.run.points).step_by(2) {
                // Safety: `Instructions::convolve` has checked that all taps of all points lie
                // in the input, and the points in the output and the residual.
                unsafe {
                    if first + 1 == span.run.points {
                        part::<1>(span, &inputs, first, channel, output);
                    } else {
                        part::<2>(span, &inputs, first, channel, output);
                    }
                }
            }
        }
    }

    /// Sums of [`CHANNELS`] channels from `channel` on, of `N` points from `first` on.
    ///
    /// # Safety
    /// All taps of the points lie in the input, and the points in the output and the residual.
    #[inline]
    unsafe fn part<const N: usize>(
        span: &Span<'_>,
        from: &Inputs,
        first: usize,
        channel: usize,
        output: &mut [u8],
    ) {
        let inputs = span.inputs;
        // Each register has two sums, of the first and of the last two of four inputs, of each
        // of two channels. Registers are named: an array of them would be kept in memory.
        let zero = i32x4_splat(0);
        let ([mut a0, mut a1, mut a2, mut a3], [mut b0, mut b1, mut b2, mut b3]) =
            ([zero; 4], [zero; 4]);
        // Safety: as above; there are four registers of weights for each four inputs of a tap.
        unsafe {
            let mut weights: *const v128 = span.wide.as_ptr().cast();
            weights = weights.add(channel / CHANNELS * span.run.taps.len() * inputs);
            let point = from.wide.as_ptr().add(from.at + first * inputs);
            for &tap in span.run.taps {
                let mut four: *const u64 = point.offset(tap).cast();
                for _ in 0..inputs / 4 {
                    let w0 = v128_load(weights);
                    let w1 = v128_load(weights.add(1));
                    let w2 = v128_load(weights.add(2));
                    let w3 = v128_load(weights.add(3));
                    weights = weights.add(4);
                    let a = v128_load64_splat(four);
                    a0 = i32x4_add(a0, i32x4_dot_i16x8(a, w0));
                    a1 = i32x4_add(a1, i32x4_dot_i16x8(a, w1));
                    a2 = i32x4_add(a2, i32x4_dot_i16x8(a, w2));
                    a3 = i32x4_add(a3, i32x4_dot_i16x8(a, w3));
                    if N == 2 {
                        let b = v128_load64_splat(four.add(inputs / 4));
                        b0 = i32x4_add(b0, i32x4_dot_i16x8(b, w0));
                        b1 = i32x4_add(b1, i32x4_dot_i16x8(b, w1));
                        b2 = i32x4_add(b2, i32x4_dot_i16x8(b, w2));
                        b3 = i32x4_add(b3, i32x4_dot_i16x8(b, w3));
                    }
                    four = four.add(1);
                }
            }
            let at = span.first_output + first * span.outputs + channel;
            store(span, channel, at, [a0, a1, a2, a3], output);
            if N == 2 {
                store(span, channel, at + span.outputs, [b0, b1, b2, b3], output);
            }
        }
    }

    /// Stores the activations of [`CHANNELS`] channels of a point from sums of pairs of inputs.
    ///
    /// # Safety
    /// `at`, their place in the output and the residual, lies in both.
    #[inline]
    unsafe fn store(
        span: &Span<'_>,
        channel: usize,
        at: usize,
        [s0, s1, s2, s3]: [v128; 4],
        output: &mut [u8],
    ) {
        // Safety: as above.
        unsafe {
            let low = requantized(span, channel, at, [s0, s1]);
            let high = requantized(span, channel + 4, at + 4, [s2, s3]);
            let words = i16x8_narrow_i32x4(low, high);
            let bytes = u8x16_narrow_i16x8(words, words);
            v128_store64_lane::<0>(bytes, output.as_mut_ptr().add(at).cast());
        }
    }

    /// The activations of four channels, in 32 bits, from sums of pairs of inputs.
    ///
    /// # Safety
    /// `at`, the place of the first one in the residual, and three more lie in it.
    #[inline]
    unsafe fn requantized(
        span: &Span<'_>,
        channel: usize,
        at: usize,
        [first, second]: [v128; 2],
    ) -> v128 {
        let even = i32x4_shuffle::<0, 2, 4, 6>(first, second);
        let odd = i32x4_shuffle::<1, 3, 5, 7>(first, second);
        let requantization = span.requantization;
        let four = |from: &[i32; OUTPUTS]| {
            let four = &from[channel..channel + 4];
            // Safety: there are four.
            unsafe { v128_load(four.as_ptr().cast()) }
        };
        let sum = i32x4_add(i32x4_add(even, odd), four(span.bias));
        let product = i32x4_mul(sum, four(&requantization.multiplier));
        let product = i32x4_add(product, four(&requantization.rounding));
        // There is no shift by lanes: a multiplication in 64 bits, and one shift for all.
        let shift = &requantization.shift;
        let power = |lane: usize| 1 << (MAX_SHIFT as i32 - shift[channel + lane]);
        let power = i32x4(power(0), power(1), power(2), power(3));
        let low = i64x2_shr(i64x2_extmul_low_i32x4(product, power), MAX_SHIFT);
        let high = i64x2_shr(i64x2_extmul_high_i32x4(product, power), MAX_SHIFT);
        let mut result = i32x4_shuffle::<0, 2, 4, 6>(low, high);
        if let Some(residual) = span.run.residual {
            // Safety: as above.
            let four = unsafe { v128_load32_zero(residual.as_ptr().add(at).cast()) };
            let four = u32x4_extend_low_u16x8(u16x8_extend_low_u8x16(four));
            result = i32x4_add(result, four);
        }
        i32x4_min(i32x4_max(result, i32x4_splat(0)), i32x4_splat(127))
    }
}
