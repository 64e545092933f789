//! Samples as records of one length, for `torch/fit.py`.
//!
//! A file begins with [`MAGIC`], the length of a header in four bytes, and the header, a line of
//! JSON: the game, the names of its inputs and kinds of step, the boards, and `points`, the points
//! that each record has room for. A board lists its playable points and its symmetries; points
//! beyond its own are empty in records. Records follow, without anything between them:
//!
//! | content | bytes |
//! | --- | --- |
//! | the number of the board | 2 |
//! | planes, plane by plane; points eight in a byte, the first in the lowest bit | planes × ⌈points/8⌉ |
//! | ownership of each point in quarters: 0 is the other side's, 4 nobody's, 8 that of the side to move; two points in a byte, the first in the low bits | ⌈points/2⌉ |
//! | outputs of the policy that are legal steps | ⌈outputs/8⌉ |
//! | the policy, then that of the reply: an output and its share in 1/65535, two bytes each; unknown if all shares are 0 | 8 × entries |
//! | shares of win, draw and loss, and the weight of the result, each in 1/255 | 4 |
//! | the score in half points; −32768 if unknown | 2 |
//! | its standard deviation in half points, at most 255; 0 if it was counted | 1 |
//! | 1 if ownership is known | 1 |
//! | inputs of the whole board, 64 standing for 1 | as many |
//!
//! Outputs are points kind by kind, `points` for each kind, then the kinds without a point. All
//! numbers are little-endian, all of the side to move.

use super::game::{Start, TrainingGame, begin};
use super::samples::Sample;
use crate::board::Random;
use crate::json;
use crate::rules::VariantInfo;
use crate::search::neural::{GLOBALS, NetBoard, PLANES, shape_for};
use serde::Serialize;
use std::io::{self, Write};

pub const MAGIC: &[u8; 8] = b"kawariPS";

/// Steps of ownership from nobody's to a side's.
const OWNED: f32 = 4.0;

/// Stands for an unknown score.
const NO_SCORE: i16 = i16::MIN;

/// A board has this many symmetries at most; a torus has hundreds.
const MAX_SYMMETRIES: usize = 16;

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct PackedBoard {
    /// Columns and rows of the flat form.
    columns: u8,
    rows: u8,
    /// The point above lies this many columns to the right; 0 with one layer.
    layer_step: u8,
    joins_columns: bool,
    joins_rows: bool,
    /// Column and row of each playable point, in order.
    points: Vec<(u8, u8)>,
    /// The numbers of the images of the points.
    symmetries: Vec<Vec<u16>>,
}

impl PackedBoard {
    fn new(start: &Start, info: &'static VariantInfo) -> Result<PackedBoard, String> {
        let (_, board) = begin(&start.setup(info)?)?;
        let grid = board.grid();
        let mut symmetries: Vec<_> = board.symmetries(info).collect();
        let mut random = Random::new(1);
        while symmetries.len() > MAX_SYMMETRIES {
            // The first is the identity.
            symmetries.swap_remove(1 + random.below(symmetries.len() as u32 - 1) as usize);
        }
        Ok(PackedBoard {
            columns: grid.width(),
            rows: grid.height(),
            layer_step: if grid.layers() > 1 { grid.layer_width() + 1 } else { 0 },
            joins_columns: grid.topology().joins_columns,
            joins_rows: grid.topology().joins_rows,
            points: board.points().iter().map(|&point| grid.coordinates(point)).collect(),
            symmetries,
        })
    }
}

/// The common header of the records of a file.
#[derive(Debug)]
pub struct PackedShape {
    info: &'static VariantInfo,
    boards: Vec<PackedBoard>,
    /// By game: the options of its start that shape the board, and the number of that board.
    numbers: Vec<(BoardKey, u16)>,
    points: usize,
    /// Maximum number of steps of a policy; the smallest shares are left out.
    entries: usize,
    planes: usize,
    globals: usize,
}

type BoardKey = ((u8, u8), Vec<(u8, u8)>, Vec<(String, String)>);

fn board_key(start: &Start) -> BoardKey {
    (start.size, start.blocked.clone(), start.rules.clone())
}

#[derive(Serialize)]
struct Header<'a> {
    variant: &'a str,
    /// Names of inputs; the first `common_…` of them are those of all games.
    planes: Vec<&'a str>,
    globals: Vec<&'a str>,
    common_planes: usize,
    common_globals: usize,
    /// Planes of the net, those without a name included.
    net_planes: usize,
    kinds: Vec<&'a str>,
    layered: bool,
    points: usize,
    entries: usize,
    boards: &'a [PackedBoard],
}

