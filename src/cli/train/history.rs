//! The history of a run, in two files of its folder: `history.jsonl` has a line for each complete
//! generation, `seconds.json` the time spent on the current one.

use crate::arena::stats::{Decision, Pairs, elo_of};
use crate::cli::{CliResult, Error};
use crate::files::{self, Replace};
use crate::json;
use crate::train::MeanLosses;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A line of the history.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Generation {
    /// The number, from 0.
    pub generation: u32,
    pub games: usize,
    pub samples: u64,
    /// Losses are those of the net in integers on held-out positions.
    pub policy_loss: f64,
    pub result_loss: f64,
    pub ownership_loss: f64,
    /// Pairs with 0, ½, 1, 1½, 2 points; `None` if there was no net to beat.
    pub gate: Option<[u64; 5]>,
    pub passed: bool,
    /// Elo relative to the first net.
    pub elo: f64,
    /// Against the search without a net.
    pub reference: Option<[u64; 5]>,
    pub seconds: StageSeconds,
}

/// Without time that a kill cut off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StageSeconds {
    pub play: f64,
    /// Includes reading games and evaluating the net.
    pub fit: f64,
    pub gate: f64,
}

impl StageSeconds {
    pub fn total(&self) -> f64 {
        self.play + self.fit + self.gate
    }
}

impl Generation {
    pub fn set_losses(&mut self, losses: &MeanLosses) {
        self.policy_loss = rounded(losses.policy);
        self.result_loss = rounded(losses.result);
        self.ownership_loss = rounded(losses.ownership);
    }

    /// `before` is the Elo of the net to beat.
    pub fn set_gate(&mut self, gate: Option<(Pairs, Decision)>, before: f64) {
        let pairs = gate.map(|(pairs, _)| pairs);
        let gain = pairs.and_then(|pairs| pairs.score()).map_or(0.0, elo_of);
        self.gate = pairs.map(|pairs| *pairs.each());
        self.passed = gate.is_none_or(|(_, decision)| decision == Decision::H1);
        self.elo = rounded(before + gain.clamp(-800.0, 800.0));
    }
}

/// To meaningful digits.
fn rounded(number: f64) -> f64 {
    (number * 1e4).round() / 1e4
}

/// Empty if there is no file.
pub fn read(folder: &Path) -> Result<Vec<Generation>, Error> {
    read_lines(&path(folder))
}

pub fn write(folder: &Path, history: &[Generation]) -> CliResult {
    write_lines(&path(folder), history)
}

fn path(folder: &Path) -> PathBuf {
    folder.join("history.jsonl")
}

/// Measures a generation across restarts of the program.
#[derive(Debug)]
pub struct StageClock {
    path: PathBuf,
    time: UnfinishedTime,
}

#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct UnfinishedTime {
    generation: u32,
    seconds: StageSeconds,
}

impl StageClock {
    /// Continues with the stored time of this generation, or starts at 0.
    pub fn open(folder: &Path, generation: u32) -> Result<StageClock, Error> {
        let path = folder.join("seconds.json");
        let known = read_lines::<UnfinishedTime>(&path)?
            .into_iter()
            .find(|time| time.generation == generation);
        let new = UnfinishedTime { generation, ..UnfinishedTime::default() };
        let time = known.unwrap_or(new);
        Ok(StageClock { path, time })
    }

    /// Runs `work` and adds its time to a stage, even if it fails.
    pub fn time<T>(
        &mut self,
        stage: impl FnOnce(&mut StageSeconds) -> &mut f64,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let started = Instant::now();
        let result = work();
        let seconds = stage(&mut self.time.seconds);
        *seconds = ((*seconds + started.elapsed().as_secs_f64()) * 10.0).round() / 10.0;
        let written = write_lines(&self.path, &[self.time]);
        result.and_then(|found| written.map(|()| found))
    }

    pub fn seconds(&self) -> StageSeconds {
        self.time.seconds
    }
}

/// Reads lines of JSON; empty if there is no file.
fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = files::read_text(path).map_err(Error::in_file(path))?;
    let lines = text.lines().map(serde_json::from_str);
    lines.collect::<Result<_, _>>().map_err(Error::in_file(path))
}

/// Replaces only an earlier such file.
fn write_lines<T: Serialize>(path: &Path, list: &[T]) -> CliResult {
    let lines: Vec<String> = list.iter().map(json::text).collect();
    let text = lines.join("\n") + "\n";
    let written = files::write(path, text.as_bytes(), Replace::Containing("generation"));
    written.map_err(Error::in_file(path))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A line of the first generation.
    pub const LINE: &str = r#"{"generation":0,"games":3000,"samples":533004,"policy_loss":0.6184,"result_loss":0.4463,"ownership_loss":0.4381,"gate":null,"passed":true,"elo":0.0,"reference":null,"seconds":{"play":3000.0,"fit":500.0,"gate":100.0}}"#;

    #[test]
    fn a_history_is_written_as_it_was_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let line = format!("{LINE}\n");
        std::fs::write(path(folder.path()), &line).expect("written");
        let history = read(folder.path()).expect("a history");
        assert_eq!(history[0].seconds.total(), 3600.0);
        write(folder.path(), &history).expect("written");
        let written = std::fs::read_to_string(path(folder.path())).expect("a history");
        assert_eq!(written, line);
    }

    #[test]
    fn the_time_of_a_generation_is_kept_when_a_stage_fails() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = |generation| StageClock::open(folder.path(), generation).expect("a clock");
        let mut clock = open(2);
        let work = || -> CliResult {
            std::thread::sleep(std::time::Duration::from_millis(110));
            Err(Error::Usage("no".to_owned()))
        };
        assert!(clock.time(|seconds| &mut seconds.fit, work).is_err());
        let known = clock.seconds();
        assert!(known.fit > 0.0 && known.play == 0.0);
        assert_eq!(open(2).seconds(), known);
        assert_eq!(open(3).seconds(), StageSeconds::default());
    }
}
