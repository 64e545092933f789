//! Counts of wins, draws and losses by player and pairing.

use super::ratings::{self, Rating};
use super::results::{EndReason, MatchGame, half_points, parse_score};
use super::schedule::{Schedule, ScheduledGame};
use super::settings::fingerprint;
use crate::stats::{Counts, Games, Pairs, Sample, Sprt, SprtDecision};
use std::collections::{BTreeMap, BTreeSet};

const VERSIONS: usize = 4;

/// Results from the side of the first engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairingStats {
    pub sample: Sample,
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
    pub sample: Sample,
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
    schedule: Schedule,
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
    unpaired: BTreeMap<u64, OfPair>,
    /// The number of the first game with each [`course`].
    courses: BTreeMap<u64, u64>,
    pairs: BTreeSet<[u64; 2]>,
}

/// A game of a pair.
#[derive(Clone, Copy, Debug)]
struct OfPair {
    first_is_black: bool,
    /// The first engine's half points.
    half_points: u8,
    has_death: bool,
    course: u64,
}

/// Games between the same engines with the same turns and result have one number.
fn course(game: &MatchGame) -> u64 {
    let (black, white) = (&game.black.name, &game.white.name);
    fingerprint(&format!("{black:?} {white:?} {} {:?}", game.result, game.turns))
}

impl Standings {
    /// `schedule` has all games that may be added.
    pub fn new(names: Vec<String>, schedule: Schedule) -> Standings {
        Standings {
            pairing_stats: vec![PairingStats::default(); schedule.pairings().len()],
            player_stats: vec![PlayerStats::default(); names.len()],
            names,
            schedule,
            games: Games::default(),
            without_winner: 0,
            adjudicated: 0,
            disagreements: 0,
            turns: 0,
            lengths: None,
            unpaired: BTreeMap::new(),
            courses: BTreeMap::new(),
            pairs: BTreeSet::new(),
        }
    }

