//! The steps of a turn, and all turns of a side.

use super::history::History;
use super::illegal::Illegal;
use super::position::Position;
use super::step::Step;
use super::turn::Turn;
use crate::board::{Color, Point};
use smallvec::SmallVec;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// A part of the whole turns of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnLengths {
    /// All turns.
    All,
    /// The turns that could not end earlier.
    Shortest,
}

/// Calls `visit` with each whole turn of `color` of these lengths, and with the position after it,
/// until `visit` breaks. In the middle of a turn these are the rests of it. Turns of several steps
/// with the same end are visited once. Superko is not checked.
///
/// `after` is a scratch position.
pub fn for_each_turn(
    position: &Position,
    color: Color,
    lengths: TurnLengths,
    after: &mut Position,
    visit: &mut dyn FnMut(Turn, &mut Position) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (mut flow, mut begun) = (ControlFlow::Continue(()), Vec::new());
    position.for_each_step(color, &mut |step| {
        if flow.is_break() {
            return;
        }
        after.copy_from(position);
        if after.make(color, step) {
            flow = visit(Turn::new(step.kind(), step.point()), after);
        } else {
            begun.push(step);
        }
    });
    flow?;
    if begun.is_empty() {
        return flow;
    }
    let mut ends = Ends { color, lengths, met_positions: HashSet::new(), ended: HashSet::new() };
    for step in begun {
        after.copy_from(position);
        after.make(color, step);
        ends.follow(Turn::new(step.kind(), step.point()), after, visit)?;
    }
    flow
}

type EndKey = (u64, SmallVec<[(u64, Point); 8]>);

struct Ends {
    color: Color,
    lengths: TurnLengths,
    met_positions: HashSet<u64>,
    ended: HashSet<EndKey>,
}

impl Ends {
    fn follow(
        &mut self,
        turn: Turn,
        position: &Position,
        visit: &mut dyn FnMut(Turn, &mut Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut open = vec![(turn, position.boxed())];
        let mut flow = ControlFlow::Continue(());
        while let Some((turn, position)) = open.pop() {
            if position.mid_turn_key().is_some_and(|key| !self.met_positions.insert(key)) {
                continue;
            }
            let is_full = self.lengths == TurnLengths::Shortest && position.may_end().is_ok();
            position.for_each_step(self.color, &mut |step| {
                if flow.is_break() || is_full && step.point().is_some() {
                    return;
                }
                let mut after = position.boxed();
                let ended = after.make(self.color, step);
                let mut turn = turn.clone();
                turn.push(step.point());
                if !ended {
                    open.push((turn, after));
                } else if self.ended.insert(end_key(&after)) {
                    flow = visit(turn, &mut after);
                }
            });
            flow?;
        }
        flow
    }
}

fn end_key(position: &Position) -> EndKey {
    let mut notes = SmallVec::new();
    position.visit_future_state(&mut |number, point| notes.push((number, point)));
    (position.board.hash(), notes)
}

pub(super) fn first_step(position: &Position, color: Color, turn: &Turn) -> Step {
    position.step_of_turn(color, turn, 0).unwrap_or(Step::END)
}

/// Makes a turn without regard to superko; `position` is invalid after an illegal turn.
pub fn make_turn(position: &mut Position, color: Color, turn: &Turn) -> Result<(), Illegal> {
    let (mut next, mut ended) = (Some(first_step(position, color, turn)), false);
    for number in 1.. {
        let Some(step) = next else {
            break;
        };
        if ended {
            return Err(Illegal::NoSuchTurn);
        }
        position.check(color, step)?;
        ended = position.make(color, step);
        next = position.step_of_turn(color, turn, number);
    }
    Ok(())
}

/// Whether the rules about repetition forbid all turns of a player who may not pass. Then the pass
/// is legal, so that every player has a legal turn.
pub(super) fn must_pass(position: &Position, history: &History, color: Color) -> bool {
    let is_free = position.info().passes_are_free;
    if is_free
        || position.is_mid_turn()
        || position.must_wait(color)
        || position.situation.ending.is_some()
    {
        return false;
    }
    let mut after = position.boxed();
    let mut visit = |turn: Turn, end: &mut Position| {
        if turn.is_pass() || history.check_repetition(end, color).is_ok() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    for_each_turn(position, color, TurnLengths::All, &mut after, &mut visit).is_continue()
}

/// Checks that the unfinished turn has an end that the rules about repetition allow.
pub(super) fn may_be_finished(
    position: &Position,
    history: &History,
    color: Color,
) -> Result<(), Illegal> {
    let mut why = Illegal::TooShort;
    let mut allowed = |end: &mut Position| match history.check_repetition(end, color) {
        Ok(()) => ControlFlow::Break(()),
        Err(repeats) => {
            why = repeats;
            ControlFlow::Continue(())
        }
    };
    let mut after = position.boxed();
    if position.may_end().is_ok() {
        after.make(color, Step::END);
        if allowed(&mut after).is_break() {
            return Ok(());
        }
    }
    let mut visit = |_, end: &mut Position| allowed(end);
    let search = for_each_turn(position, color, TurnLengths::All, &mut after, &mut visit);
    if search.is_break() { Ok(()) } else { Err(why) }
}

/// Makes a turn, or the rest of a turn, that [`for_each_turn`] visited.
pub fn make_visited(position: &mut Position, color: Color, turn: &Turn) {
    for number in 0.. {
        let Some(step) = position.step_of_turn(color, turn, number) else {
            break;
        };
        if position.make(color, step) {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Game, Illegal, Position, Rules, StepKindInfo, TurnLength, Variant, VariantInfo, go,
    };
    use crate::board::{Board, Color, Grid};
    use std::ops::RangeInclusive;

    /// Turns of one stone that must be longer at the left edge.
    #[derive(Debug)]
    struct Edge;

    const EDGE: VariantInfo = VariantInfo {
        hooks: &Edge,
        kinds: &[StepKindInfo { length: TurnLength::Several, ..StepKindInfo::STONE }],
        ..go::BASE
    };

    impl Variant for Edge {
        fn turn_length(&self, _: &Position, _: Color) -> RangeInclusive<u16> {
            1..=2
        }

        fn may_end(&self, position: &Position) -> Result<(), Illegal> {
            let grid = position.board.grid();
            let is_at_edge = |point| grid.coordinates(point).0 == 0;
            match position.previous_stone() {
                Some(point) if !is_at_edge(point) => Ok(()),
                _ => Err(Illegal::TooShort),
            }
        }
    }

    #[test]
    fn legal_turns_are_those_that_could_not_end_earlier() {
        let grid = Grid::rectangle(2, 2).expect("a board");
        let start = Position::new(&EDGE, Board::new(grid), Rules::GO, Color::Black);
        let game = Game::from_start(Box::new(start));
        // Stones at the edge need another one; of two orders, one is listed.
        let mut legal = game.legal_turns_written(Color::Black);
        legal.iter_mut().for_each(|turn| {
            let mut points: Vec<_> = turn.split(' ').collect();
            points.sort_unstable();
            *turn = points.join(" ");
        });
        legal.sort_unstable();
        assert_eq!(legal, ["A1 A2", "A1 B1", "A1 B2", "A2 B1", "A2 B2", "B1 B1", "B2 B2", "pass"]);
    }
}
