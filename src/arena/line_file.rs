//! Files to which a line is appended for each result: locked, and read again when the work
//! goes on.

use crate::files::{FileError, without_mark};
use std::fmt::Display;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How often the file is synced: what was written since is lost if the machine loses
/// power, but not if the program is killed.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Maximum length of a line in bytes.
const MAX_LINE: u64 = 64 << 20;

/// Names the file in the message of an error.
pub fn in_file<E: Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

/// How a file ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// The bytes of all lines that have an end.
    pub length: u64,
    /// Number of these lines, without blank ones.
    pub lines: u64,
    /// A last line without an end: it was cut off when its writer was killed, or was never
    /// one of ours.
    pub torn: Vec<u8>,
}

/// Opens a file for reading.
///
/// # Errors
/// It cannot be opened.
pub fn open_to_read(path: &Path) -> Result<File, String> {
    File::open(path).map_err(in_file(path))
}

/// Calls `visit` with every line of a file but blank ones.
///
/// # Errors
/// The file cannot be read, a line is too long, or `visit` fails.
pub fn read(
    path: &Path,
    file: &File,
    mut visit: impl FnMut(&str) -> Result<(), String>,
) -> Result<Ending, String> {
    let mut reader = BufReader::new(file);
    let (mut bytes, mut ending) = (Vec::new(), Ending::default());
    for line in 1.. {
        let to_error = |why: String| format!("{}:{line}: {why}", path.display());
        bytes.clear();
        let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes);
        let count = read.map_err(in_file(path))? as u64;
        if bytes.last() != Some(&b'\n') {
            if count == MAX_LINE {
                return Err(to_error("the line is too long".to_owned()));
            }
            break;
        }
        let text = if line == 1 { without_mark(&bytes) } else { &bytes };
        let text = String::from_utf8_lossy(text);
        let text = text.trim_end_matches('\n');
        if !text.trim().is_empty() {
            visit(text).map_err(to_error)?;
            ending.lines += 1;
        }
        ending.length += count;
    }
    ending.torn = bytes;
    Ok(ending)
}

/// A file that is open for appending and locked.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: File,
    length: u64,
    /// Whether a torn line stands at `length`.
    is_torn: bool,
    synced: Instant,
    /// Tells a thread to sync the file, which may take long.
    syncs: SyncSender<()>,
}

impl LineFile {
    /// Opens or creates a file that begins with `first`, and calls `visit` with its lines.
    /// Before something is appended, a last line without an end is cut off, if lines of ours
    /// stand before it or it begins with `first`. A device or pipe is written to and not read.
    ///
    /// # Errors
    /// It cannot be opened, locked or read, or `visit` fails; the file is then unchanged.
    pub fn open(
        path: &Path,
        first: &str,
        visit: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<LineFile, String> {
        let io = in_file::<io::Error>(path);
        let is_device = std::fs::metadata(path).is_ok_and(|found| !found.is_file());
        let mut options = OpenOptions::new();
        options.append(true).read(!is_device).create(true);
        let file = options.open(path).map_err(&io)?;
        let mut ending = Ending::default();
        if !is_device {
            file.try_lock().map_err(|refused| match refused {
                TryLockError::WouldBlock => {
                    in_file(path)("another process is writing to this file")
                }
                TryLockError::Error(error) => io(error),
            })?;
            ending = read(path, &file, visit)?;
        }
        let compared = first.len().min(ending.torn.len());
        if ending.lines == 0 && first.as_bytes().get(..compared) != ending.torn.get(..compared) {
            return Err(in_file(path)(FileError::Foreign));
        }
        let copy = file.try_clone().map_err(&io)?;
        let (syncs, asked) = sync_channel(1);
        let sync = move || asked.iter().for_each(|()| drop(copy.sync_data()));
        std::thread::Builder::new().spawn(sync).map_err(&io)?;
        Ok(LineFile {
            path: path.to_owned(),
            file,
            length: ending.length,
            is_torn: !ending.torn.is_empty(),
            synced: Instant::now(),
            syncs,
        })
    }

    /// Appends a line.
    ///
    /// # Errors
    /// It cannot be written; what was written of it is cut off.
    pub fn append(&mut self, line: &str) -> Result<(), String> {
        let written = self.write(format!("{line}\n").as_bytes());
        written.map_err(in_file(&self.path))?;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.synced = Instant::now();
            // If the last sync is not done, the next one covers this.
            let _ = self.syncs.try_send(());
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.file.set_len(self.length)?;
        }
        let written = self.file.write_all(bytes);
        self.is_torn = written.is_err();
        if self.is_torn {
            // If this fails, too, the next one to open the file does it.
            let _ = self.file.set_len(self.length);
        }
        written.map(|()| self.length += bytes.len() as u64)
    }

    /// Syncs and closes the file.
    ///
    /// # Errors
    /// It cannot be synced.
    pub fn close(self) -> Result<(), String> {
        match self.file.sync_all() {
            // A pipe or device cannot be synced.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            synced => synced.map_err(in_file(&self.path)),
        }
    }
}
