//! The start of a game: variant, size, rules, blocked points and stones, as data and as a position.

use super::illegal::Illegal;
use super::komi::{KomiError, to_komi};
use super::options::{RuleKey, Rules};
use super::placement::{Piece, Placement};
use super::position::Position;
use super::variant::{Handicap, VariantInfo};
use crate::board::{Board, Cell, Color, Grid, GridError, Point};
use std::collections::VecDeque;
use std::str::FromStr;

/// Columns and rows of a board, or of one of several layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
}

impl Size {
    /// A square.
    pub fn square(side: u8) -> Size {
        Size { width: side, height: side }
    }
}

impl FromStr for Size {
    type Err = &'static str;

    /// Reads `N` or `WxH`.
    fn from_str(text: &str) -> Result<Size, &'static str> {
        let (width, height) = text.split_once(['x', 'X']).unwrap_or((text, text));
        let side = |text: &str| text.parse().ok().filter(|side| (2..=25).contains(side));
        let sides = side(width).zip(side(height));
        let (width, height) = sides.ok_or("expected N or WxH, each side 2 to 25")?;
        Ok(Size { width, height })
    }
}

/// The variant does not have this rule option.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{variant} has no rule '{name}', expected one of {expected}")]
pub struct UnknownRule {
    /// The unknown name.
    pub name: String,
    /// The variant's id.
    pub variant: &'static str,
    /// The names of its rule options.
    pub expected: String,
}

/// Why a game cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// No variant is registered under this id.
    #[error("unknown variant")]
    UnknownVariant,
    /// The size is out of bounds.
    #[error("unacceptable size: {0}")]
    Size(#[from] GridError),
    /// Sides are joined, but the game needs a rectangle.
    #[error("this is a game on a rectangle")]
    Joined,
    /// A blocked point or stone lies off the board.
    #[error("off the board")]
    OffBoard,
    /// Two entries have one point.
    #[error("point taken twice")]
    Taken,
    /// A piece of other games.
    #[error("this game has no such piece")]
    NoSuchPiece,
    /// A stone has no liberty.
    #[error("a stone has no liberty")]
    NoLiberty,
    /// The variant has no handicap.
    #[error("this variant has no handicap")]
    NoHandicap,
    /// Komi is out of bounds.
    #[error(transparent)]
    Komi(#[from] KomiError),
}

/// The start of a game. [`Game::new`](super::Game::new) validates it;
/// [`SetupRecord`](super::SetupRecord) is the same in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The variant.
    pub info: &'static VariantInfo,
    /// Board size.
    pub size: Size,
    /// Rules and komi.
    pub rules: Rules,
    /// Blocked points: columns and rows of the flat form, from 0.
    pub blocked_points: Vec<(u8, u8)>,
    /// Black's handicap stones, in the same form.
    pub handicap: Vec<(u8, u8)>,
    /// Black's and White's stones of a position, in the same form, in any variant. They are not a
    /// handicap.
    pub stones: [Vec<(u8, u8)>; 2],
    /// Other pieces of a position, in the same form; `None` empties a point that the rules fill.
    pub pieces: Vec<((u8, u8), Option<Piece>)>,
    /// The side of the first turn, if the rules do not decide.
    pub to_move: Option<Color>,
}

impl Setup {
    /// The variant with its default size and rules.
    pub fn new(info: &'static VariantInfo) -> Setup {
        Setup {
            info,
            size: Size::square(info.default_side),
            rules: info.rules,
            blocked_points: Vec::new(),
            handicap: Vec::new(),
            stones: [Vec::new(), Vec::new()],
            pieces: Vec::new(),
            to_move: None,
        }
    }

    /// The rule option of this name.
    ///
    /// # Errors
    /// [`UnknownRule`] if the variant does not have it.
    pub fn rule_key(&self, name: &str) -> Result<RuleKey, UnknownRule> {
        let key = self.info.keys.iter().find(|key| key.name() == name);
        key.copied().ok_or_else(|| {
            let names: Vec<_> = self.info.keys.iter().map(|key| key.name()).collect();
            UnknownRule { name: name.to_owned(), variant: self.info.id, expected: names.join(", ") }
        })
    }

    /// Reduces the size to the largest for the number of layers.
    pub fn limit_size(&mut self) {
        if let Some(side) = Grid::largest_side(self.rules.layers)
            && self.info.stacked
            && self.size.width > side
        {
            self.size = Size::square(side);
        }
    }

    /// Whether stones stand on the board before the first turn.
    pub fn has_stones(&self) -> bool {
        !self.handicap.is_empty() || self.stones.iter().any(|stones| !stones.is_empty())
    }

