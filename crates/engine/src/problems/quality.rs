//! The quality and the difficulty of problems.

use super::proof::Proven;
use crate::board::{Cell, Color};
use crate::rules::{Game, Turn};

/// The number of grades: 1 is the easiest.
pub const GRADES: u8 = 4;

/// Minimum number of legal turns of a position.
const MIN_TURNS: usize = 5;

/// Minimum number of stones of each side.
const MIN_STONES: usize = 2;

/// Minimum number of points in which two problems differ under every symmetry and exchange of
/// colours.
const MIN_DIFFERENCES: usize = 5;

/// Maximum work of a problem of the first grade, the second, and so on. Work is the binary
/// logarithm of the positions of the proof times the first turns.
const WORK: [f64; GRADES as usize - 1] = [9.5, 12.0, 14.0];

/// Whether a position may be one of a problem: both sides have stones, and there is a choice.
pub fn is_contested(game: &Game) -> bool {
    let stones = |color| {
        let points = game.grid().points();
        points.filter(|&point| game.cell(point) == Cell::stone(color)).count()
    };
    !game.is_over()
        && !game.is_mid_turn()
        && Color::BOTH.iter().all(|&color| stones(color) >= MIN_STONES)
}

/// The grade of a proven position; `None` for a poor problem. `is_first_thought` says whether the
/// right turn has the greatest prior.
pub fn grade(proven: &Proven, is_first_thought: bool) -> Option<u8> {
    let turns = 1 + proven.wrong.len();
    if proven.answer.is_pass() || turns < MIN_TURNS {
        return None;
    }
    let after = after(&proven.game, &proven.answer)?;
    if after.is_over() {
        return None;
    }
    let work = (proven.solution.positions.max(1) as f64).log2() + (turns as f64).log2();
    let harder = WORK.iter().filter(|&&most| work > most).count() as u8;
    let captures = |turn: &Turn| captures(&proven.game, turn);
    let is_only_capture = captures(&proven.answer) && !proven.wrong.iter().any(captures);
    Some(match (is_only_capture, is_first_thought) {
        (true, _) => 1,
        (false, true) => (1 + harder).min(2),
        (false, false) => 1 + harder,
    })
}

fn after(game: &Game, turn: &Turn) -> Option<Game> {
    let mut after = game.clone();
    after.play(game.to_move(), turn).ok()?;
    Some(after)
}

/// Whether a turn captures stones of the other side, or makes them its own.
fn captures(game: &Game, turn: &Turn) -> bool {
    let enemy = Cell::stone(!game.to_move());
    after(game, turn).is_some_and(|after| {
        let mut points = game.grid().points();
        points.any(|point| game.cell(point) == enemy && after.cell(point) != enemy)
    })
}

/// The contents of the points of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<Cell>);

impl Pattern {
    /// The patterns of a position under all symmetries of the board, with both assignments of
    /// colours.
    pub fn all_of(game: &Game) -> Vec<Pattern> {
        let grid = game.grid();
        let swapped = |cell: Cell| cell.color().map_or(cell, |color| Cell::stone(!color));
        let turned = |symmetry| {
            let cells = grid.points().map(|point| game.cell(grid.image(point, symmetry)));
            let cells: Vec<Cell> = cells.collect();
            [Pattern(cells.iter().copied().map(swapped).collect()), Pattern(cells)]
        };
        grid.symmetries(false).into_iter().flat_map(turned).collect()
    }

    /// Whether a problem with these patterns differs enough from this one.
    pub fn differs_from(&self, others: &[Pattern]) -> bool {
        others.iter().all(|other| {
            let differences = self.0.iter().zip(&other.0).filter(|(a, b)| a != b).count();
            self.0.len() != other.0.len() || differences >= MIN_DIFFERENCES
        })
    }
}
