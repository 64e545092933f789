//! How much the first turn is worth: games of the engine with itself at several
//! komi, and the komi at which both sides win as often.
//!
//! A game's margin says little of any komi but its own, for the player maximises
//! its chance to win first: so games are played where it matters, in rounds. The
//! first spreads them wide; each of the others looks at the [`fit`](mod@fit) of all
//! before and plays around the komi that seems fair, where games tell most.

pub mod fit;

use super::record::half_points;
use super::stats::Games;
use crate::board::Random;
use crate::rules::{AnyGame, Setup, SetupError};
use crate::search::{Knobs, Player, Task};
use fit::Fit;
use rayon::prelude::*;

/// What is played, and how.
#[derive(Clone, Debug)]
pub struct Study {
    /// What games start from; its komi is where to begin.
    pub setup: Setup,
    /// Playouts for every step.
    pub playouts: u64,
    /// Games in all.
    pub games: u64,
    /// Where everything random starts: the same study gives the same numbers, on
    /// any number of threads.
    pub seed: u64,
    /// Komi is one of these.
    pub ladder: Ladder,
}

/// The komi that are played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ladder {
    /// Wherever it seems worth while, so many points apart and on half points.
    Free {
        /// The distance; above 0.
        step: f64,
    },
    /// These, all as often.
    Fixed {
        /// The least.
        from: f64,
        /// The greatest, if a step meets it.
        to: f64,
        /// The distance; above 0.
        step: f64,
    },
}

/// Games at one komi, as Black sees them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    /// Points added to White's score.
    pub komi: f64,
    /// How they ended for Black.
    pub games: Games,
}

/// Megabytes for the tree of a player.
const MEMORY: usize = 64;

/// How far from where it begins the first round looks, in parts of the board.
const SPREAD: [f64; 9] = [-0.5, -0.25, -0.12, -0.05, 0.0, 0.05, 0.12, 0.25, 0.5];

/// Where the other rounds look, in widths of the fit: between one win in five and
/// four.
const NEAR: [f64; 5] = [-1.4, -0.7, 0.0, 0.7, 1.4];

/// Games of a round.
const ROUND: u64 = 30;

/// Plays all games, on the threads of the current rayon pool; `tell` hears of every
/// round with all games so far, by komi.
///
/// # Errors
/// What is wrong with the setup.
pub fn study(study: &Study, mut tell: impl FnMut(&[Tried])) -> Result<Vec<Tried>, SetupError> {
    let start = AnyGame::new(&study.setup)?;
    let points = start.empty_points();
    let mut found: Vec<Tried> = Vec::new();
    let mut played = 0;
    while played < study.games {
        let round: Vec<(u64, f64)> = (played..study.games)
            .zip(study.ladder.round(study, points, &found))
            .collect();
        if round.is_empty() {
            break;
        }
        let player = || Player::new(Knobs::default(), MEMORY, 1);
        let results = round
            .par_iter()
            .map_init(player, |player, &(number, komi)| {
                let seed = study.seed.wrapping_add(number << 20);
                play(study, komi, seed, player).map(|half_points| (komi, half_points))
            });
        let results: Vec<_> = results.collect::<Result<_, _>>()?;
        played += round.len() as u64;
        for (komi, half_points) in results {
            add(&mut found, komi, half_points);
        }
        tell(&found);
    }
    Ok(found)
}

fn add(found: &mut Vec<Tried>, komi: f64, half_points: usize) {
    let at = found.partition_point(|tried| tried.komi < komi);
    if found.get(at).is_none_or(|tried| tried.komi > komi) {
        let games = Games::default();
        found.insert(at, Tried { komi, games });
    }
    if let Some(tried) = found.get_mut(at) {
        tried.games.add(half_points);
    }
}

impl Ladder {
    /// The komi of the next games.
    fn round(self, study: &Study, points: usize, found: &[Tried]) -> Vec<f64> {
        let step = match self {
            Ladder::Free { step } => step,
            Ladder::Fixed { from, to, step } => {
                let count = ((to - from) / step + 1e-9).floor().max(0.0) as u64;
                let all: Vec<f64> = (0..=count).map(|n| from + n as f64 * step).collect();
                let times = study.games.div_ceil(count + 1) as usize;
                return all.into_iter().flat_map(|komi| vec![komi; times]).collect();
            }
        };
        let most = points as f64 + 0.5;
        let (middle, width, places) = match Fit::new(found) {
            None => (study.setup.rules.komi, points as f64, SPREAD.as_slice()),
            Some(fit) => (fit.middle(), fit.width().max(step), NEAR.as_slice()),
        };
        let each = ROUND.div_ceil(places.len() as u64) as usize;
        let komi = |place: &f64| {
            let wanted = (middle + place * width).clamp(-most, most);
            ((wanted - 0.5) / step).round() * step + 0.5
        };
        let all = places.iter().map(komi);
        all.flat_map(|komi| vec![komi; each]).collect()
    }
}

/// Plays a game; Black's half points.
fn play(study: &Study, komi: f64, seed: u64, player: &mut Player) -> Result<usize, SetupError> {
    let mut setup = study.setup.clone();
    setup.rules.komi = komi;
    let mut game = AnyGame::new(&setup)?;
    let mut random = Random::new(seed);
    let longest = 3 * game.empty_points();
    player.forget();
    while !game.is_over() && game.turns().len() < longest {
        let mut task = Task::new(game.to_move());
        task.seed = random.bits();
        task.playouts = Some(study.playouts);
        let choice = player.step(&game, &task, &mut |_| false);
        if game.step(task.color, choice.step).is_err() {
            break; // never seen; the board is counted as it stands
        }
    }
    Ok(half_points(&game.score()).map_or(1, usize::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Size, variant};

    fn small(id: &str, games: u64) -> Study {
        let mut setup = Setup::new(variant(id).expect("a variant"));
        setup.size = Size::square(3);
        Study {
            setup,
            playouts: 30,
            games,
            seed: 1,
            ladder: Ladder::Free { step: 1.0 },
        }
    }

    /// On 3x3 Black takes everything, so fair komi is 9; with few playouts that
    /// fails now and then.
    #[test]
    fn the_whole_of_a_small_board_is_blacks() {
        let playing_well = Study {
            playouts: 100,
            ..small("go", 150)
        };
        let found = study(&playing_well, |_| {}).expect("games");
        let fit = Fit::new(&found).expect("a fit");
        let interval = fit.fair_interval();
        assert!(interval.low <= 9.0 && 8.0 <= interval.high, "{interval:?}");
        assert!(fit.level() > 0.8, "Black wins without komi");
    }

    #[test]
    fn the_same_study_gives_the_same_numbers() {
        let pool = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads")
        };
        let study = small("sygo", 60);
        let [one, two] = [1, 2].map(|threads| {
            let found = pool(threads).install(|| super::study(&study, |_| {}));
            found.expect("games")
        });
        assert_eq!(one, two);
        let games: u64 = one.iter().map(|tried| tried.games.trials()).sum();
        assert_eq!(games, 60);
    }

    #[test]
    fn a_fixed_ladder_is_played_evenly() {
        let ladder = Ladder::Fixed {
            from: -1.0,
            to: 1.0,
            step: 0.5,
        };
        let study = Study {
            ladder,
            ..small("go", 10)
        };
        let found = super::study(&study, |_| {}).expect("games");
        let komi: Vec<_> = found.iter().map(|tried| tried.komi).collect();
        assert_eq!(komi, [-1.0, -0.5, 0.0, 0.5, 1.0]);
        assert!(found.iter().all(|tried| tried.games.trials() == 2));
    }
}
