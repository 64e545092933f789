//! The results of a search for the page, from Black's point of view.

use super::layers;
use super::reviewer::{DEVIATIONS, MIN_LOSS};
use super::view::{step_at, turn_of};
use crate::board::{Color, Point};
use crate::playing::analysis_report::{
    AnalysisReport, Client, MoveInfo, ReportOptions, RootInfo, Values, from_view_of,
};
use crate::rules::{Game, Illegal, Step, Turn, vertex};
use crate::search::{Choice, Outcome, SearchProgress, StepReport, TurnChoice};
use crate::sgf::NodeId;
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

    fn step(&self, game: &Game) -> Result<Step, Illegal> {
        match (self.kind, &self.at) {
            (Some(kind), Some(point)) => step_at(game, kind, point),
            _ if self.text == "end" => Ok(Step::END),
            _ => Ok(Step::PASS),
        }
    }
}

/// A step and the side that makes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColoredStep {
    color: &'static str,
    /// Whether it begins another turn than the first of a line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    starts: bool,
    #[serde(flatten)]
    pub step: StepView,
}

impl ColoredStep {
    fn new(game: &Game, step: Step) -> ColoredStep {
        ColoredStep { color: game.to_move().name(), starts: false, step: StepView::new(game, step) }
    }
}

pub type PageMove = MoveInfo<ColoredStep>;

pub type PageReport = AnalysisReport<ColoredStep>;

/// The findings of a search so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnalysisEvent {
    pub node: NodeId,
    #[serde(flatten)]
    pub report: PageReport,
}

/// Maximum number of moves of a report.
const MAX_MOVES: usize = 12;

/// Maximum number of steps of a principal variation after its first turn.
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

    /// The steps as far as they are legal, and at least the first turn.
    fn variation(&self, steps: &[Step]) -> Vec<(ColoredStep, usize)> {
        let mut game = self.0.clone();
        let first = game.turns().len();
        let mut turns = first;
        let encoded = (0..).zip(steps).map_while(|(number, &step)| {
            let mut encoded = ColoredStep::new(&game, step);
            let before = std::mem::replace(&mut turns, game.turns().len());
            encoded.starts = turns > before;
            let is_shown = number < MAX_PV || turns == first;
            let is_legal = is_shown && game.step(game.to_move(), step).is_ok();
            is_legal.then_some((encoded, number))
        });
        encoded.collect()
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

    /// Gives the pass that would end the game the value of the count after it. The position has that
    /// value, too, unless the side to move surely gains points if it plays on.
    pub fn offer_count(&self, report: &mut PageReport, count: &PageReport) {
        let values = count.root_info.values;
        let margin = |root: &RootInfo| NodeValue::from(root).for_color(self.0.to_move()).margin;
        let gain = margin(&report.root_info) - margin(&count.root_info);
        let ends = gain < MIN_LOSS.max(DEVIATIONS * report.root_info.deviation());
        let moves = &mut report.move_infos;
        if let Some(at) = moves.iter().position(|of| of.first.step.text == "pass") {
            let mut pass = moves.remove(at);
            pass.values = values;
            moves.insert(if ends { 0 } else { at }, pass);
        }
        if ends {
            report.root_info.values = values;
            report.ownership = count.ownership.clone();
        }
    }

    pub fn step(&self, step: &StepReport) -> Option<PageMove> {
        MoveInfo::new(self, &self.options(), step)
    }

    /// A choice of a whole turn; its line of play begins with all steps of the turn.
    pub fn turn(&self, TurnChoice { turn, choice }: &TurnChoice) -> Option<PageMove> {
        let steps = self.0.steps_to_end(turn);
        let step = StepReport::from(choice);
        let pv = if step.pv.starts_with(&steps) { step.pv } else { steps };
        self.step(&StepReport { step: *pv.first()?, pv, ..step })
    }

    /// The turn with which a line of play begins; `None` if the line ends within it.
    pub fn first_turn(&self, line: &[ColoredStep]) -> Option<Turn> {
        turn_of(self.0, line, |game, step| step.step.step(game))
    }

    /// The best turn of a report, if its line of play has the whole turn.
    pub fn best_turn(&self, report: &PageReport) -> Option<Turn> {
        self.first_turn(&report.move_infos.first()?.pv)
    }

    /// The value of the position by a choice; `None` without a search.
    pub fn value_of(&self, choice: &Choice) -> Option<NodeValue> {
        let outcome = Outcome { win: choice.win_rate, margin: choice.margin };
        let Outcome { win: win_rate, margin } = from_view_of(self, outcome);
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
