//! Game trees: a flat list of nodes over the text that they were parsed from.

use super::charset::Charset;
use super::grammar;
use super::parse::TextPosition;
use super::value::PropertyValue;
use std::borrow::Cow;
use std::fmt;

/// A node: the span of its properties in the text of the game, and its links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    begin: u32,
    end: u32,
    parent: u32,
    /// The first child.
    pub(super) child: u32,
    /// The next sibling.
    pub(super) next: u32,
}

impl Node {
    /// The absence of a node.
    pub(super) const NONE: u32 = u32::MAX;

    pub(super) fn new(begin: u32, end: u32, parent: u32) -> Node {
        Node { begin, end, parent, child: Node::NONE, next: Node::NONE }
    }
}

/// The number of a node in its tree, in the order of the text; the root is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    fn some(number: u32) -> Option<NodeId> {
        (number != Node::NONE).then_some(NodeId(number))
    }
}

/// One game of a file, unmodified: no property is dropped, reordered or interpreted. There
/// is always a root.
#[derive(Clone)]
pub struct GameTree<'a> {
    /// The whole text, including other games.
    text: &'a [u8],
    /// Offset of the game in the text.
    base: usize,
    nodes: Vec<Node>,
    charset: Charset,
}

impl<'a> GameTree<'a> {
    pub(super) fn new(text: &'a [u8], base: usize, nodes: Vec<Node>, charset: Charset) -> Self {
        GameTree { text, base, nodes, charset }
    }

    /// The same tree with another encoding of its texts, in which the same bytes are brackets.
    pub(super) fn in_charset(self, charset: Charset) -> Self {
        GameTree { charset, ..self }
    }

    /// The character set.
    pub(super) fn charset(&self) -> Charset {
        self.charset
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// Number of nodes.
    #[allow(clippy::len_without_is_empty)] // there is always a root
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in the order of the text.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The parent node; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(id)?.parent)
    }

    /// The first child.
    pub fn child(&self, id: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(id)?.child)
    }

    /// The next sibling (variation).
    pub fn sibling(&self, id: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(id)?.next)
    }

    /// The children of a node; several children are variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.child(id), |&child| self.sibling(child))
    }

    /// The main line: the root, then the first child of each node.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.child(id))
    }

    /// The raw text of the properties of a node.
    pub fn text(&self, id: NodeId) -> &'a [u8] {
        let span = self.node(id).and_then(|node| {
            let (begin, end) = (node.begin as usize, node.end as usize);
            self.text.get(self.base + begin..self.base + end)
        });
        span.unwrap_or_default()
    }

    /// The properties of a node.
    pub fn properties(&self, id: NodeId) -> Properties<'a> {
        properties(self.text(id), self.charset)
    }

    /// The first property of a node with this name.
    pub fn property(&self, id: NodeId, name: &str) -> Option<Property<'a>> {
        self.properties(id).find(|property| property.is(name))
    }

    /// The first value of the property with this name.
    pub fn value(&self, id: NodeId, name: &str) -> Option<PropertyValue<'a>> {
        self.property(id, name)?.values().next()
    }

    /// The position of a node in the text.
    pub fn text_position(&self, id: NodeId) -> TextPosition {
        let begin = self.node(id).map_or(0, |node| node.begin as usize);
        TextPosition::of(self.text, self.base + begin)
    }
}

/// Two trees are equal if their nodes have the same properties with the same bytes in the
/// same order, and the same variations.
impl PartialEq for GameTree<'_> {
    fn eq(&self, other: &Self) -> bool {
        let links = |node: &Node| (node.parent, node.child, node.next);
        self.nodes.len() == other.nodes.len()
            && self.nodes.iter().map(links).eq(other.nodes.iter().map(links))
            && self.nodes().all(|id| self.properties(id).eq(other.properties(id)))
    }
}

impl fmt::Debug for GameTree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&super::write(std::slice::from_ref(self))))
    }
}

/// The properties in the raw text of a node.
pub(super) fn properties(text: &[u8], charset: Charset) -> Properties<'_> {
    Properties { text, charset }
}

/// Iterator over the properties of a node.
#[derive(Clone, Debug)]
pub struct Properties<'a> {
    text: &'a [u8],
    charset: Charset,
}

impl<'a> Iterator for Properties<'a> {
    type Item = Property<'a>;

    fn next(&mut self) -> Option<Property<'a>> {
        // The text was parsed before, so only its end is not a property.
        let (rest, (name, values)) = grammar::property(self.charset.trail_bytes, self.text).ok()?;
        self.text = rest;
        Some(Property { name, values, charset: self.charset })
    }
}

/// A property: a name and at least one value.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    name: &'a [u8],
    values: &'a [u8],
    charset: Charset,
}

impl<'a> Property<'a> {
    /// The raw name.
    pub fn raw_name(&self) -> &'a [u8] {
        self.name
    }

    /// The name without lower-case letters, which have no meaning before FF\[4\].
    pub fn name(&self) -> Cow<'a, str> {
        match std::str::from_utf8(self.name) {
            Ok(name) if !name.bytes().any(|byte| byte.is_ascii_lowercase()) => Cow::Borrowed(name),
            _ => {
                let capitals = self.name.iter().filter(|byte| !byte.is_ascii_lowercase());
                Cow::Owned(capitals.map(|&byte| char::from(byte)).collect())
            }
        }
    }

    /// Whether the property has this name.
    pub fn is(&self, name: &str) -> bool {
        self.name == name.as_bytes() || self.name() == name
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = PropertyValue<'a>> + use<'a> {
        let (charset, mut text) = (self.charset, self.values);
        std::iter::from_fn(move || {
            let (rest, raw) = grammar::value(charset.trail_bytes, text).ok()?;
            text = rest;
            Some(PropertyValue::new(raw, charset))
        })
    }
}

/// Two properties are equal if their names and the bytes of all values are equal.
impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        let bytes = |value: PropertyValue<'_>| value.raw().to_vec();
        self.name == other.name && self.values().map(bytes).eq(other.values().map(bytes))
    }
}
