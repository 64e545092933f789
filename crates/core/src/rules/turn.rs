//! Turns, and their notation.

use super::illegal::Illegal;
use super::step::{Step, StepKind, StepKindInfo, TurnLength};
use super::variant::VariantInfo;
use crate::board::{Color, Grid, Point, column_name};
use smallvec::SmallVec;

/// The points of a turn in order; up to twelve without allocation.
pub type TurnPoints = SmallVec<[Point; 12]>;

/// All that one player does before the other moves: a kind and its points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    kind: StepKind,
    points: TurnPoints,
}

impl Turn {
    /// A turn of the kind of its first step, with the points of all its steps.
    pub fn new(kind: StepKind, points: impl IntoIterator<Item = Point>) -> Turn {
        let points = points.into_iter().collect();
        Turn { kind, points }
    }

    /// A pass.
    pub fn pass() -> Turn {
        Turn::new(StepKind::PASS, [])
    }

    /// A stone.
    pub fn stone(point: Point) -> Turn {
        Turn::new(StepKind::STONE, [point])
    }

    /// The kind of its first step.
    pub fn kind(&self) -> StepKind {
        self.kind
    }

    /// Its points in order; empty for a pass.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The steps of its points, without the end of a turn of several.
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.points.iter().map(|&point| Step::new(self.kind, point))
    }

    /// Whether another turn has the same steps, in any order.
    pub fn has_steps_of(&self, other: &Turn) -> bool {
        let in_order = |turn: &Turn| {
            let mut points = turn.points.clone();
            points.sort_unstable();
            points
        };
        self.kind == other.kind && in_order(self) == in_order(other)
    }

    pub(super) fn push(&mut self, point: Option<Point>) {
        self.points.extend(point);
    }

    /// Whether it is a pass.
    pub fn is_pass(&self) -> bool {
        self.kind == StepKind::PASS
    }

    /// The point, if this is a stone.
    pub fn stone_point(&self) -> Option<Point> {
        let point = self.points.first().copied();
        point.filter(|_| self.kind == StepKind::STONE)
    }
}

/// The meaning of a text that should be a turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A turn.
    Turn(Turn),
    /// Resignation; not a turn.
    Resign,
}

/// Why a text is not a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnError {
    /// The text is not a turn of this variant.
    #[error("no such turn")]
    Syntax,
    /// A vertex is not on this board.
    #[error("off the board")]
    OffBoard,
}

impl From<TurnError> for Illegal {
    fn from(error: TurnError) -> Illegal {
        match error {
            TurnError::Syntax => Illegal::NoSuchTurn,
            TurnError::OffBoard => Illegal::OffBoard,
        }
    }
}

/// The side before a written turn, if it has one (`B nuke D4`), and the words of the turn.
pub fn split_color<W: AsRef<str>>(words: &[W]) -> (Option<Color>, &[W]) {
    let color = words.first().and_then(|word| parse_color(word.as_ref()));
    match (color, words) {
        (Some(_), [_, turn @ ..]) => (color, turn),
        _ => (None, words),
    }
}

/// Column and row, from 0, of a written vertex (`D4`, `d4`) on any board; both are at most 999.
pub fn parse_vertex(text: &str) -> Option<(u16, u16)> {
    let split = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, digits) = text.split_at(split);
    let canonical = (1..=2).contains(&letters.len())
        && digits.len() <= 3
        && digits.bytes().all(|b| b.is_ascii_digit());
    let row: u16 = canonical.then(|| digits.parse().ok()).flatten()?;
    let mut column = 0;
    for letter in letters.bytes() {
        let at = match letter.to_ascii_uppercase() {
            b'I' => return None,
            high @ b'J'..=b'Z' => high - b'B',
            low => low - b'A',
        };
        column = column * 25 + u16::from(at) + 1;
    }
    (row > 0).then(|| (column - 1, row - 1))
}

