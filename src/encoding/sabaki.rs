//! The encoding for a client that keeps a board of plain Go and plays only on its
//! empty points, as Sabaki does.
//!
//! The client's board can differ from the game, as the variant captures other
//! stones. Where it shows a stone on a point that is empty in the game, the copy
//! of the point on the panel, if there is one, stands for the point.

use super::{DisplayBoard, DisplayCell, GtpMove, panel, special_kind_at};
use crate::board::{Color, PlainGoBoard};
use crate::rules::{AnyGame, Step, StepKind, StepKindInfo, VariantInfo};

/// The step that playing on a cell stands for. A copy means a step of the panel, or a
/// stone on a point that the client shows as occupied.
pub fn decode(
    shown: &DisplayBoard,
    client_board: &PlainGoBoard,
    game: &AnyGame,
    color: Color,
    cell: DisplayCell,
) -> Step {
    match cell {
        DisplayCell::Point(point) => {
            let of_board = |info: &StepKindInfo| info.on_board && !info.on_panel;
            let kind = special_kind_at(game, color, point, of_board);
            Step::new(kind.unwrap_or(StepKind::STONE), point)
        }
        DisplayCell::Copy(point) => {
            let is_free = game.cell(point).is_open();
            let looks_taken = client_board.stone(shown.vertex_of(point)).is_some();
            if is_free && looks_taken {
                Step::stone(point)
            } else {
                panel::decode(game, color, point)
            }
        }
        DisplayCell::End => Step::END,
    }
}

/// The move for a step, on a vertex that is empty on the client's board. A turn of several steps without an empty END vertex ends with a pass.
pub fn encode(
    shown: &DisplayBoard,
    client_board: &PlainGoBoard,
    variant: &VariantInfo,
    step: Step,
) -> Option<GtpMove> {
    let is_empty = |vertex| client_board.is_empty_at(vertex);
    let (Some(point), Some(info)) = (step.point(), variant.kind(step.kind())) else {
        let end = shown.ends().find(|&end| is_empty(end)).filter(|_| step == Step::END);
        return Some(end.map_or(GtpMove::Pass, GtpMove::At));
    };
    let own = shown.vertex_of(point);
    let vertex = match client_board.stone(own) {
        None if !info.on_panel => own,
        // The copy of a free point that the client shows as occupied stands for a stone.
        Some(_) if info.on_panel && info.target.is_open() => return None,
        _ => shown.copy_of(point)?,
    };
    is_empty(vertex).then_some(GtpMove::At(vertex))
}
