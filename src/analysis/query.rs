//! A query: positions of a game, and the requested answers.

use super::fields::{Fields, QueryError, Warning, expected, missing, wrong};
use super::overrides;
use super::position::{self, QueryGame};
use super::settings::{AnalysisSettings, DEFAULT_VISITS, Perspective};
use crate::playing::report::Included;
use crate::rules::{Setup, StepSet, parse_color};
use crate::search::{Restriction, SearchParams};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::num::NonZeroU32;
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
    /// Of the priors at the root.
    pub root_temperature: f32,
    /// KataGo's `wideRootNoise`.
    pub wide_root_noise: f32,
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

/// Maximum of priorities, of either sign.
const MAX_PRIORITY: i64 = (1 << 62) - 1;

const MAX_VISITS: i64 = 1 << 50;

fn included(fields: Fields<'_>) -> Result<Included, QueryError> {
    Ok(Included {
        ownership: fields.flag("includeOwnership")?,
        ownership_stdev: fields.flag("includeOwnershipStdev")?,
        moves_ownership: fields.flag("includeMovesOwnership")?,
        moves_ownership_stdev: fields.flag("includeMovesOwnershipStdev")?,
        pv_visits: fields.flag("includePVVisits")?,
    })
}

impl Query {
    pub fn parse(
        id: &str,
        object: &Map<String, Value>,
        settings: &AnalysisSettings,
    ) -> Result<Query, QueryError> {
        let fields = Fields(object);
        let mut warnings = Vec::new();
        let game = QueryGame::parse(fields, settings.variant, &mut warnings)?;
        let search = &settings.search;
        let is_limited = search.playouts.is_some() || search.time.is_some();
        let usual_visits = if is_limited { u64::MAX } else { DEFAULT_VISITS };
        let mut query = Query {
            id: id.to_owned(),
            turns: turns(fields, game.moves.len())?,
            max_visits: search.playouts.unwrap_or(usual_visits),
            max_time: search.time,
            params: search.search_params,
            root_temperature: 1.0,
            wide_root_noise: 0.0,
            restrictions: restrictions(fields, &game.setup)?,
            included: included(fields)?,
            includes_policy: fields.flag("includePolicy")?,
            includes_state: fields.flag("includeState")?,
            perspective: settings.perspective,
            pv_length: usize::MAX,
            report_every: fields.seconds("reportDuringSearchEvery")?,
            first_report: fields.seconds("firstReportDuringSearchAfter")?,
            warnings,
            game,
        };
        query.warn_of_fields(object);
        if let Some(given) = object.get("overrideSettings") {
            overrides::set(&mut query, search, given)?;
        }
        query.read_limits(fields)?;
        query.check_restrictions()?;
        Ok(query)
    }

    /// Fails if the lists leave a position of the query no legal move. A game that its rules ended
    /// has no moves to leave.
    fn check_restrictions(&self) -> Result<(), QueryError> {
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

    /// Warns of fields that are unknown or change nothing.
    fn warn_of_fields(&mut self, object: &Map<String, Value>) {
        for (name, value) in object {
            let text = match name.as_str() {
                "rootFpuReductionMax" => "has no effect: there is no such parameter",
                "whiteHandicapBonus" if value != "0" => {
                    "has no effect: komi has the compensation for handicap stones"
                }
                name if FIELDS.contains(&name) => continue,
                _ => "unknown field",
            };
            self.warnings.push(Warning::new(name.as_str(), text));
        }
    }

    /// Reads the limits outside of `overrideSettings`, over which they prevail.
    fn read_limits(&mut self, fields: Fields<'_>) -> Result<(), QueryError> {
        if let Some(visits) = fields.whole("maxVisits", 1..=MAX_VISITS)? {
            self.max_visits = visits.unsigned_abs();
        }
        if let Some(length) = fields.whole("analysisPVLen", 1..=1000)? {
            self.pv_length = length as usize;
        }
        if let Some(temperature) = fields.number("rootPolicyTemperature", 0.01..=100.0)? {
            self.root_temperature = temperature as f32;
        }
        Ok(())
    }

    /// The temperature of the priors at the root. KataGo's noise flattens them like this; it also
    /// adds random numbers to values, unlike this search.
    pub fn temperature(&self) -> f32 {
        self.root_temperature * (1.0 + 4.0 * self.wide_root_noise)
    }
}

/// The positions of a query and their priorities; without `analyzeTurns` the last position.
fn turns(fields: Fields<'_>, moves: usize) -> Result<Vec<(usize, i64)>, QueryError> {
    const TURNS: &str = "analyzeTurns";
    let range = -MAX_PRIORITY..=MAX_PRIORITY;
    let priority = fields.whole("priority", range.clone())?;
    let asked = fields.turn_numbers(TURNS)?;
    let priorities = fields.read("priorities", "a list of whole numbers", |all: Vec<i64>| {
        all.iter().all(|number| range.contains(number)).then_some(all)
    })?;
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
        (Some(turns), Some(priorities)) => turns.into_iter().zip(priorities).collect(),
        (Some(turns), None) => turns.into_iter().map(|turn| (turn, usual)).collect(),
        (None, None) => BTreeMap::from([(moves, usual)]),
    };
    Ok(by_turn.into_iter().collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MoveList<'v> {
    player: &'v str,
    #[serde(borrow)]
    moves: Vec<&'v str>,
    until_depth: NonZeroU32,
}

fn restrictions(fields: Fields<'_>, setup: &Setup) -> Result<Vec<Restriction>, QueryError> {
    const LISTS: &str = "a list of objects with player, moves and untilDepth";
    let grid = setup.grid().map_err(|_| missing("boardXSize", "a board of this game"))?;
    let mut all = Vec::new();
    for (field, only) in [("avoidMoves", false), ("allowMoves", true)] {
        for list in fields.get::<Vec<MoveList<'_>>>(field, LISTS)?.unwrap_or_default() {
            let color = parse_color(list.player).ok_or_else(|| expected(field, LISTS))?;
            let mut restriction = Restriction {
                color,
                points: Vec::new(),
                steps: Vec::new(),
                pass: false,
                only,
                depth: list.until_depth.get(),
            };
            for word in list.moves {
                let step = position::step(setup, &grid, field, word)?;
                match step.point() {
                    Some(_) => restriction.steps.push(step),
                    None => restriction.pass = true,
                }
            }
            all.push(restriction);
        }
    }
    Ok(all)
}
