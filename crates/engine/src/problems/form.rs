//! Problems as games in SGF.
//!
//! The main line leads to the position; its root has the grade, `KGRADE[3]`, and the number of a
//! problem that a person made, `KNUMBER[10]`. Variations there begin with a right turn, `TE[1]`, or
//! a wrong one, `BM[1]`; or with the beginning of right turns, `KBEGUN[grow C3]TE[1]`.

use super::{Problem, ProblemLine};
use crate::rules::{Game, Illegal, Setup, Turn, go};
use crate::sgf::{Cursor, GameRecord, NodeId, RecordError, games};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

const NUMBER: &str = "KNUMBER";
const GRADE: &str = "KGRADE";
const RIGHT: &str = "TE";
const WRONG: &str = "BM";
const SOURCE: &str = "SO";

/// The greatest grade of a problem that a person made.
const MAX_GRADE: u8 = 5;

/// The reason why a text is not a problem.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProblemError {
    #[error("no game")]
    NoGame,
    #[error(transparent)]
    Record(#[from] RecordError),
    /// No turn is marked as right.
    #[error("TE: no turn is marked as right")]
    NoAnswer,
    /// A property of the root, and the least and the greatest number that it takes.
    #[error("{0}: expected a number from {1} to {2}")]
    Number(&'static str, u32, u32),
}

/// The game of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProblemSource {
    pub seed: u64,
    /// The number of the game, from 0.
    pub game: u64,
}

impl fmt::Display for ProblemSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "seed {}, game {}", self.seed, self.game)
    }
}

impl FromStr for ProblemSource {
    type Err = ();

    fn from_str(text: &str) -> Result<ProblemSource, ()> {
        let numbers = text.strip_prefix("seed ").and_then(|rest| rest.split_once(", game "));
        let (seed, game) = numbers.ok_or(())?;
        let number = |text: &str| text.parse().map_err(drop);
        Ok(ProblemSource { seed: number(seed)?, game: number(game)? })
    }
}

impl Problem {
    /// Parses a problem in SGF.
    pub fn read(text: &str) -> Result<Problem, ProblemError> {
        let tree = games(text.as_bytes()).next().ok_or(ProblemError::NoGame)?;
        let tree = tree.map_err(RecordError::from)?;
        let record = GameRecord::read(&tree, &Setup::new(&go::INFO))?;
        if let Some(refusal) = record.refusals().first() {
            return Err(record.error(refusal).into());
        }
        let is_marked = |id: NodeId| [RIGHT, WRONG].into_iter().any(|name| has(&record, id, name));
        let game = Game::new(&record.setup).map_err(RecordError::from)?;
        let (mut at, mut game) = (NodeId::ROOT, game);
        let mut variations: Vec<NodeId> = record.children(at).collect();
        while let [next] = *variations
            && !is_marked(next)
        {
            at = next;
            record.make(at, &mut game).map_err(|_| ProblemError::NoAnswer)?;
            variations = record.children(at).collect();
        }
        let line = |first: NodeId| {
            let unfinished = record.unfinished(first);
            let ids = std::iter::once(first).chain(record.tree().line_behind(first));
            let turns = unfinished.into_iter().map(|(_, turn)| turn);
            let turns = turns.chain(ids.filter_map(|id| record.turn(id).map(|(_, turn)| turn)));
            ProblemLine {
                is_right: has(&record, first, RIGHT),
                is_begun: unfinished.is_some(),
                turns: turns.cloned().collect(),
            }
        };
        let lines: Vec<ProblemLine> = variations.into_iter().map(line).collect();
        let problem = Problem {
            number: number(&record, NUMBER, 1..=u32::MAX)?,
            grade: number(&record, GRADE, 1..=MAX_GRADE)?,
            words: record.tree().comment(at),
            lines,
            source: record.note(NodeId::ROOT, SOURCE).and_then(|text| text.parse().ok()),
            setup: record.setup,
            game,
        };
        problem.answers().next().ok_or(ProblemError::NoAnswer)?;
        Ok(problem)
    }

