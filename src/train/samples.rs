//! Training samples from games: a game is replayed up to a step, and what the net sees
//! there is written down beside what it should say.

use super::game::{ReplayError, TrainingGame};
use super::symmetry::Symmetries;
use super::{Sample, Targets};
use crate::board::Color;
use crate::net::Frame;
use crate::rules::{AnyGame, Game, Variant, VariantInfo, with_game};
use crate::search::neural::{InputWriter, NetBoard, global_count, plane_count};
use crate::search::policy::placed_before;
use std::collections::HashMap;
use std::sync::Arc;

/// Makes samples of the games of one variant; it keeps the shapes of their boards.
#[derive(Debug)]
pub struct SampleMaker {
    info: &'static VariantInfo,
    /// Share of the root's win rate in the target of the result; the rest is the result
    /// of the game.
    search_share: f32,
    boards: HashMap<BoardKey, Arc<BoardShape>>,
}

/// Size, blocked points and rules: the rules may set the number of layers.
type BoardKey = ((u8, u8), Vec<(u8, u8)>, Vec<(String, String)>);

/// What samples on one board share.
#[derive(Debug)]
struct BoardShape {
    frame: Arc<Frame>,
    symmetries: Symmetries,
    /// The number of the point at each position among the activations.
    numbers: HashMap<usize, usize>,
}

impl SampleMaker {
    /// A maker for games of this variant.
    pub fn new(info: &'static VariantInfo, search_share: f32) -> SampleMaker {
        SampleMaker {
            info,
            search_share,
            boards: HashMap::new(),
        }
    }

    /// The sample before step `number` of a game, the board turned or mirrored by the
    /// symmetry that `drawn` stands for; none if no policy can be learned there.
    ///
    /// # Errors
    /// [`ReplayError`] if it is no game of this variant.
    pub fn sample(
        &mut self,
        record: &TrainingGame,
        number: usize,
        drawn: u64,
    ) -> Result<Option<Sample>, ReplayError> {
        let any = AnyGame::new(&record.start.setup(self.info)?)?;
        with_game!(&any, game => self.sample_of(game, record, number, drawn))
    }

    fn sample_of<V: Variant>(
        &mut self,
        _: &Game<V>,
        record: &TrainingGame,
        number: usize,
        drawn: u64,
    ) -> Result<Option<Sample>, ReplayError> {
        let mut found = None;
        record.replay::<V>(|game, board, step| {
            if step == number {
                let shape = self.shape(record, board);
                let permutation = shape.symmetries.draw(drawn);
                let view = View {
                    game,
                    board,
                    record,
                    number,
                    permutation,
                };
                found = view.sample(&shape, self.search_share);
            }
            step < number
        })?;
        Ok(found)
    }

    fn shape(&mut self, record: &TrainingGame, board: &NetBoard) -> Arc<BoardShape> {
        let start = &record.start;
        let key = (start.size, start.blocked.clone(), start.rules.clone());
        let info = self.info;
        let shape = self.boards.entry(key).or_insert_with(|| {
            let positions = board.frame().playable().enumerate();
            Arc::new(BoardShape {
                frame: Arc::new(board.frame().clone()),
                symmetries: Symmetries::of(board, info),
                numbers: positions
                    .map(|(number, position)| (position, number))
                    .collect(),
            })
        });
        shape.clone()
    }
}

/// A position of a game, seen through a symmetry.
struct View<'a, V: Variant> {
    game: &'a Game<V>,
    board: &'a NetBoard,
    record: &'a TrainingGame,
    number: usize,
    permutation: &'a [u16],
}

