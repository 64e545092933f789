//! Counts of wins, draws and losses by player and pairing.

use super::ratings::{self, Rating};
use super::results::{EndReason, MatchGame, PlayerRecord, half_points, parse_score};
use crate::stats::{Games, Pairs, Sprt, SprtDecision};
use std::collections::{BTreeMap, BTreeSet};

const VERSIONS: usize = 4;

/// Results from the side of the first engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairingStats {
    pub games: Games,
    /// Pairs with the same opening and colours swapped.
    pub pairs: Pairs,
    /// The pairs without a death of an engine, which a sequential test counts.
    pub tested: Pairs,
    /// Number of pairs with a death.
    pub left_out: u64,
}

impl PairingStats {
    /// The decision of a test. It is undecided if the test leaves out more than 5% of all pairs:
    /// an engine that dies where it is losing would look stronger.
    pub fn decision(&self, sprt: &Sprt) -> SprtDecision {
        const MAX_LEFT_OUT: u64 = 20;
        let all = self.tested.trials() + self.left_out;
        match sprt.decide(&self.tested) {
            SprtDecision::H0 | SprtDecision::H1 if self.left_out * MAX_LEFT_OUT > all => {
                SprtDecision::Undecided
            }
            decision => decision,
        }
    }
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
    pub adjudicated: u64,
    pub disagreements: u64,
    pub turns: u64,
    pub lengths: Option<(usize, usize)>,
    /// Games of pairs that lack their second game.
    unpaired: BTreeMap<u64, FirstOfPair>,
}

#[derive(Clone, Copy, Debug)]
struct FirstOfPair {
    /// The first engine's half points.
    half_points: u8,
    has_death: bool,
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
            adjudicated: 0,
            disagreements: 0,
            turns: 0,
            lengths: None,
            unpaired: BTreeMap::new(),
        }
    }

    pub fn name(&self, at: usize) -> &str {
        self.names.get(at).map_or("", String::as_str)
    }

    /// The ratings of all engines, by one likelihood of all games.
    pub fn ratings(&self) -> Vec<Rating> {
        let games = self.pairings.iter().zip(&self.pairing_stats);
        let games: Vec<_> = games.map(|(&players, stats)| (players, stats.games)).collect();
        ratings::ratings(self.names.len(), &games)
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
        self.adjudicated += u64::from(game.reason == EndReason::Adjudicated);
        self.add_pairing_result(at, first_is_black, half_points, game);
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

    fn add_pairing_result(
        &mut self,
        at: usize,
        first_is_black: bool,
        half_points: u8,
        game: &MatchGame,
    ) {
        let Some(pairing) = self.pairing_stats.get_mut(at) else {
            return;
        };
        let of_first = if first_is_black { half_points } else { 2 - half_points.min(2) };
        pairing.games.add(usize::from(of_first));
        let this = FirstOfPair { half_points: of_first, has_death: game.reason.is_death() };
        let Some(other) = self.unpaired.remove(&game.pair) else {
            self.unpaired.insert(game.pair, this);
            return;
        };
        let sum = usize::from(other.half_points + this.half_points);
        pairing.pairs.add(sum);
        if other.has_death || this.has_death {
            pairing.left_out += 1;
        } else {
            pairing.tested.add(sum);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::merge::standings_of;
    use serde_json::json;

    fn standings() -> Standings {
        let settings = json!({"engines": [{"name": "a"}, {"name": "b"}]});
        let header = json!({"kawari-match": 1, "id": "m", "games": 4, "runner": "x",
            "settings": settings});
        standings_of(&serde_json::from_value(header).expect("a header"))
    }

    fn game(number: u64, result: &str, reason: &str) -> MatchGame {
        let player = |name: &str| {
            json!({"name": name, "command": "x", "engine": "x", "version": "1",
                "move-format": null, "time": "none"})
        };
        let (black, white) = if number % 2 == 1 { ("a", "b") } else { ("b", "a") };
        let record = json!({"match": "m", "game": number, "pair": number.div_ceil(2), "seed": 1,
            "black": player(black), "white": player(white), "variant": "go",
            "width": 9, "height": 9, "komi": 7.5, "rules": {}, "blocks": [], "opening": 1,
            "turns": ["B E5", "W E4"], "times": [0.1], "result": result, "reason": reason,
            "scores": {"black": null, "white": null, "referee": null}, "disagreement": false,
            "started": 0, "seconds": 1.0});
        serde_json::from_value(record).expect("a record")
    }

    /// A test of strength must not count the pairs in which an engine died; with too many of them
    /// it has no answer.
    #[test]
    fn a_test_leaves_out_pairs_with_a_death() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).expect("a test");
        let mut standings = standings();
        let mut number = 0;
        let mut pair = |standings: &mut Standings, first: (&str, &str), second: (&str, &str)| {
            for (result, reason) in [first, second] {
                number += 1;
                standings.add(&game(number, result, reason)).expect("a game of this match");
            }
        };
        for n in 0..30 {
            pair(&mut standings, ("B+R", "resign"), ("W+R", "resign"));
            pair(
                &mut standings,
                ("B+R", "resign"),
                if n % 2 == 0 { ("B+R", "resign") } else { ("W+R", "resign") },
            );
        }
        let before = standings.pairing_stats[0].clone();
        assert_eq!(before.decision(&sprt), SprtDecision::H1);
        for _ in 0..3 {
            pair(&mut standings, ("W+F", "crash"), ("B+R", "resign"));
        }
        let stats = &standings.pairing_stats[0];
        assert_eq!((stats.tested, stats.left_out), (before.tested, 3));
        assert_eq!(stats.games.trials(), 126, "a death is a lost game");
        assert_eq!(stats.decision(&sprt), SprtDecision::H1, "3 of 63");
        pair(&mut standings, ("B+R", "resign"), ("W+F", "no-response"));
        assert_eq!(standings.pairing_stats[0].decision(&sprt), SprtDecision::Undecided, "4 of 64");
    }

    #[test]
    fn adjudicated_games_are_counted_apart() {
        let mut standings = standings();
        standings.add(&game(1, "B+", "adjudicated")).expect("a game");
        standings.add(&game(2, "B+1.5", "passes")).expect("a game");
        assert_eq!((standings.adjudicated, standings.played()), (1, 2));
        assert!(standings.player_stats.iter().all(|stats| stats.failures.is_empty()));
    }
}
