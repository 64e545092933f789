//! Samples as records of one length, for trainers in other languages.
//!
//! A file begins with [`MAGIC`], then [`VERSION`] and seven more numbers of two bytes: columns,
//! rows, planes, kinds of step with a point, inputs of the whole board, entries of a policy, and
//! 1 if the board may be turned and mirrored. Records follow, without anything between them:
//!
//! | what | bytes |
//! | --- | --- |
//! | planes, plane by plane; points from the lower left, row by row, eight in a byte, the first in the lowest bit | planes × ⌈points/8⌉ |
//! | ownership of each point in quarters: 0 is the other side's, 4 nobody's, 8 that of the side to move; two points in a byte, the first in the low bits | ⌈points/2⌉ |
//! | outputs of the policy that are legal steps | ⌈outputs/8⌉ |
//! | the policy, then that of the reply: an output and its share in 1/65535, two bytes each; unknown if all shares are 0 | 8 × entries |
//! | shares of win, draw and loss, and the weight of the result, each in 1/255 | 4 |
//! | the score in half points; −32768 if unknown | 2 |
//! | its standard deviation in half points, at most 255; 0 if it was counted | 1 |
//! | 1 if ownership is known | 1 |
//! | inputs of the whole board, 64 standing for 1 | as many |
//!
//! All numbers are little-endian, all of the side to move.

use super::Sample;
use crate::net::Shape;
use crate::rules::{Size, VariantInfo};
use crate::search::neural::shape_for;
use std::io::{self, Write};

pub const MAGIC: &[u8; 8] = b"kawariPS";

pub const VERSION: u16 = 2;

/// Steps of ownership from nobody's to a side's.
const OWNED: f32 = 4.0;

/// Stands for an unknown score.
const NO_SCORE: i16 = i16::MIN;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedShape {
    /// One layer, no blocked points.
    pub size: Size,
    /// Its tower does not matter.
    net: Shape,
    /// Maximum number of steps of a policy; the smallest shares are left out.
    pub entries: usize,
    pub is_symmetric: bool,
}

impl PackedShape {
    pub fn new(info: &VariantInfo, size: Size, entries: usize) -> PackedShape {
        let net = shape_for(info, 1, 32);
        PackedShape { size, net, entries, is_symmetric: info.is_symmetric }
    }

    fn outputs(&self) -> usize {
        self.net.point_kinds * self.points() + self.net.board_kinds
    }

    fn points(&self) -> usize {
        usize::from(self.size.width) * usize::from(self.size.height)
    }

    pub fn record_len(&self) -> usize {
        self.net.planes * self.points().div_ceil(8)
            + self.points().div_ceil(2)
            + self.outputs().div_ceil(8)
            + 8 * self.entries
            + 8
            + self.net.globals
    }

    pub fn fits(&self, sample: &Sample) -> bool {
        sample.frame.points() == self.points()
            && sample.planes.len() == self.net.planes * self.points()
            && sample.globals.len() == self.net.globals
    }

    fn header(&self) -> Vec<u8> {
        let numbers = [
            VERSION,
            self.size.width.into(),
            self.size.height.into(),
            self.net.planes as u16,
            self.net.point_kinds as u16,
            self.net.globals as u16,
            self.entries as u16,
            self.is_symmetric.into(),
        ]
        .into_iter()
        .flat_map(u16::to_le_bytes);
        MAGIC.iter().copied().chain(numbers).collect()
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
        Ok(PackedWriter { out, shape, record: Vec::with_capacity(shape.record_len()) })
    }

