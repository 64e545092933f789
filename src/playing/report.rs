//! Parts that the reports of a search to clients have in common.

use crate::encoding::{DisplayBoard, Vertex};
use crate::search::PointOwnership;

/// Parts of a report besides moves and values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Included {
    pub ownership: bool,
    pub ownership_stdev: bool,
    pub moves_ownership: bool,
    pub moves_ownership_stdev: bool,
    pub pv_visits: bool,
}

impl Included {
    /// Whether the search counts ownership for each move.
    pub fn wants_move_ownership(self) -> bool {
        self.moves_ownership || self.moves_ownership_stdev
    }
}

/// A number for every vertex of the board shown, from the top left; 0 where no point can be owned.
pub fn field(
    shown: &DisplayBoard,
    owned: &[PointOwnership],
    value: fn(&PointOwnership) -> f32,
) -> Vec<f32> {
    let (width, height) = (usize::from(shown.width()), usize::from(shown.height()));
    let mut field = vec![0.0; width * height];
    for point in owned {
        let Vertex { column, row } = shown.vertex_of(point.point);
        let from_top = height.saturating_sub(1 + usize::from(row));
        if let Some(place) = field.get_mut(from_top * width + usize::from(column)) {
            *place = finite(value(point)).clamp(-1.0, 1.0);
        }
    }
    field
}

pub fn finite(value: f32) -> f32 {
    // Adding 0 turns −0 into 0.
    if value.is_finite() { value + 0.0 } else { 0.0 }
}

/// Limits a probability to 0 to 1.
pub fn share(value: f32) -> f32 {
    finite(value).clamp(0.0, 1.0)
}
