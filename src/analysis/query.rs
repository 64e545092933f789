//! A query: positions of a game, and the requested answers.

use super::given::{Given, MoveList, Overrides, expected, missing, read, wrong};
use super::position::{self, QueryGame};
use super::request::RequestError;
use super::settings::{AnalysisSettings, DEFAULT_VISITS, Perspective};
use crate::json;
use crate::playing::params::{self, plain};
use crate::playing::report::Included;
use crate::rules::{Setup, StepSet};
use crate::search::{Restriction, SEARCH_PARAMS, SearchParams};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Query {
    pub id: String,
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
    pub included: Included,
    pub includes_policy: bool,
    /// The position, as `kawari-state` shows it.
    pub includes_state: bool,
    pub perspective: Perspective,
    /// Maximum number of turns in a principal variation.
    pub pv_length: usize,
    /// Time between interim reports.
    pub report_every: Option<Duration>,
    /// Time before the first interim report.
    pub first_report: Option<Duration>,
    pub warnings: Vec<Warning>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub field: String,
    pub text: String,
}

impl Warning {
    pub fn new(field: impl Into<String>, text: impl Into<String>) -> Warning {
        Warning { field: field.into(), text: text.into() }
    }
}

impl Query {
    pub fn parse(
        id: &str,
        object: &Value,
        settings: &AnalysisSettings,
    ) -> Result<Query, RequestError> {
        let given: Given = read(object)?;
        let mut warnings = Vec::new();
        let game = QueryGame::parse(&given, settings.variant, &mut warnings)?;
        let known = json::names_of::<Given>();
        let unknown = names(object).filter(|name| !known.contains(name));
        warnings.extend(unknown.map(|name| Warning::new(name, "unknown field")));
        if given.root_fpu_reduction_max.is_some() {
            let text = "has no effect: there is no such parameter";
            warnings.push(Warning::new("rootFpuReductionMax", text));
        }
        if given.white_handicap_bonus.as_ref().is_some_and(|bonus| bonus != "0") {
            let text = "has no effect: komi has the compensation for handicap stones";
            warnings.push(Warning::new("whiteHandicapBonus", text));
        }
        let search = &settings.search;
        let usual_visits = match (search.playouts, search.time) {
            (None, None) => DEFAULT_VISITS,
            (playouts, _) => playouts.unwrap_or(u64::MAX),
        };
        let own = &given.override_settings;
        let visits = given.max_visits.map(i64::unsigned_abs).or(own.max_visits);
        let length = given.pv_length.map(i64::unsigned_abs).or(own.pv_length);
        let temperature = given.root_policy_temperature.or(own.root_policy_temperature);
        let query = Query {
            id: id.to_owned(),
            turns: turns(&given, game.moves.len())?,
            max_visits: visits.or(own.max_playouts).unwrap_or(usual_visits),
            max_time: own.max_time.or(search.time),
            params: overridden_params(object, settings, &mut warnings)?,
            root_temperature: temperature.unwrap_or(1.0)
                * (1.0 + 4.0 * own.wide_root_noise.unwrap_or(0.0)),
            restrictions: restrictions(&given, &game.setup)?,
            included: Included {
                ownership: given.include_ownership,
                ownership_stdev: given.include_ownership_stdev,
                moves_ownership: given.include_moves_ownership,
                moves_ownership_stdev: given.include_moves_ownership_stdev,
                pv_visits: given.include_pv_visits,
            },
            includes_policy: given.include_policy,
            includes_state: given.include_state,
            perspective: own.report_analysis_winrates_as.unwrap_or(settings.perspective),
            pv_length: length.map_or(usize::MAX, |length| length.try_into().unwrap_or(usize::MAX)),
            report_every: given.report_during_search_every,
            first_report: given.first_report_during_search_after,
            warnings,
            game,
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

fn names(object: &Value) -> impl Iterator<Item = &str> {
    object.as_object().into_iter().flat_map(Map::keys).map(String::as_str)
}

/// The search parameters among `overrideSettings`. Warns of unknown settings.
fn overridden_params(
    object: &Value,
    settings: &AnalysisSettings,
    warnings: &mut Vec<Warning>,
) -> Result<SearchParams, RequestError> {
    const FIELD: &str = "overrideSettings";
    let (mut own, mut unknown) = (settings.search.clone(), Vec::new());
    let known = json::names_of::<Overrides>();
    let given = object.get(FIELD).unwrap_or_default();
    for name in names(given).filter(|name| !known.contains(name)) {
        if SEARCH_PARAMS.iter().any(|param| param.name == name) {
            let text = given.get(name).map(plain).unwrap_or_default();
            params::set(&mut own, name, text.trim())
                .map_err(|error| wrong(FIELD, format!("{name}: {error}")))?;
        } else {
            unknown.push(name);
        }
    }
    if !unknown.is_empty() {
        let text = format!("Unknown config params: {}", unknown.join(","));
        warnings.push(Warning::new(FIELD, text));
    }
    Ok(own.search_params)
}

/// The positions of a query and their priorities; without `analyzeTurns` the last position.
fn turns(given: &Given, moves: usize) -> Result<Vec<(usize, i64)>, RequestError> {
    const TURNS: &str = "analyzeTurns";
    let Given { analyze_turns: asked, priorities, priority, .. } = given;
    if priorities.is_some() && priority.is_some() {
        return Err(expected("priority", "either priority or priorities"));
    }
    if asked.as_ref().is_some_and(Vec::is_empty) {
        return Err(expected(TURNS, "at least one turn number"));
    }
    if asked.iter().flatten().any(|&turn| turn > moves) {
        return Err(expected(TURNS, &format!("turn numbers from 0 to {moves}")));
    }
    let usual = priority.unwrap_or(0);
    let by_turn: BTreeMap<usize, i64> = match (asked, priorities) {
        (None, Some(_)) => return Err(expected("priorities", "analyzeTurns with it")),
        (Some(turns), Some(priorities)) if turns.len() != priorities.len() => {
            return Err(expected("priorities", "as many as analyzeTurns has"));
        }
        (Some(turns), Some(priorities)) => {
            turns.iter().copied().zip(priorities.iter().copied()).collect()
        }
        (Some(turns), None) => turns.iter().map(|&turn| (turn, usual)).collect(),
        (None, None) => BTreeMap::from([(moves, usual)]),
    };
    Ok(by_turn.into_iter().collect())
}

fn restrictions(given: &Given, setup: &Setup) -> Result<Vec<Restriction>, RequestError> {
    let grid = setup.grid().map_err(|_| missing("boardXSize", "a board of this game"))?;
    let avoided = given.avoid_moves.iter().map(|list| ("avoidMoves", list, false));
    let allowed = given.allow_moves.iter().map(|list| ("allowMoves", list, true));
    let restriction = |(field, list, only): (&str, &MoveList, bool)| {
        let mut restriction = Restriction {
            color: list.player,
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
