//! A second copy of the board, whose vertices stand for special turns.

use super::special_kind_at;
use crate::board::{Color, Point};
use crate::rules::{Game, Step, StepKind, VariantInfo};

/// Whether the variant has turns on the panel.
pub fn is_needed(info: &VariantInfo) -> bool {
    info.kinds.iter().any(|kind| kind.on_panel)
}

/// The step of a move on the copy of `point`.
pub fn decode(game: &Game, color: Color, point: Point) -> Step {
    let mut kinds = game.info().step_kinds().filter(|(_, info)| info.on_panel);
    let kind = special_kind_at(game, color, point, |info| info.on_panel);
    let kind = kind.or_else(|| kinds.next().map(|(kind, _)| kind));
    Step::new(kind.unwrap_or(StepKind::STONE), point)
}

/// The point whose copy stands for a step.
pub fn encode(info: &VariantInfo, step: Step) -> Option<Point> {
    let is_special = info.kind(step.kind()).is_some_and(|info| info.on_panel);
    step.point().filter(|_| is_special)
}
