//! Layers for the kernels: weights in cache lines, and scales.

use std::sync::OnceLock;

/// Output channels that a kernel computes at a time.
pub const OUTPUTS: usize = 32;

/// The largest activation: seven bits.
pub const MAX_ACTIVATION: i32 = 127;

/// The activation that stands for 1.
pub const ACTIVATION_UNIT: f32 = 64.0;

/// Pooled numbers and board inputs count in these parts of a unit.
pub const POOL_PARTS: i32 = 16;

/// Bound of sums with their bias, so that 32 bits hold a sum times a multiplier.
pub const SUM_LIMIT: i32 = (1 << 24) - (1 << 18);

/// 64 weights: four inputs each of 16 output channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct CacheLine([i8; 64]);

/// Weights of one output, or inputs of one point, as plain code reads them.
pub(super) type Sixteen = [i16; 16];

/// Output channels that the kernel of WebAssembly computes at a time.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(super) const WIDE_OUTPUTS: usize = 8;

/// Weights in 16 bits: four inputs each of [`WIDE_OUTPUTS`] output channels.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct WideLine([i16; 32]);

/// How sums become activations: times a multiplier of seven bits, rounded, shifted right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requantization {
    pub(super) multiplier: [i32; OUTPUTS],
    pub(super) rounding: [i32; OUTPUTS],
    pub(super) shift: [i32; OUTPUTS],
}

impl Requantization {
    fn new(data: &ConvolutionData, first: usize) -> Requantization {
        Requantization {
            multiplier: std::array::from_fn(|at| i32::from(data.multiplier[first + at])),
            rounding: std::array::from_fn(|at| 1 << (data.shift[first + at] - 1)),
            shift: std::array::from_fn(|at| i32::from(data.shift[first + at])),
        }
    }

    /// The residual is added before clamping.
    #[inline]
    pub(super) fn apply(&self, channel: usize, sum: i32, residual: u8) -> u8 {
        let product = sum * self.multiplier[channel] + self.rounding[channel];
        let result = (product >> self.shift[channel]) + i32::from(residual);
        result.clamp(0, MAX_ACTIVATION) as u8
    }
}

/// A quantized convolution: inputs in fours, outputs in blocks of [`OUTPUTS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Convolution {
    taps: usize,
    inputs: usize,
    outputs: usize,
    /// By block of outputs, tap, four inputs: two lines.
    weights: Vec<CacheLine>,
    /// The same by block of outputs, [`WIDE_OUTPUTS`] of them, tap, four inputs.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    wide: OnceLock<Vec<WideLine>>,
    /// The same by output, tap, input, with zeros at the end; only once plain code asks for them.
    rows: OnceLock<Vec<Sixteen>>,
    /// By output channel, in units of the sums.
    bias: Vec<i32>,
    requantization: Vec<Requantization>,
    /// By output channel: the largest bias that cannot overflow.
    headroom: Vec<i32>,
}

/// A convolution as files keep it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvolutionData {
    /// By output, tap, input.
    pub weights: Vec<i8>,
    /// By output, in units of the sums.
    pub bias: Vec<i32>,
    /// By output, 0 to 127: the factor of sums.
    pub multiplier: Vec<u8>,
    /// By output, 1 to 24: bits shifted out of the products.
    pub shift: Vec<u8>,
}

