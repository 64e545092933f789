//! The input: files, directories, standard input.

use crate::files::without_mark;
use crate::sgf;
use clap::ValueEnum;
use flate2::bufread::MultiGzDecoder;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The format of a file with games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// SGF
    Sgf,
    /// GTP transcripts, with or without responses
    Gtp,
    /// Match records, a JSON object per line
    Json,
}

impl FileFormat {
    /// `{` begins JSON. `(;` at the beginning, or the root of a game anywhere, is SGF. All else is
    /// GTP.
    pub fn detect(head: &[u8]) -> FileFormat {
        let is_tree = |text: &[u8]| text.trim_ascii_start().starts_with(b";");
        match without_mark(head).trim_ascii_start() {
            [b'{', ..] => FileFormat::Json,
            [b'(', text @ ..] if is_tree(text) => FileFormat::Sgf,
            text if sgf::game_start(&String::from_utf8_lossy(text)).is_some() => FileFormat::Sgf,
            _ => FileFormat::Gtp,
        }
    }
}

const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Endings of files in directories; `.gz` may follow.
const ENDINGS: [&str; 6] = ["sgf", "gtp", "json", "jsonl", "ndjson", "log"];

/// Endings of files in directories that need not have a game.
const MAY_BE_EMPTY: [&str; 4] = ["json", "jsonl", "ndjson", "log"];

pub struct InputFile {
    pub name: Arc<str>,
    /// Whether a file without a game is not a fault: many logs in directories have none, and a
    /// match may not have played one yet.
    pub may_be_empty: bool,
    pub bytes: Box<dyn Read + Send>,
}

#[derive(Debug)]
pub struct OpenError {
    pub name: Arc<str>,
    pub error: io::Error,
}

pub struct InputFiles {
    /// The next one last, each with whether it may have no game; files of directories join them.
    paths: Vec<(PathBuf, bool)>,
}

impl InputFiles {
    /// `-` is standard input.
    pub fn new(paths: Vec<PathBuf>) -> InputFiles {
        InputFiles { paths: paths.into_iter().rev().map(|path| (path, false)).collect() }
    }

    fn open(&mut self, path: &Path) -> io::Result<Option<Box<dyn Read + Send>>> {
        if path == Path::new("-") {
            return Ok(Some(Box::new(io::stdin())));
        }
        if fs::metadata(path)?.is_dir() {
            let entries = entries(path)?.into_iter();
            self.paths.extend(entries.map(|path| {
                let may_be_empty = has_ending(&path, &MAY_BE_EMPTY);
                (path, may_be_empty)
            }));
            return Ok(None);
        }
        let mut file = BufReader::new(File::open(path)?);
        if file.fill_buf()?.starts_with(&GZIP) {
            return Ok(Some(Box::new(MultiGzDecoder::new(file))));
        }
        Ok(Some(Box::new(file)))
    }
}

impl Iterator for InputFiles {
    type Item = Result<InputFile, OpenError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (path, may_be_empty) = self.paths.pop()?;
            let name: Arc<str> = path.to_string_lossy().into();
            match self.open(&path) {
                Ok(None) => {}
                Ok(Some(bytes)) => return Some(Ok(InputFile { name, may_be_empty, bytes })),
                Err(error) => return Some(Err(OpenError { name, error })),
            }
        }
    }
}

/// In reverse order. Links to directories may form a cycle, so they are skipped.
fn entries(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let (path, kind) = (entry.path(), entry.file_type()?);
        let linked = kind.is_symlink() && path.is_file();
        if kind.is_dir() || ((kind.is_file() || linked) && has_ending(&path, &ENDINGS)) {
            paths.push(path);
        }
    }
    paths.sort();
    paths.reverse();
    Ok(paths)
}

/// Whether the name has one of these endings, perhaps before `.gz`.
fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let is_compressed = path.extension().is_some_and(|ending| ending == "gz");
    let name = if is_compressed { path.with_extension("") } else { path.to_owned() };
    let ending = name.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_known_by_their_beginning() {
        for (head, format) in [
            ("(;GM[1])", FileFormat::Sgf),
            ("\u{feff} \n( ;GM[1]", FileFormat::Sgf),
            ("A letter (and more).\n(;GM[1]", FileFormat::Sgf),
            ("{\"kawari-match\":1}", FileFormat::Json),
            ("boardsize 9\nplay b d4", FileFormat::Gtp),
            ("# (a comment)\nboardsize 9", FileFormat::Gtp),
            ("Thanks (;-) see you\n(;GM[1]", FileFormat::Sgf),
            ("(\nKM[5.5]SZ[9]\n;B[ee])", FileFormat::Sgf),
            ("# a smiley (;-)\nboardsize 9", FileFormat::Gtp),
            ("", FileFormat::Gtp),
        ] {
            assert_eq!(FileFormat::detect(head.as_bytes()), format, "{head}");
        }
    }
}
