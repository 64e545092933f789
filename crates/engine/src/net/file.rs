//! Nets as bytes: a header, the numbers layer by layer, and a checksum.
//!
//! Numbers are little-endian. The header has a magic word, the version, the id of the variant and
//! the shape, which decides how many numbers follow. The last four bytes are the CRC-32 of the
//! rest.

use super::data::{
    BiasLayer, BiasedConvolution, BlockData, DenseLayer, NetData, NetError, SHAPE, Shape,
};
use super::layers::ConvolutionData;
use super::model::Net;

const MAGIC: &[u8; 8] = b"kawariNN";

/// The version of the format.
pub const VERSION: u16 = 1;

/// The error of bytes that end too early or too late.
const LENGTH: &str = "cut short or too long";

impl Net {
    /// Writes a net for the variant with this id.
    pub fn to_bytes(&self, variant: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(variant.len().min(255) as u8);
        bytes.extend(variant.bytes().take(255));
        let data = self.data();
        bytes.extend(data.shape.to_bytes());
        let mut writer = Writer(bytes);
        writer.biased(&data.stem);
        for block in &data.blocks {
            writer.biased(&block.first);
            writer.convolution(&block.second);
        }
        writer.biased(&data.head);
        writer.integers(&data.point_weights);
        writer.floats(&data.point_scale);
        writer.floats(&data.point_bias);
        for layer in [&data.hidden, &data.values] {
            writer.floats(&layer.weights);
            writer.floats(&layer.bias);
        }
        with_checksum(writer.0)
    }

    /// Reads the net of a file, which must be for the variant with this id.
    ///
    /// # Errors
    /// [`NetError`] if the bytes are not a whole net for this variant.
    pub fn from_bytes(bytes: &[u8], variant: &str) -> Result<Net, NetError> {
        match Net::with_variant(bytes)? {
            (id, net) if id == variant => Ok(net),
            (id, _) => Err(format!("a net for {id:?}").into()),
        }
    }

    /// Reads the net of a file and the id of its variant.
    ///
    /// # Errors
    /// [`NetError`] if the bytes are not a whole net.
    pub fn with_variant(bytes: &[u8]) -> Result<(String, Net), NetError> {
        let mut reader = Reader(bytes.strip_prefix(MAGIC).ok_or("not a net")?);
        match reader.short()? {
            VERSION => {}
            other => {
                let why = format!("version {other} of nets; this program reads version {VERSION}");
                return Err(why.into());
            }
        }
        reader.check(bytes)?;
        let id = usize::from(reader.byte()?);
        let id = String::from_utf8_lossy(reader.take(id)?).into_owned();
        let shape = reader.shape()?;
        let net = Net::new(reader.data(shape)?)?;
        if reader.0.is_empty() { Ok((id, net)) } else { Err(LENGTH.into()) }
    }
}

impl Shape {
    /// Two bytes per number.
    pub fn to_bytes(mut self) -> impl Iterator<Item = u8> {
        let numbers = self.numbers().map(|number| *number as u16);
        numbers.into_iter().chain([self.layered.into()]).flat_map(u16::to_le_bytes)
    }

    /// The numbers in the order of files.
    fn numbers(&mut self) -> [&mut usize; 8] {
        [
            &mut self.planes,
            &mut self.globals,
            &mut self.channels,
            &mut self.blocks,
            &mut self.head_channels,
            &mut self.point_kinds,
            &mut self.board_kinds,
            &mut self.hidden,
        ]
    }
}

/// Appends the CRC-32.
pub fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

struct Writer(Vec<u8>);

impl Writer {
    fn integers(&mut self, numbers: &[i8]) {
        self.0.extend(numbers.iter().map(|n| n.cast_unsigned()));
    }

    fn floats(&mut self, numbers: &[f32]) {
        self.0.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
    }

    fn convolution(&mut self, layer: &ConvolutionData) {
        self.integers(&layer.weights);
        self.0.extend(layer.bias.iter().flat_map(|n| n.to_le_bytes()));
        self.0.extend(&layer.multiplier);
        self.0.extend(&layer.shift);
    }