impl Convolution {
    /// Arranges the weights for the kernels.
    ///
    /// # Errors
    /// The reason why the numbers do not fit each other, or why a sum could overflow.
    pub fn new(
        taps: usize,
        inputs: usize,
        outputs: usize,
        data: &ConvolutionData,
    ) -> Result<Convolution, &'static str> {
        let fits = inputs > 0
            && inputs.is_multiple_of(4)
            && outputs > 0
            && outputs.is_multiple_of(OUTPUTS)
            && data.weights.len() == taps * inputs * outputs
            && [data.bias.len(), data.multiplier.len(), data.shift.len()] == [outputs; 3];
        if !fits {
            return Err("numbers of weights, biases and scales do not fit the shape");
        }
        let scales = data.multiplier.iter().zip(&data.shift);
        if !scales.clone().all(|(&m, &s)| m < 128 && (1..=24).contains(&s)) {
            return Err("multipliers are 0 to 127 and shifts 1 to 24");
        }
        let row = taps * inputs;
        let rows = data.weights.chunks_exact(row).zip(&data.bias);
        let headroom =
            rows.map(|(weights, &bias)| headroom(weights, bias)).collect::<Result<_, _>>()?;
        let weights = lines(&data.weights, row);
        let blocks = (0..outputs).step_by(OUTPUTS);
        Ok(Convolution {
            taps,
            inputs,
            outputs,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            wide: OnceLock::new(),
            rows: OnceLock::new(),
            weights,
            bias: data.bias.clone(),
            requantization: blocks.map(|first| Requantization::new(data, first)).collect(),
            headroom,
        })
    }

    /// Input channels.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Output channels.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    pub fn taps(&self) -> usize {
        self.taps
    }

    pub(super) fn block(&self, block: usize) -> &[CacheLine] {
        let lines = self.taps * self.inputs / 2;
        &self.weights[block * lines..(block + 1) * lines]
    }

    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    pub(super) fn wide_block(&self, block: usize) -> &[WideLine] {
        let lines = self.taps * self.inputs;
        let narrow = self.weights.chunks_exact(lines / 2);
        let wide = self.wide.get_or_init(|| narrow.flat_map(widened).collect());
        &wide[block * lines..(block + 1) * lines]
    }

    /// The rows of the outputs of a block.
    pub(super) fn rows(&self, block: usize) -> &[Sixteen] {
        let length = (self.taps * self.inputs).div_ceil(16);
        let rows = self.rows.get_or_init(|| {
            let mut rows = vec![[0; 16]; self.outputs * length];
            for (output, row) in rows.chunks_exact_mut(length).enumerate() {
                self.fill_row(output, row.as_flattened_mut());
            }
            rows
        });
        &rows[block * OUTPUTS * length..][..OUTPUTS * length]
    }

    fn fill_row(&self, output: usize, row: &mut [i16]) {
        let (half, at) = (output % OUTPUTS / 16, output % 16 * 4);
        let (pairs, _) = self.block(output / OUTPUTS).as_chunks::<2>();
        for (numbers, pair) in row.as_chunks_mut::<4>().0.iter_mut().zip(pairs) {
            for (number, &weight) in numbers.iter_mut().zip(&pair[half].0[at..]) {
                *number = i16::from(weight);
            }
        }
    }

    pub(super) fn requantization(&self, block: usize) -> &Requantization {
        &self.requantization[block]
    }

    /// Adds numbers to the bias, clamped where a sum could overflow.
    pub(super) fn bias(&self, block: usize, added: &[i32]) -> [i32; OUTPUTS] {
        std::array::from_fn(|at| {
            let channel = block * OUTPUTS + at;
            let added = added.get(channel).copied().unwrap_or(0);
            let room = self.headroom[channel];
            self.bias[channel].saturating_add(added).clamp(-room, room)
        })
    }
}

fn headroom(weights: &[i8], bias: i32) -> Result<i32, &'static str> {
    let total: i64 = weights.iter().map(|&w| i64::from(w.unsigned_abs())).sum();
    let room = i64::from(SUM_LIMIT) - total * i64::from(MAX_ACTIVATION);
    if i64::from(bias).abs() <= room {
        Ok(room as i32)
    } else {
        Err("weights of a channel are too large together")
    }
}

/// A `row` has the weights of one output.
fn lines(weights: &[i8], row: usize) -> Vec<CacheLine> {
    let mut lines = Vec::with_capacity(weights.len() / 64);
    for block in weights.chunks_exact(OUTPUTS * row) {
        for from in (0..row).step_by(4) {
            for half in block.chunks_exact(OUTPUTS / 2 * row) {
                lines.push(CacheLine(std::array::from_fn(|at| half[at / 4 * row + from + at % 4])));
            }
        }
    }
    lines
}

/// In 16 bits.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
fn widened(lines: &[CacheLine]) -> impl Iterator<Item = WideLine> {
    const IN_LINE: usize = 16 / WIDE_OUTPUTS;
    (0..OUTPUTS / WIDE_OUTPUTS).flat_map(move |part| {
        let lines = lines.iter().skip(part / IN_LINE).step_by(2);
        let first = part % IN_LINE * 32;
        lines.map(move |line| WideLine(std::array::from_fn(|at| i16::from(line.0[first + at]))))
    })
}
