//! The encoding for a client that keeps a board of plain Go and plays only on its
//! empty points, as Sabaki does.
//!
//! The client's board can differ from the game, as the variant captures other
//! stones. Where it shows a stone on a point that is empty in the game, the copy
//! of the point on the panel, if there is one, stands for the point.

use super::{DisplayBoard, DisplayCell, GtpMove, panel};
use crate::board::PlainGoBoard;
use crate::board::{Cell, Color};
use crate::rules::{AnyGame, Step};

/// The step that playing on a cell stands for. A copy means a nuke, a tao
/// placement, or a stone on a point that the client shows as occupied.
pub fn decode(
    shown: &DisplayBoard,
    client_board: &PlainGoBoard,
    game: &AnyGame,
    color: Color,
    cell: DisplayCell,
) -> Step {
    let words = game.info().words;
    match cell {
        DisplayCell::Point(point) if words.grow && game.touches(point, color) => Step::Grow(point),
        DisplayCell::Point(point) => Step::Stone(point),
        DisplayCell::Copy(point) => {
            let is_free = matches!(game.cell(point), Cell::Empty | Cell::Tao);
            let looks_taken = client_board.stone(shown.vertex_of(point)).is_some();
            if is_free && looks_taken {
                Step::Stone(point)
            } else {
                panel::decode(game, color, point)
            }
        }
        DisplayCell::End => Step::Done,
    }
}

/// The move for a step, on a vertex that is empty on the client's board; none if
/// there is none. A growth without an empty END vertex ends with a pass.
pub fn encode(shown: &DisplayBoard, client_board: &PlainGoBoard, step: Step) -> Option<GtpMove> {
    let is_empty = |vertex| client_board.is_empty_at(vertex);
    let vertex = match step {
        Step::Pass => return Some(GtpMove::Pass),
        Step::Done => match shown.ends().find(|&end| is_empty(end)) {
            Some(end) => end,
            None => return Some(GtpMove::Pass),
        },
        Step::Stone(point) | Step::Grow(point) => {
            let own = shown.vertex_of(point);
            match client_board.stone(own) {
                None => own,
                Some(_) => shown.copy_of(point)?,
            }
        }
        Step::Nuke(point) => shown.copy_of(point)?,
        // On an occupied vertex of the client, the copy would stand for a stone.
        Step::Tao(point) if is_empty(shown.vertex_of(point)) => shown.copy_of(point)?,
        Step::Tao(_) => return None,
    };
    is_empty(vertex).then_some(GtpMove::At(vertex))
}
