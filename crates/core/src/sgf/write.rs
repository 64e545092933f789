//! Writes games and nodes as SGF.

use std::ops::Range;

/// Maximum bytes of a line of a file; only longer values exceed it.
pub(super) const WIDTH: usize = 78;

/// A file with `game` instead of the game at `span`.
pub fn spliced(file: &str, span: Range<usize>, game: &str) -> String {
    let before = file.get(..span.start).unwrap_or_default();
    let behind = file.get(span.end..).unwrap_or_default();
    let game = if behind.is_empty() { game } else { game.trim_ascii_end() };
    [before, game, behind].concat()
}

/// The output, and the bytes of its last line.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) text: String,
    /// 0 for a line of each node and parenthesis.
    width: usize,
    column: usize,
}

impl Writer {
    pub(super) fn new(width: usize) -> Writer {
        Writer { text: String::new(), width, column: 0 }
    }

    pub(super) fn mark(&mut self, mark: char) {
        if self.width == 0 {
            self.end_line();
        }
        self.text.push(mark);
        self.column += 1;
    }

    pub(super) fn open(&mut self) {
        self.end_line();
        self.mark('(');
    }

    pub(super) fn node(&mut self, text: &str) {
        // A parenthesis stands before its node, unless each of them has a line.
        let least = usize::from(self.width > 0);
        if self.column > least && self.column + text.len() >= self.width {
            self.end_line();
        }
        self.text.push(';');
        self.text.push_str(text);
        self.column = match text.rfind('\n') {
            Some(at) => text.len() - at,
            None => self.column + 1 + text.len(),
        };
    }

    pub(super) fn end_line(&mut self) {
        if self.column > 0 {
            self.text.push('\n');
            self.column = 0;
        }
    }
}
