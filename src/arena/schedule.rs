//! Which games a match consists of.
//!
//! Games are numbered in slots: round after round, in each every pairing plays
//! two games of the same opening, one with each colour. The number of a game
//! depends on the engines alone, so a match can be lengthened, and every shard
//! counts alike.

use super::settings::Settings;

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its number, from 1.
    pub game: u64,
    /// The number of the pair of games it belongs to, from 1.
    pub pair: u64,
    /// The number of its round, from 0: what the opening depends on.
    pub round: u64,
    /// Who plays, by the place in the list: Black, White.
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
    /// The whole.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Part `number` of `count`, from 1; none if there is no such part.
    pub fn new(number: u64, count: u64) -> Option<Shard> {
        let valid = (1..=count).contains(&number);
        valid.then(|| Shard {
            index: number - 1,
            count,
        })
    }

    /// As it is written: `1/4`.
    pub fn name(self) -> String {
        format!("{}/{}", self.index + 1, self.count)
    }

    fn holds(self, pair: u64) -> bool {
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
            settings.pairings.of(settings.engines.len()),
            settings.games,
            shard,
        )
    }

    /// So many games of each of these pairings.
    pub fn of(pairings: Vec<[usize; 2]>, games: u64, shard: Shard) -> Schedule {
        Schedule {
            pairings,
            games,
            shard,
        }
    }

    /// The pairings: both players, by their places in the list.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The games in order.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        let count = self.pairings.len() as u64;
        let rounds = (0..self.games.div_ceil(2)).filter(move |_| count > 0);
        let pairs = rounds.flat_map(move |round| {
            let numbered = (0..).zip(&self.pairings);
            numbered.map(move |(at, &players)| (round, round * count + at, players))
        });
        let mine = pairs.filter(|&(_, pair, _)| self.shard.holds(pair));
        let games = self.games;
        mine.flat_map(move |(round, pair, [a, b])| {
            let legs = [[a, b], [b, a]].into_iter().zip(0..2);
            let played = legs.filter(move |&(_, leg)| 2 * round + leg < games);
            played.map(move |(players, leg)| Slot {
                game: 2 * pair + leg + 1,
                pair: pair + 1,
                round,
                players,
            })
        })
    }

    /// Number of games.
    pub fn len(&self) -> u64 {
        self.slots().map(|_| 1).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.slots().next().is_none()
    }

    /// The pairing of the pair of games with this number (from 1), by its place
    /// in the list; none if there are no pairings.
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
    fn openings_come_in_pairs_with_colours_swapped() {
        let slots: Vec<_> = schedule(3, 3, Shard::WHOLE)
            .slots()
            .map(|slot| (slot.game, slot.pair, slot.round, slot.players))
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
        assert_eq!(slots, expected);
    }

    #[test]
    fn a_longer_match_begins_with_the_shorter() {
        let short: Vec<_> = schedule(4, 7, Shard::WHOLE).slots().collect();
        let long: Vec<_> = schedule(4, 20, Shard::WHOLE).slots().collect();
        assert_eq!(short.len(), 42);
        assert!(short.iter().all(|slot| long.contains(slot)));
    }

    #[test]
    fn shards_are_disjoint_and_make_the_whole() {
        for (engines, games, count) in [(2, 100, 3), (4, 7, 5), (3, 1, 2), (2, 2, 4)] {
            let whole: Vec<_> = schedule(engines, games, Shard::WHOLE).slots().collect();
            let mut parts = Vec::new();
            for number in 1..=count {
                let shard = Shard::new(number, count).expect("a shard");
                parts.extend(schedule(engines, games, shard).slots());
            }
            parts.sort_by_key(|slot: &Slot| slot.game);
            assert_eq!(parts, whole);
        }
        assert_eq!(Shard::new(0, 3), None);
        assert_eq!(Shard::new(4, 3), None);
    }

    #[test]
    fn a_pair_knows_its_pairing() {
        let schedule = schedule(4, 10, Shard::WHOLE);
        for slot in schedule.slots() {
            let mut players = slot.players;
            players.sort_unstable();
            let at = schedule.pairing_of(slot.pair).expect("a pairing");
            assert_eq!(schedule.pairings()[at], players);
        }
        assert_eq!(schedule.pairing_of(0), None);
    }
}
