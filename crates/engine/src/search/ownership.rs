//! Estimates of ownership and group status, by random playouts or by a search.

use super::evaluator::Ownership;
use super::playout::playout;
use super::report::SearchProgress;
use super::signal::Signal;
use super::task::Task;
use super::tree::SearchTree;
use crate::board::{Color, Point, Random};
use crate::rules::Game;

/// Ownership of each point but walls and voids, over random playouts from the current position: −1
/// (always White) to +1 (always Black).
///
/// The playouts ignore passes before them, because clients ask after two passes. If a rule ended
/// the game, the final position counts.
pub fn ownership(game: &Game, playouts: u32, seed: u64) -> Vec<(Point, f32)> {
    let (mut start, mut random) = (game.position().boxed(), Random::new(seed));
    start.situation.forget_passes();
    let points: Vec<Point> = start.board.ownable_points().collect();
    let mut sums = vec![0; points.len()];
    let (mut end, playouts) = (start.clone(), playouts.max(1));
    for _ in 0..playouts {
        end.copy_from(&start);
        playout(&mut end, &mut random);
        let owners = end.board.owners();
        for (sum, &point) in sums.iter_mut().zip(&points) {
            *sum += sign(owners.of(point));
        }
    }
    let mean = |sum: i32| sum as f32 / playouts as f32;
    points.into_iter().zip(sums.into_iter().map(mean)).collect()
}

/// +1 for Black, −1 for White, 0 for nobody.
pub(super) fn sign(owner: Option<Color>) -> i32 {
    owner.map_or(0, |color| color.sign().into())
}

const STATUS_PLAYOUTS: u32 = 256;
/// A group is dead if its mean ownership, for its own colour, is below this.
const DEAD_OWNERSHIP: f32 = -0.4;

/// The groups on a board, each with its stones in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statuses {
    /// Groups on points that the opponent mostly owns in the end.
    pub dead: Vec<Vec<Point>>,
    /// All other groups.
    pub alive: Vec<Vec<Point>>,
    /// Mean ownership of each group for its own colour, −1 to 1, by its first stone.
    pub owners: Vec<(Point, f32)>,
}

/// Estimates by random playouts which groups are dead.
/// `Searcher::statuses` is better and slower.
pub fn statuses(game: &Game, seed: u64) -> Statuses {
    statuses_by(game, &ownership(game, STATUS_PLAYOUTS, seed))
}

/// Minimum playouts of each search for ownership.
const MIN_PLAYOUTS: u64 = 16;

/// Called with the part of the estimate, 0 to 1, after the present search. It may end that search
/// after at least a few playouts.
pub type PartCallback<'w> = dyn FnMut(f32) -> Signal + 'w;

/// A search for dead groups; see [`Searcher::statuses`](super::Searcher::statuses).
///
/// Each tree makes half of its playouts with either side to move, so that no group lives only by
/// the next turn. As in [`ownership`], passes do not count, and a game that a rule ended is
/// counted.
#[derive(Debug)]
pub struct StatusSearch<'g> {
    game: &'g Game,
    trees: Vec<SearchTree>,
    seed: u64,
    /// Ownership for each tree and side to move so far.
    counts: Vec<Ownership>,
    has_begun: bool,
}

impl<'g> StatusSearch<'g> {
    pub(super) fn new(game: &'g Game, trees: Vec<SearchTree>, seed: u64) -> StatusSearch<'g> {
        StatusSearch { game, trees, seed, counts: Vec::new(), has_begun: false }
    }

    /// Searches to the end without a pause. `should_stop` gets the part of the estimate, 0 to 1,
    /// after the present search; returning true ends that search after at least a few playouts.
    pub fn finish(mut self, should_stop: &mut dyn FnMut(f32) -> bool) -> Statuses {
        loop {
            if let Some(statuses) = self.advance(&mut |part| Signal::end_if(should_stop(part))) {
                return statuses;
            }
        }
    }

    /// Searches until `signal` pauses it or the statuses are found.
    pub fn advance(&mut self, signal: &mut PartCallback<'_>) -> Option<Statuses> {
        let game = self.game;
        let colors = if game.is_mid_turn() { [game.to_move(); 2] } else { Color::BOTH };
        let all = (self.trees.len() * colors.len()) as f32;
        while let Some(tree) = self.trees.get_mut(self.counts.len() / colors.len()) {
            let color = colors[self.counts.len() % colors.len()];
            let task = Task { seed: self.seed, resumes: true, ..Task::new(color) };
            if !std::mem::replace(&mut self.has_begun, true) {
                tree.set_game(game, &task);
            }
            let part = (self.counts.len() + 1) as f32 / all;
            let mut signal = |search: &dyn SearchProgress| {
                if search.playouts() < MIN_PLAYOUTS { Signal::GoOn } else { signal(part) }
            };
            let playouts = u64::from(STATUS_PLAYOUTS) / 2;
            if !tree.start.situation.is_over() && !tree.run(&task, playouts, &mut signal) {
                return None;
            }
            self.counts.push(tree.counted_ownership());
            self.has_begun = false;
        }
        let board = &game.position().board;
        let owners = board.owners();
        let mean = |point: Point| {
            let of_tree = |counts: &[Ownership]| match counts.iter().all(Ownership::is_empty) {
                true => sign(owners.of(point)) as f32,
                false => Ownership::mean_of(counts, point),
            };
            let means = self.counts.chunks(colors.len()).map(of_tree);
            means.sum::<f32>() / self.trees.len() as f32
        };
        let means: Vec<_> = board.ownable_points().map(|point| (point, mean(point))).collect();
        Some(statuses_by(game, &means))
    }
}

fn statuses_by(game: &Game, owners: &[(Point, f32)]) -> Statuses {
    let mut listed: Vec<Point> = Vec::new();
    let mut statuses = Statuses::default();
    for &(point, _) in owners {
        let Some(color) = game.cell(point).color() else {
            continue;
        };
        if listed.contains(&point) {
            continue;
        }
        let mut group = game.group_stones(point);
        group.sort_unstable();
        listed.extend_from_slice(&group);
        let mean = mean(owners, &group, color);
        statuses.owners.extend(group.first().map(|&first| (first, mean)));
        // Without counting, dead stones have no effect.
        if game.info().is_counted() && mean < DEAD_OWNERSHIP {
            statuses.dead.push(group)
        } else {
            statuses.alive.push(group)
        }
    }
    statuses
}

/// Mean ownership of a group's points for its own colour, −1 to 1.
fn mean(owners: &[(Point, f32)], group: &[Point], color: Color) -> f32 {
    let own = owners.iter().filter(|(point, _)| group.contains(point));
    let sum: f32 = own.map(|(_, owner)| owner).sum();
    f32::from(color.sign()) * sum / group.len() as f32
}

#[cfg(test)]
mod tests {
    use super::ownership;
    use crate::rules::Turn;
    use crate::search::tests::{BLACK, WHITE, game_of, point, setup};

