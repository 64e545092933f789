//! Nets as bytes: a header, the numbers layer by layer, and a checksum.
//!
//! All numbers are little-endian. The header holds a magic word, the version of
//! the format, the id of the variant and the shape; the shape alone says how many
//! numbers follow. The last four bytes are the CRC-32 of all before.

use super::layers::{ConvolutionData, LayerError};
use super::model::{BiasLayer, BlockData, DenseLayer, Net, NetData, Shape};

const MAGIC: &[u8; 8] = b"kawariNN";

/// The version of the format that this program writes and reads.
pub const VERSION: u16 = 1;

/// The reason why bytes are not a net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetError {
    /// Wrong magic number.
    #[error("not a net")]
    Magic,
    /// Another version of the format.
    #[error("version {0} of nets; this program reads version {VERSION}")]
    Version(u16),
    /// Cut short, or too long.
    #[error("cut short or too long")]
    Length,
    /// The checksum does not match.
    #[error("damaged: the checksum does not match")]
    Checksum,
    /// The net is for another game.
    #[error("a net for {0:?}")]
    Variant(String),
    /// An impossible shape, or numbers that do not fit it.
    #[error("the shape of the net is invalid")]
    Shape,
    /// An unusable layer.
    #[error("{0}")]
    Layer(#[from] LayerError),
}

impl Net {
    /// The bytes of the net, for the variant with this id.
    pub fn to_bytes(&self, variant: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(variant.len().min(255) as u8);
        bytes.extend(variant.bytes().take(255));
        let data = self.data();
        bytes.extend(data.shape.to_bytes());
        let mut writer = Writer(bytes);
        writer.convolution(&data.stem);
        writer.bias_layer(&data.globals);
        for block in &data.blocks {
            writer.convolution(&block.first);
            writer.bias_layer(&block.pooled);
            writer.convolution(&block.second);
        }
        writer.convolution(&data.head);
        writer.bias_layer(&data.head_pooled);
        writer.integers(&data.point_weights);
        writer.floats(&data.point_scale);
        writer.floats(&data.point_bias);
        for layer in [&data.hidden, &data.values] {
            writer.floats(&layer.weights);
            writer.floats(&layer.bias);
        }
        with_checksum(writer.0)
    }

    /// The net of these bytes, for the variant with this id.
    ///
    /// # Errors
    /// [`NetError`]: nothing but a whole net for this variant is taken.
    pub fn from_bytes(bytes: &[u8], variant: &str) -> Result<Net, NetError> {
        match Net::with_variant(bytes)? {
            (id, net) if id == variant => Ok(net),
            (id, _) => Err(NetError::Variant(id)),
        }
    }

    /// The net of these bytes, and the id of its variant.
    ///
    /// # Errors
    /// [`NetError`]: nothing but a whole net is taken.
    pub fn with_variant(bytes: &[u8]) -> Result<(String, Net), NetError> {
        let mut reader = Reader(bytes.strip_prefix(MAGIC).ok_or(NetError::Magic)?);
        match reader.short()? {
            VERSION => {}
            other => return Err(NetError::Version(other)),
        }
        reader.check(bytes)?;
        let id = usize::from(reader.byte()?);
        let id = String::from_utf8_lossy(reader.take(id)?).into_owned();
        let shape = reader.shape()?;
        let net = Net::new(reader.data(shape)?)?;
        if reader.0.is_empty() { Ok((id, net)) } else { Err(NetError::Length) }
    }
}

impl Shape {
    const FIELDS: usize = 9;

    /// Two bytes per number.
    pub(crate) fn to_bytes(self) -> impl Iterator<Item = u8> {
        let fields: [usize; Shape::FIELDS] = [
            self.planes,
            self.globals,
            self.channels,
            self.blocks,
            self.head_channels,
            self.point_kinds,
            self.board_kinds,
            self.hidden,
            usize::from(self.layered),
        ];
        fields.into_iter().flat_map(|n| (n as u16).to_le_bytes())
    }

    /// `None` if no net has this shape.
    fn from_fields(fields: [usize; Shape::FIELDS]) -> Option<Shape> {
        let [
            planes,
            globals,
            channels,
            blocks,
            head_channels,
            point_kinds,
            board_kinds,
            hidden,
            layered,
        ] = fields;
        let shape = Shape {
            planes,
            globals,
            channels,
            blocks,
            head_channels,
            point_kinds,
            board_kinds,
            hidden,
            layered: layered == 1,
        };
        (layered <= 1 && shape.is_valid()).then_some(shape)
    }
}

