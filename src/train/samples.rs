//! Training samples: the inputs and targets of a position.

use super::game::{PolicyTarget, PositionValues, TrainingGame, TrainingStep, sign};
use crate::board::Color;
use crate::net::Frame;
use crate::rules::{Game, Step, VariantInfo};
use crate::search::neural::{InputWriter, NetBoard, global_count, plane_count};
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Sample {
    pub frame: Arc<Frame>,
    /// Inputs by playable point, plane; 64 stands for 1.
    pub planes: Vec<u8>,
    /// Inputs of the whole board; 64 stands for 1.
    pub globals: Vec<i8>,
    pub targets: Targets,
}

/// Targets for the side to move.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Indices of legal policy outputs: points kind by kind, then kinds without a point.
    pub legal: Vec<u32>,
    /// Shares that sum to 1; empty if unknown.
    pub policy: Vec<(u32, f32)>,
    /// The opponent's next step; empty if unknown.
    pub reply: Vec<(u32, f32)>,
    pub result: Option<ResultTarget>,
    pub score: Option<ScoreTarget>,
    /// By playable point, −1 to 1; empty if unknown.
    pub ownership: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultTarget {
    /// Probabilities of win, draw and loss; they sum to 1.
    pub shares: [f32; 3],
    /// The weight, from 0 to 1.
    pub weight: f32,
}

impl ResultTarget {
    /// A draw counts half.
    pub fn win_rate(&self) -> f32 {
        let [win, draw, _] = self.shares;
        win + draw / 2.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreTarget {
    pub mean: f32,
    pub stdev: f32,
}

/// Caches the shapes of boards.
#[derive(Debug)]
pub struct SampleMaker {
    info: &'static VariantInfo,
    /// Share of the search's win rate in the target of the result.
    search_share: f32,
    boards: HashMap<BoardKey, Arc<BoardShape>>,
}

/// The rules may set the number of layers.
type BoardKey = ((u8, u8), Vec<(u8, u8)>, Vec<(String, String)>);

#[derive(Debug)]
struct BoardShape {
    frame: Arc<Frame>,
    symmetries: Vec<Vec<u16>>,
    /// By position among activations; above all points where there is none.
    numbers: Vec<u16>,
}

impl SampleMaker {
    pub fn new(info: &'static VariantInfo, search_share: f32) -> SampleMaker {
        SampleMaker { info, search_share, boards: HashMap::new() }
    }

    /// `drawn` selects the symmetry. `None` if the game has no such step.
    pub fn sample(
        &mut self,
        record: &TrainingGame,
        number: usize,
        drawn: u64,
    ) -> Result<Option<Sample>, String> {
        let mut sample = None;
        let draw = |step: usize| (step == number).then_some(drawn);
        self.samples(record, number + 1, draw, |one| sample = Some(one))?;
        Ok(sample)
    }

    /// Replays once. `draw` selects a symmetry for some of the first `steps` steps.
    pub fn samples(
        &mut self,
        record: &TrainingGame,
        steps: usize,
        mut draw: impl FnMut(usize) -> Option<u64>,
        mut take: impl FnMut(Sample),
    ) -> Result<(), String> {
        let mut inputs = InputWriter::default();
        record.replay(self.info, &mut |game, board, step| {
            if let Some(drawn) = draw(step) {
                let shape = self.shape(record, board);
                let number = drawn % shape.symmetries.len().max(1) as u64;
                let permutation = shape.symmetries.get(number as usize);
                let permutation = permutation.map_or(&[][..], Vec::as_slice);
                let view = View { game, board, record, number: step, permutation };
                if let Some(sample) = view.sample(&shape, &mut inputs, self.search_share) {
                    take(sample);
                }
            }
            step + 1 < steps
        })
    }

    fn shape(&mut self, record: &TrainingGame, board: &NetBoard) -> Arc<BoardShape> {
        let start = &record.start;
        let key = (start.size, start.blocked.clone(), start.rules.clone());
        let info = self.info;
        let shape = self.boards.entry(key).or_insert_with(|| {
            let mut numbers = vec![u16::MAX; board.frame().positions()];
            for (number, position) in (0..).zip(board.frame().playable()) {
                numbers[position] = number;
            }
            Arc::new(BoardShape {
                frame: Arc::new(board.frame().clone()),
                symmetries: board.symmetries(info).collect(),
                numbers,
            })
        });
        shape.clone()
    }
}

struct View<'a> {
    game: &'a Game,
    board: &'a NetBoard,
    record: &'a TrainingGame,
    number: usize,
    permutation: &'a [u16],
}

impl View<'_> {
    fn sample(
        &self,
        shape: &BoardShape,
        inputs: &mut InputWriter,
        search_share: f32,
    ) -> Option<Sample> {
        let step = self.record.steps.get(self.number)?;
        let position = self.game.position();
        let planes = plane_count(self.game.info());
        let mut written = vec![0; planes * self.permutation.len()];
        let before = self.game.placed_before();
        inputs.write(position, before, self.board, &mut |at, plane, value| {
            let point =
                shape.numbers.get(at).and_then(|&point| self.permutation.get(usize::from(point)));
            let to = point.map(|&point| usize::from(point) * planes + plane);
            if let Some(input) = to.and_then(|to| written.get_mut(to)) {
                *input = value;
            }
        });
        let mut globals = vec![0; global_count(self.game.info())];
        inputs.write_globals(position, &mut globals);
        let own = position.situation.to_move;
        Some(Sample {
            frame: shape.frame.clone(),
            planes: written,
            globals,
            targets: Targets {
                legal: self.legal(step),
                policy: self.policy(step),
                reply: self.reply(own),
                result: self.result(step, own, search_share),
                score: self.score(own),
                ownership: self.ownership(own),
            },
        })
    }

