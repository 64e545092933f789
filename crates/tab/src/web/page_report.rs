//! The results of a search for the page, from Black's point of view.

use super::layers;
use super::tree::NodeNumber;
use crate::board::{Color, Point};
use crate::playing::analysis_report::{
    AnalysisReport, Client, MoveInfo, ReportOptions, RootInfo, Values, seen,
};
use crate::rules::{Game, Step, Turn, vertex};
use crate::search::{Choice, Outcome, SearchProgress, StepReport};
use serde::Serialize;

/// The value of a position by a search, for Black.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NodeValue {
    /// Win rate, 0 to 1.
    #[serde(rename = "winrate")]
    pub win_rate: f32,
    /// In points.
    #[serde(rename = "scoreLead")]
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
    pub fn new(game: &Game, step: Step) -> StepView {
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

/// A step and the side that makes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColoredStep {
    color: &'static str,
    #[serde(flatten)]
    pub step: StepView,
}

impl ColoredStep {
    fn new(game: &Game, step: Step) -> ColoredStep {
        ColoredStep { color: game.to_move().name(), step: StepView::new(game, step) }
    }
}

pub type PageMove = MoveInfo<ColoredStep>;

pub type PageReport = AnalysisReport<ColoredStep>;

/// The findings of a search so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisEvent {
    pub node: NodeNumber,
    #[serde(flatten)]
    pub report: PageReport,
}

/// Maximum number of moves of a report.
const MAX_MOVES: usize = 12;

/// Maximum number of steps of a principal variation.
const MAX_PV: usize = 16;

/// Percent of win rate that count as a point in a game without points.
const PERCENT_A_POINT: f32 = 5.0;

/// The page, at the position of a game.
pub struct PageClient<'g>(pub &'g Game);

impl Client for PageClient<'_> {
    type Move = ColoredStep;

    fn game(&self) -> &Game {
        self.0
    }

    fn encode(&self, step: Step) -> Option<ColoredStep> {
        Some(ColoredStep::new(self.0, step))
    }

    /// The steps as far as they are legal.
    fn variation(&self, steps: &[Step]) -> Vec<(ColoredStep, usize)> {
        let mut game = self.0.clone();
        let encoded = steps.iter().take(MAX_PV).map_while(|&step| {
            let encoded = ColoredStep::new(&game, step);
            game.step(game.to_move(), step).ok().map(|()| encoded)
        });
        encoded.zip(0..).collect()
    }

    fn viewer(&self) -> Color {
        Color::Black
    }

    /// In a game that is not counted the margin is the lead in win rate, so that turns have losses
    /// there, too.
    fn value(&self, Outcome { win, margin }: Outcome) -> Outcome {
        let is_counted = self.0.info().is_counted();
        let lead = if is_counted { margin } else { (100.0 * win - 50.0) / PERCENT_A_POINT };
        let margin = if lead.is_finite() { lead } else { 0.0 };
        Outcome { win: win.clamp(0.0, 1.0), margin }
    }
}

impl PageClient<'_> {
    fn options(&self) -> ReportOptions {
        ReportOptions {
            ownership: self.0.info().is_counted(),
            max_moves: Some(MAX_MOVES),
            ..ReportOptions::default()
        }
    }

    /// `None` before the search has visited a move.
    pub fn report(&self, progress: &dyn SearchProgress) -> Option<PageReport> {
        let mut report = progress.report();
        // The images of a move have its numbers, so they fill what other moves leave.
        report.steps.sort_by_key(|step| step.image_of.is_some());
        let written = || AnalysisReport::new(self, &self.options(), &report, Some(progress));
        (!report.steps.is_empty()).then(written)
    }

    /// The count of a game, without dead stones unless the rules ended it.
    pub fn count(&self, dead: &[Point]) -> PageReport {
        let game = self.0;
        let result = match game.is_final() {
            true => game.score(),
            false => game.score_without(dead, game.rules().scoring),
        };
        AnalysisReport::of_result(self, &self.options(), result, &game.owners_without(dead))
    }

    pub fn step(&self, step: &StepReport) -> Option<PageMove> {
        MoveInfo::new(self, &self.options(), step)
    }

    /// The value of the position by a choice; `None` without a search.
    pub fn value_of(&self, choice: &Choice) -> Option<NodeValue> {
        let outcome = Outcome { win: choice.win_rate, margin: choice.margin };
        let Outcome { win: win_rate, margin } = seen(self, outcome);
        let value = NodeValue { win_rate, margin, visits: choice.root_visits };
        (choice.playouts > 0).then_some(value)
    }
}

impl NodeValue {
    /// Black's value for `color`, or a value of `color` for Black.
    pub fn for_color(self, color: Color) -> NodeValue {
        let value = Outcome { win: self.win_rate, margin: self.margin }.for_color(color);
        NodeValue { win_rate: value.win, margin: value.margin, ..self }
    }
}

impl From<&RootInfo> for NodeValue {
    fn from(root: &RootInfo) -> NodeValue {
        let Values { winrate, score_lead, .. } = root.values;
        NodeValue { win_rate: winrate, margin: score_lead, visits: root.visits }
    }
}
