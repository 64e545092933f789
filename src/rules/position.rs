//! A position: board, side to move, and all that the next turn depends on
//! except the history of positions.
//!
//! Plain data: copying it never allocates, and neither does playing on.
//! Checked play, undo and superko are [`AnyGame`](super::AnyGame)'s.

use super::illegal::Illegal;
use super::options::{Ko, Rules, Scoring};
use super::step::Step;
use super::variant::Variant;
use crate::board::{Board, Cell, Color, Point, Random};
use std::ops::{Deref, DerefMut};

/// The side that made the latest turn, and the effects of its placement.
#[derive(Clone, Copy, Debug)]
pub struct LatestTurn {
    /// The side that made it; `None` before the first turn.
    pub color: Option<Color>,
    /// Where the (last) stone was placed, [`Point::NONE`] if none was.
    pub placed: Point,
    /// Stones that the placement captured.
    pub captured: u16,
    /// One of them.
    pub captured_at: Point,
}

impl LatestTurn {
    /// Nothing has happened.
    pub(super) const NOTHING: LatestTurn =
        LatestTurn { color: None, placed: Point::NONE, captured: 0, captured_at: Point::NONE };
}

/// How a game ended for good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A player gave up.
    Resigned(Color),
    /// A draw, whatever the score.
    Draw,
    /// The board is counted as it stands; why, as a sentence.
    Counted(&'static str),
    /// This colour has won by a rule, whatever the score; why, as the end of a sentence that
    /// begins with the winner: `has captured enough stones`.
    Won(Color, &'static str),
}

/// What positions of all variants have beside the board. A position gives access to it as if
/// the fields were its own.
#[derive(Clone, Copy, Debug)]
pub struct Situation {
    /// The rules in force.
    pub rules: Rules,
    /// The side to move.
    pub to_move: Color,
    /// Turns made so far.
    pub turns: u32,
    /// Steps made of the turn under way, in games whose turns may have several.
    pub steps: u16,
    /// Passes since the last other turn.
    pub passes: u32,
    /// Stones captured by Black and by White, less prisoners spent.
    pub captures: [i32; 2],
    /// The latest turn.
    pub latest: LatestTurn,
    /// Set once nothing may follow.
    pub ending: Option<Ending>,
}

impl Situation {
    /// Whether two passes or the rules ended the game.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.passes >= 2 || self.ending.is_some()
    }

    /// Whether a turn has begun and waits for more steps.
    #[inline]
    pub fn is_mid_turn(&self) -> bool {
        self.steps > 0
    }
}

/// Board, side to move, and what the next turn depends on; plain data, copied
/// without allocation.
#[derive(Debug)]
pub struct Position<V: Variant> {
    /// The cells of the board.
    pub board: Board<V::Lattice>,
    /// Whose turn it is, and what led there.
    pub situation: Situation,
    /// The variant's own state.
    pub state: V,
}

impl<V: Variant> Deref for Position<V> {
    type Target = Situation;

    #[inline]
    fn deref(&self) -> &Situation {
        &self.situation
    }
}

impl<V: Variant> DerefMut for Position<V> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Situation {
        &mut self.situation
    }
}

// Written out, and one function for each game: the derived one lands in every caller.
impl<V: Variant> Clone for Position<V> {
    #[inline(never)]
    fn clone(&self) -> Self {
        Position { board: self.board.clone(), situation: self.situation, state: self.state.clone() }
    }
}

