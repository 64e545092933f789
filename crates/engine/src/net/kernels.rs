//! A convolution over a run of points, with identical results on every set of instructions: plain
//! code, AVX2, AVX-VNNI, AVX-512 VNNI, NEON without and with dot products, and the two sets of
//! WebAssembly. Activations have seven bits and weights eight, so pairs of products fit the
//! 16 bits of AVX2, and sums are exact in 32 bits. The loops keep up to [`MAX_RUN`] points times 32
//! channels in registers.

use super::layers::{CacheLine, Convolution, OUTPUTS, Requantization, Sixteen};

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

/// Private, so that no caller makes a set that the processor lacks. From the slowest to the
/// fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Vnni,
    #[cfg(target_arch = "aarch64")]
    Neon,
    #[cfg(target_arch = "aarch64")]
    DotProduct,
    /// The whole module is compiled for it, or not at all.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
    /// As [`Set::Simd128`].
    #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
    RelaxedSimd,
}

impl Set {
    const ALL: &[Set] = &[
        Set::Plain,
        #[cfg(target_arch = "x86_64")]
        Set::Avx2,
        #[cfg(target_arch = "x86_64")]
        Set::AvxVnni,
        #[cfg(target_arch = "x86_64")]
        Set::Vnni,
        #[cfg(target_arch = "aarch64")]
        Set::Neon,
        #[cfg(target_arch = "aarch64")]
        Set::DotProduct,
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        Set::Simd128,
        #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
        Set::RelaxedSimd,
    ];

    fn is_here(self) -> bool {
        match self {
            Set::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Set::AvxVnni => Set::Avx2.is_here() && is_x86_feature_detected!("avxvnni"),
            #[cfg(target_arch = "x86_64")]
            Set::Vnni => {
                Set::Avx2.is_here()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(target_arch = "aarch64")]
            Set::Neon => std::arch::is_aarch64_feature_detected!("neon"),
            #[cfg(target_arch = "aarch64")]
            Set::DotProduct => {
                Set::Neon.is_here() && std::arch::is_aarch64_feature_detected!("dotprod")
            }
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128 => true,
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Set::RelaxedSimd => true,
        }
    }
}

impl Instructions {
    /// Plain code, which every processor runs.
    pub const PLAIN: Instructions = Instructions(Set::Plain);

    /// The best that this processor has.
    pub fn best() -> Instructions {
        Instructions::all().last().unwrap_or(Instructions::PLAIN)
    }

    /// All that this processor has, from the slowest to the fastest.
    pub fn all() -> impl Iterator<Item = Instructions> {
        Set::ALL.iter().copied().filter(|set| set.is_here()).map(Instructions)
    }

    /// Words for the sets of instructions of all processors for which the program is built. Those of
    /// WebAssembly are not chosen: a program is compiled for one of them.
    pub const NAMES: &[&str] =
        &["plain", "avx2", "avx-vnni", "avx512-vnni", "neon", "neon-dotprod"];

    /// The set with this name, if this processor has it.
    pub fn by_name(name: &str) -> Option<Instructions> {
        Instructions::all().find(|set| set.name() == name)
    }

    /// Its word in [`NAMES`](Self::NAMES).
    pub fn name(self) -> &'static str {
        match self.0 {
            Set::Plain => "plain",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::AvxVnni => "avx-vnni",
            #[cfg(target_arch = "x86_64")]
            Set::Vnni => "avx512-vnni",
            #[cfg(target_arch = "aarch64")]
            Set::Neon => "neon",
            #[cfg(target_arch = "aarch64")]
            Set::DotProduct => "neon-dotprod",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128 => "simd128",
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Set::RelaxedSimd => "relaxed-simd",
        }
    }

    /// Compiles `work` for these instructions, as far as the compiler inlines it.
    #[inline]
    pub fn dispatch<R>(self, work: impl FnOnce() -> R) -> R {
        match self.0 {
            Set::Plain => work(),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 | Set::AvxVnni => x86::with_avx2(work),
            #[cfg(target_arch = "x86_64")]
            Set::Vnni => x86::with_vnni(work),
            // All that these processors have for it is what the compiler may always use.
            #[cfg(not(target_arch = "x86_64"))]
            _ => work(),
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
            requantization,
            bias,
            first_output: run.output_at + block * OUTPUTS,
        };
        match self.0 {
            Set::Plain => plain(&span, layer.rows(block), output),
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => x86::avx2(&span, output),
            #[cfg(target_arch = "x86_64")]
            Set::AvxVnni => x86::avx_vnni(&span, output),
            #[cfg(target_arch = "x86_64")]
            Set::Vnni => x86::vnni(&span, output),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Set::Simd128 => wasm::simd128(&span, layer.wide_block(block), output),
            #[cfg(all(target_arch = "wasm32", target_feature = "relaxed-simd"))]
            Set::RelaxedSimd => wasm::relaxed(&span, output),
            #[cfg(target_arch = "aarch64")]
            Set::Neon => aarch64::neon(&span, output),
            #[cfg(target_arch = "aarch64")]
            Set::DotProduct => aarch64::dot_product(&span, output),
        }
    }
}

/// A run whose bounds are checked.
struct Span<'a> {
    run: &'a Run<'a>,
    inputs: usize,
    outputs: usize,
    #[cfg_attr(
        all(target_arch = "wasm32", not(target_feature = "relaxed-simd")),
        expect(dead_code, reason = "its kernels have weights in other orders")
    )]
    weights: &'a [CacheLine],
    requantization: &'a Requantization,
    bias: &'a [i32; OUTPUTS],
    first_output: usize,
}

/// Sums of products along rows of weights and the inputs of a point: compilers make of them what
/// every processor has for pairs of 16 bits.
fn plain(span: &Span<'_>, rows: &[Sixteen], output: &mut [u8]) {
    let Span { run, inputs, .. } = *span;
    let length = rows.len() / OUTPUTS;
    let mut patch = vec![[0; 16]; length];
    for point in 0..run.points {
        let numbers = patch.as_flattened_mut().chunks_exact_mut(inputs);
        for (tap, numbers) in run.taps.iter().zip(numbers) {
            let from = run.at.wrapping_add_signed(*tap) + point * inputs;
            for (number, &input) in numbers.iter_mut().zip(&run.input[from..from + inputs]) {
                *number = i16::from(input);
            }
        }
        let at = span.first_output + point * span.outputs;
        for (channel, row) in rows.chunks_exact(length).enumerate() {
            let sum = span.bias[channel] + product(row, &patch);
            let residual = run.residual.map_or(0, |residual| residual[at + channel]);
            output[at + channel] = span.requantization.apply(channel, sum, residual);
        }
    }
}

/// Sixteen sums side by side, which compilers turn into instructions for many numbers at a time.
#[inline]
fn product(weights: &[Sixteen], inputs: &[Sixteen]) -> i32 {
    let mut sums = [0; 16];
    for (weights, inputs) in weights.iter().zip(inputs) {
        for lane in 0..16 {
            sums[lane] += i32::from(weights[lane]) * i32::from(inputs[lane]);
        }
    }
    sums.iter().sum()
}

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86;

#[cfg(target_arch = "aarch64")]
#[allow(unsafe_code)]
mod aarch64;

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[allow(unsafe_code)]
mod wasm;
