//! Counts of wins, draws and losses by player and pairing.

use super::results::{EndReason, MatchGame, PlayerRecord, half_points, parse_score};
use super::stats::{Games, Pairs};
use std::collections::{BTreeMap, BTreeSet};

const VERSIONS: usize = 4;

/// Results from the side of the first engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairingStats {
    pub games: Games,
    /// Pairs with the same opening and colours swapped.
    pub pairs: Pairs,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerStats {
    /// Results from the engine's side.
    pub games: Games,
    pub as_black: Games,
    pub as_white: Games,
    /// Searched turns, without openings.
    pub turns: u64,
    pub seconds: f64,
    /// The longest turn, in seconds.
    pub longest: f64,
    pub failures: BTreeMap<EndReason, u64>,
    pub disagreements: u64,
    /// As the engine reported them.
    pub versions: BTreeSet<String>,
}

#[derive(Clone, Debug)]
pub struct Standings {
    pub names: Vec<String>,
    /// Indices of names.
    pub pairings: Vec<[usize; 2]>,
    /// Entries by pairing.
    pub pairing_stats: Vec<PairingStats>,
    /// Entries by engine.
    pub player_stats: Vec<PlayerStats>,
    pub games: Games,
    pub without_winner: u64,
    pub disagreements: u64,
    pub turns: u64,
    pub lengths: Option<(usize, usize)>,
    /// The first engine's half points in pairs that lack their second game.
    unpaired: BTreeMap<u64, u8>,
}

impl Standings {
    pub fn new(names: Vec<String>, pairings: Vec<[usize; 2]>) -> Standings {
        Standings {
            pairing_stats: vec![PairingStats::default(); pairings.len()],
            player_stats: vec![PlayerStats::default(); names.len()],
            names,
            pairings,
            games: Games::default(),
            without_winner: 0,
            disagreements: 0,
            turns: 0,
            lengths: None,
            unpaired: BTreeMap::new(),
        }
    }

    pub fn name(&self, at: usize) -> &str {
        self.names.get(at).map_or("", String::as_str)
    }

    pub fn played(&self) -> u64 {
        self.games.trials() + self.without_winner
    }

    /// The caller adds each game once.
    pub fn add(&mut self, game: &MatchGame) -> Result<(), String> {
        let place = |name: &str| self.names.iter().position(|other| other == name);
        let player = |player: &PlayerRecord| {
            place(&player.name)
                .ok_or_else(|| format!("no engine of this match is named '{}'", player.name))
        };
        let (black, white) = (player(&game.black)?, player(&game.white)?);
        let meets = |&[a, b]: &[usize; 2]| [a, b] == [black, white] || [b, a] == [black, white];
        let at = self.pairings.iter().position(meets).ok_or_else(|| {
            format!("game {}: the match has no pairing of these engines", game.game)
        })?;
        let first_is_black = self.pairings.get(at).is_some_and(|pair| pair.first() == Some(&black));
        self.add_length(game);
        self.add_thinking_time(black, white, game);
        let Some(half_points) = half_points(game.result) else {
            self.without_winner += 1;
            return Ok(());
        };
        self.games.add(usize::from(half_points));
        self.add_result(black, white, half_points, game);
        self.add_pairing_result(at, first_is_black, half_points, game.pair);
        Ok(())
    }

    fn add_length(&mut self, game: &MatchGame) {
        let length = game.turns.len();
        self.turns += length as u64;
        let (least, most) = self.lengths.unwrap_or((length, length));
        self.lengths = Some((least.min(length), most.max(length)));
    }

    fn add_thinking_time(&mut self, black: usize, white: usize, game: &MatchGame) {
        let searched = game.turns.iter().skip(game.opening).zip(&game.times);
        for (turn, seconds) in searched {
            let who = if turn.starts_with('B') { black } else { white };
            if let Some(stats) = self.player_stats.get_mut(who) {
                stats.turns += 1;
                stats.seconds += seconds;
                stats.longest = stats.longest.max(*seconds);
            }
        }
        self.disagreements += u64::from(game.disagreement);
        let sides =
            [(black, &game.black, &game.scores.black), (white, &game.white, &game.scores.white)];
        for (who, player, score) in sides {
            let Some(stats) = self.player_stats.get_mut(who) else {
                continue;
            };
            let score = score.as_deref().and_then(parse_score);
            stats.disagreements += u64::from(score.is_some_and(|score| score != game.result));
            if stats.versions.len() < VERSIONS && !player.engine.is_empty() {
                let version = format!("{} {}", player.engine, player.version);
                stats.versions.insert(version.trim_end().to_owned());
            }
        }
    }

    fn add_result(&mut self, black: usize, white: usize, half_points: u8, game: &MatchGame) {
        let of_white = 2 - half_points.min(2);
        for (who, half_points, is_black) in [(black, half_points, true), (white, of_white, false)] {
            let Some(stats) = self.player_stats.get_mut(who) else {
                continue;
            };
            let half_points = usize::from(half_points);
            stats.games.add(half_points);
            if is_black {
                stats.as_black.add(half_points)
            } else {
                stats.as_white.add(half_points)
            }
            if half_points == 0 && game.reason.is_failure() {
                *stats.failures.entry(game.reason).or_default() += 1;
            }
        }
    }

    fn add_pairing_result(&mut self, at: usize, first_is_black: bool, half_points: u8, pair: u64) {
        let Some(pairing) = self.pairing_stats.get_mut(at) else {
            return;
        };
        let of_first = if first_is_black { half_points } else { 2 - half_points.min(2) };
        pairing.games.add(usize::from(of_first));
        match self.unpaired.remove(&pair) {
            Some(other) => pairing.pairs.add(usize::from(other + of_first)),
            None => {
                self.unpaired.insert(pair, of_first);
            }
        }
    }
}
