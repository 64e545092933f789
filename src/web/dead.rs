//! Dead stones, as the engine and the players mark them, and what they do to the count.

use super::event::ScoreView;
use crate::board::{Cell, Point};
use crate::rules::{AnyGame, Scoring, vertex};

/// The stones that are marked as dead: whole groups.
#[derive(Clone, Debug, Default)]
pub struct DeadStones(Vec<Point>);

impl DeadStones {
    /// Marks no stone.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Marks the groups of these stones and no others.
    pub fn mark(&mut self, game: &AnyGame, stones: &[Point]) {
        self.clear();
        for &stone in stones {
            if !self.0.contains(&stone) {
                self.0.extend(game.group_stones(stone));
            }
        }
    }

    /// Marks the group on a point, or takes its mark away; false if there is no group.
    pub fn toggle(&mut self, game: &AnyGame, point: Point) -> bool {
        let group = game.group_stones(point);
        match self.0.contains(&point) {
            true => self.0.retain(|stone| !group.contains(stone)),
            false => self.0.extend(&group),
        }
        !group.is_empty()
    }

    /// Both counts of the board: the rules' own, and without the marked stones.
    pub fn score(&self, game: &AnyGame) -> ScoreView {
        let grid = game.grid();
        let owned = game.owners_without(&self.0);
        let owner = |point: Point| {
            let owner = owned.iter().find(|(owned, _)| *owned == point);
            owner.map_or('.', |&(_, color)| Cell::stone(color).symbol())
        };
        let cell = |column, row| grid.point(column, row).map_or('.', owner);
        let row = |row| -> String { (0..grid.width()).map(|column| cell(column, row)).collect() };
        let without = |dead: &[Point], scoring| game.score_without(dead, scoring).to_string();
        ScoreView {
            rules: game.score().to_string(),
            area: without(&[], Scoring::Area),
            territory: without(&[], Scoring::Territory),
            agreed: without(&self.0, game.rules().scoring),
            dead: self.0.iter().map(|&stone| vertex(grid, stone)).collect(),
            owned: (0..grid.height()).rev().map(row).collect(),
        }
    }
}
