//! `kawari match merge` and `kawari match report`.

use crate::arena::html_report::{self, HtmlReport};
use crate::arena::{matches, merge, sgf_writer, table};
use crate::cli::output::{ForceOption, OutputFile};
use crate::cli::{CliResult, Error, print};
use crate::files::{self, FileError, NewFile, Replace};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

pub fn merge(files: &[PathBuf], out: Option<&Path>, force: ForceOption) -> CliResult {
    let out = out.map(|path| force.file("--out", path, Replace::Nothing));
    // Fails before reading if the file must not be replaced.
    let new = out.map(|out| Ok::<_, Error>((out, out.create()?))).transpose()?;
    let merged = merge::merge(files).map_err(Error::Failure)?;
    if let Some((out, file)) = new {
        let mut file = BufWriter::new(file);
        let written = merged.write(&mut file);
        let file = written.and_then(|()| file.into_inner().map_err(|error| error.into_error()));
        let written = file.map_err(FileError::from).and_then(NewFile::commit);
        written.map_err(|error| out.error(&error))?;
    }
    print(&table::render(&merged.standings, merged.header.sprt.as_ref()))?;
    match merged.missing.as_slice() {
        [] => Ok(()),
        missing => {
            let count = missing.iter().map(|range| range.end() - range.start() + 1).sum::<u64>();
            let are = if count == 1 { "is" } else { "are" };
            let (games, which) = (table::counted(count, "game"), merge::words(missing));
            Err(Error::Failure(format!("{games} {are} missing: {which}")))
        }
    }
}

/// A new report replaces an earlier one.
pub fn page<'p>(option: &'static str, path: &'p Path, force: ForceOption) -> OutputFile<'p> {
    force.file(option, path, Replace::Containing(html_report::MARK))
}

pub fn report(
    files: &[PathBuf],
    option: &'static str,
    path: &Path,
    force: ForceOption,
) -> CliResult {
    let out = page(option, path, force);
    out.check()?;
    let merged = merge::merge(files).map_err(Error::Failure)?;
    let (mut report, mut standings) = (HtmlReport::default(), merge::standings_of(&merged.header));
    for game in merged.games() {
        standings.add(&game).map_err(Error::Failure)?;
        report.add(&standings, &game);
    }
    let link = |game| {
        let sgf = sgf_writer::file_name(merged.sgf.as_deref()?, game);
        matches::relative(files::folder(path), &sgf)
    };
    let html = report
        .html(&merged.header, &standings, &link)
        .map_err(|error| out.error(&io::Error::other(error).into()))?;
    out.write(html.as_bytes())
}