    fn biased(&mut self, layer: &BiasedConvolution) {
        self.convolution(&layer.convolution);
        self.integers(&layer.added.weights);
        self.0.push(layer.added.shift);
    }
}

type ReadResult<T> = Result<T, &'static str>;

pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn check(&mut self, whole: &[u8]) -> ReadResult<()> {
        let (rest, checksum) = self.0.split_last_chunk().ok_or(LENGTH)?;
        let summed = whole.len() - checksum.len();
        self.0 = rest;
        match whole.get(..summed).map(crc32fast::hash) {
            Some(sum) if sum == u32::from_le_bytes(*checksum) => Ok(()),
            _ => Err("damaged: the checksum does not match"),
        }
    }

    fn take(&mut self, count: usize) -> ReadResult<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(LENGTH)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub fn array<const N: usize>(&mut self) -> ReadResult<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(LENGTH)?;
        self.0 = rest;
        Ok(*bytes)
    }

    fn byte(&mut self) -> ReadResult<u8> {
        self.array().map(|[byte]| byte)
    }

    fn short(&mut self) -> ReadResult<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn integers(&mut self, count: usize) -> ReadResult<Vec<i8>> {
        Ok(self.take(count)?.iter().map(|n| n.cast_signed()).collect())
    }

    /// Four bytes each.
    fn words<T>(&mut self, count: usize, read: fn([u8; 4]) -> T) -> ReadResult<Vec<T>> {
        let (words, _) = self.take(4 * count)?.as_chunks();
        Ok(words.iter().copied().map(read).collect())
    }

    pub fn floats(&mut self, count: usize) -> ReadResult<Vec<f32>> {
        self.words(count, f32::from_le_bytes)
    }

    pub fn shape(&mut self) -> ReadResult<Shape> {
        let mut shape = Shape::default();
        for number in shape.numbers() {
            *number = self.short()?.into();
        }
        let layered = self.short()?;
        shape.layered = layered == 1;
        if layered <= 1 && shape.is_valid() { Ok(shape) } else { Err(SHAPE) }
    }

    fn convolution(
        &mut self,
        taps: usize,
        inputs: usize,
        outputs: usize,
    ) -> ReadResult<ConvolutionData> {
        Ok(ConvolutionData {
            weights: self.integers(taps * inputs * outputs)?,
            bias: self.words(outputs, i32::from_le_bytes)?,
            multiplier: self.take(outputs)?.to_vec(),
            shift: self.take(outputs)?.to_vec(),
        })
    }

    /// `added` is the number of inputs that add to the biases.
    fn biased(
        &mut self,
        taps: usize,
        (inputs, added): (usize, usize),
        outputs: usize,
    ) -> ReadResult<BiasedConvolution> {
        let convolution = self.convolution(taps, inputs, outputs)?;
        let weights = self.integers(added * outputs)?;
        Ok(BiasedConvolution { convolution, added: BiasLayer { weights, shift: self.byte()? } })
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> ReadResult<DenseLayer> {
        Ok(DenseLayer { weights: self.floats(inputs * outputs)?, bias: self.floats(outputs)? })
    }

    fn data(&mut self, shape: Shape) -> ReadResult<NetData> {
        let (taps, channels, pooled) = (shape.taps(), shape.channels, shape.pooled());
        let outputs = shape.point_kinds + 1;
        let stem = self.biased(taps, (shape.planes, shape.globals), channels)?;
        let blocks = (0..shape.blocks).map(|_| {
            Ok(BlockData {
                first: self.biased(taps, (channels, pooled), channels)?,
                second: self.convolution(taps, channels, channels)?,
            })
        });
        let blocks = blocks.collect::<ReadResult<_>>()?;
        Ok(NetData {
            shape,
            stem,
            blocks,
            head: self.biased(1, (channels, pooled), shape.head_channels)?,
            point_weights: self.integers(outputs * shape.head_channels)?,
            point_scale: self.floats(outputs)?,
            point_bias: self.floats(outputs)?,
            hidden: self.dense(shape.hidden_inputs(), shape.hidden)?,
            values: self.dense(shape.last_inputs(), shape.values())?,
        })
    }
}
