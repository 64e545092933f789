//! # `tao`: Tao Go
//!
//! Go with neutral *tao stones*. A tao stone counts as a liberty, for both
//! colours, of every group next to it. Nobody may play on it, unless the stone
//! played captures something: then the tao stone is gone and the stone stands
//! in its place. So a tao stone is an eye until something next to it can be
//! captured.
//!
//! One tao stone lies on the middle point (tengen) at the start, if there is
//! one. On boards with an even side, or if a handicap stone or a wall takes
//! the point, Black starts with a tao stone in hand instead.
//!
//! A turn is a stone, a tao placement or a pass. A tao placement puts a tao
//! stone on any empty point and captures nothing. It costs a tao stone from
//! the hand or, with an empty hand, one prisoner, which goes back to the
//! opponent.
//!
//! Tao stones are part of the position for superko. In counting they are like
//! walls: nobody's points, and no border of anybody's region.
//!
//! | option | values | |
//! | --- | --- | --- |
//! | `tao-cost` | **prisoner**, points:K | price once the hand is empty: a prisoner, or K points (whole or half), which are subtracted from the score while prisoners are never spent |
//! | `tao-supply` | **0** to 1000 | tao stones in each hand at the start, in addition to Black's for a missing tengen |
//! | `ko` | **positional**, situational, simple, none | the repetition that is forbidden |
//! | `scoring` | **area**, territory | stones and regions, or regions and captures less prisoners spent |
//! | `board` | **rectangle**, cylinder, torus | the sides that are joined: none; left and right; all opposite sides |
//!
//! Size 19, any rectangle of sides 2 to 25; komi 6.5; fixed and free handicap;
//! any points may be blocked before the first turn. A tao placement is written
//! `tao E5`.

use super::feature_enum;
use super::go;
use super::illegal::Illegal;
use super::options::{Ko, RuleKey, Rules, TaoCost};
use super::position::Position;
use super::set_up::Placement;
use super::step::{Step, StepKind, StepKindInfo};
use super::variant::{Extras, Hand, SPECIAL_STEP_INTERVAL, Variant, VariantInfo};
use crate::board::{Cell, Color, Flat, Joined, Lattice, Point, PointList, Random};
use std::marker::PhantomData;

/// A tao placement.
pub const TAO: StepKind = StepKind::new(1);

/// A stone on a tao stone that captures nothing.
pub const CAPTURES_NOTHING: Illegal =
    Illegal::Rule("tao stone: a stone may replace it only with a capture");
/// Neither a tao stone in hand nor a prisoner.
pub const NOTHING_TO_PAY: Illegal =
    Illegal::Rule("tao: no tao stone in hand and no prisoner to pay with");

/// Tao Go: hands, prices paid, and where the tao stones are.
#[derive(Clone, Debug, Default)]
pub struct Tao<L: Lattice = Flat> {
    /// Tao stones in hand, Black's and White's.
    hand: [u16; 2],
    half_points: [u32; 2],
    stones: PointList,
    /// Whether a playout found no stone for a side. Tao stones and passes do not change that, so it
    /// saves searches while the last prisoners are spent.
    no_stone_found: [bool; 2],
    lattice: PhantomData<L>,
}

feature_enum! {
    /// Input planes of a net.
    pub enum TaoPlane {
        /// Tao stones.
        Tao = "tao",
        /// Tao stones on which the side to move can capture with a stone.
        CanTake = "tao-can-be-taken",
    }
}

feature_enum! {
    /// Inputs of a net that concern the whole board.
    pub enum TaoGlobal {
        /// Tao stones in the mover's hand.
        OwnHand = "own-hand",
        /// Tao stones in the opponent's hand.
        EnemyHand = "enemy-hand",
        /// Prisoners that the mover can spend.
        OwnPrisoners = "own-prisoners",
        /// Prisoners that the opponent can spend.
        EnemyPrisoners = "enemy-prisoners",
        /// The price of tao stones in points.
        Price = "price",
    }
}

/// Maps a count to 0 to 1.5, where the first ones have the greatest effect.
fn fullness(count: f32) -> f32 {
    1.5 * count / (count + 2.0)
}

impl<L: Lattice> Variant for Tao<L> {
    type Lattice = L;
    type OnJoined = Tao<Joined>;

