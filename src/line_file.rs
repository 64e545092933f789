//! Locked files that grow by a record per result, a line or other bytes. A resumed command reads them
//! again.

use crate::files::{self, FileError, without_mark};
use std::fmt::Display;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// A power failure loses the lines since the last sync; a killed program loses nothing.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// In bytes.
const MAX_LINE: u64 = 64 << 20;

pub fn in_file<E: Display>(path: &Path) -> impl Fn(E) -> String {
    move |error| format!("{}: {error}", path.display())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileEnd {
    /// Bytes of all complete records.
    pub length: u64,
    /// Number of complete records, without blank lines.
    pub count: u64,
    /// A last record without its end: cut off when its writer was killed, or foreign.
    pub torn: Vec<u8>,
}

pub fn read(
    path: &Path,
    file: &File,
    mut visit: impl FnMut(&str) -> Result<(), String>,
) -> Result<FileEnd, String> {
    let mut reader = BufReader::new(file);
    let (mut bytes, mut ending) = (Vec::new(), FileEnd::default());
    for line in 1.. {
        let to_error = |why: String| format!("{}:{line}: {why}", path.display());
        bytes.clear();
        let count = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes);
        let count = count.map_err(in_file(path))? as u64;
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
            ending.count += 1;
        }
        ending.length += count;
    }
    ending.torn = bytes;
    Ok(ending)
}

#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Without numbers of files, the lengths and the times of creation are compared.
#[cfg(not(unix))]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    a.len() == b.len() && a.created().ok() == b.created().ok()
}

#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: File,
    length: u64,
    is_torn: bool,
    /// Whether the file is new, and not a device.
    is_new: bool,
    is_device: bool,
    synced: Instant,
    /// Wakes the thread that syncs, because syncing may take long.
    syncs: SyncSender<()>,
}

/// A thread that still writes to the disk keeps no lock.
impl Drop for LineFile {
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl LineFile {
    /// Opens or creates a file that begins with `first`, and calls `visit` with its lines. A torn
    /// line must follow complete lines or begin with `first`.
    pub fn open(
        path: &Path,
        first: &str,
        visit: impl FnMut(&str) -> Result<(), String>,
    ) -> Result<LineFile, String> {
        LineFile::open_records(path, |file| {
            let ending = read(path, file, visit)?;
            let compared = first.len().min(ending.torn.len());
            if ending.count == 0 && first.as_bytes().get(..compared) != ending.torn.get(..compared)
            {
                return Err(in_file(path)(FileError::Foreign));
            }
            Ok(ending)
        })
    }

    /// Opens or creates a file of other records, which `read` finds. The first append cuts off a
    /// torn record. Devices and pipes are only written to. An error leaves the file unchanged.
    pub fn open_records(
        path: &Path,
        read: impl FnOnce(&File) -> Result<FileEnd, String>,
    ) -> Result<LineFile, String> {
        let io = in_file::<io::Error>(path);
        let found = std::fs::metadata(path);
        let is_new = found.is_err();
        let is_device = found.is_ok_and(|found| !found.is_file());
        let mut options = OpenOptions::new();
        options.append(true).read(!is_device).create(true);
        files::make_folder(path).map_err(&io)?;
        let file = options.open(path).map_err(&io)?;
        let mut ending = FileEnd::default();
        if !is_device {
            file.try_lock().map_err(|refused| match refused {
                TryLockError::WouldBlock => {
                    in_file(path)("another process is writing to this file")
                }
                TryLockError::Error(error) => io(error),
            })?;
            ending = read(&file)?;
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
            is_new,
            is_device,
            synced: Instant::now(),
            syncs,
        })
    }

    pub fn append(&mut self, line: &str) -> Result<(), String> {
        self.append_record(format!("{line}\n").as_bytes())
    }

    /// If writing fails, no part of the record stays. Fails if somebody removed or replaced the file
    /// meanwhile: records would go to a file that has no name.
    pub fn append_record(&mut self, record: &[u8]) -> Result<(), String> {
        if !self.is_device && !self.is_in_place() {
            let why = "the file was removed or replaced while this command writes to it";
            return Err(in_file(&self.path)(why));
        }
        self.write(record).map_err(in_file(&self.path))?;
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
            // Otherwise the next program that opens the file does this.
            let _ = self.file.set_len(self.length);
        }
        written.map(|()| self.length += bytes.len() as u64)
    }

    /// Whether the path still names the file, with the records of this command.
    fn is_in_place(&self) -> bool {
        let (Ok(named), Ok(open)) = (std::fs::metadata(&self.path), self.file.metadata()) else {
            return false;
        };
        named.len() >= self.length && is_same(&named, &open)
    }

    /// Removes a new file without a record: nothing of it would be of use.
    pub fn close(self) -> Result<(), String> {
        if self.is_new && self.length == 0 && self.is_in_place() {
            let _ = std::fs::remove_file(&self.path);
            return Ok(());
        }
        match self.file.sync_all() {
            // A pipe or device cannot be synced.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            synced => synced.map_err(in_file(&self.path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn open(path: &Path) -> LineFile {
        LineFile::open(path, "a", |_| Ok(())).expect("a file")
    }

    /// Lines never go to a file without a name, and a failed start leaves no file.
    #[test]
    fn a_removed_or_replaced_file_takes_no_more_lines() {
        let directory = tempfile::tempdir().expect("a folder");
        let path = directory.path().join("out");
        open(&path).close().expect("an end");
        assert!(!path.exists());
        for replaced in [false, true] {
            let mut file = open(&path);
            file.append("a1").expect("a line");
            fs::remove_file(&path).expect("removed");
            if replaced {
                fs::write(&path, "a1\nfrom elsewhere\n").expect("written");
            }
            let error = file.append("a2").expect_err("an error");
            assert!(error.contains("removed or replaced"), "{error}");
            file.close().expect("an end");
            if replaced {
                assert_eq!(fs::read_to_string(&path).expect("text"), "a1\nfrom elsewhere\n");
            }
        }
        let mut shortened = open(&path);
        fs::write(&path, "a").expect("written");
        assert!(shortened.append("a3").is_err());
    }
}
