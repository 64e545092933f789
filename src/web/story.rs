//! What a turn does, told step by step in sentences.

use super::event::{Consequence, ConsequenceKind};
use super::point_names;
use crate::board::{Cell, Color, Point};
use crate::rules::{AnyGame, Cause, Effect, Ending, Step, StepKindInfo, Turn, vertex};
use std::fmt::Write;

/// Points that a sentence names; it counts the others.
const MAX_NAMED: usize = 6;

/// Tells what a step, legal in `before`, does.
pub fn of_step(before: &AnyGame, step: Step) -> Vec<Consequence> {
    let color = before.to_move();
    let kind = before.info().kind(step.kind());
    let mut told = told(before, color, kind, &before.effects(color, step));
    if step == Step::PASS {
        told.insert(0, pass(color));
    }
    told
}

/// Tells what a turn, legal in `before`, does.
pub fn of_turn(before: &AnyGame, color: Color, turn: &Turn) -> Vec<Consequence> {
    let kind = before.info().kind(turn.kind());
    let mut told = told(before, color, kind, &before.turn_effects(color, turn));
    if turn.is_pass() {
        told.insert(0, pass(color));
    }
    told
}

/// How the game ended with the latest turn, if it did.
pub fn ending(after: &AnyGame) -> Option<Consequence> {
    let text = match after.ending() {
        _ if !after.is_over() => return None,
        Some(Ending::Full) => "No empty point is left: the game ends.".to_owned(),
        Some(Ending::Draw) => "An earlier position is back: the game is a draw.".to_owned(),
        Some(Ending::Resigned(loser)) => format!("{} resigns.", name(loser)),
        None => "Two passes: the game is over.".to_owned(),
    };
    Some(plain(ConsequenceKind::End, text))
}

fn told(
    game: &AnyGame,
    color: Color,
    kind: Option<&StepKindInfo>,
    effects: &[Effect],
) -> Vec<Consequence> {
    let narrator = Narrator { game, color, kind };
    effects.iter().map(|effect| narrator.tell(effect)).collect()
}

fn pass(color: Color) -> Consequence {
    plain(ConsequenceKind::Pass, format!("{} passes.", name(color)))
}

fn plain(kind: ConsequenceKind, text: String) -> Consequence {
    Consequence {
        text,
        kind,
        points: Vec::new(),
        from: None,
        color: None,
    }
}

/// Tells the effects of a turn of one side.
struct Narrator<'g> {
    game: &'g AnyGame,
    color: Color,
    kind: Option<&'g StepKindInfo>,
}

impl Narrator<'_> {
    fn tell(&self, effect: &Effect) -> Consequence {
        let grid = self.game.grid();
        let (kind, color) = match effect.after {
            Cell::Void => (ConsequenceKind::Void, None),
            Cell::Tao => (ConsequenceKind::Tao, None),
            after => match (after.color(), effect.before.is_stone()) {
                (Some(color), true) => (ConsequenceKind::Flip, Some(color.name())),
                (Some(color), false) => (ConsequenceKind::Place, Some(color.name())),
                (None, _) => (ConsequenceKind::Remove, None),
            },
        };
        let from = match effect.cause {
            Cause::Spread(from) => Some(vertex(grid, from)),
            _ => None,
        };
        Consequence {
            text: self.sentence(effect),
            kind,
            points: effect.points.iter().map(|&at| vertex(grid, at)).collect(),
            from,
            color,
        }
    }

    fn sentence(&self, effect: &Effect) -> String {
        let points = self.names(&effect.points);
        let mover = name(self.color);
        match (effect.cause, effect.before, effect.after) {
            (Cause::Step, before, Cell::Void) if before.is_stone() => {
                format!("{mover} nukes {points}: the stone becomes a void.")
            }
            (Cause::Step, _, Cell::Tao) => format!("{mover} places a tao stone on {points}."),
            (Cause::Step, Cell::Tao, _) => format!("{mover} takes the tao stone's point {points}."),
            (Cause::Step, ..) => match self.kind {
                Some(kind) if kind.is_several() && self.grows(effect) => {
                    format!("{mover} grows to {points}.")
                }
                _ => format!("{mover} plays {points}."),
            },
            (Cause::Spread(from), ..) => {
                format!("Void {} spreads to {points}.", self.names(&[from]))
            }
            (Cause::Capture, before, after) => {
                let stones = stones(effect.points.len(), before.color());
                match after.color() {
                    Some(color) => format!("{stones} turn {}: {points}.", color.name()),
                    None => format!("{mover} captures {stones}: {points}."),
                }
            }
            (Cause::TurnEnd, before, Cell::Empty) if before.is_stone() => {
                match effect.points.len() {
                    1 => format!("{points} loses its last liberty."),
                    count => {
                        let stones = stones(count, before.color());
                        format!("{stones} lose their last liberty: {points}.")
                    }
                }
            }
            (Cause::TurnEnd, ..) => format!("{points} changes."),
        }
    }

    /// Whether the stone joins a stone of the mover, as the stones of a growth do.
    fn grows(&self, effect: &Effect) -> bool {
        let joins = |&point: &Point| self.game.touches(point, self.color);
        effect.points.iter().any(joins)
    }

    /// The points in words.
    fn names(&self, points: &[Point]) -> String {
        let grid = self.game.grid();
        let mut text = String::new();
        for (number, &point) in points.iter().take(MAX_NAMED).enumerate() {
            if number > 0 {
                text.push_str(", ");
            }
            text.push_str(&point_names::point(grid, point));
        }
        if let Some(others) = points.len().checked_sub(MAX_NAMED).filter(|&n| n > 0) {
            let _ = write!(text, " and {others} more");
        }
        text
    }
}

/// So many stones of a colour, in words.
pub fn stones(count: usize, color: Option<Color>) -> String {
    let color = color.map_or("", Color::name);
    match count {
        1 => format!("1 {color} stone"),
        _ => format!("{count} {color} stones"),
    }
}

/// The colour at the beginning of a sentence.
pub fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