    const INFO: &'static VariantInfo = &VariantInfo {
        id: "tao",
        summary: "Tao Go: neutral stones that are everyone's eye",
        introduction: "Neutral tao stones are liberties of both sides and nobody's points. \
            You may place one from your hand, or pay for it with a prisoner, where a group needs to breathe. \
            A normal stone may take the point of a tao stone only if it captures something there.",
        example: "D5, F6, C6, C7, D7, D6, B6, E7, E6, C4, tao D8, G3",
        source: include_str!("tao.rs"),
        rules: Rules { komi: 6.5, ..Rules::GO },
        keys: &[
            RuleKey::Ko,
            RuleKey::Scoring,
            RuleKey::TaoCost,
            RuleKey::TaoSupply,
            RuleKey::Board,
        ],
        kinds: &[
            StepKindInfo::STONE,
            StepKindInfo {
                word: "tao",
                help: "places a tao stone on VERTEX",
                verb: "places a tao stone on",
                key: 't',
                leaves: Some(Cell::Tao),
                on_board: false,
                on_panel: true,
                ..StepKindInfo::STONE
            },
        ],
        planes: TaoPlane::NAMES,
        globals: TaoGlobal::NAMES,
        experimental: false,
        ..go::BASE
    };

    const HAS_UNCONDITIONAL_EYES: bool = false;

    fn start(position: &mut Position<Self>) -> Self {
        let supply = position.situation.rules.tao_supply;
        let mut state = Tao { hand: [supply; 2], ..Self::default() };
        let tengen = position.board.grid().tengen();
        match tengen.filter(|&point| position.board.cell(point) == Cell::Empty) {
            Some(point) => {
                position.board.set_open(point, Cell::Tao);
                state.stones.push(point);
            }
            None => state.hand[Color::Black as usize] += 1,
        }
        state
    }

    fn set_up(position: &mut Position<Self>, _: &Placement) {
        let Position { board, state, .. } = position;
        state.stones = PointList::default();
        let points = board.grid().points();
        points
            .filter(|&point| board.cell(point) == Cell::Tao)
            .for_each(|point| state.stones.push(point));
        state.no_stone_found = Default::default();
    }

    #[inline]
    fn copy_from(&mut self, other: &Self) {
        self.hand = other.hand;
        self.half_points = other.half_points;
        self.stones.copy_from(&other.stones);
        self.no_stone_found = other.no_stone_found;
    }

    #[inline]
    fn check(position: &Position<Self>, color: Color, step: Step) -> Result<(), Illegal> {
        match step.parts() {
            (StepKind::PASS, _) => Self::may_pass(position, color),
            (StepKind::STONE, point) if position.board.cell(point) == Cell::Tao => {
                if !position.board.would_capture(point, color) {
                    return Err(CAPTURES_NOTHING);
                }
                position.check_liberties(color, point)
            }
            (StepKind::STONE, point) => position.check_stone(color, point),
            (TAO, point) if position.board.cell(point) != Cell::Empty => Err(Illegal::Occupied),
            (TAO, _) if position.can_pay(color) => Ok(()),
            (TAO, _) => Err(NOTHING_TO_PAY),
            _ => Err(Illegal::NoSuchTurn),
        }
    }

    #[inline]
    fn apply(position: &mut Position<Self>, color: Color, step: Step) -> bool {
        match step.parts() {
            (StepKind::STONE, point) => {
                if position.board.cell(point) == Cell::Tao {
                    position.board.set_open(point, Cell::Empty);
                    position.state.stones.remove(point);
                }
                position.place_and_capture(color, point);
                position.state.no_stone_found = [false; 2];
            }
            (TAO, point) => {
                position.pay(color);
                position.board.set_open(point, Cell::Tao);
                position.state.stones.push(point);
            }
            _ => {}
        }
        true
    }

    fn for_each_step(position: &Position<Self>, color: Color, visit: &mut dyn FnMut(Step)) {
        position.for_each_stone(color, visit);
        for &point in position.state.stones.active() {
            let step = Step::stone(point);
            if Self::check(position, color, step).is_ok() {
                visit(step);
            }
        }
        if position.can_pay(color) {
            for point in position.board.empties().iter() {
                visit(Step::new(TAO, point));
            }
        }
        position.for_each_step_without_point(color, visit);
    }

    fn note_planes(position: &Position<Self>, mut note: impl FnMut(usize, Point)) {
        let color = position.situation.to_move;
        for &point in position.state.stones.active() {
            note(TaoPlane::Tao as usize, point);
            if position.takes_tao(color, point) {
                note(TaoPlane::CanTake as usize, point);
            }
        }
    }

    fn note_globals(position: &Position<Self>, mut note: impl FnMut(usize, f32)) {
        let (own, enemy) =
            (position.situation.to_move as usize, !position.situation.to_move as usize);
        let hand = position.state.hand.map(|hand| fullness(f32::from(hand)));
        note(TaoGlobal::OwnHand as usize, hand[own]);
        note(TaoGlobal::EnemyHand as usize, hand[enemy]);
        match position.situation.rules.tao_cost {
            TaoCost::Prisoner => {
                let prisoners = position.situation.captures.map(|n| fullness(n.max(0) as f32));
                note(TaoGlobal::OwnPrisoners as usize, prisoners[own]);
                note(TaoGlobal::EnemyPrisoners as usize, prisoners[enemy]);
            }
            TaoCost::HalfPoints(price) => {
                note(TaoGlobal::Price as usize, 0.5 + fullness(price as f32 / 2.0));
            }
        }
    }

    #[inline]
    fn random_special_step(position: &mut Position<Self>, random: &mut Random) -> Option<Step> {
        position.random_placement(random, &mut |_, _, _| true)
    }

    /// Draws stones, which may capture on tao stones. It tries a tao placement first once in
    /// `SPECIAL_STEP_INTERVAL` turns, and when nothing else is left.
    #[inline]
    fn random_step(
        position: &mut Position<Self>,
        random: &mut Random,
        mut accept: impl FnMut(&Position<Self>, Step, &mut Random) -> bool,
    ) -> Step {
        let color = position.situation.to_move;
        let first = position.state.no_stone_found[color as usize]
            || random.below(SPECIAL_STEP_INTERVAL) == 0;
        if first && let Some(step) = position.random_placement(random, &mut accept) {
            return step;
        }
        if position.state.no_stone_found[color as usize] {
            return Step::PASS;
        }
        let mut stones = position.board.empties().active().len() as u32;
        let mut taos = position.state.stones.active().len() as u32;
        while stones + taos > 0 {
            let at = random.below(stones + taos);
            if at < stones {
                let point = position.board.empties().get(at as usize);
                if position.is_playout_candidate(color, point)
                    && accept(position, Step::stone(point), random)
                {
                    return Step::stone(point);
                }
                stones -= 1;
                position.board.swap_empties(at as usize, stones as usize);
            } else {
                let at = (at - stones) as usize;
                let point = position.state.stones.get(at);
                if position.takes_tao(color, point) && accept(position, Step::stone(point), random)
                {
                    return Step::stone(point);
                }
                taos -= 1;
                position.state.stones.swap(at, taos as usize);
            }
        }
        // A ko may forbid a stone only now.
        position.state.no_stone_found[color as usize] = position.situation.latest.captured != 1;
        position.random_placement(random, &mut accept).unwrap_or(Step::PASS)
    }

    fn extras(position: &Position<Self>) -> Extras {
        Extras {
            hand: Some(Hand { name: "tao stones", count: position.state.hand }),
            ..Extras::default()
        }
    }

    fn visit_future_state(position: &Position<Self>, note: &mut dyn FnMut(u64, Point)) {
        let hand = position.state.hand.map(u64::from);
        note(hand[0] << 32 | hand[1], Point::NONE);
        match position.situation.rules.tao_cost {
            TaoCost::Prisoner => {
                let [black, white] = position.situation.captures.map(|count| count as u64);
                note(black << 32 | white, Point::NONE);
            }
            TaoCost::HalfPoints(_) => {
                let [black, white] = position.state.half_points.map(i64::from);
                note((black - white) as u64, Point::NONE);
            }
        }
    }

    fn bonus(position: &Position<Self>) -> f64 {
        let [black, white] = position.state.half_points.map(f64::from);
        (white - black) / 2.0
    }
}

