//! Where records come from: files, directories, standard input.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Game trees.
    Sgf,
    /// Transcripts of GTP.
    Gtp,
    /// Match records, a JSON object a line.
    Json,
}

impl Format {
    /// What a file is by its beginning: an object makes it JSON, a game tree
    /// SGF, though words may stand before it.
    pub fn of(head: &[u8]) -> Format {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
        let tree = |text: &[u8]| {
            text.strip_prefix(b"(")
                .is_some_and(|text| text.trim_ascii_start().starts_with(b";"))
        };
        match head.trim_ascii_start() {
            [b'{', ..] => Format::Json,
            text if (0..text.len()).any(|at| tree(text.get(at..).unwrap_or_default())) => {
                Format::Sgf
            }
            _ => Format::Gtp,
        }
    }
}

/// What a file in a directory is called if there are records in it.
const ENDINGS: [&str; 6] = ["sgf", "gtp", "json", "jsonl", "ndjson", "log"];

/// Something to read from.
pub struct Source {
    /// What reports call it.
    pub name: Arc<str>,
    /// Its bytes.
    pub bytes: Box<dyn Read + Send>,
}

/// What cannot be opened.
#[derive(Debug)]
pub struct Missing {
    /// What reports call it.
    pub name: Arc<str>,
    /// Why.
    pub error: io::Error,
}

/// Opens files one by one: those that are named, and in directories that are
/// named those that end like records, sorted by name.
pub struct Sources {
    /// What is still to come, the next one last; deeper ones were found, not
    /// named.
    paths: Vec<PathBuf>,
}

impl Sources {
    /// The sources of these paths, `-` for standard input.
    pub fn new(mut paths: Vec<PathBuf>) -> Sources {
        paths.reverse();
        Sources { paths }
    }

    fn open(&mut self, path: &Path) -> io::Result<Option<Box<dyn Read + Send>>> {
        if path == Path::new("-") {
            return Ok(Some(Box::new(io::stdin())));
        }
        if fs::metadata(path)?.is_dir() {
            self.paths.extend(entries(path)?);
            return Ok(None);
        }
        Ok(Some(Box::new(File::open(path)?)))
    }
}

impl Iterator for Sources {
    type Item = Result<Source, Missing>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let path = self.paths.pop()?;
            let name: Arc<str> = path.to_string_lossy().into();
            match self.open(&path) {
                Ok(None) => {}
                Ok(Some(bytes)) => return Some(Ok(Source { name, bytes })),
                Err(error) => return Some(Err(Missing { name, error })),
            }
        }
    }
}

/// What there is to read in a directory, in reverse; links to directories are
/// not followed, for they may lead back.
fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let linked = kind.is_symlink() && path.is_file();
        if kind.is_dir() || ((kind.is_file() || linked) && is_record(&path)) {
            found.push(path);
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    Ok(found)
}

fn is_record(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    let is = |ending: &str| {
        ENDINGS
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    };
    ending.is_some_and(is)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_beginning() {
        for (head, format) in [
            ("(;GM[1])", Format::Sgf),
            ("\u{feff} \n( ;GM[1]", Format::Sgf),
            ("A letter (and more).\n(;GM[1]", Format::Sgf),
            ("{\"kawari-match\":1}", Format::Json),
            ("boardsize 9\nplay b d4", Format::Gtp),
            ("# (a comment)\nboardsize 9", Format::Gtp),
            ("", Format::Gtp),
        ] {
            assert_eq!(Format::of(head.as_bytes()), format, "{head}");
        }
    }
}
