//! The effects of a turn, in sentences.

use super::AnyGame;
use super::effects::{Cause, Effect};
use super::step::{Step, StepKindInfo, Target};
use super::turn::Turn;
use crate::board::{Cell, Color, Point};
use std::fmt::Write;

/// Points that a sentence names; it counts the others.
const MAX_NAMED: usize = 6;

/// Tells what a turn of one side does. Points have the names that the reader's board shows.
struct Narrator<'g> {
    /// The game before the turn or step.
    game: &'g AnyGame,
    color: Color,
    kind: Option<&'static StepKindInfo>,
    name: &'g dyn Fn(Point) -> String,
}

/// Something that happens, and the sentence that tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NarratedEffect {
    /// The effect.
    pub effect: Effect,
    /// The sentence.
    pub text: String,
}

impl AnyGame {
    /// Tells what a step of `color` does, which must be legal now.
    pub fn describe_step(
        &self,
        color: Color,
        step: Step,
        name: &dyn Fn(Point) -> String,
    ) -> Vec<NarratedEffect> {
        let kind = self.info().kind(step.kind());
        Narrator::new(self, color, kind, name).tell(self.effects(color, step))
    }

    /// Tells what a whole turn of `color` does, which must be legal now; in the middle of a
    /// turn what the rest of it does.
    pub fn describe_turn(
        &self,
        color: Color,
        turn: &Turn,
        name: &dyn Fn(Point) -> String,
    ) -> Vec<NarratedEffect> {
        let kind = self.info().kind(turn.kind());
        Narrator::new(self, color, kind, name).tell(self.turn_effects(color, turn))
    }
}

impl<'g> Narrator<'g> {
    fn new(
        game: &'g AnyGame,
        color: Color,
        kind: Option<&'static StepKindInfo>,
        name: &'g dyn Fn(Point) -> String,
    ) -> Narrator<'g> {
        Narrator { game, color, kind, name }
    }

    fn tell(&self, effects: Vec<Effect>) -> Vec<NarratedEffect> {
        let told = effects
            .into_iter()
            .map(|effect| NarratedEffect { text: self.sentence(&effect), effect });
        told.collect()
    }

    fn sentence(&self, effect: &Effect) -> String {
        let points = self.names(&effect.points);
        let (before, after) = (effect.before, effect.after);
        match effect.cause {
            Cause::Step => self.step(effect, &points),
            Cause::Spread(from) => {
                let what = capitalised(after.info().name);
                format!("{what} {} spreads to {points}.", (self.name)(from))
            }
            Cause::Capture => {
                let stones = stones(effect.points.len(), before.color());
                match after.color() {
                    Some(color) => {
                        let turn = if effect.points.len() == 1 { "turns" } else { "turn" };
                        format!("{stones} {turn} {}: {points}.", color.name())
                    }
                    None => format!("{} captures {stones}: {points}.", self.color.title()),
                }
            }
            Cause::TurnEnd if before.is_stone() && after == Cell::Empty => {
                match effect.points.len() {
                    1 => format!("{points} loses its last liberty."),
                    count => {
                        let stones = stones(count, before.color());
                        format!("{stones} lose their last liberty: {points}.")
                    }
                }
            }
            Cause::TurnEnd => format!("{points}: {}.", after.info().name),
        }
    }

    fn step(&self, effect: &Effect, points: &str) -> String {
        let (before, after) = (effect.before, effect.after);
        let mover = self.color.title();
        let does = match self.kind {
            Some(kind) if !after.is_stone() || self.fits(kind, effect) => kind.verb,
            _ => StepKindInfo::STONE.verb,
        };
        if !after.is_stone() && before.is_stone() {
            let what = after.info().name;
            format!("{mover} {does} {points}: the stone becomes a {what}.")
        } else if after.is_stone() && before != Cell::Empty {
            let what = before.info().name;
            format!("{mover} takes the {what}'s point {points}.")
        } else {
            format!("{mover} {does} {points}.")
        }
    }

    /// Whether a stone comes where the kind of the turn has its stones: the last of a turn of
    /// several may be of another kind.
    fn fits(&self, kind: &StepKindInfo, effect: &Effect) -> bool {
        let joins = |&point: &Point| self.game.touches(point, self.color);
        kind.target != Target::NextToOwn || effect.points.iter().any(joins)
    }

    /// The points in words.
    fn names(&self, points: &[Point]) -> String {
        let mut text = String::new();
        for (number, &point) in points.iter().take(MAX_NAMED).enumerate() {
            if number > 0 {
                text.push_str(", ");
            }
            text.push_str(&(self.name)(point));
        }
        if let Some(others) = points.len().checked_sub(MAX_NAMED).filter(|&n| n > 0) {
            let _ = write!(text, " and {others} more");
        }
        text
    }
}

/// A number of stones of a colour, in words.
pub fn stones(count: usize, color: Option<Color>) -> String {
    let color = color.map_or("", Color::name);
    match count {
        1 => format!("1 {color} stone"),
        _ => format!("{count} {color} stones"),
    }
}

/// A word at the beginning of a sentence.
pub fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
