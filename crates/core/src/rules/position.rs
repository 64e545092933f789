//! A position: all that the next turn depends on, except earlier positions.
//!
//! Copying a position and playing on it never allocates. [`Game`](super::Game) adds checked
//! turns, undo and superko.

use super::illegal::Illegal;
use super::options::{Ko, RuleKey, Rules, Scoring};
use super::result::GameResult;
use super::step::{Step, StepKind};
use super::turn::Turn;
#[cfg(doc)]
use super::variant::Variant;
use super::variant::{BoardMark, Extras, VariantInfo};
use crate::board::{Board, Cell, Color, Point, Random};
use std::any::Any;
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// The latest turn: its side, and the captures of its stone.
#[derive(Clone, Copy, Debug)]
pub struct LatestTurn {
    /// The side that made it; `None` before the first turn.
    pub color: Option<Color>,
    /// The point of its last stone, or [`Point::NONE`].
    pub placed: Point,
    /// Number of stones that this stone captured.
    pub captured: u16,
    /// The point of one of them.
    pub captured_at: Point,
}

impl LatestTurn {
    /// No turn yet.
    pub(super) const NOTHING: LatestTurn =
        LatestTurn { color: None, placed: Point::NONE, captured: 0, captured_at: Point::NONE };
}

/// The end of a game by a resignation or a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This colour resigned.
    Resigned(Color),
    /// A draw with any score.
    Draw,
    /// The board is counted as it stands, for the reason in this sentence.
    Counted(&'static str),
    /// This colour has won by a rule with any score. The text ends a sentence that begins with the
    /// winner: `has captured enough stones`.
    Won(Color, &'static str),
}

/// The parts of a position besides the board and the variant's state.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The rules in force.
    pub rules: Rules,
    /// The side to move.
    pub to_move: Color,
    /// Turns made so far.
    pub turns: u32,
    /// Steps made of the unfinished turn, in games whose turns may have several.
    pub steps: u16,
    /// Passes since the last other turn.
    pub passes: u32,
    /// Whether Black and White passed since the last other turn.
    pub passed: [bool; 2],
    /// Whether passes ended the game.
    pub is_passed_out: bool,
    /// Stones captured by Black and by White, less prisoners spent.
    pub captures: [i32; 2],
    /// The latest turn.
    pub latest: LatestTurn,
    /// Set once no turn may follow.
    pub ending: Option<Ending>,
}

impl Situation {
    /// Whether passes or the rules ended the game.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.is_passed_out || self.ending.is_some()
    }

    /// Resumes a game that passes ended: no pass counts.
    #[inline]
    pub fn forget_passes(&mut self) {
        (self.passes, self.passed, self.is_passed_out) = (0, [false; 2], false);
    }

    /// Whether a turn has begun and waits for more steps.
    #[inline]
    pub fn is_mid_turn(&self) -> bool {
        self.steps > 0
    }
}

/// The knowledge of a game about a position besides the board and the situation.
trait State: Any + Debug + Send + Sync {
    /// Copies this state to `place`, without allocating where a state of this type is there.
    fn copy_to(&self, place: &mut Option<Box<dyn State>>);
}

impl<T: Any + Clone + Debug + Send + Sync> State for T {
    fn copy_to(&self, place: &mut Option<Box<dyn State>>) {
        let there = place.as_deref_mut().map(|state| state as &mut dyn Any);
        match there.and_then(|state| state.downcast_mut::<T>()) {
            Some(state) => state.clone_from(self),
            None => *place = Some(Box::new(self.clone())),
        }
    }
}

/// A position of a game.
#[derive(Debug)]
pub struct Position {
    /// The cells of the board.
    pub board: Board,
    /// The side to move, counters, and the latest turn.
    pub situation: Situation,
    info: &'static VariantInfo,
    state: Option<Box<dyn State>>,
}

// A derived `clone` would be inlined into every caller.
impl Clone for Position {
    #[inline(never)]
    fn clone(&self) -> Self {
        let mut state = None;
        if let Some(own) = &self.state {
            own.as_ref().copy_to(&mut state);
        }
        Position { board: self.board.clone(), situation: self.situation, info: self.info, state }
    }
}

