//! A position: all that the next turn depends on, except earlier positions.
//!
//! Copying a position and playing on it never allocates. [`AnyGame`](super::AnyGame) adds checked
//! turns, undo and superko.

use super::illegal::Illegal;
use super::options::{Ko, Rules, Scoring};
use super::step::Step;
use super::variant::Variant;
use crate::board::{Board, Cell, Color, Point, Random};

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

/// A position of one variant.
#[derive(Debug)]
pub struct Position<V: Variant> {
    /// The cells of the board.
    pub board: Board<V::Lattice>,
    /// The side to move, counters, and the latest turn.
    pub situation: Situation,
    /// The variant's own state.
    pub state: V,
}

// A derived `clone` would be inlined into every caller.
impl<V: Variant> Clone for Position<V> {
    #[inline(never)]
    fn clone(&self) -> Self {
        Position { board: self.board.clone(), situation: self.situation, state: self.state.clone() }
    }
}

impl<V: Variant> Position<V> {
    /// The position before the first turn, on a board with its blocked points and handicap stones.
    pub fn new(board: Board<V::Lattice>, mut rules: Rules, to_move: Color) -> Self {
        if !V::INFO.is_counted() {
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
            state: V::default(),
        };
        position.state = V::start(&mut position);
        position.situation.to_move = V::next_to_move(&position, !to_move);
        position
    }

