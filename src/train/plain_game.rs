//! Games of stones and passes, which every Go engine can follow.

use super::game::{NO_STEP, TrainingGame, begin};
use crate::board::{Color, Grid, Topology, column_name};
use crate::rules::{Setup, Size, Step, Turn, VariantInfo, parse_color, parse_vertex};

/// Column and row from 0, from the lower left.
pub type Coordinates = (u8, u8);

/// A game on a rectangle with alternating sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainGame {
    pub size: Size,
    /// Before the first move: Black's, White's.
    pub stones: [Vec<Coordinates>; 2],
    pub first: Color,
    /// `None` is a pass.
    pub moves: Vec<Option<Coordinates>>,
}

const NOT_PLAIN: &str = "the board is not a rectangle without blocked points";

impl PlainGame {
    pub fn new(size: Size) -> PlainGame {
        PlainGame { size, stones: Default::default(), first: Color::Black, moves: Vec::new() }
    }

    /// Reads a line such as `B D4 W Q16 B pass`.
    pub fn from_line(line: &str, size: Size) -> Result<PlainGame, String> {
        let mut game = PlainGame::new(size);
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let color = parse_color(word).ok_or_else(|| no_move(word))?;
            let vertex = words.next().unwrap_or_default();
            game.add(color, parse_move(vertex, size)?)?;
        }
        Ok(game)
    }

    pub fn from_turns(setup: &Setup, turns: &[(Color, Turn)]) -> Result<PlainGame, String> {
        let (grid, mut game) = PlainGame::start(setup)?;
        for (number, (color, turn)) in (1..).zip(turns) {
            let stone = turn.stone_point().map(|point| grid.coordinates(point));
            game.add(*color, plain_move(number, stone, turn.is_pass())?)?;
        }
        Ok(game)
    }

    pub fn from_training(
        record: &TrainingGame,
        info: &'static VariantInfo,
    ) -> Result<PlainGame, String> {
        let setup = record.start.setup(info)?;
        let (grid, mut game) = PlainGame::start(&setup)?;
        let (start, board) = begin(&setup)?;
        game.first = start.to_move();
        let steps = record.before.iter().copied();
        let steps = steps.chain(record.steps.iter().map(|step| step.step));
        for (number, step) in (1..).zip(steps) {
            let step = board.step(info, usize::from(step)).ok_or(NO_STEP)?;
            let stone = step.stone_point().map(|point| grid.coordinates(point));
            game.moves.push(plain_move(number, stone, step == Step::PASS)?);
        }
        Ok(game)
    }

    fn start(setup: &Setup) -> Result<(Grid, PlainGame), String> {
        if !setup.info.alternates {
            return Err(format!("the sides of {} do not take turns", setup.info.id));
        }
        let is_plain = |grid: &Grid| {
            setup.blocked_points.is_empty()
                && grid.layers() == 1
                && grid.topology() == Topology::RECTANGLE
        };
        let grid = setup.grid().ok().filter(is_plain).ok_or(NOT_PLAIN)?;
        let [black, white] = &setup.stones;
        let stones = [[setup.handicap.as_slice(), black].concat(), white.clone()];
        let first = setup.to_move.unwrap_or_else(|| usual_first(&stones));
        Ok((grid, PlainGame { size: setup.size, stones, first, moves: Vec::new() }))
    }

    /// The first move decides which side begins.
    pub fn add(&mut self, color: Color, place: Option<Coordinates>) -> Result<(), String> {
        if self.moves.is_empty() {
            self.first = color;
        }
        if color != self.to_move() {
            return Err(format!("move {} is not its colour's turn", self.moves.len() + 1));
        }
        self.moves.push(place);
        Ok(())
    }

    pub fn to_move(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.first } else { !self.first }
    }

    pub fn colored_moves(&self) -> impl Iterator<Item = (Color, Option<Coordinates>)> {
        let colors = [self.first, !self.first].into_iter().cycle();
        colors.zip(self.moves.iter().copied())
    }

    pub fn colored_stones(&self) -> impl Iterator<Item = (Color, Coordinates)> {
        let of = |(color, stones): (Color, &'_ Vec<Coordinates>)| {
            stones.clone().into_iter().map(move |place| (color, place))
        };
        Color::BOTH.into_iter().zip(&self.stones).flat_map(of)
    }

    /// `None` if the game has fewer moves.
    pub fn until(&self, moves: usize) -> Option<PlainGame> {
        let moves = self.moves.get(..moves)?.to_vec();
        Some(PlainGame { moves, stones: self.stones.clone(), ..*self })
    }
}

