//! The report of a search to a client, under the names of KataGo: GTP writes its fields as words,
//! the analysis protocol and the page as JSON.

use crate::board::{Color, Point};
use crate::encoding::{DisplayBoard, Encoding};
use crate::rules::{Game, GameResult, Step};
use crate::search::{Outcome, PointOwnership, SearchProgress, SearchReport, StepReport};
use serde::Serialize;

/// The moves of a client, and its point of view.
pub trait Client {
    type Move;

    fn game(&self) -> &Game;

    /// `None` if the client has no move for the step.
    fn encode(&self, step: Step) -> Option<Self::Move>;

    /// A variation, each move with the index of its last step.
    fn variation(&self, steps: &[Step]) -> Vec<(Self::Move, usize)>;

    /// The side for which the search chooses.
    fn color(&self) -> Color {
        self.game().to_move()
    }

    /// The side whose values the client wants.
    fn viewer(&self) -> Color {
        self.color()
    }

    /// The value of an outcome for one side.
    fn value(&self, outcome: Outcome) -> Outcome {
        outcome
    }

    /// The board whose rows the ownership follows.
    fn display(&self) -> DisplayBoard {
        DisplayBoard::new(Encoding::Native, self.game().info(), *self.game().grid())
    }
}

/// The value for the viewer of an outcome for the side that moves.
pub fn from_view_of(client: &impl Client, outcome: Outcome) -> Outcome {
    let value = client.value(outcome);
    if client.viewer() == client.color() { value } else { value.for_opponent() }
}

/// Parts of a report besides moves and values, and its length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportOptions {
    pub ownership: bool,
    pub ownership_stdev: bool,
    pub moves_ownership: bool,
    pub moves_ownership_stdev: bool,
    pub pv_visits: bool,
    pub pv_edge_visits: bool,
    /// Minimum number of moves to report, unvisited ones included.
    pub min_moves: usize,
    pub max_moves: Option<usize>,
    /// Maximum number of moves in a principal variation.
    pub pv_length: Option<usize>,
}

impl ReportOptions {
    /// Whether the search counts ownership for each move.
    pub fn wants_move_ownership(&self) -> bool {
        self.moves_ownership || self.moves_ownership_stdev
    }

    fn of_root(&self) -> [bool; 2] {
        [self.ownership, self.ownership_stdev]
    }
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisReport<M> {
    /// The best move first.
    pub move_infos: Vec<MoveInfo<M>>,
    pub root_info: RootInfo,
    #[serde(flatten)]
    pub ownership: Ownership,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveInfo<M> {
    #[serde(rename = "move")]
    pub first: M,
    order: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_symmetry_of: Option<M>,
    pub visits: u32,
    edge_visits: u32,
    #[serde(flatten)]
    pub values: Values,
    pub prior: f32,
    lcb: f32,
    utility_lcb: f32,
    /// Principal variation, the move first.
    pub pv: Vec<M>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_visits: Option<Vec<u32>>,
    /// The same numbers: every visit of a position comes by the same moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_edge_visits: Option<Vec<u32>>,
    #[serde(flatten)]
    ownership: Ownership,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RootInfo {
    current_player: char,
    pub visits: u64,
    #[serde(flatten)]
    pub values: Values,
    /// Standard deviation of the win rate.
    raw_st_wr_error: f32,
    /// Standard deviation of the lead, in points.
    raw_st_score_error: f32,
}

/// The values of a position or of a move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Values {
    pub winrate: f32,
    pub score_lead: f32,
    score_mean: f32,
    score_selfplay: f32,
    pub score_stdev: f32,
    utility: f32,
}

/// Ownership of each vertex of the board shown, from the top left, -1 to 1; 0 where no point can be
/// owned.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ownership {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ownership_stdev: Option<Vec<f32>>,
}

impl RootInfo {
    /// The standard deviation of the mean lead, in points.
    pub fn deviation(&self) -> f32 {
        self.raw_st_score_error / (self.visits.max(1) as f32).sqrt()
    }
}

impl<M> AnalysisReport<M> {
    /// The report of a search, with its ownership, or of a choice.
    pub fn new(
        client: &impl Client<Move = M>,
        options: &ReportOptions,
        report: &SearchReport,
        progress: Option<&dyn SearchProgress>,
    ) -> AnalysisReport<M> {
        let owned = |after| {
            let owned = progress.map(|progress| match after {
                None => progress.ownership(),
                Some(step) => progress.ownership_after(step),
            });
            // A step may have no ownership yet.
            owned.filter(|owned| !owned.is_empty())
        };
        let moves = [options.moves_ownership, options.moves_ownership_stdev];
        let infos = shown_moves(client, options, report).enumerate().filter_map(|(order, step)| {
            let ownership = Ownership::new(client, moves, || owned(Some(step.step)));
            Some(MoveInfo { order, ownership, ..MoveInfo::new(client, options, step)? })
        });
        AnalysisReport {
            move_infos: infos.collect(),
            root_info: RootInfo {
                current_player: client.color().letter(),
                visits: report.visits,
                values: Values::new(client, report.win_rate, report.margin, report.stdev),
                raw_st_wr_error: report.win_stdev,
                raw_st_score_error: report.stdev,
            },
            ownership: Ownership::new(client, options.of_root(), || owned(None)),
        }
    }