impl Position {
    /// The position before the first turn, on a board with its blocked points and handicap stones.
    pub fn new(
        info: &'static VariantInfo,
        board: Board,
        mut rules: Rules,
        to_move: Color,
    ) -> Position {
        if !info.is_counted() {
            rules.komi = 0.0;
        }
        let mut position = Position {
            board,
            situation: Situation {
                rules,
                to_move,
                turns: 0,
                steps: 0,
                passes: 0,
                passed: [false; 2],
                is_passed_out: false,
                captures: [0; 2],
                latest: LatestTurn::NOTHING,
                ending: None,
            },
            info,
            state: None,
        };
        info.hooks.start(&mut position);
        position.situation.to_move = position.next_to_move(!to_move);
        position
    }

    /// Makes this position equal to another of the same game, without allocating.
    pub fn copy_from(&mut self, other: &Position) {
        self.board.copy_from(&other.board);
        self.situation = other.situation;
        self.info = other.info;
        match &other.state {
            Some(state) => state.as_ref().copy_to(&mut self.state),
            None => self.state = None,
        }
    }

    /// The variant's record.
    #[inline]
    pub fn info(&self) -> &'static VariantInfo {
        self.info
    }

    /// The state of the game besides board and situation.
    ///
    /// # Panics
    /// Where the hook [`start`](Variant::start) of the game sets no state of this type.
    #[inline]
    pub fn state<T: Any>(&self) -> &T {
        let state = self.state.as_deref().map(|state| state as &dyn Any);
        state.and_then(<dyn Any>::downcast_ref).expect("the game's own state")
    }

    /// Board, situation and state to change.
    ///
    /// # Panics
    /// As [`state`](Self::state).
    #[inline]
    pub fn parts<T: Any>(&mut self) -> (&mut Board, &mut Situation, &mut T) {
        let state = self.state.as_deref_mut().map(|state| state as &mut dyn Any);
        let state = state.and_then(<dyn Any>::downcast_mut).expect("the game's own state");
        (&mut self.board, &mut self.situation, state)
    }

    /// The state to change.
    ///
    /// # Panics
    /// As [`state`](Self::state).
    #[inline]
    pub fn state_mut<T: Any>(&mut self) -> &mut T {
        self.parts().2
    }

    /// Sets the state of the game. Its `clone_from` should not allocate.
    pub fn set_state<T: Any + Clone + Debug + Send + Sync>(&mut self, state: T) {
        self.state = Some(Box::new(state));
    }

    /// A copy on the heap.
    // Inlined, the copy on the stack would make the frames of a deep recursion overflow a thread's
    // stack.
    #[inline(never)]
    pub fn boxed(&self) -> Box<Position> {
        Box::new(self.clone())
    }

    /// Whether both have the same variant and grid, so that one can be copied to the other.
    pub fn is_of_same_game(&self, other: &Position) -> bool {
        self.info == other.info && self.board.grid() == other.board.grid()
    }

    /// Whether a turn has begun and waits for more steps.
    #[inline]
    pub fn is_mid_turn(&self) -> bool {
        self.situation.is_mid_turn()
    }

    /// Checks whether `color` may make `step` now, without regard to superko.
    pub fn check(&self, color: Color, step: Step) -> Result<(), Illegal> {
        if self.situation.ending.is_some() {
            return Err(Illegal::GameOver);
        }
        if self.is_mid_turn() && (self.situation.to_move != color || step == Step::PASS) {
            return Err(Illegal::MidTurn);
        }
        if !self.info.alternates && self.situation.to_move != color {
            return Err(Illegal::OutOfTurn(self.situation.to_move));
        }
        // A step of another game may be a kind that this one lacks, or on a point of a larger board.
        match step.point() {
            Some(_) if self.info.kind(step.kind()).is_none() => Err(Illegal::NoSuchTurn),
            Some(point) if !self.board.grid().has(point) => Err(Illegal::OffBoard),
            _ => self.info.hooks.check(self, color, step),
        }
    }

    /// Makes a legal step; true if the turn ended.
    #[inline]
    pub fn make(&mut self, color: Color, step: Step) -> bool {
        let ended = self.begin(color, step);
        if ended {
            self.end_turn(color);
        }
        ended
    }

    /// The first part of [`make`](Self::make), the step itself; true if
    /// [`end_turn`](Self::end_turn) must follow.
    #[inline]
    pub(super) fn begin(&mut self, color: Color, step: Step) -> bool {
        if !self.is_mid_turn() {
            self.situation.latest = LatestTurn { color: Some(color), ..LatestTurn::NOTHING };
        }
        let ended = self.info.hooks.apply(self, color, step);
        self.situation.steps = if ended { 0 } else { self.situation.steps + 1 };
        if step == Step::PASS {
            self.situation.is_passed_out |= self.pass_ends_game(color);
            self.situation.passes += 1;
            self.situation.passed[color as usize] = true;
        } else {
            self.situation.forget_passes(); // the first step of a turn resumes a finished game
        }
        self.situation.to_move = color;
        ended
    }

    /// The second part of [`make`](Self::make), the rules at the end of a turn.
    #[inline]
    pub(super) fn end_turn(&mut self, color: Color) {
        self.situation.turns += 1;
        self.situation.to_move = self.next_to_move(color);
        self.info.hooks.turn_ended(self);
    }

    /// Step number `number`, from 0, of a written turn of `color`, after its earlier steps; `None` after
    /// the end of the turn.
    pub fn step_of_turn(&self, color: Color, turn: &Turn, number: usize) -> Option<Step> {
        if turn.is_pass() {
            return (number == 0).then_some(Step::PASS);
        }
        if number < turn.points().len() {
            return Some(self.info.hooks.step_of_turn(self, color, turn, number));
        }
        self.is_mid_turn().then_some(Step::END)
    }

    /// The stone before the next one of the unfinished turn.
    #[inline]
    pub fn previous_stone(&self) -> Option<Point> {
        Some(self.situation.latest.placed)
            .filter(|&point| self.is_mid_turn() && point != Point::NONE)
    }

    /// The points at these offsets from `point`, columns to the east and rows to the north, as far
    /// as the board has them.
    pub fn points_at_offsets<'o>(
        &self,
        point: Point,
        offsets: &'o [(i8, i8)],
    ) -> impl Iterator<Item = Point> + use<'o> {
        let grid = *self.board.grid();
        let at = move |&(east, north): &(i8, i8)| grid.point_at_offset(point, east, north);
        offsets.iter().filter_map(at)
    }

    /// Checks a stone on `point` by the rules of Go: empty point, suicide, simple ko.
    #[inline]
    pub fn check_stone(&self, color: Color, point: Point) -> Result<(), Illegal> {
        if self.board.cell(point) != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        self.check_liberties(color, point)
    }

    /// Checks suicide and simple ko of a stone on an open point.
    #[inline]
    pub fn check_liberties(&self, color: Color, point: Point) -> Result<(), Illegal> {
        if self.board.is_suicide(point, color) && !self.allows_suicide(color, point) {
            return Err(self.why_no_suicide());
        }
        if self.situation.rules.ko == Ko::Simple && self.retakes_ko(color, point) {
            return Err(Illegal::Ko);
        }
        Ok(())
    }

    #[inline]
    fn has_suicide(&self) -> bool {
        self.situation.rules.suicide && self.info.has(RuleKey::Suicide)
    }

    /// Why a suicide is illegal. Where the rules allow that of a group, one of a single stone brings
    /// the same board back.
    #[inline(never)]
    fn why_no_suicide(&self) -> Illegal {
        match self.situation.rules.ko {
            Ko::Positional if self.has_suicide() => Illegal::PositionalSuperko,
            _ => Illegal::Suicide,
        }
    }

    /// Whether the rules allow a suicide of `color` on `point`: that of two or more stones.
    #[inline]
    fn allows_suicide(&self, color: Color, point: Point) -> bool {
        self.has_suicide() && self.board.touches(point, color)
    }

    /// Whether a stone of `color` on `point` would capture exactly the stone
    /// that just captured exactly one stone there.
    #[inline]
    pub fn retakes_ko(&self, color: Color, point: Point) -> bool {
        self.situation.latest.captured_at == point && self.takes_back(color, point)
    }

    #[inline(never)]
    fn takes_back(&self, color: Color, point: Point) -> bool {
        let latest = &self.situation.latest;
        let mut captures = self.board.captures(point, color);
        let single = |p| self.board.group(p).is_some_and(|group| group.size == 1);
        latest.captured == 1
            && latest.color == Some(!color)
            && captures.next() == Some(latest.placed)
            && single(latest.placed)
            && captures.next().is_none()
    }

    /// Places a stone, makes its captures and counts them. A suicide takes off its own group.
    #[inline]
    pub fn place_and_capture(&mut self, color: Color, point: Point) {
        self.situation.latest.placed = point;
        let without_liberties = self.board.place(point, color);
        if self.has_suicide() && without_liberties.is_empty() {
            self.take_off_suicide(color, point);
        }
        if !without_liberties.is_empty() {
            let captured = self.board.capture(point, color, without_liberties);
            self.situation.captures[color as usize] += i32::from(captured);
            self.situation.latest.captured = captured;
            if let [captured_at] = *self.board.empties().last_added(1) {
                self.situation.latest.captured_at = captured_at;
            }
        }
    }

    #[inline(never)]
    fn take_off_suicide(&mut self, color: Color, point: Point) {
        if self.board.group(point).is_some_and(|group| group.liberties.is_empty()) {
            self.situation.captures[!color as usize] += i32::from(self.board.remove_group(point));
        }
    }

    /// Whether `color` has a legal step on some point, without regard to superko.
    #[inline(never)]
    pub fn may_place(&self, color: Color) -> bool {
        let kinds = || self.info.step_kinds().map(|(kind, _)| kind);
        let may = |kind, point| self.info.hooks.check(self, color, Step::new(kind, point)).is_ok();
        // One of the first empty points takes a stone in nearly every position.
        self.board.empties().iter().any(|point| may(StepKind::STONE, point))
            || self.board.grid().points().any(|point| kinds().any(|kind| may(kind, point)))
    }

    /// A random step of a playout: a stone on a uniformly drawn empty point, if one is legal, fills
    /// no own eye and is one that `accept` takes; otherwise the pass or the end of the turn, or any
    /// step where neither is legal. It knows only simple ko.
    ///
    /// Playouts have no suicide even where it is legal: it gives the other side eye space and
    /// prisoners, and a playout without superko might never end.
    pub fn random_step(
        &mut self,
        random: &mut Random,
        accept: &dyn Fn(&Position, Step) -> bool,
    ) -> Step {
        let (hooks, color) = (self.info.hooks, self.situation.to_move);
        for left in (0..self.board.empties().len()).rev() {
            let at = random.below(left as u32 + 1) as usize;
            let point = self.board.empties().get(at);
            if self.is_playout_candidate(color, point) {
                let step = hooks.stone_step_at(self, point);
                if hooks.check(self, color, step).is_ok() && accept(self, step) {
                    return step;
                }
            }
            self.board.swap_empties(at, left);
        }
        match self.is_mid_turn() {
            true if self.may_end().is_ok() => Step::END,
            false if self.info.passes_are_free => Step::PASS,
            _ => self.any_step(random),
        }
    }

    /// A uniformly random legal step other than a pass, without regard to superko; a pass if there
    /// is no other step.
    #[inline(never)]
    fn any_step(&self, random: &mut Random) -> Step {
        let mut steps = Vec::new();
        self.for_each_step(self.situation.to_move, &mut |step| steps.push(step));
        steps.retain(|&step| step != Step::PASS);
        let drawn = random.below(steps.len().max(1) as u32) as usize;
        steps.get(drawn).copied().unwrap_or(Step::PASS)
    }

    /// Whether a stone on an empty point fills no eye of its side, is not suicide, and retakes no ko unless
    /// the game has no ko rule. Longer cycles are possible.
    fn is_playout_candidate(&self, color: Color, point: Point) -> bool {
        if self.board.has_open_neighbour(point) {
            return true;
        }
        // A ko point has no open neighbour, so the test of ko comes later.
        if self.board.is_eye(point, color) || self.board.is_suicide(point, color) {
            return false;
        }
        self.situation.rules.ko == Ko::None || !self.retakes_ko(color, point)
    }

    /// Calls `visit` with the pass, or the end of an unfinished turn, if `color` may make it.
    pub fn for_each_step_without_point(&self, color: Color, visit: &mut dyn FnMut(Step)) {
        let (step, verdict) = if self.is_mid_turn() {
            (Step::END, self.may_end())
        } else {
            (Step::PASS, self.info.hooks.may_pass(self, color))
        };
        if verdict.is_ok() {
            visit(step);
        }
    }

    /// Calls `note` with the state that the future of a position between turns depends on, besides
    /// the board and earlier positions: numbers, each with a point or [`Point::NONE`]. In the
    /// middle of a turn [`mid_turn_key`](Self::mid_turn_key) identifies positions.
    pub fn visit_future_state(&self, note: &mut dyn FnMut(u64, Point)) {
        let ko = self.situation.latest.captured_at;
        let takes_no_ko = self.situation.rules.ko == Ko::Simple
            && !self.info.ko_has_no_effect
            && ko != Point::NONE
            && self.retakes_ko(self.situation.to_move, ko);
        let sides = u64::from(self.situation.passes.min(1)) << 1 | self.situation.to_move as u64;
        note(sides, if takes_no_ko { ko } else { Point::NONE });
        if self.situation.rules.scoring == Scoring::Territory {
            note((self.situation.captures[0] - self.situation.captures[1]) as u64, Point::NONE);
        }
        self.info.hooks.visit_future_state(self, note);
    }

    /// The position with the groups of these stones as prisoners of the other side.
    #[must_use]
    pub fn without(&self, dead: &[Point]) -> Self {
        let mut end = self.clone();
        for &point in dead {
            if let Some(color) = end.board.cell(point).color() {
                let taken = end.board.remove_group(point);
                end.situation.captures[!color as usize] += i32::from(taken);
            }
        }
        end
    }

    /// Black's points less White's, komi included, by the board as it stands; 0 in a game that is
    /// not counted.
    pub fn margin(&self) -> f64 {
        if !self.info.is_counted() {
            return 0.0;
        }
        let board = &self.board;
        let counted = match self.situation.rules.scoring {
            Scoring::Area => {
                i32::from(board.stones(Color::Black)) - i32::from(board.stones(Color::White))
            }
            Scoring::Territory => self.situation.captures[0] - self.situation.captures[1],
        };
        f64::from(counted + board.territory_margin()) - self.situation.rules.komi + self.bonus()
    }

    /// The result, if the game is over.
    pub fn result(&self) -> Option<GameResult> {
        self.situation.is_over().then(|| self.score())
    }

    /// The result as if the game ended here.
    pub fn score(&self) -> GameResult {
        match self.situation.ending {
            Some(Ending::Resigned(loser)) => GameResult::Resignation(!loser),
            Some(Ending::Draw) => GameResult::DRAW,
            Some(Ending::Won(winner, _)) => GameResult::Win(winner),
            Some(Ending::Counted(_)) | None => GameResult::Points(self.margin()),
        }
    }

    /// Whether `color` must wait, because the order of turns lets only the other side move.
    pub fn must_wait(&self, color: Color) -> bool {
        self.situation.to_move != color && (self.is_mid_turn() || !self.info.alternates)
    }

    /// Whether the unfinished turn can only end.
    pub fn can_only_end(&self) -> bool {
        let mut may_continue = self.may_end().is_err();
        self.for_each_step(self.situation.to_move, &mut |step| may_continue |= step != Step::END);
        self.is_mid_turn() && !may_continue
    }

    /// Rows of symbols from the top, with the walls between layers.
    pub fn rows(&self) -> Vec<String> {
        let grid = self.board.grid();
        let symbol = |column, row| {
            grid.point(column, row).map_or(Cell::Wall, |point| self.board.cell(point)).symbol()
        };
        let row = |row| (0..grid.width()).map(|column| symbol(column, row)).collect();
        (0..grid.height()).rev().map(row).collect()
    }
}

