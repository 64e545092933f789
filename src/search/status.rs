//! Which groups look dead.

use super::ownership::ownership;
use crate::board::{Color, Point};
use crate::rules::AnyGame;

/// Playouts behind a status, and how much of them the enemy must own.
const PLAYOUTS: u32 = 256;
const DEAD: f32 = -0.4;

/// The groups on a board, each with its stones in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statuses {
    /// Those whose points mostly end up the enemy's.
    pub dead: Vec<Vec<Point>>,
    /// All others.
    pub alive: Vec<Vec<Point>>,
}

/// Tells groups that look dead from others: an estimate from random playouts, not
/// a proof.
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

/// How much of a group's points its own colour owns, -1 to 1.
fn mean(owners: &[(Point, f32)], group: &[Point], color: Color) -> f32 {
    let own = owners.iter().filter(|(point, _)| group.contains(point));
    let sum: f32 = own.map(|(_, owner)| owner).sum();
    let sign = if color == Color::Black { 1.0 } else { -1.0 };
    sign * sum / group.len() as f32
}
