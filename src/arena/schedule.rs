//! In each round every pairing plays two games with one opening and colours swapped. The number of
//! a game depends only on the number of engines: matches can be extended, and shards use the same
//! numbers.

use super::settings::Settings;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::str::FromStr;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// The number, from 1.
    pub game: u64,
    /// The number, from 1.
    pub pair: u64,
    /// The number, from 0; it determines the opening.
    pub round: u64,
    /// The index of the pairing.
    pub pairing: usize,
    /// Indices of Black and White.
    pub players: [usize; 2],
}

/// The pairs of games whose number (from 0) is `index` modulo `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// `number` counts from 1; `None` if there is no such shard.
    pub fn new(number: u64, count: u64) -> Option<Shard> {
        let valid = (1..=count).contains(&number);
        valid.then(|| Shard { index: number - 1, count })
    }

    /// `1/4`, for instance.
    pub fn name(self) -> String {
        format!("{}/{}", self.number(), self.count)
    }

    pub fn count(self) -> u64 {
        self.count
    }

    /// The number, from 1.
    pub fn number(self) -> u64 {
        self.index + 1
    }

    fn pairs_below(self, end: u64) -> u64 {
        end.saturating_sub(self.index).div_ceil(self.count.max(1))
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Shard, &'static str> {
        let (number, count) = text.split_once('/').unwrap_or_default();
        let numbers = number.parse().ok().zip(count.parse().ok());
        let shard = numbers.and_then(|(number, count)| Shard::new(number, count));
        shard.ok_or("expected I/N, I from 1 to N")
    }
}

#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    games: u64,
    shard: Shard,
}

impl Schedule {
    pub fn new(settings: &Settings, shard: Shard) -> Schedule {
        Schedule::with_pairings(
            settings.conditions.pairings.pairs(settings.engines.len()),
            settings.games,
            shard,
        )
    }

    pub fn with_pairings(pairings: Vec<[usize; 2]>, games: u64, shard: Shard) -> Schedule {
        Schedule { pairings, games, shard }
    }

