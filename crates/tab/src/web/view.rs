//! A position as the page draws it: everything that depends on the rules, in points.

use super::forecast::{Spread, spreads, warnings};
use super::request::Move;
use super::{exact, layers};
use crate::board::{Cell, Color, Grid, Point, PointSet};
use crate::rules::{
    BoardMark, Game, Illegal, Step, StepKind, StepKindInfo, Turn, capitalised, parse_point, vertex,
};
use serde::Serialize;

/// The parts of a position that need rules; the page knows no rule.
#[derive(Clone, Debug, Serialize)]
pub struct RulesView {
    /// Rows from the top; each character is a set of kinds of step, a digit to the base 32.
    pub legal: Vec<String>,
    pub can_pass: bool,
    /// Why a pass now may be a mistake, in a sentence.
    pub pass_warning: Option<String>,
    /// Whether the unfinished turn may end.
    pub can_end: bool,
    /// Stones of the unfinished turn.
    pub mid_turn: Vec<String>,
    pub spreads: Vec<Spread>,
    /// Stones whose groups the unfinished turn may continue with.
    pub continues: Vec<String>,
    pub closing: Option<FinalStep>,
    pub forbidden: Vec<Forbidden>,
    pub last: Option<LastTurn>,
    /// Groups on several layers.
    pub groups: Vec<Vec<String>>,
    pub can_solve: bool,
    /// The result as if the game ended here.
    pub score: String,
    pub warnings: Vec<String>,
    /// How the unfinished turn may continue, in a sentence.
    pub advice: Option<String>,
    /// The name, in the plural, of the pieces in hand that the state counts.
    pub hand: Option<&'static str>,
}

/// A step of another kind that ends a turn of several steps.
#[derive(Clone, Debug, Serialize)]
pub struct FinalStep {
    pub kind: u8,
    pub label: String,
    /// Whether the unfinished turn may end with it now.
    pub possible: bool,
    /// The condition, in a sentence.
    pub advice: &'static str,
}

/// A step that only earlier turns forbid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forbidden {
    pub at: String,
    pub kind: u8,
    /// The rule that forbids it.
    pub why: String,
    /// The points of the turn that it would answer.
    pub answers: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LastTurn {
    pub color: &'static str,
    pub turn: String,
    /// The turn in the coordinates of the page.
    pub caption: String,
    pub points: Vec<String>,
}

pub fn view(game: &Game) -> RulesView {
    let grid = game.grid();
    let steps = LegalSteps::new(game);
    let can_end = is_legal(game, Step::END);
    let (continues, closing) = hints(game, &steps);
    let advice = if game.is_mid_turn() {
        continuation(game, closing.as_ref(), can_end)
    } else {
        closing.as_ref().map(|closing| closing.advice.to_owned())
    };
    RulesView {
        legal: steps.rows,
        can_pass: is_legal(game, Step::PASS),
        pass_warning: pass_warning(game),
        can_end,
        mid_turn: vertices(grid, game.points_so_far()),
        spreads: spreads(game),
        continues,
        closing,
        forbidden: steps.forbidden,
        last: last_turn(game),
        groups: groups_over_layers(game),
        can_solve: exact::is_small_enough(game),
        score: game.score().to_string(),
        warnings: warnings(game),
        advice,
        hand: game.extras().hand.map(|hand| hand.name),
    }
}

/// The points that continue a turn, and the step that closes it.
fn hints(game: &Game, steps: &LegalSteps) -> (Vec<String>, Option<FinalStep>) {
    let (mut continues, mut closing) = (Vec::new(), None);
    for hint in game.hints() {
        match hint {
            BoardMark::Continues(point) => continues.push(vertex(game.grid(), point)),
            BoardMark::Closes { kind, name, advice } => {
                closing = Some(FinalStep {
                    kind: kind.index() as u8,
                    label: capitalised(name),
                    possible: game.is_mid_turn() && steps.kinds & 1 << kind.index() != 0,
                    advice,
                });
            }
            BoardMark::Spreads { .. } => {}
        }
    }
    (continues, closing)
}

/// Minimum points of the board per stone of an open board.
const POINTS_PER_STONE: usize = 6;

/// A board with fewer points than this per contested point is open, too.
const POINTS_PER_CONTESTED: usize = 4;

/// Minimum points of the board per contested point of a settled game.
const POINTS_PER_NEUTRAL: usize = 20;

/// A side contests a region if the other side has fewer than this number of stones on its border for each
/// of the side's own; fewer stones may be dead.
const STONES_PER_RIVAL: usize = 2;

