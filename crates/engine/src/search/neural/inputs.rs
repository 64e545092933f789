//! The inputs of a net: planes and numbers for the whole board.

use super::board::NetBoard;
use crate::board::{Cell, Point};
use crate::net::Shape;
use crate::rules::{
    AnyPosition, Ko, Position, Scoring, Variant, VariantInfo, feature_enum, with_position,
};
use crate::search::ladder::{LadderFeature, LadderReader};
use std::fmt::Debug;

feature_enum! {
    /// The planes that all variants have.
    pub enum Plane {
        /// Every playable point.
        OnBoard = "on-board",
        /// Own stones.
        Own = "own",
        /// The opponent's stones.
        Enemy = "enemy",
        /// Own groups with one liberty.
        Own1Liberty = "own-1-liberty",
        /// Own groups with two liberties.
        Own2Liberties = "own-2-liberties",
        /// Own groups with three liberties.
        Own3Liberties = "own-3-liberties",
        /// The opponent's groups with one liberty.
        Enemy1Liberty = "enemy-1-liberty",
        /// The opponent's groups with two liberties.
        Enemy2Liberties = "enemy-2-liberties",
        /// The opponent's groups with three liberties.
        Enemy3Liberties = "enemy-3-liberties",
        /// Empty points where the side to move may not place a stone.
        Forbidden = "forbidden",
        /// The stone of the latest turn.
        Latest = "latest",
        /// The stone of the turn before.
        Before = "before",
        /// A stone there captures.
        Captures = "captures",
        /// A stone of the opponent there would capture.
        EnemyCaptures = "enemy-captures",
        /// A stone there begins or ends a ladder that works.
        LadderWorks = "ladder-works",
        /// A stone there cannot escape from a ladder.
        LadderFails = "ladder-fails",
        /// A stone there gets a group out of a ladder.
        LadderEscape = "ladder-escape",
    }
}

feature_enum! {
    /// The numbers for the whole board that all variants have.
    pub enum Global {
        /// Komi for the side to move, in twenty points.
        Komi = "komi",
        /// The margin if the game ended now, in twenty points.
        Margin = "margin",
        /// The latest turn was a pass.
        Passed = "passed",
        /// Territory is counted.
        Territory = "territory",
        /// Prisoners of the side to move less the opponent's, in twenty points, where they
        /// count.
        Prisoners = "prisoners",
        /// Repetition is free.
        NoKo = "no-ko",
        /// The distance of komi from the nearest possible draw, where area is counted: half a point
        /// of komi may decide whether another point wins.
        KomiParity = "komi-parity",
    }
}

/// The names of the planes that all variants have.
pub const PLANES: &[&str] = Plane::NAMES;

/// The names of the numbers for the whole board that all variants have.
pub const GLOBALS: &[&str] = Global::NAMES;

/// Number of planes of a net for this variant, a multiple of four.
pub const fn plane_count(variant: &VariantInfo) -> usize {
    (PLANES.len() + variant.planes.len()).next_multiple_of(4)
}

/// Number of inputs for the whole board of a net for this variant.
pub const fn global_count(variant: &VariantInfo) -> usize {
    GLOBALS.len() + variant.globals.len()
}

/// The shape of a net for this variant.
pub fn shape_for(variant: &VariantInfo, blocks: usize, channels: usize) -> Shape {
    Shape {
        planes: plane_count(variant),
        globals: global_count(variant),
        channels,
        blocks,
        head_channels: 32,
        point_kinds: variant.kinds.len(),
        board_kinds: NetBoard::BOARD_KINDS,
        hidden: 64,
        layered: variant.stacked,
    }
}

/// Whether a net of this shape takes the inputs of this variant and rates its steps.
pub fn fits(shape: &Shape, variant: &VariantInfo) -> bool {
    let own = shape_for(variant, shape.blocks, shape.channels);
    *shape == Shape { head_channels: shape.head_channels, hidden: shape.hidden, ..own }
}

/// The quantized value of an input of 1.0.
const ONE: u8 = 64;

/// Writes the inputs of positions of one game.
pub trait WriteInputs: Debug + Send {
    /// Calls `set` with each input of a position that is not zero: the place of a playable point
    /// among the activations, the number of a plane, and the value. `before` is the point of the
    /// turn before the latest.
    fn write(
        &mut self,
        position: &dyn AnyPosition,
        before: Point,
        board: &NetBoard,
        set: &mut dyn FnMut(usize, usize, u8),
    ) {
        self.write_position(position, board, set);
        write_turns(position, before, board, set);
    }

    /// As [`write`](Self::write), without the inputs that tell the order of the latest turns.
    fn write_position(
        &mut self,
        position: &dyn AnyPosition,
        board: &NetBoard,
        set: &mut dyn FnMut(usize, usize, u8),
    );

    /// Writes the numbers for the whole board, [`global_count`] of them.
    fn write_globals(&mut self, position: &dyn AnyPosition, globals: &mut [i8]);
}

