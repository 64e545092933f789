//! A position as the page draws it: everything that depends on the rules, in points.

use super::cursor::Cursor;
use super::event::{
    Closing, Consequence, Forbidden, ForecastTurn, GameEnd, HandView, LastTurn, Spread, StateEvent,
    StepView, View,
};
use super::request::{MAX_FORECAST, Player};
use super::story;
use super::tree::NodeNumber;
use super::{exact, point_names};
use crate::board::{Cell, Color, Grid, Point};
use crate::rules::{
    ARROWS, AnyGame, Hint, Illegal, Sides, Step, StepKind, StepKindInfo, Turn, VariantInfo,
    capitalised, parse_point, vertex,
};

/// Digits to the base 32.
const DIGITS: &[u8; 32] = b"0123456789abcdefghijklmnopqrstuv";

/// Turns that the warnings look ahead.
const MAX_DUSK: u32 = 400;

/// The position of a cursor. The game stands at `live`, `player` plays the side to move; the pair
/// says whether a turn or step was just made, and has the end of the game.
pub fn state(
    cursor: &Cursor,
    live: NodeNumber,
    player: &Player,
    (played, outcome): (bool, Option<GameEnd>),
) -> StateEvent {
    let game = cursor.game();
    let resigned = game.resigned().is_some();
    let (before, mut consequences) = match (cursor.last_step(), cursor.game_before()) {
        _ if resigned => (None, Vec::new()),
        (Some((before, step)), _) => (Some(before.clone()), story::narrate_step(before, *step)),
        (None, Some(before)) => {
            let latest = latest_consequences(cursor, &before);
            (Some(before), latest)
        }
        (None, None) => (None, Vec::new()),
    };
    consequences.extend(story::ending(game));
    StateEvent {
        node: cursor.node(),
        live,
        state: game.state(),
        view: view(game, player),
        consequences,
        before: before.map(|before| before.state().board),
        played,
        outcome,
    }
}

/// The effects of the latest turn, or of the latest step of an unfinished one.
fn latest_consequences(cursor: &Cursor, before: &AnyGame) -> Vec<Consequence> {
    match (cursor.steps().last(), cursor.game().turns().last()) {
        (Some(&step), _) => story::narrate_step(before, step),
        (None, Some((color, turn))) => story::narrate_turn(before, *color, turn),
        (None, None) => Vec::new(),
    }
}

pub fn view(game: &AnyGame, player: &Player) -> View {
    let grid = game.grid();
    let state = game.state();
    let steps = Steps::new(game);
    let mut view = View {
        legal: steps.legal,
        can_pass: is_legal(game, Step::PASS),
        pass_warning: pass_warning(game),
        can_end: is_legal(game, Step::END),
        mid_turn: vertices(grid, game.points_so_far()),
        spreads: spreads(game),
        continues: Vec::new(),
        closing: None,
        forbidden: steps.forbidden,
        last: latest(game).map(|last| last_turn(game, last)),
        groups: groups_over_layers(game),
        layer_width: grid.layer_width(),
        player: player.clone(),
        can_solve: exact::is_small_enough(game),
        score: game.score().to_string(),
        warnings: warnings(game),
        advice: None,
        hand: game
            .extras()
            .hand
            .map(|hand| HandView { name: hand.name, count: Sides::from(hand.count) }),
        captures: state.captures,
    };
    for hint in game.hints() {
        match hint {
            Hint::Continues(point) => view.continues.push(vertex(grid, point)),
            Hint::Closes { kind, name, advice } => {
                view.closing = Some(closing(game, &view, (kind, name, advice)));
                view.advice = Some(advice.to_owned());
            }
            Hint::Spreads { .. } => {}
        }
    }
    if game.is_mid_turn() {
        view.advice = advice(game, &view);
    }
    view
}

/// The latest turn, unless stones were set up since.
fn latest(game: &AnyGame) -> Option<&(Color, Turn)> {
    let set_up = game.set_ups().last().map_or(0, |(before, _)| *before);
    game.turns().get(set_up..)?.last()
}

/// Whether voids may appear and spread in a variant, so that later positions are of interest.
pub fn may_spread(info: &VariantInfo) -> bool {
    info.leaves(Cell::Void)
}

/// A board is open while it has less than one stone per this many points.
const POINTS_PER_STONE: usize = 2;

/// An unsettled game has more neutral points than all points divided by this.
const POINTS_PER_NEUTRAL: usize = 20;

