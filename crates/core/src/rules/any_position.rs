//! A position of any variant: the boundary between playouts, which are compiled for each variant,
//! and code that is compiled once.

use super::illegal::Illegal;
use super::position::{Ending, Position, Situation};
use super::result::GameResult;
use super::set_up::Placement;
use super::step::Step;
use super::turn::Turn;
use super::variant::{BoardMark, Extras, Variant, VariantInfo};
use crate::board::{AnyBoard, Cell, Color, Point};
use std::any::Any;
use std::fmt::Debug;
use std::ops::RangeInclusive;

/// A position without its [`Variant`]. The methods are those of [`Position`] and the hooks of
/// [`Variant`] of the same names.
#[allow(missing_docs, clippy::missing_errors_doc)]
pub trait AnyPosition: Any + Debug + Send + Sync {
    fn info(&self) -> &'static VariantInfo;
    fn board(&self) -> &dyn AnyBoard;
    fn situation(&self) -> &Situation;
    fn situation_mut(&mut self) -> &mut Situation;

    fn boxed(&self) -> Box<dyn AnyPosition>;

    /// Copies `other`, a position of the same game, without allocating.
    fn copy_from(&mut self, other: &dyn AnyPosition);

    fn check(&self, color: Color, step: Step) -> Result<(), Illegal>;
    fn make(&mut self, color: Color, step: Step) -> bool;
    fn begin(&mut self, color: Color, step: Step) -> bool;
    fn end_turn(&mut self, color: Color);
    fn for_each_step(&self, color: Color, visit: &mut dyn FnMut(Step));
    fn may_end(&self) -> Result<(), Illegal>;
    fn next_to_move(&self, mover: Color) -> Color;
    fn pass_ends_game(&self, color: Color) -> bool;
    fn turn_length(&self, color: Color) -> RangeInclusive<u16>;

    fn step_number(&self, color: Color, turn: &Turn, number: usize) -> Step;

    fn mid_turn_key(&self) -> Option<u64>;
    fn winning_step(&self) -> Option<Step>;
    fn visit_future_state(&self, note: &mut dyn FnMut(u64, Point));

    fn has_unconditional_eyes(&self) -> bool;

    fn margin(&self) -> f64;
    fn bonus(&self) -> f64;
    fn extras(&self) -> Extras;
    fn hints(&self, note: &mut dyn FnMut(BoardMark));
    fn with(&self, set_up: &Placement) -> Result<Box<dyn AnyPosition>, Illegal>;
    fn without(&self, dead: &[Point]) -> Box<dyn AnyPosition>;
}

impl<V: Variant> AnyPosition for Position<V> {
    fn info(&self) -> &'static VariantInfo {
        V::INFO
    }

    fn board(&self) -> &dyn AnyBoard {
        &self.board
    }

    fn situation(&self) -> &Situation {
        &self.situation
    }

    fn situation_mut(&mut self) -> &mut Situation {
        &mut self.situation
    }

    // Inlined, the copy on the stack would make the frames of a deep recursion overflow a thread's
    // stack.
    #[inline(never)]
    fn boxed(&self) -> Box<dyn AnyPosition> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn AnyPosition) {
        Position::copy_from(self, other.of_variant());
    }

    fn check(&self, color: Color, step: Step) -> Result<(), Illegal> {
        Position::check(self, color, step)
    }

    fn make(&mut self, color: Color, step: Step) -> bool {
        let ended = self.begin(color, step);
        if ended {
            self.end_turn(color);
        }
        ended
    }

    fn begin(&mut self, color: Color, step: Step) -> bool {
        Position::begin(self, color, step)
    }

    fn end_turn(&mut self, color: Color) {
        Position::end_turn(self, color);
    }

    fn for_each_step(&self, color: Color, visit: &mut dyn FnMut(Step)) {
        V::for_each_step(self, color, visit);
    }

    fn may_end(&self) -> Result<(), Illegal> {
        V::may_end(self)
    }

    fn next_to_move(&self, mover: Color) -> Color {
        V::next_to_move(self, mover)
    }

    fn pass_ends_game(&self, color: Color) -> bool {
        V::pass_ends_game(self, color)
    }

    fn turn_length(&self, color: Color) -> RangeInclusive<u16> {
        V::turn_length(self, color)
    }

    fn step_number(&self, color: Color, turn: &Turn, number: usize) -> Step {
        V::step_of_turn(self, color, turn, number)
    }

    fn mid_turn_key(&self) -> Option<u64> {
        V::mid_turn_key(self)
    }

    fn winning_step(&self) -> Option<Step> {
        V::winning_step(self)
    }

    fn visit_future_state(&self, note: &mut dyn FnMut(u64, Point)) {
        Position::visit_future_state(self, note);
    }

    fn has_unconditional_eyes(&self) -> bool {
        V::HAS_UNCONDITIONAL_EYES
    }

    fn margin(&self) -> f64 {
        Position::margin(self)
    }

    fn bonus(&self) -> f64 {
        V::bonus(self)
    }

    fn extras(&self) -> Extras {
        V::extras(self)
    }

    fn hints(&self, note: &mut dyn FnMut(BoardMark)) {
        V::hints(self, note);
    }

    fn with(&self, set_up: &Placement) -> Result<Box<dyn AnyPosition>, Illegal> {
        Ok(Box::new(Position::with(self, set_up)?))
    }

    fn without(&self, dead: &[Point]) -> Box<dyn AnyPosition> {
        Box::new(Position::without(self, dead))
    }
}

impl Clone for Box<dyn AnyPosition> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

impl dyn AnyPosition {
    /// The position of variant `V`; panics for another variant.
    #[inline]
    pub fn of_variant<V: Variant>(&self) -> &Position<V> {
        let position = (self as &dyn Any).downcast_ref();
        position.expect("positions of different games do not meet")
    }

    /// Whether both have the same variant and grid, so that one can be copied to the other.
    pub fn is_of_same_game(&self, other: &dyn AnyPosition) -> bool {
        (self as &dyn Any).type_id() == (other as &dyn Any).type_id()
            && self.board().grid() == other.board().grid()
    }

    /// Whether `color` must wait, because the order of turns lets only the other side move.
    pub fn must_wait(&self, color: Color) -> bool {
        self.situation().to_move != color
            && (self.situation().is_mid_turn() || !self.info().alternates)
    }

    /// Whether the unfinished turn can only end.
    pub fn can_only_end(&self) -> bool {
        let mut may_continue = self.may_end().is_err();
        self.for_each_step(self.situation().to_move, &mut |step| may_continue |= step != Step::END);
        self.situation().is_mid_turn() && !may_continue
    }

    /// Rows of symbols from the top, with the walls between layers.
    pub fn rows(&self) -> Vec<String> {
        let (grid, board) = (self.board().grid(), self.board());
        let symbol = |column, row| {
            let cell = grid.point(column, row).map_or(Cell::Wall, |p| board.cell(p));
            cell.symbol()
        };
        let row = |row| (0..grid.width()).map(|column| symbol(column, row)).collect();
        (0..grid.height()).rev().map(row).collect()
    }

    /// The result, if the game is over.
    pub fn result(&self) -> Option<GameResult> {
        self.situation().is_over().then(|| self.score())
    }

    /// The result as if the game ended here.
    pub fn score(&self) -> GameResult {
        match self.situation().ending {
            Some(Ending::Resigned(loser)) => GameResult::Resignation(!loser),
            Some(Ending::Draw) => GameResult::DRAW,
            Some(Ending::Won(winner, _)) => GameResult::Win(winner),
            Some(Ending::Counted(_)) | None => GameResult::Points(self.margin()),
        }
    }
}
