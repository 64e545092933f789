//! Fits a net to games.

use super::game::{PolicyTarget, TrainingGame};
use super::loss::{Losses, Sample};
use super::samples::SampleMaker;
use super::trainer::Trainer;
use crate::board::Random;
use crate::rules::VariantInfo;
use std::sync::mpsc::sync_channel;

#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    pub batch: usize,
    pub steps: u64,
    /// The learning rate after the warm-up.
    pub learning_rate: f32,
    /// Share of the learning rate that is left at the end.
    pub last_share: f32,
    /// Share of the average that each step keeps.
    pub average_decay: f32,
    /// Share of the search's win rate in the target of the result.
    pub search_share: f32,
    /// Share of positions without a policy, which teach only values. Most searches of self-play are
    /// too short for a policy, above all in endgames.
    pub value_share: f32,
    /// The threads compute gradients; as many others prepare samples.
    pub threads: usize,
    /// The seed decides order and symmetries of samples.
    pub seed: u64,
}

const WARM_UP: f32 = 200.0;

/// Prepared batches per thread.
const AHEAD: usize = 2;

impl FitSettings {
    fn rate(&self, step: u64) -> f32 {
        let warm_up = ((step + 1) as f32 / WARM_UP).min(1.0);
        let done = step as f32 / self.steps.max(1) as f32;
        self.learning_rate * warm_up * (1.0 - done * (1.0 - self.last_share))
    }
}

#[derive(Clone, Debug, Default)]
pub struct GameSets {
    groups: Vec<GameGroup>,
}

#[derive(Clone, Debug, Default)]
pub struct GameGroup {
    /// The share is relative to the other groups.
    pub share: f32,
    pub learned: Vec<TrainingGame>,
    pub held_out: Vec<TrainingGame>,
}

impl GameGroup {
    pub fn new(share: f32) -> GameGroup {
        GameGroup { share, ..GameGroup::default() }
    }

    /// Files only grow at their end, so whether a game is [held out](super::game::is_held_out)
    /// never changes.
    pub fn add_file(&mut self, games: impl IntoIterator<Item = TrainingGame>) {
        for (number, game) in games.into_iter().enumerate() {
            if game.is_held_out(number) {
                self.held_out.push(game);
            } else {
                self.learned.push(game);
            }
        }
    }

    pub fn len(&self) -> usize {
        self.learned.len() + self.held_out.len()
    }

    /// Keeps at most `count` games, the latest of both sets.
    pub fn keep_latest(&mut self, count: usize) {
        let whole = self.len().max(1);
        for games in [&mut self.learned, &mut self.held_out] {
            let kept = games.len() * count.min(whole) / whole;
            games.drain(..games.len() - kept);
        }
    }

    pub fn held_out_samples(&self, info: &'static VariantInfo, count: usize) -> Vec<Sample> {
        let mut maker = SampleMaker::new(info, 0.0);
        let places = self.held_out_places().into_iter();
        let sample =
            |(game, step): (&TrainingGame, usize)| maker.sample(game, step, 0).ok().flatten();
        places.filter_map(sample).take(count).collect()
    }

    /// In a fixed random order.
    pub fn held_out_places(&self) -> Vec<(&TrainingGame, usize)> {
        let mut places = positions(&self.held_out, HasPolicy::Yes);
        shuffle(&mut places, &mut Random::new(1));
        let places = places.into_iter();
        places.map(|(game, step)| (&self.held_out[game as usize], step as usize)).collect()
    }
}

impl GameSets {
    pub fn new(groups: Vec<GameGroup>) -> GameSets {
        GameSets { groups }
    }

    pub fn groups(&self) -> &[GameGroup] {
        &self.groups
    }

    pub fn counts(&self) -> (usize, usize) {
        let groups = self.groups.iter();
        groups.fold((0, 0), |(learned, held_out), group| {
            (learned + group.learned.len(), held_out + group.held_out.len())
        })
    }

