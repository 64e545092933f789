//! The levels of the engine against each other.

use crate::common::ids;
use kawari::board::Color;
use kawari::rules::{Game, Setup, Size, Turn, VariantInfo, variant};
use kawari::search::{LEVELS, Level, Search, SearchParams, Searcher, Task, Weakness};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Turns of a game at most; then the board is counted.
const MAX_TURNS: usize = 600;

/// Turns of an opening, which is played twice, with colours swapped: searches with nets hardly
/// vary by themselves.
const OPENING_TURNS: usize = 4;

/// Plays openings: draws from the priors.
const OPENING: Level =
    Level::Weakened(Weakness { playouts: 1, blunders: 100, prior_exponent: 1.0 });

/// Games played at the same time.
const THREADS: usize = 2;

/// Megabytes of a search tree.
const MEMORY: usize = 16;

/// Komi at which both sides win about as often, where that is not the default.
const FAIR_KOMI: &[(&str, f64)] = &[("no", 0.0), ("go-san", 0.0), ("2.5d", 3.5)];

/// A player, with a search tree of its own.
struct Player {
    level: Level,
    searcher: Searcher,
    /// Playouts of full strength.
    playouts: u64,
}

impl Player {
    fn new(level: Level, playouts: u64) -> Player {
        Player { level, searcher: Searcher::new(SearchParams::default(), MEMORY, 1), playouts }
    }

    fn turn(&mut self, game: &Game, seed: u64) -> Turn {
        let (playouts, weakness) = (Some(self.playouts), self.level.weakness());
        let task = Task { playouts, seed, weakness, ..Task::new(game.to_move()) };
        self.searcher.turn(game, &task).finish(&mut |_| false).turn
    }
}

/// The board that the levels are measured on.
fn side() -> u8 {
    let side = std::env::var("KAWARI_LEVEL_SIDE").ok();
    side.map_or(9, |side| side.parse().expect("a number"))
}

/// Points that the stronger player wins in a game: 1, 0.5 for a draw, 0.
fn play(info: &'static VariantInfo, strong: &mut Player, weak: &mut Player, seed: u64) -> f64 {
    let mut setup = Setup::new(info);
    setup.size = Size::square(side());
    let fair = FAIR_KOMI.iter().find(|(id, _)| *id == info.id);
    setup.rules.komi = fair.map_or(setup.rules.komi, |(_, komi)| *komi);
    let mut game = Game::new(&setup).expect("a game");
    let color = Color::BOTH[seed as usize % 2];
    let mut opening = Player::new(OPENING, 0);
    for number in 0..OPENING_TURNS as u64 {
        let turn = opening.turn(&game, (seed / 2) << 32 | number);
        game.play(game.to_move(), &turn).expect("a legal turn");
    }
    while !game.is_over() && game.turns().len() < MAX_TURNS {
        let player = if game.to_move() == color { &mut *strong } else { &mut *weak };
        let turn = player.turn(&game, seed << 32 | game.turns().len() as u64);
        game.play(game.to_move(), &turn).expect("a legal turn");
    }
    match game.score().winner() {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == color)),
    }
}

/// Points of the stronger level in `games` games.
fn points(info: &'static VariantInfo, levels: [Level; 2], games: u64, playouts: u64) -> f64 {
    let next = AtomicU64::new(0);
    let play_all = || {
        let [mut strong, mut weak] = levels.map(|level| Player::new(level, playouts));
        let numbers = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
        let games = numbers.take_while(|&number| number < games);
        games.map(|seed| play(info, &mut strong, &mut weak, seed)).sum::<f64>()
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(play_all)).collect();
        let points = threads.into_iter().map(|thread| thread.join());
        points.map(|points| points.expect("games")).sum()
    })
}

/// Levels for a trial, `PLAYOUTS/BLUNDERS/EXPONENT …` from the weakest; `full` is full strength.
fn trial(text: &str) -> Vec<Level> {
    let number = |text: &str| text.parse().expect("a number");
    let level = |text: &str| match text.split('/').collect::<Vec<_>>()[..] {
        [playouts, blunders, exponent] => Level::Weakened(Weakness {
            playouts: number(playouts),
            blunders: number(blunders),
            prior_exponent: exponent.parse().expect("a number"),
        }),
        _ => Level::Full,
    };
    text.split_whitespace().map(level).collect()
}

fn levels(info: &VariantInfo) -> Vec<Level> {
    let numbers = (1..).map(|number| Level::numbered(info, number));
    numbers.map_while(|level| level).collect()
}

/// Prints the share of games that each level wins against the one below it, on 9x9 (2.5d: on
/// two layers) and a fair komi. By hand:
///
/// ```sh
/// KAWARI_LEVEL_GAMES=30 cargo test --release --test it neighbouring_levels -- --ignored --nocapture
/// ```
///
/// `KAWARI_LEVEL_VARIANTS=go,no` and `KAWARI_LEVELS=1-4` measure a part. Full strength makes
/// `KAWARI_LEVEL_PLAYOUTS` a turn, `KAWARI_LEVEL_SIDE=19` another board. `KAWARI_LEVEL_TRIAL="8/75/0.5 16/60/0.5 full"` plays levels
/// that are not in the table: playouts, percent of blunders, exponent of the priors.
#[test]
#[ignore = "measures"]
fn neighbouring_levels() {
    let text = |name| std::env::var(name).ok();
    let number = |name, default| text(name).map_or(default, |text| text.parse().expect("a number"));
    let games = number("KAWARI_LEVEL_GAMES", 30);
    let playouts = number("KAWARI_LEVEL_PLAYOUTS", 1_000);
    let range = text("KAWARI_LEVELS").unwrap_or(format!("1-{LEVELS}"));
    let (first, last) = range.split_once('-').expect("a range");
    let [first, last]: [usize; 2] = [first, last].map(|number| number.parse().expect("a number"));
    let chosen = text("KAWARI_LEVEL_VARIANTS");
    let is_chosen = |id: &&str| {
        let listed = |list: &String| list.split(',').any(|listed| listed == *id);
        chosen.as_ref().is_none_or(listed)
    };
    let trial = text("KAWARI_LEVEL_TRIAL").map(|text| trial(&text));
    for id in ids().filter(is_chosen) {
        let info = variant(id).expect("a variant");
        let levels = trial.clone().unwrap_or_else(|| levels(info));
        for (weaker, pair) in (1..).zip(levels.windows(2)) {
            if let &[weak, strong] = pair
                && (first..last).contains(&weaker)
            {
                let points = points(info, [strong, weak], games, playouts);
                let share = 100.0 * points / games as f64;
                println!(
                    "{id}: level {} has {points} points of {games} against {weaker} ({share:.0}%)",
                    weaker + 1
                );
            }
        }
    }
}

#[test]
fn a_high_level_beats_a_low_one() {
    let info = variant("go").expect("a variant");
    let level = |number| Level::numbered(info, number).expect("a level");
    let points = points(info, [level(7), level(1)], 6, 1);
    assert!(points >= 5.0, "{points} of 6");
}