    #[test]
    fn ownership_is_estimated_or_counted() {
        let rows = [".X.O.", "XX.OO", ".X.O.", "XX.OO", "XX#OO"];
        let mut game = game_of(setup("go", 5, 5), &rows);
        let owners = ownership(&game, 40, 0);
        assert_eq!(owners.len(), 24);
        for (at, owner) in owners {
            let (column, _) = game.grid().coordinates(at);
            match column {
                0 | 1 => assert_eq!(owner, 1.0),
                2 => assert!(owner.abs() < 1.0, "{owner}"),
                _ => assert_eq!(owner, -1.0),
            }
        }
        // Two passes change nothing about ownership; the end by resignation does.
        let neutral = (point(&game, "C3"), 0.0);
        for color in [BLACK, WHITE] {
            game.play(color, &Turn::pass()).expect("legal");
        }
        assert!(!ownership(&game, 41, 0).contains(&neutral));
        game.resign(BLACK).expect("legal");
        assert!(ownership(&game, 41, 0).contains(&neutral));
    }

    /// Each search of the estimate reports its part, and makes at least a few playouts.
    #[test]
    fn statuses_can_be_shortened() {
        use crate::search::{SearchParams, Searcher};
        let rows = ["O..X.O.", "XXXX.OO", ".X.X.O.", "XXXX.OO", "XXXX.OO"];
        let game = game_of(setup("go", 7, 5), &rows);
        let searcher = Searcher::new(SearchParams::default(), 16, 1);
        let mut parts = Vec::new();
        let statuses = searcher.statuses(&game, 1).finish(&mut |part| {
            parts.push(part);
            true
        });
        assert_eq!(statuses.dead, [vec![point(&game, "A5")]]);
        assert!(parts.is_sorted() && parts.last() == Some(&1.0), "{parts:?}");
        let mut distinct = parts.clone();
        distinct.dedup();
        assert_eq!(distinct, parts, "no search continues");
        let mut calls = 0;
        searcher.statuses(&game, 1).finish(&mut |_| {
            calls += 1;
            false
        });
        assert!(calls > 5 * parts.len(), "{calls}");
    }

    #[test]
    fn statuses_are_the_same_without_a_net() {
        use super::Statuses;
        use crate::search::{SearchParams, Searcher};
        // White's stone in the corner has no room for eyes.
        let rows = ["O..X.O.", "XXXX.OO", ".X.X.O.", "XXXX.OO", "XXXX.OO"];
        let mut game = game_of(setup("go", 7, 5), &rows);
        for passes in 0..3 {
            for params in [SearchParams::default(), SearchParams::baseline()] {
                let searcher = Searcher::new(params, 16, 1);
                let Statuses { dead, alive, owners } =
                    searcher.statuses(&game, 1).finish(&mut |_| false);
                assert_eq!(dead, [vec![point(&game, "A5")]], "{passes}");
                assert_eq!(alive.len(), 2, "{passes}");
                assert!(owners.iter().all(|(at, mean)| (*mean < 0.0) == (*at == dead[0][0])));
                assert_eq!(searcher.statuses(&game, 1).finish(&mut |_| false).dead, dead);
            }
            if !game.is_over() {
                game.play(game.to_move(), &Turn::pass()).expect("legal");
            }
        }
    }
}
