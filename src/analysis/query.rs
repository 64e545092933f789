//! A query: positions of a game, and what is asked about them.

use super::answer::Perspective;
use super::fields::{self, Fault, QueryError, expected, flag, optional};
use super::position::{self, GameOfQuery};
use super::{AnalysisSettings, DEFAULT_VISITS, overrides};
use crate::board::Grid;
use crate::rules::{Setup, parse_color};
use crate::search::{Restriction, SearchParams};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// Something that a query asks for in vain; it is answered all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub field: String,
    /// What about it.
    pub text: String,
}

impl Warning {
    /// A warning about a field.
    pub fn new(field: impl Into<String>, text: impl Into<String>) -> Warning {
        Warning { field: field.into(), text: text.into() }
    }
}

/// What answers contain besides moves and values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Included {
    /// Whose each point will be.
    pub ownership: bool,
    /// The standard deviation of that.
    pub ownership_stdev: bool,
    /// The same after each move.
    pub moves_ownership: bool,
    /// And the standard deviation.
    pub moves_ownership_stdev: bool,
    /// The prior of each move.
    pub policy: bool,
    /// Visits along principal variations.
    pub pv_visits: bool,
    /// The position, as `kawari-state` shows it.
    pub state: bool,
}

impl Included {
    /// Whether the search has to count ownership for each move.
    pub fn wants_move_ownership(self) -> bool {
        self.moves_ownership || self.moves_ownership_stdev
    }
}

/// A query, checked.
#[derive(Clone, Debug)]
pub struct Query {
    /// The client's name for it.
    pub id: String,
    pub game: GameOfQuery,
    /// The positions by the number of moves before them, each with its priority.
    pub turns: Vec<(usize, i64)>,
    /// Visits of each position at most.
    pub max_visits: u64,
    /// Time for each position at most.
    pub max_time: Option<Duration>,
    /// Parameters of the search.
    pub params: SearchParams,
    /// Temperature of the priors at the root.
    pub root_temperature: f32,
    /// KataGo's `wideRootNoise`.
    pub wide_root_noise: f32,
    /// Moves that are avoided, or allowed alone.
    pub restrictions: Vec<Restriction>,
    /// What answers contain.
    pub included: Included,
    /// Whose values they have.
    pub perspective: Perspective,
    /// Turns of a principal variation at most.
    pub pv_length: usize,
    /// Time between interim reports.
    pub report_every: Option<Duration>,
    /// Time before the first of them.
    pub first_report: Option<Duration>,
    /// What the query asks for in vain.
    pub warnings: Vec<Warning>,
}

/// The fields of a query.
pub const FIELDS: &[&str] = &[
    "id",
    "variant",
    "rules",
    "komi",
    "boardXSize",
    "boardYSize",
    "blocks",
    "initialStones",
    "initialPlayer",
    "moves",
    "analyzeTurns",
    "priority",
    "priorities",
    "maxVisits",
    "analysisPVLen",
    "avoidMoves",
    "allowMoves",
    "includeOwnership",
    "includeOwnershipStdev",
    "includeMovesOwnership",
    "includeMovesOwnershipStdev",
    "includePolicy",
    "includePVVisits",
    "includeState",
    "reportDuringSearchEvery",
    "firstReportDuringSearchAfter",
    "rootPolicyTemperature",
    "rootFpuReductionMax",
    "whiteHandicapBonus",
    "overrideSettings",
];

/// Bounds of priorities, of either sign.
const MAX_PRIORITY: i64 = (1 << 62) - 1;

/// Visits at most.
const MAX_VISITS: i64 = 1 << 50;

impl Query {
    /// Reads a query whose id is known.
    ///
    /// # Errors
    /// The field that is wrong.
    pub fn parse(
        id: &str,
        object: &Map<String, Value>,
        settings: &AnalysisSettings,
    ) -> Result<Query, QueryError> {
        let mut warnings = Vec::new();
        let game = GameOfQuery::parse(object, settings.variant, &mut warnings)?;
        let search = &settings.search;
        let is_limited = search.playouts.is_some() || search.time.is_some();
        let usual_visits = if is_limited { u64::MAX } else { DEFAULT_VISITS };
        let mut query = Query {
            id: id.to_owned(),
            turns: turns(object, game.moves.len())?,
            max_visits: search.playouts.unwrap_or(usual_visits),
            max_time: search.time,
            params: search.search_params,
            root_temperature: 1.0,
            wide_root_noise: 0.0,
            restrictions: restrictions(object, &game.setup)?,
            included: included(object)?,
            perspective: settings.perspective,
            pv_length: usize::MAX,
            report_every: fields::seconds(object, "reportDuringSearchEvery")?,
            first_report: fields::seconds(object, "firstReportDuringSearchAfter")?,
            warnings,
            game,
        };
        query.warn_of_fields(object);
        let settings = optional(object, "overrideSettings", "an object", Value::as_object)?;
        if let Some(given) = settings {
            overrides::set(&mut query, search, given)?;
        }
        query.read_limits(object)?;
        Ok(query)
    }

    /// Warns of fields that are unknown or change nothing.
    fn warn_of_fields(&mut self, object: &Map<String, Value>) {
        let unknown = object.keys().filter(|key| !FIELDS.contains(&key.as_str()));
        let unknown = unknown.map(|key| Warning::new(key.as_str(), "unknown field"));
        self.warnings.extend(unknown);
        let is_given = |field| object.get(field).is_some();
        if is_given("rootFpuReductionMax") {
            let text = "has no effect: there is no such parameter";
            self.warnings.push(Warning::new("rootFpuReductionMax", text));
        }
        let bonus = object.get("whiteHandicapBonus");
        if bonus.is_some_and(|bonus| bonus.as_str() != Some("0")) {
            let text = "has no effect: komi has the compensation for handicap stones";
            self.warnings.push(Warning::new("whiteHandicapBonus", text));
        }
    }

