//! Files of games: append-only, each game with its length and a checksum, so that a
//! kill at any instant loses no more than the game being written.

use super::game::TrainingGame;
use crate::rules::VariantInfo;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The first bytes of a file.
pub const MAGIC: &[u8; 8] = b"kawariTG";

/// The version of the format that this program writes.
pub const VERSION: u16 = 3;

/// The version before it, which has fewer fields; it is read.
const VERSION_BEFORE: u16 = 2;

/// What the fields since [`VERSION_BEFORE`] are in a game that ends before them.
const ABSENT_FIELDS: [u8; 3] = [0; 3];

/// More bytes than any game takes.
const MAX_GAME_BYTES: usize = 1 << 24;

/// Why a file of games cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataFileError {
    /// The system says no.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It does not begin like one.
    #[error("not a file of training games")]
    Magic,
    /// Another version of the format.
    #[error("version {0} of training games; this program reads {VERSION_BEFORE} and {VERSION}")]
    Version(u16),
    /// A file of [`VERSION_BEFORE`], to which no game of this version can be appended.
    #[error("version {VERSION_BEFORE} of training games, which only grows with older programs")]
    Older,
    /// Another process appends to it.
    #[error("another process is writing to this file")]
    Locked,
    /// Games of another variant.
    #[error("games of {0:?}")]
    Variant(String),
}

/// A file to which games are appended.
#[derive(Debug)]
pub struct GameWriter {
    file: File,
    games: usize,
}

impl GameWriter {
    /// Opens a file, or begins it; what a kill left half written at its end is cut off.
    ///
    /// # Errors
    /// [`DataFileError`] if it is no file of games of this variant or cannot be written.
    pub fn open(path: &Path, info: &VariantInfo) -> Result<GameWriter, DataFileError> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        if !file.metadata()?.is_file() {
            return Err(DataFileError::Magic); // a device may never end
        }
        file.try_lock().map_err(|_| DataFileError::Locked)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let header = header(info);
        if header.starts_with(&bytes) {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            return Ok(GameWriter { file, games: 0 });
        }
        let (version, rest) = read_header(&bytes, info)?;
        if version != VERSION {
            return Err(DataFileError::Older);
        }
        let mut frames = Frames(rest);
        let games = frames.by_ref().count();
        let end = (bytes.len() - frames.0.len()) as u64;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(GameWriter { file, games })
    }

    /// How many games the file holds.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Appends a game.
    ///
    /// # Errors
    /// [`DataFileError::Io`].
    pub fn append(&mut self, game: &TrainingGame) -> Result<(), DataFileError> {
        let body = postcard::to_stdvec(game).map_err(io::Error::other)?;
        let mut frame = (body.len() as u32).to_le_bytes().to_vec();
        frame.extend(crc32fast::hash(&body).to_le_bytes());
        frame.extend(body);
        self.file.write_all(&frame)?;
        self.games += 1;
        Ok(())
    }
}

/// Reads the games of a file; one half written at its end is left out.
///
/// # Errors
/// [`DataFileError`] if it is no file of games of this variant.
pub fn read_games(path: &Path, info: &VariantInfo) -> Result<Vec<TrainingGame>, DataFileError> {
    let mut file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(DataFileError::Magic); // a device may never end
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let (version, rest) = read_header(&bytes, info)?;
    let absent: &[u8] = if version == VERSION { &[] } else { &ABSENT_FIELDS };
    let game = |body: &[u8]| postcard::from_bytes(&[body, absent].concat()).ok();
    Ok(Frames(rest).filter_map(game).collect())
}

fn header(info: &VariantInfo) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.push(info.id.len() as u8);
    header.extend(info.id.bytes());
    header
}

/// Checks the header and returns the version and what comes after the header.
fn read_header<'b>(bytes: &'b [u8], info: &VariantInfo) -> Result<(u16, &'b [u8]), DataFileError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(DataFileError::Magic)?;
    let (version, rest) = rest.split_first_chunk().ok_or(DataFileError::Magic)?;
    let version = u16::from_le_bytes(*version);
    if !(VERSION_BEFORE..=VERSION).contains(&version) {
        return Err(DataFileError::Version(version));
    }
    let (&length, rest) = rest.split_first().ok_or(DataFileError::Magic)?;
    let id = rest.split_at_checked(usize::from(length));
    let (id, rest) = id.ok_or(DataFileError::Magic)?;
    if id != info.id.as_bytes() {
        let id = String::from_utf8_lossy(id).into_owned();
        return Err(DataFileError::Variant(id));
    }
    Ok((version, rest))
}

/// The bodies of the games in these bytes, up to the first that is not whole; what is
/// left stays in the field.
struct Frames<'b>(&'b [u8]);

impl<'b> Iterator for Frames<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (checksum, rest) = rest.split_first_chunk()?;
        let length = u32::from_le_bytes(*length) as usize;
        let (body, rest) = rest.split_at_checked(length.min(MAX_GAME_BYTES))?;
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return None;
        }
        self.0 = rest;
        Some(body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{go, no};

    fn game(number: i32) -> TrainingGame {
        TrainingGame {
            half_points: Some(number),
            ownership: vec![1, -1, 0],
            ..TrainingGame::default()
        }
    }

    #[test]
    fn a_file_cut_anywhere_keeps_its_whole_games() {
        let folder = std::env::temp_dir().join(format!("kawari-data-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("games");
        let mut writer = GameWriter::open(&path, &go::INFO).expect("a new file");
        for number in 0..3 {
            writer.append(&game(number)).expect("written");
        }
        drop(writer);
        let bytes = std::fs::read(&path).expect("bytes");
        let mut wholes = Vec::new();
        for length in 0..=bytes.len() {
            std::fs::write(&path, &bytes[..length]).expect("written");
            let mut writer = GameWriter::open(&path, &go::INFO).expect("goes on");
            wholes.push(writer.games());
            writer.append(&game(9)).expect("written");
            let games = read_games(&path, &go::INFO).expect("games");
            let numbers: Vec<i32> = games.iter().filter_map(|game| game.half_points).collect();
            let mut expected: Vec<i32> = (0..writer.games() as i32 - 1).collect();
            expected.push(9);
            assert_eq!(numbers, expected, "{length}");
        }
        assert!(wholes.is_sorted() && wholes.last() == Some(&3));
        let error = read_games(&path, &no::INFO).expect_err("another variant");
        assert!(matches!(error, DataFileError::Variant(id) if id == "go"));
        std::fs::write(&path, "something else").expect("written");
        assert!(matches!(GameWriter::open(&path, &go::INFO), Err(DataFileError::Magic)));
        std::fs::remove_dir_all(&folder).expect("removed");
    }

    #[test]
    fn games_of_the_version_before_are_read_and_not_added_to() {
        let folder = std::env::temp_dir().join(format!("kawari-older-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("games");
        let body = postcard::to_stdvec(&game(4)).expect("a game");
        let body = body.strip_suffix(&ABSENT_FIELDS).expect("absent fields are zeros");
        let mut bytes = header(&go::INFO);
        bytes[MAGIC.len()..][..2].copy_from_slice(&VERSION_BEFORE.to_le_bytes());
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(crc32fast::hash(body).to_le_bytes());
        bytes.extend(body);
        std::fs::write(&path, &bytes).expect("written");
        assert_eq!(read_games(&path, &go::INFO).expect("games"), [game(4)]);
        assert!(matches!(GameWriter::open(&path, &go::INFO), Err(DataFileError::Older)));
        assert_eq!(std::fs::read(&path).expect("bytes"), bytes);
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
