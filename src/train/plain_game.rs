//! Games of stones and passes alone, which every engine of Go and every record can follow.

use super::game::{ReplayError, TrainingGame, Unplayable};
use crate::board::{Color, Grid, Topology, column_name};
use crate::rules::{
    AnyGame, Setup, Size, Step, Turn, VariantInfo, parse_color, parse_vertex, with_game,
};
use crate::search::neural::NetBoard;

/// Column and row of a point, from 0 at the lower left.
pub type Place = (u8, u8);

/// A game on a rectangle in which the sides alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainGame {
    pub size: Size,
    /// Stones set up before the first move: Black's, White's.
    pub stones: [Vec<Place>; 2],
    /// The side that makes the first move.
    pub first: Color,
    /// The moves; `None` is a pass.
    pub moves: Vec<Option<Place>>,
}

/// Why a game is not a [`PlainGame`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotPlain {
    /// A word of a line of moves is not a colour or a vertex.
    #[error("'{0}': expected moves such as B D4 W pass")]
    Word(String),
    /// A vertex is not on the board.
    #[error("{0} is not on a board of {1}x{2}")]
    OffBoard(String, u8, u8),
    /// A colour moved twice in a row.
    #[error("move {0} is not its colour's turn")]
    OutOfTurn(usize),
    /// A turn places no stone and is no pass.
    #[error("turn {0} is neither a stone nor a pass")]
    Special(usize),
    /// Points are blocked, stacked in layers, or joined across sides.
    #[error("the board is not a rectangle without blocked points")]
    Board,
    /// The game cannot be replayed.
    #[error("{0}")]
    Replay(#[from] ReplayError),
}

impl PlainGame {
    /// An empty board.
    pub fn new(size: Size) -> PlainGame {
        PlainGame { size, stones: Default::default(), first: Color::Black, moves: Vec::new() }
    }

    /// The game of a line such as `B D4 W Q16 B pass`.
    ///
    /// # Errors
    /// [`NotPlain`].
    pub fn of_line(line: &str, size: Size) -> Result<PlainGame, NotPlain> {
        let mut game = PlainGame::new(size);
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let color = parse_color(word).ok_or_else(|| NotPlain::Word(word.to_owned()))?;
            let vertex = words.next().unwrap_or_default();
            game.add(color, parse_move(vertex, size)?)?;
        }
        Ok(game)
    }

    /// The game with this setup and these turns.
    ///
    /// # Errors
    /// [`NotPlain`].
    pub fn of_turns(setup: &Setup, turns: &[(Color, Turn)]) -> Result<PlainGame, NotPlain> {
        let (grid, mut game) = PlainGame::start(setup)?;
        for (number, (color, turn)) in (1..).zip(turns) {
            let place = match turn.stone_point() {
                Some(point) => Some(grid.coordinates(point)),
                None if turn.is_pass() => None,
                None => return Err(NotPlain::Special(number)),
            };
            game.add(*color, place)?;
        }
        Ok(game)
    }

    /// A game of a data file.
    ///
    /// # Errors
    /// [`NotPlain`].
    pub fn of_training(
        record: &TrainingGame,
        info: &'static VariantInfo,
    ) -> Result<PlainGame, NotPlain> {
        let setup = record.start.setup(info).map_err(ReplayError::from)?;
        let (grid, mut game) = PlainGame::start(&setup)?;
        let start = AnyGame::new(&setup).map_err(|why| ReplayError::from(Unplayable::from(why)))?;
        let board = with_game!(&start, game => NetBoard::new(&game.position().board));
        game.first = start.to_move();
        let steps = record.before.iter().copied();
        let steps = steps.chain(record.steps.iter().map(|step| step.step));
        for (number, step) in (1..).zip(steps) {
            let step = board.step(info, usize::from(step)).ok_or(ReplayError::Step)?;
            let place = match step.stone_point() {
                Some(point) => Some(grid.coordinates(point)),
                None if step == Step::PASS => None,
                None => return Err(NotPlain::Special(number)),
            };
            game.moves.push(place);
        }
        Ok(game)
    }

    /// The start of games with this setup.
    fn start(setup: &Setup) -> Result<(Grid, PlainGame), NotPlain> {
        let grid = setup.grid().map_err(|_| NotPlain::Board)?;
        let is_plain = setup.blocked_points.is_empty()
            && grid.layers() == 1
            && grid.topology() == Topology::RECTANGLE;
        if !is_plain {
            return Err(NotPlain::Board);
        }
        let [black, white] = &setup.stones;
        let stones = [[setup.handicap.as_slice(), black].concat(), white.clone()];
        let first = setup.to_move.unwrap_or_else(|| usual_first(&stones));
        Ok((grid, PlainGame { size: setup.size, stones, first, moves: Vec::new() }))
    }

    /// Adds a move. The first one decides which side begins.
    ///
    /// # Errors
    /// [`NotPlain::OutOfTurn`].
    pub fn add(&mut self, color: Color, place: Option<Place>) -> Result<(), NotPlain> {
        if self.moves.is_empty() {
            self.first = color;
        }
        if color != self.to_move() {
            return Err(NotPlain::OutOfTurn(self.moves.len() + 1));
        }
        self.moves.push(place);
        Ok(())
    }

    /// The side to move after all moves.
    pub fn to_move(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.first } else { !self.first }
    }

    /// The moves with their colours.
    pub fn colored_moves(&self) -> impl Iterator<Item = (Color, Option<Place>)> {
        let colors = [self.first, !self.first].into_iter().cycle();
        colors.zip(self.moves.iter().copied())
    }

    /// The stones of the start with their colours.
    pub fn colored_stones(&self) -> impl Iterator<Item = (Color, Place)> {
        let of = |(color, stones): (Color, &'_ Vec<Place>)| {
            stones.clone().into_iter().map(move |place| (color, place))
        };
        Color::BOTH.into_iter().zip(&self.stones).flat_map(of)
    }

    /// The same on a board of another size; `None` if a stone is not on it.
    pub fn on_board(self, size: Size) -> Option<PlainGame> {
        let is_on_board = |&(column, row): &Place| column < size.width && row < size.height;
        let stones = self.stones.iter().flatten();
        let fits = stones.chain(self.moves.iter().flatten()).all(is_on_board);
        fits.then_some(PlainGame { size, ..self })
    }

    /// The game up to a move; `None` if it has fewer moves.
    pub fn until(&self, moves: usize) -> Option<PlainGame> {
        let moves = self.moves.get(..moves)?.to_vec();
        Some(PlainGame { moves, stones: self.stones.clone(), ..*self })
    }
}

