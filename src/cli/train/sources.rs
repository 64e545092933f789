//! The inputs of `train records` and `train positions`: records of games, lines of moves, and games
//! of self-play.

use crate::cli::Error;
use crate::encoding::Encoding;
use crate::files::without_mark;
use crate::referee::{
    Defaults, FileFormat, GameSource, InputFile, InputFiles, RecordedGame, RecordedGames,
};
use crate::rules::Setup;
use crate::sgf::{self, GameRecord};
use crate::train::data_file::{MAGIC, read_games};
use crate::train::game::TrainingGame;
use crate::train::plain_game::PlainGame;
use crate::train::records::SETS_UP;
use crate::workers;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Bytes that decide the kind of a file.
const HEAD: usize = 1 << 16;

pub fn peek(file: InputFile) -> io::Result<(Vec<u8>, InputFile)> {
    let mut bytes = BufReader::with_capacity(HEAD, file.bytes);
    let head = without_mark(bytes.fill_buf()?).to_vec();
    Ok((head, InputFile { bytes: Box::new(bytes), ..file }))
}

#[derive(Clone, Debug)]
pub struct PlainGames {
    /// Board and komi of lines of moves, which do not state them.
    pub setup: Setup,
    pub threads: usize,
}

/// Each game and its number in its original file, from 0, or why it cannot be used.
pub type SourceGames = Vec<Result<(PlainGame, usize), String>>;

impl PlainGames {
    /// Reads the games in order.
    pub fn read(&self, path: &Path) -> Result<SourceGames, Error> {
        let mut games = SourceGames::new();
        for file in InputFiles::new(vec![path.to_owned()]) {
            let file = file.map_err(|refused| Error::failure_at(&refused.name)(refused.error))?;
            let name = file.name.clone();
            let (head, file) = peek(file).map_err(Error::failure_at(&name))?;
            let first = games.len();
            if head.starts_with(MAGIC) {
                let records = read_games(Path::new(&*name), self.setup.info);
                games.extend(self.self_play_games(records.map_err(Error::failure_at(&name))?));
            } else if head.starts_with(b"B ") || head.starts_with(b"W ") {
                let lines = BufReader::new(file.bytes).lines();
                games.extend(self.line_games(lines, first).map_err(Error::failure_at(&name))?);
            } else {
                games.extend(self.recorded_games(file, first).map_err(Error::failure_at(&name))?);
            }
        }
        Ok(games)
    }

    fn self_play_games(&self, games: Vec<TrainingGame>) -> SourceGames {
        let game_of = |(number, record): (usize, TrainingGame)| {
            let game = PlainGame::from_training(&record, self.setup.info);
            let game = game.map_err(|why| format!("game {}: {why}", number + 1))?;
            Ok((game, record.index.map_or(number, |index| index as usize)))
        };
        workers::map(self.threads, games.into_iter().enumerate(), game_of)
    }

    fn line_games(
        &self,
        lines: impl Iterator<Item = io::Result<String>> + Send,
        first: usize,
    ) -> io::Result<SourceGames> {
        let game_of = |(number, line): (usize, io::Result<String>)| {
            let game = PlainGame::from_line(&line?, &self.setup);
            Ok(game
                .map(|game| (game, first + number))
                .map_err(|why| format!("line {}: {why}", number + 1)))
        };
        workers::map(self.threads, lines.enumerate(), game_of).into_iter().collect()
    }

    fn recorded_games(&self, file: InputFile, first: usize) -> io::Result<SourceGames> {
        let defaults = Defaults {
            setup: Setup::new(self.setup.info),
            encoding: Encoding::Native,
            chosen_rules: None,
        };
        let records = RecordedGames::from_file(file, Some(FileFormat::Sgf), &defaults)?;
        let game_of = |(number, recorded): (usize, RecordedGame)| {
            let place = |why: String| format!("line {}: {why}", recorded.line);
            let record = record_of(&recorded, &defaults).map_err(place)?;
            if record.sets_up() {
                return Err(place(SETS_UP.to_owned()));
            }
            let game = PlainGame::from_turns(&record.setup, &record.turns());
            Ok((game.map_err(place)?, first + number))
        };
        Ok(workers::map(self.threads, records.enumerate(), game_of))
    }
}

pub fn record_of(record: &RecordedGame, defaults: &Defaults) -> Result<GameRecord, String> {
    let tree = match &record.source {
        GameSource::Sgf(tree) => tree,
        GameSource::Unreadable(why) => return Err(why.words().unwrap_or_default()),
        GameSource::MatchRecord(_) | GameSource::Transcript(_) => return Err("no SGF".to_owned()),
    };
    let defaults = sgf::FileDefaults {
        encoding: defaults.encoding,
        rules_are_chosen: defaults.chosen_rules.is_some(),
        ..(&defaults.setup).into()
    };
    GameRecord::read(tree, defaults).map_err(|why| why.to_string())
}
