//! Estimates the fair komi. The engine plays itself at several komi, and a logistic
//! [`fit`](mod@fit) finds the komi at which both sides win equally often. The player maximises its
//! win rate, so margins say little about other komi. The first round spreads komi widely; later
//! rounds choose komi near the estimate, where games give most information.

pub mod fit;
pub mod results;

use super::results::half_points;
use crate::board::Random;
use crate::playing::self_play::{SearchedStep, play_out};
use crate::rules::{Game, Setup, SetupError, Step};
use crate::search::{SearchParams, SearchReport, Searcher, Task};
use crate::stats::Games;
use crate::workers::{self, Continuation};
use fit::Fit;
use results::PlayedGame;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Debug)]
pub struct KomiStudy {
    /// Its komi is the centre of the first round.
    pub setup: Setup,
    /// Playouts of each step.
    pub playouts: u64,
    pub games: u64,
    /// The same settings give the same games on any number of threads.
    pub seed: u64,
    pub komi_choice: KomiChoice,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KomiChoice {
    /// Near the estimated fair komi, on a grid of half points.
    Adaptive { step: f64 },
    Fixed {
        from: f64,
        /// Included if it is on the grid.
        to: f64,
        /// A number above 0.
        step: f64,
    },
}

/// The results at one komi, from Black's side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KomiScore {
    /// Points added to White's score.
    pub komi: f64,
    pub games: Games,
    pub turns: u64,
}

/// In megabytes.
const TREE_MEGABYTES: usize = 64;

/// Offsets from the centre, as fractions of the board's points.
const FIRST_OFFSETS: [f64; 9] = [-0.5, -0.25, -0.12, -0.05, 0.0, 0.05, 0.12, 0.25, 0.5];

/// Offsets from the fair komi, in widths of the fit; there Black wins one to four games in five.
const LATER_OFFSETS: [f64; 5] = [-1.4, -0.7, 0.0, 0.7, 1.4];

/// An opening step needs at least this share of the visits of the most visited step: on small
/// boards one error decides the game at any komi.
const OPENING_MIN_VISITS: f32 = 0.5;

pub const GAMES_PER_ROUND: u64 = 30;

/// Plays all games that are not in `before`. `finished` sees each game and the results so far, in
/// the order of komi. `should_stop` drops running games.
pub fn study(
    study: &KomiStudy,
    before: &BTreeMap<u64, PlayedGame>,
    threads: usize,
    should_stop: &(dyn Fn() -> bool + Sync),
    mut finished: impl FnMut(&PlayedGame, &[KomiScore]) -> Result<(), String>,
) -> Result<Vec<KomiScore>, String> {
    let start = Game::new(&study.setup).map_err(|error| error.to_string())?;
    let (mut scores, mut played) = (Vec::new(), 0);
    while played < study.games && !should_stop() {
        let choice = study.komi_choice.round(study, start.empty_points(), &scores);
        let round: Vec<(u64, f64)> = (played..study.games).zip(choice).collect();
        if round.is_empty() {
            break;
        }
        played += round.len() as u64;
        let (recorded, missing): (Vec<_>, Vec<_>) =
            round.into_iter().partition(|(game, _)| before.contains_key(game));
        for (game, komi) in
            recorded.iter().filter_map(|(game, komi)| Some((before.get(game)?, komi)))
        {
            if game.komi != *komi {
                let (number, other) = (game.game, game.komi);
                return Err(format!("game {number} was played with komi {other}, not {komi}"));
            }
            add_result(&mut scores, game);
        }
        let worker = || {
            let mut player = Searcher::new(SearchParams::default(), TREE_MEGABYTES, 1);
            move |(game, komi), is_over: &AtomicBool| {
                let should_stop = || should_stop() || is_over.load(Ordering::Relaxed);
                played_game(study, game, komi, &mut player, &should_stop).transpose()
            }
        };
        workers::run(
            threads,
            missing.into_iter(),
            worker,
            |game: Result<PlayedGame, SetupError>| {
                let game = game.map_err(|error| error.to_string())?;
                add_result(&mut scores, &game);
                finished(&game, &scores).map(|()| Continuation::Continue)
            },
        )?;
    }
    Ok(scores)
}

