//! Laws that hold in every game of every variant, tried on random play from
//! random setups. What the engine keeps up to date stone by stone is compared
//! with the same things found by flood fill.

use crate::common::{game_from_diagram, new_game, play, setup};
use kawari::board::{Board, Cell, Color, FewLiberties, Grid, Lattice, Point, Random, column_name};
use kawari::rules::sygo::GROW;
use kawari::rules::{
    AnyGame, Game, Illegal, Ko, Position, RuleKey, Step, StepKind, StepKindInfo, Turn, VARIANTS,
    Variant, vertex,
};
use kawari::with_game;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::{BTreeMap, BTreeSet};

mod board;
mod games;
mod random_steps;
mod referee;
mod voids;

/// Values worth trying of every option.
fn values(key: RuleKey) -> &'static [&'static str] {
    match key {
        RuleKey::Ko => &["positional", "situational", "simple", "none"],
        RuleKey::Scoring => &["area", "territory"],
        RuleKey::NukeActs => &["next", "now"],
        RuleKey::TaoCost => &["prisoner", "points:0", "points:1.5"],
        RuleKey::TaoSupply => &["0", "1", "3"],
        RuleKey::First => &["white", "black"],
        RuleKey::Stoical => &["basic", "snapback", "refined"],
        RuleKey::Layers => &["2", "1", "3", "4"],
        RuleKey::Board => &["rectangle", "cylinder", "torus"],
    }
}

prop_compose! {
    /// Any variant on a small board, with any options, a few walls and a few
    /// handicap stones where they fit: in words, which a failure shows.
    fn setups()(
        info in select(VARIANTS),
        size in (2u8..=6, 2u8..=6),
        options in vec(any::<usize>(), RuleKey::ALL.len()),
        blocks in vec((0u8..20, 1u8..=6), 0..8),
        handicap in vec((0u8..20, 1u8..=6), 0..4),
    ) -> String {
        let (width, height) = if info.stacked { (size.0.min(4), size.0.min(4)) } else { size };
        let mut words = format!("{} {width}x{height}", info.id);
        for (&key, choice) in info.keys.iter().zip(options) {
            let values = values(key);
            words += &format!(" {}={}", key.name(), values[choice % values.len()]);
        }
        add_places(&mut words, "blocks", &blocks);
        add_places(&mut words, "handicap", &handicap);
        words
    }
}

/// Adds those places that leave the setup valid.
fn add_places(words: &mut String, key: &str, places: &[(u8, u8)]) {
    let mut link = format!(" {key}=");
    for &(column, row) in places {
        let longer = format!("{words}{link}{}{row}", column_name(column));
        if AnyGame::new(&setup(&longer)).is_ok() {
            *words = longer;
            link = ",".to_owned();
        }
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

/// What one undo takes back.
#[derive(Clone, Debug)]
enum Act {
    Turn(Color, Turn),
    Step(Color, Step),
    Filler(Color),
}

fn perform(game: &mut AnyGame, act: &Act) -> Result<(), Illegal> {
    match act {
        Act::Turn(color, turn) => game.play(*color, turn),
        Act::Step(color, step) => game.step(*color, *step),
        Act::Filler(color) => game.play_filler(*color),
    }
}

fn pick<T: Clone>(list: &[T], random: &mut Random) -> Option<T> {
    list.get(random.below(list.len() as u32) as usize).cloned()
}

fn one_in(n: u32, random: &mut Random) -> bool {
    random.below(n) == 0
}

fn legal_turns(game: &AnyGame, color: Color) -> Vec<Turn> {
    with_game!(game, game => game.legal(color))
}

/// The steps that may follow in the middle of a turn, found by trying all.
fn next_steps(game: &AnyGame) -> Vec<Step> {
    let steps = game
        .grid()
        .points()
        .flat_map(|p| [Step::new(GROW, p), Step::stone(p)]);
    let legal = |&step: &Step| game.clone().step(game.to_move(), step).is_ok();
    steps.chain([Step::END]).filter(legal).collect()
}

/// A legal act: mostly of the side to move, passes rarely, growths in one go
/// or stone by stone. None if the game is over for good.
fn random_act(game: &AnyGame, random: &mut Random) -> Option<Act> {
    let mover = game.to_move();
    if game.is_mid_turn() {
        if one_in(6, random) {
            return Some(Act::Filler(!mover));
        }
        return Some(Act::Step(mover, pick(&next_steps(game), random)?));
    }
    let color = if one_in(8, random) { !mover } else { mover };
    let mut turns = legal_turns(game, color);
    if turns.len() > 1 && !one_in(10, random) {
        turns.retain(|turn| *turn != Turn::pass());
    }
    Some(match pick(&turns, random)? {
        turn if !is_several(game, &turn) => Act::Turn(color, turn),
        turn if one_in(2, random) => Act::Step(color, Step::new(turn.kind(), turn.points()[0])),
        turn => Act::Turn(color, lengthen(game, color, turn, random)),
    })
}

/// Whether a turn may have several points.
fn is_several(game: &AnyGame, turn: &Turn) -> bool {
    let kind = game.info().kind(turn.kind());
    kind.is_some_and(StepKindInfo::is_several)
}

/// Adds points to a turn of several as long as a few random tries succeed.
fn lengthen(game: &AnyGame, color: Color, turn: Turn, random: &mut Random) -> Turn {
    let mut stones = turn.points().to_vec();
    let grow = |stones: &[Point]| Turn::new(turn.kind(), stones.iter().copied());
    let points: Vec<_> = game.grid().points().collect();
    for _ in 0..3 * points.len() {
        stones.extend(pick(&points, random));
        if game.check(color, &grow(&stones)).is_err() {
            stones.pop();
        }
    }
    grow(&stones)
}

/// Calls `visit` at the start and after every act of a random game.
fn wander(words: &str, seed: u64, acts: usize, mut visit: impl FnMut(&AnyGame)) {
    let mut game = new_game(words);
    let mut random = Random::new(seed);
    visit(&game);
    for _ in 0..acts {
        let Some(act) = random_act(&game, &mut random) else {
            return;
        };
        perform(&mut game, &act).unwrap_or_else(|why| panic!("{act:?}: {why}"));
        visit(&game);
    }
}
