//! Fits a net to games.

use super::game::TrainingGame;
use super::loss::{Losses, Sample};
use super::samples::SampleMaker;
use super::trainer::Trainer;
use crate::board::Random;
use crate::rules::VariantInfo;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// How a net is fitted.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// Samples a step.
    pub batch: usize,
    /// Steps.
    pub steps: u64,
    /// The learning rate after the first steps.
    pub learning_rate: f32,
    /// The share of that which is left at the end.
    pub last_share: f32,
    /// How much of the average of weights is kept in each step.
    pub average_decay: f32,
    /// Share of the root's win rate in the target of the result.
    pub search_share: f32,
    /// Threads that compute gradients; one more makes samples.
    pub threads: usize,
    /// Seed of the order of samples and of their symmetries.
    pub seed: u64,
}

/// Steps in which the learning rate rises.
const WARM_UP: f32 = 200.0;

/// One game in so many is held out, and never learned from.
pub const HELD_OUT_INTERVAL: usize = 50;

/// Batches that are made ahead.
const AHEAD: usize = 4;

impl FitSettings {
    /// The learning rate of a step.
    fn rate(&self, step: u64) -> f32 {
        let warm_up = ((step + 1) as f32 / WARM_UP).min(1.0);
        let done = step as f32 / self.steps.max(1) as f32;
        self.learning_rate * warm_up * (1.0 - done * (1.0 - self.last_share))
    }
}

/// The games to learn from, and those held out.
#[derive(Clone, Debug, Default)]
pub struct GameSets {
    /// To learn from.
    pub learned: Vec<TrainingGame>,
    /// Held out.
    pub held_out: Vec<TrainingGame>,
}

impl GameSets {
    /// Adds the games of one file. Each [`HELD_OUT_INTERVAL`]-th of a file is held out:
    /// files only grow at their end, so a game never changes sides.
    pub fn add_file(&mut self, games: impl IntoIterator<Item = TrainingGame>) {
        for (number, game) in games.into_iter().enumerate() {
            match number % HELD_OUT_INTERVAL {
                0 => self.held_out.push(game),
                _ => self.learned.push(game),
            }
        }
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.learned.len() + self.held_out.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes the oldest of both sets, so that `count` games or fewer are left.
    pub fn keep_latest(&mut self, count: usize) {
        let whole = self.len().max(1);
        for games in [&mut self.learned, &mut self.held_out] {
            let kept = games.len() * count.min(whole) / whole;
            games.drain(..games.len() - kept);
        }
    }

    /// Samples of the held-out games, at most `count`, always the same.
    pub fn held_out_samples(&self, info: &'static VariantInfo, count: usize) -> Vec<Sample> {
        let mut maker = SampleMaker::new(info, 0.0);
        let mut places = positions(&self.held_out);
        shuffle(&mut places, &mut Random::new(1));
        let sample = |&(game, step): &(u32, u32)| {
            let game = self.held_out.get(game as usize)?;
            maker.sample(game, step as usize, 0).ok().flatten()
        };
        places.iter().filter_map(sample).take(count).collect()
    }
}

/// The positions of games from which a policy can be learned: game, step.
fn positions(games: &[TrainingGame]) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (number, game) in (0..).zip(games) {
        for (step, record) in (0..).zip(&game.steps) {
            let search = record.search.as_ref();
            if search.is_some_and(|search| !search.visits.is_empty()) {
                found.push((number, step));
            }
        }
    }
    found
}

fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for last in (1..list.len()).rev() {
        list.swap(last, random.below(last as u32 + 1) as usize);
    }
}

/// Fits a net to games. `observe` is called after each step with its number, from 1, the
/// losses before it and the trainer, and returns whether to go on.
///
/// Returns the number of steps made.
pub fn fit(
    trainer: &mut Trainer,
    info: &'static VariantInfo,
    games: &[TrainingGame],
    settings: &FitSettings,
    observe: &mut dyn FnMut(u64, &Losses, &Trainer) -> bool,
) -> u64 {
    let (sender, batches) = sync_channel(AHEAD);
    std::thread::scope(|scope| {
        scope.spawn(move || make_batches(info, games, settings, &sender));
        train_on(trainer, batches, settings, observe)
    })
}

/// Trains on batches until there are no more, or `observe` ends it.
fn train_on(
    trainer: &mut Trainer,
    batches: Receiver<Vec<Sample>>,
    settings: &FitSettings,
    observe: &mut dyn FnMut(u64, &Losses, &Trainer) -> bool,
) -> u64 {
    let mut step = 0;
    for batch in batches {
        let rate = settings.rate(step);
        let losses = trainer.step(&batch, rate, settings.average_decay, settings.threads);
        step += 1;
        if !observe(step, &losses, trainer) {
            break;
        }
    }
    step
}

/// Makes batches of all positions in random order, again and again, until there are
/// enough or nobody takes them.
fn make_batches(
    info: &'static VariantInfo,
    games: &[TrainingGame],
    settings: &FitSettings,
    sender: &SyncSender<Vec<Sample>>,
) {
    let mut random = Random::new(settings.seed);
    let mut maker = SampleMaker::new(info, settings.search_share);
    let mut places = positions(games);
    let mut left = Vec::new();
    for _ in 0..settings.steps {
        let mut batch = Vec::with_capacity(settings.batch);
        while batch.len() < settings.batch {
            if left.is_empty() {
                if places.is_empty() {
                    return;
                }
                shuffle(&mut places, &mut random);
                left.clone_from(&places);
            }
            let Some((number, step)) = left.pop() else {
                return;
            };
            let game = games.get(number as usize);
            match game.map(|game| maker.sample(game, step as usize, random.bits())) {
                Some(Ok(sample)) => batch.extend(sample),
                // A game that the rules refuse is left out for good.
                _ => {
                    places.retain(|&(other, _)| other != number);
                    left.retain(|&(other, _)| other != number);
                }
            }
        }
        if sender.send(batch).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::GameSets;
    use crate::train::game::TrainingGame;
    use std::collections::HashSet;

    #[test]
    fn a_game_held_out_is_never_learned_from_later() {
        let game = |half_points| TrainingGame {
            half_points,
            ..TrainingGame::default()
        };
        let (mut ever_learned, mut ever_held_out) = (HashSet::new(), HashSet::new());
        for files in 1..6 {
            let mut sets = GameSets::default();
            (0..files).for_each(|file| sets.add_file((0..130).map(|n| game(1000 * file + n))));
            assert_eq!(sets.len(), 130 * files as usize);
            sets.keep_latest(300);
            assert!(sets.len() <= 300 && !sets.held_out.is_empty());
            ever_learned.extend(sets.learned.iter().map(|game| game.half_points));
            ever_held_out.extend(sets.held_out.iter().map(|game| game.half_points));
        }
        assert!(ever_learned.is_disjoint(&ever_held_out));
    }
}
