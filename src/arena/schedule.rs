//! The games of a match.
//!
//! In each round every pairing plays two games with the same opening, one with each
//! colour. The number of a game depends only on the number of engines, so a match can be
//! extended, and all shards use the same numbers.

use super::settings::Settings;

/// A game of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number, from 1.
    pub game: u64,
    /// The number of its pair of games, from 1.
    pub pair: u64,
    /// The number of its round, from 0, which determines the opening.
    pub round: u64,
    /// The indices of the engines: Black, White.
    pub players: [usize; 2],
}

/// A part of a match: pairs of games whose number is `index` (from 0) modulo
/// `count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// The whole match.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Shard `number` of `count`, from 1; none if there is no such shard.
    pub fn new(number: u64, count: u64) -> Option<Shard> {
        let valid = (1..=count).contains(&number);
        valid.then(|| Shard {
            index: number - 1,
            count,
        })
    }

    /// The name, such as `1/4`.
    pub fn name(self) -> String {
        format!("{}/{}", self.index + 1, self.count)
    }

    fn contains(self, pair: u64) -> bool {
        pair % self.count.max(1) == self.index
    }
}

/// The games of a match, or of one shard of it.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    games: u64,
    shard: Shard,
}

impl Schedule {
    /// The schedule of a match.
    pub fn new(settings: &Settings, shard: Shard) -> Schedule {
        Schedule::of(
            settings.conditions.pairings.of(settings.engines.len()),
            settings.games,
            shard,
        )
    }

    /// A number of games of each of these pairings.
    pub fn of(pairings: Vec<[usize; 2]>, games: u64, shard: Shard) -> Schedule {
        Schedule {
            pairings,
            games,
            shard,
        }
    }

    /// The pairings: the indices of both engines.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The games, in order.
    pub fn games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        let count = self.pairings.len() as u64;
        let rounds = (0..self.games.div_ceil(2)).filter(move |_| count > 0);
        let pairs = rounds.flat_map(move |round| {
            let numbered = (0..).zip(&self.pairings);
            numbered.map(move |(at, &players)| (round, round * count + at, players))
        });
        let mine = pairs.filter(|&(_, pair, _)| self.shard.contains(pair));
        let games = self.games;
        mine.flat_map(move |(round, pair, [a, b])| {
            let legs = [[a, b], [b, a]].into_iter().zip(0..2);
            let played = legs.filter(move |&(_, leg)| 2 * round + leg < games);
            played.map(move |(players, leg)| ScheduledGame {
                game: 2 * pair + leg + 1,
                pair: pair + 1,
                round,
                players,
            })
        })
    }

    /// Number of games.
    pub fn len(&self) -> u64 {
        self.games().map(|_| 1).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.games().next().is_none()
    }

    /// The index of the pairing that plays the pair of games with this number (from 1);
    /// none if there are no pairings.
    pub fn pairing_of(&self, pair: u64) -> Option<usize> {
        let at = pair
            .checked_sub(1)?
            .checked_rem(self.pairings.len() as u64)?;
        usize::try_from(at).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::settings::Pairings;

    fn schedule(engines: usize, games: u64, shard: Shard) -> Schedule {
        Schedule::of(Pairings::RoundRobin.of(engines), games, shard)
    }

    #[test]
    fn pairs_of_games_swap_colours() {
        let games: Vec<_> = schedule(3, 3, Shard::WHOLE)
            .games()
            .map(|scheduled| {
                (
                    scheduled.game,
                    scheduled.pair,
                    scheduled.round,
                    scheduled.players,
                )
            })
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

    #[test]
    fn pairs_of_games_belong_to_pairings() {
        let schedule = schedule(4, 10, Shard::WHOLE);
        for scheduled in schedule.games() {
            let mut players = scheduled.players;
            players.sort_unstable();
            let at = schedule.pairing_of(scheduled.pair).expect("a pairing");
            assert_eq!(schedule.pairings()[at], players);
        }
        assert_eq!(schedule.pairing_of(0), None);
    }
}
