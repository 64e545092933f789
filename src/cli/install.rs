//! What an installation has beside the program: completions and manual pages.

use super::{CliResult, Error, served};
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

/// Prints the completions of a shell.
pub fn completions(mut command: Command, shell: Shell) -> CliResult {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "kawari", &mut script);
    print_bytes(&script)
}

/// Prints the manual page of the program, or writes those of all subcommands as well.
pub fn man(command: Command, directory: Option<&Path>) -> CliResult {
    let Some(directory) = directory else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        return print_bytes(&page);
    };
    let failure = |error: io::Error| Error::Failure(format!("{}: {error}", directory.display()));
    fs::create_dir_all(directory).map_err(failure)?;
    clap_mangen::generate_to(command, directory).map_err(failure)
}

fn print_bytes(bytes: &[u8]) -> CliResult {
    let mut out = io::stdout().lock();
    served(out.write_all(bytes).and_then(|()| out.flush()))
}
