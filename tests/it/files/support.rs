//! Helpers of these tests.

use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of a test, deleted at its end.
pub struct Room(TempDir);

impl Room {
    pub fn new() -> Room {
        Room(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A new file with this content.
    pub fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, content).expect("a file");
        path
    }

    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// The names of all files, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder()).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }
}

pub fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("a file")
}