    fn game(&self, place: &Place) -> Option<&TrainingGame> {
        let group = self.groups.get(place.group as usize)?;
        group.learned.get(place.game as usize)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HasPolicy {
    Yes,
    No,
}

/// Each position is a game and a step.
fn positions(games: &[TrainingGame], has_policy: HasPolicy) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (number, game) in (0..).zip(games) {
        for (step, record) in (0..).zip(&game.steps) {
            let is_unknown = record.policy == PolicyTarget::Unknown;
            if is_unknown == (has_policy == HasPolicy::No) {
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

/// Continues an interrupted fit. `observe` sees the number of each step (from 1), the losses before
/// it and the trainer; it returns false to stop.
pub fn fit(
    trainer: &mut Trainer,
    info: &'static VariantInfo,
    games: &GameSets,
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

/// As many threads prepare batches as compute gradients. The order of batches does not depend on
/// that number: of three threads, the first makes batches 0, 3, 6 …
fn with_batches<R>(
    info: &'static VariantInfo,
    games: &GameSets,
    settings: &FitSettings,
    first: u64,
    train: impl FnOnce(&mut dyn Iterator<Item = Vec<Sample>>) -> R,
) -> R {
    let plan = Plan::new(games, settings);
    let (threads, first) = (settings.threads.max(1), first as usize);
    std::thread::scope(|scope| {
        let begin = |number: usize| {
            let (sender, receiver) = sync_channel(AHEAD);
            let planned =
                plan.clone().take(settings.steps as usize).skip(first + number).step_by(threads);
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

/// Leaves out games that the rules refuse.
fn make_batch(maker: &mut SampleMaker, games: &GameSets, places: &[Place]) -> Vec<Sample> {
    let sample = |place: &Place| {
        let game = games.game(place)?;
        let sample = maker.sample(game, place.step as usize, place.symmetry);
        sample.ok().flatten()
    };
    places.iter().filter_map(sample).collect()
}

#[derive(Clone, Copy, Debug)]
struct Place {
    group: u32,
    game: u32,
    step: u32,
    /// Selects the symmetry.
    symmetry: u64,
}

/// Draws from the decks by their shares.
#[derive(Clone, Debug)]
struct Plan {
    decks: Vec<Deck>,
    batch: usize,
    random: Random,
}

/// Positions of a group, shuffled again after each round.
#[derive(Clone, Debug)]
struct Deck {
    group: u32,
    share: f32,
    positions: Vec<(u32, u32)>,
    used: usize,
}

impl Deck {
    fn new(group: usize, share: f32, positions: Vec<(u32, u32)>) -> Deck {
        Deck {
            group: group as u32,
            share: if positions.is_empty() { 0.0 } else { share },
            used: positions.len(),
            positions,
        }
    }

    fn next(&mut self, random: &mut Random) -> Option<(u32, u32)> {
        if self.used == self.positions.len() {
            shuffle(&mut self.positions, random);
            self.used = 0;
        }
        let found = self.positions.get(self.used).copied();
        self.used += 1;
        found
    }
}

impl Plan {
    fn new(games: &GameSets, settings: &FitSettings) -> Plan {
        let mut decks = Vec::new();
        for (number, group) in games.groups.iter().enumerate() {
            let with_policy = positions(&group.learned, HasPolicy::Yes);
            let without = positions(&group.learned, HasPolicy::No);
            let value_share = match (with_policy.is_empty(), without.is_empty()) {
                (true, _) => 1.0,
                (_, true) => 0.0,
                _ => settings.value_share,
            };
            let shares = [1.0 - value_share, value_share];
            for (positions, share) in [with_policy, without].into_iter().zip(shares) {
                decks.push(Deck::new(number, share * group.share, positions));
            }
        }
        decks.retain(|deck| deck.share > 0.0);
        Plan { decks, batch: settings.batch, random: Random::new(settings.seed) }
    }

    fn next_place(&mut self) -> Option<Place> {
        let total: f32 = self.decks.iter().map(|deck| deck.share).sum();
        let mut left = self.random.fraction() * total;
        let drawn = self.decks.iter().position(|deck| {
            left -= deck.share;
            left < 0.0
        });
        // Rounding may leave a remainder.
        let last = self.decks.len().checked_sub(1)?;
        let deck = self.decks.get_mut(drawn.unwrap_or(last))?;
        let (game, step) = deck.next(&mut self.random)?;
        Some(Place { group: deck.group, game, step, symmetry: self.random.bits() })
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
    use crate::train::game::TrainingStep;
    use crate::train::self_play::tests::settings as self_play_settings;
    use crate::train::trainer::tests::go_trainer;
    use std::collections::HashSet;

    fn games() -> GameSets {
        let settings = self_play_settings("go");
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let played = (0..2).map(|seed| settings.play(seed, &mut searcher, &|| false));
        let games = played.map(|game| game.expect("valid").expect("whole"));
        sets(games.collect())
    }

    fn sets(learned: Vec<TrainingGame>) -> GameSets {
        let group = GameGroup { learned, ..GameGroup::new(1.0) };
        GameSets::new(vec![group])
    }

    fn settings(steps: u64, threads: usize) -> FitSettings {
        FitSettings {
            batch: 8,
            steps,
            learning_rate: 1e-3,
            last_share: 0.1,
            average_decay: 0.9,
            search_share: 0.3,
            value_share: 0.25,
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
        // A complete fit starts again.
        assert_eq!(fitted(&mut again, 3).1, [1, 2, 3]);
    }

    #[test]
    fn without_positions_there_is_no_step() {
        let mut trainer = go_trainer();
        let none = TrainingGame::default();
        fit(&mut trainer, &go::INFO, &sets(vec![none]), &settings(3, 2), &mut |_, _, _| true);
        assert_eq!(trainer.steps(), 0);
    }

    #[test]
    fn places_are_drawn_by_the_shares_of_groups_and_of_positions_without_policy() {
        let game = |steps: &[bool]| TrainingGame {
            steps: steps
                .iter()
                .map(|&searched| TrainingStep {
                    policy: if searched { PolicyTarget::Played } else { PolicyTarget::Unknown },
                    ..TrainingStep::default()
                })
                .collect(),
            ..TrainingGame::default()
        };
        let group = |share, steps: &[bool]| GameGroup {
            learned: vec![game(steps)],
            ..GameGroup::new(share)
        };
        let groups =
            vec![group(3.0, &[true, false, false]), group(1.0, &[true]), group(0.0, &[true])];
        let plan = Plan::new(&GameSets::new(groups), &settings(1, 1));
        let places: Vec<Place> = plan.take(1000).flatten().collect();
        let share = |group, searched: bool| {
            let of = |place: &&Place| place.group == group && (place.step == 0) == searched;
            places.iter().filter(of).count() as f32 / places.len() as f32
        };
        let expected = [(0, true, 0.5625), (0, false, 0.1875), (1, true, 0.25), (2, true, 0.0)];
        for (group, searched, expected) in expected {
            let found = share(group, searched);
            assert!((found - expected).abs() < 0.02, "{group}: {found}");
        }
    }

    #[test]
    fn a_game_held_out_is_never_learned_from_later() {
        let game = |half_points| TrainingGame {
            half_points: Some(half_points),
            ..TrainingGame::default()
        };
        let (mut ever_learned, mut ever_held_out) = (HashSet::new(), HashSet::new());
        for files in 1..6 {
            let mut sets = GameGroup::new(1.0);
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
