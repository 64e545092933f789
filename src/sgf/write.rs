//! From game trees to bytes.

use super::tree::{NodeId, Tree};
use super::value::{Spot, escaped};
use std::borrow::Cow;

/// Lines get no longer than this, values apart.
const WIDTH: usize = 78;

/// The games as a file. What stands in nodes is written as it was read; between
/// nodes lines are broken anew.
pub fn write(games: &[Tree<'_>]) -> Vec<u8> {
    let mut out = Out::default();
    for tree in games {
        write_tree(&mut out, tree);
        out.end_line();
    }
    out.bytes
}

/// Follows links, so that no depth is too great.
fn write_tree(out: &mut Out, tree: &Tree<'_>) {
    let mut at = NodeId::ROOT;
    out.mark(b'(');
    loop {
        out.node(tree.text(at));
        if let Some(child) = tree.child(at) {
            if tree.sibling(child).is_some() {
                out.open();
            }
            at = child;
            continue;
        }
        at = loop {
            let parent = tree.parent(at);
            let first = parent.and_then(|parent| tree.child(parent));
            let varied = first.is_none_or(|first| tree.sibling(first).is_some());
            if varied {
                out.mark(b')');
            }
            let Some(parent) = parent else {
                return;
            };
            match tree.sibling(at) {
                Some(next) => {
                    out.open();
                    break next;
                }
                None => at = parent,
            }
        };
    }
}

/// A game without variations, node by node, as a file.
pub fn write_line<'n>(nodes: impl IntoIterator<Item = &'n NodeText>) -> Vec<u8> {
    let mut out = Out::default();
    out.mark(b'(');
    for (number, node) in nodes.into_iter().enumerate() {
        if number == 1 {
            out.end_line();
        }
        out.node(node.0.as_bytes());
    }
    out.mark(b')');
    out.end_line();
    out.bytes
}

/// Bytes, and how many of them since the last line break.
#[derive(Default)]
struct Out {
    bytes: Vec<u8>,
    column: usize,
}

impl Out {
    fn mark(&mut self, mark: u8) {
        self.bytes.push(mark);
        self.column += 1;
    }

    /// A variation begins on a line of its own.
    fn open(&mut self) {
        self.end_line();
        self.mark(b'(');
    }

    fn node(&mut self, text: &[u8]) {
        if self.column > 1 && self.column + text.len() >= WIDTH {
            self.end_line();
        }
        self.bytes.push(b';');
        self.bytes.extend_from_slice(text);
        self.column = match text.iter().rposition(|&byte| byte == b'\n') {
            Some(at) => text.len() - at,
            None => self.column + 1 + text.len(),
        };
    }

    fn end_line(&mut self) {
        if self.column > 0 {
            self.bytes.push(b'\n');
            self.column = 0;
        }
    }
}

/// The name of a property: capital letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Cow<'static, str>);

impl Name {
    /// A name for a constant; what is none does not compile there.
    pub const fn known(name: &'static str) -> Name {
        let mut letters = name.as_bytes();
        while let [letter, rest @ ..] = letters {
            assert!(letter.is_ascii_uppercase());
            letters = rest;
        }
        Name(Cow::Borrowed(name))
    }

    /// The name, if it is one: 1 to 64 capital letters.
    pub fn new(name: &str) -> Option<Name> {
        let capitals = name.bytes().all(|byte| byte.is_ascii_uppercase());
        (capitals && (1..=64).contains(&name.len())).then(|| Name(Cow::Owned(name.to_owned())))
    }

    /// The letters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A node in the making: its properties, well written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeText(String);

impl NodeText {
    /// A node without properties.
    pub fn new() -> NodeText {
        NodeText::default()
    }

    /// Adds a property whose values are already escaped; without values, none.
    pub(super) fn raw<S: AsRef<str>>(
        &mut self,
        name: &Name,
        values: impl IntoIterator<Item = S>,
    ) -> &mut Self {
        for (number, value) in values.into_iter().enumerate() {
            if number == 0 {
                self.0.push_str(name.as_str());
            }
            self.0.push('[');
            self.0.push_str(value.as_ref());
            self.0.push(']');
        }
        self
    }

    /// Adds a text.
    pub fn text(&mut self, name: &Name, text: &str) -> &mut Self {
        self.raw(name, [escaped(text)])
    }

    /// Adds a list of points; an empty list is no property.
    pub fn spots(&mut self, name: &Name, spots: impl IntoIterator<Item = Spot>) -> &mut Self {
        let letters = spots.into_iter().filter_map(Spot::letters);
        self.raw(name, letters.map(String::from_iter))
    }

    /// Adds arrows or lines from point to point; an empty list is no property.
    pub fn lines(
        &mut self,
        name: &Name,
        lines: impl IntoIterator<Item = (Spot, Spot)>,
    ) -> &mut Self {
        let values = lines.into_iter().filter_map(|(from, to)| {
            let ([a, b], [c, d]) = (from.letters()?, to.letters()?);
            Some(format!("{a}{b}:{c}{d}"))
        });
        self.raw(name, values)
    }

    /// Adds labels at points; an empty list is no property.
    pub fn labels<S: AsRef<str>>(
        &mut self,
        name: &Name,
        labels: impl IntoIterator<Item = (Spot, S)>,
    ) -> &mut Self {
        let values = labels.into_iter().filter_map(|(spot, label)| {
            let [column, line] = spot.letters()?;
            Some(format!("{column}{line}:{}", escaped(label.as_ref())))
        });
        self.raw(name, values)
    }
}
