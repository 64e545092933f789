//! A game as a tree of nodes with properties as they stand in the file.

use super::charset::Charset;
use super::grammar::ParsedNode;
use super::parse::TextPosition;
use super::property::{NO_PROPERTIES, Properties, Property, PropertyValue, escaped};
use super::record::COMMENT;
use super::remark::{Remark, RemarkCode};
use super::write::{WIDTH, Writer};
use encoding_rs::{Encoding, UTF_8};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// The number of a node, which never changes: in the order of the text, then of addition. The root
/// is 0.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root.
    pub const ROOT: NodeId = NodeId(0);

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Character sets of records that do not state theirs, or state a wrong one.
const CHARSETS: &[&str] = &["GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR", "windows-1252"];

/// Maximum bytes written around a node: a semicolon, two parentheses, two line breaks.
const NODE_MARKS: usize = 5;

#[derive(Clone, Debug)]
struct Node {
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    /// Copies of a tree share them.
    properties: Arc<Properties>,
    /// Offset in the bytes that were read.
    at: u32,
}

/// One game of a file: no property is dropped, reordered or interpreted. There is always a root.
#[derive(Clone)]
pub struct GameTree {
    /// The game as it was read, in UTF-8; empty for a new tree.
    source: Arc<str>,
    /// The beginning of the game in its file.
    origin: TextPosition,
    /// By number; a removed node leaves a gap.
    nodes: Vec<Option<Node>>,
    len: usize,
    /// Maximum bytes of all nodes when written.
    size: usize,
    is_edited: bool,
    /// The character set of the file.
    charset: Charset,
    /// Whether the bytes of the file are those of the source.
    is_as_read: bool,
}

impl GameTree {
    pub(super) fn new(root: Properties) -> GameTree {
        let mut tree = GameTree {
            source: Arc::from(""),
            origin: TextPosition::START,
            nodes: Vec::new(),
            len: 0,
            size: 0,
            is_edited: true,
            charset: Charset::default(),
            is_as_read: true,
        };
        tree.push(None, root.into(), 0);
        tree
    }

    /// The tree of a parsed game, with the character set of its file, and whether that was UTF-8.
    pub(super) fn from_parsed(
        source: &str,
        nodes: Vec<ParsedNode>,
        (charset, is_as_read): (Charset, bool),
        origin: TextPosition,
    ) -> GameTree {
        let mut tree = GameTree {
            source: source.into(),
            origin,
            nodes: Vec::with_capacity(nodes.len()),
            len: 0,
            size: 0,
            is_edited: false,
            charset,
            is_as_read,
        };
        for node in nodes {
            tree.push(node.parent.map(NodeId), node.properties, node.at);
        }
        tree
    }

