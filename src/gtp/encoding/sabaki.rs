//! One vertex a move for a client that keeps a board of plain Go and takes stones
//! on the empty points of that board alone, as Sabaki does.
//!
//! What the variant captures, such a client may leave standing, and the other
//! way round. Where its board holds a stone on a point that is empty in truth,
//! the copy of the point, if there is one, stands for it.

use super::{Mirror, Shown, Site, Word, panel};
use crate::board::{Cell, Color};
use crate::rules::{AnyGame, Step};

/// The step that playing on a place stands for: on the right, a nuke, a tao
/// placement, or a stone that the client has no room for on the left.
pub fn decode(shown: &Shown, mirror: &Mirror, game: &AnyGame, color: Color, site: Site) -> Step {
    let words = game.info().words;
    match site {
        Site::Point(point) if words.grow && game.touches(point, color) => Step::Grow(point),
        Site::Point(point) => Step::Stone(point),
        Site::Copy(point) => {
            let is_free = matches!(game.cell(point), Cell::Empty | Cell::Tao);
            let looks_taken = mirror.stone(shown.place(point)).is_some();
            if is_free && looks_taken {
                Step::Stone(point)
            } else {
                panel::decode(game, color, point)
            }
        }
        Site::End => Step::Done,
    }
}

/// How a step is said on a place that the client holds empty; none if it cannot
/// be. A growth without a place to end it ends with a pass.
pub fn encode(shown: &Shown, mirror: &Mirror, step: Step) -> Option<Word> {
    let is_empty = |place| mirror.is_empty_at(place);
    let place = match step {
        Step::Pass => return Some(Word::Pass),
        Step::Done => match shown.ends().find(|&end| is_empty(end)) {
            Some(end) => end,
            None => return Some(Word::Pass),
        },
        Step::Stone(point) | Step::Grow(point) => {
            let own = shown.place(point);
            match mirror.stone(own) {
                None => own,
                Some(_) => shown.copy(point)?,
            }
        }
        Step::Nuke(point) => shown.copy(point)?,
        // Where a stone seems to be, the copy would stand for a stone.
        Step::Tao(point) if is_empty(shown.place(point)) => shown.copy(point)?,
        Step::Tao(_) => return None,
    };
    is_empty(place).then_some(Word::At(place))
}