    /// Makes this position equal to `other` without allocating.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.board.copy_from(&other.board);
        self.situation = other.situation;
        self.state.copy_from(&other.state);
    }

    /// See [`Situation::is_mid_turn`]; a constant for games whose turns have one step.
    #[inline]
    pub fn is_mid_turn(&self) -> bool {
        V::HAS_LONG_TURNS && self.situation.steps > 0
    }

    /// Checks whether `color` may make `step` now, without regard to superko.
    pub fn check(&self, color: Color, step: Step) -> Result<(), Illegal> {
        if self.situation.ending.is_some() {
            return Err(Illegal::GameOver);
        }
        if self.is_mid_turn() && (self.situation.to_move != color || step == Step::PASS) {
            return Err(Illegal::MidTurn);
        }
        if !V::INFO.alternates && self.situation.to_move != color {
            return Err(Illegal::OutOfTurn(self.situation.to_move));
        }
        V::check(self, color, step)
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
        let ended = V::apply(self, color, step);
        if V::HAS_LONG_TURNS {
            self.situation.steps = if ended { 0 } else { self.situation.steps + 1 };
        }
        if step == Step::PASS {
            self.situation.is_passed_out |= V::pass_ends_game(self, color);
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
        self.situation.to_move = V::next_to_move(self, color);
        V::turn_ended(self);
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
    ) -> impl Iterator<Item = Point> + use<'o, V> {
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
            return Err(Illegal::Suicide);
        }
        if self.situation.rules.ko == Ko::Simple && self.retakes_ko(color, point) {
            return Err(Illegal::Ko);
        }
        Ok(())
    }

    /// Whether the rules allow a suicide of `color` on `point`: that of two or more stones.
    #[inline]
    fn allows_suicide(&self, color: Color, point: Point) -> bool {
        V::HAS_SUICIDE && self.situation.rules.suicide && self.board.touches(point, color)
    }

    /// Whether a stone of `color` on `point` would capture exactly the stone
    /// that just captured exactly one stone there.
    #[inline]
    pub fn retakes_ko(&self, color: Color, point: Point) -> bool {
        // The rest is rare, so it is a call and not inlined into playouts.
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
        if V::HAS_SUICIDE && self.situation.rules.suicide && without_liberties.is_empty() {
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

    /// Calls `visit` with every stone that `color` may place by the rules of Go.
    pub fn for_each_stone(&self, color: Color, visit: &mut dyn FnMut(Step)) {
        for point in self.board.empties().iter() {
            if self.check_liberties(color, point).is_ok() {
                visit(Step::stone(point));
            }
        }
    }

    /// Whether `color` has a legal step on some point, without regard to superko.
    #[inline(never)]
    pub fn may_place(&self, color: Color) -> bool {
        let is_free = |point| self.board.has_open_neighbour(point);
        if V::INFO.is_plain() && self.board.empties().iter().any(is_free) {
            return true;
        }
        let steps =
            self.board.grid().points().flat_map(|point| {
                V::INFO.step_kinds().map(move |(kind, _)| Step::new(kind, point))
            });
        steps.into_iter().any(|step| V::check(self, color, step).is_ok())
    }

    /// A uniformly random legal step other than a pass, without regard to superko; a pass if there
    /// is no other step. It is the last resort of playouts.
    #[inline(never)]
    pub fn any_step(&self, random: &mut Random) -> Step {
        let mut steps = Vec::new();
        V::for_each_step(self, self.situation.to_move, &mut |step| steps.push(step));
        steps.retain(|&step| step != Step::PASS);
        let drawn = random.below(steps.len().max(1) as u32) as usize;
        steps.get(drawn).copied().unwrap_or(Step::PASS)
    }

    /// Calls `visit` with the pass, or the end of an unfinished turn, if `color` may make it.
    pub fn for_each_step_without_point(&self, color: Color, visit: &mut dyn FnMut(Step)) {
        let (step, verdict) = if self.is_mid_turn() {
            (Step::END, V::may_end(self))
        } else {
            (Step::PASS, V::may_pass(self, color))
        };
        if verdict.is_ok() {
            visit(step);
        }
    }

    /// Whether a playout may place a stone on an empty point: no own eye, no suicide, and no
    /// retaking of a ko unless the game has no ko rule. Longer cycles are possible.
    ///
    /// Playouts have no suicide even where it is legal: it gives the other side eye space and
    /// prisoners, and a playout without superko might never end.
    #[inline]
    pub fn is_playout_candidate(&self, color: Color, point: Point) -> bool {
        if self.board.has_open_neighbour(point) {
            return true;
        }
        // A ko point has no open neighbour, so the test of ko comes later.
        if self.board.is_eye(point, color) || self.board.is_suicide(point, color) {
            return false;
        }
        self.situation.rules.ko == Ko::None || !self.retakes_ko(color, point)
    }

    /// Draws a uniformly random empty point among those that `accept` takes; it must refuse
    /// unconditional eyes.
    ///
    /// Points are drawn without replacement until one is accepted. Unconditional eyes among the
    /// refused points are excluded from later draws.
    #[inline]
    pub fn random_empty(
        &mut self,
        random: &mut Random,
        mut accept: impl FnMut(&Self, Point, &mut Random) -> bool,
    ) -> Option<Point> {
        let whole = self.board.empties().active().len();
        let mut left = whole;
        while left > 0 {
            let at = random.below(left as u32) as usize;
            let point = self.board.empties().get(at);
            if accept(self, point, random) {
                return Some(point);
            }
            left -= 1;
            self.board.swap_empties(at, left);
            // After a single refusal the test for eyes does not pay.
            if V::HAS_UNCONDITIONAL_EYES && left + 2 <= whole {
                self.board.exclude_unconditional_eyes(point, left);
            }
        }
        None
    }

    /// Calls `note` with the state that the future of a position between turns depends on, besides
    /// the board and earlier positions: numbers, each with a point or [`Point::NONE`]. In the
    /// middle of a turn [`mid_turn_key`](Variant::mid_turn_key) identifies positions.
    pub fn visit_future_state(&self, note: &mut dyn FnMut(u64, Point)) {
        let ko = self.situation.latest.captured_at;
        let takes_no_ko = self.situation.rules.ko == Ko::Simple
            && !V::INFO.ko_has_no_effect
            && ko != Point::NONE
            && self.retakes_ko(self.situation.to_move, ko);
        let sides = u64::from(self.situation.passes.min(1)) << 1 | self.situation.to_move as u64;
        note(sides, if takes_no_ko { ko } else { Point::NONE });
        if self.situation.rules.scoring == Scoring::Territory {
            note((self.situation.captures[0] - self.situation.captures[1]) as u64, Point::NONE);
        }
        V::visit_future_state(self, note);
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
        if !V::INFO.is_counted() {
            return 0.0;
        }
        let board = &self.board;
        let counted = match self.situation.rules.scoring {
            Scoring::Area => {
                i32::from(board.stones(Color::Black)) - i32::from(board.stones(Color::White))
            }
            Scoring::Territory => self.situation.captures[0] - self.situation.captures[1],
        };
        f64::from(counted + board.territory_margin()) - self.situation.rules.komi + V::bonus(self)
    }
}