impl<L: Lattice> Position<Tao<L>> {
    #[inline]
    fn can_pay(&self, color: Color) -> bool {
        self.state.hand[color as usize] > 0
            || match self.situation.rules.tao_cost {
                TaoCost::Prisoner => self.situation.captures[color as usize] > 0,
                TaoCost::HalfPoints(_) => true,
            }
    }

    #[inline]
    fn pay(&mut self, color: Color) {
        let side = color as usize;
        if self.state.hand[side] > 0 {
            self.state.hand[side] -= 1;
            return;
        }
        match self.situation.rules.tao_cost {
            TaoCost::Prisoner => self.situation.captures[side] -= 1,
            TaoCost::HalfPoints(price) => {
                let paid = &mut self.state.half_points[side];
                *paid = paid.saturating_add(price);
            }
        }
    }

    /// Whether a stone on a tao stone captures and takes back no ko.
    #[inline]
    fn takes_tao(&self, color: Color, point: Point) -> bool {
        self.board.would_capture(point, color)
            && (self.situation.rules.ko == Ko::None || !self.retakes_ko(color, point))
    }

    fn random_placement(
        &mut self,
        random: &mut Random,
        accept: &mut impl FnMut(&Position<Tao<L>>, Step, &mut Random) -> bool,
    ) -> Option<Step> {
        let color = self.situation.to_move;
        if !self.can_pay(color) {
            return None;
        }
        let point = self.random_empty(random, |at, point, random| {
            !at.board.is_eye(point, color) && accept(at, Step::new(TAO, point), random)
        });
        point.map(|point| Step::new(TAO, point))
    }
}
