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

use super::go;
use super::illegal::Illegal;
use super::options::{Ko, RuleKey, Rules, TaoCost};
use super::position::Position;
use super::step::{Step, StepKind, StepKindInfo};
use super::variant::{Extras, Hand, Variant, VariantInfo};
use crate::board::{Cell, Color, Point};

/// A tao placement.
pub const TAO: StepKind = StepKind::new(1);

/// A stone on a tao stone that captures nothing.
pub const CAPTURES_NOTHING: Illegal =
    Illegal::Rule("tao stone: a stone may replace it only with a capture");
/// Neither a tao stone in hand nor a prisoner.
pub const NOTHING_TO_PAY: Illegal =
    Illegal::Rule("tao: no tao stone in hand and no prisoner to pay with");

/// The record of `tao`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Tao,
    id: "tao",
    summary: "Tao Go: neutral stones that are everyone's eye",
    introduction: "Neutral tao stones are liberties of both sides and nobody's points. \
        You may place one from your hand, or pay for it with a prisoner, where a group needs to breathe. \
        A normal stone may take the point of a tao stone only if it captures something there.",
    example: "D5, F6, C6, C7, D7, D6, B6, E7, E6, C4, tao D8, G3",
    source: include_str!("tao.rs"),
    rules: Rules { komi: 6.5, ..Rules::GO },
    keys: &[RuleKey::Ko, RuleKey::Scoring, RuleKey::TaoCost, RuleKey::TaoSupply, RuleKey::Board],
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
    planes: &["tao", "tao-can-be-taken"],
    globals: &["own-hand", "enemy-hand", "own-prisoners", "enemy-prisoners", "price"],
    has_unconditional_eyes: false,
    experimental: false,
    ..go::BASE
};

/// The rules of Tao Go.
#[derive(Debug)]
struct Tao;

/// The tao stones and points of the players, Black's and White's.
#[derive(Clone, Debug)]
struct Purse {
    /// Tao stones in hand.
    hand: [u16; 2],
    /// Half points paid.
    half_points: [u32; 2],
}

/// Maps a count to 0 to 1.5, where the first ones have the greatest effect.
fn fullness(count: f32) -> f32 {
    1.5 * count / (count + 2.0)
}

impl Variant for Tao {
    fn start(&self, position: &mut Position) {
        let supply = position.situation.rules.tao_supply;
        let mut purse = Purse { hand: [supply; 2], half_points: [0; 2] };
        let board = &mut position.board;
        match board.grid().tengen().filter(|&point| board.cell(point) == Cell::Empty) {
            Some(point) => board.set_open(point, Cell::Tao),
            None => purse.hand[Color::Black as usize] += 1,
        }
        position.set_state(purse);
    }

    fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
        match step.parts() {
            (StepKind::STONE, point) if position.board.cell(point) == Cell::Tao => {
                if !position.board.would_capture(point, color) {
                    return Err(CAPTURES_NOTHING);
                }
                position.check_liberties(color, point)
            }
            (StepKind::STONE, point) => position.check_stone(color, point),
            (TAO, point) if position.board.cell(point) != Cell::Empty => Err(Illegal::Occupied),
            (TAO, _) if can_pay(position, color) => Ok(()),
            (TAO, _) => Err(NOTHING_TO_PAY),
            _ => self.check_without_point(position, color, step),
        }
    }

    fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
        match step.parts() {
            (StepKind::STONE, point) => {
                if position.board.cell(point) == Cell::Tao {
                    position.board.set_open(point, Cell::Empty);
                }
                position.place_and_capture(color, point);
            }
            (TAO, point) => {
                pay(position, color);
                position.board.set_open(point, Cell::Tao);
            }
            _ => {}
        }
        true
    }

    fn note_planes(&self, position: &Position, note: &mut dyn FnMut(usize, Point)) {
        let (board, color) = (&position.board, position.situation.to_move);
        for point in board.grid().span().filter(|&point| board.cell(point) == Cell::Tao) {
            note(0, point);
            let retakes =
                position.situation.rules.ko != Ko::None && position.retakes_ko(color, point);
            if board.would_capture(point, color) && !retakes {
                note(1, point);
            }
        }
    }

    fn note_globals(&self, position: &Position, note: &mut dyn FnMut(usize, f32)) {
        let (own, enemy) =
            (position.situation.to_move as usize, !position.situation.to_move as usize);
        let hand = position.state::<Purse>().hand.map(|hand| fullness(f32::from(hand)));
        note(0, hand[own]);
        note(1, hand[enemy]);
        match position.situation.rules.tao_cost {
            TaoCost::Prisoner => {
                let prisoners = position.situation.captures.map(|n| fullness(n.max(0) as f32));
                note(2, prisoners[own]);
                note(3, prisoners[enemy]);
            }
            TaoCost::HalfPoints(price) => {
                note(4, 0.5 + fullness(price as f32 / 2.0));
            }
        }
    }

    fn extras(&self, position: &Position) -> Extras {
        Extras {
            hand: Some(Hand { name: "tao stones", count: position.state::<Purse>().hand }),
            ..Extras::default()
        }
    }

    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        let hand = position.state::<Purse>().hand.map(u64::from);
        note(hand[0] << 32 | hand[1], Point::NONE);
        match position.situation.rules.tao_cost {
            TaoCost::Prisoner => {
                let [black, white] = position.situation.captures.map(|count| count as u64);
                note(black << 32 | white, Point::NONE);
            }
            TaoCost::HalfPoints(_) => {
                let [black, white] = position.state::<Purse>().half_points.map(i64::from);
                note((black - white) as u64, Point::NONE);
            }
        }
    }

    fn bonus(&self, position: &Position) -> f64 {
        let [black, white] = position.state::<Purse>().half_points.map(f64::from);
        (white - black) / 2.0
    }
}

fn can_pay(position: &Position, color: Color) -> bool {
    position.state::<Purse>().hand[color as usize] > 0
        || match position.situation.rules.tao_cost {
            TaoCost::Prisoner => position.situation.captures[color as usize] > 0,
            TaoCost::HalfPoints(_) => true,
        }
}

fn pay(position: &mut Position, color: Color) {
    let (_, situation, purse) = position.parts::<Purse>();
    let side = color as usize;
    if purse.hand[side] > 0 {
        purse.hand[side] -= 1;
        return;
    }
    match situation.rules.tao_cost {
        TaoCost::Prisoner => situation.captures[side] -= 1,
        TaoCost::HalfPoints(price) => {
            purse.half_points[side] = purse.half_points[side].saturating_add(price);
        }
    }
}
