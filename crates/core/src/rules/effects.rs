//! The effects of a step or a turn on the board, in order, for pictures and explanations.

use super::Game;
use super::position::Position;
use super::step::Step;
use super::turn::Turn;
use super::variant::BoardMark;
use crate::board::{Cell, Color, Point};

/// Why points change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// The step itself: a stone is placed, a nuke makes a void.
    Step,
    /// The step captures: stones are removed or change colour.
    Capture,
    /// The void on this point spreads at the end of the turn.
    Spread(Point),
    /// Another rule acts at the end of the turn: groups without liberties are removed.
    TurnEnd,
}

/// Connected points that change together from one cell to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Why the points change.
    pub cause: Cause,
    /// The points.
    pub points: Vec<Point>,
    /// Their cell before.
    pub before: Cell,
    /// Their cell afterwards.
    pub after: Cell,
}

impl Game {
    /// The effects of a legal step of `color`, with those of the end of the turn if the step ends
    /// it.
    pub fn effects(&self, color: Color, step: Step) -> Vec<Effect> {
        let mut log = EffectLog::new(self.position());
        log.step(color, step);
        if log.position.can_only_end() {
            log.step(color, Step::END);
        }
        log.effects
    }

    /// The effects of a legal turn of `color`; in the middle of a turn those of the rest of it.
    pub fn turn_effects(&self, color: Color, turn: &Turn) -> Vec<Effect> {
        let mut log = EffectLog::new(self.position());
        let mut number = self.points_so_far().len();
        while let Some(step) = log.position.step_of_turn(color, turn, number) {
            log.step(color, step);
            number += 1;
        }
        log.effects
    }

    /// A game that starts after a pass of the side to move, with no passes counted; `None` where a
    /// pass is illegal.
    pub fn after_pass(&self) -> Option<Game> {
        let (mut position, color) = (self.position().boxed(), self.to_move());
        position.check(color, Step::PASS).ok()?;
        position.make(color, Step::PASS);
        position.situation.forget_passes();
        Some(Game::from_start(position))
    }
}

struct EffectLog {
    position: Box<Position>,
    effects: Vec<Effect>,
}

impl EffectLog {
    fn new(position: &Position) -> EffectLog {
        EffectLog { position: position.boxed(), effects: Vec::new() }
    }

    fn step(&mut self, color: Color, step: Step) {
        let before = self.position.boxed();
        let ended = self.position.begin(color, step);
        let cause = |point| if step.point() == Some(point) { Cause::Step } else { Cause::Capture };
        let mut effects = changes(&before, &self.position, &|point| Some(cause(point)));
        // The stone comes before its captures.
        effects.sort_by_key(|effect| effect.cause == Cause::Capture);
        self.effects.extend(effects);
        if ended {
            let before = self.position.boxed();
            let spreads = spreads(&before);
            self.position.end_turn(color);
            self.note_spreads(&before, &spreads);
            let spread = |point| spreads.iter().any(|&(_, to)| to == point);
            let cell = |point| self.position.board.cell(point);
            let taken = |point| spread(point) && cell(point) == Cell::Void;
            let others = changes(&before, &self.position, &|point| {
                if taken(point) { None } else { Some(Cause::TurnEnd) }
            });
            self.effects.extend(others);
        }
    }

    fn note_spreads(&mut self, before: &Position, spreads: &[(Point, Point)]) {
        for &(from, to) in spreads {
            let is_new = self.position.board.cell(to) == Cell::Void
                && before.board.cell(to) != Cell::Void
                && !self.effects.iter().any(|effect| {
                    matches!(effect.cause, Cause::Spread(_)) && effect.points == [to]
                });
            if is_new {
                self.effects.push(Effect {
                    cause: Cause::Spread(from),
                    points: vec![to],
                    before: before.board.cell(to),
                    after: Cell::Void,
                });
            }
        }
    }
}

/// The voids that will spread at the end of this turn, and to which points, in order.
fn spreads(position: &Position) -> Vec<(Point, Point)> {
    let mut spreads = Vec::new();
    position.hints(&mut |hint| {
        if let BoardMark::Spreads { from, to, .. } = hint {
            spreads.push((from, to));
        }
    });
    spreads
}

/// The sets of connected points that change alike, for changes with a cause.
fn changes(
    before: &Position,
    after: &Position,
    cause: &dyn Fn(Point) -> Option<Cause>,
) -> Vec<Effect> {
    let grid = before.board.grid();
    let mut effects: Vec<Effect> = Vec::new();
    let mut open: Vec<Point> = grid.points().collect();
    open.retain(|&point| before.board.cell(point) != after.board.cell(point));
    while let Some(&first) = open.first() {
        let kind = |point| {
            let (was, is) = (before.board.cell(point), after.board.cell(point));
            (cause(point), was, is)
        };
        let (why, was, is) = kind(first);
        let belongs = |point| open.contains(&point) && kind(point) == (why, was, is);
        let points = before.board.connected(first, &belongs);
        open.retain(|point| !points.contains(point));
        effects.extend(why.map(|cause| Effect { cause, points, before: was, after: is }));
    }
    effects
}
