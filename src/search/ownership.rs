//! Ownership estimated by random playouts.

use super::playout::playout;
use crate::board::{Cell, Color, Point, Random};
use crate::rules::{AnyGame, Game, Position, Variant, with_game};

/// Ownership of each point that is neither wall nor void, over random playouts from
/// the current position: −1 (always White) to +1 (always Black).
///
/// After two passes the playouts go on as if nobody had passed, because that is
/// when clients ask for it; if the rules ended the game, the final position is
/// counted.
pub fn ownership(game: &AnyGame, playouts: u32, seed: u64) -> Vec<(Point, f32)> {
    fn of<V: Variant>(game: &Game<V>, playouts: u32, seed: u64) -> Vec<(Point, f32)> {
        let mut position = game.position().clone();
        position.passes = 0;
        mean_owners(&position, playouts, &mut Random::new(seed))
    }
    with_game!(game, game => of(game, playouts, seed))
}

/// See [`ownership`].
pub(super) fn mean_owners<V: Variant>(
    position: &Position<V>,
    playouts: u32,
    random: &mut Random,
) -> Vec<(Point, f32)> {
    let playable = |&point: &Point| !matches!(position.board.cell(point), Cell::Wall | Cell::Void);
    let points: Vec<Point> = position.board.grid().points().filter(playable).collect();
    let mut sums = vec![0; points.len()];
    let mut end = position.clone();
    for _ in 0..playouts.max(1) {
        end.copy_from(position);
        playout(&mut end, random);
        let owners = end.board.owners();
        for (sum, &point) in sums.iter_mut().zip(&points) {
            *sum += sign(owners.of(point));
        }
    }
    let mean = |sum: i32| sum as f32 / playouts.max(1) as f32;
    points.into_iter().zip(sums.into_iter().map(mean)).collect()
}

/// +1 for Black, −1 for White, 0 for nobody.
pub(super) fn sign(owner: Option<Color>) -> i32 {
    match owner {
        Some(Color::Black) => 1,
        Some(Color::White) => -1,
        None => 0,
    }
}
