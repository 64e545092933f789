//! # `mason`: a game that only tests have
//!
//! Go, but each player has three walls. Instead of a stone a player may build a wall on an empty
//! point, for good. Enemy groups that lose their last liberty by it are captured. A wall may not
//! take the last liberty of a group of its builder.

// part: game
use super::go;
use super::illegal::Illegal;
use super::options::RuleKey;
use super::position::Position;
use super::step::{Step, StepKind, StepKindInfo, Target};
use super::variant::{Extras, Hand, Variant, VariantInfo};
use crate::board::{Cell, Color, Point};

/// A wall.
pub const WALL: StepKind = StepKind::new(1);

/// The record of `mason`.
pub const INFO: VariantInfo = VariantInfo {
    hooks: &Mason,
    id: "mason",
    summary: "Mason: three walls for each player",
    introduction: "Go with three walls for each player, which stay for good. A wall may take the \
        last liberty of enemy groups. It may not take that of a group of your own.",
    example: "E5, E4, wall E6, D5, D4, wall F4, F5, wall D6, C5, G4",
    source: include_str!("mason.rs"),
    default_side: 9,
    usual_sides: &[5, 7, 9],
    keys: &[RuleKey::Ko, RuleKey::Scoring, RuleKey::Board],
    kinds: &[
        StepKindInfo::STONE,
        StepKindInfo {
            word: "wall",                    // `wall D4`, and the GTP command `wall C V`
            help: "builds a wall on VERTEX", // of that command
            verb: "builds a wall on",        // "Black builds a wall on D4."
            key: 'k',                        // on the page
            target: Target::Open,            // where to try it
            leaves: Some(Cell::Wall),        // `None`: a stone of the mover
            on_board: false,                 // a vertex of the board means a stone
            on_panel: true,                  // and one of the second board a wall
            ..StepKindInfo::STONE
        },
    ],
    has_unconditional_eyes: false,
    ..go::BASE
};

/// Walls in each hand at the start.
const WALLS: u16 = 3;
/// No wall is left.
pub const NO_WALL: Illegal = Illegal::Rule("wall: no wall in hand");
/// The wall would take the last liberty of a group of its builder.
pub const OWN_LIBERTY: Illegal = Illegal::Rule("wall: it takes your own last liberty");

/// Stones and walls. The state is the number of walls in each hand.
#[derive(Debug)]
struct Mason;

impl Variant for Mason {
    fn start(&self, position: &mut Position) {
        position.set_state([WALLS; 2]);
    }

    fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
        match step.parts() {
            (StepKind::STONE, point) => position.check_stone(color, point),
            (WALL, point) if position.board.cell(point) != Cell::Empty => Err(Illegal::Occupied),
            (WALL, _) if position.state::<[u16; 2]>()[color as usize] == 0 => Err(NO_WALL),
            (WALL, point) if takes_own_liberty(position, color, point) => Err(OWN_LIBERTY),
            (WALL, _) => Ok(()),
            _ => self.check_without_point(position, color, step),
        }
    }

    fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
        match step.parts() {
            (StepKind::STONE, point) => position.place_and_capture(color, point),
            (WALL, point) => {
                let (board, situation, hand) = position.parts::<[u16; 2]>();
                hand[color as usize] -= 1;
                let without_liberties = board.fill(point, Cell::Wall);
                let captured = board.capture(point, color, without_liberties);
                situation.captures[color as usize] += i32::from(captured);
            }
            _ => {}
        }
        true
    }

    fn extras(&self, position: &Position) -> Extras {
        let hand = Hand { name: "walls", count: *position.state::<[u16; 2]>() };
        Extras { hand: Some(hand), ..Extras::default() }
    }

    fn visit_future_state(&self, position: &Position, note: &mut dyn FnMut(u64, Point)) {
        let [black, white] = position.state::<[u16; 2]>().map(u64::from);
        note(black << 16 | white, Point::NONE);
    }
}

/// Whether a wall on `point` would take the last liberty of a group of `color`.
fn takes_own_liberty(position: &Position, color: Color, point: Point) -> bool {
    let board = &position.board;
    let is_own = |&at: &Point| board.cell(at) == Cell::stone(color);
    board.neighbours(point).filter(is_own).any(|stone| board.is_last_liberty(stone, point))
}
// end: game

#[cfg(test)]
mod tests {
    use crate::rules::{Game, Illegal, Setup, Size, variant};

    #[test]
    fn walls_capture_and_run_out() {
        let info = variant("mason").expect("a variant");
        let mut game =
            Game::new(&Setup { size: Size::square(5), ..Setup::new(info) }).expect("a game");
        let play = |game: &mut Game, turn: &str| {
            let action = game.parse(turn).expect("a turn");
            game.apply(game.to_move(), &action)
        };
        for turn in ["B1", "A1", "E5", "C3", "D5", "C5"] {
            assert_eq!(play(&mut game, turn), Ok(()), "{turn}");
        }
        // A2 is the last liberty of A1.
        assert_eq!(play(&mut game, "C4"), Ok(()));
        assert_eq!(play(&mut game, "wall A2"), Err(super::OWN_LIBERTY));
        assert_eq!(play(&mut game, "B5"), Ok(()));
        assert_eq!(play(&mut game, "wall A2"), Ok(()));
        assert_eq!(game.state().board.last().map(String::as_str), Some(".X..."));
        assert_eq!(game.extras().hand.map(|hand| hand.count), Some([2, 3]));
        assert_eq!(play(&mut game, "wall A2"), Err(Illegal::Occupied));
        for turn in ["E1", "wall A5", "E2", "wall A4", "E3"] {
            assert_eq!(play(&mut game, turn), Ok(()), "{turn}");
        }
        assert_eq!(play(&mut game, "wall A3"), Err(super::NO_WALL));
    }
}
