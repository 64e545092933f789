//! The inputs of a net: planes and numbers for the whole board.

use super::board::NetBoard;
use crate::board::{Cell, Point};
use crate::net::Shape;
use crate::rules::{Ko, Position, Scoring, VariantInfo};
use crate::search::ladder::{LadderFeature, LadderReader};

/// The names of the planes that all variants have.
pub const PLANES: &[&str] = &[
    "on-board",
    "own",
    "enemy",
    "own-1-liberty",
    "own-2-liberties",
    "own-3-liberties",
    "enemy-1-liberty",
    "enemy-2-liberties",
    "enemy-3-liberties",
    "forbidden",
    "latest",
    "before",
    "captures",
    "enemy-captures",
    "ladder-works",
    "ladder-fails",
    "ladder-escape",
];

/// The planes that all variants have.
#[derive(Clone, Copy, Debug)]
enum Plane {
    /// Every playable point.
    OnBoard,
    /// Own stones.
    Own,
    /// The opponent's stones.
    Enemy,
    /// Own groups with one liberty.
    Own1Liberty,
    /// Own groups with two liberties.
    Own2Liberties,
    /// Own groups with three liberties.
    Own3Liberties,
    /// The opponent's groups with one liberty.
    Enemy1Liberty,
    /// The opponent's groups with two liberties.
    Enemy2Liberties,
    /// The opponent's groups with three liberties.
    Enemy3Liberties,
    /// Empty points where the side to move may not place a stone.
    Forbidden,
    /// The stone of the latest turn.
    Latest,
    /// The stone of the turn before.
    Before,
    /// A stone there captures.
    Captures,
    /// A stone of the opponent there would capture.
    EnemyCaptures,
    /// A stone there begins or ends a ladder that works.
    LadderWorks,
    /// A stone there cannot escape from a ladder.
    LadderFails,
    /// A stone there gets a group out of a ladder.
    LadderEscape,
}

/// The names of the numbers for the whole board that all variants have.
pub const GLOBALS: &[&str] =
    &["komi", "margin", "passed", "territory", "prisoners", "no-ko", "komi-parity"];

/// The numbers for the whole board that all variants have.
#[derive(Clone, Copy, Debug)]
enum Global {
    /// Komi for the side to move, in twenty points.
    Komi,
    /// The margin if the game ended now, in twenty points.
    Margin,
    /// The latest turn was a pass.
    Passed,
    /// Territory is counted.
    Territory,
    /// Prisoners of the side to move less the opponent's, in twenty points, where they
    /// count.
    Prisoners,
    /// Repetition is free.
    NoKo,
    /// The distance of komi from the nearest possible draw, where area is counted: half a point
    /// of komi may decide whether another point wins.
    KomiParity,
}

const _: () = assert!(Plane::LadderEscape as usize + 1 == PLANES.len());
const _: () = assert!(Global::KomiParity as usize + 1 == GLOBALS.len());

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

/// Writes the inputs of positions; it keeps memory between them.
#[derive(Clone, Debug, Default)]
pub struct InputWriter {
    ladders: LadderReader,
    globals: Vec<f32>,
}

impl InputWriter {
    /// Calls `set` with each input of a position that is not zero: the place of a playable point
    /// among the activations, the number of a plane, and the value. `before` is the point of the
    /// turn before the latest.
    pub fn write(
        &mut self,
        position: &Position,
        before: Point,
        board: &NetBoard,
        set: &mut dyn FnMut(usize, usize, u8),
    ) {
        self.write_position(position, board, set);
        write_turns(position, before, board, set);
    }

    /// As [`write`](Self::write), without the inputs that tell the order of the latest turns.
    pub fn write_position(
        &mut self,
        position: &Position,
        board: &NetBoard,
        set: &mut dyn FnMut(usize, usize, u8),
    ) {
        let mut mark = |plane: usize, point: Point| {
            if let Some(at) = board.position(point) {
                set(at, plane, ONE);
            }
        };
        let (own, stones) = (position.situation.to_move, &position.board);
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
        let note_own = &mut |plane, point| mark(PLANES.len() + plane, point);
        position.info().hooks.note_planes(position, note_own);
    }

