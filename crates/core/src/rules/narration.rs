//! The effects of a turn, in sentences.

use super::Game;
use super::effects::{Cause, Effect};
use super::step::{Step, StepKindInfo, Target};
use super::turn::Turn;
use crate::board::{Cell, Color, Point};

/// A sentence names this many points and counts the others.
const MAX_NAMED: usize = 6;

struct Narrator<'g> {
    game: &'g Game,
    color: Color,
    kind: Option<&'static StepKindInfo>,
    /// The name of a point on the reader's board.
    name: &'g dyn Fn(Point) -> String,
}

/// An effect, and a sentence that describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NarratedEffect {
    /// The effect.
    pub effect: Effect,
    /// The sentence.
    pub text: String,
}

impl Game {
    /// Describes the effects of a legal step of `color`; `name` writes points.
    pub fn describe_step(
        &self,
        color: Color,
        step: Step,
        name: &dyn Fn(Point) -> String,
    ) -> Vec<NarratedEffect> {
        let kind = self.info().kind(step.kind());
        Narrator { game: self, color, kind, name }.describe(self.effects(color, step))
    }

    /// Describes the effects of a legal turn of `color`; in the middle of a turn those of the rest
    /// of it.
    pub fn describe_turn(
        &self,
        color: Color,
        turn: &Turn,
        name: &dyn Fn(Point) -> String,
    ) -> Vec<NarratedEffect> {
        let kind = self.info().kind(turn.kind());
        Narrator { game: self, color, kind, name }.describe(self.turn_effects(color, turn))
    }
}

impl Narrator<'_> {
    fn describe(&self, effects: Vec<Effect>) -> Vec<NarratedEffect> {
        let described = |effect| NarratedEffect { text: self.sentence(&effect), effect };
        effects.into_iter().map(described).collect()
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
                    None if before.color() == Some(self.color) => {
                        format!("{}'s suicide removes {stones}: {points}.", self.color.title())
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

    /// Whether the stones are of the turn's kind; the last stone of a turn may be of another kind.
    fn fits(&self, kind: &StepKindInfo, effect: &Effect) -> bool {
        let joins = |&point: &Point| self.game.touches(point, self.color);
        kind.target != Target::NextToOwn || effect.points.iter().any(joins)
    }

    fn names(&self, points: &[Point]) -> String {
        let named = points.iter().take(MAX_NAMED).map(|&point| (self.name)(point));
        let text = named.collect::<Vec<_>>().join(", ");
        match points.len().saturating_sub(MAX_NAMED) {
            0 => text,
            others => format!("{text} and {others} more"),
        }
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

/// The word with a capital, to begin a sentence.
pub fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
