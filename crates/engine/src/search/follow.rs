//! Follows a game down a search tree.

use super::node_pool::NodePool;
use crate::board::Color;
use crate::rules::{Game, Position, Step, StepKindInfo, Turn, TurnPoints};

/// Whether two games have the same rules and starting position.
pub(super) fn is_same_start(a: &Position, b: &Position) -> bool {
    a.situation.rules == b.situation.rules
        && a.board.grid() == b.board.grid()
        && a.board.hash() == b.board.hash()
        && a.situation.to_move == b.situation.to_move
}

/// Whole turns, and the part of an unfinished turn.
type TurnsSinceRoot<'g> = (&'g [(Color, Turn)], Option<Turn>);

/// The turns of a game since the start of the tree; `None` for another game.
pub(super) fn turns_since<'g>(
    turns: &[(Color, Turn)],
    points_so_far: usize,
    game: &'g Game,
) -> Option<TurnsSinceRoot<'g>> {
    let since = game.turns().strip_prefix(turns)?;
    let skip = if since.is_empty() { points_so_far } else { 0 };
    if points_so_far > 0 && !since.is_empty() {
        return None;
    }
    let points = game.points_so_far().get(skip..)?.iter().copied();
    let unfinished = game.unfinished_turn().filter(|_| points.len() > 0);
    Some((since, unfinished.map(|turn| Turn::new(turn.kind(), points))))
}

pub(super) fn follow_turn(
    nodes: &NodePool,
    position: &mut Position,
    root_path: &mut Vec<u32>,
    color: Color,
    turn: &Turn,
    whole: bool,
) -> Option<()> {
    let info = position.info();
    let mut go = |position: &mut Position, wanted: &dyn Fn(Step) -> bool| {
        let at = *root_path.last()?;
        let number = nodes.edges(at).position(|edge| {
            wanted(edge.step()) && nodes.child(edge).is_none_or(|node| !node.is_illegal())
        })?;
        let child = nodes.enter(at, number)?;
        let step = nodes.node(child).step();
        root_path.push(child);
        (position.situation.to_move == color).then(|| position.make(color, step))?;
        Some(step)
    };
    if !info.kind(turn.kind()).is_some_and(StepKindInfo::is_several) {
        return go(position, &|step| info.whole_turn(step).as_ref() == Some(turn)).map(|_| ());
    }
    // The tree may have the points in another order. The last step may be of another kind.
    let mut rest = TurnPoints::from_slice(turn.points());
    while !rest.is_empty() {
        let last = rest.len() == 1 && whole && position.is_mid_turn();
        let step = go(position, &|step| {
            let is_left = step.point().is_some_and(|point| rest.contains(&point));
            is_left && (last || step.kind() == turn.kind())
        })?;
        rest.retain(|point| Some(*point) != step.point());
    }
    if whole && position.is_mid_turn() {
        go(position, &|step| step == Step::END)?;
    }
    Some(())
}
