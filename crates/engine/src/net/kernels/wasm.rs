//! The convolution with the SIMD of WebAssembly, fixed and relaxed. The relaxed dot product may
//! saturate sums of pairs or not; products of seven and eight bits never reach that.

use super::{OUTPUTS, Span};
use crate::net::layers::{WIDE_OUTPUTS, WideLine};
use std::arch::wasm32::*;

/// Output channels whose sums stay in registers, for two points: sums of pairs of inputs
/// in 8 registers and weights in 4 leave room for the inputs of one point.
const CHANNELS: usize = WIDE_OUTPUTS;

/// The most bits that are shifted out of a sum.
const MAX_SHIFT: u32 = 24;

/// The inputs of all taps in 16 bits, so that the inner loop has only loads, products and sums.
struct Inputs {
    wide: Vec<u16>,
    /// Index of the first point of the run in it.
    at: usize,
}

impl Inputs {
    fn new(span: &Span<'_>) -> Inputs {
        let run = span.run;
        let taps = run.taps.iter().copied();
        let (least, most) = taps.fold((0, 0), |(least, most), tap| (tap.min(least), tap.max(most)));
        let at = least.unsigned_abs();
        let end = run.at + most.unsigned_abs() + run.points * span.inputs;
        let bytes = &run.input[run.at - at..end];
        let wide = bytes.iter().map(|&byte| u16::from(byte)).collect();
        Inputs { wide, at }
    }
}

pub fn simd128(span: &Span<'_>, wide: &[WideLine], output: &mut [u8]) {
    let inputs = Inputs::new(span);
    for channel in (0..OUTPUTS).step_by(CHANNELS) {
        for first in (0..span.run.points).step_by(2) {
            // Safety: `Instructions::convolve` has checked that all taps of all points lie
            // in the input, and the points in the output and the residual.
            unsafe {
                if first + 1 == span.run.points {
                    part::<1>(span, wide, &inputs, first, channel, output);
                } else {
                    part::<2>(span, wide, &inputs, first, channel, output);
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
    wide: &[WideLine],
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
        let mut weights: *const v128 = wide.as_ptr().cast();
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
        store(span, channel, at, [joined(a0, a1), joined(a2, a3)], output);
        if N == 2 {
            let sums = [joined(b0, b1), joined(b2, b3)];
            store(span, channel, at + span.outputs, sums, output);
        }
    }
}

/// Sums of four channels from sums of pairs of inputs of two channels each.
#[inline]
fn joined(first: v128, second: v128) -> v128 {
    let even = i32x4_shuffle::<0, 2, 4, 6>(first, second);
    let odd = i32x4_shuffle::<1, 3, 5, 7>(first, second);
    i32x4_add(even, odd)
}

/// Stores the activations of [`CHANNELS`] channels of a point from their sums.
///
/// # Safety
/// `at`, their place in the output and the residual, lies in both.
#[inline]
unsafe fn store(
    span: &Span<'_>,
    channel: usize,
    at: usize,
    [low, high]: [v128; 2],
    output: &mut [u8],
) {
    // Safety: as above.
    unsafe {
        let low = requantized(span, channel, at, low);
        let high = requantized(span, channel + 4, at + 4, high);
        let words = i16x8_narrow_i32x4(low, high);
        let bytes = u8x16_narrow_i16x8(words, words);
        v128_store64_lane::<0>(bytes, output.as_mut_ptr().add(at).cast());
    }
}

/// The activations of four channels, in 32 bits, from their sums without bias.
///
/// # Safety
/// `at`, the place of the first one in the residual, and three more lie in it.
#[inline]
unsafe fn requantized(span: &Span<'_>, channel: usize, at: usize, sum: v128) -> v128 {
    let requantization = span.requantization;
    let four = |from: &[i32; OUTPUTS]| {
        let four = &from[channel..channel + 4];
        // Safety: there are four.
        unsafe { v128_load(four.as_ptr().cast()) }
    };
    let sum = i32x4_add(sum, four(span.bias));
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

/// Points whose sums stay in registers with relaxed dot products.
#[cfg(target_feature = "relaxed-simd")]
const RELAXED_POINTS: usize = 4;

#[cfg(target_feature = "relaxed-simd")]
pub fn relaxed(span: &Span<'_>, output: &mut [u8]) {
    let points = span.run.points;
    for channel in (0..OUTPUTS).step_by(CHANNELS) {
        for first in (0..points).step_by(RELAXED_POINTS) {
            // Safety: as in `simd128`.
            unsafe {
                match points - first {
                    1 => relaxed_part::<1>(span, first, channel, output),
                    2 => relaxed_part::<2>(span, first, channel, output),
                    3 => relaxed_part::<3>(span, first, channel, output),
                    _ => relaxed_part::<RELAXED_POINTS>(span, first, channel, output),
                }
            }
        }
    }
}

/// Sums of [`CHANNELS`] channels from `channel` on, of `N` points from `first` on.
///
/// # Safety
/// As of [`part`].
#[cfg(target_feature = "relaxed-simd")]
#[inline]
unsafe fn relaxed_part<const N: usize>(
    span: &Span<'_>,
    first: usize,
    channel: usize,
    output: &mut [u8],
) {
    let inputs = span.inputs;
    let mut sums = [[i32x4_splat(0); 2]; N];
    // Safety: as above; there are two lines of weights for each four inputs of a tap.
    unsafe {
        let mut weights: *const v128 = span.weights.as_ptr().cast();
        weights = weights.add(channel / 4);
        for &tap in span.run.taps {
            let from = span.run.input.as_ptr().add(span.run.at + first * inputs).offset(tap);
            for quad in 0..inputs / 4 {
                let w = [v128_load(weights), v128_load(weights.add(1))];
                weights = weights.add(OUTPUTS / 4);
                for (point, sums) in sums.iter_mut().enumerate() {
                    let four = v128_load32_splat(from.add(point * inputs + quad * 4).cast());
                    for (sum, w) in sums.iter_mut().zip(w) {
                        *sum = i32x4_relaxed_dot_i8x16_i7x16_add(w, four, *sum);
                    }
                }
            }
        }
        for (point, sums) in sums.into_iter().enumerate() {
            let at = span.first_output + (first + point) * span.outputs + channel;
            store(span, channel, at, sums, output);
        }
    }
}
