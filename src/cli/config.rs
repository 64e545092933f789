//! Leftovers of `kawari.toml`, a file of options that earlier versions read.

use super::progress;
use clap::Args;
use std::env;
use std::path::PathBuf;

/// Without effect, so that old scripts still run.
#[derive(Clone, Debug, Args)]
pub struct ConfigOptions {
    /// Accepted without effect
    #[arg(long, value_name = "FILE", global = true, hide = true)]
    config: Option<PathBuf>,
    /// Accepted without effect
    #[arg(long, global = true, hide = true)]
    no_config: bool,
}

impl ConfigOptions {
    /// Warns that the file exists and has no effect, unless an option asked for no file or
    /// another one.
    pub fn warn_of_file(&self) {
        if self.no_config || self.config.is_some() {
            return;
        }
        if let Some(path) = usual_path().filter(|path| path.exists()) {
            let path = path.display();
            progress::line(&format!("{path} is no longer read: see `kawari guide config`"));
        }
    }
}

/// `None` without a home directory.
fn usual_path() -> Option<PathBuf> {
    // Only absolute paths count (XDG Base Directory Specification).
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let at_home = |folder: &str| Some(env::home_dir()?.join(folder));
    let settings = if cfg!(windows) {
        named("APPDATA")
    } else if cfg!(target_os = "macos") {
        at_home("Library/Application Support")
    } else {
        named("XDG_CONFIG_HOME").or_else(|| at_home(".config"))
    };
    Some(settings?.join("kawari").join("kawari.toml"))
}
