//! Openings: none, balanced random turns, or a list from files.

mod file;

pub use file::{parse, read};

use crate::board::{Color, FNV_OFFSET, Grid, Point, Random, derived_seed, fnv1a};
use crate::rules::{Game, Position, Setup, SetupError, Step, StepKind, Turn, TurnPoints};
use crate::search::{Search, SearchParams, Searcher, Task};
use serde_json::{Value, json};

pub type Opening = Vec<(Color, Turn)>;

/// The most balanced candidate is used.
const MAX_ATTEMPTS: u64 = 16;

/// Deviation of the win rate from one half.
const BALANCED_DEVIATION: f32 = 0.1;

const MAX_DRAWS: usize = 20;

/// In megabytes.
const TREE_MEGABYTES: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningOrder {
    Listed,
    Shuffled,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Openings {
    None,
    Random {
        turns: usize,
        /// 0 accepts every opening.
        playouts: u64,
    },
    /// The list is not empty.
    Listed {
        list: Vec<Opening>,
        order: OpeningOrder,
    },
}

impl Openings {
    pub fn for_round(&self, setup: &Setup, seed: u64, round: u64) -> Result<Opening, SetupError> {
        match self {
            Openings::None => Ok(Opening::new()),
            &Openings::Random { turns, playouts } => {
                random_opening(setup, turns, playouts, derived_seed(seed, round))
            }
            Openings::Listed { list, order } => {
                let place = (round % list.len().max(1) as u64) as usize;
                let at = match order {
                    OpeningOrder::Listed => place,
                    // Computing it for each game costs less than a turn.
                    OpeningOrder::Shuffled => shuffled_place(list.len(), seed, place),
                };
                Ok(list.get(at).cloned().unwrap_or_default())
            }
        }
    }

    pub fn to_json(&self) -> Value {
        match self {
            Openings::None => Value::Null,
            Openings::Random { turns, playouts } => {
                json!({ "turns": turns, "playouts": playouts })
            }
            Openings::Listed { list, order } => json!({
                "listed": list.len(),
                "shuffled": *order == OpeningOrder::Shuffled,
                "fingerprint": format!("{:016x}", fingerprint_of(list)),
            }),
        }
    }
}

/// The entry at `place` of a random permutation (Fisher and Yates).
fn shuffled_place(count: usize, seed: u64, place: usize) -> usize {
    let mut order: Vec<usize> = (0..count).collect();
    let mut random = Random::new(seed);
    for at in (1..count).rev() {
        let other = random.below(u32::try_from(at + 1).unwrap_or(u32::MAX));
        order.swap(at, other as usize);
    }
    order.get(place).copied().unwrap_or(0)
}

fn fingerprint_of(list: &[Opening]) -> u64 {
    let turns = |hash: u64, opening: &Opening| {
        let hash = fnv1a(hash, &(opening.len() as u64).to_le_bytes());
        opening.iter().fold(hash, |hash, (color, turn)| {
            let head = [*color as u8, turn.kind().index() as u8, turn.points().len() as u8];
            let points = turn.points().iter();
            points.fold(fnv1a(hash, &head), |hash, point| {
                fnv1a(hash, &(point.index() as u16).to_le_bytes())
            })
        })
    };
    list.iter().fold(FNV_OFFSET, turns)
}

fn random_opening(
    setup: &Setup,
    turns: usize,
    playouts: u64,
    seed: u64,
) -> Result<Opening, SetupError> {
    let start = Game::new(setup)?;
    let mut player = Searcher::new(SearchParams::default(), TREE_MEGABYTES, 1);
    let mut best: Option<(f32, Opening)> = None;
    for attempt in 0..MAX_ATTEMPTS {
        let mut random = Random::new(derived_seed(seed, attempt));
        let mut game = start.clone();
        let played = (0..turns).all(|_| play_random_turn(&mut game, &mut random));
        if !played || game.is_over() {
            continue;
        }
        let deviation = match playouts {
            0 => 0.0,
            _ => deviation(&mut player, &game, playouts, seed),
        };
        if best.as_ref().is_none_or(|(least, _)| deviation < *least) {
            best = Some((deviation, game.turns().to_vec()));
        }
        if deviation <= BALANCED_DEVIATION {
            break;
        }
    }
    Ok(best.map(|(_, opening)| opening).unwrap_or_default())
}

fn deviation(player: &mut Searcher, game: &Game, playouts: u64, seed: u64) -> f32 {
    let task = Task { playouts: Some(playouts), seed, ..Task::new(game.to_move()) };
    let mut search = player.ponder(game, &task);
    search.finish(&mut |_| false);
    search.see(|progress| (progress.report().win_rate - 0.5).abs()).unwrap_or(0.0)
}

fn play_random_turn(game: &mut Game, random: &mut Random) -> bool {
    let color = game.to_move();
    for _ in 0..MAX_DRAWS {
        let turn = random_turn(game.position(), random);
        if turn.is_some_and(|turn| game.play(color, &turn).is_ok()) {
            return true;
        }
    }
    false
}

/// Stones as in playouts, but off the first line.
fn random_turn(start: &Position, random: &mut Random) -> Option<Turn> {
    let (mut position, info) = (start.boxed(), start.info());
    let color = position.situation.to_move;
    let mut points = TurnPoints::new();
    let mut kind = StepKind::PASS;
    while position.situation.turns == start.situation.turns {
        let step = position.random_step(random, &|at, step| {
            info.placed_point(step).is_some_and(|point| off_the_edge(at.board.grid(), point))
        });
        match info.placed_point(step) {
            Some(point) => points.push(point),
            None if step == Step::END && !points.is_empty() => break,
            None => return None,
        }
        if points.len() == 1 {
            kind = step.kind();
        }
        position.check(color, step).ok()?;
        position.make(color, step);
    }
    Some(Turn::new(kind, points))
}

/// Always true on sides below 5 lines.
fn off_the_edge(grid: &Grid, point: Point) -> bool {
    let (across, up) = grid.lines_to_edges(point);
    let inner = |line: u8, side: u8| side < 5 || line > 0;
    inner(across, grid.layer_width()) && inner(up, grid.height())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Size, VARIANTS, variant};

    fn setup(id: &str, side: u8) -> Setup {
        let mut setup = Setup::new(variant(id).expect("a variant"));
        setup.size = Size::square(side);
        setup
    }

    #[test]
    fn random_openings_are_legal_and_depend_on_seed_and_round() {
        for info in VARIANTS {
            let setup = setup(info.id, 7);
            let openings = Openings::Random { turns: 4, playouts: 20 };
            let opening = |seed, round| openings.for_round(&setup, seed, round).expect("a start");
            let first = opening(1, 0);
            assert_eq!(first.len(), 4, "{}", info.id);
            assert_eq!(first, opening(1, 0), "{}", info.id);
            assert_ne!(first, opening(1, 1), "{}", info.id);
            assert_ne!(first, opening(2, 0), "{}", info.id);
            let mut game = Game::new(&setup).expect("a start");
            for (color, turn) in &first {
                assert_eq!(game.play(*color, turn), Ok(()), "{}", info.id);
            }
            assert!(!game.is_over());
        }
    }

    #[test]
    fn evaluated_openings_are_more_balanced() {
        let mut setup = setup("go", 7);
        setup.rules.komi = 9.0;
        let mut player = Searcher::new(SearchParams::default(), TREE_MEGABYTES, 1);
        let mut total = |playouts| -> f32 {
            let openings = Openings::Random { turns: 6, playouts };
            let rounds = (0..10).map(|round| {
                let opening = openings.for_round(&setup, 5, round).expect("a start");
                let mut game = Game::new(&setup).expect("a start");
                for (color, turn) in &opening {
                    game.play(*color, turn).expect("a legal turn");
                }
                deviation(&mut player, &game, 300, 1)
            });
            rounds.sum()
        };
        let (evaluated, random) = (total(100), total(0));
        assert!(evaluated < random, "{evaluated} {random}");
    }

    #[test]
    fn lists_are_used_in_order_or_shuffled() {
        let setup = setup("go", 9);
        let text: String = ["D4", "E5", "F6", "C3", "G7"].join("\n");
        let list = file::parse_lines(&text, &setup).expect("openings");
        let at = |order, round| {
            let openings = Openings::Listed { list: list.clone(), order };
            openings.for_round(&setup, 3, round).expect("a start")
        };
        for round in 0..12 {
            assert_eq!(at(OpeningOrder::Listed, round), list[round as usize % 5]);
            assert_eq!(at(OpeningOrder::Shuffled, round), at(OpeningOrder::Shuffled, round + 5));
        }
        let mut seen: Vec<_> = (0..5).map(|round| at(OpeningOrder::Shuffled, round)).collect();
        assert_ne!(seen, list);
        seen.sort_by_key(|opening| list.iter().position(|other| other == opening));
        assert_eq!(seen, list);
    }
}
