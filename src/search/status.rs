//! Group status: dead or alive.

use super::ownership::ownership;
use crate::board::{Color, Point};
use crate::rules::AnyGame;

/// Number of playouts, and the mean ownership of a group, for its own colour, below
/// which it is dead.
const PLAYOUTS: u32 = 256;
const DEAD: f32 = -0.4;

/// The groups on a board, each with its stones in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses {
    /// Groups whose points mostly end up as the opponent's.
    pub dead: Vec<Vec<Point>>,
    /// All other groups.
    pub alive: Vec<Vec<Point>>,
}

/// Estimates by random playouts which groups are dead; this is no proof.
pub fn statuses(game: &AnyGame, seed: u64) -> Statuses {
    let owners = ownership(game, PLAYOUTS, seed);
    let mut listed: Vec<Point> = Vec::new();
    let mut statuses = Statuses::default();
    for &(point, _) in &owners {
        let Some(color) = game.cell(point).color() else {
            continue;
        };
        if listed.contains(&point) {
            continue;
        }
        let mut group = game.group_stones(point);
        group.sort_unstable();
        listed.extend_from_slice(&group);
        match mean(&owners, &group, color) < DEAD {
            true => statuses.dead.push(group),
            false => statuses.alive.push(group),
        }
    }
    statuses
}

/// Mean ownership of a group's points for its own colour, −1 to 1.
fn mean(owners: &[(Point, f32)], group: &[Point], color: Color) -> f32 {
    let own = owners.iter().filter(|(point, _)| group.contains(point));
    let sum: f32 = own.map(|(_, owner)| owner).sum();
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    sign * sum / group.len() as f32
}
