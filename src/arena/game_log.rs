//! The GTP of each game, with times: a file for each game.

use crate::files::{self, Replace};
use crate::line_file::in_file;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The folder of the logs of a match.
#[derive(Clone, Debug)]
pub struct LogDirectory {
    path: PathBuf,
    /// Marks the files of this match.
    mark: String,
    force: bool,
}

impl LogDirectory {
    /// Checks that the match can write there. Only `force` replaces files of
    /// other matches.
    pub fn open(path: &Path, match_id: &str, force: bool) -> Result<LogDirectory, String> {
        let mark = format!("# match {match_id}, game ");
        let directory = LogDirectory { path: path.to_owned(), mark, force };
        directory.check(1).map(|_| directory)
    }

    fn check(&self, game: u64) -> Result<PathBuf, String> {
        let path = self.path.join(format!("{game:05}.log"));
        let replace = match self.force {
            true => Replace::Anything,
            false => Replace::Beginning(self.mark.as_bytes()),
        };
        files::check_writable(&path, replace).map_err(in_file(&path))?;
        Ok(path)
    }

    /// The log of a game between engines with these names.
    pub fn begin(&self, game: u64, black: &str, white: &str) -> Result<GameLog, String> {
        let path = self.check(game)?;
        let file = files::make_folder(&path).and_then(|()| File::create(&path));
        let file = file.map_err(in_file(&path))?;
        let log = LogFile { path, file, started: Instant::now(), failure: None };
        let log = GameLog(Arc::new(Mutex::new(log)));
        log.write(&format!("{}{game}: {black:?} is black, {white:?} is white\n", self.mark));
        Ok(log)
    }
}

#[derive(Debug)]
struct LogFile {
    path: PathBuf,
    file: File,
    started: Instant,
    failure: Option<io::Error>,
}

#[derive(Clone, Debug)]
pub struct GameLog(Arc<Mutex<LogFile>>);

impl GameLog {
    /// The log of one engine's lines.
    pub fn of(&self, player: &'static str) -> EngineLog {
        EngineLog { log: self.clone(), player }
    }

    /// Each line is written at once, so that the log of a killed match is complete.
    fn write(&self, text: &str) {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = log.file.write_all(text.as_bytes()) {
            log.failure.get_or_insert(error);
        }
    }

    /// Fails if a line could not be written.
    pub fn end(self) -> Result<(), String> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let failure = log.failure.take();
        failure.map_or(Ok(()), |error| Err(in_file(&log.path)(error)))
    }
}

#[derive(Clone, Debug)]
pub struct EngineLog {
    log: GameLog,
    player: &'static str,
}

impl EngineLog {
    /// A line to the engine.
    pub fn sent(&self, line: &str) {
        self.note('>', line);
    }

    /// A line of the engine.
    pub fn received(&self, line: &str) {
        self.note('<', line);
    }

    fn note(&self, direction: char, line: &str) {
        let started = self.log.0.lock().unwrap_or_else(PoisonError::into_inner).started;
        let seconds = started.elapsed().as_secs_f64();
        self.log.write(&format!("{seconds:9.3} {} {direction} {line}\n", self.player));
    }
}