impl<V: Variant> View<'_, V> {
    fn sample(&self, shape: &BoardShape, search_share: f32) -> Option<Sample> {
        let search = self.record.steps.get(self.number)?.search.as_ref()?;
        let policy = self.shares(&search.visits)?;
        let position = self.game.position();
        let mut inputs = InputWriter::<V>::default();
        let planes = plane_count(V::INFO);
        let mut written = vec![0; planes * self.permutation.len()];
        let before = placed_before(self.game);
        inputs.write(position, before, self.board, |at, plane, value| {
            let point = shape
                .numbers
                .get(&at)
                .and_then(|&point| self.permutation.get(point));
            let to = point.map(|&point| usize::from(point) * planes + plane);
            if let Some(input) = to.and_then(|to| written.get_mut(to)) {
                *input = value;
            }
        });
        let mut globals = vec![0; global_count(V::INFO)];
        inputs.write_globals(position, &mut globals);
        let own = position.to_move;
        let sign = if own == Color::Black { 1 } else { -1 };
        let record = self.record;
        Some(Sample {
            frame: shape.frame.clone(),
            planes: written,
            globals,
            targets: Targets {
                legal: self.legal(),
                policy,
                reply: self.reply(own),
                result: result(
                    record.result * sign,
                    f32::from(search.win) / 255.0,
                    search_share,
                ),
                score: Some(f32::from(sign) * record.half_points as f32 / 2.0),
                ownership: self.ownership(sign),
                weight: 1.0,
            },
        })
    }

    /// The number of a step under the symmetry.
    fn turned(&self, step: u16) -> u32 {
        let points = self.permutation.len().max(1);
        let (kind, point) = (usize::from(step) / points, usize::from(step) % points);
        match self.permutation.get(point) {
            Some(&point) if kind < V::INFO.kinds.len() => {
                (kind * points + usize::from(point)) as u32
            }
            _ => u32::from(step),
        }
    }

    /// Visits as shares; none if there are none.
    fn shares(&self, visits: &[(u16, u16)]) -> Option<Vec<(u32, f32)>> {
        let total: f32 = visits.iter().map(|&(_, visits)| f32::from(visits)).sum();
        let share = |&(step, visits)| (self.turned(step), f32::from(visits) / total);
        (total > 0.0).then(|| visits.iter().map(share).collect())
    }

    /// The steps that are legal, superko apart.
    fn legal(&self) -> Vec<u32> {
        let mut legal = Vec::new();
        let position = self.game.position();
        V::for_each_step(position, position.to_move, &mut |step| {
            let index = self.board.policy_index(V::INFO, step);
            legal.extend(index.map(|index| self.turned(index as u16)));
        });
        legal
    }

    /// The policy of the opponent's next step.
    fn reply(&self, own: Color) -> Vec<(u32, f32)> {
        let record = self.record;
        let step = record.steps.get(self.number);
        let step = step.and_then(|step| self.board.step(V::INFO, usize::from(step.step)));
        let next = record.steps.get(self.number + 1);
        let Some((step, next)) = step.zip(next) else {
            return Vec::new();
        };
        let mut after = self.game.position().clone();
        after.make(own, step);
        if after.to_move == own {
            return Vec::new();
        }
        let searched = next.search.as_ref();
        let shares = searched.and_then(|search| self.shares(&search.visits));
        shares.unwrap_or_else(|| vec![(self.turned(next.step), 1.0)])
    }

    fn ownership(&self, sign: i8) -> Vec<f32> {
        let mut owners = vec![0.0; self.permutation.len()];
        for (&to, &owner) in self.permutation.iter().zip(&self.record.ownership) {
            if let Some(place) = owners.get_mut(usize::from(to)) {
                *place = f32::from(owner * sign);
            }
        }
        owners
    }
}

/// Win, draw and loss: the result of the game mixed with the win rate of the search.
fn result(result: i8, win: f32, search_share: f32) -> [f32; 3] {
    let mut shares = [win * search_share, 0.0, (1.0 - win) * search_share];
    let outcome = match result {
        1 => 0,
        0 => 1,
        _ => 2,
    };
    shares[outcome] += 1.0 - search_share;
    shares
}