fn played_game(
    study: &KomiStudy,
    game: u64,
    komi: f64,
    player: &mut Searcher,
    should_stop: &dyn Fn() -> bool,
) -> Result<Option<PlayedGame>, SetupError> {
    let ended = play(study, komi, study.seed.wrapping_add(game << 20), player, should_stop)?;
    Ok(ended.map(|ended| PlayedGame {
        game,
        komi,
        half_points: half_points(ended.score()).unwrap_or(1),
        turns: ended.turns().len() as u64,
    }))
}

fn add_result(scores: &mut Vec<KomiScore>, game: &PlayedGame) {
    let at = scores.partition_point(|score| score.komi < game.komi);
    if scores.get(at).is_none_or(|score| score.komi > game.komi) {
        let (komi, games, turns) = (game.komi, Games::default(), 0);
        scores.insert(at, KomiScore { komi, games, turns });
    }
    if let Some(score) = scores.get_mut(at) {
        score.games.add(game.half_points.into());
        score.turns += game.turns;
    }
}

impl KomiChoice {
    fn round(self, study: &KomiStudy, points: usize, scores: &[KomiScore]) -> Vec<f64> {
        let step = match self {
            KomiChoice::Adaptive { step } => step,
            KomiChoice::Fixed { from, to, step } => {
                let count = ((to - from) / step + 1e-9).floor().max(0.0) as u64;
                let all: Vec<f64> = (0..=count).map(|n| from + n as f64 * step).collect();
                let times = study.games.div_ceil(count + 1) as usize;
                return all.into_iter().flat_map(|komi| vec![komi; times]).collect();
            }
        };
        let most = points as f64 + 0.5;
        let (center, width, offsets) = match Fit::new(scores) {
            None => (study.setup.rules.komi, points as f64, FIRST_OFFSETS.as_slice()),
            Some(fit) => (fit.center(), fit.width().max(step), LATER_OFFSETS.as_slice()),
        };
        let each = GAMES_PER_ROUND.div_ceil(offsets.len() as u64) as usize;
        let komi = |offset: &f64| {
            let komi = (center + offset * width).clamp(-most, most);
            ((komi - 0.5) / step).round() * step + 0.5
        };
        let all = offsets.iter().map(komi);
        all.flat_map(|komi| vec![komi; each]).collect()
    }
}