impl PackedShape {
    /// Fails if a game has no valid start.
    pub fn new<'g>(
        info: &'static VariantInfo,
        games: impl IntoIterator<Item = &'g TrainingGame>,
        entries: usize,
    ) -> Result<PackedShape, String> {
        let net = shape_for(info, 1, 32);
        let mut shape = PackedShape {
            info,
            boards: Vec::new(),
            numbers: Vec::new(),
            points: 0,
            entries,
            planes: net.planes,
            globals: net.globals,
        };
        for game in games {
            shape.add_board(&game.start)?;
        }
        Ok(shape)
    }

    fn add_board(&mut self, start: &Start) -> Result<(), String> {
        let key = board_key(start);
        if self.numbers.iter().any(|(other, _)| *other == key) {
            return Ok(());
        }
        let board = PackedBoard::new(start, self.info)?;
        self.points = self.points.max(board.points.len());
        let same = self.boards.iter().position(|other| *other == board);
        let number = same.unwrap_or_else(|| {
            self.boards.push(board);
            self.boards.len() - 1
        });
        self.numbers.push((key, u16::try_from(number).map_err(|_| "more than 65536 boards")?));
        Ok(())
    }

    fn outputs(&self) -> usize {
        self.info.kinds.len() * self.points + NetBoard::BOARD_KINDS
    }

    /// The number in a record of an output of a board with `own_points`.
    fn output(&self, output: u32, own_points: usize) -> usize {
        let (output, kinds) = (output as usize, self.info.kinds.len());
        match output.checked_sub(kinds * own_points) {
            Some(without_point) => kinds * self.points + without_point,
            None => output / own_points * self.points + output % own_points,
        }
    }

    pub fn record_len(&self) -> usize {
        2 + self.planes * self.points.div_ceil(8)
            + self.points.div_ceil(2)
            + self.outputs().div_ceil(8)
            + 8 * self.entries
            + 8
            + self.globals
    }

    fn header(&self) -> Vec<u8> {
        let info = self.info;
        let names = |common: &[&'static str], own: &[&'static str]| [common, own].concat();
        let header = json::text(&Header {
            variant: info.id,
            planes: names(PLANES, info.planes),
            globals: names(GLOBALS, info.globals),
            common_planes: PLANES.len(),
            common_globals: GLOBALS.len(),
            net_planes: self.planes,
            kinds: info.kinds.iter().map(|kind| kind.word).collect(),
            layered: info.stacked,
            points: self.points,
            entries: self.entries,
            boards: &self.boards,
        });
        let mut bytes = MAGIC.to_vec();
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.into_bytes());
        bytes
    }
}

#[derive(Debug)]
pub struct PackedWriter<W> {
    out: W,
    shape: PackedShape,
    record: Vec<u8>,
}

impl<W: Write> PackedWriter<W> {
    pub fn new(mut out: W, shape: PackedShape) -> io::Result<PackedWriter<W>> {
        out.write_all(&shape.header())?;
        Ok(PackedWriter { record: Vec::with_capacity(shape.record_len()), out, shape })
    }

    /// Writes a sample of a game that begins at `start`, one of those of the shape.
    pub fn write(&mut self, start: &Start, sample: &Sample) -> io::Result<()> {
        let key = board_key(start);
        let number = self.shape.numbers.iter().find(|(other, _)| *other == key);
        let Some(&(_, number)) = number else {
            return Err(io::Error::other("a board that the file does not list"));
        };
        let (points, planes) = (self.shape.points, self.shape.planes);
        let targets = &sample.targets;
        self.record.clear();
        self.record.extend(number.to_le_bytes());
        for plane in 0..planes {
            let inputs = sample.planes.iter().skip(plane).step_by(planes);
            let set = (0..).zip(inputs).filter(|&(_, &input)| input != 0);
            self.bits(points, set.map(|(point, _)| point));
        }
        self.owners(points, &targets.ownership);
        let own_points = sample.frame.points();
        let legal = targets.legal.iter().map(|&output| self.shape.output(output, own_points));
        let legal: Vec<usize> = legal.collect();
        self.bits(self.shape.outputs(), legal.into_iter());
        self.policy(&targets.policy, own_points);
        self.policy(&targets.reply, own_points);
        let (shares, weight) = match &targets.result {
            Some(result) => (result.shares, result.weight),
            None => ([0.0; 3], 0.0),
        };
        let shares = shares.into_iter().chain([weight]);
        self.record.extend(shares.map(|share| (share * 255.0).round() as u8));
        let score = targets.score.map_or(NO_SCORE, |score| (2.0 * score.mean).round() as i16);
        self.record.extend(score.to_le_bytes());
        let stdev = targets.score.map_or(0.0, |score| score.stdev);
        self.record.push((2.0 * stdev).round() as u8);
        self.record.push((!targets.ownership.is_empty()).into());
        let globals = sample.globals.iter();
        self.record.extend(globals.map(|number| number.cast_unsigned()));
        self.out.write_all(&self.record)
    }