    fn push(&mut self, parent: Option<NodeId>, properties: Arc<Properties>, at: u32) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.size += properties.as_str().len() + NODE_MARKS;
        self.nodes.push(Some(Node { parent, children: Vec::new(), properties, at }));
        self.len += 1;
        if let Some(parent) = parent.and_then(|parent| self.node_mut(parent)) {
            parent.children.push(id);
        }
        id
    }

    fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id.index())?.as_ref()
    }

    fn node_mut(&mut self, id: NodeId) -> Option<&mut Node> {
        self.nodes.get_mut(id.index())?.as_mut()
    }

    /// Number of nodes.
    #[allow(clippy::len_without_is_empty)] // there is always a root
    pub fn len(&self) -> usize {
        self.len
    }

    /// Maximum number of bytes of all nodes when written.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether a node has this number.
    pub fn contains(&self, id: NodeId) -> bool {
        self.node(id).is_some()
    }

    /// All nodes by number: the order of the text unless nodes were added.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let present = |(number, node): (usize, &Option<Node>)| {
            node.is_some().then_some(NodeId(number as u32))
        };
        self.nodes.iter().enumerate().filter_map(present)
    }

    pub(super) fn last(&self) -> NodeId {
        NodeId(self.nodes.iter().rposition(Option::is_some).unwrap_or(0) as u32)
    }

    /// The parent; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.node(id)?.parent
    }

    /// The first child.
    pub fn child(&self, id: NodeId) -> Option<NodeId> {
        self.children(id).first().copied()
    }

    /// The children, the main line first.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        self.node(id).map_or(&[], |node| &node.children)
    }

    /// The first child of a node, the first child of that, and so on.
    pub fn line_behind(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.child(id), |&id| self.child(id))
    }

    /// The root, then the first child of each node.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::once(NodeId::ROOT).chain(self.line_behind(NodeId::ROOT))
    }

    /// The last node of the main line.
    pub fn end_of_main_line(&self) -> NodeId {
        self.main_line().last().unwrap_or(NodeId::ROOT)
    }

    /// The nodes from the root to this one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = std::iter::successors(Some(id), |&id| self.parent(id)).collect();
        path.reverse();
        path
    }

    /// The text of the properties of a node.
    pub fn text(&self, id: NodeId) -> &str {
        self.content(id).as_str()
    }

    pub(super) fn content(&self, id: NodeId) -> &Properties {
        self.node(id).map_or(&NO_PROPERTIES, |node| &node.properties)
    }

    /// The properties of a node.
    pub fn properties(&self, id: NodeId) -> impl Iterator<Item = Property<'_>> {
        self.content(id).iter()
    }

    /// The first property with this name.
    pub fn property(&self, id: NodeId, name: &str) -> Option<Property<'_>> {
        self.properties(id).find(|property| property.is(name))
    }

    /// The first value of the property with this name.
    pub fn value(&self, id: NodeId, name: &str) -> Option<PropertyValue<'_>> {
        self.content(id).values(name).next()
    }

    /// The position of a node in the text that was read.
    pub fn text_position(&self, id: NodeId) -> TextPosition {
        let at = self.node(id).map_or(0, |node| node.at as usize);
        self.origin.behind(self.source.as_bytes().get(..at).unwrap_or_default())
    }

    /// The name of the character set of the file.
    pub fn charset(&self) -> &'static str {
        self.charset.name()
    }

    /// Other possible character sets of the file; empty for UTF-8.
    pub fn other_charsets(&self) -> &'static [&'static str] {
        if self.is_as_read { &[] } else { CHARSETS }
    }

    /// Whether the file was UTF-8, so that an unedited game is written byte for byte.
    pub fn is_as_read(&self) -> bool {
        self.is_as_read
    }

    /// The remark on bytes that the character set of the file does not have.
    pub(super) fn remark_on_characters(&self) -> Option<Remark> {
        let replaced = self.source.matches(char::REPLACEMENT_CHARACTER).count();
        (replaced > 0 && !self.is_as_read).then(|| {
            let text = format!("{replaced} characters are not {} and are replaced", self.charset());
            Remark::new(RemarkCode::Characters, text)
        })
    }

    /// Whether the tree has changed since it was read.
    pub fn is_edited(&self) -> bool {
        self.is_edited
    }

    /// Adds a node after another: as its main line, or as its last variation.
    pub(super) fn add(&mut self, parent: NodeId, properties: Properties, as_first: bool) -> NodeId {
        let id = self.add_unwritten(parent, as_first);
        self.write_node(id, properties);
        id
    }

    /// As [`add`](Self::add), without properties: the tree is not edited yet.
    pub(super) fn add_unwritten(&mut self, parent: NodeId, as_first: bool) -> NodeId {
        let id = self.push(Some(parent), Arc::default(), 0);
        if let Some(parent) = self.node_mut(parent).filter(|_| as_first) {
            parent.children.rotate_right(1);
        }
        id
    }

    /// Replaces the properties of a node.
    pub(super) fn write_node(&mut self, id: NodeId, properties: Properties) {
        if let Some(node) = self.node_mut(id) {
            let new = properties.as_str().len();
            let old = std::mem::replace(&mut node.properties, properties.into());
            self.size = self.size - old.as_str().len() + new;
            self.is_edited = true;
        }
    }

    /// Removes the latest node, which has no properties and no children: the tree is as before it.
    pub(super) fn retract(&mut self, id: NodeId) {
        debug_assert_eq!(id.index() + 1, self.nodes.len(), "it is the latest");
        let Some(parent) = self.nodes.pop().flatten().and_then(|node| node.parent) else {
            return;
        };
        (self.len, self.size) = (self.len - 1, self.size - NODE_MARKS);
        if let Some(parent) = self.node_mut(parent) {
            parent.children.retain(|&child| child != id);
        }
    }

    /// Copies the nodes that `later` has and this tree lacks, except the subtree `without`. Returns
    /// the number of numbers in use before.
    pub(super) fn add_newer(&mut self, later: &GameTree, without: Option<NodeId>) -> usize {
        let nodes = self.nodes.len();
        for (number, node) in later.nodes.iter().enumerate().skip(nodes) {
            let is_left_out = [Some(NodeId::ROOT), Some(NodeId(number as u32))].contains(&without);
            let parent = node.as_ref().and_then(|node| node.parent);
            let parent = parent.filter(|&parent| !is_left_out && self.contains(parent));
            self.nodes.push(node.clone().filter(|_| parent.is_some()));
            if let Some(parent) = parent {
                self.len += 1;
                self.size += later.text(NodeId(number as u32)).len() + NODE_MARKS;
                self.is_edited = true;
                self.adopt(parent, NodeId(number as u32), later);
            }
        }
        nodes
    }

    /// Makes a new node a child of `parent`: the first if it became the main line instead of a
    /// child that is here.
    fn adopt(&mut self, parent: NodeId, id: NodeId, later: &GameTree) {
        let siblings = later.children(parent);
        let is_other = |&child: &NodeId| child != id && self.contains(child);
        let is_main = siblings.first() == Some(&id) && siblings.iter().any(is_other);
        // A parent that was added itself has its children.
        let children = self.node_mut(parent).map(|node| &mut node.children);
        if let Some(children) = children.filter(|children| !children.contains(&id)) {
            children.insert(if is_main { 0 } else { children.len() }, id);
        }
    }

    /// Moves properties of the root to a new node between the root and its children. The tree counts
    /// as unedited: its bytes stay.
    pub(super) fn split_root(&mut self, is_moved: impl Fn(&Property<'_>) -> bool) {
        let [mut stays, mut moves] = [Properties::default(), Properties::default()];
        for property in self.properties(NodeId::ROOT) {
            let part = if is_moved(&property) { &mut moves } else { &mut stays };
            part.copy(property);
        }
        if moves.is_empty() {
            return;
        }
        let (was_edited, at) = (self.is_edited, self.node(NodeId::ROOT).map_or(0, |root| root.at));
        self.write_node(NodeId::ROOT, stays);
        self.is_edited = was_edited;
        let children = self.children(NodeId::ROOT).to_vec();
        let id = self.push(Some(NodeId::ROOT), moves.into(), at);
        for &child in &children {
            if let Some(child) = self.node_mut(child) {
                child.parent = Some(id);
            }
        }
        for (node, children) in [(NodeId::ROOT, vec![id]), (id, children)] {
            if let Some(node) = self.node_mut(node) {
                node.children = children;
            }
        }
    }

    /// Removes children of a node, and all after them; returns the removed nodes.
    pub(super) fn remove(&mut self, parent: NodeId, ids: &[NodeId]) -> Vec<NodeId> {
        let is_child = |id: &NodeId| self.parent(*id) == Some(parent);
        let mut removed: Vec<_> = ids.iter().copied().filter(is_child).collect();
        let mut next = 0;
        while let Some(&id) = removed.get(next) {
            next += 1;
            if let Some(node) = self.nodes.get_mut(id.index()).and_then(Option::take) {
                self.size -= node.properties.as_str().len() + NODE_MARKS;
                removed.extend(node.children);
            }
        }
        let mut children = self.children(parent).to_vec();
        children.retain(|&child| self.contains(child));
        if let Some(parent) = self.node_mut(parent) {
            parent.children = children;
        }
        self.len -= removed.len();
        self.is_edited |= !removed.is_empty();
        removed
    }

    /// Makes the line through a node the main line; returns the nodes whose children have another
    /// order.
    pub fn promote(&mut self, id: NodeId) -> Vec<NodeId> {
        let path = self.path(id);
        let mut changed = Vec::new();
        for (&parent, child) in path.iter().zip(path.iter().skip(1)) {
            let children = self.node_mut(parent).map(|node| &mut node.children);
            let Some(children) = children else {
                continue;
            };
            let place = children.iter().position(|other| other == child);
            if let Some(front) = place.filter(|&at| at > 0).and_then(|at| children.get_mut(..=at)) {
                front.rotate_right(1);
                changed.push(parent);
            }
        }
        self.is_edited |= !changed.is_empty();
        changed
    }

    /// Sets a property to escaped values, in its place or after all others; removes it without
    /// values.
    pub(super) fn set<S: AsRef<str>>(&mut self, id: NodeId, name: &str, values: &[S]) -> bool {
        let values = values.iter().map(AsRef::as_ref).collect();
        self.set_all(id, &[(Cow::Borrowed(name), values)])
    }

    /// As [`set`](Self::set), with the values in another node.
    pub(super) fn take(&mut self, id: NodeId, name: &str, node: &Properties) -> bool {
        self.set(id, name, &node.values(name).map(PropertyValue::raw).collect::<Vec<_>>())
    }

    /// As [`set`](Self::set), with several properties of different names.
    pub(super) fn set_all(&mut self, id: NodeId, new: &[(Cow<'_, str>, Vec<&str>)]) -> bool {
        let mut old: HashMap<_, Vec<&str>> =
            new.iter().map(|(name, _)| (&**name, Vec::new())).collect();
        for property in self.properties(id) {
            if let Some(old) = old.get_mut(&*property.name()) {
                old.extend(property.values().map(PropertyValue::raw));
            }
        }
        let changes = new.iter().filter(|(name, values)| old.get(&**name) != Some(values));
        let mut changes: HashMap<&str, _> =
            changes.map(|(name, values)| (&**name, Some(values))).collect();
        if changes.is_empty() {
            return false;
        }
        let mut written = Properties::default();
        for property in self.properties(id) {
            let name = property.name();
            match changes.get_mut(&*name) {
                Some(new) => new.take().into_iter().for_each(|new| _ = written.raw(&name, new)),
                None => written.copy(property),
            }
        }
        for (name, _) in new {
            let new = changes.get_mut(&**name).and_then(Option::take);
            new.into_iter().for_each(|new| _ = written.raw(name, new));
        }
        self.write_node(id, written);
        true
    }

    /// As [`set`](Self::set), with one text; an empty one removes the property.
    pub(super) fn set_text(&mut self, id: NodeId, name: &str, text: &str) -> bool {
        let value = Some(escaped(text)).filter(|_| !text.is_empty());
        self.set(id, name, value.as_slice())
    }

    /// The comment; empty without one. Some programs write several into a node.
    pub fn comment(&self, id: NodeId) -> String {
        let comments = self.properties(id).filter(|property| property.is(COMMENT));
        let texts = comments.flat_map(|property| property.values().map(PropertyValue::text));
        texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// Adds a paragraph to a comment and removes those that begin with `old`.
    pub(super) fn add_comment(&mut self, id: NodeId, old: &str, text: &str) {
        let comment = self.comment(id);
        let paragraphs = comment.split("\n\n");
        let others = paragraphs.filter(|each| !each.is_empty() && !each.starts_with(old));
        self.set_text(id, COMMENT, &others.chain([text]).collect::<Vec<_>>().join("\n\n"));
    }

    /// The game as a file in UTF-8; see [`write_text`](Self::write_text).
    pub fn write(&self) -> Vec<u8> {
        self.write_text().into_bytes()
    }

    /// The game as text: as it was read, byte for byte, unless it was edited or its file had another
    /// character set.
    pub fn write_text(&self) -> String {
        let is_same = self.is_as_read && !self.is_edited;
        if is_same { self.source.as_ref().to_owned() } else { self.rewritten() }
    }

    /// The game as text with a line for each node: a change of a node changes no other line.
    pub(super) fn lines(&self) -> String {
        self.rewritten_in(0)
    }

    /// The game as text with new line breaks between nodes, with a UTF-8 `CA`.
    pub fn rewritten(&self) -> String {
        self.rewritten_in(WIDTH)
    }

    fn rewritten_in(&self, width: usize) -> String {
        let stated = self.value(NodeId::ROOT, "CA").map(|value| value.simple_text());
        let encoding = stated.as_ref().and_then(|name| Encoding::for_label(name.as_bytes()));
        let is_named = encoding == Some(UTF_8);
        let is_ascii = || self.nodes().all(|id| self.text(id).is_ascii());
        if !is_named && (stated.is_some() || !self.is_as_read || !is_ascii()) {
            let mut named = self.clone();
            named.set_text(NodeId::ROOT, "CA", "UTF-8");
            return named.text_of_nodes(width);
        }
        self.text_of_nodes(width)
    }

    /// An explicit stack replaces recursion: the depth of the tree is not limited.
    fn text_of_nodes(&self, width: usize) -> String {
        enum Part {
            Node(NodeId, bool),
            Close,
        }
        let mut out = Writer::new(width);
        out.mark('(');
        let mut parts = vec![Part::Node(NodeId::ROOT, false)];
        while let Some(part) = parts.pop() {
            let Part::Node(id, is_variation) = part else {
                out.mark(')');
                continue;
            };
            if is_variation {
                out.open();
                parts.push(Part::Close);
            }
            out.node(self.text(id));
            if id == NodeId::ROOT {
                out.end_line();
            }
            let children = self.children(id);
            let is_varied = children.len() > 1;
            parts.extend(children.iter().rev().map(|&child| Part::Node(child, is_varied)));
        }
        out.mark(')');
        out.end_line();
        out.text
    }
}

/// Trees are equal if their nodes have the same properties in the same order, and the same
/// variations.
impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((own, others)) = pairs.pop() {
            let (a, b) = (self.children(own), other.children(others));
            if a.len() != b.len() || !self.properties(own).eq(other.properties(others)) {
                return false;
            }
            pairs.extend(a.iter().copied().zip(b.iter().copied()));
        }
        true
    }
}

impl fmt::Debug for GameTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write_text())
    }
}
