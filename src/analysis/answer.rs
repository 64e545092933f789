//! The JSON of answers.

use super::query::{Query, Warning};
use super::settings::{AnalysisSettings, Perspective};
use crate::encoding::{DisplayBoard, Encoding};
use crate::json;
use crate::playing::report::{Values, field, utility};
use crate::rules::{Game, Setup, State, Step, StepKind, Turn, VARIANTS, VariantInfo};
use crate::search::neural::{NetBoardKind, embedded_net};
use crate::search::{Outcome, PointOwnership, SearchProgress, SearchReport, StepReport};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer<'a> {
    id: &'a str,
    turn_number: usize,
    is_during_search: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    no_results: bool,
    #[serde(flatten)]
    results: Option<Results>,
}

/// A warning about a query.
#[derive(Serialize)]
pub struct Warned<'a> {
    pub id: &'a str,
    #[serde(flatten)]
    pub warning: &'a Warning,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Results {
    move_infos: Vec<MoveInfo>,
    root_info: RootInfo,
    #[serde(flatten)]
    ownership: Ownership,
    #[serde(flatten)]
    policy: Option<Policy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<State>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveInfo {
    #[serde(rename = "move")]
    turn: String,
    order: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_symmetry_of: Option<String>,
    visits: u32,
    edge_visits: u32,
    #[serde(flatten)]
    values: Values,
    prior: f32,
    lcb: f32,
    utility_lcb: f32,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_visits: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv_edge_visits: Option<Vec<u32>>,
    #[serde(flatten)]
    ownership: Ownership,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo {
    current_player: char,
    visits: u64,
    #[serde(flatten)]
    values: Values,
    /// Standard deviation of the win rate.
    raw_st_wr_error: f32,
    /// Standard deviation of the lead, in points.
    raw_st_score_error: f32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ownership {
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership: Option<Vec<f32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ownership_stdev: Option<Vec<f32>>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Policy {
    /// Of stones, by row from the top, and of the pass; -1 where illegal.
    policy: Vec<f32>,
    /// Of other turns with a prior.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    policy_turns: BTreeMap<String, f32>,
}

impl Policy {
    pub fn new(game: &Game, priors: &[(Step, f32)]) -> Policy {
        let (grid, color) = (game.grid(), game.to_move());
        let is_legal = |step| game.check_next_step(color, step).is_ok();
        let of = |step: Step| {
            let prior = priors.iter().find(|(other, _)| *other == step);
            let prior = prior.map_or(0.0, |(_, prior)| *prior);
            if is_legal(step) { prior } else { -1.0 }
        };
        let rows = (0..grid.height()).rev();
        let places = rows.flat_map(|row| (0..grid.width()).map(move |column| (column, row)));
        let stones = places.map(|(column, row)| {
            grid.point(column, row).map_or(-1.0, |point| of(Step::stone(point)))
        });
        let others = priors.iter().filter(|(step, prior)| {
            let is_other = step.point().is_some() && step.kind() != StepKind::STONE;
            is_other && *prior > 0.0 && is_legal(*step)
        });
        Policy {
            policy: stones.chain([of(Step::PASS)]).collect(),
            policy_turns: others.map(|&(step, prior)| (written(game, step), prior)).collect(),
        }
    }

    fn from_report(game: &Game, report: &SearchReport) -> Policy {
        let steps = report.steps.iter().chain(&report.unvisited);
        let priors: Vec<_> = steps.map(|step| (step.step, step.prior)).collect();
        Policy::new(game, &priors)
    }
}

/// The turn of one step.
fn written(game: &Game, step: Step) -> String {
    let turn = match step.point() {
        Some(point) => Turn::new(step.kind(), [point]),
        None => Turn::pass(),
    };
    game.write(&turn)
}

/// A variation as written turns, each with the number of steps up to its end; the last may be
/// unfinished.
fn written_turns(game: &Game, steps: &[Step]) -> Vec<(String, usize)> {
    if game.info().has_single_steps_only() {
        let steps = steps.iter().zip(1..);
        return steps.map(|(&step, count)| (written(game, step), count)).collect();
    }
    let mut game = game.clone();
    let mut line = Vec::new();
    let mut count = 0;
    for &step in steps {
        count += 1;
        if step == Step::END && !game.is_mid_turn() {
            continue; // The turn has ended without it.
        }
        let before = game.turns().len();
        if game.step(game.to_move(), step).is_err() {
            break;
        }
        if let Some((_, turn)) = game.turns().get(before) {
            line.push((game.write(turn), count));
        }
    }
    if let Some(turn) = game.unfinished_turn() {
        line.push((game.write(turn), count));
    }
    line
}

pub struct Position<'a> {
    pub query: &'a Query,
    /// Number of moves before the position.
    pub turn: usize,
    pub game: &'a Game,
    /// The policy, if asked for and known before the search.
    pub policy: Option<&'a Policy>,
}

impl Position<'_> {
    /// The outcome of the side to move from the point of view of the answer.
    fn seen(&self, outcome: Outcome) -> Outcome {
        match self.query.perspective {
            Perspective::Color(color) if color != self.game.to_move() => outcome.for_opponent(),
            Perspective::Color(_) | Perspective::SideToMove => outcome,
        }
    }

    fn line(&self, is_during_search: bool, results: Results) -> String {
        json::text(&Answer {
            id: &self.query.given.id,
            turn_number: self.turn,
            is_during_search,
            no_results: false,
            results: Some(results),
        })
    }

    /// The answer from a search; `None` without visits.
    pub fn answer(&self, progress: &dyn SearchProgress, is_during_search: bool) -> Option<String> {
        let report = progress.report();
        if report.visits == 0 {
            return None;
        }
        let given = &self.query.given;
        let owned = if given.include_ownership || given.include_ownership_stdev {
            progress.ownership()
        } else {
            Vec::new()
        };
        let infos = report.steps.iter().enumerate();
        let infos = infos.map(|(order, step)| self.move_info(order, step, progress)).collect();
        let policy = self.query.given.include_policy.then(|| {
            let known = self.policy.cloned();
            known.unwrap_or_else(|| Policy::from_report(self.game, &report))
        });
        let root = RootInfo {
            current_player: self.game.to_move().letter(),
            visits: report.visits,
            values: self.values(report.win_rate, report.margin, report.stdev),
            raw_st_wr_error: report.win_stdev,
            raw_st_score_error: report.stdev,
        };
        Some(self.line(is_during_search, self.results(infos, root, &owned, policy)))
    }

    fn results(
        &self,
        move_infos: Vec<MoveInfo>,
        root_info: RootInfo,
        owned: &[PointOwnership],
        policy: Option<Policy>,
    ) -> Results {
        let given = &self.query.given;
        Results {
            move_infos,
            root_info,
            ownership: self.ownership(
                given.include_ownership,
                given.include_ownership_stdev,
                owned,
            ),
            policy,
            state: self.query.given.include_state.then(|| self.game.state()),
        }
    }

    /// The answer of a finished game, without a search.
    pub fn answer_at_end(&self) -> String {
        let mover = self.game.to_move();
        let outcome = Outcome::from(self.game.score()).for_color(mover);
        let owned = |(point, owner)| {
            let mean = if owner == mover { 1.0 } else { -1.0 };
            PointOwnership { point, mean, stdev: 0.0 }
        };
        let owned: Vec<_> = self.game.owners_without(&[]).into_iter().map(owned).collect();
        let root = RootInfo {
            current_player: mover.letter(),
            visits: 0,
            values: self.values(outcome.win, outcome.margin, 0.0),
            raw_st_wr_error: 0.0,
            raw_st_score_error: 0.0,
        };
        let policy = self.query.given.include_policy.then(|| Policy::new(self.game, &[]));
        self.line(false, self.results(Vec::new(), root, &owned, policy))
    }

    fn move_info(
        &self,
        order: usize,
        step: &StepReport,
        progress: &dyn SearchProgress,
    ) -> MoveInfo {
        let given = &self.query.given;
        let owned = if self.query.wants_move_ownership() {
            progress.ownership_after(step.step)
        } else {
            Vec::new()
        };
        let is_owned = !owned.is_empty();
        let mut line = written_turns(self.game, step.variation());
        line.truncate(self.query.pv_length);
        let visits = |(_, count): &(String, usize)| {
            let of_step = count.checked_sub(1).and_then(|at| step.pv_visits.get(at));
            of_step.copied().unwrap_or(0)
        };
        let pv_visits =
            given.include_pv_visits.then(|| line.iter().map(visits).collect::<Vec<_>>());
        let lcb = self.seen(Outcome { win: step.lcb, margin: 0.0 }).win;
        MoveInfo {
            turn: written(self.game, step.step),
            order,
            is_symmetry_of: step.image_of.map(|original| written(self.game, original)),
            visits: step.visits,
            edge_visits: step.visits,
            values: self.values(step.win_rate, step.margin, step.stdev),
            prior: step.prior,
            lcb,
            utility_lcb: utility(lcb),
            pv: line.into_iter().map(|(turn, _)| turn).collect(),
            pv_edge_visits: pv_visits.clone(),
            pv_visits,
            ownership: self.ownership(
                given.include_moves_ownership && is_owned,
                given.include_moves_ownership_stdev && is_owned,
                &owned,
            ),
        }
    }

    fn values(&self, win: f32, margin: f32, stdev: f32) -> Values {
        Values::new(self.seen(Outcome { win, margin }), stdev)
    }

    /// By row of the flat form from the top, as far as requested.
    fn ownership(&self, mean: bool, stdev: bool, owned: &[PointOwnership]) -> Ownership {
        let owner = |mean| self.seen(Outcome { win: 0.0, margin: mean }).margin + 0.0;
        let shown = DisplayBoard::new(Encoding::Native, self.game.info(), *self.game.grid());
        let means = || field(&shown, owned, |point| point.mean).into_iter();
        Ownership {
            ownership: mean.then(|| means().map(owner).collect()),
            ownership_stdev: stdev.then(|| field(&shown, owned, |point| point.stdev)),
        }
    }
}

/// The answer to a query that ended without a result.
pub fn without_results(id: &str, turn: usize) -> String {
    json::text(&Answer {
        id,
        turn_number: turn,
        is_during_search: false,
        no_results: true,
        results: None,
    })
}

/// A net, for `query_models`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Model {
    name: String,
    internal_name: String,
    variant: &'static str,
    max_batch_size: u32,
    #[serde(rename = "usesHumanSLProfile")]
    uses_human_sl_profile: bool,
    #[serde(rename = "usingFP16")]
    using_fp16: &'static str,
    version: u32,
}

impl Model {
    fn new(name: String, variant: &'static str) -> Model {
        Model {
            internal_name: name.clone(),
            name,
            variant,
            max_batch_size: 1,
            uses_human_sl_profile: false,
            using_fp16: "false",
            version: 1,
        }
    }
}

/// The given net, or each variant's net on its usual board.
pub fn models(settings: &AnalysisSettings) -> Vec<Model> {
    if let Some((info, _)) = &settings.search.net {
        return vec![Model::new("given".to_owned(), info.id)];
    }
    let has_net = |info: &&'static VariantInfo| {
        let setup = Setup::new(info);
        let game = Game::new(&setup).ok();
        game.is_some_and(|game| {
            let kind = NetBoardKind::new(game.grid(), |point| game.cell(point));
            settings.search.search_params.use_net && embedded_net(info, kind).is_some()
        })
    };
    let infos = VARIANTS.iter().copied().filter(has_net);
    infos.map(|info| Model::new(format!("kawari-{}", info.id), info.id)).collect()
}