    fn bits(&mut self, count: usize, set: impl Iterator<Item = usize>) {
        let first = self.record.len();
        self.record.resize(first + count.div_ceil(8), 0);
        for bit in set {
            if let Some(byte) = self.record.get_mut(first + bit / 8) {
                *byte |= 1 << (bit % 8);
            }
        }
    }

    /// Unknown points are nobody's.
    fn owners(&mut self, points: usize, ownership: &[f32]) {
        let quarters = |point: usize| {
            let owner = ownership.get(point).copied().unwrap_or_default();
            (OWNED * (1.0 + owner)).round().clamp(0.0, 2.0 * OWNED) as u8
        };
        let pairs = (0..points).step_by(2);
        self.record.extend(pairs.map(|point| quarters(point) | quarters(point + 1) << 4));
    }

    /// The largest shares, scaled to sum to 1.
    fn policy(&mut self, policy: &[(u32, f32)], own_points: usize) {
        let mut largest = policy.to_vec();
        largest.sort_by(|a, b| b.1.total_cmp(&a.1));
        largest.truncate(self.shape.entries);
        let sum: f32 = largest.iter().map(|&(_, share)| share).sum();
        largest.resize(self.shape.entries, (0, 0.0));
        for (output, share) in largest {
            let share = if share > 0.0 { share / sum } else { 0.0 };
            let output = self.shape.output(output, own_points);
            self.record.extend((output as u16).to_le_bytes());
            let share = (share * f32::from(u16::MAX)).round() as u16;
            self.record.extend(share.to_le_bytes());
        }
    }

