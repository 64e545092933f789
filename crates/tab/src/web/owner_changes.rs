//! The effect of a turn on the owners of the points, and the groups that it lost.

use super::reviewer::PlayedTurn;
use crate::board::{Cell, Color, Point};
use crate::encoding::{DisplayBoard, Encoding};
use crate::playing::analysis_report::Ownership;
use crate::rules::{Illegal, vertex};

/// Minimum ownership of a settled point.
const SETTLED: f32 = 0.8;

/// Minimum ownership that decides the fate of a group.
const DECIDED: f32 = 0.4;

/// Minimum loss of ownership of a point that has changed.
const CHANGED: f32 = 0.5;

/// A game is late once this share of the points is settled.
const LATE: f32 = 0.8;

/// A turn, and the ownership of each point before and after it, −1 to 1 for the side that
/// played it.
pub struct OwnerChanges<'g> {
    played: PlayedTurn<'g>,
    owners: Vec<(Point, f32, f32)>,
}

impl<'g> OwnerChanges<'g> {
    /// The changes between the ownership of two reports, positive for Black. No points if one is
    /// unknown.
    pub fn new(played: PlayedTurn<'g>, before: &Ownership, after: &Ownership) -> OwnerChanges<'g> {
        let grid = played.game.grid();
        let shown = DisplayBoard::new(Encoding::Native, played.game.info(), *grid);
        let own = |of: &Ownership, point| {
            let owner = *of.ownership.as_ref()?.get(shown.number(shown.vertex_of(point))?)?;
            Some(if played.color == Color::Black { owner } else { -owner })
        };
        let playable = |point: &Point| {
            !matches!(played.game.cell(*point), Cell::Wall | Cell::Void | Cell::Tao)
        };
        let points = grid.points().filter(playable);
        let owners =
            points.filter_map(|point| Some((point, own(before, point)?, own(after, point)?)));
        OwnerChanges { played, owners: owners.collect() }
    }

    /// Whether the turn touched only settled points, and no point changed its owner.
    pub fn is_idle(&self) -> bool {
        let points = self.played.turn.points();
        let is_settled = |&point: &Point| {
            self.owners.iter().any(|&(at, before, _)| at == point && before.abs() >= SETTLED)
        };
        !self.owners.is_empty()
            && points.iter().all(is_settled)
            && self.lost_points().next().is_none()
    }

    /// Whether nearly all points were settled before the turn.
    pub fn is_late(&self) -> bool {
        let settled = self.owners.iter().filter(|(_, before, _)| before.abs() >= SETTLED);
        settled.count() as f32 >= LATE * self.owners.len().max(1) as f32 && !self.owners.is_empty()
    }

    /// Points that the side lost.
    fn lost_points(&self) -> impl Iterator<Item = Point> {
        let lost = self.owners.iter().filter(|(_, before, after)| before - after > CHANGED);
        lost.map(|&(point, _, _)| point)
    }

    /// The effect of a mistake in words, if the owners show it. `loss` is in points.
    pub fn reason(&self, loss: f32) -> Option<String> {
        if let Some(ko) = self.lost_ko() {
            return Some(format!("the ko at {} was lost", self.vertex(ko)));
        }
        let PlayedTurn { color, turn, .. } = self.played;
        let group = |color, verb| {
            let stones = self.largest_decided(color)?;
            let (count, first) = (stones.len(), self.vertex(*stones.first()?));
            let stones = if stones.len() == 1 { "stone" } else { "stones" };
            Some(format!("{count} {stones} at {first} {verb}"))
        };
        let lived = || {
            let stones = group(!color, "came alive")?;
            Some(format!("{}'s {stones}", (!color).title()))
        };
        let left = || {
            let count = loss.round() as u32;
            let points = if count == 1 { "point was" } else { "points were" };
            turn.points().is_empty().then(|| format!("{count} {points} left"))
        };
        group(color, "died").or_else(lived).or_else(left)
    }

    fn vertex(&self, point: Point) -> String {
        vertex(self.played.game.grid(), point)
    }

    /// The largest group of `color` whose fate the turn reversed against its own side.
    fn largest_decided(&self, color: Color) -> Option<Vec<Point>> {
        let mut largest: Vec<Point> = Vec::new();
        let mut seen: Vec<Point> = Vec::new();
        for &(point, _, _) in &self.owners {
            if self.played.game.cell(point).color() != Some(color) || seen.contains(&point) {
                continue;
            }
            let mut group = self.played.game.group_stones(point);
            seen.extend_from_slice(&group);
            let (before, after) = self.mean(&group);
            if before >= DECIDED && after <= -DECIDED && group.len() > largest.len() {
                group.sort_unstable();
                largest = group;
            }
        }
        (!largest.is_empty()).then_some(largest)
    }

    /// Mean ownership before and after the turn.
    fn mean(&self, points: &[Point]) -> (f32, f32) {
        let owners = self.owners.iter().filter(|(point, _, _)| points.contains(point));
        let (before, after) =
            owners.fold((0.0, 0.0), |sum, (_, before, after)| (sum.0 + before, sum.1 + after));
        let count = points.len().max(1) as f32;
        (before / count, after / count)
    }

    /// A ko that the side could not retake at once, if the turn lost points there.
    fn lost_ko(&self) -> Option<Point> {
        let PlayedTurn { game, color, .. } = self.played;
        if game.to_move() != color {
            return None;
        }
        let is_ko = |why| {
            matches!(why, Illegal::Ko | Illegal::PositionalSuperko | Illegal::SituationalSuperko)
        };
        let kos = game.forbidden_by_history().into_iter().filter(|&(_, why)| is_ko(why));
        let lost: Vec<Point> = self.lost_points().collect();
        let is_lost = |&ko: &Point| {
            lost.contains(&ko) || game.neighbours(ko).iter().any(|beside| lost.contains(beside))
        };
        kos.map(|(ko, _)| ko).find(is_lost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Action, Game, Setup, Size, Turn, variant};

    fn game(turns: &str) -> Game {
        let mut setup = Setup::new(variant("go").expect("a variant"));
        setup.size = Size::square(5);
        let mut game = Game::new(&setup).expect("a game");
        for words in turns.split(' ') {
            let Ok(Action::Turn(turn)) = game.parse(words) else { panic!("{words}") };
            game.play(game.to_move(), &turn).expect("legal");
        }
        game
    }

    /// One owner of all points but those of the bottom row.
    fn owned(all: f32, bottom: f32) -> Vec<f32> {
        [vec![all; 20], vec![bottom; 5]].concat()
    }

    fn changes<'g>(game: &'g Game, turn: &'g Turn, cells: [Vec<f32>; 2]) -> OwnerChanges<'g> {
        let played = PlayedTurn { game, color: game.to_move(), turn };
        let [before, after] = cells.map(|cells| Ownership {
            ownership: (!cells.is_empty()).then_some(cells),
            ..Ownership::default()
        });
        OwnerChanges::new(played, &before, &after)
    }

    #[test]
    fn a_pass_on_a_settled_board_is_idle_unless_points_change_hands() {
        let (game, pass) = (game("A1 E5 B1 E4"), Turn::pass());
        let same = changes(&game, &pass, [owned(0.95, 0.9), owned(0.9, 0.85)]);
        assert!(same.is_idle() && same.is_late());
        let lost = changes(&game, &pass, [owned(0.95, 0.9), owned(0.95, -0.9)]);
        assert!(!lost.is_idle());
        assert!(!changes(&game, &pass, [Vec::new(), Vec::new()]).is_idle(), "not known");
    }

    #[test]
    fn a_group_that_died_is_named_and_so_is_one_that_lived() {
        let (game, pass) = (game("A1 E5 B1 E4"), Turn::pass());
        let died = changes(&game, &pass, [owned(0.95, 0.9), owned(0.95, -0.9)]);
        assert_eq!(died.reason(10.0).as_deref(), Some("2 stones at A1 died"));
        let lived =
            [[vec![0.9; 10], vec![0.0; 15]].concat(), [vec![-0.9; 10], vec![0.0; 15]].concat()];
        let lived = changes(&game, &pass, lived);
        assert_eq!(lived.reason(10.0).as_deref(), Some("White's 2 stones at E4 came alive"));
        let left = changes(&game, &pass, [owned(0.0, 0.2), owned(0.0, -0.2)]);
        assert_eq!(left.reason(1.2).as_deref(), Some("1 point was left"));
    }

    #[test]
    fn a_lost_ko_is_named() {
        // White has just taken at B1.
        let game = game("B2 A2 A1 E5 C1 B3 E4 B1");
        let pass = Turn::pass();
        let lost = changes(&game, &pass, [owned(0.0, 0.6), owned(0.0, -0.6)]);
        assert_eq!(lost.reason(5.0).as_deref(), Some("the ko at A1 was lost"));
    }
}