impl<V: Variant> Position<V> {
    /// The position before the first turn, on a board that already bears
    /// blocked points and handicap stones.
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
                captures: [0; 2],
                latest: LatestTurn::NOTHING,
                ending: None,
            },
            state: V::default(),
        };
        position.state = V::start(&mut position);
        position
    }

    /// Makes this position equal to `other` without allocating.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.board.copy_from(&other.board);
        self.situation = other.situation;
        self.state.copy_from(&other.state);
    }

    /// See [`Situation::is_mid_turn`]; known without a look where turns have one step.
    #[inline]
    pub fn is_mid_turn(&self) -> bool {
        V::HAS_LONG_TURNS && self.steps > 0
    }

    /// Whether `color` may make `step` now, superko apart.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn check(&self, color: Color, step: Step) -> Result<(), Illegal> {
        if self.ending.is_some() {
            return Err(Illegal::GameOver);
        }
        if self.is_mid_turn() && (self.to_move != color || step == Step::PASS) {
            return Err(Illegal::MidTurn);
        }
        V::check(self, color, step)
    }

    /// Makes a step that is legal; true if the turn ended.
    #[inline]
    pub fn make(&mut self, color: Color, step: Step) -> bool {
        let ended = self.begin(color, step);
        if ended {
            self.end_turn(color);
        }
        ended
    }

    /// The first part of [`make`](Self::make): the step itself, without what the rules do
    /// when its turn ends; true if [`end_turn`](Self::end_turn) must follow.
    #[inline]
    pub(super) fn begin(&mut self, color: Color, step: Step) -> bool {
        if !self.is_mid_turn() {
            self.latest = LatestTurn { color: Some(color), ..LatestTurn::NOTHING };
        }
        let ended = V::apply(self, color, step);
        if V::HAS_LONG_TURNS {
            self.steps = if ended { 0 } else { self.steps + 1 };
        }
        self.passes = match step {
            Step::PASS => self.passes + 1,
            _ => 0, // the first step of a turn resumes a finished game
        };
        self.to_move = color;
        ended
    }

    /// The second part of [`make`](Self::make).
    #[inline]
    pub(super) fn end_turn(&mut self, color: Color) {
        self.turns += 1;
        self.to_move = !color;
        V::turn_ended(self);
    }

    /// The rules of Go for a stone on `point`: free, not suicide, not a simple
    /// ko.
    ///
    /// # Errors
    /// The rule that forbids it.
    #[inline]
    pub fn check_stone(&self, color: Color, point: Point) -> Result<(), Illegal> {
        if self.board.cell(point) != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        self.check_liberties(color, point)
    }

    /// Suicide and simple ko, for a stone on an open point.
    ///
    /// # Errors
    /// The rule that forbids it.
    #[inline]
    pub fn check_liberties(&self, color: Color, point: Point) -> Result<(), Illegal> {
        if self.board.is_suicide(point, color) {
            return Err(Illegal::Suicide);
        }
        if self.rules.ko == Ko::Simple && self.retakes_ko(color, point) {
            return Err(Illegal::Ko);
        }
        Ok(())
    }

    /// Whether a stone of `color` on `point` would capture exactly the stone
    /// that just captured exactly one stone there.
    #[inline]
    pub fn retakes_ko(&self, color: Color, point: Point) -> bool {
        // Hardly ever the point: the rest is not compiled where playouts draw.
        self.latest.captured_at == point && self.takes_back(color, point)
    }

    #[inline(never)]
    fn takes_back(&self, color: Color, point: Point) -> bool {
        let latest = &self.latest;
        let mut captures = self.board.captures(point, color);
        let single = |p| self.board.group(p).is_some_and(|group| group.size == 1);
        latest.captured == 1
            && latest.color == Some(!color)
            && captures.next() == Some(latest.placed)
            && single(latest.placed)
            && captures.next().is_none()
    }

    /// Places a stone, captures what it captures and books it.
    #[inline]
    pub fn place_and_capture(&mut self, color: Color, point: Point) {
        self.latest.placed = point;
        let without_liberties = self.board.place(point, color);
        if !without_liberties.is_empty() {
            let captured = self.board.capture(point, color, without_liberties);
            self.captures[color as usize] += i32::from(captured);
            self.latest.captured = captured;
            if let [captured_at] = *self.board.empties().last_added(1) {
                self.latest.captured_at = captured_at;
            }
        }
    }

    /// Calls `visit` with every stone that `color` may place by the rules of
    /// Go.
    pub fn for_each_stone(&self, color: Color, visit: &mut dyn FnMut(Step)) {
        for point in self.board.empties().iter() {
            if self.check_liberties(color, point).is_ok() {
                visit(Step::stone(point));
            }
        }
    }

    /// Whether `color` can make a step on any point, superko apart.
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

    /// Any legal step of the side to move but a pass, superko apart, each with the same
    /// chance; a pass if there is none. For playouts that have nothing better.
    #[inline(never)]
    pub fn any_step(&self, random: &mut Random) -> Step {
        let mut steps = Vec::new();
        V::for_each_step(self, self.to_move, &mut |step| steps.push(step));
        steps.retain(|&step| step != Step::PASS);
        let drawn = random.below(steps.len().max(1) as u32) as usize;
        steps.get(drawn).copied().unwrap_or(Step::PASS)
    }

    /// Calls `visit` with the pass between turns and the end of a turn under way, where
    /// `color` may make them.
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

    /// What a playout asks of an empty point: no own eye, not suicide, and no
    /// retaking of a ko under any ko rule but none. (A longer cycle is not
    /// seen.)
    #[inline]
    pub fn is_playout_candidate(&self, color: Color, point: Point) -> bool {
        if self.board.has_open_neighbour(point) {
            return true;
        }
        // A ko point is such a one: one stone was taken off it alone.
        if self.board.is_eye(point, color) || self.board.is_suicide(point, color) {
            return false;
        }
        self.rules.ko == Ko::None || !self.retakes_ko(color, point)
    }

    /// Draws an empty point, every one that `accept` takes with the same
    /// chance; `None` if there is no such point. `accept` may not fill eyes that last.
    ///
    /// Points are drawn without replacement until one is accepted, which
    /// leaves every acceptable point an equal chance. Eyes that last are found
    /// among those refused, and not drawn again.
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
            // Where only one is refused it is too early to look for eyes.
            if V::HAS_UNCONDITIONAL_EYES && left + 2 <= whole {
                self.board.exclude_unconditional_eyes(point, left);
            }
        }
        None
    }

    /// Calls `note` with all that the future of a position between turns depends on beside
    /// the board and the positions before: numbers, each with a point or [`Point::NONE`].
    /// (Between turns, for in the middle of one there is
    /// [`mid_turn_key`](Variant::mid_turn_key).)
    pub fn visit_future_state(&self, note: &mut dyn FnMut(u64, Point)) {
        let ko = self.latest.captured_at;
        let takes_no_ko = self.rules.ko == Ko::Simple
            && !V::INFO.ko_has_no_effect
            && ko != Point::NONE
            && self.retakes_ko(self.to_move, ko);
        let sides = u64::from(self.passes.min(1)) << 1 | self.to_move as u64;
        note(sides, if takes_no_ko { ko } else { Point::NONE });
        if self.rules.scoring == Scoring::Territory {
            note((self.captures[0] - self.captures[1]) as u64, Point::NONE);
        }
        V::visit_future_state(self, note);
    }

    /// The same with the groups of these stones taken off as dead, prisoners of the other side.
    #[must_use]
    pub fn without(&self, dead: &[Point]) -> Self {
        let mut end = self.clone();
        for &point in dead {
            if let Some(color) = end.board.cell(point).color() {
                let taken = end.board.remove_group(point);
                end.captures[!color as usize] += i32::from(taken);
            }
        }
        end
    }

    /// Black's points less White's, komi included, counting the board as it
    /// stands; 0 in a game that is not counted.
    pub fn margin(&self) -> f64 {
        if !V::INFO.is_counted() {
            return 0.0;
        }
        let board = &self.board;
        let counted = match self.rules.scoring {
            Scoring::Area => {
                i32::from(board.stones(Color::Black)) - i32::from(board.stones(Color::White))
            }
            Scoring::Territory => self.captures[0] - self.captures[1],
        };
        f64::from(counted + board.territory_margin()) - self.rules.komi + V::bonus(self)
    }
}
