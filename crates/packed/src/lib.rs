//! Large files within a program: a build script compresses them, and the program reads them.
//!
//! It knows no format of any file, and has no table of them: the crate that embeds files names them.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The compressed bytes of a file that the build script of the calling crate packed.
#[macro_export]
macro_rules! packed {
    ($name:expr) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name))
    };
}

/// Decompresses a file; `None` if its bytes are not deflated.
pub fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    DeflateDecoder::new(packed).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Compresses all files of a directory, for a build script.
pub fn pack(directory: &str) -> io::Result<()> {
    println!("cargo::rerun-if-changed={directory}");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for file in fs::read_dir(Path::new(directory))? {
        let path = file?.path();
        let Some(name) = path.file_name().filter(|_| path.is_file()) else {
            continue;
        };
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&fs::read(&path)?)?;
        fs::write(out.join(name), encoder.finish()?)?;
    }
    Ok(())
}
