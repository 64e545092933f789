//! For a client that keeps a board of plain Go and plays only on its empty points, as Sabaki does.
//!
//! The client's board can differ from the game. For an empty point on which it shows a stone, the
//! copy on the panel stands, if there is one.

use super::{DisplayBoard, DisplayCell, GtpMove, panel, special_kind_at};
use crate::board::{Color, PlainGoBoard};
use crate::rules::{Game, Step, StepKind, StepKindInfo, VariantInfo};

/// The step of a move on a cell. A copy means a step of the panel, or a stone on a point that the
/// client shows as occupied.
pub fn decode(
    display: &DisplayBoard,
    client_board: &PlainGoBoard,
    game: &Game,
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
            let looks_taken = client_board.stone(display.vertex_of(point)).is_some();
            if is_free && looks_taken {
                Step::stone(point)
            } else {
                panel::decode(game, color, point)
            }
        }
        DisplayCell::End => Step::END,
    }
}

/// The move for a step, on a vertex that is empty on the client's board. Without an empty END
/// vertex a pass ends a turn of several steps.
pub fn encode(
    display: &DisplayBoard,
    client_board: &PlainGoBoard,
    variant: &VariantInfo,
    step: Step,
) -> Option<GtpMove> {
    let is_empty = |vertex| client_board.is_empty_at(vertex);
    let (Some(point), Some(info)) = (step.point(), variant.kind(step.kind())) else {
        let end = display.ends().find(|&end| is_empty(end)).filter(|_| step == Step::END);
        return Some(end.map_or(GtpMove::Pass, GtpMove::At));
    };
    let own = display.vertex_of(point);
    let vertex = match client_board.stone(own) {
        None if !info.on_panel => own,
        // The copy of a free point that the client shows as occupied means a stone.
        Some(_) if info.on_panel && info.target.is_open() => return None,
        _ => display.copy_of(point)?,
    };
    is_empty(vertex).then_some(GtpMove::At(vertex))
}