/// Calls `set` with the inputs of the latest turns, as [`WriteInputs::write`] does.
pub(super) fn write_turns(
    position: &dyn AnyPosition,
    before: Point,
    board: &NetBoard,
    set: &mut dyn FnMut(usize, usize, u8),
) {
    for (plane, point) in
        [(Plane::Latest, position.situation().latest.placed), (Plane::Before, before)]
    {
        if point != Point::NONE
            && let Some(at) = board.position(point)
        {
            set(at, plane as usize, ONE);
        }
    }
}

pub fn input_writer(position: &dyn AnyPosition) -> Box<dyn WriteInputs> {
    fn writer<V: Variant>(_: &Position<V>) -> Box<dyn WriteInputs> {
        Box::new(InputWriter::<V>::default())
    }
    with_position!(position, position => writer(position))
}

#[derive(Clone, Debug)]
struct InputWriter<V: Variant> {
    ladders: LadderReader<V::Lattice>,
    globals: Vec<f32>,
}

impl<V: Variant> Default for InputWriter<V> {
    fn default() -> Self {
        InputWriter { ladders: LadderReader::default(), globals: Vec::new() }
    }
}

impl<V: Variant> WriteInputs for InputWriter<V> {
    fn write_position(
        &mut self,
        position: &dyn AnyPosition,
        board: &NetBoard,
        set: &mut dyn FnMut(usize, usize, u8),
    ) {
        let position: &Position<V> = position.of_variant();
        let mut mark = |plane: usize, point: Point| {
            if let Some(at) = board.position(point) {
                set(at, plane, ONE);
            }
        };
        let (own, stones) = (position.situation().to_move, &position.board);
        for &point in board.points() {
            mark(Plane::OnBoard as usize, point);
            match stones.cell(point) {
                Cell::Empty => mark_empty(position, point, &mut mark),
                cell => {
                    if let Some(color) = cell.color() {
                        let liberties = stones.liberties_of(point, 4).len();
                        mark_stone(color == own, liberties, point, &mut mark);
                    }
                }
            }
        }
        for (point, feature) in self.ladders.read(stones, own) {
            if let Some(plane) = ladder_plane(feature) {
                mark(plane as usize, point);
            }
        }
        V::note_planes(position, |plane, point| mark(PLANES.len() + plane, point));
    }

    fn write_globals(&mut self, position: &dyn AnyPosition, globals: &mut [i8]) {
        let numbers = &mut self.globals;
        numbers.clear();
        numbers.resize(global_count(V::INFO), 0.0);
        let mut set = |global: usize, value: f32| {
            if let Some(number) = numbers.get_mut(global) {
                *number = value;
            }
        };
        set_globals(position, &mut set);
        let set_own = |global, value| set(GLOBALS.len() + global, value);
        V::note_globals(position.of_variant(), set_own);
        for (global, &number) in globals.iter_mut().zip(numbers.iter()) {
            *global = libm::roundf(number * f32::from(ONE)).clamp(-127.0, 127.0) as i8;
        }
    }
}

/// The inputs of every variant.
fn set_globals(position: &dyn AnyPosition, set: &mut dyn FnMut(usize, f32)) {
    let own = f32::from(position.situation().to_move.sign());
    let flag = |is_set: bool| f32::from(is_set);
    let territory = position.situation().rules.scoring == Scoring::Territory;
    let komi = -own * position.situation().rules.komi as f32;
    set(Global::Komi as usize, komi / 20.0);
    set(Global::Margin as usize, own * position.margin() as f32 / 20.0);
    set(Global::Passed as usize, flag(position.situation().passes > 0));
    set(Global::Territory as usize, flag(territory));
    let prisoners =
        own * (position.situation().captures[0] - position.situation().captures[1]) as f32;
    set(Global::Prisoners as usize, flag(territory) * prisoners / 20.0);
    set(Global::NoKo as usize, flag(position.situation().rules.ko == Ko::None));
    if !territory {
        let points = position.board().grid().point_count();
        set(Global::KomiParity as usize, komi_parity(points, komi));
    }
}

fn ladder_plane(feature: LadderFeature) -> Option<Plane> {
    match feature {
        LadderFeature::WinningAttack | LadderFeature::CapturesLaddered => Some(Plane::LadderWorks),
        LadderFeature::LosingEscape => Some(Plane::LadderFails),
        LadderFeature::WinningEscape | LadderFeature::PreventsLadder => Some(Plane::LadderEscape),
        LadderFeature::LosingAttack => None,
    }
}

fn mark_empty<V: Variant>(
    position: &Position<V>,
    point: Point,
    mark: &mut impl FnMut(usize, Point),
) {
    let (own, board) = (position.situation().to_move, &position.board);
    let captures = board.would_capture(point, own);
    if captures {
        mark(Plane::Captures as usize, point);
    }
    if board.would_capture(point, !own) {
        mark(Plane::EnemyCaptures as usize, point);
    }
    // An empty point next to an open one is legal, unless a rule forbids captures.
    let free = board.has_open_neighbour(point) && !captures;
    let stone = V::stone_step_at(position, point);
    let retakes = || position.situation().rules.ko != Ko::None && position.retakes_ko(own, point);
    if !free && (V::check(position, own, stone).is_err() || retakes()) {
        mark(Plane::Forbidden as usize, point);
    }
}

