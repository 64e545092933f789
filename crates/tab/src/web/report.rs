//! The results of a search for the page, from Black's point of view.

use super::layers;
use super::tree::NodeNumber;
use crate::board::{Color, Grid, Point};
use crate::rules::{AnyGame, GameResult, Step, Turn, vertex};
use crate::search::{Outcome, SearchProgress, StepReport};
use serde::Serialize;

/// The value of a position by a search, for Black.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NodeValue {
    /// Win rate, 0 to 1.
    pub win_rate: f32,
    /// In points.
    pub margin: f32,
    /// 0 if the value comes from a record.
    pub visits: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StepView {
    /// `None` for a pass or an end.
    pub kind: Option<u8>,
    /// `None` for a pass or an end.
    pub at: Option<String>,
    /// In words.
    pub text: String,
}

impl StepView {
    pub fn new(game: &AnyGame, step: Step) -> StepView {
        let kind = game.info().kind(step.kind());
        let text = match (kind, step.point()) {
            (Some(_), Some(point)) => layers::turn_name(game, &Turn::new(step.kind(), [point])),
            _ if step == Step::END => "end".to_owned(),
            _ => "pass".to_owned(),
        };
        StepView {
            kind: kind.map(|_| step.kind().index() as u8),
            at: step.point().map(|point| vertex(game.grid(), point)),
            text,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportedMove {
    #[serde(flatten)]
    pub step: StepView,
    #[serde(flatten)]
    pub value: NodeValue,
    /// Points that the move loses against the best one; never negative.
    pub loss: f32,
    /// Share of the policy prior, 0 to 1.
    pub prior: f32,
    /// Principal variation, the move first.
    pub pv: Vec<ColoredStep>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColoredStep {
    pub color: &'static str,
    #[serde(flatten)]
    pub step: StepView,
}

/// The findings of a search so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisEvent {
    pub node: NodeNumber,
    #[serde(flatten)]
    pub value: NodeValue,
    /// The best move first.
    pub moves: Vec<ReportedMove>,
    /// Ownership of each cell of the flat form from the top left, −100 to 100.
    pub ownership: Vec<i8>,
}

/// Maximum number of moves of a report.
const MAX_MOVES: usize = 12;

/// Maximum number of steps of a principal variation.
const MAX_PV: usize = 16;

impl NodeValue {
    /// Black's value for `color`, or a value of `color` for Black.
    pub fn for_color(self, color: Color) -> NodeValue {
        let value = Outcome { win: self.win_rate, margin: self.margin }.for_color(color);
        NodeValue { win_rate: value.win, margin: value.margin, ..self }
    }
}

/// Percent of win rate that count as a point in a game without points.
const PERCENT_A_POINT: f32 = 5.0;

/// A value for the side to move, as Black's.
pub fn black_value(game: &AnyGame, win_rate: f32, margin: f32, visits: u64) -> NodeValue {
    let lead = lead(game, win_rate, margin);
    let margin = if lead.is_finite() { lead } else { 0.0 };
    let value = NodeValue { win_rate: win_rate.clamp(0.0, 1.0), margin, visits };
    value.for_color(game.to_move())
}

/// The margin of a side. In a game that is not counted it is the lead in win rate, so that turns
/// have losses there, too.
fn lead(game: &AnyGame, win_rate: f32, margin: f32) -> f32 {
    if game.info().is_counted() { margin } else { lead_in_win_rate(win_rate) }
}

fn lead_in_win_rate(win_rate: f32) -> f32 {
    (100.0 * win_rate - 50.0) / PERCENT_A_POINT
}

/// `None` before the search has visited a move.
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
    // The images of a move have its numbers, so they fill what other moves leave.
    let (made, images): (Vec<_>, Vec<_>) =
        report.steps.iter().partition(|step| step.image_of.is_none());
    let moves = made
        .into_iter()
        .chain(images)
        .take(MAX_MOVES)
        .map(|step| ReportedMove { loss: lost(best, lead(step)), ..reported_move(game, step) });
    Some(AnalysisEvent {
        node,
        value: black_value(game, report.win_rate, report.margin, report.visits),
        moves: moves.collect(),
        ownership: ownership(game, progress),
    })
}

fn lost(best: f32, margin: f32) -> f32 {
    let loss = best - margin;
    if loss.is_finite() { loss.max(0.0) } else { 0.0 }
}

/// A step that a search has visited; its loss is 0.
pub fn reported_move(game: &AnyGame, step: &StepReport) -> ReportedMove {
    ReportedMove {
        step: StepView::new(game, step.step),
        value: black_value(game, step.win_rate, step.margin, step.visits.into()),
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
        let view = StepView::new(&game, step);
        if game.step(color, step).is_err() {
            break;
        }
        events.push(ColoredStep { color: color.name(), step: view });
    }
    events
}

/// Ownership of each cell in percent, Black's positive.
fn ownership(game: &AnyGame, progress: &dyn SearchProgress) -> Vec<i8> {
    if !game.info().is_counted() {
        return Vec::new();
    }
    let sign = if game.to_move() == Color::Black { 100.0 } else { -100.0 };
    let percent = |mean: f32| (sign * mean).round().clamp(-100.0, 100.0) as i8;
    let owned = progress.ownership().into_iter().map(|of| (of.point, percent(of.mean)));
    cells(game.grid(), owned)
}

/// Owners as ownership in percent.
pub fn owner_cells(grid: &Grid, owners: &[(Point, Color)]) -> Vec<i8> {
    let percent = |owner| if owner == Color::Black { 100 } else { -100 };
    cells(grid, owners.iter().map(|&(point, owner)| (point, percent(owner))))
}

/// Values of points, for each cell of the flat form from the top left.
fn cells(grid: &Grid, values: impl IntoIterator<Item = (Point, i8)>) -> Vec<i8> {
    let mut cells = vec![0; usize::from(grid.width()) * usize::from(grid.height())];
    for (point, value) in values {
        if let Some(cell) = cells.get_mut(cell_number(grid, point)) {
            *cell = value;
        }
    }
    cells
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
        GameResult::Win(_) => lead_in_win_rate(win_rate),
        _ => margin,
    };
    NodeValue { win_rate, margin, visits: 0 }
}
