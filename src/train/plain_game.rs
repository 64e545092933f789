//! Games of stones and passes, which every Go engine can follow: a teacher is asked about their
//! positions, and labels begin with them.

use super::game::{NO_STEP, Phase, TrainingGame, begin};
use crate::board::{Color, Grid, Random, Topology, column_name};
use crate::rules::{Scoring, Setup, Size, Step, Turn, VariantInfo, parse_color, parse_vertex};
use serde_json::{Value, json};
use std::fmt::{self, Display};

/// Column and row from 0, from the lower left.
pub type Coordinates = (u8, u8);

/// A game on a rectangle with alternating sides.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainGame {
    /// Its handicap is among its stones, and it states the side of the first move.
    pub setup: Setup,
    /// `None` is a pass.
    pub moves: Vec<Option<Coordinates>>,
}

impl PlainGame {
    pub fn new(mut setup: Setup) -> Result<PlainGame, String> {
        if !setup.info.alternates {
            return Err(format!("the sides of {} do not take turns", setup.info.id));
        }
        let is_plain = |grid: &Grid| {
            setup.blocked_points.is_empty()
                && grid.layers() == 1
                && grid.topology() == Topology::RECTANGLE
        };
        if !setup.grid().is_ok_and(|grid| is_plain(&grid)) {
            return Err("the board is not a rectangle without blocked points".to_owned());
        }
        let handicap = std::mem::take(&mut setup.handicap);
        setup.stones[0].splice(..0, handicap);
        setup.to_move.get_or_insert(usual_first(&setup.stones));
        Ok(PlainGame { setup, moves: Vec::new() })
    }

    /// Reads a line such as `B D4 W Q16 B pass`.
    pub fn from_line(line: &str, setup: &Setup) -> Result<PlainGame, String> {
        let mut game = PlainGame::new(setup.clone())?;
        let mut words = line.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let color = parse_color(word).ok_or_else(|| no_move(word))?;
            let vertex = words.next().unwrap_or_default();
            game.add(color, parse_move(vertex, setup.size)?)?;
        }
        Ok(game)
    }

    pub fn from_turns(setup: &Setup, turns: &[(Color, Turn)]) -> Result<PlainGame, String> {
        let (grid, mut game) = (setup.grid().ok(), PlainGame::new(setup.clone())?);
        for (color, turn) in turns {
            let stone = turn.stone_point().zip(grid).map(|(point, grid)| grid.coordinates(point));
            let place = game.plain(stone, turn.is_pass())?;
            game.add(*color, place)?;
        }
        Ok(game)
    }

    pub fn from_training(
        record: &TrainingGame,
        info: &'static VariantInfo,
    ) -> Result<PlainGame, String> {
        let setup = record.start.setup(info)?;
        let (start, board) = begin(&setup)?;
        let mut game = PlainGame::new(Setup { to_move: Some(start.to_move()), ..setup })?;
        let steps = record.steps.iter().map(|step| step.step);
        for step in record.before.iter().copied().chain(steps) {
            let step = board.step(info, usize::from(step)).ok_or(NO_STEP)?;
            let stone = step.stone_point().map(|point| start.grid().coordinates(point));
            game.moves.push(game.plain(stone, step == Step::PASS)?);
        }
        Ok(game)
    }

    fn plain(
        &self,
        stone: Option<Coordinates>,
        is_pass: bool,
    ) -> Result<Option<Coordinates>, String> {
        let turn = self.moves.len() + 1;
        let is_plain = stone.is_some() || is_pass;
        is_plain.then_some(stone).ok_or(format!("turn {turn} is neither a stone nor a pass"))
    }

    /// The first move decides which side begins.
    pub fn add(&mut self, color: Color, place: Option<Coordinates>) -> Result<(), String> {
        if self.moves.is_empty() {
            self.setup.to_move = Some(color);
        }
        if color != self.color(self.moves.len()) {
            return Err(format!("move {} is not its colour's turn", self.moves.len() + 1));
        }
        self.moves.push(place);
        Ok(())
    }

    /// The side of a move, counted from 0.
    fn color(&self, number: usize) -> Color {
        let first = self.setup.to_move.unwrap_or(Color::Black);
        if number.is_multiple_of(2) { first } else { !first }
    }

    pub fn colored_moves(&self) -> impl Iterator<Item = (Color, Option<Coordinates>)> {
        self.moves.iter().enumerate().map(|(number, &place)| (self.color(number), place))
    }

    fn colored_stones(&self) -> impl Iterator<Item = (Color, Option<Coordinates>)> {
        let stones = Color::BOTH.into_iter().zip(&self.setup.stones);
        stones.flat_map(|(color, stones)| stones.iter().map(move |&place| (color, Some(place))))
    }

    /// The query to an engine of KataGo's analysis protocol about the last position.
    pub fn query(&self) -> Value {
        let pair = |(color, place): (Color, _)| json!([color.letter(), write_move(place)]);
        json!({
            "boardXSize": self.setup.size.width,
            "boardYSize": self.setup.size.height,
            "rules": match self.setup.rules.scoring {
                Scoring::Area => "chinese",
                Scoring::Territory => "japanese",
            },
            // Labels state compensation only as komi.
            "whiteHandicapBonus": "0",
            "komi": self.setup.rules.komi,
            "initialStones": self.colored_stones().map(pair).collect::<Vec<_>>(),
            "initialPlayer": self.color(0).letter(),
            "moves": self.colored_moves().map(pair).collect::<Vec<_>>(),
        })
    }
}

