//! From the weights of a trainer to a net in integers.
//!
//! `src/train/torch/fit.py` writes the weights: [`MAGIC`], the shape of the net as in its file, the
//! numbers layer by layer as `f32` (convolutions by output, tap, input; points of the heads by
//! output, channel; other layers by input, output), and the CRC-32 of the rest.

use crate::net::file::Reader;
use crate::net::layers::{ACTIVATION_UNIT, ConvolutionData, MAX_ACTIVATION, POOL_PARTS, SUM_LIMIT};
use crate::net::{BiasLayer, BiasedConvolution, BlockData, DenseLayer, Net, NetData, NetError};

pub const MAGIC: &[u8; 8] = b"kawariFW";

const PARTS: f32 = POOL_PARTS as f32;

/// The largest weight in integers.
const WEIGHT: f32 = 127.0;

const MAX_SHIFT: u8 = 8;

/// Makes a net of the bytes of a file of weights.
pub fn export(bytes: &[u8]) -> Result<Net, NetError> {
    let mut reader = Reader(bytes.strip_prefix(MAGIC).ok_or("not the weights of a net")?);
    reader.check(bytes)?;
    let shape = reader.shape()?;
    let floats = reader.floats(reader.0.len() / 4)?;
    if !reader.0.is_empty() || !floats.iter().all(|number| number.is_finite()) {
        return Err("not whole finite numbers".into());
    }
    let mut weights = Weights(&floats);
    let (taps, channels, pooled) = (shape.taps(), shape.channels, shape.pooled());
    let stem = weights.biased(taps, (shape.planes, shape.globals), channels)?;
    let blocks = (0..shape.blocks).map(|_| {
        Ok(BlockData {
            first: weights.biased(taps, (channels, pooled), channels)?,
            second: weights.convolution(taps * channels, channels)?,
        })
    });
    let blocks = blocks.collect::<Result<_, NetError>>()?;
    let head = weights.biased(1, (channels, pooled), shape.head_channels)?;
    let (point_weights, point_scale) =
        weights.points(shape.head_channels, shape.point_kinds + 1)?;
    let data = NetData {
        shape,
        stem,
        blocks,
        head,
        point_weights,
        point_scale,
        point_bias: weights.take(shape.point_kinds + 1)?.to_vec(),
        hidden: weights.dense(shape.hidden_inputs(), shape.hidden)?,
        values: weights.dense(shape.last_inputs(), shape.values())?,
    };
    if weights.0.is_empty() { Net::new(data) } else { Err(LENGTH.into()) }
}

const LENGTH: &str = "the number of weights does not fit the shape";

/// The weights that are left to read.
struct Weights<'a>(&'a [f32]);

impl<'a> Weights<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [f32], NetError> {
        let (weights, rest) = self.0.split_at_checked(count).ok_or(LENGTH)?;
        self.0 = rest;
        Ok(weights)
    }

    /// `added` is the number of inputs that add to the biases.
    fn biased(
        &mut self,
        taps: usize,
        (inputs, added): (usize, usize),
        outputs: usize,
    ) -> Result<BiasedConvolution, NetError> {
        let (weights, bias) = (self.take(taps * inputs * outputs)?, self.take(outputs)?);
        let added = self.take(added * outputs)?;
        let (convolution, scales) = quantized(weights, bias, added);
        Ok(BiasedConvolution { convolution, added: bias_layer(added, &scales) })
    }

    /// A `row` is the number of weights of an output.
    fn convolution(&mut self, row: usize, outputs: usize) -> Result<ConvolutionData, NetError> {
        let (weights, bias) = (self.take(row * outputs)?, self.take(outputs)?);
        Ok(quantized(weights, bias, &[]).0)
    }

    /// Weights, and the value of a unit of each output's sums.
    fn points(&mut self, channels: usize, outputs: usize) -> Result<(Vec<i8>, Vec<f32>), NetError> {
        let (mut weights, mut scales) = (Vec::new(), Vec::new());
        for row in self.take(channels * outputs)?.chunks_exact(channels) {
            let scale = largest(row.iter()).max(1e-9) / WEIGHT;
            weights.extend(row.iter().map(|w| (w / scale).round() as i8));
            scales.push(scale / ACTIVATION_UNIT);
        }
        Ok((weights, scales))
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Result<DenseLayer, NetError> {
        Ok(DenseLayer {
            weights: self.take(inputs * outputs)?.to_vec(),
            bias: self.take(outputs)?.to_vec(),
        })
    }
}

fn largest<'f>(numbers: impl Iterator<Item = &'f f32>) -> f32 {
    numbers.fold(0.0, |most: f32, number| most.max(number.abs()))
}