    pub fn with_games(&self, games: u64) -> Schedule {
        Schedule { games, ..self.clone() }
    }

    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// In order of games.
    pub fn games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        let end = self.pairs_of_rounds(self.games.div_ceil(2));
        let step = self.shard.count;
        let pairs =
            std::iter::successors(Some(self.shard.index), move |pair| pair.checked_add(step));
        let pairs = pairs.take_while(move |&pair| pair < end);
        pairs.flat_map(|pair| [2 * pair + 1, 2 * pair + 2]).filter_map(|game| self.game(game))
    }

    /// The game with this number, if it belongs to the match or its shard.
    pub fn game(&self, number: u64) -> Option<ScheduledGame> {
        let (pair, leg) = (number.checked_sub(1)? / 2, (number - 1) % 2);
        let count = self.pairings.len() as u64;
        let (round, at) = (pair.checked_div(count)?, usize::try_from(pair % count).ok()?);
        let [a, b] = *self.pairings.get(at)?;
        let is_played = pair < self.pairs_of_rounds(self.games.div_ceil(2))
            && 2 * round + leg < self.games
            && pair.checked_rem(self.shard.count) == Some(self.shard.index);
        is_played.then_some(ScheduledGame {
            game: number,
            pair: pair + 1,
            round,
            pairing: at,
            players: if leg == 0 { [a, b] } else { [b, a] },
        })
    }

    /// Bounded, so that numbers of games cannot overflow.
    fn pairs_of_rounds(&self, rounds: u64) -> u64 {
        let pairs = rounds.saturating_mul(self.pairings.len() as u64);
        pairs.min(u64::MAX / 2 - 1)
    }

    pub fn game_count(&self) -> u64 {
        let of_rounds = |rounds| self.shard.pairs_below(self.pairs_of_rounds(rounds));
        let (whole, begun) = (self.games / 2, self.games.div_ceil(2));
        of_rounds(whole) + of_rounds(begun)
    }

    /// Ranges of the whole match without `played` games, in order.
    pub fn missing(&self, played: &BTreeSet<u64>) -> Vec<RangeInclusive<u64>> {
        let whole_pairs = self.pairs_of_rounds(self.games / 2);
        let (mut next, end) = (1, 2 * whole_pairs + 1);
        let mut ranges = Vec::new();
        for at in played.range(..end).copied().chain([end]) {
            if next < at {
                ranges.push(next..=at - 1);
            }
            next = at + 1;
        }
        // A last odd round has only the first game of each pair.
        let last = whole_pairs..self.pairs_of_rounds(self.games.div_ceil(2));
        let singles = last.map(|pair| 2 * pair + 1).filter(|game| !played.contains(game));
        ranges.extend(singles.map(|game| game..=game));
        ranges
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::settings::Pairings;

    fn schedule(engines: usize, games: u64, shard: Shard) -> Schedule {
        Schedule::with_pairings(Pairings::RoundRobin.pairs(engines), games, shard)
    }

    #[test]
    fn pairs_of_games_swap_colours() {
        let games: Vec<_> = schedule(3, 3, Shard::WHOLE)
            .games()
            .map(|scheduled| (scheduled.game, scheduled.pair, scheduled.round, scheduled.players))
            .collect();
        let expected = [
            (1, 1, 0, [0, 1]),
            (2, 1, 0, [1, 0]),
            (3, 2, 0, [0, 2]),
            (4, 2, 0, [2, 0]),
            (5, 3, 0, [1, 2]),
            (6, 3, 0, [2, 1]),
            (7, 4, 1, [0, 1]),
            (9, 5, 1, [0, 2]),
            (11, 6, 1, [1, 2]),
        ];
        assert_eq!(games, expected);
    }

    #[test]
    fn a_number_has_at_most_one_game() {
        for (engines, games, count) in [(2, 6, 1), (3, 3, 2), (4, 5, 3)] {
            let schedule = schedule(engines, games, Shard::new(1, count).expect("a shard"));
            let all: Vec<_> = schedule.games().collect();
            let found: Vec<_> = (0..100).filter_map(|number| schedule.game(number)).collect();
            assert_eq!(found, all);
            assert_eq!(schedule.game(u64::MAX), None);
        }
        assert_eq!(schedule(0, 4, Shard::WHOLE).game(1), None);
    }

    #[test]
    fn an_extended_match_contains_the_shorter_one() {
        let short: Vec<_> = schedule(4, 7, Shard::WHOLE).games().collect();
        let long: Vec<_> = schedule(4, 20, Shard::WHOLE).games().collect();
        assert_eq!(short.len(), 42);
        assert!(short.iter().all(|scheduled| long.contains(scheduled)));
    }

    #[test]
    fn shards_are_disjoint_and_complete() {
        for (engines, games, count) in [(2, 100, 3), (4, 7, 5), (3, 1, 2), (2, 2, 4)] {
            let whole: Vec<_> = schedule(engines, games, Shard::WHOLE).games().collect();
            let mut parts = Vec::new();
            for number in 1..=count {
                let shard = Shard::new(number, count).expect("a shard");
                parts.extend(schedule(engines, games, shard).games());
            }
            parts.sort_by_key(|scheduled: &ScheduledGame| scheduled.game);
            assert_eq!(parts, whole);
        }
        assert_eq!(Shard::new(0, 3), None);
        assert_eq!(Shard::new(4, 3), None);
    }

    fn counted(schedule: &Schedule) -> (u64, Vec<u64>) {
        let numbers: Vec<_> = schedule.games().map(|scheduled| scheduled.game).collect();
        (numbers.len() as u64, numbers)
    }

    #[test]
    fn lengths_and_missing_games_are_computed() {
        for (engines, games, count) in [(2, 100, 3), (4, 7, 5), (3, 1, 2), (2, 2, 4), (0, 9, 1)] {
            for number in 1..=count {
                let shard = Shard::new(number, count).expect("a shard");
                let part = schedule(engines, games, shard);
                assert_eq!(
                    part.game_count(),
                    counted(&part).0,
                    "{engines} {games} {number}/{count}"
                );
            }
            let whole = schedule(engines, games, Shard::WHOLE);
            let (_, numbers) = counted(&whole);
            for step in 1..5 {
                let played: BTreeSet<u64> = numbers.iter().copied().step_by(step).collect();
                let wanted = numbers.iter().copied().filter(|game| !played.contains(game));
                let found = whole.missing(&played).into_iter().flatten();
                assert_eq!(found.collect::<Vec<_>>(), wanted.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn an_endless_match_costs_nothing_before_it_is_played() {
        for games in [1 << 40, u64::MAX] {
            for shard in [Shard::WHOLE, Shard::new(1 << 39, 1 << 40).expect("a shard")] {
                let endless = schedule(3, games, shard);
                let first: Vec<_> = endless.games().take(4).collect();
                assert_eq!(first.len(), 4);
                assert_eq!(first[1].game, first[0].game + 1);
                assert!(endless.game_count() >= 4);
            }
            let missing = schedule(3, games, Shard::WHOLE).missing(&BTreeSet::from([2, 5]));
            assert_eq!(missing[..2], [1..=1, 3..=4]);
        }
    }
}
