//! Tables of text.

use std::fmt::{self, Display};
use unicode_width::UnicodeWidthStr;

/// A table, shown as Markdown.
#[derive(Clone, Debug)]
pub struct Table {
    pub heads: &'static [&'static str],
    /// Each row has a cell for every head.
    pub rows: Vec<Vec<String>>,
}

/// Columns whose cells are aligned to the left.
const NAMES: [&str; 3] = ["engine", "engines", "failures"];

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads: Vec<String> = self.heads.iter().map(|&head| head.to_owned()).collect();
        let all = || std::iter::once(&heads).chain(&self.rows);
        let width = |column: usize| {
            let cells = all().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..heads.len()).map(width).collect();
        for (number, row) in all().enumerate() {
            for ((cell, head), width) in row.iter().zip(&heads).zip(&widths) {
                let blanks = " ".repeat(width - cell.width());
                if NAMES.contains(&head.as_str()) {
                    write!(f, "| {cell}{blanks} ")?;
                } else {
                    write!(f, "| {blanks}{cell} ")?;
                }
            }
            f.write_str(if number < self.rows.len() { "|\n" } else { "|" })?;
            if number == 0 {
                widths.iter().try_for_each(|width| write!(f, "|{}", "-".repeat(width + 2)))?;
                f.write_str("|\n")?;
            }
        }
        Ok(())
    }
}