/// Whether a text has the form of a vertex: `D4`, `Z99`, and with the unused letter `I5`.
pub fn is_written_vertex(text: &str) -> bool {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = text.len() - digits.len();
    (1..=2).contains(&letters)
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text has the form of a vertex with the letter I, which no board has.
pub fn names_column_i(text: &str) -> bool {
    is_written_vertex(text) && text.contains(['i', 'I'])
}

/// The point of a written vertex in the flat form.
pub fn parse_point(grid: &Grid, text: &str) -> Result<Point, TurnError> {
    let (column, row) = parse_vertex(text).ok_or(TurnError::Syntax)?;
    let small = |n: u16| u8::try_from(n).map_err(|_| TurnError::OffBoard);
    grid.point(small(column)?, small(row)?).ok_or(TurnError::OffBoard)
}

/// A point as a vertex of the flat form.
pub fn vertex(grid: &Grid, point: Point) -> String {
    let (column, row) = grid.coordinates(point);
    format!("{}{}", column_name(column), row + 1)
}

impl VariantInfo {
    /// The turn of only this step; `None` if its turn may have more steps.
    pub fn whole_turn(&self, step: Step) -> Option<Turn> {
        match (step.kind(), step.point()) {
            (StepKind::PASS, _) => Some(Turn::pass()),
            (kind, Some(point)) if !self.kind(kind)?.is_several() => Some(Turn::new(kind, [point])),
            _ => None,
        }
    }

    /// Parses the words of a turn, or `resign`, in any letter case.
    pub fn parse_turn(&self, grid: &Grid, words: &[&str]) -> Result<Action, TurnError> {
        let (&head, rest) = words.split_first().ok_or(TurnError::Syntax)?;
        let is = |word: &str| head.eq_ignore_ascii_case(word);
        match rest {
            [] if is("pass") => return Ok(Action::Turn(Turn::pass())),
            [] if is("resign") => return Ok(Action::Resign),
            _ => {}
        }
        let mut kinds = self.step_kinds();
        let turn = match kinds.find(|(_, info)| !info.word.is_empty() && is(info.word)) {
            Some((kind, info)) => Turn::new(kind, parse_points(grid, info, rest)?),
            None => match words {
                [vertex] => Turn::stone(parse_point(grid, vertex)?),
                _ => match self.kinds.first() {
                    Some(stone) if stone.word.is_empty() => {
                        Turn::new(StepKind::STONE, parse_points(grid, stone, words)?)
                    }
                    _ => return Err(TurnError::Syntax),
                },
            },
        };
        Ok(Action::Turn(turn))
    }

    /// The turn in writing, which [`parse_turn`](Self::parse_turn) reads, and `play` of GTP as a
    /// whole turn. A turn of another game has `?` as its word.
    pub fn write_turn(&self, grid: &Grid, turn: &Turn) -> String {
        let steps = self.write_steps(grid, turn);
        match (self.kind(turn.kind), turn.points()) {
            (Some(kind), [_]) if kind.repeats_single_point() => format!("{steps} {steps}"),
            _ => steps,
        }
    }

    /// The steps of a turn in writing, without its end.
    pub fn write_steps(&self, grid: &Grid, turn: &Turn) -> String {
        let unknown = StepKindInfo { word: "?", ..StepKindInfo::STONE };
        let kind = match self.kind(turn.kind) {
            None if turn.is_pass() => return "pass".to_owned(),
            known => known.unwrap_or(&unknown),
        };
        let points = turn.points.iter().map(|&point| {
            if !kind.on_layer {
                return vertex(grid, point);
            }
            let (layer, column, row) = grid.layer_coordinates(point);
            format!("{layer} {}{}", column_name(column), row + 1)
        });
        let word = (!kind.word.is_empty()).then(|| kind.word.to_owned());
        word.into_iter().chain(points).collect::<Vec<_>>().join(" ")
    }
}

fn parse_points(grid: &Grid, info: &StepKindInfo, words: &[&str]) -> Result<TurnPoints, TurnError> {
    match (info.on_layer, info.length, words) {
        (true, _, [layer, vertex]) => {
            Ok(SmallVec::from_slice(&[parse_on_layer(grid, layer, vertex)?]))
        }
        (false, TurnLength::One, [_])
        | (false, TurnLength::Exact | TurnLength::Several, [_, ..]) => {
            let points = words.iter().map(|text| parse_point(grid, text));
            let mut points = points.collect::<Result<TurnPoints, _>>()?;
            if let [.., latest, end] = *points
                && latest == end
                && info.repeats_single_point()
            {
                points.pop();
            }
            Ok(points)
        }
        _ => Err(TurnError::Syntax),
    }
}

fn parse_on_layer(grid: &Grid, layer: &str, text: &str) -> Result<Point, TurnError> {
    let layer: u16 = layer.parse().map_err(|_| TurnError::Syntax)?;
    let (column, row) = parse_vertex(text).ok_or(TurnError::Syntax)?;
    let small = |n: u16| u8::try_from(n).map_err(|_| TurnError::OffBoard);
    grid.point_on_layer(small(layer)?, small(column)?, small(row)?).ok_or(TurnError::OffBoard)
}

/// Parses a colour: `b`, `w`, `black`, `white`, in any letter case.
pub fn parse_color(text: &str) -> Option<Color> {
    let is = |name: &str| text.eq_ignore_ascii_case(name);
    match () {
        () if is("b") || is("black") => Some(Color::Black),
        () if is("w") || is("white") => Some(Color::White),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Action, Turn};
    use crate::board::Color::Black;
    use crate::rules::{Game, Illegal, Setup, Size, Step, variant};

    fn game(id: &str, side: u8) -> Game {
        let setup = Setup { size: Size::square(side), ..Setup::new(variant(id).expect(id)) };
        Game::new(&setup).expect("a game")
    }

    fn turn(game: &Game, words: &str) -> Turn {
        match game.parse(words) {
            Ok(Action::Turn(turn)) => turn,
            other => panic!("{words}: {other:?}"),
        }
    }

    /// A turn does not know for which game it was read.
    #[test]
    fn a_turn_of_another_game_is_refused_for_what_it_is() {
        let large = game("go", 25);
        for (id, side) in [("go", 9), ("no", 2), ("sygo", 24), ("2.5d", 5), ("corners", 19)] {
            let mut game = game(id, side);
            let before = game.state();
            let stone = turn(&large, "Z25");
            assert_eq!(game.check(Black, &stone), Err(Illegal::OffBoard), "{id}");
            assert_eq!(game.play(Black, &stone), Err(Illegal::OffBoard), "{id}");
            let step = Step::stone(stone.points()[0]);
            assert_eq!(game.check_next_step(Black, step), Err(Illegal::OffBoard), "{id}");
            assert_eq!(game.step(Black, step), Err(Illegal::OffBoard), "{id}");
            assert_eq!(game.state(), before, "{id}");
        }
        let nuke = turn(&game("no", 9), "nuke D4");
        let growth = turn(&game("sygo", 9), "grow D4 E5");
        let mut go = game("go", 9);
        for (turn, written) in [(nuke, "? D4"), (growth, "? D4 E5")] {
            assert_eq!(go.play(Black, &turn), Err(Illegal::NoSuchTurn));
            assert_eq!(go.write(&turn), written);
            assert!(go.parse(written).is_err());
        }
        assert_eq!(go.write(&Turn::pass()), "pass");
    }

    #[test]
    fn turns_are_keys() {
        let game = game("sygo", 9);
        let actions =
            ["grow D4 E5", "D4", "pass", "resign"].map(|words| game.parse(words).expect(words));
        let set: std::collections::HashSet<_> = actions.iter().chain(&actions).collect();
        assert_eq!(set.len(), 4);
    }
}
