//! The results file of a match: locked, grows by a line per game, and is read again when the
//! match is continued.

use super::line_file::{self, FileEnd, LineFile};
use super::results::{FORMAT, MatchGame, MatchHeader, ResultsLine};
use super::schedule::Shard;
use super::settings::Settings;
use crate::json;
use std::fs::File;
use std::path::{Path, PathBuf};

pub use line_file::open_to_read;

#[derive(Debug, thiserror::Error)]
pub enum ResultsFileError {
    #[error("{0}")]
    File(String),
    #[error("{}: holds another match: {difference}", path.display())]
    OtherMatch { path: PathBuf, difference: String },
}

#[derive(Debug)]
pub struct ParsedLine<'t> {
    pub entry: ResultsLine,
    pub text: &'t str,
}

/// The first line must be a header.
fn parsed(
    mut visit: impl FnMut(ParsedLine<'_>) -> Result<(), String>,
) -> impl FnMut(&str) -> Result<(), String> {
    let mut has_header = false;
    move |text| {
        let entry = ResultsLine::parse(text)?;
        has_header |= matches!(entry, ResultsLine::Header(_));
        if !has_header {
            return Err("no match header before the first game".to_owned());
        }
        visit(ParsedLine { entry, text })
    }
}

pub fn read(
    path: &Path,
    file: &File,
    visit: impl FnMut(ParsedLine<'_>) -> Result<(), String>,
) -> Result<FileEnd, String> {
    line_file::read(path, file, parsed(visit))
}

pub fn header_of(path: &Path) -> Result<Option<MatchHeader>, String> {
    let mut header = None;
    read(path, &open_to_read(path)?, |line| {
        if let ResultsLine::Header(found) = line.entry {
            header = Some(*found);
        }
        Ok(())
    })?;
    Ok(header)
}

#[derive(Debug)]
pub struct ResultsFile(LineFile);

impl ResultsFile {
    /// Opens or creates the file of a match or shard. Calls `visit` with the games in it.
    pub fn open(
        path: &Path,
        settings: &Settings,
        shard: Shard,
        mut visit: impl FnMut(MatchGame) -> Result<(), String>,
    ) -> Result<ResultsFile, ResultsFileError> {
        let wanted = header(settings, shard);
        let mut found: Option<MatchHeader> = None;
        let visit = parsed(|line| match line.entry {
            ResultsLine::Header(header) => {
                found = Some(*header);
                Ok(())
            }
            ResultsLine::Game(game) if game.match_id == wanted.id => visit(*game),
            ResultsLine::Game(_) => Ok(()), // The comparison of headers reports the difference.
        });
        let first = format!("{{\"kawari-match\":{FORMAT},");
        let mut file = LineFile::open(path, &first, visit).map_err(ResultsFileError::File)?;
        if let Some(difference) = found.as_ref().and_then(|found| difference(found, &wanted)) {
            return Err(ResultsFileError::OtherMatch { path: path.to_owned(), difference });
        }
        if found.is_none_or(|found| found.games != wanted.games) {
            file.append(&json::text(&wanted)).map_err(ResultsFileError::File)?;
        }
        Ok(ResultsFile(file))
    }

    pub fn append(&mut self, game: &MatchGame) -> Result<(), String> {
        self.0.append(&json::text(game))
    }

    pub fn close(self) -> Result<(), String> {
        self.0.close()
    }
}

pub fn header(settings: &Settings, shard: Shard) -> MatchHeader {
    MatchHeader {
        format: FORMAT,
        id: settings.id(),
        games: settings.games,
        shard: (shard != Shard::WHOLE).then(|| shard.name()),
        runner: format!("kawari {}", env!("CARGO_PKG_VERSION")),
        settings: settings.to_json(),
    }
}

/// `None` if both headers belong to the same shard of the same match.
fn difference(found: &MatchHeader, wanted: &MatchHeader) -> Option<String> {
    if found.shard != wanted.shard {
        let name = |shard: &Option<String>| shard.clone().unwrap_or("the whole".to_owned());
        let (found, wanted) = (name(&found.shard), name(&wanted.shard));
        return Some(format!("shard is {found}, not {wanted}"));
    }
    difference_of_settings(found, wanted)
}

pub fn difference_of_settings(found: &MatchHeader, wanted: &MatchHeader) -> Option<String> {
    let (theirs, ours) = (&found.settings, &wanted.settings);
    let its_id = || format!("its id is {}, not {}", found.id, wanted.id);
    json::difference(theirs, ours).or_else(|| (found.id != wanted.id).then(its_id))
}
