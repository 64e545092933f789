//! Questions of clients about a game.

use super::*;
use crate::board::{Cell, Color, Grid, Point, PointMap};

impl Game {
    /// The board's shape.
    pub fn grid(&self) -> &Grid {
        self.position().board.grid()
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.position().situation.rules
    }

    /// The cell on a point.
    pub fn cell(&self, point: Point) -> Cell {
        self.position().board.cell(point)
    }

    /// Whether a stone of `color` is next to `point`.
    pub fn touches(&self, point: Point, color: Color) -> bool {
        self.neighbours(point).iter().any(|&at| self.cell(at).color() == Some(color))
    }

    /// The neighbours of `point`, walls included.
    pub fn neighbours(&self, point: Point) -> Vec<Point> {
        self.position().board.neighbours(point).collect()
    }

    /// The stones of the group on `point`; empty without a stone there.
    pub fn group_stones(&self, point: Point) -> Vec<Point> {
        match self.cell(point).color() {
            Some(_) => self.position().board.group_stones(point).collect(),
            None => Vec::new(),
        }
    }

    /// The stones of the colour on `point` in the region that the other colour surrounds; empty
    /// without a stone there.
    pub fn stones_in_region(&self, point: Point) -> Vec<Point> {
        if !self.cell(point).is_stone() {
            return Vec::new();
        }
        let board = &self.position().board;
        let own = board.cell(point);
        let mut region =
            board.connected(point, &|at| board.cell(at) == own || board.cell(at) == Cell::Empty);
        region.retain(|&at| board.cell(at) == own);
        region
    }

    /// Number of empty points.
    pub fn empty_points(&self) -> usize {
        self.position().board.empties().len()
    }

    /// The side to move; in the middle of a turn the side that makes it.
    pub fn to_move(&self) -> Color {
        self.position().situation.to_move
    }

    /// Checks that `color` may move now, in a game whose sides do not alternate.
    ///
    /// # Errors
    /// [`Illegal::OutOfTurn`] between turns of a game in which only the other side may move.
    pub fn check_side(&self, color: Color) -> Result<(), Illegal> {
        let is_between_turns = !self.is_mid_turn() && !self.is_final();
        let is_out_of_turn = is_between_turns && self.position().must_wait(color);
        if is_out_of_turn { Err(Illegal::OutOfTurn(self.to_move())) } else { Ok(()) }
    }

    /// Whether passes or the rules ended the game.
    pub fn is_over(&self) -> bool {
        self.position().situation.is_over()
    }

    /// Whether no turn may follow, as one may after passes.
    pub fn is_final(&self) -> bool {
        self.position().situation.ending.is_some()
    }

    /// How a rule or a resignation ended the game.
    pub fn ending(&self) -> Option<Ending> {
        self.position().situation.ending
    }

    /// The side that resigned.
    pub fn resigned(&self) -> Option<Color> {
        match self.ending() {
            Some(Ending::Resigned(loser)) => Some(loser),
            _ => None,
        }
    }

    /// The result as if the game ended here.
    pub fn score(&self) -> GameResult {
        self.position().score()
    }

    /// Scores the position under `scoring`, after the groups that contain `dead` are removed as
    /// prisoners.
    pub fn score_without(&self, dead: &[Point], scoring: Scoring) -> GameResult {
        let mut end = self.position().without(dead);
        end.situation.rules.scoring = scoring;
        end.score()
    }

    /// The parts of both sides' points, with the groups of these stones as prisoners.
    pub fn tally_without(&self, dead: &[Point]) -> Tally {
        Tally::new(&self.position().without(dead))
    }

    /// The owner of each owned point, with the groups of these stones taken off.
    pub fn owners_without(&self, dead: &[Point]) -> Vec<(Point, Color)> {
        let end = self.position().without(dead);
        let (owners, points) = (end.board.owners(), self.grid().points());
        points.filter_map(|point| Some((point, owners.of(point)?))).collect()
    }

    /// See [`Variant::extras`].
    pub fn extras(&self) -> Extras {
        self.position().extras()
    }

    /// The marks of a picture of the position; empty once the game is over.
    pub fn hints(&self) -> Vec<BoardMark> {
        let mut hints = Vec::new();
        if !self.is_over() {
            self.position().hints(&mut |hint| hints.push(hint));
        }
        hints
    }

    /// The empty points on which only the history forbids the side to move a stone, and why.
    pub fn forbidden_by_history(&self) -> Vec<(Point, Illegal)> {
        let refusal = |point: Point| {
            let stone = self.check_next_step(self.to_move(), Step::stone(point));
            let why = stone.err().filter(|why| why.depends_on_history())?;
            Some((point, why))
        };
        let empty = self.grid().points().filter(|&point| self.cell(point) == Cell::Empty);
        empty.filter_map(refusal).collect()
    }

    /// Makes a whole turn; in the middle of a turn makes the rest of it.
    ///
    /// # Errors
    /// The rule that forbids it. A part of the turn may have been made.
    pub fn finish_turn(&mut self, color: Color, turn: &Turn) -> Result<(), Illegal> {
        if !self.is_mid_turn() {
            return self.play(color, turn);
        }
        let mut number = self.points_so_far().len();
        while let Some(step) = self.position().step_of_turn(color, turn, number) {
            self.step(color, step)?;
            number += 1;
        }
        Ok(())
    }