/// Why a pass may be a mistake: much of the board is open, or the pass ends a game that is not
/// settled.
fn pass_warning(game: &AnyGame) -> Option<String> {
    let grid = game.grid();
    let cells = || grid.points().map(|point| game.cell(point));
    let points = cells().filter(|cell| !matches!(cell, Cell::Wall | Cell::Void));
    let (points, stones) = (points.count(), cells().filter(|cell| cell.is_stone()).count());
    let open = stones * POINTS_PER_STONE < points;
    let mut after = game.clone();
    after.play(game.to_move(), &Turn::pass()).ok()?;
    if !after.is_over() {
        return open.then(|| "Much of the board is open.".to_owned());
    }
    let score = after.score();
    let neutral = points.saturating_sub(after.owners_without(&[]).len());
    if open {
        let text = format!("Much of the board is open, and two passes end the game: {score}.");
        return Some(text);
    }
    (neutral * POINTS_PER_NEUTRAL > points).then(|| {
        format!("Two passes end the game, and {neutral} points are nobody's yet: {score}.")
    })
}

/// The step of this kind as the end of a turn of several steps.
fn closing(
    game: &AnyGame,
    view: &View,
    (kind, name, advice): (StepKind, &str, &'static str),
) -> Closing {
    let bit = 1 << kind.index();
    let is_legal = |digit: char| digit.to_digit(32).unwrap_or(0) & bit != 0;
    Closing {
        kind: kind.index() as u8,
        label: capitalised(name),
        possible: game.is_mid_turn() && view.legal.iter().any(|row| row.chars().any(is_legal)),
        advice,
    }
}

/// The ways in which the turn under way may go on.
fn advice(game: &AnyGame, view: &View) -> Option<String> {
    let mut choices = Vec::new();
    let kind = game.turn_under_way().map(Turn::kind)?;
    let goes_on = |step: &Step| step.kind() == kind;
    if game.steps(game.to_move()).iter().any(goes_on) {
        choices.extend(game.info().kind(kind).map(|kind| kind.goes_on.to_owned()));
    }
    if let Some(closing) = view.closing.as_ref().filter(|closing| closing.possible) {
        let name = closing.label.to_lowercase();
        choices.push(format!("add a {name}, which ends the turn"));
    }
    if view.can_end {
        choices.push("end the turn".to_owned());
    }
    choices.first_mut().map(|first| *first = capitalised(first))?;
    Some(format!("{}.", choices.join(", or ")))
}

fn is_legal(game: &AnyGame, step: Step) -> bool {
    game.check_next_step(game.to_move(), step).is_ok()
}

/// Points in words.
pub fn vertices(grid: &Grid, points: &[Point]) -> Vec<String> {
    points.iter().map(|&point| vertex(grid, point)).collect()
}

/// The legal steps of the side to move, and those that only earlier turns forbid.
struct Steps {
    legal: Vec<String>,
    forbidden: Vec<Forbidden>,
}

impl Steps {
    fn new(game: &AnyGame) -> Steps {
        let grid = game.grid();
        let mut forbidden = Vec::new();
        let mut kinds_at = |point: Point| {
            let mut bits = 0;
            for (kind, info) in game.info().step_kinds() {
                match check(game, kind, info, point) {
                    Ok(()) => bits |= 1 << kind.index(),
                    Err(why) if why.is_for_now() => forbidden.push(Forbidden {
                        at: vertex(grid, point),
                        kind: kind.index() as u8,
                        why: why.to_string(),
                        answers: answered(game),
                    }),
                    Err(_) => {}
                }
            }
            bits
        };
        let digit = |bits: usize| char::from(*DIGITS.get(bits).unwrap_or(&b'0'));
        let mut row = |row| -> String {
            let columns = 0..grid.width();
            columns.map(|column| digit(grid.point(column, row).map_or(0, &mut kinds_at))).collect()
        };
        let legal = (0..grid.height()).rev().map(&mut row).collect();
        Steps { legal, forbidden }
    }
}

/// Whether the side to move may make a step; checks the history only if the board allows it.
fn check(game: &AnyGame, kind: StepKind, info: &StepKindInfo, point: Point) -> Result<(), Illegal> {
    let mover = game.to_move();
    let cell = game.cell(point);
    if info.target.accepts(mover, cell, game.touches(point, mover)) {
        game.check_next_step(mover, Step::new(kind, point))
    } else {
        Err(Illegal::Occupied)
    }
}

/// The points of the latest turn, which a forbidden step would answer.
fn answered(game: &AnyGame) -> Vec<String> {
    let last = game.turns().last();
    last.map_or_else(Vec::new, |(_, turn)| vertices(game.grid(), turn.points()))
}

fn last_turn(game: &AnyGame, (color, turn): &(Color, Turn)) -> LastTurn {
    LastTurn {
        color: color.name(),
        turn: game.write(turn),
        caption: point_names::turn(game, turn),
        points: vertices(game.grid(), turn.points()),
        kind: game.info().kind(turn.kind()).map(|_| turn.kind().index() as u8),
    }
}

/// The moves of voids at the end of this turn if nobody plays there.
pub fn spreads(game: &AnyGame) -> Vec<Spread> {
    let grid = game.grid();
    let spread = |hint| match hint {
        Hint::Spreads { from, to, arrow } => Some(Spread {
            from: vertex(grid, from),
            to: vertex(grid, to),
            arrow: ARROWS.get(arrow % 8).copied().unwrap_or_default(),
        }),
        _ => None,
    };
    game.hints().into_iter().filter_map(spread).collect()
}

fn groups_over_layers(game: &AnyGame) -> Vec<Vec<String>> {
    let grid = game.grid();
    if grid.layers() < 2 {
        return Vec::new();
    }
    let mut seen: Vec<Point> = Vec::new();
    let mut groups = Vec::new();
    for point in grid.points() {
        if seen.contains(&point) {
            continue;
        }
        let group = game.group_stones(point);
        let layer = |&at: &Point| grid.layer_coordinates(at).0;
        if group.iter().any(|at| Some(layer(at)) != group.first().map(layer)) {
            groups.push(vertices(grid, &group));
        }
        seen.extend(group);
    }
    groups
}

/// The coming positions if both sides pass: at most `turns`.
pub fn forecast(game: &AnyGame, turns: u8) -> Vec<ForecastTurn> {
    let mut coming = Vec::new();
    let mut game = game.clone();
    for _ in 0..turns.min(MAX_FORECAST) {
        let Some(next) = game.after_pass() else {
            break;
        };
        let mut steps = story::narrate_turn(&game, game.to_move(), &Turn::pass());
        steps.remove(0);
        let state = next.state();
        coming.push(ForecastTurn {
            turn: state.turn,
            board: state.board,
            voids: state.voids,
            spreads: spreads(&next),
            steps,
            score: next.score().to_string(),
        });
        game = next;
    }
    coming
}

/// Warnings about the coming turns.
fn warnings(game: &AnyGame) -> Vec<String> {
    let mut warnings = Vec::new();
    if game.is_over() || game.extras().voids.is_empty() {
        return warnings;
    }
    for (number, turn) in forecast(game, MAX_FORECAST).iter().enumerate() {
        let dying = turn.steps.iter().filter(|step| step.from.is_none());
        let when = match number {
            0 => "At the end of this turn".to_owned(),
            _ => format!("In {number} {}", plural(number, "turn", "turns")),
        };
        warnings.extend(dying.map(|step| format!("{when}, if nobody plays there: {}", step.text)));
    }
    warnings.extend(board_fill_warning(game));
    warnings
}

fn plural<'t>(count: usize, one: &'t str, many: &'t str) -> &'t str {
    if count == 1 { one } else { many }
}

/// Whether voids fill the board if both sides pass, and the winner then.
fn board_fill_warning(game: &AnyGame) -> Option<String> {
    let (mut game, mut idle) = (game.clone(), 0);
    for turns in 1..=MAX_DUSK {
        let empty = game.empty_points();
        game = game.after_pass()?;
        match game.empty_points() {
            0 => {
                let score = game.score();
                let turns = turns as usize;
                let turn = plural(turns, "turn", "turns");
                return Some(format!(
                    "If both sides pass, voids take all that is left within {turns} {turn}: \
                     captures and komi decide, {score}."
                ));
            }
            now if now == empty => idle += 1,
            _ => idle = 0,
        }
        // Every void has pointed in every direction.
        if idle >= 8 {
            return None;
        }
    }
    None
}

/// The step of the kind with this number on a point in words.
///
/// # Errors
/// The reason why there is no such step.
pub fn step_at(game: &AnyGame, kind: u8, point: &str) -> Result<Step, Illegal> {
    let mut kinds = game.info().step_kinds().map(|(kind, _)| kind);
    let kind: StepKind = kinds.nth(kind.into()).ok_or(Illegal::NoSuchTurn)?;
    let at = parse_point(game.grid(), point).map_err(|_| Illegal::OffBoard)?;
    Ok(Step::new(kind, at))
}

/// The vertex that `genmove` answers with for a step; `None` if no vertex expresses it.
pub fn genmove_vertex(game: &AnyGame, step: Step) -> Option<String> {
    if step == Step::PASS {
        return Some("pass".to_owned());
    }
    let kind = game.info().kind(step.kind())?;
    let point = step.point().filter(|_| kind.on_board)?;
    Some(vertex(game.grid(), point))
}

/// A step in words and numbers.
pub fn step_view(game: &AnyGame, step: Step) -> StepView {
    let kind = game.info().kind(step.kind());
    let text = match (kind, step.point()) {
        (Some(_), Some(point)) => point_names::turn(game, &Turn::new(step.kind(), [point])),
        _ if step == Step::END => "end".to_owned(),
        _ => "pass".to_owned(),
    };
    StepView {
        kind: kind.map(|_| step.kind().index() as u8),
        at: step.point().map(|point| vertex(game.grid(), point)),
        text,
    }
}