fn plain_move(
    number: usize,
    stone: Option<Coordinates>,
    is_pass: bool,
) -> Result<Option<Coordinates>, String> {
    if stone.is_some() || is_pass {
        Ok(stone)
    } else {
        Err(format!("turn {number} is neither a stone nor a pass"))
    }
}

/// By default White begins after only black stones.
pub fn usual_first([black, white]: &[Vec<Coordinates>; 2]) -> Color {
    if !black.is_empty() && white.is_empty() { Color::White } else { Color::Black }
}

pub fn write_move(place: Option<Coordinates>) -> String {
    place.map_or_else(
        || "pass".to_owned(),
        |(column, row)| format!("{}{}", column_name(column), row + 1),
    )
}

pub fn parse_move(text: &str, size: Size) -> Result<Option<Coordinates>, String> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(None);
    }
    let (column, row) = parse_vertex(text).ok_or_else(|| no_move(text))?;
    let small = |number: u16, side: u8| u8::try_from(number).ok().filter(|&number| number < side);
    match small(column, size.width).zip(small(row, size.height)) {
        Some(place) => Ok(Some(place)),
        None => Err(format!("{text} is not on a board of {}x{}", size.width, size.height)),
    }
}

fn no_move(word: &str) -> String {
    format!("'{word}': expected moves such as B D4 W pass")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::go;
    use crate::train::game::{Start, TrainingStep};

    #[test]
    fn a_line_of_moves_is_a_game() {
        let game = PlainGame::from_line("B D4 W pass B J9", Size::square(9)).expect("a game");
        assert_eq!(game.moves, [Some((3, 3)), None, Some((8, 8))]);
        assert_eq!((game.first, game.to_move()), (Color::Black, Color::White));
        let part = game.until(1).expect("a move");
        assert_eq!((part.moves.len(), part.to_move()), (1, Color::White));
        assert_eq!(game.until(4), None);
        for (line, error) in [
            ("B D4 B E5", "move 2 is not its colour's turn"),
            ("B K1", "K1 is not on a board of 9x9"),
            ("B D4 X E5", "'X': expected moves such as B D4 W pass"),
            ("B", "'': expected moves such as B D4 W pass"),
        ] {
            let game = PlainGame::from_line(line, Size::square(9));
            assert_eq!(game, Err(error.to_owned()));
        }
    }

    #[test]
    fn a_game_of_a_data_file_is_the_same_game() {
        let step = |step| TrainingStep { step, ..TrainingStep::default() };
        let record = TrainingGame {
            start: Start { size: (9, 9), handicap: vec![(2, 2), (6, 6)], ..Start::default() },
            before: vec![40],
            steps: vec![step(81), step(0)],
            ..TrainingGame::default()
        };
        let game = PlainGame::from_training(&record, &go::INFO).expect("a game");
        assert_eq!(game.first, Color::White);
        assert_eq!(game.moves, [Some((4, 4)), None, Some((0, 0))]);
        assert_eq!(game.colored_stones().count(), 2);
        let walled = Start { blocked: vec![(0, 0)], ..record.start.clone() };
        let walled = TrainingGame { start: walled, ..record };
        assert_eq!(PlainGame::from_training(&walled, &go::INFO), Err(NOT_PLAIN.to_owned()));
    }
}
