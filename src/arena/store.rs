//! The file of results: locked, appended to, and read again after any
//! interruption.

use super::record::{Entry, FORMAT, GameRecord, Header};
use super::schedule::Shard;
use super::settings::Settings;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How long what was written may be lost if the machine loses power. (If the
/// program is killed, nothing is.)
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Why results cannot be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Somebody else writes to the file.
    #[error("{}: another match is writing to this file", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A line is no record.
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

impl StoreError {
    fn io(path: &Path) -> impl Fn(io::Error) -> StoreError {
        let path = path.to_owned();
        move |error| StoreError::Io {
            path: path.clone(),
            error,
        }
    }
}

/// A line of a file of results.
#[derive(Debug)]
pub struct Line<'t> {
    /// What it says.
    pub entry: Entry,
    /// The line itself.
    pub text: &'t str,
    /// The byte it begins at, from 0.
    pub offset: u64,
}

/// Opens a file of results to read it.
///
/// # Errors
/// It cannot be opened.
pub fn open_to_read(path: &Path) -> Result<File, StoreError> {
    File::open(path).map_err(StoreError::io(path))
}

/// Calls `visit` with every line of a file of results. A last line without an
/// end was torn off when its writer was killed: it is left out. Returns the
/// length of the file without it.
///
/// # Errors
/// The file cannot be read, a line is no record, or what `visit` complains of.
pub fn read(
    path: &Path,
    file: &File,
    mut visit: impl FnMut(Line<'_>) -> Result<(), String>,
) -> Result<u64, StoreError> {
    let mut reader = BufReader::new(file);
    let mut bytes = Vec::new();
    let mut length = 0;
    for line in 1.. {
        bytes.clear();
        let count = reader.read_until(b'\n', &mut bytes);
        let count = count.map_err(StoreError::io(path))?;
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
        let visited = Entry::parse(text).and_then(|entry| {
            visit(Line {
                entry,
                text,
                offset,
            })
        });
        visited.map_err(|why| StoreError::Line {
            path: path.to_owned(),
            line,
            why,
        })?;
    }
    Ok(length)
}

/// The last header of a file; none if there is no such file or it has none.
///
/// # Errors
/// As [`read`].
pub fn header_of(path: &Path) -> Result<Option<Header>, StoreError> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        file => file.map_err(StoreError::io(path))?,
    };
    let mut header = None;
    read(path, &file, |line| {
        if let Entry::Header(found) = line.entry {
            header = Some(*found);
        }
        Ok(())
    })?;
    Ok(header)
}

/// A file of results that is being written, and locked as long.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
    synced: Instant,
    /// Asks a thread to sync the file: disks can take their time.
    syncs: SyncSender<()>,
}

impl Store {
    /// Opens the file of a match, or of one shard of it, or begins it. Calls
    /// `visit` with the games that are there already.
    ///
    /// # Errors
    /// [`StoreError`], and what `visit` complains of.
    pub fn open(
        path: &Path,
        settings: &Settings,
        shard: Shard,
        mut visit: impl FnMut(GameRecord) -> Result<(), String>,
    ) -> Result<Store, StoreError> {
        let io = StoreError::io(path);
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(&io)?;
        file.try_lock().map_err(|_| StoreError::Locked {
            path: path.to_owned(),
        })?;
        let wanted = header(settings, shard);
        let mut found: Option<Header> = None;
        let length = read(path, &file, |line| match line.entry {
            Entry::Header(header) => {
                found = Some(*header);
                Ok(())
            }
            Entry::Game(game) if game.match_id == wanted.id || found.is_none() => visit(*game),
            Entry::Game(_) => Ok(()), // The header will tell what differs.
        })?;
        if let Some(difference) = found.as_ref().and_then(|found| difference(found, &wanted)) {
            return Err(StoreError::OtherMatch {
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
        let mut store = Store {
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
    pub fn append(&mut self, game: &GameRecord) -> Result<(), StoreError> {
        self.write(&serde_json::to_string(game))
    }

    fn write(&mut self, line: &serde_json::Result<String>) -> Result<(), StoreError> {
        let written = match line {
            Ok(line) => self.file.write_all(format!("{line}\n").as_bytes()),
            Err(error) => Err(io::Error::other(error.to_string())),
        };
        written.map_err(StoreError::io(&self.path))?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.synced = Instant::now();
            // If it is still at it, the next time will do.
            let _ = self.syncs.try_send(());
        }
        Ok(())
    }

    /// Makes sure that all is on the disk.
    ///
    /// # Errors
    /// It is not.
    pub fn close(self) -> Result<(), StoreError> {
        match self.file.sync_all() {
            // What is no file on a disk cannot be synced.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            synced => synced.map_err(StoreError::io(&self.path)),
        }
    }
}

/// The header of a match.
pub fn header(settings: &Settings, shard: Shard) -> Header {
    Header {
        format: FORMAT,
        id: settings.id(),
        games: settings.games,
        shard: (shard != Shard::WHOLE).then(|| shard.name()),
        runner: format!("kawari {}", env!("CARGO_PKG_VERSION")),
        settings: settings.to_json(),
    }
}

/// The first setting in which two headers differ, in words; none if they
/// belong to the same part of the same match.
fn difference(found: &Header, wanted: &Header) -> Option<String> {
    if found.shard != wanted.shard {
        let name = |shard: &Option<String>| shard.clone().unwrap_or("the whole".to_owned());
        let (found, wanted) = (name(&found.shard), name(&wanted.shard));
        return Some(format!("shard is {found}, not {wanted}"));
    }
    difference_of_settings(found, wanted)
}

/// The first setting in which the matches of two headers differ, in words.
pub fn difference_of_settings(found: &Header, wanted: &Header) -> Option<String> {
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
