//! The scores of referee programs in results files. A record with such a score only claims it.

use super::input_file::{FileFormat, InputFiles};
use super::match_record;
use super::split::Lines;
use crate::rules::{Game, GameResult, Setup, SetupRecord};
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The scores in the results files among the input; read when a record first claims one.
#[derive(Debug, Default)]
pub struct ProgramScores {
    paths: Vec<PathBuf>,
    found: OnceLock<HashSet<String>>,
}

impl ProgramScores {
    /// Standard input is read once, so it confirms nothing.
    pub fn new(paths: &[PathBuf]) -> ProgramScores {
        let files = paths.iter().filter(|path| path.as_path() != Path::new("-"));
        ProgramScores { paths: files.cloned().collect(), found: OnceLock::new() }
    }

    /// Whether a results file has this game with this score.
    pub fn confirm(&self, setup: &Setup, game: &Game, score: GameResult) -> bool {
        let turns = game.turns().iter();
        let turns = turns.map(|(color, turn)| format!("{} {}", color.letter(), game.write(turn)));
        let turns: Vec<_> = turns.collect();
        let found = self.found.get_or_init(|| self.read());
        found.contains(&key(setup, turns.iter().map(String::as_str), score))
    }

    fn read(&self) -> HashSet<String> {
        let mut found = HashSet::new();
        // Files that cannot be read have their own verdict.
        for file in InputFiles::new(self.paths.clone()).flatten() {
            let mut bytes = BufReader::new(file.bytes);
            let is_json = |head: &[u8]| FileFormat::detect(head) == FileFormat::Json;
            if bytes.fill_buf().is_ok_and(is_json) {
                let lines = Lines::new(bytes).filter_map(|(_, line)| line.ok());
                found.extend(lines.filter_map(|line| match_record::program_score(&line)));
            }
        }
        found
    }
}

/// A game and its score in one text. Records list handicap stones in any order.
pub fn key<'t>(setup: &Setup, turns: impl Iterator<Item = &'t str>, score: GameResult) -> String {
    let mut start = SetupRecord::new(setup);
    start.handicap.sort();
    let start = crate::json::text(&start);
    format!("{start} {} {score}", turns.collect::<Vec<_>>().join(", "))
}
