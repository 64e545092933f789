//! The training state as bytes, with a checksum.

use super::layout::Layout;
use super::trainer::{FitProgress, Trainer};
use crate::net::file::{Reader, with_checksum};

const MAGIC: &[u8; 8] = b"kawariCP";

const VERSION: u16 = 2;

impl Trainer {
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.shape().to_bytes());
        for count in [self.steps, self.progress.done, self.progress.steps] {
            bytes.extend(count.to_le_bytes());
        }
        for list in [&self.params, &self.means, &self.squares, &self.average] {
            bytes.extend(list.iter().flat_map(|n| n.to_le_bytes()));
        }
        with_checksum(bytes)
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Trainer, String> {
        let (version, rest) = bytes
            .strip_prefix(MAGIC)
            .and_then(<[u8]>::split_first_chunk)
            .ok_or("not a net in training")?;
        let version = u16::from_le_bytes(*version);
        if version != VERSION {
            return Err(format!(
                "version {version} of nets in training; this program reads version {VERSION}"
            ));
        }
        Trainer::from_body(bytes, Reader(rest)).map_err(|_| "damaged or cut short".to_owned())
    }

    fn from_body(bytes: &[u8], mut reader: Reader<'_>) -> Result<Trainer, &'static str> {
        reader.check(bytes)?;
        let layout = Layout::new(reader.shape()?);
        let steps = u64::from_le_bytes(reader.array()?);
        let mut progress = FitProgress::default();
        for count in [&mut progress.done, &mut progress.steps] {
            *count = u64::from_le_bytes(reader.array()?);
        }
        let len = layout.len;
        let mut trainer = Trainer::with_params(layout, reader.floats(len)?);
        (trainer.steps, trainer.progress) = (steps, progress);
        for list in [&mut trainer.means, &mut trainer.squares, &mut trainer.average] {
            *list = reader.floats(len)?;
        }
        if reader.0.is_empty() { Ok(trainer) } else { Err("too long") }
    }
}

#[cfg(test)]
mod tests {
    use super::Trainer;
    use crate::train::trainer::tests::{SHAPE, some_samples};

    #[test]
    fn a_trainer_goes_on_bit_for_bit_and_damage_is_seen() {
        let samples = some_samples(6);
        let mut trainer = Trainer::new(SHAPE, 1);
        for _ in 0..3 {
            trainer.step(&samples, 1e-3, 0.9, 2);
        }
        let bytes = trainer.to_bytes();
        let mut again = Trainer::from_bytes(&bytes).expect("a trainer");
        assert_eq!(again.to_bytes(), bytes);
        for trainer in [&mut trainer, &mut again] {
            trainer.step(&samples, 1e-3, 0.9, 2);
        }
        assert_eq!(again.to_bytes(), trainer.to_bytes());
        for cut in [0, 5, 9, 20, 40, bytes.len() / 2, bytes.len() - 1] {
            assert!(Trainer::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        let mut changed = bytes.clone();
        changed[1000] ^= 1;
        let error = Trainer::from_bytes(&changed).err();
        assert_eq!(error.as_deref(), Some("damaged or cut short"));
        changed = bytes;
        changed[8] = 9;
        let error = Trainer::from_bytes(&changed).err();
        assert!(error.is_some_and(|why| why.starts_with("version 9 of nets")));
    }
}
