//! The effects of a turn, step by step, as the page shows and plays them.

use super::event::{Consequence, ConsequenceKind};
use super::point_names;
use crate::board::{Cell, Color, Grid, Point};
use crate::rules::{AnyGame, Cause, Ending, NarratedEffect, Step, Turn, vertex};

/// Narrates the effects of a step, legal in `before`.
pub fn narrate_step(before: &AnyGame, step: Step) -> Vec<Consequence> {
    let (grid, color) = (before.grid(), before.to_move());
    let told = before.describe_step(color, step, &|point| point_names::point(grid, point));
    consequences(grid, color, step == Step::PASS, told)
}

/// Narrates the effects of a turn, legal in `before`.
pub fn narrate_turn(before: &AnyGame, color: Color, turn: &Turn) -> Vec<Consequence> {
    let grid = before.grid();
    let told = before.describe_turn(color, turn, &|point| point_names::point(grid, point));
    consequences(grid, color, turn.is_pass(), told)
}

/// The end of the game by the latest turn.
pub fn ending(after: &AnyGame) -> Option<Consequence> {
    let text = match after.ending() {
        _ if !after.is_over() => return None,
        Some(Ending::Counted(why)) => why.to_owned(),
        Some(Ending::Won(winner, why)) => format!("{} {why}, and wins.", winner.title()),
        Some(Ending::Draw) => "An earlier position is back: the game is a draw.".to_owned(),
        Some(Ending::Resigned(loser)) => format!("{} resigns.", loser.title()),
        None => "Two passes: the game is over.".to_owned(),
    };
    Some(plain(ConsequenceKind::End, text))
}

fn consequences(
    grid: &Grid,
    color: Color,
    is_pass: bool,
    told: Vec<NarratedEffect>,
) -> Vec<Consequence> {
    let pass = || plain(ConsequenceKind::Pass, format!("{} passes.", color.title()));
    let pass = is_pass.then(pass);
    let told = told.into_iter().map(|told| consequence(grid, told));
    pass.into_iter().chain(told).collect()
}

fn plain(kind: ConsequenceKind, text: String) -> Consequence {
    Consequence { text, kind, points: Vec::new(), from: None, symbol: None }
}

fn consequence(grid: &Grid, NarratedEffect { effect, text }: NarratedEffect) -> Consequence {
    let name = |&point: &Point| vertex(grid, point);
    let kind = match effect.after {
        Cell::Empty => ConsequenceKind::Remove,
        after if after.is_solid() => ConsequenceKind::Solid,
        after if after.is_stone() && effect.before.is_stone() => ConsequenceKind::Flip,
        _ => ConsequenceKind::Place,
    };
    let from = match effect.cause {
        Cause::Spread(from) => Some(name(&from)),
        _ => None,
    };
    Consequence {
        text,
        kind,
        points: effect.points.iter().map(name).collect(),
        from,
        symbol: Some(effect.after.symbol()),
    }
}
