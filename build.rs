//! Compresses large files that the program embeds, which `src/packed.rs` reads, and tells the linker
//! what to leave out.

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
    omit_unwind_tables();
    Ok(())
}

/// Leaves the tables that unwind the stack out of the program: a panic aborts it, and without
/// symbols they show nobody where. They would be a fourteenth of it.
fn omit_unwind_tables() {
    const SCRIPT: &str = "src/omit-unwind-tables.ld";
    println!("cargo::rerun-if-changed={SCRIPT}");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let is_known = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    // The program alone has the feature `cli`.
    if is_known && is("PROFILE", "release") && env::var_os("CARGO_FEATURE_CLI").is_some() {
        let script = env::current_dir().unwrap_or_default().join(SCRIPT);
        println!("cargo::rustc-link-arg-bin=kawari=-Wl,-T,{}", script.display());
    }
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