/// Appends the CRC-32.
pub(crate) fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
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

    fn bias_layer(&mut self, layer: &BiasLayer) {
        self.integers(&layer.weights);
        self.0.push(layer.shift);
    }
}

pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    /// Removes and compares the checksum at the end.
    pub(crate) fn check(&mut self, whole: &[u8]) -> Result<(), NetError> {
        let (rest, checksum) = self.0.split_last_chunk().ok_or(NetError::Length)?;
        let summed = whole.len() - checksum.len();
        self.0 = rest;
        match whole.get(..summed).map(crc32fast::hash) {
            Some(sum) if sum == u32::from_le_bytes(*checksum) => Ok(()),
            _ => Err(NetError::Checksum),
        }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], NetError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(NetError::Length)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], NetError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(NetError::Length)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn byte(&mut self) -> Result<u8, NetError> {
        self.array().map(|[byte]| byte)
    }

    fn short(&mut self) -> Result<u16, NetError> {
        self.array().map(u16::from_le_bytes)
    }

    fn integers(&mut self, count: usize) -> Result<Vec<i8>, NetError> {
        Ok(self.take(count)?.iter().map(|n| n.cast_signed()).collect())
    }

    /// Four bytes each.
    fn words<T>(&mut self, count: usize, read: fn([u8; 4]) -> T) -> Result<Vec<T>, NetError> {
        let (words, _) = self.take(4 * count)?.as_chunks();
        Ok(words.iter().copied().map(read).collect())
    }

    pub(crate) fn floats(&mut self, count: usize) -> Result<Vec<f32>, NetError> {
        self.words(count, f32::from_le_bytes)
    }

    pub(crate) fn shape(&mut self) -> Result<Shape, NetError> {
        let mut fields = [0; Shape::FIELDS];
        for field in &mut fields {
            *field = self.short()?.into();
        }
        Shape::from_fields(fields).ok_or(NetError::Shape)
    }

    fn convolution(
        &mut self,
        taps: usize,
        inputs: usize,
        outputs: usize,
    ) -> Result<ConvolutionData, NetError> {
        Ok(ConvolutionData {
            weights: self.integers(taps * inputs * outputs)?,
            bias: self.words(outputs, i32::from_le_bytes)?,
            multiplier: self.take(outputs)?.to_vec(),
            shift: self.take(outputs)?.to_vec(),
        })
    }

    fn bias_layer(&mut self, inputs: usize, outputs: usize) -> Result<BiasLayer, NetError> {
        Ok(BiasLayer { weights: self.integers(inputs * outputs)?, shift: self.byte()? })
    }

    fn dense(&mut self, inputs: usize, outputs: usize) -> Result<DenseLayer, NetError> {
        Ok(DenseLayer { weights: self.floats(inputs * outputs)?, bias: self.floats(outputs)? })
    }

    fn data(&mut self, shape: Shape) -> Result<NetData, NetError> {
        let (taps, channels) = (shape.taps(), shape.channels);
        let outputs = shape.point_kinds + 1;
        let stem = self.convolution(taps, shape.planes, channels)?;
        let globals = self.bias_layer(shape.globals, channels)?;
        let blocks = (0..shape.blocks).map(|_| {
            Ok(BlockData {
                first: self.convolution(taps, channels, channels)?,
                pooled: self.bias_layer(shape.pooled(), channels)?,
                second: self.convolution(taps, channels, channels)?,
            })
        });
        let blocks = blocks.collect::<Result<_, NetError>>()?;
        Ok(NetData {
            shape,
            stem,
            globals,
            blocks,
            head: self.convolution(1, channels, shape.head_channels)?,
            head_pooled: self.bias_layer(shape.pooled(), shape.head_channels)?,
            point_weights: self.integers(outputs * shape.head_channels)?,
            point_scale: self.floats(outputs)?,
            point_bias: self.floats(outputs)?,
            hidden: self.dense(shape.hidden_inputs(), shape.hidden)?,
            values: self.dense(shape.last_inputs(), shape.values())?,
        })
    }
}
