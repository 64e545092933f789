//! Positions in texts.

use std::fmt;

/// A line and a column, both from 1; columns count bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPosition {
    /// LF, CR, CR LF and LF CR end a line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl TextPosition {
    /// The position of byte number `offset` of `text`.
    pub fn new(text: &[u8], offset: usize) -> TextPosition {
        TextPosition { line: 1, column: 1 }.behind(text.get(..offset).unwrap_or(text))
    }

    /// The position after a text that begins here.
    pub(super) fn behind(self, before: &[u8]) -> TextPosition {
        let (mut line, mut start, mut at) = (self.line, None, 0);
        while let Some(&byte) = before.get(at) {
            at += 1;
            if let b'\n' | b'\r' = byte {
                let pair = before.get(at).filter(|&&next| next != byte);
                at += usize::from(pair.is_some_and(|next| b"\n\r".contains(next)));
                (line, start) = (line + 1, Some(at));
            }
        }
        let column = start.map_or(self.column + at, |start| at - start + 1);
        TextPosition { line, column }
    }
}

impl fmt::Display for TextPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}
