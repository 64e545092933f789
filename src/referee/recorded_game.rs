//! Splits files into games without replaying them.

use super::Defaults;
use super::check_result::CheckResult;
use super::input_file::{FileFormat, InputFile, InputFiles, OpenError};
use super::split::{GameSource, Lines, MatchRecords, SgfGames, TranscriptGames};
use crate::files;
use crate::sgf::Charset;
use crate::transcript::{Responses, TranscriptSplitter};
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::sync::Arc;

pub struct RecordedGame {
    pub file: Arc<str>,
    /// The number, from 1; 0 for a file without a game.
    pub game: usize,
    /// The game's first line.
    pub line: u64,
    pub source: GameSource,
}

/// Bytes that decide the format of a file.
const HEAD: usize = 64 << 10;

pub struct RecordedGames {
    sources: InputFiles,
    format: Option<FileFormat>,
    defaults: Defaults,
    open: Option<OpenFile>,
}

struct OpenFile {
    file: Arc<str>,
    games: usize,
    /// Whether a file without a game is not a fault.
    may_be_empty: bool,
    texts: FileGames,
}

pub type FileGames = Box<dyn Iterator<Item = (u64, GameSource)> + Send>;

impl RecordedGames {
    /// `-` is standard input.
    pub fn new(
        paths: Vec<PathBuf>,
        format: Option<FileFormat>,
        defaults: &Defaults,
    ) -> RecordedGames {
        RecordedGames {
            sources: InputFiles::new(paths),
            format,
            defaults: defaults.clone(),
            open: None,
        }
    }

    pub fn from_file(
        file: InputFile,
        format: Option<FileFormat>,
        defaults: &Defaults,
    ) -> io::Result<RecordedGames> {
        let mut games = RecordedGames::new(Vec::new(), format, defaults);
        games.open = Some(games.open(file)?);
        Ok(games)
    }

    fn open(&self, source: InputFile) -> io::Result<OpenFile> {
        let mut bytes = BufReader::with_capacity(HEAD, source.bytes);
        if let Some(charset) = Charset::wide(bytes.fill_buf()?) {
            let mut wide = Vec::new();
            bytes.take(files::MAX_BYTES).read_to_end(&mut wide)?;
            let text = charset.decode(&wide).into_owned();
            bytes = BufReader::with_capacity(HEAD, Box::new(io::Cursor::new(text)));
        }
        let head = bytes.fill_buf()?;
        let texts: FileGames = match self.format.unwrap_or_else(|| FileFormat::detect(head)) {
            FileFormat::Sgf => Box::new(SgfGames::new(bytes)),
            FileFormat::Json => Box::new(MatchRecords(Lines::new(bytes))),
            FileFormat::Gtp => {
                let splitter = TranscriptSplitter::new(&self.defaults, Responses::detect(head));
                Box::new(TranscriptGames::new(Lines::new(bytes), splitter))
            }
        };
        Ok(OpenFile { file: source.name, games: 0, may_be_empty: source.may_be_empty, texts })
    }
}

impl Iterator for RecordedGames {
    type Item = RecordedGame;

    fn next(&mut self) -> Option<RecordedGame> {
        loop {
            let Some(open) = &mut self.open else {
                let (name, opened) = match self.sources.next()? {
                    Ok(source) => (source.name.clone(), self.open(source)),
                    Err(OpenError { name, error }) => (name, Err(error)),
                };
                match opened {
                    Ok(open) => self.open = Some(open),
                    Err(error) => return Some(unreadable_file(name, error)),
                }
                continue;
            };
            if let Some((line, source)) = open.texts.next() {
                open.games += 1;
                return Some(RecordedGame {
                    file: open.file.clone(),
                    game: open.games,
                    line,
                    source,
                });
            }
            let (file, games) = (open.file.clone(), open.games);
            let may_be_empty = open.may_be_empty;
            self.open = None;
            if games == 0 && !may_be_empty {
                return Some(unreadable_file(file, "no game found"));
            }
        }
    }
}

/// A file without a game is game 0 of itself.
fn unreadable_file(file: Arc<str>, why: impl std::fmt::Display) -> RecordedGame {
    RecordedGame {
        file,
        game: 0,
        line: 1,
        source: GameSource::Unreadable(CheckResult::unreadable(1, why)),
    }
}
