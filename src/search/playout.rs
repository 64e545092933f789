//! Light playouts: random turns to the end of the game.

use crate::board::{Color, Point, Random};
use crate::rules::{AnyGame, Game, Position, Step, Variant, with_game};

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
    /// Whose a point is at the end.
    pub fn owner(&self, point: Point) -> Option<Color> {
        let found = self.owners.iter().find(|(at, _)| *at == point);
        found.and_then(|&(_, owner)| owner)
    }
}

/// One uniformly random playout from the position now.
pub fn preview(game: &AnyGame, seed: u64) -> Preview {
    fn of<V: Variant>(game: &Game<V>, seed: u64) -> Preview {
        let mut position = game.position().clone();
        let grid = *position.board.grid();
        let limit = 3 * usize::from(grid.width()) * usize::from(grid.height());
        let mut random = Random::new(seed);
        let mut steps = Vec::new();
        while steps.len() < limit && !position.is_over() {
            let step = V::random_step(&mut position, &mut random, |_, _| true);
            let color = position.to_move;
            position.make(color, step);
            steps.push(step);
        }
        let owners = position.board.owners();
        Preview {
            steps,
            score: position.score(),
            owners: grid.points().map(|p| (p, owners.of(p))).collect(),
        }
    }
    with_game!(game, game => of(game, seed))
}