/// Returns also the scale of each output, which the weights of `added` must fit, too.
fn quantized(weights: &[f32], bias: &[f32], added: &[f32]) -> (ConvolutionData, Vec<f32>) {
    let outputs = bias.len();
    let mut data = ConvolutionData {
        weights: Vec::with_capacity(weights.len()),
        bias: Vec::new(),
        multiplier: Vec::new(),
        shift: Vec::new(),
    };
    let mut scales = Vec::new();
    let rows = weights.chunks_exact(weights.len() / outputs);
    for (output, (row, &bias)) in rows.zip(bias).enumerate() {
        let largest_added = largest(added.iter().skip(output).step_by(outputs));
        let least = (largest(row.iter()) / WEIGHT).max(largest_added / (PARTS * WEIGHT));
        let total: f32 = row.iter().map(|w| w.abs()).sum();
        // Sums with bias must fit, with as much again for the added part.
        let needed = total * MAX_ACTIVATION as f32 + 2.0 * bias.abs() * ACTIVATION_UNIT;
        let (multiplier, shift) = split(least.max(1.02 * needed / SUM_LIMIT as f32));
        let scale = f32::from(multiplier) / (1u32 << shift) as f32;
        let integer = |w: &f32| (w / scale).round().clamp(-WEIGHT, WEIGHT) as i8;
        data.weights.extend(row.iter().map(integer));
        data.bias.push((bias * ACTIVATION_UNIT / scale).round() as i32);
        data.multiplier.push(multiplier);
        data.shift.push(shift);
        scales.push(scale);
    }
    (data, scales)
}

/// Weights are in units of the sums.
fn bias_layer(added: &[f32], scales: &[f32]) -> BiasLayer {
    let in_sums = added.iter().zip(scales.iter().cycle());
    let in_sums: Vec<f32> = in_sums.map(|(w, scale)| w / (PARTS * scale)).collect();
    let largest = largest(in_sums.iter());
    let fits = |shift: &u8| largest * (1u32 << shift) as f32 <= WEIGHT;
    let shift = (0..=MAX_SHIFT).rev().find(fits).unwrap_or(0);
    let integer = |w: &f32| (w * (1u32 << shift) as f32).round().clamp(-WEIGHT, WEIGHT) as i8;
    BiasLayer { weights: in_sums.iter().map(integer).collect(), shift }
}

/// A multiplier of 64 to 127 and a shift, whose quotient is the smallest from `scale` on.
fn split(scale: f32) -> (u8, u8) {
    for shift in (1..=24u8).rev() {
        let multiplier = (scale * (1u32 << shift) as f32).ceil();
        if multiplier <= WEIGHT {
            return (multiplier.max(64.0) as u8, shift);
        }
    }
    (127, 1)
}

#[cfg(test)]
mod tests {
    use super::{MAGIC, export};
    use crate::board::Random;
    use crate::net::Shape;
    use crate::net::file::with_checksum;

    const SHAPE: Shape = Shape {
        planes: 4,
        globals: 2,
        channels: 32,
        blocks: 1,
        head_channels: 32,
        point_kinds: 1,
        board_kinds: 2,
        hidden: 8,
        layered: true,
    };

    /// 11 taps; stem, block, head, points, values.
    const COUNT: usize = 32 * 11 * 4
        + 32
        + 2 * 32
        + 2 * (32 * 11 * 32 + 32)
        + 96 * 32
        + 32 * 32
        + 32
        + 96 * 32
        + 2 * 33
        + (96 + 3) * 8
        + 8
        + 9 * 7
        + 7;

    fn file(count: usize, number: impl FnMut(usize) -> f32) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(SHAPE.to_bytes());
        bytes.extend((0..count).map(number).flat_map(f32::to_le_bytes));
        with_checksum(bytes)
    }

    #[test]
    fn integers_are_near_the_weights() {
        let mut random = Random::new(3);
        let numbers: Vec<f32> = (0..COUNT).map(|_| random.fraction() - 0.5).collect();
        let net = export(&file(COUNT, |at| numbers[at])).expect("a net");
        let stem = &net.data().stem.convolution;
        for (at, &weight) in stem.weights.iter().enumerate() {
            let output = at / (11 * 4);
            let scale = f32::from(stem.multiplier[output]) / (1u32 << stem.shift[output]) as f32;
            let off = (f32::from(weight) * scale - numbers[at]).abs();
            assert!(off <= scale, "{at}: {off}");
        }
        let values = &net.data().values;
        assert_eq!(values.bias, numbers[COUNT - 7..]);
    }

    #[test]
    fn damage_and_other_shapes_are_refused() {
        let whole = file(COUNT, |_| 0.25);
        assert!(export(&whole).is_ok());
        for cut in [0, 7, 30, whole.len() - 1] {
            assert!(export(&whole[..cut]).is_err(), "{cut}");
        }
        for count in [COUNT - 1, COUNT + 1] {
            assert!(export(&file(count, |_| 0.25)).is_err(), "{count}");
        }
        assert!(export(&file(COUNT, |at| if at == 9 { f32::NAN } else { 0.0 })).is_err());
        let mut changed = whole.clone();
        changed[100] ^= 1;
        assert!(export(&changed).is_err());
    }
}
