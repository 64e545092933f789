//! Names and looks of cells, for boards in text, records, clients and the page.

use super::variant::VariantInfo;
use crate::board::Cell;

/// The name and look of a kind of cell.
#[derive(Clone, Copy, Debug)]
pub struct CellInfo {
    /// The cell.
    pub cell: Cell,
    /// Its name.
    pub name: &'static str,
    /// Its plural.
    pub plural: &'static str,
    /// The character on boards that people read. A void that still acts has its arrow instead.
    pub glyph: char,
    /// The SGF property that marks it in records; `None` for cells that records show otherwise.
    pub mark: Option<&'static str>,
    /// How GoGui draws it; `None` for cells that GoGui shows by itself.
    pub drawing: Option<Drawing>,
}

/// How GoGui draws a cell.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// The colour of the point.
    pub color: &'static str,
    /// The mark on it, a word of GoGui's drawing language.
    pub mark: Option<&'static str>,
    /// The label on it.
    pub label: Option<char>,
}

const CONTENTS: [CellInfo; 6] = [
    CellInfo {
        cell: Cell::Empty,
        name: "empty",
        plural: "empty points",
        glyph: '.',
        mark: None,
        drawing: None,
    },
    CellInfo {
        cell: Cell::Tao,
        name: "tao stone",
        plural: "tao stones",
        glyph: '☯',
        mark: Some("CR"),
        drawing: Some(Drawing { color: "#7030c0", mark: Some("CIRCLE"), label: Some('☯') }),
    },
    CellInfo {
        cell: Cell::Black,
        name: "black stone",
        plural: "black stones",
        glyph: 'X',
        mark: None,
        drawing: None,
    },
    CellInfo {
        cell: Cell::White,
        name: "white stone",
        plural: "white stones",
        glyph: 'O',
        mark: None,
        drawing: None,
    },
    CellInfo {
        cell: Cell::Void,
        name: "void",
        plural: "voids",
        glyph: '*',
        mark: None,
        drawing: Some(Drawing { color: "#181818", mark: None, label: None }),
    },
    CellInfo {
        cell: Cell::Wall,
        name: "blocked",
        plural: "blocked points",
        glyph: '#',
        mark: Some("MA"),
        drawing: Some(Drawing { color: "#604028", mark: Some("BLACK"), label: None }),
    },
];

// An entry at a wrong index does not compile.
const _: () = {
    let mut place = 0;
    while place < CONTENTS.len() {
        let cell = CONTENTS[place].cell;
        assert!(cell.info().cell as u8 == cell as u8);
        place += 1;
    }
};

impl Cell {
    /// All kinds of cells.
    pub fn all() -> &'static [CellInfo] {
        &CONTENTS
    }

    /// The name and look of the cell.
    pub const fn info(self) -> &'static CellInfo {
        &CONTENTS[match self {
            Cell::Empty => 0,
            Cell::Tao => 1,
            Cell::Black => 2,
            Cell::White => 3,
            Cell::Void => 4,
            Cell::Wall => 5,
        }]
    }
}

impl VariantInfo {
    /// Whether a kind of step leaves this cell on its point, or the rules do.
    pub fn leaves(&self, cell: Cell) -> bool {
        self.cells.contains(&cell) || self.kinds.iter().any(|kind| kind.leaves == Some(cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_own_entry() {
        for info in Cell::all() {
            assert_eq!(info.cell.info().cell, info.cell);
        }
    }

    #[test]
    fn rules_may_leave_cells_that_no_step_does() {
        const ASHES: VariantInfo =
            VariantInfo { id: "ashes", cells: &[Cell::Wall], ..crate::rules::go::BASE };
        assert!(ASHES.leaves(Cell::Wall) && !ASHES.leaves(Cell::Void));
        assert!(!crate::rules::go::INFO.leaves(Cell::Wall));
    }
}
