//! The effects of a turn, step by step, as the page shows and plays them.

use super::layers::point_name;
use crate::board::{Cell, Color, Grid, Point};
use crate::rules::{Cause, Ending, Game, NarratedEffect, Step, Turn, vertex};
use crate::sgf::Cursor;
use serde::Serialize;

/// One thing that a turn does, with a sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Consequence {
    pub text: String,
    pub kind: ConsequenceKind,
    pub points: Vec<String>,
    /// The void that spreads.
    pub from: Option<String>,
    /// The new content of the points, as in the rows of a board.
    pub symbol: Option<char>,
}

/// A change of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConsequenceKind {
    /// Stones of any kind appear.
    Place,
    Remove,
    /// Stones change colour.
    Flip,
    /// Voids or walls appear, which never change again.
    Solid,
    /// The turn or the game ends.
    End,
    Pass,
}

/// The game before the latest turn or step, its effects, and the end of the game.
pub fn latest(cursor: &Cursor) -> (Option<Game>, Vec<Consequence>) {
    let game = cursor.game();
    let (before, mut effects) = match (cursor.last_step(), cursor.game_before()) {
        _ if game.resigned().is_some() => (None, Vec::new()),
        (Some((before, step)), _) => {
            let effects = narrate_step(&before, step);
            (Some(before), effects)
        }
        (None, Some(before)) => {
            let effects = match (cursor.steps().last().copied(), game.turns().last()) {
                (Some(step), _) => narrate_step(&before, step),
                (None, Some((color, turn))) => narrate_turn(&before, *color, turn),
                (None, None) => Vec::new(),
            };
            (Some(before), effects)
        }
        (None, None) => (None, Vec::new()),
    };
    effects.extend(ending(game));
    (before, effects)
}

/// Narrates the effects of a step, legal in `before`.
pub fn narrate_step(before: &Game, step: Step) -> Vec<Consequence> {
    let color = before.to_move();
    let effects = before.describe_step(color, step, &|point| point_name(before.grid(), point));
    consequences(before.grid(), (step == Step::PASS).then_some(color), effects)
}

/// Narrates the effects of a turn, legal in `before`.
pub fn narrate_turn(before: &Game, color: Color, turn: &Turn) -> Vec<Consequence> {
    let effects = before.describe_turn(color, turn, &|point| point_name(before.grid(), point));
    consequences(before.grid(), turn.is_pass().then_some(color), effects)
}

/// The end of the game by the latest turn.
pub fn ending(after: &Game) -> Option<Consequence> {
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
    passes: Option<Color>,
    effects: Vec<NarratedEffect>,
) -> Vec<Consequence> {
    let pass = |color: Color| plain(ConsequenceKind::Pass, format!("{} passes.", color.title()));
    let effects = effects.into_iter().map(|effect| consequence(grid, effect));
    passes.map(pass).into_iter().chain(effects).collect()
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
