//! The results file of a match: locked, with a line per game.

use super::results::{FORMAT, MatchGame, MatchHeader, ResultsLine};
use super::schedule::Shard;
use super::settings::Settings;
use crate::json;
use crate::line_file::{self, LineFile, in_file};
use std::fs::File;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum ResultsFileError {
    #[error("{0}")]
    File(String),
    #[error("{}: holds another match: {difference}; --out names another file", path.display())]
    OtherMatch { path: PathBuf, difference: String },
}

/// The first line must be a header.
fn parsed(
    mut visit: impl FnMut(ResultsLine, &str) -> Result<(), String>,
) -> impl FnMut(&str) -> Result<(), String> {
    let mut has_header = false;
    move |text| {
        let line = ResultsLine::parse(text)?;
        has_header |= matches!(line, ResultsLine::Header(_));
        if !has_header {
            return Err("no match header before the first game".to_owned());
        }
        visit(line, text)
    }
}

pub fn read(
    path: &Path,
    visit: impl FnMut(ResultsLine, &str) -> Result<(), String>,
) -> Result<(), String> {
    let file = File::open(path).map_err(in_file(path))?;
    line_file::read(path, &file, parsed(visit)).map(drop)
}

pub fn header_of(path: &Path) -> Result<Option<MatchHeader>, String> {
    let mut header = None;
    read(path, |line, _| {
        if let ResultsLine::Header(other) = line {
            header = Some(*other);
        }
        Ok(())
    })?;
    Ok(header)
}

#[derive(Debug)]
pub struct ResultsFile {
    file: LineFile,
    /// The header that comes before the next game: a match that fails before leaves nothing.
    header: Option<MatchHeader>,
}

impl ResultsFile {
    /// Calls `visit` with the games in the file.
    pub fn open(
        path: &Path,
        own: MatchHeader,
        mut visit: impl FnMut(MatchGame) -> Result<(), String>,
    ) -> Result<ResultsFile, ResultsFileError> {
        let mut other: Option<MatchHeader> = None;
        let visit = parsed(|line, _| match line {
            ResultsLine::Header(header) => {
                other = Some(*header);
                Ok(())
            }
            ResultsLine::Game(game) if game.match_id == own.id => visit(*game),
            ResultsLine::Game(_) => Ok(()), // The comparison of headers reports the difference.
        });
        let first = format!("{{\"kawari-match\":{FORMAT},");
        let file = LineFile::open(path, &first, visit).map_err(ResultsFileError::File)?;
        if let Some(difference) = other.as_ref().and_then(|other| difference(other, &own)) {
            return Err(ResultsFileError::OtherMatch { path: path.to_owned(), difference });
        }
        let is_same = |other: &MatchHeader| {
            (other.games, &other.sprt, &other.sgf) == (own.games, &own.sprt, &own.sgf)
        };
        let header = if other.as_ref().is_some_and(is_same) { None } else { Some(own) };
        Ok(ResultsFile { file, header })
    }

    pub fn append(&mut self, game: &MatchGame) -> Result<(), String> {
        if let Some(header) = &self.header {
            self.file.append(&json::text(header))?;
            self.header = None;
        }
        self.file.append(&json::text(game))
    }

    pub fn close(self) -> Result<(), String> {
        self.file.close()
    }
}

pub fn header(settings: &Settings, shard: Shard) -> MatchHeader {
    MatchHeader {
        format: FORMAT,
        id: settings.id(),
        games: settings.games,
        shard: (shard != Shard::WHOLE).then(|| shard.name()),
        runner: format!("kawari {}", env!("CARGO_PKG_VERSION")),
        sprt: None,
        sgf: None,
        settings: settings.to_json(),
    }
}

/// Both headers must belong to the same shard of the same match.
fn difference(other: &MatchHeader, own: &MatchHeader) -> Option<String> {
    if other.shard != own.shard {
        let name = |shard: &Option<String>| shard.clone().unwrap_or("the whole".to_owned());
        let (other, own) = (name(&other.shard), name(&own.shard));
        return Some(format!("shard is {other}, not {own}"));
    }
    difference_of_settings(other, own)
}

pub fn difference_of_settings(other: &MatchHeader, own: &MatchHeader) -> Option<String> {
    let (theirs, ours) = (&other.settings, &own.settings);
    let its_id = || format!("its id is {}, not {}", other.id, own.id);
    json::difference(theirs, ours).or_else(|| (other.id != own.id).then(its_id))
}
