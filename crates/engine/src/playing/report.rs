//! What the reports of a search to clients share.

use crate::encoding::{DisplayBoard, Vertex};
use crate::search::{Outcome, PointOwnership};
use serde::Serialize;

/// The values of a position or of a step for one side, under KataGo's names.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Values {
    pub winrate: f32,
    pub score_lead: f32,
    score_mean: f32,
    score_selfplay: f32,
    pub score_stdev: f32,
    pub utility: f32,
}

impl Values {
    pub fn new(Outcome { win, margin }: Outcome, score_stdev: f32) -> Values {
        // Adding 0 turns −0 into 0.
        let lead = margin + 0.0;
        Values {
            winrate: win,
            score_lead: lead,
            score_mean: lead,
            score_selfplay: lead,
            score_stdev,
            utility: utility(win),
        }
    }
}

/// The utility of a win rate, −1 to 1.
pub fn utility(win_rate: f32) -> f32 {
    2.0 * win_rate - 1.0
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
            let value = value(point);
            *place = if value.is_finite() { value.clamp(-1.0, 1.0) + 0.0 } else { 0.0 };
        }
    }
    field
}