/// The first fields of a [label](super::label).
impl Display for PlainGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Size { width, height } = self.setup.size;
        if width == height {
            write!(f, "{width} ")?;
        } else {
            write!(f, "{width}x{height} ")?;
        }
        let first = self.color(0);
        if self.moves.is_empty() && first != usual_first(&self.setup.stones) {
            write!(f, "{}:", letter(first))?;
        }
        let rules = match self.setup.rules.scoring {
            Scoring::Area => 'c',
            Scoring::Territory => 'j',
        };
        let (stones, moves) = (move_words(self.colored_stones()), move_words(self.colored_moves()));
        write!(f, "{stones} {moves} {:.1} {rules}", self.setup.rules.komi)
    }
}

/// The positions of games that are labelled.
#[derive(Clone, Debug)]
pub struct PositionSettings {
    pub share: f32,
    pub phases: Vec<Phase>,
    /// In points.
    pub komi_stdev: f32,
    pub scorings: Vec<Scoring>,
    pub seed: u64,
}

impl PositionSettings {
    /// Depends only on the settings, the game and its number.
    pub fn positions(&self, game: &PlainGame, number: usize) -> Vec<PlainGame> {
        let seed = (number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = Random::new(self.seed.wrapping_add(seed));
        let mut positions = Vec::new();
        for turn in 0..=game.moves.len() {
            let is_drawn = random.fraction() < self.share;
            let spread = self.komi_stdev * super::normal(&mut random);
            let scoring = random.below(self.scorings.len() as u32) as usize;
            let phase = Phase::at(game.setup.size, game.colored_stones().count() + turn);
            let is_wanted = is_drawn && self.phases.contains(&phase);
            let scoring = self.scorings.get(scoring).filter(|_| is_wanted);
            if let Some((&scoring, moves)) = scoring.zip(game.moves.get(..turn)) {
                let mut setup = game.setup.clone();
                let halves = (2.0 * setup.rules.komi).round() + f64::from((2.0 * spread).round());
                setup.rules.komi = halves / 2.0;
                setup.rules.scoring = scoring;
                positions.push(PlainGame { setup, moves: moves.to_vec() });
            }
        }
        positions
    }
}

/// By default White begins after only black stones.
pub fn usual_first([black, white]: &[Vec<Coordinates>; 2]) -> Color {
    if !black.is_empty() && white.is_empty() { Color::White } else { Color::Black }
}

fn letter(color: Color) -> char {
    color.letter().to_ascii_lowercase()
}

fn move_words(moves: impl Iterator<Item = (Color, Option<Coordinates>)>) -> String {
    let words: Vec<String> =
        moves.map(|(color, place)| format!("{}{}", letter(color), write_move(place))).collect();
    if words.is_empty() { "-".to_owned() } else { words.join(",") }
}

fn write_move(place: Option<Coordinates>) -> String {
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

    fn of_size(width: u8, height: u8) -> Setup {
        Setup { size: Size { width, height }, ..Setup::new(&go::INFO) }
    }

    #[test]
    fn a_line_of_moves_is_a_game() {
        let game = PlainGame::from_line("W D4 B pass W J9", &of_size(9, 9)).expect("a game");
        assert_eq!(game.moves, [Some((3, 3)), None, Some((8, 8))]);
        assert_eq!(game.setup.to_move, Some(Color::White));
        for (line, error) in [
            ("B D4 B E5", "move 2 is not its colour's turn"),
            ("B K1", "K1 is not on a board of 9x9"),
            ("B D4 X E5", "'X': expected moves such as B D4 W pass"),
            ("B", "'': expected moves such as B D4 W pass"),
        ] {
            let game = PlainGame::from_line(line, &of_size(9, 9));
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
        assert_eq!(game.setup.to_move, Some(Color::White));
        assert_eq!(game.moves, [Some((4, 4)), None, Some((0, 0))]);
        assert_eq!(game.colored_stones().count(), 2);
        let walled = Start { blocked: vec![(0, 0)], ..record.start.clone() };
        let walled = TrainingGame { start: walled, ..record };
        let refused = PlainGame::from_training(&walled, &go::INFO);
        let why = "the board is not a rectangle without blocked points";
        assert_eq!(refused, Err(why.to_owned()));
    }

    fn settings() -> PositionSettings {
        PositionSettings {
            share: 1.0,
            phases: Phase::ALL.to_vec(),
            komi_stdev: 0.0,
            scorings: vec![Scoring::Area],
            seed: 1,
        }
    }

    fn game() -> PlainGame {
        let moves = "B D4 W E5 B D5 W E4 B D3 W E3 B D6 W E6 B D2 W E2 B pass W pass";
        PlainGame::from_line(moves, &of_size(5, 6)).expect("a game")
    }

    #[test]
    fn positions_depend_on_their_seed_and_game_alone() {
        let all = settings().positions(&game(), 5);
        assert_eq!(all.len(), 13);
        assert!(all.iter().enumerate().all(|(turn, one)| one.moves.len() == turn));
        assert!(all.iter().all(|one| one.setup == game().setup));
        let late = PositionSettings { phases: vec![Phase::End], ..settings() };
        assert_eq!(late.positions(&game(), 5), all[12..]);
        let both = vec![Scoring::Area, Scoring::Territory];
        let spread = PositionSettings { komi_stdev: 6.0, share: 0.5, scorings: both, ..settings() };
        let positions = spread.positions(&game(), 5);
        assert!((2..12).contains(&positions.len()) && spread.positions(&game(), 5) == positions);
        assert!(spread.positions(&game(), 6) != positions);
        assert!(positions.iter().any(|one| one.setup.rules.komi != game().setup.rules.komi));
    }

    #[test]
    fn a_position_is_a_query_of_the_protocol() {
        let mut position = game();
        position.moves.truncate(1);
        position.setup.stones[1].push((0, 0));
        position.setup.rules.komi = -0.5;
        position.setup.rules.scoring = Scoring::Territory;
        let query = position.query();
        assert_eq!((&query["boardXSize"], &query["boardYSize"]), (&json!(5), &json!(6)));
        assert_eq!((&query["rules"], &query["komi"]), (&json!("japanese"), &json!(-0.5)));
        assert_eq!(query["initialStones"], json!([["W", "A1"]]));
        assert_eq!(query["moves"], json!([["B", "D4"]]));
        assert_eq!(query["initialPlayer"], "B");
        assert_eq!(position.to_string(), "5x6 wA1 bD4 -0.5 j");
    }
}