    pub fn name(&self, at: usize) -> &str {
        self.names.get(at).map_or("", String::as_str)
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Indices of names.
    pub fn pairings(&self) -> &[[usize; 2]] {
        self.schedule.pairings()
    }

    /// The ratings of all engines, by one likelihood of all games.
    pub fn ratings(&self) -> Vec<Rating> {
        let games = self.pairings().iter().zip(&self.pairing_stats);
        let games: Vec<_> = games.map(|(&players, stats)| (players, stats.sample.games)).collect();
        ratings::ratings(self.names.len(), &games)
    }

    pub fn played(&self) -> u64 {
        self.games.trials() + self.without_winner
    }

    /// The number of an earlier game with the same engines, turns and result.
    pub fn earlier(&self, game: &MatchGame) -> Option<u64> {
        self.courses.get(&course(game)).copied()
    }

    /// The caller adds each game once. Refuses a game that is not in the schedule.
    pub fn add(&mut self, game: &MatchGame) -> Result<(), String> {
        let number = game.game;
        let scheduled = self.schedule.game(number);
        let scheduled = scheduled.ok_or_else(|| format!("the match has no game {number}"))?;
        let ScheduledGame { pair, pairing, players: [black, white], .. } = scheduled;
        let names = [self.name(black), self.name(white)];
        if pair != game.pair || names != [&game.black.name, &game.white.name] {
            return Err(format!("game {number} has other players or another pair than the match"));
        }
        self.add_length(game);
        self.add_thinking_time(black, white, game);
        let Some(half_points) = half_points(game.result) else {
            self.without_winner += 1;
            return Ok(());
        };
        let course = course(game);
        let is_new = !self.courses.contains_key(&course);
        self.courses.entry(course).or_insert(number);
        count(&mut self.games, half_points, is_new);
        self.add_result(black, white, half_points, is_new, game);
        self.adjudicated += u64::from(game.reason == EndReason::Adjudicated);
        let first_is_black = black < white;
        let this = OfPair {
            first_is_black,
            half_points: if first_is_black { half_points } else { 2 - half_points.min(2) },
            has_death: game.reason.is_death(),
            course,
        };
        self.add_pairing_result(pairing, [black.min(white), black.max(white)], pair, this, is_new);
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

    fn add_result(
        &mut self,
        black: usize,
        white: usize,
        half_points: u8,
        is_new: bool,
        game: &MatchGame,
    ) {
        let of_white = 2 - half_points.min(2);
        for (who, half_points, is_black) in [(black, half_points, true), (white, of_white, false)] {
            let Some(stats) = self.player_stats.get_mut(who) else {
                continue;
            };
            count(&mut stats.sample.games, half_points, is_new);
            let of_color = if is_black { &mut stats.as_black } else { &mut stats.as_white };
            count(of_color, half_points, is_new);
            if half_points == 0 && game.reason.is_failure() {
                *stats.failures.entry(game.reason).or_default() += 1;
            }
        }
    }

    /// `first` and `second` are the engines of the pairing.
    fn add_pairing_result(
        &mut self,
        at: usize,
        [first, second]: [usize; 2],
        pair: u64,
        this: OfPair,
        is_new: bool,
    ) {
        let Some(pairing) = self.pairing_stats.get_mut(at) else {
            return;
        };
        count(&mut pairing.sample.games, this.half_points, is_new);
        let Some(other) = self.unpaired.remove(&pair) else {
            self.unpaired.insert(pair, this);
            return;
        };
        let sum = other.half_points + this.half_points;
        let (black, white) = if this.first_is_black { (this, other) } else { (other, this) };
        let is_new = self.pairs.insert([black.course, white.course]);
        count(&mut pairing.sample.pairs, sum, is_new);
        if other.has_death || this.has_death {
            pairing.left_out += 1;
        } else {
            count(&mut pairing.tested, sum, is_new);
        }
        for (who, sum) in [(first, sum), (second, 4 - sum.min(4))] {
            if let Some(stats) = self.player_stats.get_mut(who) {
                count(&mut stats.sample.pairs, sum, is_new);
            }
        }
    }
}

fn count<const N: usize>(counts: &mut Counts<N>, half_points: u8, is_new: bool) {
    let half_points = usize::from(half_points);
    if is_new { counts.add(half_points) } else { counts.repeat(half_points) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::merge::standings_of;
    use crate::arena::table;
    use serde_json::json;

    fn standings() -> Standings {
        let settings = json!({"engines": [{"name": "a"}, {"name": "b"}]});
        let header = json!({"kawari-match": 1, "id": "m", "games": 1000, "runner": "x",
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
            "turns": ["B E5", "W E4", format!("B turn {number}")], "times": [0.1], "result": result, "reason": reason,
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
        assert_eq!(stats.sample.games.trials(), 126, "a death is a lost game");
        assert_eq!(stats.decision(&sprt), SprtDecision::H1, "3 of 63");
        pair(&mut standings, ("B+R", "resign"), ("W+F", "no-response"));
        assert_eq!(standings.pairing_stats[0].decision(&sprt), SprtDecision::Undecided, "4 of 64");
    }

    /// The 18 games of which the first two are all: engines without chance.
    #[test]
    fn repeated_games_are_no_more_evidence() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).expect("a test");
        let sure = Sprt::new(0.0, 2000.0, 0.05, 0.05).expect("a test");
        for results in [["B+3.5", "W+3.5"], ["B+3.5", "B+3.5"], ["W+3.5", "B+3.5"]] {
            let mut standings = standings();
            let pair: Vec<_> = [(1, results[0]), (2, results[1])]
                .map(|(number, result)| game(number, result, "passes"))
                .into();
            for number in 1..=1000u64 {
                let mut again = pair[(number as usize + 1) % 2].clone();
                (again.game, again.pair) = (number, number.div_ceil(2));
                assert_eq!(standings.earlier(&again), (number > 2).then_some(2 - number % 2));
                standings.add(&again).expect("a game of this match");
            }
            let PairingStats { sample, tested, .. } = &standings.pairing_stats[0];
            assert_eq!((sample.games.trials(), sample.games.unique()), (1000, 2));
            assert_eq!((sample.pairs.trials(), sample.pairs.unique()), (500, 1));
            assert_eq!((standings.games.trials(), standings.games.unique()), (1000, 2));
            let mut once = self::standings();
            pair.iter().for_each(|game| once.add(game).expect("a game of this match"));
            let one = &once.pairing_stats[0];
            assert!((sprt.llr(tested) - sprt.llr(&one.tested)).abs() < 0.01, "one pair's weight");
            assert_eq!(sample.score_interval(), one.sample.score_interval());
            let ratings = [&standings, &once].map(|standings| standings.ratings()[0].error);
            assert!(ratings[0] > 0.6 * ratings[1], "{ratings:?}");
            for sprt in [sprt, sure] {
                assert_eq!(standings.pairing_stats[0].decision(&sprt), SprtDecision::Open);
            }
            let player = &standings.player_stats[0].sample;
            assert_eq!(player.score_interval(), sample.score_interval(), "both tables agree");
        }
    }

    /// A game without its second is half a trial, so that no interval depends on odd or even counts.
    #[test]
    fn every_count_of_games_has_one_unit() {
        let mut standings = standings();
        let mut widths = Vec::new();
        for number in 1..=40 {
            let result = if (number / 2) % 2 == 0 { "B+1.5" } else { "W+1.5" };
            standings.add(&game(number, result, "passes")).expect("a game of this match");
            let interval = standings.pairing_stats[0].sample.score_interval().expect("games");
            widths.push(interval.high - interval.low);
        }
        for (number, pair) in (20..).zip(widths[19..].windows(2)) {
            assert!(pair[1] < 1.03 * pair[0], "{number} games: {pair:?}");
        }
    }

    #[test]
    fn games_that_the_match_does_not_have_are_refused() {
        let mut standings = standings();
        for number in [0, 2001, 99_999_999_999] {
            let error = standings.add(&game(number, "B+1", "passes")).expect_err("refused");
            assert_eq!(error, format!("the match has no game {number}"));
        }
        let pair = MatchGame { pair: 7, ..game(1, "B+1", "passes") };
        let swapped = MatchGame { game: 2, ..game(1, "B+1", "passes") };
        for game in [pair, swapped] {
            assert!(standings.add(&game).is_err());
        }
        assert_eq!(standings.played(), 0);
    }

    #[test]
    fn a_test_of_dead_pairs_is_not_open() {
        let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).expect("a test");
        let mut standings = standings();
        let words = |standings: &Standings| table::summary_lines(standings, Some(&sprt)).join("\n");
        assert!(words(&standings).contains("open"));
        for number in 1..=4 {
            standings.add(&game(number, "B+F", "crash")).expect("a game of this match");
        }
        let words = words(&standings);
        assert!(words.contains("undecided: every pair is left out"), "{words}");
        assert!(!words.contains("open"), "{words}");
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
