//! Files of clients that know only Go: moves are vertices of the displayed board, and nothing names
//! the variant.

use super::places::Place;
use super::property::{PropertyValue, SgfPoint};
use super::tree::GameTree;
use crate::board::Grid;
use crate::encoding::{self, DisplayBoard, Encoding};
use crate::rules::{Setup, Size, VARIANTS, VariantInfo};

/// Defaults for files.
#[derive(Clone, Copy, Debug)]
pub struct FileDefaults<'a> {
    /// Variant, size, rules, komi.
    pub setup: &'a Setup,
    /// The games that a file may name, besides that of `setup`.
    pub games: &'a [&'static VariantInfo],
    /// The meaning of vertices.
    pub encoding: Encoding,
    /// Whether somebody chose these rules. Otherwise a superko forbids nothing in a record that
    /// names no rules.
    pub rules_are_chosen: bool,
    /// Whether the stones of a stated handicap that a file does not set up are placed where GTP has
    /// them. SGF does not say so; a referee adds nothing to a record.
    pub places_handicap: bool,
}

impl<'a> From<&'a Setup> for FileDefaults<'a> {
    fn from(setup: &'a Setup) -> Self {
        let encoding = Encoding::Native;
        FileDefaults {
            setup,
            games: VARIANTS,
            encoding,
            rules_are_chosen: true,
            places_handicap: true,
        }
    }
}

/// Board side without `SZ`.
pub(super) const DEFAULT_SIDE: u8 = 19;

/// The board of a file: the game's in the lower left corner, and perhaps more columns and rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileBoard {
    pub grid: Grid,
    pub width: u8,
    pub height: u8,
}

impl FileBoard {
    /// The board of a game, and no more.
    pub fn new(grid: Grid) -> FileBoard {
        let (width, height) = (grid.width(), grid.height());
        FileBoard { grid, width, height }
    }

    /// Column and row of a point; `None` off the board.
    pub fn place(&self, point: SgfPoint) -> Option<Place> {
        let row = self.height.checked_sub(point.line + 1)?;
        (point.column < self.width).then_some((point.column, row))
    }
}

/// The size of the game and the client's board. `stated` has the columns and rows of the file.
/// `None` if no size of the variant fits.
pub(super) fn client_board(
    tree: &GameTree,
    defaults: FileDefaults<'_>,
    setup: &Setup,
    stated: Option<(u8, u8)>,
) -> Option<(Size, FileBoard)> {
    let (width, height) = stated.unwrap_or_else(|| default_size(tree, defaults, setup));
    let own = Size { width, height };
    let shows_own =
        (defaults.encoding == Encoding::Native || setup.info.is_plain()) && !setup.info.stacked;
    let is_square = setup.size.width == setup.size.height;
    let board_of = |size| {
        let grid = Setup { size, ..setup.clone() }.grid().ok()?;
        let has_room = grid.width() <= width && grid.height() <= height;
        has_room.then_some((size, FileBoard { grid, width, height }))
    };
    let shown = || {
        let encoding = defaults.encoding;
        let size = if width == height {
            encoding::square(encoding, setup, width.into())
        } else {
            encoding::rectangle(encoding, setup, width.into(), height.into())
        };
        size.and_then(board_of)
    };
    if !shows_own {
        return shown();
    }
    // A square may be the view of a rectangle: some clients know only squares.
    let view = (!is_square).then(shown).flatten();
    // A move off the whole board may be a pass.
    let is_on = |board: &FileBoard, point| {
        let place = board.place(point);
        place.is_none_or(|(column, row)| board.grid.point(column, row).is_some())
    };
    view.filter(|(_, board)| fits(tree, |point| is_on(board, point))).or_else(|| board_of(own))
}

/// Columns and rows of a file without `SZ`: those that the client displays, if all points fit and a
/// client would leave the size out.
fn default_size(tree: &GameTree, defaults: FileDefaults<'_>, setup: &Setup) -> (u8, u8) {
    let shown =
        setup.grid().ok().map(|grid| DisplayBoard::new(defaults.encoding, setup.info, grid));
    // A client leaves out the default size.
    let is_on = |shown: &DisplayBoard, point: SgfPoint| {
        point.column < shown.width() && point.line < shown.height()
    };
    let fits = |shown: &DisplayBoard| fits(tree, |point| is_on(shown, point));
    let other = shown.filter(|shown| shown.side() != DEFAULT_SIDE && fits(shown));
    other.map_or((DEFAULT_SIDE, DEFAULT_SIDE), |shown| (shown.width(), shown.height()))
}

/// Whether all points of the main line are on a board.
fn fits(tree: &GameTree, is_on: impl Fn(SgfPoint) -> bool) -> bool {
    let properties = tree.main_line().flat_map(|id| tree.properties(id));
    let mut placed = properties
        .filter(|property| matches!(&*property.name(), "B" | "W" | "AB" | "AW" | "AE" | "KBLOCK"));
    placed.all(|property| {
        let mut corners = property.values().filter_map(PropertyValue::rectangle);
        corners.all(|(one, other)| is_on(one) && is_on(other))
    })
}
