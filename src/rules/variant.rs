//! The interface of a variant: a record and a few hooks.

use super::illegal::Illegal;
use super::options::{RuleKey, Rules};
use super::position::Position;
use super::step::{Step, StepKind, StepKindInfo};
use super::turn::Turn;
use crate::board::{Color, Lattice, Point, Random};
use std::fmt;
use std::ops::RangeInclusive;

/// One random turn in this many is of the special kind that a variant adds to
/// stones: a nuke, a tao placement. (As many as there are points for them
/// would turn most boards to voids or tao stones long before the end.)
pub const SPECIAL_STEP_INTERVAL: u32 = 32;

/// Which handicaps a variant knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handicap {
    /// None.
    None,
    /// Stones on points chosen by a player.
    Free,
    /// Free handicap, and the points fixed by GTP.
    FixedAndFree,
}

/// The way in which a game is decided without resignation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Points: what the board counts, and komi.
    Points,
    /// Rules alone: there are no points, and komi has no effect. A game that ends without a
    /// winner is a draw.
    Win,
    /// Points, unless a rule has said before who has won. A win by a rule is better than any
    /// lead.
    WinOrPoints,
}

impl Decision {
    /// What a state calls it; `None` for points, which most games have.
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
    /// One line of words.
    pub summary: &'static str,
    /// Three sentences for somebody who knows Go and has never heard of the variant.
    pub introduction: &'static str,
    /// Turns, separated by commas, that lead to a position for a picture: on a board of 9x9,
    /// or on layers of 5x5.
    pub example: &'static str,
    /// The module's rustdoc: the rules as implemented.
    pub source: &'static str,
    /// Side of the board unless asked otherwise (of one layer).
    pub default_side: u8,
    /// Sides of square boards that a list offers, smallest first.
    pub usual_sides: &'static [u8],
    /// Default rules and komi.
    pub rules: Rules,
    /// The options the variant has.
    pub keys: &'static [RuleKey],
    /// Its handicaps.
    pub handicap: Handicap,
    /// The kinds of step that its turns consist of, besides passes; the first is
    /// [`StepKind::STONE`](super::StepKind::STONE).
    pub kinds: &'static [StepKindInfo],
    /// The names of the features that steps of this variant alone have; a search's
    /// policy has a weight for each.
    pub features: &'static [&'static str],
    /// The names of the input planes of a net that this variant alone has.
    pub planes: &'static [&'static str],
    /// The names of the inputs of a net that concern the whole board and that this
    /// variant alone has.
    pub globals: &'static [&'static str],
    /// How a game is decided.
    pub decided_by: Decision,
    /// Whether a player may pass whenever no turn is under way. If not, a player may pass who
    /// can make no other turn, unless the game says otherwise ([`Variant::may_pass`]). A player
    /// to whom the rules about repetition leave no other turn passes in any case.
    pub passes_are_free: bool,
    /// Whether the rules are the same on a board that is turned or mirrored.
    pub is_symmetric: bool,
    /// Whether layers are stacked squares rather than one rectangle.
    pub stacked: bool,
    /// Whether the option `ko` is accepted but changes nothing.
    pub ko_has_no_effect: bool,
    /// Whether a placement that repeats a position ends the game in a draw.
    pub repetition_draws: bool,
    /// Whether records give its rules the names of rules of Go (`RU[Japanese]`).
    pub has_rules_of_go: bool,
    /// Whether the game is on trial: weights, problems, measured rates, lessons and passages of
    /// the guides may be missing, and lists say so. A record made from that of Go is, until it
    /// says otherwise.
    pub experimental: bool,
}

impl PartialEq for VariantInfo {
    /// Ids differ.
    fn eq(&self, other: &VariantInfo) -> bool {
        self.id == other.id
    }
}

impl VariantInfo {
    /// Whether a game may be decided by points, so that komi, territory and margins mean
    /// something.
    pub const fn is_counted(&self) -> bool {
        !matches!(self.decided_by, Decision::Win)
    }

    /// Whether a rule may say who has won.
    pub const fn may_be_won(&self) -> bool {
        !matches!(self.decided_by, Decision::Points)
    }

    /// Whether a turn may go on after this step.
    pub fn continues_turn(&self, step: Step) -> bool {
        self.kind(step.kind()).is_some_and(StepKindInfo::is_several)
    }

    /// The point on which a step puts a stone of the mover; `None` if it puts none.
    pub fn placed_point(&self, step: Step) -> Option<Point> {
        let places = self.kind(step.kind()).is_some_and(StepKindInfo::places_stone);
        step.point().filter(|_| places)
    }

    /// The rules in words: the leading `//!` lines of the variant's source.
    pub fn text(&self) -> String {
        let lines = self.source.lines().map_while(|line| line.strip_prefix("//!"));
        lines
            .map(|line| line.strip_prefix(' ').unwrap_or(line))
            .flat_map(|line| [line, "\n"])
            .collect()
    }
}

