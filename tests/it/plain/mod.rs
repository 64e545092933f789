//! Comparisons with a second implementation: boards with flood fill, Go with a plain
//! referee, voids with a list; and the chances of random steps. (The laws that every variant
//! keeps are in `tests/laws`.)

use crate::common::{game_from_diagram, new_game, play};
use crate::laws::{Trial, solved};
use kawari_core::board::{Board, Cell, Color, FewLiberties, Grid, Point, Random, column_name};
use kawari_core::rules::{Game, Illegal, Ko, Position, RuleKey, StepKind, Turn, VARIANTS, vertex};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::{BTreeMap, BTreeSet};

mod board;
mod random_steps;
mod referee;
mod voids;

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

fn pick<T: Clone>(list: &[T], random: &mut Random) -> Option<T> {
    list.get(random.below(list.len() as u32) as usize).cloned()
}

fn one_in(n: u32, random: &mut Random) -> bool {
    random.below(n) == 0
}

fn legal_turns(game: &Game, color: Color) -> Vec<Turn> {
    game.legal_turns(color)
}

/// The values of an option that have names.
fn values(key: RuleKey) -> Vec<&'static str> {
    key.values().expect("names")
}
