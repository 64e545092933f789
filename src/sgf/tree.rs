//! Game trees: a flat list of nodes over the text they were read from.

use super::charset::Charset;
use super::grammar;
use super::parse::Place;
use super::value::Value;
use std::borrow::Cow;
use std::fmt;

/// A node: where its properties stand in the text of the game, and who its kin
/// are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    begin: u32,
    end: u32,
    parent: u32,
    /// Its first child.
    pub(super) child: u32,
    /// The next variation beside it.
    pub(super) next: u32,
}

impl Node {
    /// No node.
    pub(super) const NONE: u32 = u32::MAX;

    pub(super) fn new(begin: u32, end: u32, parent: u32) -> Node {
        Node {
            begin,
            end,
            parent,
            child: Node::NONE,
            next: Node::NONE,
        }
    }
}

/// The number of a node in its tree, in the order of the text; the root is the
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(0);

    fn some(number: u32) -> Option<NodeId> {
        (number != Node::NONE).then_some(NodeId(number))
    }
}

/// One game of a file, as it stands there: nothing is left out, reordered or
/// understood. There is always a root.
#[derive(Clone)]
pub struct Tree<'a> {
    /// The whole text, other games too.
    text: &'a [u8],
    /// Where the game begins in it.
    base: usize,
    nodes: Vec<Node>,
    charset: Charset,
}

impl<'a> Tree<'a> {
    pub(super) fn new(text: &'a [u8], base: usize, nodes: Vec<Node>, charset: Charset) -> Self {
        Tree {
            text,
            base,
            nodes,
            charset,
        }
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// Number of nodes.
    #[allow(clippy::len_without_is_empty)] // there is always a root
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes, in the order of the text.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The node before; none before the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(id)?.parent)
    }

    /// The node that follows, the first of several variations.
    pub fn child(&self, id: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(id)?.child)
    }

    /// The variation behind this one.
    pub fn sibling(&self, id: NodeId) -> Option<NodeId> {
        NodeId::some(self.node(id)?.next)
    }

    /// The nodes that follow one, variations if there are several.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.child(id), |&child| self.sibling(child))
    }

    /// The root and the first child of each node.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(NodeId::ROOT), |&id| self.child(id))
    }

    /// The properties of a node as they are written.
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

    /// The first property of this name in a node.
    pub fn property(&self, id: NodeId, name: &str) -> Option<Property<'a>> {
        self.properties(id).find(|property| property.is(name))
    }

    /// The first value of a property.
    pub fn value(&self, id: NodeId, name: &str) -> Option<Value<'a>> {
        self.property(id, name)?.values().next()
    }

    /// Where a node stands in the text.
    pub fn place(&self, id: NodeId) -> Place {
        let begin = self.node(id).map_or(0, |node| node.begin as usize);
        Place::of(self.text, self.base + begin)
    }
}

/// Trees are equal whose nodes have the same properties with the same bytes in
/// the same order, and the same variations.
impl PartialEq for Tree<'_> {
    fn eq(&self, other: &Self) -> bool {
        let kin = |node: &Node| (node.parent, node.child, node.next);
        self.nodes.len() == other.nodes.len()
            && self.nodes.iter().map(kin).eq(other.nodes.iter().map(kin))
            && self
                .nodes()
                .all(|id| self.properties(id).eq(other.properties(id)))
    }
}

impl fmt::Debug for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&super::write(
            std::slice::from_ref(self),
        )))
    }
}

/// The properties in the text of a node.
pub(super) fn properties(text: &[u8], charset: Charset) -> Properties<'_> {
    Properties { text, charset }
}

/// Iterates over the properties of a node.
#[derive(Clone, Debug)]
pub struct Properties<'a> {
    text: &'a [u8],
    charset: Charset,
}

impl<'a> Iterator for Properties<'a> {
    type Item = Property<'a>;

    fn next(&mut self) -> Option<Property<'a>> {
        // The text was parsed before: only its end is no property.
        let (rest, (name, values)) = grammar::property(self.charset.script, self.text).ok()?;
        self.text = rest;
        Some(Property {
            name,
            values,
            charset: self.charset,
        })
    }
}

/// A property: a name and one value or more.
#[derive(Clone, Copy, Debug)]
pub struct Property<'a> {
    name: &'a [u8],
    values: &'a [u8],
    charset: Charset,
}

impl<'a> Property<'a> {
    /// The name as it is written.
    pub fn raw_name(&self) -> &'a [u8] {
        self.name
    }

    /// The name without its small letters, which meant nothing before FF\[4\].
    pub fn name(&self) -> Cow<'a, str> {
        match std::str::from_utf8(self.name) {
            Ok(name) if !name.bytes().any(|byte| byte.is_ascii_lowercase()) => Cow::Borrowed(name),
            _ => {
                let capitals = self.name.iter().filter(|byte| !byte.is_ascii_lowercase());
                Cow::Owned(capitals.map(|&byte| char::from(byte)).collect())
            }
        }
    }

    /// Whether this is the name.
    pub fn is(&self, name: &str) -> bool {
        self.name == name.as_bytes() || self.name() == name
    }

    /// The values.
    pub fn values(&self) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let (charset, mut text) = (self.charset, self.values);
        std::iter::from_fn(move || {
            let (rest, raw) = grammar::value(charset.script, text).ok()?;
            text = rest;
            Some(Value::new(raw, charset))
        })
    }
}

/// Equal names and equal bytes of all values.
impl PartialEq for Property<'_> {
    fn eq(&self, other: &Self) -> bool {
        let bytes = |value: Value<'_>| value.raw().to_vec();
        self.name == other.name && self.values().map(bytes).eq(other.values().map(bytes))
    }
}
