//! The interface of a variant: a record and a few hooks.

use super::illegal::Illegal;
use super::options::{RuleKey, Rules};
use super::placement::Placement;
use super::position::Position;
use super::step::{Step, StepKind, StepKindInfo};
use super::turn::Turn;
use crate::board::{Cell, Color, Point};
use std::fmt;
use std::ops::RangeInclusive;

/// The handicaps of a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handicap {
    /// No handicap.
    None,
    /// Stones on points that a player chooses.
    Free,
    /// Free handicap, and the fixed points of GTP.
    FixedAndFree,
}

/// The way in which a game is decided without resignation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decision {
    /// By points, komi included.
    Points,
    /// By a rule. There are no points, and a game without a winner is a draw.
    Win,
    /// By a rule, otherwise by points. A win by a rule is better than any lead.
    WinOrPoints,
}

impl Decision {
    /// Its name in a state; `None` for points.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Decision::Points => None,
            Decision::Win => Some("win"),
            Decision::WinOrPoints => Some("win or points"),
        }
    }
}

/// The record of a variant.
#[derive(Debug)]
pub struct VariantInfo {
    /// The rules that differ from Go.
    pub hooks: &'static dyn Variant,
    /// The id, as in `kawari-variant`.
    pub id: &'static str,
    /// A line about it.
    pub summary: &'static str,
    /// Three sentences for Go players who do not know the variant.
    pub introduction: &'static str,
    /// Turns, separated by commas, to a position for a picture, on 9x9 or on layers of 5x5.
    pub example: &'static str,
    /// The source of the module, whose docs are the rules.
    pub source: &'static str,
    /// Default side of a layer.
    pub default_side: u8,
    /// Usual sides of square boards, the smallest first.
    pub usual_sides: &'static [u8],
    /// Default rules and komi.
    pub rules: Rules,
    /// Its rule options.
    pub keys: &'static [RuleKey],
    /// Its handicaps.
    pub handicap: Handicap,
    /// Its kinds of step besides passes; the first is [`StepKind::STONE`](super::StepKind::STONE).
    pub kinds: &'static [StepKindInfo],
    /// Cells that its rules leave on points besides stones and what its kinds of step leave.
    pub cells: &'static [Cell],
    /// The names of its own input planes of a net.
    pub planes: &'static [&'static str],
    /// The names of its own inputs of a net for the whole board.
    pub globals: &'static [&'static str],
    /// How a game is decided.
    pub decided_by: Decision,
    /// Whether a player may pass between turns. Otherwise [`Variant::may_pass`]
    /// decides, by default for a player without another turn. A player without another turn under
    /// the rules about repetition may always pass.
    pub passes_are_free: bool,
    /// Whether the sides take turns: after a turn of one side, the other is to move, and GTP lets
    /// either side play. Otherwise [`Variant::next_to_move`] names the side to move, and the rules
    /// refuse a turn of the other.
    pub alternates: bool,
    /// Whether rotations and mirrors of the board do not change the rules.
    pub is_symmetric: bool,
    /// Whether the board has stacked square layers.
    pub stacked: bool,
    /// Whether a group with two eyes is alive until its owner fills one or a void comes to it: only
    /// captures remove stones, and only stones and voids come to empty points. False where the test
    /// does not pay, because voids come to most groups.
    pub has_unconditional_eyes: bool,
    /// Whether captured stones change colour and are not prisoners.
    pub captures_flip: bool,
    /// Whether the option `ko` has no effect.
    pub ko_has_no_effect: bool,
    /// Whether a placement that repeats a position ends the game in a draw.
    pub repetition_draws: bool,
    /// Whether records name its rules like those of Go (`RU[Japanese]`).
    pub has_rules_of_go: bool,
    /// Whether the game is on trial: nets, problems, measured rates, lessons and parts of the
    /// guides may be missing, and lists say so. The default of a new game.
    pub experimental: bool,
}

impl PartialEq for VariantInfo {
    /// Ids are unique.
    fn eq(&self, other: &VariantInfo) -> bool {
        self.id == other.id
    }
}

impl VariantInfo {
    /// Whether points may decide a game, so that komi, territory and margins have a meaning.
    pub const fn is_counted(&self) -> bool {
        !matches!(self.decided_by, Decision::Win)
    }