    /// The problem in one line of SGF. Fails if a turn is illegal.
    pub fn write(&self) -> Result<String, RecordError> {
        let record = self.record()?;
        let short = on_one_line(&shortened(record.clone()));
        let is_kept = Problem::read(&short).is_ok_and(|read| {
            read.setup == self.setup
                && read.lines == self.lines
                && read.game.turns() == self.game.turns()
        });
        Ok(if is_kept { short } else { on_one_line(&record) })
    }

    fn record(&self) -> Result<GameRecord, RecordError> {
        let mut record = GameRecord::from_game(&self.setup, &self.game)?;
        let at = record.tree().end_of_main_line();
        if let Some(number) = self.number {
            record.set_note(NodeId::ROOT, NUMBER, &number.to_string());
        }
        if let Some(grade) = self.grade {
            record.set_note(NodeId::ROOT, GRADE, &grade.to_string());
        }
        if let Some(source) = &self.source {
            record.set_note(NodeId::ROOT, SOURCE, &source.to_string());
        }
        record.set_comment(at, &self.words);
        // Each becomes the first variation.
        for line in self.lines.iter().filter(|line| line.is_begun).rev() {
            let mut game = self.game.clone();
            let color = game.to_move();
            for turn in line.turns.iter().take(1) {
                let result = turn.steps().try_for_each(|step| game.step(color, step));
                result.map_err(|why| self.illegal(0, turn, why))?;
            }
            let first = record.end_as(&game, at, true);
            mark(&mut record, first, line);
        }
        let mut cursor = Cursor::new(&record)?;
        for line in self.lines.iter().filter(|line| !line.is_begun) {
            cursor.go(&record, at);
            for (number, turn) in line.turns.iter().enumerate() {
                let played = cursor.play(&mut record, cursor.game().to_move(), turn);
                played.map_err(|why| self.illegal(number, turn, why))?;
                cursor.write_nodes(&mut record);
                if number == 0 {
                    mark(&mut record, cursor.node(), line);
                }
            }
        }
        Ok(record)
    }

    fn illegal(&self, number: usize, turn: &Turn, why: Illegal) -> RecordError {
        let number = self.game.turns().len() + number + 1;
        RecordError::Turn { number, turn: self.game.write(turn), why }
    }
}

fn mark(record: &mut GameRecord, first: NodeId, line: &ProblemLine) {
    record.set_note(first, if line.is_right { RIGHT } else { WRONG }, "1");
}

/// A number in the root.
fn number<N: FromStr + PartialOrd + Copy + Into<u32>>(
    record: &GameRecord,
    name: &'static str,
    range: RangeInclusive<N>,
) -> Result<Option<N>, ProblemError> {
    let Some(text) = record.note(NodeId::ROOT, name) else {
        return Ok(None);
    };
    let number = text.parse().ok().filter(|number| range.contains(number));
    let (least, most) = ((*range.start()).into(), (*range.end()).into());
    number.map(Some).ok_or(ProblemError::Number(name, least, most))
}

fn has(record: &GameRecord, id: NodeId, name: &str) -> bool {
    record.tree().property(id, name).is_some()
}

/// Removes redundant properties: the program embeds many problems.
fn shortened(mut record: GameRecord) -> GameRecord {
    let is_move = |id| ["B", "W"].iter().any(|name| record.tree().property(id, name).is_some());
    let nodes: Vec<_> = record.tree().nodes().map(|id| (id, is_move(id))).collect();
    let mut forget = |id, names: &[&'static str]| {
        for name in names {
            record.set_note(id, name, "");
        }
    };
    forget(NodeId::ROOT, &["AP", "CA", "RU", "KRULE"]);
    for (id, is_move) in nodes {
        forget(id, &["MA", "CR", "LB", "TR", "N"]);
        if is_move {
            forget(id, &["KTURN"]);
        }
    }
    record
}

/// Joins the lines: no value has a line break.
fn on_one_line(record: &GameRecord) -> String {
    record.write_text().lines().collect()
}