/// Returns `None` if stopped. Searches with nets hardly depend on their seed: the first steps, as
/// many as a side has points, are drawn by visits.
fn play(
    study: &KomiStudy,
    komi: f64,
    seed: u64,
    player: &mut Searcher,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<Game>, SetupError> {
    let mut setup = study.setup.clone();
    setup.rules.komi = komi;
    let mut game = Game::new(&setup)?;
    let mut random = Random::new(seed);
    let (longest, mut drawn) = (3 * game.empty_points(), game.empty_points().isqrt());
    player.forget();
    play_out(&mut game, longest, |game| {
        let mut task = Task::new(game.to_move());
        (task.seed, task.view_seed) = (random.bits(), seed);
        task.playouts = Some(study.playouts);
        let SearchedStep { choice, report, .. } = SearchedStep::new(player, game, &task, stopped);
        let by_visits = if drawn > 0 { draw(report, &mut random) } else { None };
        drawn = drawn.saturating_sub(1);
        (!stopped()).then(|| by_visits.unwrap_or(choice.step))
    });
    Ok((!stopped()).then_some(game))
}

fn draw(mut report: SearchReport, random: &mut Random) -> Option<Step> {
    let most = report.steps.iter().map(|step| step.visits).max()?;
    let least = OPENING_MIN_VISITS * most as f32;
    report.steps.retain(|step| step.visits as f32 >= least);
    report.draw(1.0, random)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Size, variant};
    use std::sync::atomic::AtomicU64;

    fn played_on(threads: usize, study: &KomiStudy) -> Vec<KomiScore> {
        let found = super::study(study, &BTreeMap::new(), threads, &|| false, |_, _| Ok(()));
        found.expect("games")
    }

    fn played(study: &KomiStudy) -> Vec<KomiScore> {
        played_on(2, study)
    }

    fn small(id: &str, games: u64) -> KomiStudy {
        let mut setup = Setup::new(variant(id).expect("a variant"));
        setup.size = Size::square(3);
        KomiStudy {
            setup,
            playouts: 30,
            games,
            seed: 1,
            komi_choice: KomiChoice::Adaptive { step: 1.0 },
        }
    }

    /// With few playouts Black sometimes fails to own the whole board.
    #[test]
    fn the_fair_komi_of_3x3_is_its_area() {
        let playing_well = KomiStudy { playouts: 100, ..small("go", 150) };
        let found = played(&playing_well);
        let fit = Fit::new(&found).expect("a fit");
        let interval = fit.fair_interval();
        assert!(interval.low <= 9.0 && 8.0 <= interval.high, "{interval:?}");
        assert!(fit.no_komi() > 0.8, "Black wins without komi");
    }

    #[test]
    fn games_of_a_net_differ() {
        let mut study = small("go", 1);
        study.setup.size = Size::square(7);
        let mut player = Searcher::new(SearchParams::default(), TREE_MEGABYTES, 1);
        let mut game = |seed| {
            let ended = play(&study, 0.0, seed, &mut player, &|| false);
            ended.expect("a setup").expect("a game")
        };
        let games = [1, 2, 3, 1].map(|seed| game(seed).turns().to_vec());
        assert!(games[0] != games[1] && games[1] != games[2] && games[2] != games[0]);
        assert_eq!(games[0], games[3], "the seed decides");
    }

    #[test]
    fn results_do_not_depend_on_threads() {
        let study = small("sygo", 60);
        let [one, two] = [1, 2].map(|threads| played_on(threads, &study));
        assert_eq!(one, two);
        let games: u64 = one.iter().map(|score| score.games.trials()).sum();
        assert_eq!(games, 60);
    }

    #[test]
    fn a_fixed_range_is_played_evenly() {
        let komi_choice = KomiChoice::Fixed { from: -1.0, to: 1.0, step: 0.5 };
        let study = KomiStudy { komi_choice, ..small("go", 10) };
        let found = played(&study);
        let komi: Vec<_> = found.iter().map(|score| score.komi).collect();
        assert_eq!(komi, [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert!(found.iter().all(|score| score.games.trials() == 2));
    }

    /// A study that is stopped asks no more often than each worker does within a step.
    #[test]
    fn a_study_ends_within_a_step() {
        let study = small("go", 60);
        for asked in [0, 1, 40] {
            let calls = AtomicU64::new(0);
            let stop = || calls.fetch_add(1, Ordering::Relaxed) >= asked;
            let found = super::study(&study, &BTreeMap::new(), 2, &stop, |_, _| Ok(()));
            assert!(found.is_ok());
            let calls = calls.into_inner();
            assert!(calls <= asked + 20, "{asked}: {calls}");
        }
    }

    #[test]
    fn a_study_that_was_stopped_continues() {
        let study = small("sygo", 60);
        let whole = played(&study);
        let (mut kept, stop) = (BTreeMap::new(), AtomicBool::new(false));
        let is_stopped = || stop.load(Ordering::Relaxed);
        let part = super::study(&study, &BTreeMap::new(), 2, &is_stopped, |game, _| {
            kept.insert(game.game, *game);
            stop.store(kept.len() >= 40, Ordering::Relaxed);
            Ok(())
        });
        let part = part.expect("games");
        let games =
            |found: &[KomiScore]| found.iter().map(|score| score.games.trials()).sum::<u64>();
        assert_eq!(games(&part), kept.len() as u64);
        assert!(part != whole && kept.len() < 60);
        let mut more = 0;
        let rest = super::study(&study, &kept, 2, &|| false, |_, _| {
            more += 1;
            Ok(())
        });
        assert_eq!(rest, Ok(whole));
        assert_eq!(more, 60 - kept.len());
        let other = KomiStudy { komi_choice: KomiChoice::Adaptive { step: 2.0 }, ..study };
        let refused = super::study(&other, &kept, 2, &|| false, |_, _| Ok(()));
        assert!(refused.is_err_and(|why| why.contains("was played with komi")));
    }
}
