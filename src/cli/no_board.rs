//! No board in the browser: the program is built without it.

use super::CliResult;
use clap::Subcommand;
use log::LevelFilter;

#[derive(Debug, Subcommand)]
pub enum BoardCommand {}

impl BoardCommand {
    pub fn log_level(&self) -> LevelFilter {
        match *self {}
    }

    pub fn run(&self) -> CliResult {
        match *self {}
    }
}