    /// Whether it has a rule option.
    pub fn has(&self, key: RuleKey) -> bool {
        self.keys.contains(&key)
    }

    /// Whether a rule may decide a game.
    pub const fn may_be_won(&self) -> bool {
        !matches!(self.decided_by, Decision::Points)
    }

    /// Whether a turn may go on after this step.
    pub fn continues_turn(&self, step: Step) -> bool {
        self.kind(step.kind()).is_some_and(StepKindInfo::is_several)
    }

    /// The point of a step that places a stone of the mover.
    pub fn placed_point(&self, step: Step) -> Option<Point> {
        let places = self.kind(step.kind()).is_some_and(StepKindInfo::places_stone);
        step.point().filter(|_| places)
    }

    /// The rules: the leading `//!` lines of the variant's source.
    pub fn text(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        lines
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .flat_map(|line| [line, "\n"])
            .collect()
    }
}

/// The pieces besides stones in the hands of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hand {
    /// Its name, in the plural.
    pub name: &'static str,
    /// Black's number and White's.
    pub count: [u16; 2],
}

impl fmt::Display for Hand {
    /// `tao stones in hand: Black 1, White 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white] = self.count;
        write!(f, "{} in hand: Black {black}, White {white}", self.name)
    }
}

/// The parts of a variant's state that clients show.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Voids in order of age: point, arrow in eighths clockwise from north, origin.
    pub voids: Vec<(Point, usize, Point)>,
    /// The pieces in hand.
    pub hand: Option<Hand>,
    /// Whether any group has grown so far.
    pub grown: bool,
}

/// A mark for a picture of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardMark {
    /// A void will spread to an empty point at the end of this turn.
    Spreads {
        /// The void.
        from: Point,
        /// The point.
        to: Point,
        /// The direction, in eighths clockwise from north.
        arrow: usize,
    },
    /// The unfinished turn may continue at the group of this stone.
    Continues(Point),
    /// The side to move may end a turn of several steps with a step of another kind.
    Closes {
        /// The kind of the last step.
        kind: StepKind,
        /// The name of that step.
        name: &'static str,
        /// A sentence for a player whose turn has not begun.
        advice: &'static str,
    },
}

/// The hooks of a variant: the rules that its [record](VariantInfo) cannot say.
///
/// Defaults are those of standard Go. A game that knows more than the stones keeps it in the
/// [state](Position::state) of its positions.
pub trait Variant: fmt::Debug + Sync {
    /// Prepares the position before the first turn: sets the state, and may change the board, which
    /// has its blocked points and handicap stones.
    fn start(&self, _position: &mut Position) {}