/// The hooks of the variant.
impl Position {
    /// See [`Variant::for_each_step`].
    pub fn for_each_step(&self, color: Color, visit: &mut dyn FnMut(Step)) {
        self.info.hooks.for_each_step(self, color, visit);
    }

    /// See [`Variant::may_end`].
    ///
    /// # Errors
    /// Why the turn may not end.
    pub fn may_end(&self) -> Result<(), Illegal> {
        self.info.hooks.may_end(self)
    }

    /// See [`Variant::next_to_move`].
    pub fn next_to_move(&self, mover: Color) -> Color {
        self.info.hooks.next_to_move(self, mover)
    }

    /// See [`Variant::pass_ends_game`].
    pub fn pass_ends_game(&self, color: Color) -> bool {
        self.info.hooks.pass_ends_game(self, color)
    }

    /// See [`Variant::turn_length`].
    pub fn turn_length(&self, color: Color) -> RangeInclusive<u16> {
        self.info.hooks.turn_length(self, color)
    }

    /// See [`Variant::mid_turn_key`].
    pub fn mid_turn_key(&self) -> Option<u64> {
        self.info.hooks.mid_turn_key(self)
    }

    /// See [`Variant::winning_step`].
    pub fn winning_step(&self) -> Option<Step> {
        self.info.hooks.winning_step(self)
    }

    /// See [`Variant::bonus`].
    pub fn bonus(&self) -> f64 {
        self.info.hooks.bonus(self)
    }

    /// See [`Variant::extras`].
    pub fn extras(&self) -> Extras {
        self.info.hooks.extras(self)
    }

    /// See [`Variant::hints`].
    pub fn hints(&self, note: &mut dyn FnMut(BoardMark)) {
        self.info.hooks.hints(self, note);
    }
}
