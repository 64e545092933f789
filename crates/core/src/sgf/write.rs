//! Writes games and nodes as SGF.

use super::detect::unambiguous;
use super::property::{SgfPoint, escaped};
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

/// Builds the text of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeBuilder(pub(super) String);

impl NodeBuilder {
    /// A node without properties.
    pub(super) fn new() -> NodeBuilder {
        NodeBuilder::default()
    }

    /// Adds a property with escaped values; nothing without values.
    pub(super) fn raw<S: AsRef<str>>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = S>,
    ) -> &mut Self {
        for (number, value) in values.into_iter().enumerate() {
            if number == 0 {
                self.0.push_str(name);
            }
            self.0.push('[');
            self.0.push_str(&unambiguous(value.as_ref()));
            self.0.push(']');
        }
        self
    }

    /// Adds a property with a text.
    pub(super) fn text(&mut self, name: &'static str, text: &str) -> &mut Self {
        self.raw(name, [escaped(text)])
    }

    /// Adds a list of points; nothing if it is empty.
    pub(super) fn points(
        &mut self,
        name: &'static str,
        points: impl IntoIterator<Item = SgfPoint>,
    ) -> &mut Self {
        let letters = points.into_iter().filter_map(SgfPoint::letters);
        self.raw(name, letters.map(String::from_iter))
    }

    /// Adds labels at points; nothing without any.
    pub(super) fn labels<S: AsRef<str>>(
        &mut self,
        name: &'static str,
        labels: impl IntoIterator<Item = (SgfPoint, S)>,
    ) -> &mut Self {
        let values = labels.into_iter().filter_map(|(point, label)| {
            let [column, line] = point.letters()?;
            Some(format!("{column}{line}:{}", escaped(label.as_ref())))
        });
        self.raw(name, values)
    }
}
