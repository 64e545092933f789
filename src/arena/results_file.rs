//! The results file of a match: locked, appended to, and read again when the match is
//! continued.

use super::results::{FORMAT, MatchGame, MatchHeader, ResultsLine};
use super::schedule::Shard;
use super::settings::Settings;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How often the file is synced: what was written since is lost if the machine loses
/// power, but not if the program is killed.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Why a results file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ResultsFileError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Another process writes to the file.
    #[error("{}: another match is writing to this file", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A line is invalid.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// The file holds another match.
    #[error("{}: holds another match: {difference}", path.display())]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// The first setting that differs.
        difference: String,
    },
}

impl ResultsFileError {
    fn io(path: &Path) -> impl Fn(io::Error) -> ResultsFileError {
        let path = path.to_owned();
        move |error| ResultsFileError::Io {
            path: path.clone(),
            error,
        }
    }
}

/// A line of a results file.
#[derive(Debug)]
pub struct Line<'t> {
    /// The parsed line.
    pub entry: ResultsLine,
    /// Its text.
    pub text: &'t str,
    /// The offset of its first byte.
    pub offset: u64,
}

/// Opens a results file for reading.
///
/// # Errors
/// It cannot be opened.
pub fn open_to_read(path: &Path) -> Result<File, ResultsFileError> {
    File::open(path).map_err(ResultsFileError::io(path))
}

/// Calls `visit` with every line of a results file. A last line without an end was cut
/// off when its writer was killed, and is skipped. Returns the length of the file without
/// it.
///
/// # Errors
/// The file cannot be read, a line is invalid, or `visit` fails.
pub fn read(
    path: &Path,
    file: &File,
    mut visit: impl FnMut(Line<'_>) -> Result<(), String>,
) -> Result<u64, ResultsFileError> {
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    let mut length = 0;
    for line in 1.. {
        bytes.clear();
        let count = reader.read_until(b'\n', &mut bytes);
        let count = count.map_err(ResultsFileError::io(path))?;
        if bytes.pop() != Some(b'\n') {
            break;
        }
        let offset = length;
        length += count as u64;
        let text = String::from_utf8_lossy(&bytes);
        if text.trim().is_empty() {
            continue;
        }
        let text = text.as_ref();
        let visited = ResultsLine::parse(text).and_then(|entry| {
            visit(Line {
                entry,
                text,
                offset,
            })
        });
        visited.map_err(|why| ResultsFileError::Line {
            path: path.to_owned(),
            line,
            why,
        })?;
    }
    Ok(length)
}

/// The last header of a file; none if there is no file or no header.
///
/// # Errors
/// As [`read`].
pub fn header_of(path: &Path) -> Result<Option<MatchHeader>, ResultsFileError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(ResultsFileError::io(path))?,
    };
    let mut header = None;
    read(path, &file, |line| {
        if let ResultsLine::Header(found) = line.entry {
            header = Some(*found);
        }
        Ok(())
    })?;
    Ok(header)
}

/// A results file that is open for appending and locked.
#[derive(Debug)]
pub struct ResultsFile {
    path: PathBuf,
    file: File,
    synced: Instant,
    /// Tells a thread to sync the file, which may take long.
    syncs: SyncSender<()>,
}

impl ResultsFile {
    /// Opens or creates the file of a match or of one shard. Calls `visit` with the games
    /// that it holds.
    ///
    /// # Errors
    /// [`ResultsFileError`], also if `visit` fails.
    pub fn open(
        path: &Path,
        settings: &Settings,
        shard: Shard,
        mut visit: impl FnMut(MatchGame) -> Result<(), String>,
    ) -> Result<ResultsFile, ResultsFileError> {
        let io = ResultsFileError::io(path);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(&io)?;
        file.try_lock().map_err(|_| ResultsFileError::Locked {
            path: path.to_owned(),
        })?;
        let wanted = header(settings, shard);
        let mut found: Option<MatchHeader> = None;
        let length = read(path, &file, |line| match line.entry {
            ResultsLine::Header(header) => {
                found = Some(*header);
                Ok(())
            }
            ResultsLine::Game(game) if game.match_id == wanted.id || found.is_none() => {
                visit(*game)
            }
            ResultsLine::Game(_) => Ok(()), // The comparison of headers reports the difference.
        })?;
        if let Some(difference) = found.as_ref().and_then(|found| difference(found, &wanted)) {
            return Err(ResultsFileError::OtherMatch {
                path: path.to_owned(),
                difference,
            });
        }
        if file.metadata().map_err(&io)?.len() > length {
            file.set_len(length).map_err(&io)?;
        }
        file.seek(SeekFrom::End(0)).map_err(&io)?;
        let copy = file.try_clone().map_err(&io)?;
        let (syncs, asked) = sync_channel(1);
        let sync = move || asked.iter().for_each(|()| drop(copy.sync_data()));
        std::thread::Builder::new().spawn(sync).map_err(&io)?;
        let mut store = ResultsFile {
            path: path.to_owned(),
            file,
            synced: Instant::now(),
            syncs,
        };
        if found.is_none_or(|found| found.games != wanted.games) {
            store.write(&serde_json::to_string(&wanted))?;
        }
        Ok(store)
    }

    /// Appends a game.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn append(&mut self, game: &MatchGame) -> Result<(), ResultsFileError> {
        self.write(&serde_json::to_string(game))
    }

    fn write(&mut self, line: &serde_json::Result<String>) -> Result<(), ResultsFileError> {
        let written = match line {
            Ok(line) => self.file.write_all(format!("{line}\n").as_bytes()),
            Err(error) => Err(io::Error::other(error.to_string())),
        };
        written.map_err(ResultsFileError::io(&self.path))?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.synced = Instant::now();
            // If the last sync is not done, the next one covers this.
            let _ = self.syncs.try_send(());
        }
        Ok(())
    }

    /// Syncs and closes the file.
    ///
    /// # Errors
    /// It cannot be synced.
    pub fn close(self) -> Result<(), ResultsFileError> {
        match self.file.sync_all() {
            // A pipe or device cannot be synced.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            synced => synced.map_err(ResultsFileError::io(&self.path)),
        }
    }
}

/// The header of a match.
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

/// The first setting in which two headers differ, in words; none if they belong to the
/// same shard of the same match.
fn difference(found: &MatchHeader, wanted: &MatchHeader) -> Option<String> {
    if found.shard != wanted.shard {
        let name = |shard: &Option<String>| shard.clone().unwrap_or("the whole".to_owned());
        let (found, wanted) = (name(&found.shard), name(&wanted.shard));
        return Some(format!("shard is {found}, not {wanted}"));
    }
    difference_of_settings(found, wanted)
}

/// The first setting in which the matches of two headers differ, in words.
pub fn difference_of_settings(found: &MatchHeader, wanted: &MatchHeader) -> Option<String> {
    let (theirs, ours) = (&found.settings, &wanted.settings);
    let keys = [ours, theirs].map(|settings| settings.as_object().into_iter());
    let keys = keys.into_iter().flatten().flat_map(|object| object.keys());
    let mut different = keys.filter(|key| theirs.get(key) != ours.get(key));
    if let Some(key) = different.next() {
        let value = |settings: &serde_json::Value| settings.get(key).cloned().unwrap_or_default();
        return Some(format!("{key} is {}, not {}", value(theirs), value(ours)));
    }
    (found.id != wanted.id).then(|| format!("its id is {}, not {}", found.id, wanted.id))
}
