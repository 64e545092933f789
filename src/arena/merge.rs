//! Joins files of results.

use super::record::{Entry, GameRecord, Header};
use super::schedule::{Schedule, Shard};
use super::settings::{Pairings, fingerprint};
use super::standings::Standings;
use super::store::{self, StoreError};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Why files cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// One of them cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is nothing to join.
    #[error("{}: no header of a match", .0.display())]
    NoHeader(PathBuf),
    /// Two files hold different matches.
    #[error("{}: another match than {}: {difference}", path.display(), first.display())]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// The first file.
        first: PathBuf,
        /// The first setting that differs.
        difference: String,
    },
    /// Two records of the same game.
    #[error("{}: game {game} is another one in {}", path.display(), first.display())]
    Conflict {
        /// The file.
        path: PathBuf,
        /// The file that holds the other.
        first: PathBuf,
        /// The game.
        game: u64,
    },
}

/// Where a game stands.
struct Place {
    file: usize,
    offset: u64,
    fingerprint: u64,
}

/// Files that belong together.
pub struct Joined {
    /// The header of the whole match.
    pub header: Header,
    /// What the games add up to.
    pub standings: Standings,
    /// Numbers of games that are missing, in order.
    pub missing: Vec<u64>,
    paths: Vec<PathBuf>,
    places: BTreeMap<u64, Place>,
}

/// Reads files of results, in any order, and finds out what they hold. A game
/// that stands in several of them, word for word, counts once.
///
/// # Errors
/// [`MergeError`].
pub fn join(paths: &[PathBuf]) -> Result<Joined, MergeError> {
    let mut header: Option<Header> = None;
    let mut standings = None;
    let mut places = BTreeMap::new();
    for (file, path) in paths.iter().enumerate() {
        let theirs = store::header_of(path)?.ok_or_else(|| MergeError::NoHeader(path.clone()))?;
        match &mut header {
            None => {
                standings = Some(standings_of(&theirs));
                header = Some(theirs);
            }
            Some(ours) => {
                if let Some(difference) = store::difference_of_settings(&theirs, ours) {
                    return Err(MergeError::OtherMatch {
                        path: path.clone(),
                        first: paths.first().cloned().unwrap_or_default(),
                        difference,
                    });
                }
                ours.games = ours.games.max(theirs.games);
            }
        }
        if let Some(standings) = &mut standings {
            gather(paths, file, path, standings, &mut places)?;
        }
    }
    let (Some(mut header), Some(standings)) = (header, standings) else {
        return Err(MergeError::NoHeader(PathBuf::new()));
    };
    header.shard = None;
    let pairings = standings.pairings().to_vec();
    let schedule = Schedule::of(pairings, header.games, Shard::WHOLE);
    let missing = schedule.slots().map(|slot| slot.game);
    let missing = missing.filter(|game| !places.contains_key(game)).collect();
    Ok(Joined {
        header,
        standings,
        missing,
        paths: paths.to_vec(),
        places,
    })
}

/// Adds the games of one file.
fn gather(
    paths: &[PathBuf],
    file: usize,
    path: &Path,
    standings: &mut Standings,
    places: &mut BTreeMap<u64, Place>,
) -> Result<(), MergeError> {
    let mut conflict = None;
    let opened = store::open_to_read(path)?;
    store::read(path, &opened, |line| {
        let Entry::Game(game) = line.entry else {
            return Ok(());
        };
        let place = Place {
            file,
            offset: line.offset,
            fingerprint: fingerprint(line.text.as_bytes()),
        };
        match places.get(&game.game) {
            Some(other) if other.fingerprint == place.fingerprint => Ok(()),
            Some(other) => {
                conflict.get_or_insert((other.file, game.game));
                Ok(())
            }
            None => {
                standings.add(&game)?;
                places.insert(game.game, place);
                Ok(())
            }
        }
    })?;
    match conflict {
        None => Ok(()),
        Some((first, game)) => Err(MergeError::Conflict {
            path: path.to_owned(),
            first: paths.get(first).cloned().unwrap_or_default(),
            game,
        }),
    }
}

/// The standings of a match before its first game, from its header.
pub fn standings_of(header: &Header) -> Standings {
    let settings = &header.settings;
    let engines = settings.get("engines").and_then(Value::as_array);
    let name = |engine: &Value| {
        engine
            .get("name")
            .and_then(Value::as_str)
            .map(str::to_owned)
    };
    let names: Vec<String> = engines.into_iter().flatten().filter_map(name).collect();
    let pairings = settings.get("pairings").and_then(Value::as_str);
    let all = Pairings::ALL.into_iter();
    let pairings = all.filter(|(name, _)| Some(*name) == pairings);
    let pairings = pairings.map(|(_, pairings)| pairings).next();
    let pairings = pairings.unwrap_or(Pairings::RoundRobin).of(names.len());
    Standings::new(names, pairings)
}

impl Joined {
    /// Writes one file of results, the games in order.
    ///
    /// # Errors
    /// Reading or writing fails.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        let header = serde_json::to_string(&self.header).map_err(io::Error::other)?;
        writeln!(out, "{header}")?;
        self.lines(|line| out.write_all(line))?;
        out.flush()
    }

    /// Calls `visit` with every game, in order.
    ///
    /// # Errors
    /// Reading fails, or a file has changed since.
    pub fn games(&self, mut visit: impl FnMut(&GameRecord)) -> io::Result<()> {
        self.lines(|line| match Entry::parse(&String::from_utf8_lossy(line)) {
            Ok(Entry::Game(game)) => {
                visit(&game);
                Ok(())
            }
            Ok(Entry::Header(_)) => Err(io::Error::other("a game was here")),
            Err(why) => Err(io::Error::other(why)),
        })
    }

    /// Calls `visit` with the line of every game, in order.
    fn lines(&self, mut visit: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let files: io::Result<Vec<File>> = self.paths.iter().map(File::open).collect();
        let mut readers: Vec<_> = files?.into_iter().map(BufReader::new).collect();
        let mut line = Vec::new();
        for place in self.places.values() {
            let Some(reader) = readers.get_mut(place.file) else {
                continue;
            };
            reader.seek(SeekFrom::Start(place.offset))?;
            line.clear();
            reader.read_until(b'\n', &mut line)?;
            visit(&line)?;
        }
        Ok(())
    }
}

/// Numbers as people write them: `3, 7-9`.
pub fn ranges(numbers: &[u64]) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let written = ranges.iter().map(|&(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    written.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_put_together() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[3]), "3");
        assert_eq!(ranges(&[1, 2, 3, 5, 8, 9]), "1-3, 5, 8-9");
    }
}
