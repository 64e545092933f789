//! Pieces that are set up, at the start or within a game, which goes on from the new position.

use super::illegal::Illegal;
use super::nuclear::ARROWS;
use super::position::{LatestTurn, Position};
use crate::board::{Board, Cell, Color, Point};
use std::fmt;
use std::str::FromStr;

/// A stone or another piece that a set-up puts on a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// A stone.
    Stone(Color),
    /// A tao stone.
    Tao,
    /// A void, with its arrow in eighths clockwise from north.
    Void(u8),
    /// A wall, in a game whose steps leave walls. There, points that were blocked at the start are
    /// pieces like these.
    Wall,
}

impl Piece {
    /// The cell of a point with this piece.
    pub fn cell(self) -> Cell {
        match self {
            Piece::Stone(color) => Cell::stone(color),
            Piece::Tao => Cell::Tao,
            Piece::Void(_) => Cell::Void,
            Piece::Wall => Cell::Wall,
        }
    }
}

/// No piece of a set-up has this form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a piece: X, O, +, # or a void with its arrow, such as *NE")]
pub struct NoPiece;

impl FromStr for Piece {
    type Err = NoPiece;

    fn from_str(text: &str) -> Result<Piece, NoPiece> {
        if let Some(arrow) = text.strip_prefix(Cell::Void.symbol()) {
            let eighths = ARROWS.iter().position(|&name| name == arrow).ok_or(NoPiece)?;
            return Ok(Piece::Void(eighths as u8));
        }
        let stones = Color::BOTH.map(Piece::Stone);
        let mut all = stones.into_iter().chain([Piece::Tao, Piece::Wall]);
        all.find(|piece| piece.to_string() == text).ok_or(NoPiece)
    }
}

impl fmt::Display for Piece {
    /// The symbol of its cell; that of a void has its arrow: `*NE`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self {
            Piece::Void(eighths) => ARROWS[usize::from(*eighths) % ARROWS.len()],
            Piece::Stone(_) | Piece::Tao | Piece::Wall => "",
        };
        write!(f, "{}{arrow}", self.cell().symbol())
    }
}

/// A set-up: pieces and empty points, and a change of the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Points and their pieces; `None` for an empty point.
    pub cells: Vec<(Point, Option<Piece>)>,
    /// The new side to move.
    pub to_move: Option<Color>,
}

impl Position {
    /// The position after a set-up. It keeps the turn number, captures and the variant's counters,
    /// and forgets passes and the latest turn.
    ///
    /// # Errors
    /// [`Illegal::NoSuchPiece`], [`Illegal::Occupied`] for a piece on a wall, [`Illegal::NoLiberty`] for a group without
    /// liberties.
    pub fn with(&self, set_up: &Placement) -> Result<Self, Illegal> {
        let mut pieces = set_up.cells.iter().filter_map(|&(_, piece)| piece);
        if pieces.any(|piece| !piece.cell().is_stone() && !self.info().leaves(piece.cell())) {
            return Err(Illegal::NoSuchPiece);
        }
        let mut position = self.clone();
        let walls_stay = !self.info().leaves(Cell::Wall);
        position.board = board_after(&self.board, &set_up.cells, walls_stay)?;
        position.situation.forget_passes();
        position.situation.latest = LatestTurn::NOTHING;
        self.info().hooks.set_up(&mut position, set_up);
        position.situation.to_move = match (set_up.to_move, self.situation.latest.color) {
            (Some(color), _) => color,
            (None, Some(mover)) => position.next_to_move(mover),
            // The side to move was set up, or is that of the start.
            (None, None) => self.situation.to_move,
        };
        Ok(position)
    }
}

