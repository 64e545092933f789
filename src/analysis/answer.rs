//! The JSON of answers.

use super::query::{Query, Warning};
use super::settings::{AnalysisSettings, Perspective};
use crate::board::Color;
use crate::json;
use crate::playing::analysis_report::{AnalysisReport, Client};
use crate::rules::{Game, Setup, State, Step, StepKind, Turn, VARIANTS, VariantInfo};
use crate::search::neural::{NetBoardKind, embedded_net};
use crate::search::{SearchProgress, SearchReport};
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
struct Results {
    #[serde(flatten)]
    report: AnalysisReport<String>,
    #[serde(flatten)]
    policy: Option<Policy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<State>,
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

/// A step as the begin of a turn.
fn written(game: &Game, step: Step) -> String {
    let turn = match step.point() {
        Some(point) => Turn::new(step.kind(), [point]),
        None => Turn::pass(),
    };
    game.write_steps(&turn)
}

/// A variation as written turns, each with the index of its last step; the last turn may be
/// unfinished.
fn written_turns(game: &Game, steps: &[Step]) -> Vec<(String, usize)> {
    if game.info().has_single_steps_only() {
        let steps = steps.iter().zip(0..);
        return steps.map(|(&step, at)| (written(game, step), at)).collect();
    }
    let mut game = game.clone();
    let mut line = Vec::new();
    let mut last = 0;
    for (at, &step) in steps.iter().enumerate() {
        last = at;
        if step == Step::END && !game.is_mid_turn() {
            continue; // The turn has ended without it.
        }
        let before = game.turns().len();
        if game.step(game.to_move(), step).is_err() {
            break;
        }
        if let Some((_, turn)) = game.turns().get(before) {
            line.push((game.write(turn), last));
        }
    }
    if let Some(turn) = game.unfinished_turn() {
        line.push((game.write_steps(turn), last));
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

impl Client for Position<'_> {
    type Move = String;

    fn game(&self) -> &Game {
        self.game
    }

    fn encode(&self, step: Step) -> Option<String> {
        Some(written(self.game, step))
    }

    fn variation(&self, steps: &[Step]) -> Vec<(String, usize)> {
        written_turns(self.game, steps)
    }

    fn viewer(&self) -> Color {
        match self.query.perspective {
            Perspective::Color(color) => color,
            Perspective::SideToMove => self.color(),
        }
    }
}

impl Position<'_> {
    /// The answer from a search; `None` without visits.
    pub fn answer(&self, progress: &dyn SearchProgress, is_during_search: bool) -> Option<String> {
        let search = progress.report();
        if search.visits == 0 {
            return None;
        }
        let report = AnalysisReport::new(self, &self.query.report, &search, Some(progress));
        let policy = || {
            let policy = self.policy.cloned();
            policy.unwrap_or_else(|| Policy::from_report(self.game, &search))
        };
        Some(self.line(is_during_search, report, policy))
    }

    /// The answer of a finished game, without a search.
    pub fn answer_at_end(&self) -> String {
        let (result, owners) = (self.game.score(), self.game.owners_without(&[]));
        let report = AnalysisReport::of_result(self, &self.query.report, result, &owners);
        self.line(false, report, || Policy::new(self.game, &[]))
    }

    fn line(
        &self,
        is_during_search: bool,
        report: AnalysisReport<String>,
        policy: impl FnOnce() -> Policy,
    ) -> String {
        let fields = &self.query.fields;
        let state = fields.include_state.then(|| self.game.state());
        json::text(&Answer {
            id: &fields.id,
            turn_number: self.turn,
            is_during_search,
            no_results: false,
            results: Some(Results { report, policy: fields.include_policy.then(policy), state }),
        })
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