    /// Removes all stones and keeps blocked points.
    pub fn take_stones_off(&mut self) {
        self.handicap.clear();
        self.stones.iter_mut().for_each(Vec::clear);
        self.pieces.clear();
        self.to_move = None;
    }

    /// The shape of the board.
    pub fn grid(&self) -> Result<Grid, GridError> {
        if !self.info.stacked {
            return Grid::with_topology(self.rules.board, self.size.width, self.size.height);
        }
        if self.size.width != self.size.height {
            return Err(GridError::Layers);
        }
        Grid::stack(self.size.width, self.rules.layers)
    }

    /// The side that the rules and the handicap let move first.
    pub(crate) fn first_by_rules(&self) -> Color {
        if self.handicap.is_empty() { self.rules.first } else { Color::White }
    }

    /// The position before the first turn.
    pub fn start(&self) -> Result<Position, SetupError> {
        let board = self.board()?;
        let to_move = self.to_move.unwrap_or(self.first_by_rules());
        let position = Position::new(self.info, board, self.rules, to_move);
        if self.pieces.is_empty() {
            return Ok(position);
        }
        let grid = *position.board.grid();
        let at = |place: (u8, u8)| grid.point(place.0, place.1).ok_or(SetupError::OffBoard);
        let cells = self.pieces.iter().map(|&(place, piece)| Ok((at(place)?, piece)));
        let cells = cells.collect::<Result<Vec<_>, SetupError>>()?;
        position.with(&Placement { cells, to_move: None }).map_err(|why| match why {
            Illegal::NoLiberty => SetupError::NoLiberty,
            _ => SetupError::NoSuchPiece,
        })
    }

    /// Empties those of these points that the rules fill.
    pub fn keep_empty(&mut self, places: impl IntoIterator<Item = (u8, u8)>) {
        let Ok(game) = super::Game::new(self) else {
            return;
        };
        let is_filled = |&(column, row): &(u8, u8)| {
            game.grid().point(column, row).is_some_and(|point| game.piece(point).is_some())
        };
        let is_free = |place: &(u8, u8)| !self.blocked_points.contains(place);
        let filled = places.into_iter().filter(is_filled).filter(is_free);
        self.pieces.extend(filled.map(|place| (place, None)));
    }

    fn board(&self) -> Result<Board, SetupError> {
        let grid = self.grid()?;
        if grid.topology().is_joined() && !self.info.has(RuleKey::Board) {
            return Err(SetupError::Joined);
        }
        to_komi(self.rules.komi)?;
        let mut board = Board::new(grid);
        for point in points(&grid, &self.blocked_points)? {
            claim(&board, point)?;
            board.fill(point, Cell::Wall);
        }
        if !self.handicap.is_empty() && self.info.handicap == Handicap::None {
            return Err(SetupError::NoHandicap);
        }
        let [black, white] = &self.stones;
        let all = [(Color::Black, &self.handicap), (Color::Black, black), (Color::White, white)];
        for (color, places) in all {
            for point in points(&grid, places)? {
                claim(&board, point)?;
                board.place(point, color);
            }
        }
        let pieces: Vec<_> = self.pieces.iter().map(|&(place, _)| place).collect();
        for point in points(&grid, &pieces)? {
            claim(&board, point)?;
        }
        let chokes = |p: Point| board.group(p).is_some_and(|g| g.liberties.is_empty());
        if grid.points().any(chokes) {
            return Err(SetupError::NoLiberty);
        }
        Ok(board)
    }
}

fn points(grid: &Grid, places: &[(u8, u8)]) -> Result<Vec<Point>, SetupError> {
    let point = |&(column, row): &(u8, u8)| grid.point(column, row).ok_or(SetupError::OffBoard);
    places.iter().map(point).collect()
}

fn claim(board: &Board, point: Point) -> Result<(), SetupError> {
    match board.cell(point) {
        Cell::Empty => Ok(()),
        _ => Err(SetupError::Taken),
    }
}

/// The points of a fixed handicap of `stones` stones, if GTP 2 defines them for this size.
pub fn fixed_handicap(size: Size, stones: usize) -> Option<Vec<(u8, u8)>> {
    let side = size.width;
    let most = match side {
        _ if size.height != side => 0,
        0..=6 => 0,
        7 => 4,
        _ if side.is_multiple_of(2) => 4,
        _ => 9,
    };
    (2..=most).contains(&stones).then(|| star_points(size, stones))
}

/// The line of the star points on a side of this length, from 0.
fn star_line(side: u8) -> u8 {
    match side {
        0..=4 => 0,
        5 | 6 => 1,
        7..=12 => 2,
        _ => 3,
    }
}

