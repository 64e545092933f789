//! Files that commands write.

use super::{CliResult, Error};
use crate::arena::words;
use crate::files::{self, FileError, NewFile, Replace};
use clap::{ArgAction, Args};
use serde::Deserialize;
use std::path::Path;

#[derive(Clone, Copy, Debug, Default, Args, Deserialize)]
pub struct ForceOption {
    /// Overwrite existing files (never match results)
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1, require_equals = true,
        default_missing_value = "true", default_value = "false")]
    #[serde(deserialize_with = "words::one")]
    force: bool,
}

impl ForceOption {
    /// `option` names the file in errors.
    pub fn file<'p>(
        self,
        option: &'static str,
        path: &'p Path,
        otherwise: Replace<'static>,
    ) -> OutputFile<'p> {
        let replace = if self.force { Replace::Anything } else { otherwise };
        OutputFile { option, path, replace }
    }

    pub fn is_given(self) -> bool {
        self.force
    }
}

#[derive(Clone, Copy, Debug)]
pub struct OutputFile<'p> {
    option: &'static str,
    path: &'p Path,
    replace: Replace<'static>,
}

impl OutputFile<'_> {
    /// Fails if the file cannot be written now.
    pub fn check(self) -> CliResult {
        files::check_writable(self.path, self.replace).map_err(|error| self.error(&error))
    }

    pub fn write(self, bytes: &[u8]) -> CliResult {
        files::write(self.path, bytes, self.replace).map_err(|error| self.error(&error))
    }

    pub fn create(self) -> Result<NewFile<'static>, Error> {
        NewFile::create(self.path, self.replace).map_err(|error| self.error(&error))
    }

    pub fn error(self, error: &FileError) -> Error {
        let hint = match error {
            FileError::Exists | FileError::Foreign => " (--force replaces it)",
            _ => "",
        };
        let (option, path) = (self.option, self.path.display());
        Error::Failure(format!("{option}: {path}: {error}{hint}"))
    }
}
