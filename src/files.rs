//! New files are written beside their place and renamed; files are read up to a bound. [`Replace`]
//! says which files a new one may replace. A file stays unchanged until the renaming, so neither a
//! full disk nor a kill leaves half a file. Folders that are not there are made with their first
//! file. Devices and pipes are written to directly.

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// In bytes; own files are smaller.
pub const MAX_BYTES: u64 = 64 << 20;

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{}", in_words(.0))]
    Io(#[from] io::Error),
    /// A directory, a device, a pipe, or a link to nothing.
    #[error("not a file")]
    NotAFile,
    #[error("the file exists")]
    Exists,
    /// The file is not replaceable.
    #[error("the file exists with other content")]
    Foreign,
    #[error("larger than {} MB", .0 >> 20)]
    TooLarge(u64),
    #[error("not UTF-8")]
    NotText,
}

/// Shows only the kind of an error that names the path of the temporary file.
fn in_words(error: &io::Error) -> String {
    match error.kind() {
        kind if error.get_ref().is_some() && kind != io::ErrorKind::Other => {
            io::Error::from(kind).to_string()
        }
        _ => error.to_string(),
    }
}

/// An existing file that may be replaced. An empty one always may.
#[derive(Clone, Copy, Debug)]
pub enum Replace<'t> {
    Nothing,
    Beginning(&'t [u8]),
    /// Text near the beginning.
    Containing(&'t str),
    Anything,
}

/// Bytes that [`Replace::Beginning`] and [`Replace::Containing`] read.
pub const HEAD_BYTES: usize = 1 << 16;

impl Replace<'_> {
    fn allows(self, file: &mut File, length: u64) -> Result<(), FileError> {
        let (bound, refusal) = match self {
            _ if length == 0 => return Ok(()),
            Replace::Anything => return Ok(()),
            Replace::Nothing => return Err(FileError::Exists),
            Replace::Beginning(_) | Replace::Containing(_) => {
                (HEAD_BYTES as u64, FileError::Foreign)
            }
        };
        let mut bytes = Vec::new();
        file.take(bound).read_to_end(&mut bytes)?;
        let is_ours = match self {
            Replace::Beginning(begin) => bytes.starts_with(begin),
            Replace::Containing(text) => contains(&bytes, text.as_bytes()),
            Replace::Nothing | Replace::Anything => true,
        };
        is_ours.then_some(()).ok_or(refusal)
    }
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    bytes.windows(text.len().max(1)).any(|part| part == text)
}

enum Place {
    Free(PathBuf),
    /// A file that may be replaced; links are resolved.
    Taken(PathBuf, Metadata),
    Device(PathBuf),
}

impl Place {
    fn examine(path: &Path, replace: Replace<'_>) -> Result<Place, FileError> {
        if path.file_name().is_none() {
            return Err(FileError::NotAFile);
        }
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Place::Free(path.to_owned()));
            }
            found => found?,
        };
        let path = fs::canonicalize(path).map_err(|_| FileError::NotAFile)?;
        let metadata = fs::metadata(&path)?;
        if metadata.is_dir() {
            return Err(FileError::NotAFile);
        }
        if !metadata.is_file() {
            return Ok(Place::Device(path));
        }
        // Opened for writing, because a file that is write-protected must stay.
        let mut file = File::options().read(true).write(true).open(&path)?;
        replace.allows(&mut file, metadata.len())?;
        Ok(Place::Taken(path, metadata))
    }
}

/// The folder of a file.
pub fn folder(path: &Path) -> &Path {
    let folder = path.parent().unwrap_or(Path::new("."));
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Makes the folder of a new file.
pub fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(folder(path))
}

/// A file being written. [`commit`](Self::commit) names it; dropping it changes nothing.
#[derive(Debug)]
pub struct NewFile<'t> {
    path: PathBuf,
    replace: Replace<'t>,
    output: Output,
}

#[derive(Debug)]
enum Output {
    Beside(NamedTempFile),
    Device(File),
}

