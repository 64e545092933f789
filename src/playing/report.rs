//! Parts that the reports of a search to clients have in common.

use crate::encoding::{DisplayBoard, Vertex};
use crate::search::PointOwnership;

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