fn board_after(
    board: &Board,
    set_up: &[(Point, Option<Piece>)],
    walls_stay: bool,
) -> Result<Board, Illegal> {
    let grid = *board.grid();
    let mut cells: Vec<_> = grid.points().map(|at| (at, board.cell(at))).collect();
    for &(point, piece) in set_up {
        let entry = cells.iter_mut().find(|(at, _)| *at == point);
        let (_, cell) = entry.ok_or(Illegal::OffBoard)?;
        *cell = match (piece, *cell) {
            (Some(_), Cell::Wall) if walls_stay => return Err(Illegal::Occupied),
            (None, Cell::Wall) if walls_stay => Cell::Wall,
            (Some(piece), _) => piece.cell(),
            (None, _) => Cell::Empty,
        };
    }
    let mut after = Board::new(grid);
    for &(point, cell) in &cells {
        match cell.color() {
            Some(color) => drop(after.place(point, color)),
            None if cell.is_open() => after.set_open(point, cell),
            None => drop(after.fill(point, cell)),
        }
    }
    let chokes = |point| after.group(point).is_some_and(|group| group.liberties.is_empty());
    let is_choked = cells.iter().any(|&(point, _)| chokes(point));
    if is_choked { Err(Illegal::NoLiberty) } else { Ok(after) }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Game, Illegal, Piece, Placement, Position, Setup, Size, Step, StepKind, StepKindInfo,
        Target, Turn, Variant, VariantInfo, go, parse_point,
    };
    use crate::board::{Cell, Color};
    use crate::sgf::{Cursor, FileDefaults, GameRecord, parse};

    /// Go in which a turn may also block an empty point.
    #[derive(Debug)]
    struct Seal;

    const SEAL: VariantInfo = VariantInfo {
        hooks: &Seal,
        id: "seal",
        kinds: &[
            StepKindInfo::STONE,
            StepKindInfo {
                word: "seal",
                key: 'z',
                target: Target::Open,
                leaves: Some(Cell::Wall),
                ..StepKindInfo::STONE
            },
        ],
        ..go::BASE
    };

    impl Variant for Seal {
        fn check(&self, position: &Position, color: Color, step: Step) -> Result<(), Illegal> {
            match step.parts() {
                (StepKind::STONE, point) => position.check_stone(color, point),
                (kind, point) if kind == StepKind::new(1) => match position.board.cell(point) {
                    Cell::Empty => Ok(()),
                    _ => Err(Illegal::Occupied),
                },
                _ => self.check_without_point(position, color, step),
            }
        }

        fn apply(&self, position: &mut Position, color: Color, step: Step) -> bool {
            match step.stone_point() {
                Some(point) => position.place_and_capture(color, point),
                None => step.point().into_iter().for_each(|point| {
                    position.board.fill(point, Cell::Wall);
                }),
            }
            true
        }
    }

    fn setup() -> Setup {
        let mut setup = Setup { size: Size::square(5), ..Setup::new(&SEAL) };
        setup.blocked_points.push((4, 4));
        setup
    }

    fn placed(game: &Game, at: &str, piece: Option<Piece>) -> Placement {
        let point = parse_point(game.grid(), at).expect("a point");
        Placement { cells: vec![(point, piece)], to_move: None }
    }

    #[test]
    fn a_wall_that_a_step_leaves_is_a_piece() {
        let mut game = Game::new(&setup()).expect("a game");
        let turn = game.parse("seal B2").expect("a turn");
        game.apply(Color::Black, &turn).expect("a legal turn");
        let sealed = game.state().board;
        assert_eq!(sealed, ["....#", ".....", ".....", ".#...", "....."]);
        game.undo(1).expect("a turn");
        let wall = placed(&game, "B2", Some(Piece::Wall));
        assert_eq!(game.changed_by(&wall), wall);
        game.set_up(&wall).expect("a position");
        assert_eq!(game.state().board, sealed);
        assert_eq!(game.changed_by(&wall), Placement::default());
        let empty = placed(&game, "B2", None);
        assert_eq!(game.changed_by(&empty), empty);
        game.set_up(&empty).expect("a position");
        assert_eq!(game.state().board[3], ".....");
        // No step of Go leaves a wall.
        let mut of_go = Game::new(&Setup { info: &go::INFO, ..setup() }).expect("a game");
        assert_eq!(of_go.set_up(&wall), Err(Illegal::NoSuchPiece));
        assert_eq!(of_go.changed_by(&placed(&game, "E5", None)), Placement::default());
    }

    #[test]
    fn records_keep_walls_that_are_set_up() {
        let mut record = GameRecord::new(setup()).expect("a record");
        let game = Game::new(&setup()).expect("a game");
        // At the start, where a blocked point goes, and within the game.
        let mut start = placed(&game, "B2", Some(Piece::Wall));
        start.cells.extend(placed(&game, "E5", None).cells);
        assert_eq!(record.set_up_start(&start), Ok(true));
        let mut cursor = Cursor::new(&record).expect("a game");
        assert_eq!(cursor.game().state().board[0], ".....");
        let centre = parse_point(game.grid(), "C3").expect("a point");
        cursor.play(&mut record, Color::Black, &Turn::stone(centre)).expect("a legal turn");
        let within = placed(&game, "D4", Some(Piece::Wall));
        cursor.set_up(&mut record, &within).expect("a position");
        let board = cursor.game().state().board;
        assert_eq!(board, [".....", "...#.", "..X..", ".#...", "....."]);
        let text = cursor.saved(&record).expect("a record").write_text();
        assert!(text.contains("KPIECE[bd:#]") && text.contains("KPIECE[db:#]"), "{text}");
        let trees = parse(text.as_bytes()).expect("SGF");
        let of_go = Setup::new(&go::INFO);
        let defaults = FileDefaults { games: &[&SEAL], ..(&of_go).into() };
        let back = GameRecord::read(&trees[0], defaults).expect("a game");
        assert_eq!(back.game().expect("legal turns").state().board, board, "{text}");
    }
}