/// The empty points of regions on whose borders both sides stand.
fn contested_points(game: &Game) -> usize {
    let is_empty = |&point: &Point| game.cell(point) == Cell::Empty;
    let (mut seen, mut contested) = (PointSet::default(), 0);
    for start in game.grid().points().filter(is_empty) {
        let mut region = Vec::new();
        let mut next = if seen.insert(start) { vec![start] } else { Vec::new() };
        let (mut border, mut black, mut white) = (PointSet::default(), 0, 0);
        while let Some(point) = next.pop() {
            region.push(point);
            for beside in game.neighbours(point) {
                match game.cell(beside).color() {
                    Some(color) if border.insert(beside) => {
                        *(if color == Color::Black { &mut black } else { &mut white }) += 1;
                    }
                    None if is_empty(&beside) && seen.insert(beside) => next.push(beside),
                    _ => {}
                }
            }
        }
        if black.min(white) * STONES_PER_RIVAL > black.max(white) {
            contested += region.len();
        }
    }
    contested
}

fn pass_warning(game: &Game) -> Option<String> {
    let grid = game.grid();
    let cells = || grid.points().map(|point| game.cell(point));
    let points = cells().filter(|cell| !matches!(cell, Cell::Wall | Cell::Void));
    let (points, stones) = (points.count(), cells().filter(|cell| cell.is_stone()).count());
    let contested = contested_points(game);
    let open = stones * POINTS_PER_STONE < points || contested * POINTS_PER_CONTESTED > points;
    let mut after = game.clone();
    after.play(game.to_move(), &Turn::pass()).ok()?;
    if !after.is_over() {
        return open.then(|| "Much of the board is open.".to_owned());
    }
    let score = after.score();
    if open {
        let text = format!("Much of the board is open, and two passes end the game: {score}.");
        return Some(text);
    }
    (contested * POINTS_PER_NEUTRAL > points).then(|| {
        format!("Two passes end the game, and {contested} points are still neutral: {score}.")
    })
}

/// Says how the unfinished turn may continue.
fn continuation(game: &Game, closing: Option<&FinalStep>, can_end: bool) -> Option<String> {
    let mut choices = Vec::new();
    let kind = game.unfinished_turn().map(Turn::kind)?;
    let continues = |step: &Step| step.kind() == kind;
    if game.steps(game.to_move()).iter().any(continues) {
        choices.extend(game.info().kind(kind).map(|kind| kind.continuation.to_owned()));
    }
    if let Some(closing) = closing.filter(|closing| closing.possible) {
        let name = closing.label.to_lowercase();
        choices.push(format!("add a {name}, which ends the turn"));
    }
    if can_end {
        choices.push("end the turn".to_owned());
    }
    choices.first_mut().map(|first| *first = capitalised(first))?;
    Some(format!("{}.", choices.join(", or ")))
}

fn is_legal(game: &Game, step: Step) -> bool {
    game.check_next_step(game.to_move(), step).is_ok()
}

pub fn vertices(grid: &Grid, points: &[Point]) -> Vec<String> {
    points.iter().map(|&point| vertex(grid, point)).collect()
}

/// The steps of the side to move.
#[derive(Default)]
struct LegalSteps {
    /// See [`RulesView::legal`].
    rows: Vec<String>,
    /// The kinds that are legal on some point, as bits.
    kinds: u32,
    forbidden: Vec<Forbidden>,
}

impl LegalSteps {
    fn new(game: &Game) -> LegalSteps {
        let grid = game.grid();
        let mut steps = LegalSteps::default();
        for row in (0..grid.height()).rev() {
            let points = (0..grid.width()).map(|column| grid.point(column, row));
            let kinds = points.map(|point| point.map_or(0, |point| steps.add(game, point)));
            let digits = kinds.map(|kinds| char::from_digit(kinds, 32).unwrap_or('0'));
            let digits = digits.collect();
            steps.rows.push(digits);
        }
        steps
    }

    /// Adds the steps on a point; returns the legal kinds, as bits.
    fn add(&mut self, game: &Game, point: Point) -> u32 {
        let mut legal = 0;
        for (kind, info) in game.info().step_kinds() {
            match check(game, kind, info, point) {
                Ok(()) => legal |= 1 << kind.index(),
                Err(why) if why.depends_on_history() => self.forbidden.push(Forbidden {
                    at: vertex(game.grid(), point),
                    kind: kind.index() as u8,
                    why: why.to_string(),
                    answers: answered(game),
                }),
                Err(_) => {}
            }
        }
        self.kinds |= legal;
        legal
    }
}