    /// See [`Position::step_of_turn`]; the end of the turn after its last point.
    pub fn step_of_turn(&self, color: Color, turn: &Turn, number: usize) -> Step {
        self.position().step_of_turn(color, turn, number).unwrap_or(Step::END)
    }

    /// The remaining steps of a turn of the side to move that is legal, its end included.
    pub fn steps_to_end(&self, turn: &Turn) -> Vec<Step> {
        let (mut after, color) = (self.clone(), self.to_move());
        let (made, turns) = (self.points_so_far().len(), self.turns().len());
        let mut steps = Vec::new();
        for number in made.. {
            let step = after.step_of_turn(color, turn, number);
            steps.push(step);
            if after.step(color, step).is_err() || after.turns().len() > turns {
                break;
            }
        }
        steps
    }

    /// The piece on a point, as a set-up has it.
    pub fn piece(&self, point: Point) -> Option<Piece> {
        match self.cell(point) {
            Cell::Empty => None,
            Cell::Wall => Some(Piece::Wall).filter(|_| self.info().leaves(Cell::Wall)),
            Cell::Black => Some(Piece::Stone(Color::Black)),
            Cell::White => Some(Piece::Stone(Color::White)),
            Cell::Tao => Some(Piece::Tao),
            Cell::Void => {
                let voids = self.extras().voids;
                let void = voids.iter().find(|(at, ..)| *at == point);
                void.map(|&(_, arrow, _)| Piece::Void(arrow as u8))
            }
        }
    }

    /// The part of a set-up that changes this position. The last of several entries for a point
    /// counts.
    pub fn changed_by(&self, set_up: &Placement) -> Placement {
        let mut cells: Vec<(Point, Option<Piece>)> = Vec::new();
        let mut pieces = PointMap::filled(None);
        set_up.cells.iter().for_each(|&(point, piece)| pieces[point] = Some(piece));
        for &(point, _) in &set_up.cells {
            let piece = pieces[point].take();
            let differs = |piece: &Option<Piece>| match (piece, self.cell(point)) {
                (Some(Piece::Stone(color)), cell) => cell != Cell::stone(*color),
                _ => self.piece(point) != *piece,
            };
            cells.extend(piece.filter(differs).map(|piece| (point, piece)));
        }
        Placement { cells, to_move: set_up.to_move.filter(|&color| color != self.to_move()) }
    }

    /// The [legal turns](Self::legal_turns) in writing, sorted.
    pub fn legal_turns_written(&self, color: Color) -> Vec<String> {
        let turns = self.legal_turns(color);
        let write = if self.is_mid_turn() { Game::write_steps } else { Game::write };
        let mut written: Vec<_> = turns.iter().map(|turn| write(self, turn)).collect();
        written.sort_unstable();
        written
    }

    /// See [`perft_until`](Self::perft_until).
    pub fn perft(&self, depth: u32) -> u64 {
        self.perft_until(depth, &mut || false).unwrap_or_default()
    }

    /// A turn in writing.
    pub fn write(&self, turn: &Turn) -> String {
        self.info().write_turn(self.grid(), turn)
    }

    /// The steps of a turn in writing, without its end.
    pub fn write_steps(&self, turn: &Turn) -> String {
        self.info().write_steps(self.grid(), turn)
    }

    /// A turn for people; above layer 0 also the vertices of the flat form: `layer 1 E4 (P4)`.
    pub fn display_turn(&self, turn: &Turn) -> String {
        let (grid, written) = (self.grid(), self.write_steps(turn));
        let is_above = |&point: &Point| grid.layer_coordinates(point).0 > 0;
        if !turn.points().iter().any(is_above) {
            return written;
        }
        let points = turn.points().iter();
        let vertices: Vec<_> = points.map(|&point| vertex(grid, point)).collect();
        format!("{written} ({})", vertices.join(" "))
    }

    /// The last point of the turn before the latest.
    pub fn placed_before(&self) -> Point {
        let turn = self.turns().iter().rev().nth(1);
        turn.and_then(|(_, turn)| turn.points().last().copied()).unwrap_or(Point::NONE)
    }

    /// Parses a turn (`D4`, `nuke D4`, `pass`) or `resign`, in any letter case.
    pub fn parse(&self, turn: &str) -> Result<Action, TurnError> {
        let words: Vec<&str> = turn.split_whitespace().collect();
        self.parse_words(&words)
    }

    /// As [`parse`](Self::parse), from the words.
    pub fn parse_words(&self, words: &[&str]) -> Result<Action, TurnError> {
        self.info().parse_turn(self.grid(), words)
    }

    /// Makes a turn or resigns.
    pub fn apply(&mut self, color: Color, action: &Action) -> Result<(), Illegal> {
        match action {
            Action::Turn(turn) => self.play(color, turn),
            Action::Resign => self.resign(color),
        }
    }
}