    /// Returns whether the sample [fits](PackedShape::fits) and was written.
    pub fn write(&mut self, sample: &Sample) -> io::Result<bool> {
        if !self.shape.fits(sample) {
            return Ok(false);
        }
        let (points, planes) = (self.shape.points(), self.shape.net.planes);
        let targets = &sample.targets;
        self.record.clear();
        for plane in 0..planes {
            let inputs = sample.planes.iter().skip(plane).step_by(planes);
            let set = (0..).zip(inputs).filter(|&(_, &input)| input != 0);
            self.bits(points, set.map(|(point, _)| point));
        }
        self.owners(points, &targets.ownership);
        let legal = targets.legal.iter().map(|&output| output as usize);
        self.bits(self.shape.outputs(), legal);
        self.policy(&targets.policy);
        self.policy(&targets.reply);
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
        self.out.write_all(&self.record)?;
        Ok(true)
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
    fn policy(&mut self, policy: &[(u32, f32)]) {
        let mut greatest = policy.to_vec();
        greatest.sort_by(|a, b| b.1.total_cmp(&a.1));
        greatest.truncate(self.shape.entries);
        let sum: f32 = greatest.iter().map(|&(_, share)| share).sum();
        greatest.resize(self.shape.entries, (0, 0.0));
        for (output, share) in greatest {
            let share = if share > 0.0 { share / sum } else { 0.0 };
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
    use super::{PackedShape, PackedWriter};
    use crate::rules::{Size, VARIANTS, variant};
    use crate::train::game::{PolicyTarget, Start, TrainingGame, TrainingStep};
    use crate::train::label::Label;
    use crate::train::samples::SampleMaker;

    #[test]
    fn a_record_has_the_sample_in_it() {
        let info = variant("go").expect("go");
        let step = |step, visits: &[(u16, u16)]| TrainingStep {
            step,
            policy: PolicyTarget::from_visits(visits.to_vec()),
            win: Some(255),
        };
        let game = TrainingGame {
            start: Start { size: (5, 5), komi: 13, ..Start::default() },
            steps: vec![step(12, &[(12, 3), (7, 1)]), step(13, &[(13, 1)])],
            result: Some(1),
            half_points: Some(-3),
            ownership: [[1; 5], [1; 5], [0; 5], [-1; 5], [-1; 5]].concat(),
            ..TrainingGame::default()
        };
        let mut samples = Vec::new();
        let mut maker = SampleMaker::new(info, 0.0);
        let outcome = maker.samples(&game, 2, |_| Some(0), |sample| samples.push(sample));
        outcome.expect("a game");
        let shape = PackedShape::new(info, Size::square(5), 2);
        let mut writer = PackedWriter::new(Vec::new(), shape).expect("written");
        for sample in &samples {
            assert!(writer.write(sample).expect("written"));
        }
        let bytes = writer.into_inner();
        let records = &bytes[8 + 16..];
        assert_eq!(records.len(), 2 * shape.record_len());
        let record = &records[shape.record_len()..];
        // White to move after C3: an enemy stone in the middle, the rows above White's.
        let row = |plane: usize| &record[4 * plane..4 * plane + 4];
        assert_eq!(row(0), [255, 255, 255, 1], "on the board");
        assert_eq!(row(2), [0, 1 << 4, 0, 0], "enemy");
        let owners = 4 * shape.net.planes;
        assert_eq!(record[owners..][..5], [0; 5], "the enemy's in the end");
        assert_eq!(record[owners + 5..][..3], [0x44, 0x44, 0x84], "nobody's, own");
        assert_eq!(record[owners + 12], 0x48, "no point after the last");
        let policy = owners + 13 + shape.outputs().div_ceil(8);
        assert_eq!(record[policy..][..8], [13, 0, 255, 255, 0, 0, 0, 0]);
        let end = &record[policy + 16..];
        assert_eq!(end[..8], [0, 0, 255, 255, 3, 0, 0, 1], "lost, by 1.5 points the other way");
        let first = &records[policy..][..8];
        assert_eq!(u16::from_le_bytes([first[2], first[3]]), 49151);
    }

    #[test]
    fn a_label_keeps_its_deviation_and_its_soft_ownership() {
        let line = "2x3 - - 0.0 c 0.7500 3.5 4.0 6:1.000 abdfhi";
        let label = Label::from_line(line).expect("a label").expect("no comment");
        let info = variant("go").expect("go");
        let game = label.game(info).expect("a game");
        let sample = SampleMaker::new(info, 0.0).sample(&game, 0, 0).expect("a game");
        let size = Size { width: 2, height: 3 };
        let shape = PackedShape::new(info, size, 1);
        let mut writer = PackedWriter::new(Vec::new(), shape).expect("written");
        assert!(writer.write(&sample.expect("a sample")).expect("written"));
        let bytes = writer.into_inner();
        let record = &bytes[8 + 16..];
        assert_eq!(record.len(), shape.record_len());
        assert_eq!(record[shape.net.planes..][..3], [0x87, 0x53, 0x10]);
        let end = &record[shape.net.planes + 3 + 1 + 8..];
        assert_eq!(end[..8], [191, 0, 64, 255, 7, 0, 8, 1]);
    }

    #[test]
    fn samples_of_other_boards_are_not_written() {
        for info in VARIANTS {
            let shape = PackedShape::new(info, Size::square(6), 1);
            assert!(shape.record_len() > 0);
            let game = TrainingGame {
                start: Start { size: (7, 7), ..Start::default() },
                steps: vec![TrainingStep::default()],
                ..TrainingGame::default()
            };
            let mut writer = PackedWriter::new(Vec::new(), shape).expect("written");
            let mut maker = SampleMaker::new(info, 0.0);
            let sample = maker.sample(&game, 0, 0).expect("a game").expect("a sample");
            assert!(!writer.write(&sample).expect("written"), "{}", info.id);
        }
    }
}
