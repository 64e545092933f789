//! Light playouts: random turns to the end of the game.

use crate::board::Random;
use crate::rules::{Position, Step, Variant};

/// Plays random turns until the game ends, or until three times as many steps
/// as the board has points were made (cycles longer than a simple ko are not
/// seen here). Returns the number of steps, passes included.
#[inline]
pub fn playout<V: Variant>(position: &mut Position<V>, random: &mut Random) -> u32 {
    let grid = position.board.grid();
    let limit = 3 * u32::from(grid.width()) * u32::from(grid.height());
    let mut steps = 0;
    while !(position.is_over() && !V::mid_turn(position)) && steps < limit {
        let step: Step = V::random_step(position, random);
        let color = position.to_move;
        position.make(color, step);
        steps += 1;
    }
    steps
}
