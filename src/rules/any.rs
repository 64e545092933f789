//! A game of any variant, for code that need not know which.

use super::turn_ends::step_of_turn;
use super::*;
use crate::board::{Cell, Color, Grid, Point, PointMap};

/// Why a game cannot be the same from another start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// There is no such start.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A turn is illegal there.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

impl AnyGame {
    /// The variant's record.
    pub fn info(&self) -> &'static VariantInfo {
        fn info<V: Variant>(_: &Game<V>) -> &'static VariantInfo {
            V::INFO
        }
        with_game!(self, game => info(game))
    }

    /// The board's shape.
    pub fn grid(&self) -> &Grid {
        with_game!(self, game => game.position().board.grid())
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        with_game!(self, game => &game.position().rules)
    }

    /// What lies on a point.
    pub fn cell(&self, point: Point) -> Cell {
        with_game!(self, game => game.position().board.cell(point))
    }

    /// Whether a stone of `color` is next to `point`.
    pub fn touches(&self, point: Point, color: Color) -> bool {
        with_game!(self, game => game.position().board.touches(point, color))
    }

    /// The points beside `point`, walls among them.
    pub fn neighbours(&self, point: Point) -> Vec<Point> {
        with_game!(self, game => game.position().board.neighbours(point).collect())
    }

    /// The point next to `point` in one of eight directions of its layer, or the wall there:
    /// clockwise from 0, which is north.
    pub fn neighbour_towards(&self, point: Point, eighth: usize) -> Point {
        fn towards<V: Variant>(game: &Game<V>, point: Point, eighth: usize) -> Point {
            let grid = game.position().board.grid();
            grid.neighbour_towards::<V::Lattice>(point, eighth)
        }
        with_game!(self, game => towards(game, point, eighth))
    }

    /// Stones of the group on `point`; none if no stone is there.
    pub fn group_stones(&self, point: Point) -> Vec<Point> {
        match self.cell(point).color() {
            Some(_) => {
                with_game!(self, game => game.position().board.group_stones(point).collect())
            }
            None => Vec::new(),
        }
    }

    /// Stones of the colour on `point` that empty points and such stones connect with it:
    /// all that it has in the region that the other colour surrounds. None if no stone is
    /// there.
    pub fn stones_in_region(&self, point: Point) -> Vec<Point> {
        fn region<V: Variant>(game: &Game<V>, point: Point) -> Vec<Point> {
            let board = &game.position().board;
            let own = board.cell(point);
            let mut region = vec![point];
            let mut next = 0;
            while let Some(&at) = region.get(next) {
                next += 1;
                for neighbour in board.neighbours(at) {
                    let cell = board.cell(neighbour);
                    if (cell == own || cell == Cell::Empty) && !region.contains(&neighbour) {
                        region.push(neighbour);
                    }
                }
            }
            region.retain(|&at| board.cell(at) == own);
            region
        }
        if !self.cell(point).is_stone() {
            return Vec::new();
        }
        with_game!(self, game => region(game, point))
    }

    /// Number of empty points.
    pub fn empty_points(&self) -> usize {
        with_game!(self, game => game.position().board.empties().len())
    }

    /// The side to move; in the middle of a turn, whose it is.
    pub fn to_move(&self) -> Color {
        with_game!(self, game => game.position().to_move)
    }

    /// Whether two passes or the rules ended the game.
    pub fn is_over(&self) -> bool {
        with_game!(self, game => game.position().is_over())
    }

    /// Whether nothing may follow any more.
    pub fn is_final(&self) -> bool {
        with_game!(self, game => game.position().ending.is_some())
    }

    /// How the rules ended the game for good.
    pub fn ending(&self) -> Option<Ending> {
        with_game!(self, game => game.position().ending)
    }

    /// Who gave up.
    pub fn resigned(&self) -> Option<Color> {
        match self.ending() {
            Some(Ending::Resigned(loser)) => Some(loser),
            _ => None,
        }
    }

    /// The result as if the game ended here.
    pub fn score(&self) -> GameResult {
        with_game!(self, game => game.position().score())
    }

    /// The same with the groups of these stones taken off as dead, prisoners of the
    /// other side, and by this way of counting.
    pub fn score_without(&self, dead: &[Point], scoring: Scoring) -> GameResult {
        fn score<V: Variant>(game: &Game<V>, dead: &[Point], scoring: Scoring) -> GameResult {
            let mut end = game.position().without(dead);
            end.rules.scoring = scoring;
            end.score()
        }
        with_game!(self, game => score(game, dead, scoring))
    }

    /// What the points of both sides are made of, with these groups taken off as dead.
    pub fn tally_without(&self, dead: &[Point]) -> Tally {
        with_game!(self, game => Tally::of(&game.position().without(dead)))
    }

    /// Whose each point is when the board is counted with the groups of these stones taken
    /// off; nobody's points are left out.
    pub fn owners_without(&self, dead: &[Point]) -> Vec<(Point, Color)> {
        fn owners<V: Variant>(game: &Game<V>, dead: &[Point]) -> Vec<(Point, Color)> {
            let mut board = game.position().board.clone();
            for &point in dead {
                if board.cell(point).is_stone() {
                    board.remove_group(point);
                }
            }
            let owners = board.owners();
            let points = board.grid().points();
            let owned = points.filter_map(|point| Some((point, owners.of(point)?)));
            owned.collect()
        }
        with_game!(self, game => owners(game, dead))
    }

    /// The state.
    pub fn state(&self) -> State {
        with_game!(self, game => game.state())
    }

    /// What the state shows beside stones.
    pub fn extras(&self) -> Extras {
        fn extras<V: Variant>(game: &Game<V>) -> Extras {
            V::extras(game.position())
        }
        with_game!(self, game => extras(game))
    }

    /// What a picture of the position should point out; nothing once the game is over.
    pub fn hints(&self) -> Vec<Hint> {
        if self.is_over() {
            return Vec::new();
        }
        fn hints<V: Variant>(game: &Game<V>) -> Vec<Hint> {
            let mut hints = Vec::new();
            V::hints(game.position(), &mut |hint| hints.push(hint));
            hints
        }
        with_game!(self, game => hints(game))
    }

    /// See [`Game::turns`].
    pub fn turns(&self) -> &[(Color, Turn)] {
        with_game!(self, game => game.turns())
    }

    /// See [`Game::set_ups`].
    pub fn set_ups(&self) -> &[(usize, SetUp)] {
        with_game!(self, game => game.set_ups())
    }

    /// See [`Game::points_so_far`].
    pub fn points_so_far(&self) -> &[Point] {
        with_game!(self, game => game.points_so_far())
    }

    /// See [`Game::turn_under_way`].
    pub fn turn_under_way(&self) -> Option<&Turn> {
        with_game!(self, game => game.turn_under_way())
    }

    /// The empty points on which only what was played before forbids the side to move a
    /// stone now, and why.
    pub fn forbidden_now(&self) -> Vec<(Point, Illegal)> {
        let refusal = |point: Point| {
            let stone = self.check_next_step(self.to_move(), Step::stone(point));
            let why = stone.err().filter(|why| why.is_for_now())?;
            Some((point, why))
        };
        let empty = self.grid().points().filter(|&point| self.cell(point) == Cell::Empty);
        empty.filter_map(refusal).collect()
    }

    /// Makes a whole turn, or the rest of it in the middle of one.
    ///
    /// # Errors
    /// The rule that forbids it; a part of the turn may have been made.
    pub fn play_on(&mut self, color: Color, turn: &Turn) -> Result<(), Illegal> {
        fn play<V: Variant>(game: &mut Game<V>, color: Color, turn: &Turn) -> Result<(), Illegal> {
            let mut number = game.points_so_far().len();
            while let Some(step) = step_of_turn(game.position(), color, turn, number) {
                game.step(color, step)?;
                number += 1;
            }
            Ok(())
        }
        if !self.is_mid_turn() {
            return self.play(color, turn);
        }
        with_game!(self, game => play(game, color, turn))
    }

    /// See [`Game::undo_depth`].
    pub fn undo_depth(&self) -> usize {
        with_game!(self, game => game.undo_depth())
    }

    /// See [`Game::is_fresh`].
    pub fn is_fresh(&self) -> bool {
        with_game!(self, game => game.is_fresh())
    }

    /// See [`Game::is_mid_turn`].
    pub fn is_mid_turn(&self) -> bool {
        with_game!(self, game => game.is_mid_turn())
    }

    /// See [`Game::set_komi`].
    pub fn set_komi(&mut self, komi: f64) {
        with_game!(self, game => game.set_komi(komi));
    }

    /// See [`Game::replayed`]; from another setup of the same variant.
    ///
    /// # Errors
    /// What is wrong with the setup, or the rule that forbids a turn;
    /// nothing is changed.
    pub fn replay_from(&mut self, setup: &Setup) -> Result<(), ReplayError> {
        if setup.info.id != self.info().id {
            return Err(SetupError::UnknownVariant.into());
        }
        fn replay<V: Variant>(game: &mut Game<V>, setup: &Setup) -> Result<(), ReplayError> {
            *game = game.replayed(setup.start()?)?;
            Ok(())
        }
        with_game!(self, game => replay(game, setup))
    }

    /// See [`Game::play`].
    ///
    /// # Errors
    /// The rule that forbids the turn.
    pub fn play(&mut self, color: Color, turn: &Turn) -> Result<(), Illegal> {
        with_game!(self, game => game.play(color, turn))
    }

    /// See [`Game::check`].
    ///
    /// # Errors
    /// The rule that forbids the turn.
    pub fn check(&self, color: Color, turn: &Turn) -> Result<(), Illegal> {
        with_game!(self, game => game.check(color, turn))
    }

    /// See [`Game::steps`].
    pub fn steps(&self, color: Color) -> Vec<Step> {
        with_game!(self, game => game.steps(color))
    }

    /// See [`Game::check_step`].
    ///
    /// # Errors
    /// The rule that forbids the step.
    pub fn check_step(&self, color: Color, step: Step) -> Result<(), Illegal> {
        with_game!(self, game => game.check_step(color, step))
    }

    /// See [`Variant::step_of_turn`]; the only step of a pass is a pass.
    pub fn step_of_turn(&self, color: Color, turn: &Turn, number: usize) -> Step {
        fn step<V: Variant>(game: &Game<V>, color: Color, turn: &Turn, number: usize) -> Step {
            V::step_of_turn(game.position(), color, turn, number)
        }
        if turn.is_pass() {
            return Step::PASS;
        }
        with_game!(self, game => step(game, color, turn, number))
    }

    /// See [`Game::check_next_step`].
    ///
    /// # Errors
    /// The rule that forbids the step.
    pub fn check_next_step(&self, color: Color, step: Step) -> Result<(), Illegal> {
        with_game!(self, game => game.check_next_step(color, step))
    }

    /// See [`Game::step`].
    ///
    /// # Errors
    /// The rule that forbids the step.
    pub fn step(&mut self, color: Color, step: Step) -> Result<(), Illegal> {
        with_game!(self, game => game.step(color, step))
    }

    /// See [`Game::play_filler`].
    ///
    /// # Errors
    /// [`Illegal::MidTurn`].
    pub fn play_filler(&mut self, color: Color) -> Result<(), Illegal> {
        with_game!(self, game => game.play_filler(color))
    }

    /// See [`Game::resign`].
    ///
    /// # Errors
    /// [`Illegal::GameOver`].
    pub fn resign(&mut self, color: Color) -> Result<(), Illegal> {
        with_game!(self, game => game.resign(color))
    }

    /// See [`Game::undo`].
    ///
    /// # Errors
    /// [`NothingToUndo`] if fewer steps have happened.
    pub fn undo(&mut self, times: usize) -> Result<(), NothingToUndo> {
        with_game!(self, game => game.undo(times))
    }

    /// What a set-up changes here: of several for a point, the last one.
    pub fn changed_by(&self, set_up: &SetUp) -> SetUp {
        let mut cells: Vec<(Point, Option<Color>)> = Vec::new();
        let mut wanted = PointMap::filled(None);
        set_up.cells.iter().for_each(|&(point, stone)| wanted[point] = Some(stone));
        for &(point, _) in &set_up.cells {
            let stone = wanted[point].take();
            let differs = |stone: &Option<Color>| match (stone, self.cell(point)) {
                (None, cell) => !matches!(cell, Cell::Empty | Cell::Wall),
                (Some(color), cell) => cell != Cell::stone(*color),
            };
            cells.extend(stone.filter(differs).map(|stone| (point, stone)));
        }
        SetUp { cells, to_move: set_up.to_move.filter(|&color| color != self.to_move()) }
    }

    /// See [`Game::set_up`].
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn set_up(&mut self, set_up: &SetUp) -> Result<(), Illegal> {
        with_game!(self, game => game.set_up(set_up))
    }

    /// See [`Game::entries`].
    pub fn entries(&self) -> usize {
        with_game!(self, game => game.entries())
    }

    /// See [`Game::back_to`].
    pub fn back_to(&mut self, entries: usize) {
        with_game!(self, game => game.back_to(entries));
    }

    /// See [`Game::legal`]; as they are written, sorted.
    pub fn legal(&self, color: Color) -> Vec<String> {
        let turns = with_game!(self, game => game.legal(color));
        let mut written: Vec<_> = turns.iter().map(|turn| self.write(turn)).collect();
        written.sort_unstable();
        written
    }

    /// See [`perft()`]; never stopped.
    pub fn perft(&self, depth: u32) -> u64 {
        self.perft_until(depth, &mut || false).unwrap_or_default()
    }

    /// See [`perft()`].
    pub fn perft_until(&self, depth: u32, stop: &mut dyn FnMut() -> bool) -> Option<u64> {
        with_game!(self, game => perft(game, depth, stop))
    }

    /// A turn as it is written.
    pub fn write(&self, turn: &Turn) -> String {
        self.info().write_turn(self.grid(), turn).to_string()
    }

    /// A turn as a picture of the board names it: as it is written, and where layers stand
    /// side by side, also as the vertices of the flat form: `layer 1 E4 (P4)`.
    pub fn caption(&self, turn: &Turn) -> String {
        let (grid, written) = (self.grid(), self.write(turn));
        let is_above = |&point: &Point| grid.layer_coordinates(point).0 > 0;
        if !turn.points().iter().any(is_above) {
            return written;
        }
        let points = turn.points().iter();
        let vertices: Vec<_> = points.map(|&point| vertex(grid, point)).collect();
        format!("{written} ({})", vertices.join(" "))
    }

    /// Reads a turn, or `resign`, from its words.
    ///
    /// # Errors
    /// [`TurnError`].
    pub fn parse(&self, words: &[&str]) -> Result<Action, TurnError> {
        self.info().parse_turn(self.grid(), words)
    }

    /// Makes a turn or resigns.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn act(&mut self, color: Color, action: &Action) -> Result<(), Illegal> {
        match action {
            Action::Turn(turn) => self.play(color, turn),
            Action::Resign => self.resign(color),
        }
    }
}