/// Whether the side to move may make a step; checks the history only if the board allows it.
fn check(game: &Game, kind: StepKind, info: &StepKindInfo, point: Point) -> Result<(), Illegal> {
    let mover = game.to_move();
    let cell = game.cell(point);
    if info.target.accepts(mover, cell, game.touches(point, mover)) {
        game.check_next_step(mover, Step::new(kind, point))
    } else {
        Err(Illegal::Occupied)
    }
}

/// The points of the latest turn.
fn answered(game: &Game) -> Vec<String> {
    let last = game.turns().last();
    last.map_or_else(Vec::new, |(_, turn)| vertices(game.grid(), turn.points()))
}

/// The latest turn, unless stones were set up since.
fn last_turn(game: &Game) -> Option<LastTurn> {
    let set_up = game.set_ups().last().map_or(0, |(before, _)| *before);
    let (color, turn) = game.turns().get(set_up..)?.last()?;
    Some(LastTurn {
        color: color.name(),
        turn: game.write(turn),
        caption: layers::turn_name(game, turn),
        points: vertices(game.grid(), turn.points()),
    })
}

fn groups_over_layers(game: &Game) -> Vec<Vec<String>> {
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

/// The step of the kind with this number on a vertex.
pub fn step_at(game: &Game, kind: u8, point: &str) -> Result<Step, Illegal> {
    let mut kinds = game.info().step_kinds().map(|(kind, _)| kind);
    let kind: StepKind = kinds.nth(kind.into()).ok_or(Illegal::NoSuchTurn)?;
    let at = parse_point(game.grid(), point).map_err(|_| Illegal::OffBoard)?;
    Ok(Step::new(kind, at))
}

/// The turn that these steps make; `None` if the rules refuse one, or if the turn goes on.
pub fn turn_of<S>(
    game: &Game,
    steps: &[S],
    read: impl Fn(&Game, &S) -> Result<Step, Illegal>,
) -> Option<Turn> {
    let (mut after, turns) = (game.clone(), game.turns().len());
    for step in steps {
        let step = read(&after, step).ok()?;
        after.step(after.to_move(), step).ok()?;
        if let Some((_, turn)) = after.turns().get(turns) {
            return Some(turn.clone());
        }
    }
    None
}

/// The step of a move; an error for a whole turn or a resignation.
pub fn read_step(game: &Game, step: &Move) -> Result<Step, Illegal> {
    match step {
        Move::At { kind, point } => step_at(game, *kind, point),
        Move::Pass => Ok(Step::PASS),
        Move::End => Ok(Step::END),
        Move::Resign | Move::Turn(_) => Err(Illegal::NoSuchTurn),
    }
}

#[cfg(test)]
mod tests {
    use super::pass_warning;
    use crate::rules::{Game, Setup, Size, Turn, variant};

    fn warning(rows: &[&str], passes: usize) -> Option<String> {
        let mut setup = Setup::new(variant("go").expect("a variant"));
        setup.size = Size { width: rows[0].len() as u8, height: rows.len() as u8 };
        for (row, line) in rows.iter().rev().enumerate() {
            for (column, symbol) in line.bytes().enumerate() {
                if let Some(color) = b"XO".iter().position(|&stone| stone == symbol) {
                    setup.stones[color].push((column as u8, row as u8));
                }
            }
        }
        let mut game = Game::new(&setup).expect("a start");
        for _ in 0..passes {
            game.play(game.to_move(), &Turn::pass()).expect("a pass");
        }
        pass_warning(&game)
    }

    #[test]
    fn a_pass_is_warned_of_on_an_open_board() {
        let open = [".......", "..X....", ".......", "....O..", ".......", "..X....", "......."];
        assert_eq!(warning(&open, 0).as_deref(), Some("Much of the board is open."));
        let text = warning(&open, 1).expect("a warning");
        assert!(text.starts_with("Much of the board is open, and two passes end the game: "));
    }

    #[test]
    fn closed_borders_are_no_open_board_even_around_dead_stones() {
        let closed = ["..XO...", "..XO...", "..XO...", "O.XO...", "..XO.X.", "..XO...", "..XO..."];
        let filled = ["XXXOOO.", "XXXOOOO", "XXXOOOO", "XXXOOOO", "X.XO.OO", "XXXOOOO", "XX.OOOO"];
        for rows in [closed, filled] {
            assert_eq!([0, 1].map(|passes| warning(&rows, passes)), [None, None], "{rows:?}");
        }
    }

    #[test]
    fn neutral_points_are_named_before_the_game_ends() {
        let rows = ["..X.O..", "..X.O..", "..X.O..", "..X.O..", "..X.O..", "..X.O..", "..X.O.."];
        let text = warning(&rows, 1).expect("a warning");
        assert!(text.contains("7 points are still neutral"), "{text}");
        assert_eq!(warning(&rows, 0), None);
    }
}
