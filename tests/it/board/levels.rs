//! The levels of the engine against each other.

use super::support::variants;
use kawari::board::Color;
use kawari::rules::{AnyGame, Setup, Size, VariantInfo, variant};
use kawari::search::{LEVELS, Level, SearchParams, Searcher};

/// Turns of a game at most; then the board is counted.
const MAX_TURNS: usize = 300;

/// Points that the stronger level wins in a game: 1, 0.5 for a draw, 0.
fn play(info: &'static VariantInfo, strong: (Level, Color), weak: Level, seed: u64) -> f64 {
    let mut setup = Setup::new(info);
    setup.size = Size::square(if info.stacked { 5 } else { 9 });
    let mut game = AnyGame::new(&setup).expect("a game");
    let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
    while !game.is_over() && game.turns().len() < MAX_TURNS {
        let color = game.to_move();
        let level = if color == strong.1 { strong.0 } else { weak };
        let seed = seed << 32 | game.turns().len() as u64;
        let chosen = searcher.turn_at_level(&game, color, level, seed, &mut |_| false);
        game.play(color, &chosen.turn).expect("a legal turn");
    }
    match game.score().winner() {
        None => 0.5,
        Some(winner) => f64::from(u8::from(winner == strong.1)),
    }
}

fn level(info: &VariantInfo, number: usize) -> Level {
    Level::of(info, number as u8).expect("a level")
}

/// Prints the share of games that each level wins against the one below it. By hand:
/// `KAWARI_LEVEL_GAMES=30 cargo test --release --test it neighbouring_levels -- --ignored
/// --nocapture`; `KAWARI_LEVEL_VARIANTS=go,no` and `KAWARI_LEVELS=1-4` measure a part.
#[test]
#[ignore = "takes hours"]
fn neighbouring_levels() {
    let text = |name| std::env::var(name).ok();
    let games = text("KAWARI_LEVEL_GAMES").map_or(10, |games| games.parse().expect("a number"));
    let range = text("KAWARI_LEVELS").unwrap_or(format!("1-{LEVELS}"));
    let (first, last) = range.split_once('-').expect("a range");
    let [first, last]: [usize; 2] = [first, last].map(|number| number.parse().expect("a number"));
    let chosen = text("KAWARI_LEVEL_VARIANTS");
    let is_chosen = |id: &&str| {
        let listed = |list: &String| list.split(',').any(|listed| listed == *id);
        chosen.as_ref().is_none_or(listed)
    };
    for id in variants().filter(is_chosen) {
        let info = variant(id).expect("a variant");
        for number in first..last {
            let (strong, weak) = (level(info, number + 1), level(info, number));
            let points = (0..games).map(|seed| {
                let color = Color::BOTH[seed as usize % 2];
                play(info, (strong, color), weak, seed)
            });
            let share = 100.0 * points.sum::<f64>() / games as f64;
            println!(
                "{id}: level {} beats {number} in {share:.0}% of {games}",
                number + 1
            );
        }
    }
}

#[test]
fn a_high_level_beats_a_low_one() {
    let info = variant("go").expect("a variant");
    let wins = |seed| {
        play(
            info,
            (level(info, 7), Color::BOTH[seed as usize % 2]),
            level(info, 1),
            seed,
        )
    };
    let points: f64 = (0..6).map(wins).sum();
    assert!(points >= 5.0, "{points} of 6");
}
