//! The convolution with NEON, without and with dot products. Activations of seven bits fit signed
//! numbers of eight.

use super::{OUTPUTS, Span};
use std::arch::aarch64::*;
use std::arch::asm;

/// Points whose sums stay in registers with dot products: five times four registers of sums, five
/// of inputs and four of weights.
const DOT_POINTS: usize = 5;

/// The same without dot products: sums of pairs of inputs take two registers each.
const NEON_POINTS: usize = 2;

/// Output channels whose sums stay in registers: those of one line of weights.
const CHANNELS: usize = 16;

/// Bytes of the weights of four inputs and all channels.
const STEP: usize = 4 * OUTPUTS;

pub fn dot_product(span: &Span<'_>, output: &mut [u8]) {
    // Parts of nearly equal length read weights less often than full ones and a rest.
    let parts = span.run.points.div_ceil(DOT_POINTS);
    for part in 0..parts {
        let first = part * span.run.points / parts;
        let count = (part + 1) * span.run.points / parts - first;
        for half in 0..OUTPUTS / CHANNELS {
            // Safety: `Instructions::all` found the instructions, and `Instructions::convolve`
            // has checked that all taps of all points lie in the input, and the points in the
            // output and the residual.
            unsafe {
                match count {
                    1 => dot_part::<1>(span, first, half, output),
                    2 => dot_part::<2>(span, first, half, output),
                    3 => dot_part::<3>(span, first, half, output),
                    4 => dot_part::<4>(span, first, half, output),
                    _ => dot_part::<DOT_POINTS>(span, first, half, output),
                }
            }
        }
    }
}

pub fn neon(span: &Span<'_>, output: &mut [u8]) {
    for first in (0..span.run.points).step_by(NEON_POINTS) {
        for half in 0..OUTPUTS / CHANNELS {
            // Safety: as above.
            unsafe {
                if first + 1 == span.run.points {
                    neon_part::<1>(span, first, half, output);
                } else {
                    neon_part::<NEON_POINTS>(span, first, half, output);
                }
            }
        }
    }
}