    /// Reads the limits that stand beside `overrideSettings` and go before it.
    fn read_limits(&mut self, object: &Map<String, Value>) -> Result<(), QueryError> {
        if let Some(visits) = fields::whole(object, "maxVisits", 1..=MAX_VISITS)? {
            self.max_visits = visits.unsigned_abs();
        }
        if let Some(length) = fields::whole(object, "analysisPVLen", 1..=1000)? {
            self.pv_length = usize::try_from(length).unwrap_or(usize::MAX);
        }
        let temperature = fields::number(object, "rootPolicyTemperature", 0.01..=100.0)?;
        if let Some(temperature) = temperature {
            self.root_temperature = temperature as f32;
        }
        Ok(())
    }

    /// The temperature of the priors at the root. Noise of KataGo's kind flattens them like
    /// this; it also adds random numbers to values, which this search does not.
    pub fn temperature(&self) -> f32 {
        self.root_temperature * (1.0 + 4.0 * self.wide_root_noise)
    }
}

/// The positions of a query and their priorities: without `analyzeTurns` the last.
fn turns(object: &Map<String, Value>, moves: usize) -> Result<Vec<(usize, i64)>, QueryError> {
    const TURNS: &str = "analyzeTurns";
    let priority = fields::whole(object, "priority", -MAX_PRIORITY..=MAX_PRIORITY)?;
    let asked = fields::turn_numbers(object, TURNS)?;
    let priorities = priorities(object)?;
    if priorities.is_some() && priority.is_some() {
        return Err(expected("priority", "either priority or priorities"));
    }
    if asked.as_ref().is_some_and(Vec::is_empty) {
        return Err(expected(TURNS, "at least one turn number"));
    }
    let is_of_game = |&turn: &usize| turn <= moves;
    if !asked.iter().flatten().all(is_of_game) {
        return Err(expected(TURNS, format!("turn numbers from 0 to {moves}")));
    }
    let usual = priority.unwrap_or(0);
    let by_turn: BTreeMap<usize, i64> = match (asked, priorities) {
        (None, Some(_)) => return Err(expected("priorities", "analyzeTurns beside it")),
        (Some(turns), Some(priorities)) if turns.len() != priorities.len() => {
            return Err(expected("priorities", "as many as analyzeTurns has"));
        }
        (Some(turns), Some(priorities)) => turns.into_iter().zip(priorities).collect(),
        (Some(turns), None) => turns.into_iter().map(|turn| (turn, usual)).collect(),
        (None, None) => BTreeMap::from([(moves, usual)]),
    };
    Ok(by_turn.into_iter().collect())
}

fn priorities(object: &Map<String, Value>) -> Result<Option<Vec<i64>>, QueryError> {
    let range = -MAX_PRIORITY..=MAX_PRIORITY;
    let number = |value: &Value| value.as_i64().filter(|number| range.contains(number));
    let read = |value: &Value| value.as_array()?.iter().map(number).collect();
    optional(object, "priorities", "a list of whole numbers", read)
}

fn included(object: &Map<String, Value>) -> Result<Included, QueryError> {
    Ok(Included {
        ownership: flag(object, "includeOwnership")?,
        ownership_stdev: flag(object, "includeOwnershipStdev")?,
        moves_ownership: flag(object, "includeMovesOwnership")?,
        moves_ownership_stdev: flag(object, "includeMovesOwnershipStdev")?,
        policy: flag(object, "includePolicy")?,
        pv_visits: flag(object, "includePVVisits")?,
        state: flag(object, "includeState")?,
    })
}

fn restrictions(
    object: &Map<String, Value>,
    setup: &Setup,
) -> Result<Vec<Restriction>, QueryError> {
    let grid = setup.grid().map_err(|_| {
        let fault = Fault::Missing("a board of this game");
        fault.of("boardXSize")
    })?;
    let mut all = Vec::new();
    for (field, only) in [("avoidMoves", false), ("allowMoves", true)] {
        let lists = optional(object, field, LISTS, Value::as_array)?;
        for list in lists.into_iter().flatten() {
            let list = list.as_object().ok_or_else(|| expected(field, LISTS))?;
            all.push(restriction(field, only, list, setup, &grid)?);
        }
    }
    Ok(all)
}

/// What `avoidMoves` and `allowMoves` take.
const LISTS: &str = "a list of objects with player, moves and untilDepth";

fn restriction(
    field: &'static str,
    only: bool,
    object: &Map<String, Value>,
    setup: &Setup,
    grid: &Grid,
) -> Result<Restriction, QueryError> {
    let wrong = || expected(field, LISTS);
    let text = |field: &str| object.get(field).and_then(Value::as_str);
    let depth = object.get("untilDepth").and_then(Value::as_u64);
    let depth = depth.and_then(|depth| u32::try_from(depth).ok());
    let moves = object.get("moves").and_then(Value::as_array);
    let mut restriction = Restriction {
        color: text("player").and_then(parse_color).ok_or_else(wrong)?,
        points: Vec::new(),
        steps: Vec::new(),
        pass: false,
        only,
        depth: depth.filter(|&depth| depth > 0).ok_or_else(wrong)?,
    };
    for word in moves.ok_or_else(wrong)? {
        let word = word.as_str().ok_or_else(wrong)?;
        let step =
            position::step(setup, grid, word).map_err(|error| Fault::NoTurn(error).of(field))?;
        match step.point() {
            Some(_) => restriction.steps.push(step),
            None => restriction.pass = true,
        }
    }
    Ok(restriction)
}
