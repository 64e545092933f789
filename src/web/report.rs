//! The results of a search for the page, from Black's point of view.

use super::event::{AnalysisEvent, ColoredStep, NodeValue, ReportedMove};
use super::tree::NodeNumber;
use super::view::step_view;
use crate::board::{Color, Grid, Point};
use crate::rules::{AnyGame, GameResult, Step};
use crate::search::{Outcome, PointOwnership, SearchProgress, SearchReport, StepReport};

/// Maximum number of moves of a report.
const MAX_MOVES: usize = 12;

/// Maximum number of steps of a principal variation.
const MAX_PV: usize = 16;

/// A number of `color`, such as a margin, from Black's point of view.
pub fn black(value: f32, color: Color) -> f32 {
    let value = if value.is_finite() { value } else { 0.0 };
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}

/// A win rate of `color` as Black's.
pub fn black_share(share: f32, color: Color) -> f32 {
    let share = share.clamp(0.0, 1.0);
    match color {
        Color::Black => share,
        Color::White => 1.0 - share,
    }
}

/// Percent of win rate that stand for a point in a game without points.
const PERCENT_A_POINT: f32 = 5.0;

/// The values of the side to move as Black's win rate and lead.
pub fn black_values(game: &AnyGame, win_rate: f32, margin: f32) -> (f32, f32) {
    let color = game.to_move();
    (black_share(win_rate, color), black(lead(game, win_rate, margin), color))
}

/// The margin of a side: in a game that is not counted, its lead in win rate, so that turns
/// have losses there, too.
pub fn lead(game: &AnyGame, win_rate: f32, margin: f32) -> f32 {
    if game.info().is_counted() { margin } else { (100.0 * win_rate - 50.0) / PERCENT_A_POINT }
}

/// A search in progress; `None` before it has visited a move.
pub fn analysis(
    node: NodeNumber,
    game: &AnyGame,
    progress: &dyn SearchProgress,
) -> Option<AnalysisEvent> {
    let report = progress.report();
    if report.steps.is_empty() {
        return None;
    }
    let lead = |step: &StepReport| lead(game, step.win_rate, step.margin);
    let best = report.steps.first().map_or(0.0, lead);
    let moves = report
        .steps
        .iter()
        .take(MAX_MOVES)
        .map(|step| ReportedMove { loss: lost(best, lead(step)), ..reported_move(game, step) });
    let (win_rate, margin) = black_values(game, report.win_rate, report.margin);
    Some(AnalysisEvent {
        node,
        visits: report.visits,
        win_rate,
        margin,
        moves: moves.collect(),
        ownership: ownership(game, &progress.ownership()),
        policy: policy(game, &report),
    })
}

/// The loss of a margin against the best, in points.
fn lost(best: f32, margin: f32) -> f32 {
    let loss = best - margin;
    if loss.is_finite() { loss.max(0.0) } else { 0.0 }
}

/// A step that a search has visited; its loss is 0.
pub fn reported_move(game: &AnyGame, step: &StepReport) -> ReportedMove {
    let (win_rate, margin) = black_values(game, step.win_rate, step.margin);
    ReportedMove {
        step: step_view(game, step.step),
        visits: step.visits,
        win_rate,
        margin,
        loss: 0.0,
        prior: step.prior.clamp(0.0, 1.0),
        pv: variation(game, step.variation()),
    }
}

/// Steps with the sides that make them, as far as they are legal.
fn variation(game: &AnyGame, line: &[Step]) -> Vec<ColoredStep> {
    let mut game = game.clone();
    let mut events = Vec::new();
    for &step in line.iter().take(MAX_PV) {
        let color = game.to_move();
        let view = step_view(&game, step);
        if game.step(color, step).is_err() {
            break;
        }
        events.push(ColoredStep { color: color.name(), step: view });
    }
    events
}

/// Ownership of each cell of the flat form from the top left, in percent, Black's positive.
fn ownership(game: &AnyGame, owned: &[PointOwnership]) -> Vec<i8> {
    let (grid, color) = (game.grid(), game.to_move());
    if !game.info().is_counted() {
        return Vec::new();
    }
    let mut cells = vec![0; cells_of(grid)];
    for of in owned {
        if let Some(cell) = cells.get_mut(cell_number(grid, of.point)) {
            *cell = (100.0 * black(of.mean, color)).round().clamp(-100.0, 100.0) as i8;
        }
    }
    cells
}

/// The owners of a counted board as ownership.
pub fn owner_cells(grid: &Grid, owners: &[(Point, Color)]) -> Vec<i8> {
    let mut cells = vec![0; cells_of(grid)];
    for &(point, owner) in owners {
        if let Some(cell) = cells.get_mut(cell_number(grid, point)) {
            *cell = if owner == Color::Black { 100 } else { -100 };
        }
    }
    cells
}

/// The priors of the steps, the highest on each cell.
fn policy(game: &AnyGame, report: &SearchReport) -> Vec<u16> {
    let grid = game.grid();
    let mut cells = vec![0; cells_of(grid)];
    for of in report.steps.iter().chain(&report.unvisited) {
        let number = of.step.point().map(|point| cell_number(grid, point));
        if let Some(cell) = number.and_then(|number| cells.get_mut(number)) {
            *cell = (1000.0 * of.prior).round().clamp(f32::from(*cell), 1000.0) as u16;
        }
    }
    cells
}

fn cells_of(grid: &Grid) -> usize {
    usize::from(grid.width()) * usize::from(grid.height())
}

/// The number of a point's cell in the flat form, counted from the top left.
pub fn cell_number(grid: &Grid, point: Point) -> usize {
    let (column, row) = grid.coordinates(point);
    let line = usize::from(grid.height()).saturating_sub(1 + usize::from(row));
    line * usize::from(grid.width()) + usize::from(column)
}

/// The value of a counted board.
pub fn counted(result: GameResult) -> NodeValue {
    let Outcome { win: win_rate, margin } = result.into();
    let margin = match result {
        GameResult::Win(_) => (100.0 * win_rate - 50.0) / PERCENT_A_POINT,
        _ => margin,
    };
    NodeValue { win_rate, margin, visits: 0 }
}
