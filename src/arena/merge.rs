//! Merges the results files of shards.

use super::results::{MatchGame, MatchHeader, ResultsLine};
use super::results_file;
use super::schedule::{Schedule, Shard};
use super::settings::{MAX_ENGINES, Pairings};
use super::standings::Standings;
use crate::files;
use crate::json;
use crate::line_file::in_file;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::rc::Rc;

const MAX_SHOWN_RANGES: usize = 100;

struct GameLine {
    file: Rc<Path>,
    text: String,
}

pub struct MergedResults {
    pub header: MatchHeader,
    /// The SGF of the games, if all files name the same.
    pub sgf: Option<PathBuf>,
    pub standings: Standings,
    pub missing: Vec<RangeInclusive<u64>>,
    lines: BTreeMap<u64, GameLine>,
}

/// Reads results files in any order. Identical records of one game count once.
pub fn merge(paths: &[PathBuf]) -> Result<MergedResults, String> {
    let header_of = |path: &PathBuf| {
        // Pipes cannot be read twice.
        files::refuse_devices(path).map_err(in_file(path))?;
        results_file::header_of(path)?.ok_or_else(|| in_file(path)("no match header"))
    };
    let headers: Vec<MatchHeader> = paths.iter().map(header_of).collect::<Result<_, _>>()?;
    let sgf_of = |(path, header): (&PathBuf, &MatchHeader)| {
        header.sgf.as_ref().map(|sgf| files::folder(path).join(sgf))
    };
    let mut sgf = paths.iter().zip(&headers).map(sgf_of);
    let sgf = sgf.next().flatten().filter(|first| sgf.all(|sgf| sgf.as_ref() == Some(first)));
    let (Some(first), Some(ours)) = (paths.first(), headers.first()) else {
        return Err("no results file".to_owned());
    };
    let mut header = ours.clone();
    for (path, theirs) in paths.iter().zip(&headers) {
        if let Some(difference) = results_file::difference_of_settings(theirs, &header) {
            let why = format!("not the match of {}: {difference}", first.display());
            return Err(in_file(path)(why));
        }
        header.games = header.games.max(theirs.games);
    }
    let mut standings = standings_of(&header);
    let mut lines = BTreeMap::new();
    paths.iter().try_for_each(|path| add_file(path, &mut standings, &mut lines))?;
    header.shard = None;
    if paths.len() > 1 {
        header.sgf = None;
    }
    let missing = standings.schedule().missing(&lines.keys().copied().collect());
    Ok(MergedResults { header, sgf, standings, missing, lines })
}

fn add_file(
    path: &Path,
    standings: &mut Standings,
    lines: &mut BTreeMap<u64, GameLine>,
) -> Result<(), String> {
    let file: Rc<Path> = path.into();
    results_file::read(path, |line, text| {
        let ResultsLine::Game(game) = line else {
            return Ok(());
        };
        match lines.get(&game.game) {
            Some(other) if other.text == text => Ok(()),
            Some(other) => {
                let first = other.file.display();
                Err(format!("game {} differs from that in {first}", game.game))
            }
            None => {
                standings.add(&game)?;
                let text = text.to_owned();
                lines.insert(game.game, GameLine { file: Rc::clone(&file), text });
                Ok(())
            }
        }
    })
}

pub fn standings_of(header: &MatchHeader) -> Standings {
    let settings = &header.settings;
    let engines = settings.get("engines").and_then(Value::as_array);
    let name = |engine: &Value| engine.get("name").and_then(Value::as_str).map(str::to_owned);
    let names = engines.into_iter().flatten().filter_map(name);
    let names: Vec<String> = names.take(MAX_ENGINES).collect();
    let pairings = settings.get("pairings").cloned().map(serde_json::from_value);
    let pairings: Pairings = pairings.and_then(Result::ok).unwrap_or_default();
    let pairings = pairings.pairs(names.len());
    Standings::new(names, Schedule::with_pairings(pairings, header.games, Shard::WHOLE))
}

impl MergedResults {
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "{}", json::text(&self.header))?;
        for line in self.lines.values() {
            writeln!(out, "{}", line.text)?;
        }
        out.flush()
    }

    pub fn games(&self) -> impl Iterator<Item = MatchGame> {
        let entries = self.lines.values().map(|line| ResultsLine::parse(&line.text));
        // Every line was parsed before.
        entries.filter_map(|entry| match entry {
            Ok(ResultsLine::Game(game)) => Some(*game),
            _ => None,
        })
    }
}

/// Writes ranges as `3, 7-9`; long lists are shortened.
pub fn words(ranges: &[RangeInclusive<u64>]) -> String {
    let shown = ranges.iter().take(MAX_SHOWN_RANGES).map(|range| {
        if range.start() == range.end() {
            range.start().to_string()
        } else {
            format!("{}-{}", range.start(), range.end())
        }
    });
    let more = (ranges.len() > MAX_SHOWN_RANGES).then(|| "…".to_owned());
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_put_into_words() {
        assert_eq!(words(&[]), "");
        assert_eq!(words(&[3..=3]), "3");
        assert_eq!(words(&[1..=3, 5..=5, 8..=9]), "1-3, 5, 8-9");
        let many: Vec<_> = (0..1000).map(|n| 2 * n..=2 * n).collect();
        assert!(words(&many).ends_with("198, …"));
    }
}