/// The side that begins with these stones, unless something says otherwise: White after
/// stones of Black alone.
pub fn usual_first([black, white]: &[Vec<Place>; 2]) -> Color {
    if !black.is_empty() && white.is_empty() { Color::White } else { Color::Black }
}

/// A move as a vertex or `pass`.
pub fn write_move(place: Option<Place>) -> String {
    place.map_or_else(
        || "pass".to_owned(),
        |(column, row)| format!("{}{}", column_name(column), row + 1),
    )
}

/// Reads a vertex of a board, or `pass`.
///
/// # Errors
/// [`NotPlain`].
pub fn parse_move(text: &str, size: Size) -> Result<Option<Place>, NotPlain> {
    if text.eq_ignore_ascii_case("pass") {
        return Ok(None);
    }
    let (column, row) = parse_vertex(text).ok_or_else(|| NotPlain::Word(text.to_owned()))?;
    let small = |number: u16, side: u8| u8::try_from(number).ok().filter(|&number| number < side);
    match small(column, size.width).zip(small(row, size.height)) {
        Some(place) => Ok(Some(place)),
        None => Err(NotPlain::OffBoard(text.to_owned(), size.width, size.height)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::go;
    use crate::train::game::{Start, TrainingStep};

    #[test]
    fn a_line_of_moves_is_a_game() {
        let game = PlainGame::of_line("B D4 W pass B J9", Size::square(9)).expect("a game");
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
            let found = PlainGame::of_line(line, Size::square(9));
            assert_eq!(found.map_err(|error| error.to_string()), Err(error.to_owned()));
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
        let game = PlainGame::of_training(&record, &go::INFO).expect("a game");
        assert_eq!(game.first, Color::White);
        assert_eq!(game.moves, [Some((4, 4)), None, Some((0, 0))]);
        assert_eq!(game.colored_stones().count(), 2);
        let walled = Start { blocked: vec![(0, 0)], ..record.start.clone() };
        let walled = TrainingGame { start: walled, ..record };
        assert_eq!(PlainGame::of_training(&walled, &go::INFO), Err(NotPlain::Board));
    }
}