    /// Writes the numbers for the whole board, [`global_count`] of them.
    pub fn write_globals(&mut self, position: &Position, globals: &mut [i8]) {
        let numbers = &mut self.globals;
        numbers.clear();
        numbers.resize(global_count(position.info()), 0.0);
        let mut set = |global: usize, value: f32| {
            if let Some(number) = numbers.get_mut(global) {
                *number = value;
            }
        };
        set_globals(position, &mut set);
        let note_own = &mut |global, value| set(GLOBALS.len() + global, value);
        position.info().hooks.note_globals(position, note_own);
        for (global, &number) in globals.iter_mut().zip(numbers.iter()) {
            *global = libm::roundf(number * f32::from(ONE)).clamp(-127.0, 127.0) as i8;
        }
    }
}

/// Calls `set` with the inputs of the latest turns, as [`WriteInputs::write`] does.
pub(super) fn write_turns(
    position: &Position,
    before: Point,
    board: &NetBoard,
    set: &mut dyn FnMut(usize, usize, u8),
) {
    for (plane, point) in
        [(Plane::Latest, position.situation.latest.placed), (Plane::Before, before)]
    {
        if point != Point::NONE
            && let Some(at) = board.position(point)
        {
            set(at, plane as usize, ONE);
        }
    }
}

/// The inputs of every variant.
fn set_globals(position: &Position, set: &mut dyn FnMut(usize, f32)) {
    let own = f32::from(position.situation.to_move.sign());
    let flag = |is_set: bool| f32::from(is_set);
    let territory = position.situation.rules.scoring == Scoring::Territory;
    let komi = -own * position.situation.rules.komi as f32;
    set(Global::Komi as usize, komi / 20.0);
    set(Global::Margin as usize, own * position.margin() as f32 / 20.0);
    set(Global::Passed as usize, flag(position.situation.passes > 0));
    set(Global::Territory as usize, flag(territory));
    let prisoners = own * (position.situation.captures[0] - position.situation.captures[1]) as f32;
    set(Global::Prisoners as usize, flag(territory) * prisoners / 20.0);
    set(Global::NoKo as usize, flag(position.situation.rules.ko == Ko::None));
    if !territory {
        let points = position.board.grid().point_count();
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

fn mark_empty(position: &Position, point: Point, mark: &mut dyn FnMut(usize, Point)) {
    let (own, board) = (position.situation.to_move, &position.board);
    let captures = board.would_capture(point, own);
    if captures {
        mark(Plane::Captures as usize, point);
    }
    if board.would_capture(point, !own) {
        mark(Plane::EnemyCaptures as usize, point);
    }
    // An empty point next to an open one is legal, unless a rule forbids captures.
    let free = board.has_open_neighbour(point) && !captures;
    let hooks = position.info().hooks;
    let stone = hooks.stone_step_at(position, point);
    let retakes = || position.situation.rules.ko != Ko::None && position.retakes_ko(own, point);
    if !free && (hooks.check(position, own, stone).is_err() || retakes()) {
        mark(Plane::Forbidden as usize, point);
    }
}

fn mark_stone(is_own: bool, liberties: usize, point: Point, mark: &mut dyn FnMut(usize, Point)) {
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
    use crate::rules::{Game, Setup, VARIANTS};

    #[test]
    fn the_wave_rises_and_falls_with_komi() {
        let wave = |komi| komi_parity(81, komi);
        assert_eq!([wave(7.0), wave(7.5), wave(8.0), wave(6.5)], [0.0, 0.5, 0.0, -0.5]);
        assert_eq!([wave(-7.0), wave(-6.5)], [0.0, 0.5]);
        assert_eq!(komi_parity(64, 7.0), 0.0);
    }

    /// The inputs of a game, as a net takes them: for each point the planes that are set.
    fn inputs(game: &Game) -> (Vec<Vec<&'static str>>, Vec<i8>) {
        let info = game.info();
        let names: Vec<&str> = PLANES.iter().chain(info.planes).copied().collect();
        let position = game.position();
        let board = NetBoard::new(&position.board);
        let shape = shape_for(info, 1, 32);
        let mut scratch = Scratch::new(&shape, board.frame());
        let mut writer = InputWriter::default();
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

    fn game_after(variant: &str, side: u8, turns: &str) -> Game {
        let info = crate::rules::variant(variant).expect("a variant");
        let mut setup = Setup::new(info);
        (setup.size.width, setup.size.height) = (side, side);
        let mut game = Game::new(&setup).expect("a game");
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