    /// The report of a finished game.
    pub fn of_result(
        client: &impl Client<Move = M>,
        options: &ReportOptions,
        result: GameResult,
        owners: &[(Point, Color)],
    ) -> AnalysisReport<M> {
        let color = client.color();
        let Outcome { win: win_rate, margin } = Outcome::from(result).for_color(color);
        let report = SearchReport { win_rate, margin, ..SearchReport::default() };
        let owned = owners.iter().map(|&(point, owner)| {
            let mean = if owner == color { 1.0 } else { -1.0 };
            PointOwnership { point, mean, stdev: 0.0 }
        });
        AnalysisReport {
            ownership: Ownership::new(client, options.of_root(), || Some(owned.collect())),
            ..AnalysisReport::new(client, options, &report, None)
        }
    }
}

/// The visited steps that the client can express, and unvisited ones up to the minimum.
fn shown_moves<'r, C: Client>(
    client: &C,
    options: &ReportOptions,
    report: &'r SearchReport,
) -> impl Iterator<Item = &'r StepReport> {
    let expressible = |step: &&StepReport| client.encode(step.step).is_some();
    // The search has not checked superko yet.
    let is_legal =
        |step: &&StepReport| client.game().check_next_step(client.color(), step.step).is_ok();
    let mut steps: Vec<_> = report.steps.iter().filter(expressible).collect();
    if !report.steps.is_empty() {
        let missing = options.min_moves.max(1).saturating_sub(steps.len());
        let unvisited = report.unvisited.iter().filter(is_legal).filter(expressible);
        steps.extend(unvisited.take(missing));
    }
    steps.into_iter().take(options.max_moves.unwrap_or(usize::MAX))
}

impl<M> MoveInfo<M> {
    /// A step as the only move, without ownership; `None` if the client cannot express it.
    pub fn new(
        client: &impl Client<Move = M>,
        options: &ReportOptions,
        step: &StepReport,
    ) -> Option<MoveInfo<M>> {
        let mut variation = client.variation(step.variation());
        variation.truncate(options.pv_length.unwrap_or(usize::MAX));
        let (pv, last): (Vec<M>, Vec<usize>) = variation.into_iter().unzip();
        let visits = || {
            let visits = |at| step.pv_visits.get(at).copied().unwrap_or(0);
            (!step.pv_visits.is_empty()).then(|| last.iter().copied().map(visits).collect())
        };
        let lcb = from_view_of(client, Outcome { win: step.lcb, margin: 0.0 }).win;
        Some(MoveInfo {
            first: client.encode(step.step)?,
            order: 0,
            is_symmetry_of: step.image_of.and_then(|original| client.encode(original)),
            visits: step.visits,
            edge_visits: step.visits,
            values: Values::new(client, step.win_rate, step.margin, step.stdev),
            prior: step.prior,
            lcb,
            utility_lcb: utility(lcb),
            pv,
            pv_visits: options.pv_visits.then(visits).flatten(),
            pv_edge_visits: options.pv_edge_visits.then(visits).flatten(),
            ownership: Ownership::default(),
        })
    }
}

impl Values {
    fn new(client: &impl Client, win: f32, margin: f32, score_stdev: f32) -> Values {
        let Outcome { win, margin } = from_view_of(client, Outcome { win, margin });
        // Adding 0 turns −0 into 0.
        let lead = margin + 0.0;
        Values {
            winrate: win,
            score_lead: lead,
            score_mean: lead,
            score_selfplay: lead,
            score_stdev,
            utility: utility(win),
        }
    }
}

/// The utility of a win rate, −1 to 1.
fn utility(win_rate: f32) -> f32 {
    2.0 * win_rate - 1.0
}

impl Ownership {
    fn new(
        client: &impl Client,
        [mean, stdev]: [bool; 2],
        owned: impl FnOnce() -> Option<Vec<PointOwnership>>,
    ) -> Ownership {
        let Some(owned) = (mean || stdev).then(owned).flatten() else {
            return Ownership::default();
        };
        let sign = if client.viewer() == client.color() { 1.0 } else { -1.0 };
        let display = client.display();
        Ownership {
            ownership: mean.then(|| field(&display, &owned, |of| sign * of.mean)),
            ownership_stdev: stdev.then(|| field(&display, &owned, |of| of.stdev)),
        }
    }
}

/// A number for every vertex of the board shown.
fn field(
    display: &DisplayBoard,
    owned: &[PointOwnership],
    value: impl Fn(&PointOwnership) -> f32,
) -> Vec<f32> {
    let mut field = vec![0.0; usize::from(display.width()) * usize::from(display.height())];
    for point in owned {
        let number = display.number(display.vertex_of(point.point));
        if let Some(place) = number.and_then(|number| field.get_mut(number)) {
            let value = value(point);
            *place = if value.is_finite() { value.clamp(-1.0, 1.0) + 0.0 } else { 0.0 };
        }
    }
    field
}