impl<'t> NewFile<'t> {
    pub fn create(path: &Path, replace: Replace<'t>) -> Result<NewFile<'t>, FileError> {
        let output = match Place::examine(path, replace)? {
            Place::Device(path) => Output::Device(File::options().write(true).open(path)?),
            Place::Free(path) => {
                make_folder(&path)?;
                Output::Beside(temporary_in(folder(&path))?)
            }
            Place::Taken(path, metadata) => {
                let temporary = temporary_in(folder(&path))?;
                temporary.as_file().set_permissions(metadata.permissions())?;
                Output::Beside(temporary)
            }
        };
        Ok(NewFile { path: path.to_owned(), replace, output })
    }

    /// Examines also a file that appeared in the meantime.
    pub fn commit(self) -> Result<(), FileError> {
        let temporary = match self.output {
            Output::Device(mut file) => return Ok(file.flush()?),
            Output::Beside(temporary) => temporary,
        };
        // Some file systems report a full disk only here.
        temporary.as_file().sync_all()?;
        match Place::examine(&self.path, self.replace)? {
            Place::Free(path) => temporary.persist_noclobber(path),
            Place::Taken(path, _) => temporary.persist(path),
            Place::Device(_) => return Err(FileError::NotAFile),
        }
        .map(drop)
        .map_err(|failed| match failed.error.kind() {
            io::ErrorKind::AlreadyExists => FileError::Exists,
            _ => failed.error.into(),
        })
    }
}

impl Write for NewFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.output {
            Output::Beside(temporary) => temporary.as_file_mut().write(bytes),
            Output::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.output {
            Output::Beside(temporary) => temporary.as_file_mut().flush(),
            Output::Device(file) => file.flush(),
        }
    }
}

const TEMPORARY: [&str; 2] = [".kawari-", ".tmp"];

/// Temporary files have unpredictable names, and a lock for as long as their command runs.
fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    let [prefix, suffix] = TEMPORARY;
    let mut builder = Builder::new();
    builder.prefix(prefix).suffix(suffix).rand_bytes(12);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The umask of the user applies, as to any new file.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    loop {
        let temporary = builder.tempfile_in(folder)?;
        // Before the lock another command may take it for a leftover.
        let is_taken = matches!(temporary.as_file().try_lock(), Err(TryLockError::WouldBlock));
        if !is_taken && temporary.path().exists() {
            return Ok(temporary);
        }
    }
}

/// Removes the temporary files of commands that were killed.
fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let (name, [prefix, suffix]) = (entry.file_name(), TEMPORARY);
        let is_temporary =
            name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(suffix))
                && entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_temporary && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

pub fn write(path: &Path, bytes: &[u8], replace: Replace<'_>) -> Result<(), FileError> {
    let mut file = NewFile::create(path, replace)?;
    file.write_all(bytes)?;
    file.commit()
}

/// Long work should fail at its start rather than at its end. Only space on the disk is not
/// checked. Also removes what killed commands left in the folder.
pub fn check_writable(path: &Path, replace: Replace<'_>) -> Result<(), FileError> {
    if let Place::Free(path) | Place::Taken(path, _) = Place::examine(path, replace)? {
        // A folder that is not there will be made in the nearest one that is.
        let there = folder(&path).ancestors().find(|folder| folder.exists());
        let there = there.unwrap_or(Path::new("."));
        remove_leftovers(there);
        drop(temporary_in(there)?);
    }
    Ok(())
}

/// Opening a pipe without a writer would block.
pub fn refuse_devices(path: &Path) -> Result<(), FileError> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(FileError::NotAFile),
        _ => Ok(()),
    }
}

/// Reads up to [`MAX_BYTES`], also from a device or pipe.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let count = File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if count as u64 > MAX_BYTES { Err(FileError::TooLarge(MAX_BYTES)) } else { Ok(bytes) }
}

pub fn read_text(path: &Path) -> Result<String, FileError> {
    String::from_utf8(read(path)?).map_err(|_| FileError::NotText)
}

/// Some editors write it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

#[cfg(test)]
mod tests;
