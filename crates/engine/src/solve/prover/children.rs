//! The positions after one turn, and their numbers before a search.

use super::super::assumptions::Assumptions;
use super::super::goal::komi_in_half_points;
use super::super::key::Cells;
use super::super::line::shared;
use super::super::stop::Stop;
use super::super::table::Numbers;
use super::{Prover, ProverNode, Repetition};
use crate::rules::{
    Decision, Position, Scoring, Step, StepKindInfo, Turn, TurnLengths, for_each_turn,
};
use smallvec::SmallVec;
use std::ops::ControlFlow;

#[derive(Debug)]
pub(super) struct Child {
    pub(super) turn: Turn,
    pub(super) key: u128,
    pub(super) frame: usize,
    /// Where a rule forbids to repeat its board: the board, and the name that symmetric ones share.
    pub(super) board: Option<(Cells, u64)>,
    /// Its numbers if they need no search: after the end of the game, by unconditional life, or by
    /// a repetition.
    pub(super) settled: Option<Numbers>,
    pub(super) estimate: Numbers,
    /// The depth of the waypoint that it repeats.
    pub(super) repeats: Option<u32>,
}

#[derive(Debug, Default)]
pub(super) struct Children {
    pub(super) list: Vec<Child>,
    pub(super) forbidden_by: Assumptions,
}

/// The search asks whether to stop after this number of listed turns: a turn of a large board takes
/// many microseconds.
const TURNS_BETWEEN_CHECKS: u64 = 16;

impl Prover {
    /// The positions after each turn, one of each set of symmetric ones; `None` if `stop` ends the
    /// search.
    pub(super) fn children(&mut self, node: &ProverNode, stop: &Stop<'_>) -> Option<Children> {
        let mut children = Children::default();
        let mut names: SmallVec<[u128; 32]> = SmallVec::new();
        let mut after = self.borrow(node.position);
        let (mut turns, mut is_stopped) = (self.turns, stop.is_set());
        let mut add = |turn, after: &mut Position| {
            turns += 1;
            is_stopped |= turns.is_multiple_of(TURNS_BETWEEN_CHECKS) && stop.is_set();
            if is_stopped {
                return ControlFlow::Break(());
            }
            let child = self.child(node, turn, after, &mut children.forbidden_by);
            if let Some((child, name)) = child
                && !names.contains(&name)
            {
                names.push(name);
                children.list.push(child);
            }
            ControlFlow::Continue(())
        };
        let color = node.position.situation.to_move;
        if let Some(step) = node.position.winning_step() {
            after.make(color, step);
            let _ = add(Turn::new(step.kind(), step.point()), &mut after);
        } else {
            let _ = for_each_turn(node.position, color, TurnLengths::All, &mut after, &mut add);
        }
        self.turns = turns;
        if is_stopped {
            self.spare.push(after);
            return None;
        }
        if children.list.is_empty() {
            // The rules about repetition forbid all turns, so the player passes.
            after.copy_from(node.position);
            after.make(color, Step::PASS);
            let pass = self.child(node, Turn::pass(), &mut after, &mut children.forbidden_by);
            children.list.extend(pass.map(|(child, _)| child));
        }
        self.spare.push(after);
        Some(children)
    }

    /// The position after a turn, and a name that it shares only with equivalent positions; `None`
    /// for an illegal turn, whose repeated waypoint goes to `forbidden_by`.
    fn child(
        &self,
        node: &ProverNode,
        turn: Turn,
        after: &mut Position,
        forbidden_by: &mut Assumptions,
    ) -> Option<(Child, u128)> {
        let boards = self.keys.boards(after);
        let maker = Some(node.position.situation.to_move);
        let repeated = match turn.is_pass() {
            true => None,
            false => self.repeated(boards[0], node.position.situation.to_move),
        };
        if let Some(repeated) = repeated.filter(|repeated| repeated.is_forbidden) {
            forbidden_by.require(repeated.depth);
            return None;
        }
        let mut repeats = repeated.map(|repeated| repeated.depth);
        let (key, frame) = self.key(after, &boards);
        if self.repetition == Repetition::Free {
            repeats = self.line.deepest(0, key as u64);
        }
        let board = (self.repetition != Repetition::Free).then(|| {
            let names = boards.iter().map(|&board| self.board_name(board, maker));
            (self.keys.cells(after), shared(names))
        });
        let settled = match () {
            () if after.situation.is_over() => Some(self.judge_end(after)),
            // A repetition is at most a draw, which is less than the goal.
            () if repeats.is_some() => Some(Numbers::DISPROVEN),
            () if self.table.get(key).is_none() => self.settled_by_life(after),
            () => None,
        };
        let child = Child {
            turn,
            key,
            frame,
            board,
            settled,
            estimate: settled.unwrap_or_else(|| self.estimate(after)),
            repeats: repeats.filter(|_| !after.situation.is_over()),
        };
        Some((child, self.key_in_line(key, frame)))
    }

    /// The numbers if unconditional life decides the goal. No ko rule forbids a side to pass for
    /// ever, while the other side runs out of turns. (With suicide it does only if no board may
    /// come back.)
    fn settled_by_life(&self, position: &Position) -> Option<Numbers> {
        let suicide = position.situation.rules.suicide;
        let is_endless = suicide && self.repetition != Repetition::Forbidden;
        if position.situation.rules.scoring != Scoring::Area
            || is_endless
            || !life_decides(position)
        {
            return None;
        }
        let board = &position.board;
        let points = board.max_area() as i32;
        let ahead = |side| {
            let life = board.unconditional_life(side, suicide);
            let own = i32::from(life.stones + life.eyes);
            own - (points - own - i32::from(life.regions))
        };
        let komi = komi_in_half_points(&position.situation.rules);
        let needed = self.goal.at_least + i32::from(self.goal.side.sign()) * komi;
        // The other side could repeat a board for a draw.
        let may_win = !self.repetition.draws();
        if may_win && 2 * ahead(self.goal.side) >= needed {
            return Some(Numbers::PROVEN);
        }
        (-2 * ahead(!self.goal.side) < needed).then_some(Numbers::DISPROVEN)
    }

    /// The first numbers of a position; they grow with the distance of its margin from the goal.
    fn estimate(&self, position: &Position) -> Numbers {
        let excess = self.goal.excess(position);
        // Limits the distance of a win by a rule.
        const FARTHEST: i32 = 1 << 12;
        let distance = |half_points: i32| 1 + (half_points.clamp(0, FARTHEST) / 4) as u32;
        Numbers { proof: distance(-excess), disproof: distance(excess + 1) }
    }
}

/// Whether unconditional life decides games like this one: points count, passes are free, turns
/// only place stones, and only captures remove them.
fn life_decides(position: &Position) -> bool {
    let info = position.info();
    info.decided_by == Decision::Points
        && info.passes_are_free
        && position.info().has_unconditional_eyes
        && info.kinds.iter().all(StepKindInfo::places_stone)
}
