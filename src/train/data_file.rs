//! Growing files of games with lengths and checksums. A kill loses at most the game being written.

use super::game::TrainingGame;
use crate::line_file::{FileEnd, LineFile, in_file};
use crate::rules::VariantInfo;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub const MAGIC: &[u8; 8] = b"kawariTG";

pub const VERSION: u16 = 3;

const MAX_GAME_BYTES: usize = 1 << 24;

fn refusal(why: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.into())
}

fn not_games() -> io::Error {
    refusal("not a file of training games")
}

#[derive(Debug)]
pub struct GameWriter {
    file: LineFile,
    games: usize,
}

impl GameWriter {
    /// Errors name the file.
    pub fn open(path: &Path, info: &VariantInfo) -> Result<GameWriter, String> {
        let mut games = 0;
        let mut is_begun = false;
        let mut file = LineFile::open_records(path, |file| {
            let bytes = read_bytes(file).map_err(in_file(path))?;
            if header(info).starts_with(&bytes) {
                return Ok(FileEnd { torn: bytes, ..FileEnd::default() });
            }
            let mut frames = Frames(read_header(&bytes, info).map_err(in_file(path))?);
            (games, is_begun) = (frames.by_ref().count(), true);
            let length = bytes.len() - frames.0.len();
            Ok(FileEnd { length: length as u64, count: games as u64, torn: frames.0.to_vec() })
        })?;
        if !is_begun {
            file.append_record(&header(info))?;
        }
        Ok(GameWriter { file, games })
    }

    pub fn games(&self) -> usize {
        self.games
    }

    pub fn append(&mut self, game: &TrainingGame) -> Result<(), String> {
        let body = postcard::to_stdvec(game).map_err(|error| error.to_string())?;
        let mut frame = (body.len() as u32).to_le_bytes().to_vec();
        frame.extend(crc32fast::hash(&body).to_le_bytes());
        frame.extend(body);
        self.file.append_record(&frame)?;
        self.games += 1;
        Ok(())
    }
}

/// Skips a half-written game at the end.
pub fn read_games(path: &Path, info: &VariantInfo) -> io::Result<Vec<TrainingGame>> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Err(not_games()); // a device may never end
    }
    let bytes = read_bytes(&file)?;
    let rest = read_header(&bytes, info)?;
    Ok(Frames(rest).filter_map(|body| postcard::from_bytes(body).ok()).collect())
}

fn read_bytes(mut file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn header(info: &VariantInfo) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.push(info.id.len() as u8);
    header.extend(info.id.bytes());
    header
}

fn read_header<'b>(bytes: &'b [u8], info: &VariantInfo) -> io::Result<&'b [u8]> {
    let rest = bytes.strip_prefix(MAGIC).ok_or_else(not_games)?;
    let (version, rest) = rest.split_first_chunk().ok_or_else(not_games)?;
    let version = u16::from_le_bytes(*version);
    if version != VERSION {
        return Err(refusal(format!(
            "version {version} of training games; this program reads version {VERSION}"
        )));
    }
    let (&length, rest) = rest.split_first().ok_or_else(not_games)?;
    let id = rest.split_at_checked(usize::from(length));
    let (id, rest) = id.ok_or_else(not_games)?;
    if id != info.id.as_bytes() {
        return Err(refusal(format!("games of {:?}", String::from_utf8_lossy(id))));
    }
    Ok(rest)
}

/// Iterator over the payloads of complete games; `.0` is the unread rest.
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
        assert_eq!(error.to_string(), "games of \"go\"");
        let mut other = header(&go::INFO);
        other[MAGIC.len()] += 1;
        std::fs::write(&path, &other).expect("written");
        let error = read_games(&path, &go::INFO).expect_err("another version");
        assert!(error.to_string().ends_with("; this program reads version 3"), "{error}");
        std::fs::write(&path, "something else").expect("written");
        let refused = GameWriter::open(&path, &go::INFO).expect_err("no games");
        assert!(refused.ends_with("/games: not a file of training games"), "{refused}");
        std::fs::remove_dir_all(&folder).expect("removed");
    }
}
