//! Light playouts: random turns to the end of the game.

use crate::board::{Color, Point, Random};
use crate::rules::{Position, Step, Variant};

/// How long a playout was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// Steps made, passes included.
    pub steps: u32,
    /// Steps that were about a point: stones, nukes, tao stones.
    pub stones: u32,
}

/// Plays random turns until the game ends, or until three times as many steps
/// as the board has points were made (cycles longer than a simple ko are not
/// seen here).
#[inline]
pub fn playout<V: Variant>(position: &mut Position<V>, random: &mut Random) -> Played {
    playout_noted(position, random, None)
}

/// The same; the steps are added to `note`. (Large, and wanted in many places: so
/// not to be compiled in each of them.)
pub(super) fn playout_noted<V: Variant>(
    position: &mut Position<V>,
    random: &mut Random,
    mut note: Option<&mut Vec<Step>>,
) -> Played {
    let grid = position.board.grid();
    let limit = 3 * u32::from(grid.width()) * u32::from(grid.height());
    let mut played = Played::default();
    while played.steps < limit && !position.is_over() {
        let step = V::random_step(position, random, |_, _, _| true);
        let color = position.to_move;
        position.make(color, step);
        played.steps += 1;
        played.stones += u32::from(step.point().is_some());
        if let Some(steps) = &mut note {
            steps.push(step);
        }
    }
    played
}

/// A playout to look at.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Its steps; the side to move begins.
    pub steps: Vec<Step>,
    /// The result at its end.
    pub score: String,
    /// Whose each point is then.
    owners: Vec<(Point, Option<Color>)>,
}

impl Preview {
    /// What these steps make of the position.
    pub(super) fn of<V: Variant>(start: &Position<V>, steps: Vec<Step>) -> Preview {
        let mut end = start.clone();
        for &step in &steps {
            end.make(end.to_move, step);
        }
        let owners = end.board.owners();
        let points = end.board.grid().points();
        Preview {
            owners: points.map(|point| (point, owners.of(point))).collect(),
            score: end.score(),
            steps,
        }
    }

    /// Whose a point is at the end.
    pub fn owner(&self, point: Point) -> Option<Color> {
        let found = self.owners.iter().find(|(at, _)| *at == point);
        found.and_then(|&(_, owner)| owner)
    }
}
