//! Compresses large files that the program embeds, which `src/packed.rs` reads.

use flate2::{Compression, write::DeflateEncoder};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> io::Result<()> {
    // A feature, and the files that it embeds, which have different names.
    let embedded =
        [("NETS", "src/search/neural/nets"), ("TAB", "fixtures/problems"), ("WEB", "src/web/page")];
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    for (feature, directory) in embedded {
        println!("cargo::rerun-if-changed={directory}");
        if env::var_os(format!("CARGO_FEATURE_{feature}")).is_some() {
            compress(Path::new(directory), &out)?;
        }
    }
    Ok(())
}

fn compress(directory: &Path, out: &Path) -> io::Result<()> {
    for file in fs::read_dir(directory)? {
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
