//! Who has won how much so far.

use super::record::{GameRecord, PlayerRecord, Reason, half_points};
use super::stats::{Games, Pairs};
use std::collections::{BTreeMap, BTreeSet};

/// Different versions of an engine that are remembered.
const VERSIONS: usize = 4;

/// What two engines did against each other, as the first of them sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duel {
    /// All games.
    pub games: Games,
    /// The games in which the first had Black.
    pub as_black: Games,
    /// The games in which the first had White.
    pub as_white: Games,
    /// Pairs of games with the same opening and colours swapped.
    pub pairs: Pairs,
}

/// What one engine did against all others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// All games, as the engine sees them.
    pub games: Games,
    /// Its games with Black.
    pub as_black: Games,
    /// Its games with White.
    pub as_white: Games,
    /// Turns it thought about.
    pub turns: u64,
    /// Seconds it thought.
    pub seconds: f64,
    /// The longest turn, in seconds.
    pub longest: f64,
    /// How often it lost for failing, and how.
    pub failures: BTreeMap<Reason, u64>,
    /// How often its final score differed from the result.
    pub disagreements: u64,
    /// What it said of itself: name and version, a few at most.
    pub versions: BTreeSet<String>,
}

/// All counts of a match; of the games themselves nothing is kept.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    pairings: Vec<[usize; 2]>,
    /// For each pairing.
    pub duels: Vec<Duel>,
    /// For each engine.
    pub accounts: Vec<Account>,
    /// Games that count.
    pub games: Games,
    /// Games that nobody won because a turn could not be said.
    pub void: u64,
    /// Games in which a final score differed from the result.
    pub disagreements: u64,
    /// Turns of all games.
    pub turns: u64,
    /// Turns of the shortest and the longest game.
    pub lengths: Option<(usize, usize)>,
    /// Half points of the first of a pairing in the game that its pair begins
    /// with.
    halves: BTreeMap<u64, u8>,
}

impl Standings {
    /// Nothing played yet.
    pub fn new(names: Vec<String>, pairings: Vec<[usize; 2]>) -> Standings {
        Standings {
            duels: vec![Duel::default(); pairings.len()],
            accounts: vec![Account::default(); names.len()],
            names,
            pairings,
            games: Games::default(),
            void: 0,
            disagreements: 0,
            turns: 0,
            lengths: None,
            halves: BTreeMap::new(),
        }
    }

    /// The names of the engines.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The pairings, by places in the list of names.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// Number of games that were added.
    pub fn played(&self) -> u64 {
        self.games.trials() + self.void
    }

    /// Adds a game; each must be added once.
    ///
    /// # Errors
    /// It is no game of this match.
    pub fn add(&mut self, game: &GameRecord) -> Result<(), String> {
        let place = |name: &str| self.names.iter().position(|other| other == name);
        let player = |player: &PlayerRecord| {
            place(&player.name)
                .ok_or_else(|| format!("'{}' is no engine of this match", player.name))
        };
        let (black, white) = (player(&game.black)?, player(&game.white)?);
        let meets = |&[a, b]: &[usize; 2]| [a, b] == [black, white] || [b, a] == [black, white];
        let at = self.pairings.iter().position(meets);
        let at = at.ok_or_else(|| format!("game {}: these two do not meet", game.game))?;
        let first_is_black = self
            .pairings
            .get(at)
            .is_some_and(|pair| pair.first() == Some(&black));
        self.add_length(game);
        self.add_thought(black, white, game);
        let Some(half_points) = half_points(&game.result) else {
            self.void += 1;
            return Ok(());
        };
        self.games.add(usize::from(half_points));
        self.add_result(black, white, half_points, game);
        self.add_duel(at, first_is_black, half_points, game.pair);
        Ok(())
    }

    fn add_length(&mut self, game: &GameRecord) {
        let length = game.turns.len();
        self.turns += length as u64;
        let (least, most) = self.lengths.unwrap_or((length, length));
        self.lengths = Some((least.min(length), most.max(length)));
    }

    fn add_thought(&mut self, black: usize, white: usize, game: &GameRecord) {
        let thought = game.turns.iter().skip(game.opening).zip(&game.times);
        for (turn, seconds) in thought {
            let who = if turn.starts_with('B') { black } else { white };
            if let Some(account) = self.accounts.get_mut(who) {
                account.turns += 1;
                account.seconds += seconds;
                account.longest = account.longest.max(*seconds);
            }
        }
        self.disagreements += u64::from(game.disagreement);
        let sides = [
            (black, &game.black, &game.scores.black),
            (white, &game.white, &game.scores.white),
        ];
        for (who, player, score) in sides {
            let Some(account) = self.accounts.get_mut(who) else {
                continue;
            };
            let score = score.as_deref().and_then(super::score::canonical);
            account.disagreements += u64::from(score.is_some_and(|score| score != game.result));
            if account.versions.len() < VERSIONS && !player.engine.is_empty() {
                let version = format!("{} {}", player.engine, player.version);
                account.versions.insert(version.trim_end().to_owned());
            }
        }
    }

    fn add_result(&mut self, black: usize, white: usize, half_points: u8, game: &GameRecord) {
        let of_white = 2 - half_points.min(2);
        for (who, half_points, is_black) in [(black, half_points, true), (white, of_white, false)] {
            let Some(account) = self.accounts.get_mut(who) else {
                continue;
            };
            let half_points = usize::from(half_points);
            account.games.add(half_points);
            match is_black {
                true => account.as_black.add(half_points),
                false => account.as_white.add(half_points),
            }
            if half_points == 0 && game.reason.is_failure() {
                *account.failures.entry(game.reason).or_default() += 1;
            }
        }
    }

    fn add_duel(&mut self, at: usize, first_is_black: bool, half_points: u8, pair: u64) {
        let Some(duel) = self.duels.get_mut(at) else {
            return;
        };
        let of_first = match first_is_black {
            true => half_points,
            false => 2 - half_points.min(2),
        };
        duel.games.add(usize::from(of_first));
        match first_is_black {
            true => duel.as_black.add(usize::from(of_first)),
            false => duel.as_white.add(usize::from(of_first)),
        }
        match self.halves.remove(&pair) {
            Some(other) => duel.pairs.add(usize::from(other + of_first)),
            None => {
                self.halves.insert(pair, of_first);
            }
        }
    }
}