    /// Checks `step` of `color` without regard to superko. The game is not over, and no turn of the
    /// other side is unfinished. A step that begins no legal turn is illegal.
    fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
        match step.parts() {
            (StepKind::STONE, point) => position.check_stone(color, point),
            _ => self.check_without_point(position, color, step),
        }
    }

    /// Checks a pass or the end of a turn; other steps are illegal.
    fn check_without_point(
        &self,
        position: &Position,
        color: Color,
        step: Step,
    ) -> Result<(), Illegal> {
        match step {
            Step::PASS => self.may_pass(position, color),
            Step::END => self.may_end(position),
            _ => Err(Illegal::NoSuchTurn),
        }
    }

    /// Checks a pass of `color` between turns; it is legal where
    /// [passes are free](VariantInfo::passes_are_free).
    fn may_pass(&self, position: &Position, color: Color) -> Result<(), Illegal> {
        if position.info().passes_are_free || !position.may_place(color) {
            Ok(())
        } else {
            Err(Illegal::MustPlay)
        }
    }

    /// The side to move after `mover` moved last, in a game whose sides do not
    /// [alternate](VariantInfo::alternates). It is asked after every turn, passes included, after a
    /// set-up that does not name the side, and at the start, where `mover` is the opponent of the
    /// side that begins: Black after handicap stones. `turns` counts the last turn already.
    fn next_to_move(&self, _position: &Position, mover: Color) -> Color {
        !mover
    }

    /// Whether a pass of `color` ends the game now. `passes` counts the passes since the last other
    /// turn, and `passed` has their sides.
    fn pass_ends_game(&self, position: &Position, _color: Color) -> bool {
        position.situation.passes >= 1
    }

    /// The least and greatest number of points of a turn of `color` now; constant during a turn.
    fn turn_length(&self, _position: &Position, _color: Color) -> RangeInclusive<u16> {
        1..=1
    }

    /// Checks the end of the unfinished turn.
    fn may_end(&self, position: &Position) -> Result<(), Illegal> {
        match position.situation.steps {
            0 if position.info().has_single_steps_only() => Err(Illegal::NoSuchTurn),
            steps if steps < *self.turn_length(position, position.situation.to_move).start() => {
                Err(Illegal::TooShort)
            }
            _ => Ok(()),
        }
    }

    /// Makes a legal step; true if the turn ends with it. The default ends a turn with its greatest
    /// number of points.
    fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
        let Some(point) = step.stone_point() else {
            return true;
        };
        let is_last = position.situation.steps + 1 >= *self.turn_length(position, color).end();
        position.place_and_capture(color, point);
        is_last
    }

    /// Acts after every turn, which `turns` already counts.
    fn turn_ended(&self, _position: &mut Position) {}

    /// Updates the state after a set-up.
    fn set_up(&self, _position: &mut Position, _set_up: &Placement) {}

    /// The step that point number `number`, from 0, of a written turn of `color` means, after all
    /// earlier steps.
    fn step_of_turn(
        &self,
        _position: &Position,
        _color: Color,
        turn: &Turn,
        number: usize,
    ) -> Step {
        let point = turn.points().get(number);
        point.map_or(Step::END, |&point| Step::new(turn.kind(), point))
    }

    /// A key of the position in the middle of a turn, for games in which no such position recurs;
    /// `None` between turns.
    fn mid_turn_key(&self, _position: &Position) -> Option<u64> {
        None
    }

    /// Calls `visit` once with every step that `color` may make now, passes included, without
    /// regard to superko. The default checks every kind of step on all of its targets.
    fn for_each_step(&self, position: &Position, color: Color, visit: &mut dyn FnMut(Step)) {
        let (board, info) = (&position.board, position.info());
        for (kind, declared) in info.step_kinds() {
            let mut try_at = |point| {
                let step = Step::new(kind, point);
                if self.check(position, color, step).is_ok() {
                    visit(step);
                }
            };
            if declared.target.is_open() {
                board.empties().iter().for_each(&mut try_at);
            }
            let is_other = |&point: &Point| match board.cell(point) {
                Cell::Empty => false,
                cell => declared.target.accepts(color, cell, board.touches(point, color)),
            };
            if !declared.target.is_open() || info.leaves(Cell::Tao) {
                board.grid().span().filter(is_other).for_each(&mut try_at);
            }
        }
        position.for_each_step_without_point(color, visit);
    }

    /// A step that wins at once by a rule, if a quick test finds one. Playouts and the search make
    /// no other step. It is legal under every rule about repetition.
    fn winning_step(&self, _position: &Position) -> Option<Step> {
        None
    }

    /// The step that places a stone of the side to move on `point`.
    fn stone_step_at(&self, _position: &Position, point: Point) -> Step {
        Step::stone(point)
    }

    /// Calls `note` with each set point of the variant's [`planes`](VariantInfo::planes), from the
    /// point of view of the side to move.
    fn note_planes(&self, _position: &Position, _note: &mut dyn FnMut(usize, Point)) {}

    /// Calls `note` with each of the variant's [`globals`](VariantInfo::globals) that is not zero,
    /// and its value, about −2 to 2, from the point of view of the side to move.
    fn note_globals(&self, _position: &Position, _note: &mut dyn FnMut(usize, f32)) {}

    /// See [`Extras`].
    fn extras(&self, _position: &Position) -> Extras {
        Extras::default()
    }

    /// Calls `note` with the marks for a picture.
    fn hints(&self, _position: &Position, _note: &mut dyn FnMut(BoardMark)) {}

    /// Calls `note` with the variant's part of [`Position::visit_future_state`]: numbers, each with
    /// a point or [`Point::NONE`]. Positions of a game with the same board and the same notes in
    /// the same order have the same future turns and results, without regard to repetitions.
    fn visit_future_state(&self, _position: &Position, _note: &mut dyn FnMut(u64, Point)) {}

    /// Black's points besides those on the board.
    fn bonus(&self, _position: &Position) -> f64 {
        0.0
    }
}
