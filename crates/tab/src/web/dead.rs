//! Dead stones that the engine and the players mark, and the count without them.

use super::error_text::ErrorText;
use super::sentence;
use crate::board::{Cell, Color, Point};
use crate::rules::stones;
use crate::rules::{Game, GameResult, Tally, vertex};
use crate::search::Statuses;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScoreView {
    pub rules: String,
    /// The result without the dead stones.
    pub agreed: String,
    /// The agreed result as a sentence.
    pub sentence: String,
    /// The number of dead stones, in a sentence.
    pub taken: String,
    /// The result with all stones left on the board, if it differs.
    pub rules_sentence: String,
    /// The parts of both scores.
    pub tally: Tally,
    pub objections: Vec<String>,
    pub dead: Vec<String>,
    /// The owners of the points: rows of `X`, `O` and `.`.
    pub owned: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct DeadStones {
    marked: Vec<Point>,
    /// The dead stones by the engine.
    estimated: Vec<Point>,
    /// Mean ownership of each group for its own colour, −1 to 1, by one of its stones.
    owners: Vec<(Point, f32)>,
}

/// Minimum mean ownership of a living group for its own colour.
const LIVES: f32 = 0.2;

/// Maximum difference of a count from the engine's, in points.
const MAX_DIFFERENCE: f64 = 10.0;

/// The error for a point without a stone.
pub const NO_STONE: &str = "there is no stone";

impl DeadStones {
    pub fn points(&self) -> &[Point] {
        &self.marked
    }

    pub fn clear(&mut self) {
        *self = DeadStones::default();
    }

    /// Marks these stones, which the players agreed on, and no others.
    pub fn agree(&mut self, stones: Vec<Point>) {
        *self = DeadStones { marked: stones, ..DeadStones::default() };
    }

    /// Marks the groups that the engine counts as dead, and no others.
    pub fn mark(&mut self, game: &Game, statuses: &Statuses) {
        self.clear();
        for &stone in statuses.dead.iter().flatten() {
            if !self.marked.contains(&stone) {
                self.marked.extend(game.group_stones(stone));
            }
        }
        self.estimated.clone_from(&self.marked);
        self.owners.clone_from(&statuses.owners);
    }

    /// Marks the group on a point as dead. A marked group lives again, with all marked stones of
    /// its colour in the same region: if one lives, they all do.
    pub fn toggle(&mut self, game: &Game, point: Point) -> Result<(), ErrorText> {
        let color = game.cell(point).color().ok_or(NO_STONE)?;
        if self.marked.contains(&point) {
            let revived = game.stones_in_region(point);
            self.marked.retain(|stone| !revived.contains(stone));
            return Ok(());
        }
        let group = game.group_stones(point);
        let lives = |&at: &Point| {
            game.cell(at).color() == Some(color)
                && !group.contains(&at)
                && !self.marked.contains(&at)
        };
        if !self.estimated.contains(&point) && !game.grid().points().any(|at| lives(&at)) {
            let color = color.title();
            return Err(format!("{color} would have no living group left").into());
        }
        self.marked.extend(&group);
        Ok(())
    }

    /// Counts the board by the rules, and without the marked stones.
    pub fn score(&self, game: &Game) -> ScoreView {
        let grid = game.grid();
        let owners = game.owners_without(&self.marked);
        let owner = |point: Point| {
            let owner = owners.iter().find(|(owned, _)| *owned == point);
            owner.map_or('.', |&(_, color)| Cell::stone(color).symbol())
        };
        let cell = |column, row| grid.point(column, row).map_or('.', owner);
        let row = |row| -> String { (0..grid.width()).map(|column| cell(column, row)).collect() };
        let agreed = game.score_without(&self.marked, game.rules().scoring);
        ScoreView {
            rules: game.score().to_string(),
            agreed: agreed.to_string(),
            sentence: sentence::of_result(agreed),
            taken: self.counted_as_dead(game),
            tally: game.tally_without(&self.marked),
            objections: self.objections(game),
            rules_sentence: self.rules_sentence(game),
            dead: self.marked.iter().map(|&at| vertex(grid, at)).collect(),
            owned: (0..grid.height()).rev().map(row).collect(),
        }
    }

    fn objections(&self, game: &Game) -> Vec<String> {
        let mut objections = Vec::new();
        for &(stone, mean) in &self.owners {
            let (marked, estimated) =
                (self.marked.contains(&stone), self.estimated.contains(&stone));
            let is_wrong = if marked { mean > LIVES } else { estimated };
            let Some(color) = game.cell(stone).color().filter(|_| is_wrong) else {
                continue;
            };
            let group = stones(game.group_stones(stone).len(), Some(color));
            let group = group.strip_prefix("1 ").unwrap_or(&group);
            let (sure, verb) = if marked {
                (f32::midpoint(1.0, mean), "alive")
            } else {
                (f32::midpoint(1.0, -mean), "dead")
            };
            let at = vertex(game.grid(), stone);
            objections.push(format!(
                "kawari takes the {group} at {at} for {verb}: {:.0}% sure.",
                100.0 * sure
            ));
        }
        let scoring = game.rules().scoring;
        let margin = |dead: &[Point]| match game.score_without(dead, scoring) {
            GameResult::Points(margin) => Some(margin),
            _ => None,
        };
        let difference = margin(&self.marked).zip(margin(&self.estimated));
        let difference = difference.map_or(0.0, |(own, engines)| (own - engines).abs());
        if difference > MAX_DIFFERENCE && !self.owners.is_empty() {
            let points = sentence::points(difference);
            objections.push(format!("This count differs from kawari's by {points}."));
        }
        objections
    }

    fn marked_of(&self, game: &Game, color: Color) -> usize {
        let of_color = |at: &&Point| game.cell(**at).color() == Some(color);
        self.marked.iter().filter(of_color).count()
    }

    fn counted_as_dead(&self, game: &Game) -> String {
        let count = |color| match self.marked_of(game, color) {
            0 => None,
            count => Some(stones(count, Some(color))),
        };
        let counts: Vec<_> = Color::BOTH.into_iter().filter_map(count).collect();
        if counts.is_empty() {
            return "No stone is counted as dead.".to_owned();
        }
        format!("Counted as dead: {}.", counts.join(" and "))
    }

    fn rules_sentence(&self, game: &Game) -> String {
        let (rules, agreed) =
            (game.score(), game.score_without(&self.marked, game.rules().scoring));
        if rules == agreed {
            return "With all stones left on the board, the result is the same.".to_owned();
        }
        let sentence = sentence::of_result(rules).replacen("The", "the", 1);
        let counted = match self.marked.len() {
            1 => "the dead stone".to_owned(),
            count => format!("the {count} dead stones"),
        };
        format!("With {counted} left on the board, {sentence}.")
    }
}

#[cfg(test)]
mod tests {
    use super::DeadStones;
    use crate::board::Point;
    use crate::rules::{Game, Setup, Size, parse_point, variant};
    use crate::search::Statuses;

    fn game(rows: &[&str]) -> Game {
        let mut setup = Setup::new(variant("go").expect("a variant"));
        setup.size = Size { width: rows[0].len() as u8, height: rows.len() as u8 };
        for (row, line) in rows.iter().rev().enumerate() {
            for (column, symbol) in line.bytes().enumerate() {
                let color = match symbol {
                    b'X' => 0,
                    b'O' => 1,
                    _ => continue,
                };
                setup.stones[color].push((column as u8, row as u8));
            }
        }
        Game::new(&setup).expect("a start")
    }

    /// An estimate that counts these stones as dead.
    fn dead_at(game: &Game, vertices: &[&str]) -> Statuses {
        let dead = vertices.iter().map(|vertex| vec![at(game, vertex)]).collect();
        Statuses { dead, ..Statuses::default() }
    }

    #[test]
    fn a_mark_against_the_estimate_and_a_count_far_from_it_meet_objections() {
        let game = game(&["O.XXO", "O.X.O", ".XX.O", "XX.OO", ".X.O."]);
        let mut dead = DeadStones::default();
        let owners = vec![(at(&game, "A5"), -0.9), (at(&game, "C5"), 0.8), (at(&game, "E5"), 0.9)];
        dead.mark(&game, &Statuses { owners, ..dead_at(&game, &["A5"]) });
        assert!(dead.score(&game).objections.is_empty());
        let tally = dead.score(&game).tally;
        assert_eq!((tally.total.black, tally.total.white), (14.0, 7.0 + tally.komi));
        dead.toggle(&game, at(&game, "A5")).expect("a group");
        let objections = dead.score(&game).objections;
        assert_eq!(objections, ["kawari takes the 2 white stones at A5 for dead: 95% sure."]);
    }

    fn at(game: &Game, vertex: &str) -> Point {
        parse_point(game.grid(), vertex).expect("a point")
    }

    #[test]
    fn a_click_corrects_a_group_and_never_a_whole_living_side() {
        let game = game(&["O.XXO", "O.X.O", ".XX.O", "XX.OO", ".X.O."]);
        let mut dead = DeadStones::default();
        dead.mark(&game, &dead_at(&game, &["A5"]));
        assert_eq!(dead.score(&game).taken, "Counted as dead: 2 white stones.");
        let refused = |dead: &mut DeadStones, vertex| {
            dead.toggle(&game, at(&game, vertex)).expect_err("refused").0
        };
        assert_eq!(refused(&mut dead, "B5"), "there is no stone");
        // The last living group of a side stays, the other comes back and goes again.
        assert!(refused(&mut dead, "E5").starts_with("White would have no living group"));
        for count in ["No stone is counted as dead.", "Counted as dead: 2 white stones."] {
            dead.toggle(&game, at(&game, "A4")).expect("a group");
            assert_eq!(dead.score(&game).taken, count);
        }
        assert!(refused(&mut dead, "C5").starts_with("Black would have no living group"));
    }

    #[test]
    fn dead_stones_of_the_engine_may_be_all_of_a_side() {
        let game = game(&["..X..", ".XX..", "XX.X.", ".OOX.", "...X."]);
        let mut dead = DeadStones::default();
        let white = at(&game, "B2");
        dead.mark(&game, &dead_at(&game, &["B2"]));
        for _ in 0..2 {
            dead.toggle(&game, white).expect("a group");
        }
        let score = dead.score(&game);
        assert_eq!(score.dead.len(), 2);
        assert!(score.rules_sentence.starts_with("With the 2 dead stones left on the board, "));
    }

    #[test]
    fn stones_in_the_same_surroundings_live_together() {
        let game = game(&["O.O.X", "....X", "XXXXX", ".....", "OOOOO"]);
        let mut dead = DeadStones::default();
        dead.mark(&game, &dead_at(&game, &["A5", "C5"]));
        dead.toggle(&game, at(&game, "A5")).expect("a group");
        assert_eq!(dead.score(&game).dead.len(), 0);
        dead.toggle(&game, at(&game, "C5")).expect("a group");
        assert_eq!(dead.score(&game).dead, ["C5"]);
    }
}