    fn turned(&self, step: u16) -> u32 {
        let points = self.permutation.len().max(1);
        let (kind, point) = (usize::from(step) / points, usize::from(step) % points);
        match self.permutation.get(point) {
            Some(&point) if kind < self.game.info().kinds.len() => {
                (kind * points + usize::from(point)) as u32
            }
            _ => u32::from(step),
        }
    }

    /// The shares are empty if unknown.
    fn policy(&self, step: &TrainingStep) -> Vec<(u32, f32)> {
        match &step.policy {
            PolicyTarget::Unknown => Vec::new(),
            PolicyTarget::Played => vec![(self.turned(step.step), 1.0)],
            PolicyTarget::Visits(visits) => {
                let total: f32 = visits.iter().map(|&(_, visits)| f32::from(visits)).sum();
                let share = |&(step, visits)| (self.turned(step), f32::from(visits) / total);
                visits.iter().map(share).collect()
            }
        }
    }

    /// Superko is left out. Most records omit the passes at the end, so they teach nothing about
    /// passing.
    fn legal(&self, step: &TrainingStep) -> Vec<u32> {
        let pass = self.board.policy_index(self.game.info(), Step::PASS);
        let is_pass = |step: &TrainingStep| Some(usize::from(step.step)) == pass;
        let without_pass =
            step.policy == PolicyTarget::Played && !self.record.steps.iter().any(is_pass);
        let mut legal = Vec::new();
        let position = self.game.position();
        position.for_each_step(position.situation.to_move, &mut |step| {
            if without_pass && step == Step::PASS {
                return;
            }
            let index = self.board.policy_index(self.game.info(), step);
            legal.extend(index.map(|index| self.turned(index as u16)));
        });
        legal
    }

    fn reply(&self, own: Color) -> Vec<(u32, f32)> {
        let record = self.record;
        let step = record.steps.get(self.number);
        let step = step.and_then(|step| self.board.step(self.game.info(), usize::from(step.step)));
        let next = record.steps.get(self.number + 1);
        let Some((step, next)) = step.zip(next) else {
            return Vec::new();
        };
        let mut after = self.game.position().boxed();
        after.make(own, step);
        if after.situation.to_move == own {
            return Vec::new();
        }
        let policy = self.policy(next);
        if policy.is_empty() { vec![(self.turned(next.step), 1.0)] } else { policy }
    }

    /// The win rate of the search is mixed in. In a game without searches people played: its winner
    /// says little about the opening.
    fn result(&self, step: &TrainingStep, own: Color, search_share: f32) -> Option<ResultTarget> {
        if let Some(label) = self.label() {
            let win = match own {
                Color::Black => label.win_rate,
                Color::White => 1.0 - label.win_rate,
            };
            return Some(ResultTarget { shares: [win, 0.0, 1.0 - win], weight: 1.0 });
        }
        let outcome = self.record.result? * sign(own);
        let shares = shares_of(outcome);
        let Some(win) = step.win else {
            let done = self.number as f32 / self.record.steps.len().max(1) as f32;
            let weight = RECORDED_RESULT_WEIGHT * done * done;
            return Some(ResultTarget { shares, weight });
        };
        let win = f32::from(win) / 255.0;
        let searched = [win, 0.0, 1.0 - win];
        let mixed = |at: usize| (1.0 - search_share) * shares[at] + search_share * searched[at];
        Some(ResultTarget { shares: [0, 1, 2].map(mixed), weight: 1.0 })
    }

    fn score(&self, own: Color) -> Option<ScoreTarget> {
        let black = match self.label() {
            Some(label) => ScoreTarget { mean: label.lead, stdev: label.stdev },
            None => ScoreTarget { mean: self.record.half_points? as f32 / 2.0, stdev: 0.0 },
        };
        Some(ScoreTarget { mean: f32::from(sign(own)) * black.mean, ..black })
    }

    fn ownership(&self, own: Color) -> Vec<f32> {
        let (black, unit) = match self.label() {
            Some(label) => (&label.ownership, PositionValues::OWNED),
            None => (&self.record.ownership, 1),
        };
        let mut owners = vec![0.0; black.len()];
        for (&to, &owner) in self.permutation.iter().zip(black) {
            if let Some(place) = owners.get_mut(usize::from(to)) {
                *place = f32::from(owner * sign(own)) / f32::from(unit);
            }
        }
        owners
    }

    fn label(&self) -> Option<&PositionValues> {
        self.record.label.as_ref().filter(|_| self.number == 0)
    }
}

/// Weight of human results at the last step; before step `n` of `m` it is (n/m)² of that. On 19x19,
/// results of strong amateurs taught nothing before step 80, and later less than a search.
const RECORDED_RESULT_WEIGHT: f32 = 0.5;

/// Win, draw and loss.
fn shares_of(result: i8) -> [f32; 3] {
    match result {
        1 => [1.0, 0.0, 0.0],
        0 => [0.0, 1.0, 0.0],
        _ => [0.0, 0.0, 1.0],
    }
}
