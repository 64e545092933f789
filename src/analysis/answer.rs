//! The JSON of answers.

use super::query::Query;
use super::settings::{AnalysisSettings, Perspective};
use crate::board::Color;
use crate::encoding::{DisplayBoard, Encoding};
use crate::json;
use crate::playing::report::{field, finite, share};
use crate::rules::{AnyGame, Setup, State, Step, StepKind, Turn, VARIANTS, VariantInfo};
use crate::search::neural::{Ground, embedded_net};
use crate::search::{Outcome, PointOwnership, SearchProgress, SearchReport, StepReport};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
struct Side {
    is_other: bool,
}

impl Side {
    /// Converts values of `mover`.
    fn new(perspective: Perspective, mover: Color) -> Side {
        let sides = [Perspective::SideToMove, Perspective::Color(mover)];
        Side { is_other: !sides.contains(&perspective) }
    }

    fn chance(self, chance: f32) -> f32 {
        if self.is_other { 1.0 - chance } else { chance }
    }

    fn signed(self, value: f32) -> f32 {
        // Adding 0 turns −0 into 0.
        if self.is_other { 0.0 - value } else { value + 0.0 }
    }
}

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
struct ValueFields {
    winrate: f32,
    score_lead: f32,
    score_mean: f32,
    score_selfplay: f32,
    score_stdev: f32,
    utility: f32,
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
    values: ValueFields,
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
    values: ValueFields,
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
    pub fn new(game: &AnyGame, priors: &[(Step, f32)]) -> Policy {
        let (grid, color) = (game.grid(), game.to_move());
        let is_legal = |step| game.check_next_step(color, step).is_ok();
        let of = |step: Step| {
            let prior = priors.iter().find(|(other, _)| *other == step);
            let prior = prior.map_or(0.0, |(_, prior)| share(*prior));
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
            policy_turns: others
                .map(|&(step, prior)| (written(game, step), share(prior)))
                .collect(),
        }
    }

    fn from_report(game: &AnyGame, report: &SearchReport) -> Policy {
        let steps = report.steps.iter().chain(&report.unvisited);
        let priors: Vec<_> = steps.map(|step| (step.step, step.prior)).collect();
        Policy::new(game, &priors)
    }
}

/// The turn of one step.
fn written(game: &AnyGame, step: Step) -> String {
    let turn = match step.point() {
        Some(point) => Turn::new(step.kind(), [point]),
        None => Turn::pass(),
    };
    game.write(&turn)
}

/// A variation as written turns, each with the number of steps up to its end; the last may be
/// unfinished.
fn written_turns(game: &AnyGame, steps: &[Step]) -> Vec<(String, usize)> {
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
    if let Some(turn) = game.turn_under_way() {
        line.push((game.write(turn), count));
    }
    line
}

pub struct Position<'a> {
    pub query: &'a Query,
    /// Number of moves before the position.
    pub turn: usize,
    pub game: &'a AnyGame,
    /// The policy, if asked for and known before the search.
    pub policy: Option<&'a Policy>,
}

impl Position<'_> {
    fn side(&self) -> Side {
        Side::new(self.query.perspective, self.game.to_move())
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
            raw_st_wr_error: finite(report.win_stdev),
            raw_st_score_error: finite(report.stdev),
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
        let (given, side) = (&self.query.given, self.side());
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
        let lcb = share(step.lcb);
        MoveInfo {
            turn: written(self.game, step.step),
            order,
            is_symmetry_of: step.image_of.map(|original| written(self.game, original)),
            visits: step.visits,
            edge_visits: step.visits,
            values: self.values(step.win_rate, step.margin, step.stdev),
            prior: share(step.prior),
            lcb: side.chance(lcb),
            utility_lcb: side.signed(2.0 * lcb - 1.0),
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

    fn values(&self, win_rate: f32, margin: f32, stdev: f32) -> ValueFields {
        let side = self.side();
        let chance = share(win_rate);
        let lead = side.signed(finite(margin));
        ValueFields {
            winrate: side.chance(chance),
            score_lead: lead,
            score_mean: lead,
            score_selfplay: lead,
            score_stdev: finite(stdev),
            utility: side.signed(2.0 * chance - 1.0),
        }
    }

    /// By row of the flat form from the top, as far as requested.
    fn ownership(&self, mean: bool, stdev: bool, owned: &[PointOwnership]) -> Ownership {
        let side = self.side();
        let shown = DisplayBoard::new(Encoding::Native, self.game.info(), *self.game.grid());
        let means = || field(&shown, owned, |point| point.mean).into_iter();
        Ownership {
            ownership: mean.then(|| means().map(|mean| side.signed(mean)).collect()),
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

/// For `query_models`: each variant's net on its usual board.
pub fn models(settings: &AnalysisSettings) -> Value {
    let model = |name: &str, variant: &str| {
        json!({
            "name": name,
            "internalName": name,
            "variant": variant,
            "maxBatchSize": 1,
            "usesHumanSLProfile": false,
            "usingFP16": "false",
            "version": 1,
        })
    };
    if let Some((info, _)) = &settings.search.net {
        return json!([model("given", info.id)]);
    }
    let has_net = |info: &&'static VariantInfo| {
        let setup = Setup::new(info);
        let game = AnyGame::new(&setup).ok();
        game.is_some_and(|game| {
            let ground = Ground::new(game.grid(), |point| game.cell(point));
            embedded_net(info, ground).is_some()
        })
    };
    let known = VARIANTS.iter().copied().filter(has_net);
    let models = known.map(|info| model(&format!("kawari-{}", info.id), info.id));
    let is_used = settings.search.search_params.use_net;
    Value::Array(models.filter(|_| is_used).collect())
}