/// At most `stones` points in the order of GTP 2: the corners, two sides, the other two sides, and
/// the centre for an odd number. A side of even length has no middle.
fn star_points(size: Size, stones: usize) -> Vec<(u8, u8)> {
    let ends = |side: u8| (star_line(side), side.saturating_sub(1 + star_line(side)));
    let middle = |side: u8, least| Some(side / 2).filter(|_| side >= least && side % 2 == 1);
    let ((left, right), (low, high)) = (ends(size.width), ends(size.height));
    let mut points = vec![(left, low), (right, high), (left, high), (right, low)];
    let (column, row) = (middle(size.width, 7), middle(size.height, 7));
    points.extend(row.into_iter().flat_map(|row| [(left, row), (right, row)]));
    points.extend(column.into_iter().flat_map(|column| [(column, low), (column, high)]));
    let is_odd = stones > 4 && !stones.is_multiple_of(2);
    let centre = middle(size.width, 5).zip(middle(size.height, 5)).filter(|_| is_odd);
    // Only whole pairs of sides look the same from both ends.
    let pairs = (stones - usize::from(centre.is_some())) / 2 * 2;
    points.truncate(if stones < 4 { stones } else { pairs });
    points.extend(centre);
    points
}

/// At most `stones` handicap points, far apart and off the edges, the same seen from both ends of
/// the board. They begin with the fixed ones of GTP 2.
pub fn free_handicap(setup: &Setup, stones: usize) -> Vec<(u8, u8)> {
    let mut trial = Setup { handicap: Vec::new(), ..setup.clone() };
    let Ok(grid) = trial.grid() else {
        return Vec::new();
    };
    let has_stars = setup.info.handicap == Handicap::FixedAndFree && stones > 1;
    let stars = if has_stars { star_points(setup.size, stones) } else { Vec::new() };
    let mut candidates: Vec<_> = grid.points().map(|point| grid.coordinates(point)).collect();
    let mut queue = VecDeque::from(stars);
    while trial.handicap.len() < stones && !candidates.is_empty() {
        let next = queue.pop_front().unwrap_or_else(|| {
            let turned = |(column, row)| (grid.width() - 1 - column, grid.height() - 1 - row);
            // An even number has no place for the centre.
            let is_even = (stones - trial.handicap.len()).is_multiple_of(2);
            let mut pool = candidates.clone();
            pool.retain(|&place| !is_even || turned(place) != place);
            let pool = if pool.is_empty() { &candidates } else { &pool };
            let place = most_distant(&grid, pool, &trial.handicap);
            queue.push_back(turned(place));
            place
        });
        if !candidates.contains(&next) {
            continue;
        }
        candidates.retain(|&place| place != next);
        trial.handicap.push(next);
        if super::Game::new(&trial).is_err() {
            trial.handicap.pop();
        }
    }
    trial.handicap
}

/// The candidate with the greatest distance from the stones; of equal ones the one nearest to the
/// third line.
fn most_distant(grid: &Grid, candidates: &[(u8, u8)], stones: &[(u8, u8)]) -> (u8, u8) {
    let point = |&(column, row): &(u8, u8)| grid.point(column, row);
    let stones: Vec<Point> = stones.iter().filter_map(point).collect();
    let worth = |place: &&(u8, u8)| {
        let at = point(place)?;
        let apart = |&stone: &Point| {
            let (layers, columns, rows) = grid.apart(at, stone);
            u32::from(columns) + u32::from(rows) + 2 * u32::from(layers)
        };
        let (across, up) = grid.lines_to_edges(at);
        let nearest = stones.iter().map(apart).min();
        let line = u32::from(across.min(up).abs_diff(2).min(3));
        Some(2 * nearest.unwrap_or(0).min(8) + 3 - line)
    };
    candidates.iter().max_by_key(worth).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Setup, Size, fixed_handicap, free_handicap};
    use crate::rules::go;

    #[test]
    fn a_free_handicap_looks_the_same_from_both_ends() {
        for (width, height) in [(9, 14), (14, 9), (7, 7), (8, 8), (11, 5), (13, 19), (5, 5), (9, 9)]
        {
            let size = Size { width, height };
            let setup = Setup { size, ..Setup::new(&go::INFO) };
            for stones in 2..=11 {
                let points = free_handicap(&setup, stones);
                assert_eq!(points.len(), stones, "{size:?}");
                let turned = |&(column, row): &(u8, u8)| (width - 1 - column, height - 1 - row);
                let alone = points.iter().filter(|point| !points.contains(&turned(point))).count();
                let has_centre = !width.is_multiple_of(2) && !height.is_multiple_of(2);
                let may_be_alone = usize::from(stones % 2 == 1 && (stones < 5 || !has_centre));
                assert!(alone <= may_be_alone, "{size:?}, {stones} stones: {points:?}");
                if let Some(fixed) = fixed_handicap(size, stones) {
                    assert_eq!(points, fixed, "{size:?}");
                }
            }
        }
    }
}
