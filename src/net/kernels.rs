//! A convolution over a run of points: plain, with AVX2, AVX-512 VNNI and WebAssembly, with
//! identical results. Activations have seven bits and weights eight, so pairs of products fit the
//! 16 bits of AVX2, and sums are exact in 32 bits. The loops keep up to [`MAX_RUN`] points times 32
//! channels in registers.

use super::layers::{Convolution, Line, OUTPUTS, Requantization};

/// Maximum length of a run: 13 of 32 sums fill the registers of AVX-512.
pub const MAX_RUN: usize = 13;

/// Input and output of a convolution over one run of points. Offsets are in bytes.
pub struct Run<'a> {
    /// Activations of all input channels, point by point.
    pub input: &'a [u8],
    /// Index of the first point of the run in `input`.
    pub at: usize,
    /// Added to `at`: where the point of each tap lies.
    pub taps: &'a [isize],
    /// Numbers of points.
    pub points: usize,
    /// Activations added to the results before they are cut off at zero.
    pub residual: Option<&'a [u8]>,
    /// Index of the first point of the run in the output and the residual.
    pub output_at: usize,
}

/// A set of instructions that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instructions(Set);

/// Private, so that no caller makes a set that the processor lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Vnni,
    /// The whole module is compiled for it, or not at all.
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

    /// Compiles `work` for these instructions, as far as the compiler inlines it.
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

    /// Convolves one run of at most [`MAX_RUN`] points with the weights of one
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
        assert!(run.points <= MAX_RUN && weights.len() == run.taps.len() * inputs / 2);
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

/// A run whose bounds are checked.
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
mod x86;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod wasm;
