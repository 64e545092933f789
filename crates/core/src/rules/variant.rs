//! The interface of a variant: a record and a few hooks.

use super::illegal::Illegal;
use super::options::{RuleKey, Rules};
use super::position::Position;
use super::set_up::Placement;
use super::step::{Step, StepKind, StepKindInfo};
use super::turn::Turn;
use crate::board::{Color, Lattice, Point, Random};
use std::fmt;
use std::ops::RangeInclusive;

/// One random turn in this number is a special step, such as a nuke or a tao placement. At a
/// uniform rate voids or tao stones would soon fill the board.
pub const SPECIAL_STEP_INTERVAL: u32 = 32;

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
    /// Whether captured stones change colour and are no prisoners.
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

    /// Whether suicide may be legal.
    pub const fn has_suicide(&self) -> bool {
        let mut index = 0;
        while index < self.keys.len() {
            if matches!(self.keys[index], RuleKey::Suicide) {
                return true;
            }
            index += 1;
        }
        false
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

/// The hooks of a variant; the value is its state besides the stones.
///
/// Defaults are those of standard Go. Hooks are compiled for each variant.
pub trait Variant: Clone + Default + std::fmt::Debug + Send + Sync + Sized + 'static {
    /// The board's lattice.
    type Lattice: Lattice;

    /// The game on boards with joined sides; itself without the option [`Board`](RuleKey::Board).
    type OnJoined: Variant;

    /// The record.
    const INFO: &'static VariantInfo;

    /// A bit for each kind of step that places a stone of the mover.
    const PLACING_KINDS: u64 = Self::INFO.placing_kinds();

    /// Whether a group with two eyes is alive until its owner fills one or a void comes to it: only
    /// captures remove stones, and only stones and voids come to empty points. False where the test
    /// does not pay, because voids come to most groups.
    const HAS_UNCONDITIONAL_EYES: bool = true;

    /// Whether suicide may be legal.
    const HAS_SUICIDE: bool = Self::INFO.has_suicide();

    /// Whether turns may have several steps.
    const HAS_LONG_TURNS: bool = !Self::INFO.has_single_steps_only();

    /// The state before the first turn. It may change the board, which has its blocked points and
    /// handicap stones.
    fn start(_position: &mut Position<Self>) -> Self {
        Self::default()
    }

    /// Copies `other` without allocating.
    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }

    /// Checks `step` of `color` without regard to superko. The game is not over, and no turn of the
    /// other side is unfinished. A step that begins no legal turn is illegal.
    #[inline]
    fn check(position: &Position<Self>, color: Color, step: Step) -> Result<(), Illegal> {
        match (step.kind(), step.point()) {
            (StepKind::PASS, _) => Self::may_pass(position, color),
            (StepKind::END, _) => Self::may_end(position),
            (StepKind::STONE, Some(point)) => position.check_stone(color, point),
            _ => Err(Illegal::NoSuchTurn),
        }
    }

    /// Checks a pass of `color` between turns; it is legal where
    /// [passes are free](VariantInfo::passes_are_free).
    #[inline]
    fn may_pass(position: &Position<Self>, color: Color) -> Result<(), Illegal> {
        if Self::INFO.passes_are_free || !position.may_place(color) {
            Ok(())
        } else {
            Err(Illegal::MustPlay)
        }
    }

    /// The side to move after `mover` moved last, in a game whose sides do not
    /// [alternate](VariantInfo::alternates). It is asked after every turn, passes included, after a
    /// set-up that does not name the side, and at the start, where `mover` is the opponent of the
    /// side that begins: Black after handicap stones. `turns` counts the last turn already.
    #[inline]
    fn next_to_move(_position: &Position<Self>, mover: Color) -> Color {
        !mover
    }

    /// Whether a pass of `color` ends the game now. `passes` counts the passes since the last other
    /// turn, and `passed` has their sides.
    #[inline]
    fn pass_ends_game(position: &Position<Self>, _color: Color) -> bool {
        position.situation.passes >= 1
    }

    /// The least and greatest number of points of a turn of `color` now; constant during a turn.
    #[inline]
    fn turn_length(_position: &Position<Self>, _color: Color) -> RangeInclusive<u16> {
        1..=1
    }

    /// Checks the end of the unfinished turn.
    #[inline]
    fn may_end(position: &Position<Self>) -> Result<(), Illegal> {
        match position.situation.steps {
            _ if !Self::HAS_LONG_TURNS => Err(Illegal::NoSuchTurn),
            steps if steps < *Self::turn_length(position, position.situation.to_move).start() => {
                Err(Illegal::TooShort)
            }
            _ => Ok(()),
        }
    }

    /// Makes a legal step; true if the turn ends with it. The default ends a turn with its greatest
    /// number of points.
    #[inline]
    fn apply(position: &mut Position<Self>, color: Color, step: Step) -> bool {
        let Some(point) = step.stone_point() else {
            return true;
        };
        let is_last = !Self::HAS_LONG_TURNS
            || position.situation.steps + 1 >= *Self::turn_length(position, color).end();
        position.place_and_capture(color, point);
        is_last
    }

    /// Acts after every turn, which `turns` already counts.
    #[inline]
    fn turn_ended(_position: &mut Position<Self>) {}

    /// Updates the state after a set-up.
    fn set_up(_position: &mut Position<Self>, _set_up: &Placement) {}

    /// Step number `number`, from 0, of a turn of `color`, after all earlier steps. It is only
    /// called where a turn may have several steps.
    fn step_of_turn(_position: &Position<Self>, _color: Color, turn: &Turn, number: usize) -> Step {
        let point = turn.points().get(number);
        point.map_or(Step::END, |&point| Step::new(turn.kind(), point))
    }

    /// See [`VariantInfo::placed_point`].
    #[inline]
    fn placed_point(step: Step) -> Option<Point> {
        let places = Self::PLACING_KINDS >> step.kind().index() & 1 == 1;
        step.point().filter(|_| places)
    }

    /// A key of the position in the middle of a turn, for games in which no such position recurs;
    /// `None` between turns.
    #[inline]
    fn mid_turn_key(_position: &Position<Self>) -> Option<u64> {
        None
    }

    /// Calls `visit` once with every step that `color` may make now, passes included, without
    /// regard to superko. The default has only stones.
    fn for_each_step(position: &Position<Self>, color: Color, visit: &mut dyn FnMut(Step)) {
        if Self::HAS_LONG_TURNS {
            let stones = position.board.empties().iter().map(Step::stone);
            stones.filter(|&step| Self::check(position, color, step).is_ok()).for_each(&mut *visit);
        } else {
            position.for_each_stone(color, visit);
        }
        position.for_each_step_without_point(color, visit);
    }

    /// Draws a step for a playout: uniformly a legal stone that fills no own eye, among those that
    /// `accept` takes; otherwise a pass or the end of a turn. It checks only simple ko. Variants
    /// add other steps.
    #[inline]
    fn random_step(
        position: &mut Position<Self>,
        random: &mut Random,
        mut accept: impl FnMut(&Position<Self>, Step, &mut Random) -> bool,
    ) -> Step {
        let point = position.random_empty(random, |at, point, random| {
            let step = Step::stone(point);
            at.is_playout_candidate(at.situation.to_move, point)
                && (!Self::HAS_LONG_TURNS || Self::check(at, at.situation.to_move, step).is_ok())
                && accept(at, step, random)
        });
        match point {
            Some(point) => Step::stone(point),
            None if Self::INFO.passes_are_free && !position.is_mid_turn() => Step::PASS,
            None => position.any_step(random),
        }
    }

    /// A step that wins at once by a rule, if a quick test finds one. Playouts and the search make
    /// no other step. It is legal under every rule about repetition.
    #[inline]
    fn winning_step(_position: &Position<Self>) -> Option<Step> {
        None
    }

    /// Draws a turn that only this variant has, for a playout.
    #[inline]
    fn random_special_step(_position: &mut Position<Self>, _random: &mut Random) -> Option<Step> {
        None
    }

    /// Whether a quick test finds a use of a step that
    /// [`random_special_step`](Self::random_special_step) drew.
    #[inline]
    fn is_useful(_position: &Position<Self>, _step: Step) -> bool {
        true
    }

    /// The step that places a stone of the side to move on `point`.
    #[inline]
    fn stone_step_at(_position: &Position<Self>, point: Point) -> Step {
        Step::stone(point)
    }

    /// Calls `note` with each set point of the variant's [`planes`](VariantInfo::planes), from the
    /// point of view of the side to move.
    #[inline]
    fn note_planes(_position: &Position<Self>, _note: impl FnMut(usize, Point)) {}

    /// Calls `note` with each of the variant's [`globals`](VariantInfo::globals) that is not zero,
    /// and its value, about −2 to 2, from the point of view of the side to move.
    #[inline]
    fn note_globals(_position: &Position<Self>, _note: impl FnMut(usize, f32)) {}

    /// See [`Extras`].
    fn extras(_position: &Position<Self>) -> Extras {
        Extras::default()
    }

    /// Calls `note` with the marks for a picture.
    fn hints(_position: &Position<Self>, _note: &mut dyn FnMut(BoardMark)) {}

    /// Calls `note` with the variant's part of [`Position::visit_future_state`]: numbers, each with
    /// a point or [`Point::NONE`]. Positions of a game with the same board and the same notes in
    /// the same order have the same future turns and results, without regard to repetitions.
    fn visit_future_state(_position: &Position<Self>, _note: &mut dyn FnMut(u64, Point)) {}

    /// Black's points besides those on the board.
    fn bonus(_position: &Position<Self>) -> f64 {
        0.0
    }
}

/// Declares an enum of planes or globals with their `NAMES`.
#[doc(hidden)]
#[macro_export]
macro_rules! feature_enum {
    ($(#[$meta:meta])* $vis:vis enum $enum:ident {
        $($(#[$line:meta])+ $feature:ident = $name:literal,)+
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $enum {
            $($(#[$line])+ $feature,)+
        }

        impl $enum {
            /// The name of each.
            $vis const NAMES: &'static [&'static str] = &[$($name),+];
        }
    };
}

pub use feature_enum;
