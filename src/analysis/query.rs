//! A query: positions of a game, and the requested answers.

use super::fields::{
    MoveList, Overrides, QueryFields, Thousandths, expected, missing, read, wrong,
};
use super::position::{self, QueryGame};
use super::request::RequestError;
use super::settings::{AnalysisSettings, DEFAULT_VISITS, Perspective};
use crate::playing::Settings;
use crate::playing::analysis_report::ReportOptions;
use crate::playing::params::{self, plain};
use crate::rules::{Setup, StepSet};
use crate::search::{Restriction, SEARCH_PARAMS, SearchParams};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Query {
    pub fields: QueryFields,
    pub game: QueryGame,
    /// The positions by the number of moves before them, with priorities.
    pub turns: Vec<(usize, i64)>,
    /// Per position.
    pub max_visits: u64,
    /// Per position.
    pub max_time: Option<Duration>,
    pub params: SearchParams,
    /// Of the priors at the root. KataGo's noise flattens them, too; it also adds random numbers to
    /// values, unlike this search.
    pub root_temperature: f32,
    pub restrictions: Vec<Restriction>,
    pub perspective: Perspective,
    pub report: ReportOptions,
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Warning {
    pub field: String,
    #[serde(rename = "warning")]
    pub text: String,
}

impl Warning {
    pub fn new(field: impl Into<String>, text: impl Into<String>) -> Warning {
        Warning { field: field.into(), text: text.into() }
    }
}

impl Query {
    pub fn parse(object: &Value, settings: &AnalysisSettings) -> Result<Query, RequestError> {
        let mut fields = object.as_object().into_iter().flatten();
        if let Some((name, _)) = fields.find(|(_, value)| value.is_null()) {
            return Err(expected(name, "a value"));
        }
        let fields: QueryFields = read(object)?;
        let mut warnings = Vec::new();
        let game = QueryGame::parse(&fields, settings.variant, &mut warnings)?;
        fields.warn_of_fields(&mut warnings);
        let search = &settings.search;
        let usual_visits = match (search.playouts, search.time) {
            (None, None) => DEFAULT_VISITS,
            (playouts, _) => playouts.unwrap_or(u64::MAX),
        };
        let own = &fields.override_settings;
        let visits = fields.max_visits.or(own.max_visits).or(own.max_playouts);
        let own_length = own.analysis_pv_len.map(|length| length.0);
        let length = fields.analysis_pv_len.map(|length| length.0).or(own_length);
        let temperature = fields.root_policy_temperature.or(own.root_policy_temperature);
        let noise = own.wide_root_noise.map_or(0.0, |noise| noise.0);
        let query = Query {
            turns: turns(&fields, game.moves.len())?,
            max_visits: visits.map_or(usual_visits, |visits| visits.0.unsigned_abs()),
            max_time: own.max_time.map(Thousandths::seconds).or(search.time),
            params: own.params(search, &mut warnings)?,
            root_temperature: (temperature.map_or(1.0, |value| value.0) * (1.0 + 4.0 * noise))
                as f32,
            restrictions: restrictions(&fields, &game.setup)?,
            perspective: own.report_analysis_winrates_as.unwrap_or(settings.perspective),
            report: ReportOptions {
                pv_length: length.map(|length| length as usize),
                ..fields.report_options()
            },
            warnings,
            game,
            fields,
        };
        query.check_restrictions()?;
        Ok(query)
    }

    /// Fails if the lists leave a position of the query no legal move. A game that its rules ended
    /// has no moves to leave.
    fn check_restrictions(&self) -> Result<(), RequestError> {
        for &(turn, _) in self.turns.iter().filter(|_| !self.restrictions.is_empty()) {
            let Some(game) = self.game.after(turn).filter(|game| !game.is_final()) else {
                continue;
            };
            let (color, none) = (game.to_move(), StepSet::default());
            if !Restriction::leave_a_step(&self.restrictions, &game, color, &none) {
                let only = self.restrictions.iter().any(|one| one.only && one.color == color);
                let field = if only { "allowMoves" } else { "avoidMoves" };
                let why = format!("leaves {} no legal move at turn {turn}", color.name());
                return Err(wrong(field, why));
            }
        }
        Ok(())
    }
}

impl QueryFields {
    fn report_options(&self) -> ReportOptions {
        ReportOptions {
            ownership: self.include_ownership,
            ownership_stdev: self.include_ownership_stdev,
            moves_ownership: self.include_moves_ownership,
            moves_ownership_stdev: self.include_moves_ownership_stdev,
            pv_visits: self.include_pv_visits,
            pv_edge_visits: self.include_pv_visits,
            ..ReportOptions::default()
        }
    }

    /// Warns of fields that are unknown or change nothing.
    fn warn_of_fields(&self, warnings: &mut Vec<Warning>) {
        let unknown = self.unknown.keys();
        warnings.extend(unknown.map(|name| Warning::new(name.as_str(), "unknown field")));
        if self.root_fpu_reduction_max.is_some() {
            let text = "has no effect: there is no such parameter";
            warnings.push(Warning::new("rootFpuReductionMax", text));
        }
        if self.white_handicap_bonus.as_ref().is_some_and(|bonus| bonus != "0") {
            let text = "has no effect: komi has the compensation for handicap stones";
            warnings.push(Warning::new("whiteHandicapBonus", text));
        }
    }
}

impl Overrides {
    /// The search parameters. Warns of unknown settings.
    fn params(
        &self,
        settings: &Settings,
        warnings: &mut Vec<Warning>,
    ) -> Result<SearchParams, RequestError> {
        const FIELD: &str = "overrideSettings";
        let (mut own, mut unknown) = (settings.clone(), Vec::new());
        for (name, value) in &self.others {
            if SEARCH_PARAMS.iter().any(|param| param.name == name) {
                params::set(&mut own, name, plain(value).trim())
                    .map_err(|error| wrong(FIELD, format!("{name}: {error}")))?;
            } else {
                unknown.push(name.as_str());
            }
        }
        if !unknown.is_empty() {
            let text = format!("Unknown config params: {}", unknown.join(","));
            warnings.push(Warning::new(FIELD, text));
        }
        Ok(own.search_params)
    }
}

/// The positions of a query and their priorities; without `analyzeTurns` the last position.
fn turns(fields: &QueryFields, moves: usize) -> Result<Vec<(usize, i64)>, RequestError> {
    const TURNS: &str = "analyzeTurns";
    let QueryFields { analyze_turns: asked, priorities, priority, .. } = fields;
    if priorities.is_some() && priority.is_some() {
        return Err(expected("priority", "either priority or priorities"));
    }
    if asked.as_ref().is_some_and(Vec::is_empty) {
        return Err(expected(TURNS, "at least one turn number"));
    }
    if asked.iter().flatten().any(|&turn| turn > moves) {
        return Err(expected(TURNS, &format!("turn numbers from 0 to {moves}")));
    }
    let usual = priority.map_or(0, |priority| priority.0);
    let by_turn: BTreeMap<usize, i64> = match (asked, priorities) {
        (None, Some(_)) => return Err(expected("priorities", "analyzeTurns with it")),
        (Some(turns), Some(priorities)) if turns.len() != priorities.len() => {
            return Err(expected("priorities", "as many as analyzeTurns has"));
        }
        (Some(turns), Some(priorities)) => {
            turns.iter().zip(priorities).map(|(&turn, priority)| (turn, priority.0)).collect()
        }
        (Some(turns), None) => turns.iter().map(|&turn| (turn, usual)).collect(),
        (None, None) => BTreeMap::from([(moves, usual)]),
    };
    Ok(by_turn.into_iter().collect())
}

fn restrictions(fields: &QueryFields, setup: &Setup) -> Result<Vec<Restriction>, RequestError> {
    let grid = setup.grid().map_err(|_| missing("boardXSize", "a board of this game"))?;
    let avoided = fields.avoid_moves.iter().map(|list| ("avoidMoves", list, false));
    let allowed = fields.allow_moves.iter().map(|list| ("allowMoves", list, true));
    let restriction = |(field, list, only): (&str, &MoveList, bool)| {
        let mut restriction = Restriction {
            color: list.player.0,
            points: Vec::new(),
            steps: Vec::new(),
            pass: false,
            only,
            depth: list.until_depth.get(),
        };
        for word in &list.moves {
            let step = position::step(setup, &grid, field, word)?;
            match step.point() {
                Some(_) => restriction.steps.push(step),
                None => restriction.pass = true,
            }
        }
        Ok(restriction)
    };
    avoided.chain(allowed).map(restriction).collect()
}