/// Adds the products of the four inputs in a lane and four channels. The intrinsic of this
/// instruction is not stable yet.
#[inline]
#[target_feature(enable = "neon,dotprod")]
fn add_dot<const LANE: usize>(sums: int32x4_t, weights: int8x16_t, inputs: int8x16_t) -> int32x4_t {
    let mut result = sums;
    // Safety: it works only on registers.
    unsafe {
        asm!(
            "sdot {sums:v}.4s, {weights:v}.16b, {inputs:v}.4b[{lane}]",
            sums = inout(vreg) result,
            weights = in(vreg) weights,
            inputs = in(vreg) inputs,
            lane = const LANE,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    result
}

/// Adds the products of the four inputs in a lane and [`CHANNELS`] channels, for `N` points.
///
/// # Safety
/// There are as many weights.
#[inline]
#[target_feature(enable = "neon,dotprod")]
unsafe fn add_dots<const LANE: usize, const N: usize>(
    sums: &mut [[int32x4_t; 4]; N],
    weights: *const i8,
    inputs: &[int8x16_t; N],
) {
    // Safety: as above.
    let weights = unsafe { [0, 16, 32, 48].map(|at| vld1q_s8(weights.add(at))) };
    for (sums, &inputs) in sums.iter_mut().zip(inputs) {
        for (sum, &weights) in sums.iter_mut().zip(&weights) {
            *sum = add_dot::<LANE>(*sum, weights, inputs);
        }
    }
}

/// Sums of half of the channels of `N` points from `first` on.
///
/// # Safety
/// The processor has the features; all taps of the points lie in the input, and the points in the
/// output and the residual.
#[target_feature(enable = "neon,dotprod")]
unsafe fn dot_part<const N: usize>(span: &Span<'_>, first: usize, half: usize, output: &mut [u8]) {
    let inputs = span.inputs;
    // Safety: as above; there are two lines of weights for each four inputs of a tap.
    unsafe {
        let bias = span.bias.as_ptr().add(half * CHANNELS);
        let mut sums = [[0, 4, 8, 12].map(|at| vld1q_s32(bias.add(at))); N];
        let mut weights: *const i8 = span.weights.as_ptr().cast();
        weights = weights.add(half * 4 * CHANNELS);
        for &tap in span.run.taps {
            let from = span.run.input.as_ptr().add(span.run.at + first * inputs).offset(tap);
            let mut from: *const i8 = from.cast();
            for _ in 0..inputs / 16 {
                let mut of_points = [vdupq_n_s8(0); N];
                for (point, of_point) in of_points.iter_mut().enumerate() {
                    *of_point = vld1q_s8(from.add(point * inputs));
                }
                add_dots::<0, N>(&mut sums, weights, &of_points);
                add_dots::<1, N>(&mut sums, weights.add(STEP), &of_points);
                add_dots::<2, N>(&mut sums, weights.add(2 * STEP), &of_points);
                add_dots::<3, N>(&mut sums, weights.add(3 * STEP), &of_points);
                weights = weights.add(4 * STEP);
                from = from.add(16);
            }
            for _ in 0..inputs % 16 / 4 {
                let mut of_points = [vdupq_n_s8(0); N];
                for (point, of_point) in of_points.iter_mut().enumerate() {
                    let four = four_inputs(from.add(point * inputs));
                    *of_point = vcombine_s8(four, four);
                }
                add_dots::<0, N>(&mut sums, weights, &of_points);
                weights = weights.add(STEP);
                from = from.add(4);
            }
        }
        for (point, sums) in sums.into_iter().enumerate() {
            store(span, first + point, half, sums, output);
        }
    }
}

/// The same four inputs in both lanes.
///
/// # Safety
/// There are four.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn four_inputs(from: *const i8) -> int8x8_t {
    // Safety: as above.
    let four = unsafe { from.cast::<i32>().read_unaligned() };
    vreinterpret_s8_s32(vdup_n_s32(four))
}

/// As [`dot_part`], whose sums are those of pairs of inputs until the end.
///
/// # Safety
/// As of [`dot_part`].
#[target_feature(enable = "neon")]
unsafe fn neon_part<const N: usize>(span: &Span<'_>, first: usize, half: usize, output: &mut [u8]) {
    let inputs = span.inputs;
    // Safety: as above.
    unsafe {
        let mut sums = [[vdupq_n_s32(0); CHANNELS / 2]; N];
        let mut weights: *const i8 = span.weights.as_ptr().cast();
        weights = weights.add(half * 4 * CHANNELS);
        for &tap in span.run.taps {
            let from = span.run.input.as_ptr().add(span.run.at + first * inputs).offset(tap);
            let mut from: *const i8 = from.cast();
            // Two products of a weight and an activation fit 16 bits.
            for _ in 0..inputs / 8 {
                let mut of_points = [[vdup_n_s8(0); 2]; N];
                for (point, [four, next]) in of_points.iter_mut().enumerate() {
                    *four = four_inputs(from.add(point * inputs));
                    *next = four_inputs(from.add(point * inputs + 4));
                }
                for pair in 0..CHANNELS / 2 {
                    let w = vld1_s8(weights.add(8 * pair));
                    let v = vld1_s8(weights.add(STEP + 8 * pair));
                    for (sums, [four, next]) in sums.iter_mut().zip(of_points) {
                        let products = vmlal_s8(vmull_s8(w, four), v, next);
                        sums[pair] = vpadalq_s16(sums[pair], products);
                    }
                }
                weights = weights.add(2 * STEP);
                from = from.add(8);
            }
            if !inputs.is_multiple_of(8) {
                for (point, sums) in sums.iter_mut().enumerate() {
                    let four = four_inputs(from.add(point * inputs));
                    for (pair, sum) in sums.iter_mut().enumerate() {
                        let w = vld1_s8(weights.add(8 * pair));
                        *sum = vpadalq_s16(*sum, vmull_s8(w, four));
                    }
                }
                weights = weights.add(STEP);
            }
        }
        let bias = span.bias.as_ptr().add(half * CHANNELS);
        for (point, sums) in sums.into_iter().enumerate() {
            let mut of_point = [0, 4, 8, 12].map(|at| vld1q_s32(bias.add(at)));
            for (sum, [low, high]) in of_point.iter_mut().zip(sums.as_chunks().0) {
                *sum = vaddq_s32(*sum, vpaddq_s32(*low, *high));
            }
            store(span, first + point, half, of_point, output);
        }
    }
}

/// Stores the activations of half of the channels of a point.
///
/// # Safety
/// The point lies in the output and the residual.
#[inline]
#[target_feature(enable = "neon")]
unsafe fn store(
    span: &Span<'_>,
    point: usize,
    half: usize,
    sums: [int32x4_t; 4],
    output: &mut [u8],
) {
    let requantization = span.requantization;
    // Safety: as above; there are scales for all channels.
    unsafe {
        let load = |from: &[i32; OUTPUTS], group: usize| {
            vld1q_s32(from.as_ptr().add(half * CHANNELS + 4 * group))
        };
        let mut scaled = sums;
        for (group, sum) in scaled.iter_mut().enumerate() {
            let multiplier = load(&requantization.multiplier, group);
            let product = vmlaq_s32(load(&requantization.rounding, group), *sum, multiplier);
            // A shift to the left by less than nothing.
            *sum = vshlq_s32(product, vnegq_s32(load(&requantization.shift, group)));
        }
        let [a, b, c, d] = scaled;
        // Sums that saturate here are far beyond the largest activation, or below zero for good.
        let mut low = vcombine_s16(vqmovn_s32(a), vqmovn_s32(b));
        let mut high = vcombine_s16(vqmovn_s32(c), vqmovn_s32(d));
        let at = span.first_output + point * span.outputs + half * CHANNELS;
        if let Some(residual) = span.run.residual {
            let residual = vld1q_u8(residual.as_ptr().add(at));
            low = vqaddq_s16(low, vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(residual))));
            high = vqaddq_s16(high, vreinterpretq_s16_u16(vmovl_high_u8(residual)));
        }
        let bytes = vcombine_u8(vqmovun_s16(low), vqmovun_s16(high));
        vst1q_u8(output.as_mut_ptr().add(at), vminq_u8(bytes, vdupq_n_u8(127)));
    }
}
