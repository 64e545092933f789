//! Light playouts: random turns to the end of the game.

use crate::board::Random;
use crate::rules::{Position, Variant};

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
    let grid = position.board.grid();
    let limit = 3 * u32::from(grid.width()) * u32::from(grid.height());
    let mut played = Played::default();
    while played.steps < limit && !position.is_over() {
        let step = V::random_step(position, random, |_, _| true);
        let color = position.to_move;
        position.make(color, step);
        played.steps += 1;
        played.stones += u32::from(step.point().is_some());
    }
    played
}