    pub fn into_inner(self) -> W {
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::{MAGIC, PackedShape, PackedWriter};
    use crate::rules::{VariantInfo, variant};
    use crate::train::game::{PolicyTarget, Start, TrainingGame, TrainingStep};
    use crate::train::label;
    use crate::train::samples::SampleMaker;
    use serde_json::Value;

    /// The header and the records of all positions of the games.
    fn packed(
        info: &'static VariantInfo,
        games: &[TrainingGame],
        entries: usize,
    ) -> (Value, Vec<Vec<u8>>) {
        let shape = PackedShape::new(info, games, entries).expect("boards");
        let length = shape.record_len();
        let mut writer = PackedWriter::new(Vec::new(), shape).expect("written");
        let mut maker = SampleMaker::new(info, 0.0);
        for game in games {
            let mut samples = Vec::new();
            let take = |sample| samples.push(sample);
            maker.samples(game, usize::MAX, |_| Some(0), take).expect("a game");
            for sample in samples {
                writer.write(&game.start, &sample).expect("written");
            }
        }
        let bytes = writer.into_inner();
        let rest = bytes.strip_prefix(MAGIC).expect("the magic word");
        let (size, rest) = rest.split_first_chunk().expect("a length");
        let (header, records) = rest.split_at(u32::from_le_bytes(*size) as usize);
        assert_eq!(records.len() % length, 0);
        let records = records.chunks_exact(length).map(<[u8]>::to_vec);
        (serde_json::from_slice(header).expect("JSON"), records.collect())
    }

    fn step(step: u16, visits: &[(u16, u16)]) -> TrainingStep {
        let policy = PolicyTarget::from_visits(visits.to_vec());
        TrainingStep { step, policy, win: Some(255) }
    }

    #[test]
    fn a_record_has_the_sample_in_it() {
        let info = variant("go").expect("go");
        let game = TrainingGame {
            start: Start { size: (5, 5), komi: 13, ..Start::default() },
            steps: vec![step(12, &[(12, 3), (7, 1)]), step(13, &[(13, 1)])],
            result: Some(1),
            half_points: Some(3),
            ownership: [vec![1; 20], vec![-1; 5]].concat(),
            ..TrainingGame::default()
        };
        // A larger board beside it: records of the smaller one have room for its points.
        let larger = TrainingGame {
            start: Start { size: (6, 5), blocked: vec![(0, 0)], ..Start::default() },
            steps: vec![step(29, &[(29, 1)])],
            ..TrainingGame::default()
        };
        let (header, records) = packed(info, &[game, larger], 2);
        assert_eq!((header["points"].as_u64(), records.len()), (Some(29), 3));
        let boards = header["boards"].as_array().expect("boards");
        assert_eq!(boards[0]["points"].as_array().map(Vec::len), Some(25));
        assert_eq!(boards[0]["symmetries"].as_array().map(Vec::len), Some(8));
        assert_eq!(boards[1]["points"][0], serde_json::json!([1, 0]));
        let planes = header["net_planes"].as_u64().expect("a number") as usize;
        let first = &records[0];
        assert_eq!(first[..2], [0, 0]);
        // Every point of the board is playable, no stone is on it.
        assert_eq!(first[2..6], [0xFF, 0xFF, 0xFF, 1]);
        assert_eq!(first[6..14], [0; 8]);
        let owners = &first[2 + 4 * planes..][..15];
        assert_eq!(owners[..10], [0x88; 10]);
        assert_eq!(owners[10..13], [0x00, 0x00, 0x40]);
        let legal = &first[2 + 4 * planes + 15..][..4];
        // 25 points and the pass, which comes after all 29 points.
        assert_eq!(legal, [0xFF, 0xFF, 0xFF, 0x21]);
        let policy = &first[2 + 4 * planes + 19..][..8];
        assert_eq!(policy, [12, 0, 255, 191, 7, 0, 0, 64]);
        let reply = &first[2 + 4 * planes + 27..][..8];
        assert_eq!(reply, [13, 0, 255, 255, 0, 0, 0, 0]);
        let end = &first[2 + 4 * planes + 35..][..8];
        assert_eq!(end, [255, 0, 0, 255, 3, 0, 0, 1]);
        let second = &records[1];
        assert_eq!(second[2 + 4 * planes + 35..][..8], [0, 0, 255, 255, 253, 255, 0, 1]);
        // A pass of the larger board is the same output.
        let third = &records[2];
        assert_eq!(third[..2], [1, 0]);
        assert_eq!(third[2 + 4 * planes + 19..][..4], [29, 0, 255, 255]);
    }

    #[test]
    fn a_label_keeps_its_deviation_and_its_soft_ownership() {
        let line = "2x3 - - 0.0 c 0.7500 3.5 4.0 6:1.000 abdfhi";
        let info = variant("go").expect("go");
        let game = label::read(line, info).expect("a label").expect("no comment");
        let (header, records) = packed(info, &[game], 1);
        let planes = header["net_planes"].as_u64().expect("a number") as usize;
        assert_eq!(records[0][2 + planes..][..3], [0x87, 0x53, 0x10]);
        let end = &records[0][2 + planes + 3 + 1 + 8..];
        assert_eq!(end[..8], [191, 0, 64, 255, 7, 0, 8, 1]);
    }

    #[test]
    fn boards_have_layers_and_joined_sides() {
        let game = |size, rules: &[(&str, &str)]| TrainingGame {
            start: Start {
                size,
                rules: rules.iter().map(|&(key, value)| (key.into(), value.into())).collect(),
                ..Start::default()
            },
            steps: vec![step(0, &[(0, 1)])],
            ..TrainingGame::default()
        };
        let stacked = variant("2.5d").expect("2.5d");
        let (header, _) =
            packed(stacked, &[game((4, 4), &[]), game((4, 4), &[("layers", "3")])], 1);
        let boards = header["boards"].as_array().expect("boards");
        let step = |board: usize| boards[board]["layer_step"].as_u64();
        assert_eq!((step(0), step(1)), (Some(5), Some(5)));
        assert_eq!(boards[1]["points"].as_array().map(Vec::len), Some(48));
        let (header, _) =
            packed(variant("no").expect("no"), &[game((5, 4), &[("board", "torus")])], 1);
        let board = &header["boards"][0];
        assert!(board["joins_columns"] == true && board["joins_rows"] == true);
        assert_eq!(board["symmetries"].as_array().map(Vec::len), Some(16));
    }
}