fn mark_stone(is_own: bool, liberties: usize, point: Point, mark: &mut impl FnMut(usize, Point)) {
    let (stone, few) = if is_own {
        (Plane::Own, [Plane::Own1Liberty, Plane::Own2Liberties, Plane::Own3Liberties])
    } else {
        (Plane::Enemy, [Plane::Enemy1Liberty, Plane::Enemy2Liberties, Plane::Enemy3Liberties])
    };
    mark(stone as usize, point);
    if let Some(&plane) = few.get(liberties.wrapping_sub(1)) {
        mark(plane as usize, point);
    }
}

/// A triangular wave of the komi for the side to move, −0.5 to 0.5. If every point has an owner,
/// the margin on the board has the parity of the number of points.
fn komi_parity(points: usize, komi: f32) -> f32 {
    // The distance of komi above a draw.
    let even = (points % 2) as f32;
    let above = (komi - even).rem_euclid(2.0);
    match above {
        above if above < 0.5 => above,
        above if above < 1.5 => 1.0 - above,
        above => above - 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Scratch;
    use crate::rules::{AnyGame, Setup, VARIANTS};

    #[test]
    fn the_wave_rises_and_falls_with_komi() {
        let wave = |komi| komi_parity(81, komi);
        assert_eq!([wave(7.0), wave(7.5), wave(8.0), wave(6.5)], [0.0, 0.5, 0.0, -0.5]);
        assert_eq!([wave(-7.0), wave(-6.5)], [0.0, 0.5]);
        assert_eq!(komi_parity(64, 7.0), 0.0);
    }

    /// The inputs of a game, as a net takes them: for each point the planes that are set.
    fn inputs(game: &AnyGame) -> (Vec<Vec<&'static str>>, Vec<i8>) {
        let info = game.info();
        let names: Vec<&str> = PLANES.iter().chain(info.planes).copied().collect();
        let position = game.position();
        let board = NetBoard::new(position.board());
        let shape = shape_for(info, 1, 32);
        let mut scratch = Scratch::new(&shape, board.frame());
        let mut writer = input_writer(position);
        writer.write(position, Point::NONE, &board, &mut |at, plane, value| {
            scratch.planes(at)[plane] = value;
        });
        writer.write_globals(position, scratch.globals());
        let set = |&point| {
            let at = board.position(point).expect("a point");
            let planes = scratch.planes(at).to_vec();
            let set = names.iter().copied().zip(planes).filter(|&(_, n)| n == ONE);
            set.map(|(name, _)| name).collect()
        };
        let planes: Vec<Vec<&str>> = board.points().to_vec().iter().map(set).collect();
        (planes, scratch.globals().to_vec())
    }

    fn game_after(variant: &str, side: u8, turns: &str) -> AnyGame {
        let info = crate::rules::variant(variant).expect("a variant");
        let mut setup = Setup::new(info);
        (setup.size.width, setup.size.height) = (side, side);
        let mut game = AnyGame::new(&setup).expect("a game");
        for turn in turns.split(", ") {
            let action = game.parse(turn).expect("a turn");
            game.apply(game.to_move(), &action).expect("legal");
        }
        game
    }

    #[test]
    fn planes_show_stones_liberties_captures_and_ko() {
        // A ko: White has just taken B1; Black may not take back.
        let game = game_after("go", 5, "B2, A2, A1, E5, C1, B3, E4, B1");
        let (planes, globals) = inputs(&game);
        assert_eq!(planes[0], ["on-board", "forbidden", "captures"]);
        assert_eq!(planes[1], ["on-board", "enemy", "enemy-1-liberty", "latest"]);
        assert!(planes[6].contains(&"own") && planes[6].contains(&"own-1-liberty"));
        assert!(planes[13] == ["on-board"] && planes[24].contains(&"enemy-1-liberty"));
        assert!(planes[23].contains(&"captures"));
        assert_eq!(globals[Global::Komi as usize], -24);
    }

    #[test]
    fn variants_add_their_planes() {
        let (planes, _) = inputs(&game_after("no", 5, "C3, A1, nuke C3"));
        assert_eq!(planes[12], ["on-board", "void", "void-north-east"]);
        assert_eq!(planes[17], ["on-board", "void-in-8"]);
        assert_eq!(planes[18], ["on-board", "void-in-1"]);
        let (planes, _) = inputs(&game_after("tao", 5, "A1"));
        assert!(planes[12].contains(&"tao"));
        let (planes, globals) = inputs(&game_after("sygo", 5, "A1, E5, grow A2"));
        assert!(planes[23].contains(&"may-grow") && !planes[6].contains(&"may-grow"));
        assert!(globals[GLOBALS.len()..].contains(&0));
    }

    #[test]
    fn every_variant_has_room_for_its_inputs() {
        for info in VARIANTS {
            assert!(shape_for(info, 4, 32).is_valid(), "{}", info.id);
            assert!(plane_count(info) <= 40);
        }
    }
}
