//! Fits a net to games.

use super::game::TrainingGame;
use super::loss::{Losses, Sample};
use super::samples::SampleMaker;
use super::trainer::Trainer;
use crate::board::Random;
use crate::rules::VariantInfo;
use std::sync::mpsc::sync_channel;

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
    /// Threads that compute gradients; as many make samples ahead of them.
    pub threads: usize,
    /// Seed of the order of samples and of their symmetries.
    pub seed: u64,
}

/// Steps in which the learning rate rises.
const WARM_UP: f32 = 200.0;

/// One game in so many is held out, and never learned from.
pub const HELD_OUT_INTERVAL: usize = 50;

/// Batches that each thread makes ahead.
const AHEAD: usize = 2;

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

/// Fits a net to games, or goes on with a fit that was interrupted. `observe` is called
/// after each step with its number, from 1, the losses before it and the trainer, and
/// returns whether to go on.
pub fn fit(
    trainer: &mut Trainer,
    info: &'static VariantInfo,
    games: &[TrainingGame],
    settings: &FitSettings,
    observe: &mut dyn FnMut(u64, &Losses, &Trainer) -> bool,
) {
    let first = trainer.begin_fit(settings.steps);
    with_batches(info, games, settings, first, |batches| {
        for (step, batch) in (first..).zip(batches) {
            let rate = settings.rate(step);
            let losses = trainer.step(&batch, rate, settings.average_decay, settings.threads);
            trainer.progress.done = step + 1;
            if !observe(step + 1, &losses, trainer) {
                break;
            }
        }
    });
}

/// Has the batches of all steps from `first` on made, by as many threads as compute
/// gradients, while `train` uses them. Their order does not depend on the number of
/// threads: of the same plan the first of three makes batches 0, 3, 6 and so on, the second
/// 1, 4, 7, and `train` gets one of each in turn.
fn with_batches<R>(
    info: &'static VariantInfo,
    games: &[TrainingGame],
    settings: &FitSettings,
    first: u64,
    train: impl FnOnce(&mut dyn Iterator<Item = Vec<Sample>>) -> R,
) -> R {
    let plan = Plan::new(games, settings);
    let (threads, first) = (settings.threads.max(1), first as usize);
    std::thread::scope(|scope| {
        let begin = |number: usize| {
            let (sender, receiver) = sync_channel(AHEAD);
            let planned = plan.clone().take(settings.steps as usize);
            let planned = planned.skip(first + number).step_by(threads);
            scope.spawn(move || {
                let mut maker = SampleMaker::new(info, settings.search_share);
                for places in planned {
                    if sender.send(make_batch(&mut maker, games, &places)).is_err() {
                        return; // nobody takes them any more
                    }
                }
            });
            receiver
        };
        let makers: Vec<_> = (0..threads).map(begin).collect();
        let mut batches = makers.iter().cycle().map_while(|maker| maker.recv().ok());
        let result = train(&mut batches);
        drop(makers); // threads that wait for a taker end
        result
    })
}

/// The samples of some places, but for those in games that the rules refuse.
fn make_batch(maker: &mut SampleMaker, games: &[TrainingGame], places: &[Place]) -> Vec<Sample> {
    let sample = |place: &Place| {
        let game = games.get(place.game as usize)?;
        let made = maker.sample(game, place.step as usize, place.symmetry);
        made.ok().flatten()
    };
    places.iter().filter_map(sample).collect()
}

/// Where a sample comes from.
#[derive(Clone, Copy, Debug)]
struct Place {
    game: u32,
    step: u32,
    /// Stands for the symmetry under which it is seen.
    symmetry: u64,
}

/// The places of each batch: all positions in random order, again and again.
#[derive(Clone, Debug)]
struct Plan {
    positions: Vec<(u32, u32)>,
    /// How many positions of the present order are used.
    used: usize,
    batch: usize,
    random: Random,
}

impl Plan {
    fn new(games: &[TrainingGame], settings: &FitSettings) -> Plan {
        let positions = positions(games);
        Plan {
            used: positions.len(),
            positions,
            batch: settings.batch,
            random: Random::new(settings.seed),
        }
    }

    fn next_place(&mut self) -> Option<Place> {
        if self.used == self.positions.len() {
            shuffle(&mut self.positions, &mut self.random);
            self.used = 0;
        }
        let &(game, step) = self.positions.get(self.used)?;
        self.used += 1;
        let symmetry = self.random.bits();
        Some(Place {
            game,
            step,
            symmetry,
        })
    }
}

impl Iterator for Plan {
    type Item = Vec<Place>;

    fn next(&mut self) -> Option<Vec<Place>> {
        (0..self.batch).map(|_| self.next_place()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::go;
    use crate::search::{SearchParams, Searcher};
    use crate::train::self_play::tests::settings as self_play_settings;
    use crate::train::trainer::tests::go_trainer;
    use std::collections::HashSet;

    fn games() -> Vec<TrainingGame> {
        let settings = self_play_settings("go");
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let played = (0..2).map(|seed| settings.play(seed, &mut searcher, &|| false));
        played
            .map(|game| game.expect("valid").expect("whole"))
            .collect()
    }

    fn settings(steps: u64, threads: usize) -> FitSettings {
        FitSettings {
            batch: 8,
            steps,
            learning_rate: 1e-3,
            last_share: 0.1,
            average_decay: 0.9,
            search_share: 0.3,
            threads,
            seed: 5,
        }
    }

    #[test]
    fn samples_come_in_the_same_order_whatever_the_number_of_threads() {
        let games = games();
        let made = |threads, first| {
            let settings = settings(20, threads);
            with_batches(&go::INFO, &games, &settings, first, |batches| {
                let planes = |batch: Vec<Sample>| -> Vec<_> {
                    batch.into_iter().map(|sample| sample.planes).collect()
                };
                batches.map(planes).collect::<Vec<_>>()
            })
        };
        let alone = made(1, 0);
        assert!(alone.len() == 20 && alone.iter().all(|batch| batch.len() == 8));
        assert!(alone[0] != alone[1]);
        assert!(made(3, 0) == alone && made(4, 0) == alone);
        assert!(made(3, 7) == alone[7..]);
    }

    #[test]
    fn a_fit_that_was_interrupted_ends_as_it_would_have() {
        let games = games();
        let settings = settings(12, 1);
        let fitted = |trainer: &mut Trainer, last| {
            let mut seen = Vec::new();
            fit(trainer, &go::INFO, &games, &settings, &mut |step, _, _| {
                seen.push(step);
                step < last
            });
            (trainer.to_bytes(), seen)
        };
        let mut whole = go_trainer();
        let (expected, all) = fitted(&mut whole, 12);
        assert_eq!(all, (1..=12).collect::<Vec<_>>());
        assert!(!whole.is_mid_fit());
        let (part, _) = fitted(&mut go_trainer(), 5);
        let mut again = Trainer::from_bytes(&part).expect("a trainer");
        assert!(again.is_mid_fit());
        let (found, rest) = fitted(&mut again, 12);
        assert_eq!(rest, (6..=12).collect::<Vec<_>>());
        assert!(found == expected);
        // A fit that is complete is not gone on with.
        assert_eq!(fitted(&mut again, 3).1, [1, 2, 3]);
    }

    #[test]
    fn without_positions_there_is_no_step() {
        let mut trainer = go_trainer();
        let none = TrainingGame::default();
        fit(
            &mut trainer,
            &go::INFO,
            &[none],
            &settings(3, 2),
            &mut |_, _, _| true,
        );
        assert_eq!(trainer.steps(), 0);
    }

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