/// The pieces besides stones that the players may still put on the board.
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

/// The parts of a state besides stones, captures and turns.
#[derive(Clone, Debug, Default)]
pub struct Extras {
    /// Voids in the order they appeared: point, arrow in eighths clockwise
    /// from north, origin.
    pub voids: Vec<(Point, usize, Point)>,
    /// The pieces in hand, in variants that have such.
    pub hand: Option<Hand>,
    /// Whether any group has grown so far.
    pub grown: bool,
}

/// Something about the position that a picture of it should point out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A void that will spread to a point at the end of this turn, if nothing is
    /// played there.
    Spreads {
        /// The void.
        from: Point,
        /// The point.
        to: Point,
        /// The direction, in eighths clockwise from north.
        arrow: usize,
    },
    /// A stone at whose group the turn under way may go on.
    Continues(Point),
    /// The side to move may end a turn of several steps with one of another kind.
    Closes {
        /// The kind of the last step.
        kind: StepKind,
        /// The name of that step.
        name: &'static str,
        /// A sentence for a player whose turn has not begun.
        advice: &'static str,
    },
}

/// The hooks of a variant; the value itself is the state that it keeps beside
/// the stones.
///
/// Defaults are those of standard Go. Every hook is compiled for its variant:
/// nothing asks at run time.
pub trait Variant: Clone + Default + std::fmt::Debug + Send + Sync + Sized + 'static {
    /// Four directions, or six; with labels or without; sides joined or not.
    type Lattice: Lattice;

    /// The same game on boards of which sides are joined; the game itself if it has no
    /// option [`Board`](RuleKey::Board).
    type OnJoined: Variant;

    /// The record.
    const INFO: &'static VariantInfo;

    /// A bit for each kind of step that puts a stone of the mover on its point.
    const PLACING_KINDS: u64 = Self::INFO.placing_kinds();

    /// Whether a group with two eyes stays for ever unless its owner fills them
    /// or voids come to it: stones go by capture alone, and nothing else comes to
    /// empty points. (Where voids come to most groups it is not worth the asking.)
    const HAS_UNCONDITIONAL_EYES: bool = true;

    /// Whether turns may have several steps.
    const HAS_LONG_TURNS: bool = !Self::INFO.has_single_steps_only();

    /// The variant's own state before the first turn; may change the board
    /// (on which blocked points and handicap stones already stand).
    fn start(_position: &mut Position<Self>) -> Self {
        Self::default()
    }

    /// Makes the own state equal to `other` without allocating.
    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.clone_from(other);
    }

    /// Whether `color` may make `step` now, where the game is not over and no turn of the
    /// other side is under way; superko is not checked. A first step that no legal turn
    /// begins with is illegal.
    ///
    /// # Errors
    /// The rule that forbids it.
    #[inline]
    fn check(position: &Position<Self>, color: Color, step: Step) -> Result<(), Illegal> {
        match (step.kind(), step.point()) {
            (StepKind::PASS, _) => Self::may_pass(position, color),
            (StepKind::END, _) => Self::may_end(position),
            (StepKind::STONE, Some(point)) => position.check_stone(color, point),
            _ => Err(Illegal::NoSuchTurn),
        }
    }

    /// Whether `color` may pass between turns; always where
    /// [passes are free](VariantInfo::passes_are_free).
    ///
    /// # Errors
    /// The rule that forbids it.
    #[inline]
    fn may_pass(position: &Position<Self>, color: Color) -> Result<(), Illegal> {
        if Self::INFO.passes_are_free || !position.may_place(color) {
            Ok(())
        } else {
            Err(Illegal::MustPlay)
        }
    }

    /// The least and the greatest number of points of a turn that `color` makes now; it stays
    /// the same while a turn is under way.
    #[inline]
    fn turn_length(_position: &Position<Self>, _color: Color) -> RangeInclusive<u16> {
        1..=1
    }

    /// Whether the turn under way may end as it stands.
    ///
    /// # Errors
    /// The rule that forbids it.
    #[inline]
    fn may_end(position: &Position<Self>) -> Result<(), Illegal> {
        match position.steps {
            _ if !Self::HAS_LONG_TURNS => Err(Illegal::NoSuchTurn),
            steps if steps < *Self::turn_length(position, position.to_move).start() => {
                Err(Illegal::TooShort)
            }
            _ => Ok(()),
        }
    }

    /// Carries out a step that was checked; true if the turn ends with it. The default ends
    /// a turn that has its greatest number of points.
    #[inline]
    fn apply(position: &mut Position<Self>, color: Color, step: Step) -> bool {
        let Some(point) = step.stone_point() else {
            return true;
        };
        let is_last = !Self::HAS_LONG_TURNS
            || position.steps + 1 >= *Self::turn_length(position, color).end();
        position.place_and_capture(color, point);
        is_last
    }

    /// Acts after every turn, when `turns` counts it already.
    #[inline]
    fn turn_ended(_position: &mut Position<Self>) {}

    /// Brings the state in line with a board on which stones were just set up.
    fn set_up(_position: &mut Position<Self>) {}

    /// Step number `number`, from 0, of a turn of `color`, all steps before it made. Only
    /// asked where a turn may have several steps.
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

    /// A number for the position in the middle of a turn, the same for all ways
    /// to come there; `None` where no turn is under way. Only for games in which
    /// no such position ever comes again.
    #[inline]
    fn mid_turn_key(_position: &Position<Self>) -> Option<u64> {
        None
    }

    /// Calls `visit` with every step that `color` may make now, superko
    /// apart, each once, passes included. The default knows stones alone.
    fn for_each_step(position: &Position<Self>, color: Color, visit: &mut dyn FnMut(Step)) {
        if Self::HAS_LONG_TURNS {
            let stones = position.board.empties().iter().map(Step::stone);
            stones.filter(|&step| Self::check(position, color, step).is_ok()).for_each(&mut *visit);
        } else {
            position.for_each_stone(color, visit);
        }
        position.for_each_step_without_point(color, visit);
    }

    /// A step drawn for a playout: a stone on one of the points where the side
    /// to move may place one and fills no own eye, each with exactly the same
    /// chance if `accept` takes all; a pass (or the end of a turn) if there is
    /// none that it takes. Only simple ko is checked, not superko. Variants
    /// say what they add.
    #[inline]
    fn random_step(
        position: &mut Position<Self>,
        random: &mut Random,
        mut accept: impl FnMut(&Position<Self>, Step, &mut Random) -> bool,
    ) -> Step {
        let found = position.random_empty(random, |at, point, random| {
            let step = Step::stone(point);
            at.is_playout_candidate(at.to_move, point)
                && (!Self::HAS_LONG_TURNS || Self::check(at, at.to_move, step).is_ok())
                && accept(at, step, random)
        });
        match found {
            Some(point) => Step::stone(point),
            None if Self::INFO.passes_are_free && !position.is_mid_turn() => Step::PASS,
            None => position.any_step(random),
        }
    }

    /// A step that wins at once by a rule, as far as a glance tells; playouts and the search
    /// make no other. It is legal under every rule about repetition.
    #[inline]
    fn winning_step(_position: &Position<Self>) -> Option<Step> {
        None
    }

    /// A turn that only this variant has, drawn for a playout; `None` if there is
    /// none.
    #[inline]
    fn random_special_step(_position: &mut Position<Self>, _random: &mut Random) -> Option<Step> {
        None
    }

    /// Whether a turn of the kind that [`random_special_step`](Self::random_special_step)
    /// draws is called for, as far as a glance tells.
    #[inline]
    fn is_useful(_position: &Position<Self>, _step: Step) -> bool {
        true
    }

    /// The step that puts a stone of the side to move on `point`.
    #[inline]
    fn stone_step_at(_position: &Position<Self>, point: Point) -> Step {
        Step::stone(point)
    }

    /// Calls `note` with the number of each feature that a legal step of the side to
    /// move has, among the [`features`](VariantInfo::features) of this variant.
    #[inline]
    fn note_features(_position: &Position<Self>, _step: Step, _note: &mut dyn FnMut(usize)) {}

    /// Calls `note` with each of the [`planes`](VariantInfo::planes) of this variant and
    /// each point at which it is set, as the side to move sees it.
    #[inline]
    fn note_planes(_position: &Position<Self>, _note: impl FnMut(usize, Point)) {}

    /// Calls `note` with each of the [`globals`](VariantInfo::globals) of this variant that
    /// is not zero and its value, about −2 to 2, as the side to move sees it.
    #[inline]
    fn note_globals(_position: &Position<Self>, _note: impl FnMut(usize, f32)) {}

    /// The parts of the state besides the stones.
    fn extras(_position: &Position<Self>) -> Extras {
        Extras::default()
    }

    /// Calls `note` with what a picture should point out.
    fn hints(_position: &Position<Self>, _note: &mut dyn FnMut(Hint)) {}

    /// Calls `note` with what, beside the board and what [`Position::visit_future_state`] notes
    /// by itself, the future of a position between turns depends on: numbers, each with a
    /// point or [`Point::NONE`]. Two positions of a game with the same notes in the same
    /// order have the same turns and results ahead, superko and repetitions apart.
    fn visit_future_state(_position: &Position<Self>, _note: &mut dyn FnMut(u64, Point)) {}

    /// Points that Black's score gains over what the board counts.
    fn bonus(_position: &Position<Self>) -> f64 {
        0.0
    }
}

/// Declares an enum of features, planes or globals and, as `NAMES`, the name of each.
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

pub(crate) use feature_enum;
