//! The game tree of a tab: turns, comments and values, in memory.

use super::event::{NodeValue, NodeView};
use super::{point_names, value_notes};
use crate::board::Color;
use crate::rules::{AnyGame, Setup, Turn};
use crate::sgf::{
    COMMENT, GameRecord, PropertyName, RecordError, VariationWriter, Visited, VisitedNode, is_mark,
};

/// The number of a node; it never changes and is never used again.
pub type NodeNumber = u32;

/// The node of the start position.
pub const ROOT: NodeNumber = 0;

/// Most nodes of a tree, so that no page fills the memory.
pub const MAX_NODES: usize = 50_000;

/// Most bytes of all comments that a page writes.
pub const MAX_COMMENT_BYTES: usize = 2 << 20;

/// The tree has its maximum number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game has {MAX_NODES} positions, which is the maximum")]
pub struct TreeFull;

/// A comment is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommentError {
    /// There is no such node.
    #[error("there is no such position")]
    Node,
    /// All comments together are too long.
    #[error("all comments together are too long")]
    Full,
}

/// A position: the turn that led to it, and what belongs to it.
#[derive(Clone, Debug, Default)]
pub struct Node {
    parent: Option<NodeNumber>,
    children: Vec<NodeNumber>,
    turn: Option<(Color, Turn)>,
    notes: Vec<(PropertyName, String)>,
    /// What a search said of the position.
    pub value: Option<NodeValue>,
    /// The result, if the game has ended here.
    pub result: Option<String>,
    /// Whether the players agreed on it.
    pub agreed: bool,
    /// Whether the next new turn begins the main line, because a player took back the turn
    /// that did.
    pub taken_back: bool,
}

impl Node {
    /// The turn that led to the position; none of the root.
    pub fn turn(&self) -> Option<&(Color, Turn)> {
        self.turn.as_ref()
    }

    /// The positions behind it, the main line first.
    pub fn children(&self) -> &[NodeNumber] {
        &self.children
    }

    /// The position before it.
    pub fn parent(&self) -> Option<NodeNumber> {
        self.parent
    }

    /// The notes, and the value as notes.
    fn notes_with_value(&self) -> Vec<(PropertyName, String)> {
        let value = self.value.as_ref().map(value_notes::of_value);
        let value: &[_] = value.as_ref().map_or(&[], |notes| notes);
        let is_old = |name| value.iter().any(|(other, _)| other == name);
        let others = self.notes.iter().filter(|(name, _)| !is_old(name));
        others.chain(value).cloned().collect()
    }

    /// Marks of people on the points.
    fn marks(&self) -> impl Iterator<Item = &(PropertyName, String)> {
        self.notes.iter().filter(|(name, _)| is_mark(name.as_str()))
    }

    fn comment(&self) -> &str {
        let comment = self.notes.iter().find(|(name, _)| *name == COMMENT);
        comment.map_or("", |(_, text)| text)
    }

    fn add_comment(&mut self, text: &str) {
        let comment = match self.comment() {
            "" => text.to_owned(),
            comment => format!("{comment}\n\n{text}"),
        };
        self.set_comment(&comment);
    }

    fn set_comment(&mut self, text: &str) {
        self.notes.retain(|(name, _)| *name != COMMENT);
        if !text.is_empty() {
            self.notes.push((COMMENT, text.to_owned()));
        }
    }
}

/// A game with variations.
#[derive(Clone, Debug)]
pub struct GameTree {
    setup: Setup,
    /// By number; removed nodes leave a gap.
    nodes: Vec<Option<Node>>,
    len: usize,
    /// Bytes of the comments that were set; those of removed nodes count too.
    comment_bytes: usize,
    /// Who gave up, and where.
    pub resigned: Option<(NodeNumber, Color)>,
}

impl GameTree {
    /// A tree without turns.
    pub fn new(setup: Setup) -> GameTree {
        GameTree {
            setup,
            nodes: vec![Some(Node::default())],
            len: 1,
            comment_bytes: 0,
            resigned: None,
        }
    }

    /// The start of the game.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub fn node(&self, number: NodeNumber) -> Option<&Node> {
        self.nodes.get(number as usize)?.as_ref()
    }

    /// A node, to change its value.
    pub fn node_mut(&mut self, number: NodeNumber) -> Option<&mut Node> {
        self.nodes.get_mut(number as usize)?.as_mut()
    }

    /// All numbers of nodes.
    pub fn numbers(&self) -> impl Iterator<Item = NodeNumber> {
        let present =
            |(number, node): (usize, &Option<Node>)| node.is_some().then_some(number as NodeNumber);
        self.nodes.iter().enumerate().filter_map(present)
    }

    /// The nodes from the root to this one.
    pub fn path(&self, number: NodeNumber) -> Vec<NodeNumber> {
        let parent = |&number: &NodeNumber| self.node(number)?.parent;
        let mut path: Vec<_> = std::iter::successors(Some(number), parent).collect();
        path.reverse();
        path
    }

    /// The nodes of the main line behind this one.
    pub fn line_behind(&self, number: NodeNumber) -> impl Iterator<Item = NodeNumber> {
        let first = |&number: &NodeNumber| self.node(number)?.children.first().copied();
        std::iter::successors(first(&number), first)
    }

    /// The place of each node of a path among its siblings.
    pub fn child_indices(&self, path: &[NodeNumber]) -> Vec<u32> {
        let pairs = path.iter().zip(path.iter().skip(1));
        let index = |(&parent, child): (&NodeNumber, &NodeNumber)| {
            let siblings = self.node(parent).map_or(&[][..], Node::children);
            siblings.iter().position(|other| other == child)
        };
        pairs.map(|pair| index(pair).unwrap_or_default() as u32).collect()
    }

    /// The node at the end of a path from the root, the place of each node among its siblings;
    /// none if there is no such node.
    pub fn node_at(&self, indices: &[u32]) -> Option<NodeNumber> {
        indices
            .iter()
            .try_fold(ROOT, |at, &index| self.node(at)?.children.get(index as usize).copied())
    }

    /// The node behind a turn, which is added unless it is there. It becomes the main line
    /// where a turn was taken back.
    ///
    /// # Errors
    /// [`TreeFull`].
    pub fn add(
        &mut self,
        parent: NodeNumber,
        color: Color,
        turn: &Turn,
    ) -> Result<NodeNumber, TreeFull> {
        let same = |child: &NodeNumber| {
            let next = self.node(*child).and_then(Node::turn);
            next.is_some_and(|(other, next)| *other == color && next == turn)
        };
        let known = self.node(parent).map_or(&[][..], Node::children);
        if let Some(&child) = known.iter().find(|child| same(child)) {
            return Ok(child);
        }
        if self.len >= MAX_NODES {
            return Err(TreeFull);
        }
        let number = NodeNumber::try_from(self.nodes.len()).map_err(|_| TreeFull)?;
        self.nodes.push(Some(Node {
            parent: Some(parent),
            turn: Some((color, turn.clone())),
            ..Node::default()
        }));
        self.len += 1;
        if let Some(parent) = self.node_mut(parent) {
            let place =
                if std::mem::take(&mut parent.taken_back) { 0 } else { parent.children.len() };
            parent.children.insert(place, number);
        }
        Ok(number)
    }

    /// Adds the nodes of a later state of this tree that came after it.
    pub fn add_newer(&mut self, later: &GameTree) {
        for (number, node) in later.nodes.iter().enumerate().skip(self.nodes.len()) {
            let parent = node.as_ref().and_then(|node| node.parent);
            let added = parent.is_some_and(|parent| self.node(parent).is_some());
            self.nodes.push(node.clone().filter(|_| added));
            self.len += usize::from(added);
            if let Some(at) = parent.filter(|_| added) {
                self.adopt(at, number as NodeNumber, later);
            }
        }
    }

    /// Makes a new node one of the children of `parent`, the first if it became the main line
    /// in place of a child that is here.
    fn adopt(&mut self, parent: NodeNumber, number: NodeNumber, later: &GameTree) {
        let siblings = later.node(parent).map_or(&[][..], Node::children);
        let is_other = |&child: &NodeNumber| child != number && self.node(child).is_some();
        let is_main = siblings.first() == Some(&number) && siblings.iter().any(is_other);
        // A parent that was added itself has its children.
        if let Some(node) = self.node_mut(parent)
            && !node.children.contains(&number)
        {
            let place = if is_main { 0 } else { node.children.len() };
            node.children.insert(place, number);
        }
    }

    /// Removes a node and all behind it; returns the removed ones. The root stays.
    pub fn remove(&mut self, number: NodeNumber) -> Vec<NodeNumber> {
        let Some(parent) = self.node(number).and_then(Node::parent) else {
            return Vec::new();
        };
        if let Some(parent) = self.node_mut(parent) {
            parent.children.retain(|&child| child != number);
        }
        let mut removed = vec![number];
        let mut next = 0;
        while let Some(&number) = removed.get(next) {
            next += 1;
            let gone =
                self.nodes.get_mut(number as usize).and_then(Option::take).unwrap_or_default();
            removed.extend(gone.children);
        }
        self.len -= removed.len();
        if self.resigned.is_some_and(|(at, _)| removed.contains(&at)) {
            self.resigned = None;
        }
        removed
    }

    /// Makes the line through a node the main line; returns the nodes whose children have
    /// another order.
    pub fn promote(&mut self, number: NodeNumber) -> Vec<NodeNumber> {
        let path = self.path(number);
        let mut changed = Vec::new();
        for (&parent, child) in path.iter().zip(path.iter().skip(1)) {
            let Some(node) = self.node_mut(parent) else {
                continue;
            };
            let place = node.children.iter().position(|other| other == child);
            if let Some(before) = place.filter(|&place| place > 0)
                && let Some(front) = node.children.get_mut(..=before)
            {
                front.rotate_right(1);
                changed.push(parent);
            }
        }
        changed
    }

    /// Sets the comment of a node.
    ///
    /// # Errors
    /// [`CommentError`]; nothing is changed.
    pub fn set_comment(&mut self, number: NodeNumber, text: &str) -> Result<(), CommentError> {
        let node = self.node(number).ok_or(CommentError::Node)?;
        let others = self.comment_bytes.saturating_sub(node.comment().len());
        if others + text.len() > MAX_COMMENT_BYTES {
            return Err(CommentError::Full);
        }
        self.comment_bytes = others + text.len();
        if let Some(node) = self.node_mut(number) {
            node.set_comment(text);
        }
        Ok(())
    }

    /// Adds a paragraph to the comment of a node, in place of those that begin with the same
    /// words `as_before`.
    pub fn replace_paragraph(&mut self, number: NodeNumber, as_before: &str, text: &str) {
        if let Some(node) = self.node_mut(number) {
            let paragraphs = node.comment().split("\n\n");
            let others = paragraphs.filter(|each| !each.is_empty() && !each.starts_with(as_before));
            let all: Vec<_> = others.chain([text]).collect();
            let comment = all.join("\n\n");
            node.set_comment(&comment);
        }
    }

    /// The note of a node with this name.
    pub fn note(&self, number: NodeNumber, name: &str) -> Option<&str> {
        let mut notes = self.node(number)?.notes.iter();
        let (_, text) = notes.find(|(known, _)| known.as_str() == name)?;
        Some(text)
    }

    /// Sets a note of a node; empty takes it away.
    pub fn set_note(&mut self, number: NodeNumber, name: PropertyName, text: &str) {
        if let Some(node) = self.node_mut(number) {
            node.notes.retain(|(known, _)| *known != name);
            if !text.is_empty() {
                node.notes.push((name, text.to_owned()));
            }
        }
    }

    /// Adds a paragraph to the comment of a node.
    pub fn add_comment(&mut self, number: NodeNumber, text: &str) {
        if let Some(node) = self.node_mut(number) {
            node.add_comment(text);
        }
    }

    /// A node as the page shows it. `game` is any game of the tree.
    pub fn view(&self, number: NodeNumber, game: &AnyGame) -> Option<NodeView> {
        let node = self.node(number)?;
        let turn = node.turn.as_ref();
        Some(NodeView {
            id: number,
            parent: node.parent,
            children: node.children.clone(),
            color: turn.map(|(color, _)| color.name()),
            turn: turn.map(|(_, turn)| game.write(turn)),
            caption: turn.map(|(_, turn)| point_names::turn(game, turn)),
            comment: node.comment().to_owned(),
            marks: node
                .marks()
                .map(|(name, text)| (name.as_str().to_owned(), text.clone()))
                .collect(),
            value: node.value,
        })
    }

    /// The last node of the main line.
    pub fn end_of_main_line(&self) -> NodeNumber {
        self.line_behind(ROOT).last().unwrap_or(ROOT)
    }

    /// What a record says of a node beside its turn; `end` is that of the main line. SGF has no
    /// resignation but that of the whole game, so one elsewhere becomes a comment.
    fn notes_of(&self, number: NodeNumber, end: NodeNumber) -> Vec<(PropertyName, String)> {
        let Some(mut node) = self.node(number).cloned() else {
            return Vec::new();
        };
        if let Some((at, color)) = self.resigned
            && at == number
            && at != end
        {
            let sentence = format!("{} resigns.", color.title());
            if !node.comment().contains(&sentence) {
                node.add_comment(&sentence);
            }
        }
        node.notes_with_value()
    }

    /// The start of the game and its result, without turns.
    fn heading(&self) -> GameRecord {
        let end = self.end_of_main_line();
        let mut record = GameRecord::new(self.setup.clone());
        let resigned = self.resigned.filter(|&(at, _)| at == end);
        record.resigned = resigned.map(|(_, color)| color);
        record.result = self.node(end).and_then(|node| node.result.clone());
        for (name, text) in self.notes_of(ROOT, end) {
            // The notes of the root were taken from a record, are comments, or its value.
            record.notes.keep(0, name, &text);
        }
        record
    }

    /// The tree as SGF.
    ///
    /// # Errors
    /// What is wrong with the setup, or the rule that forbids a turn: neither happens in a
    /// tree whose turns were played.
    pub fn to_sgf(&self) -> Result<Vec<u8>, RecordError> {
        let end = self.end_of_main_line();
        let mut writer = VariationWriter::new(&self.heading())?;
        let mut open: Vec<Visit> = Vec::new();
        self.visit_children(ROOT, &mut open);
        while let Some(visit) = open.pop() {
            let Visit::Node { number, varied } = visit else {
                writer.close();
                continue;
            };
            let Some(node) = self.node(number) else {
                continue;
            };
            if varied {
                writer.open();
                open.push(Visit::Close);
            }
            if let Some((color, turn)) = &node.turn {
                writer.turn(*color, turn, &self.notes_of(number, end)).map_err(|why| {
                    RecordError::Turn {
                        number: self.path(number).len().saturating_sub(1),
                        turn: color.letter().to_string(),
                        why,
                    }
                })?;
            }
            self.visit_children(number, &mut open);
        }
        Ok(writer.finish())
    }

    fn visit_children(&self, number: NodeNumber, open: &mut Vec<Visit>) {
        let children = self.node(number).map_or(&[][..], Node::children);
        let varied = children.len() > 1;
        let visits = children.iter().rev();
        open.extend(visits.map(|&number| Visit::Node { number, varied }));
    }

    /// Adds the turns and notes of a record; those it has in common with the tree are not
    /// added again. `game` is a game from the start of the tree, which then has the turns of
    /// the record. Returns the last node.
    ///
    /// # Errors
    /// [`MergeError`]; the turns before the wrong one have been added.
    pub fn merge(
        &mut self,
        record: &GameRecord,
        game: &mut AnyGame,
    ) -> Result<NodeNumber, MergeError> {
        let both = game.turns().iter().zip(&record.turns);
        let shared = both.take_while(|(made, turn)| made == turn).count();
        let others = game.undo_depth().saturating_sub(shared);
        let undone = game.undo(others);
        debug_assert!(undone.is_ok(), "turns that were made can be taken back");
        let mut at = ROOT;
        self.merge_notes(ROOT, record.notes.at(0));
        for (number, (color, turn)) in record.turns.iter().enumerate() {
            if number >= shared {
                game.play(*color, turn).map_err(|why| MergeError::Illegal(number + 1, why))?;
            }
            at = self.add(at, *color, turn)?;
            self.merge_notes(at, record.notes.at(number + 1));
        }
        Ok(at)
    }

    fn merge_notes(&mut self, number: NodeNumber, notes: &[(PropertyName, String)]) {
        if let Some(node) = self.node_mut(number)
            && node.notes.is_empty()
        {
            node.notes = notes.to_vec();
            node.value = node.value.or(value_notes::take(&mut node.notes));
        }
    }
}

/// Adds the variations of a record to the tree of its main line, node by node.
#[derive(Debug)]
pub struct Merger<'t> {
    tree: &'t mut GameTree,
    /// The game up to the latest node.
    game: AnyGame,
    /// The nodes from the root to the latest.
    path: Vec<NodeNumber>,
    /// Number of nodes of the main line, whose notes the tree has already.
    main: usize,
}

impl<'t> Merger<'t> {
    /// `game` is the main line.
    pub fn new(tree: &'t mut GameTree, mut game: AnyGame) -> Merger<'t> {
        let undone = game.undo(game.undo_depth());
        debug_assert!(undone.is_ok(), "turns that were made can be taken back");
        let main = tree.len;
        Merger { tree, game, path: vec![ROOT], main }
    }

    /// Adds a node of the record, unless the rules forbid its turn.
    pub fn visit(&mut self, node: VisitedNode<'_>) -> Visited {
        let undone = self.game.undo_depth().saturating_sub(node.before);
        if self.game.undo(undone).is_err() || self.game.undo_depth() != node.before {
            return Visited::Refused;
        }
        self.path.truncate(node.before + 1);
        for (color, turn) in node.turns {
            if self.game.play(*color, turn).is_err() {
                return Visited::Refused;
            }
            let at = self.path.last().copied().unwrap_or(ROOT);
            match self.tree.add(at, *color, turn) {
                Ok(number) => self.path.push(number),
                Err(TreeFull) => return Visited::Stop,
            }
        }
        let at = self.path.last().copied().unwrap_or(ROOT);
        // The tree has all notes of the main line.
        if at as usize >= self.main {
            if node.turns.is_empty() {
                let comments = node.notes.iter().filter(|(name, _)| *name == COMMENT);
                comments.for_each(|(_, text)| self.tree.add_comment(at, text));
                let marks = node.notes.iter().filter(|(name, _)| is_mark(name.as_str()));
                marks.for_each(|(name, text)| self.tree.set_note(at, name.clone(), text));
            } else {
                self.tree.merge_notes(at, node.notes);
            }
        }
        Visited::Taken
    }
}

/// Why a record cannot be added to a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// The rules forbid a turn; its number, from 1.
    #[error("turn {0}: {1}")]
    Illegal(usize, crate::rules::Illegal),
    /// See [`TreeFull`].
    #[error(transparent)]
    Full(#[from] TreeFull),
}

/// What is left to write of a tree.
#[derive(Clone, Copy, Debug)]
enum Visit {
    Node { number: NodeNumber, varied: bool },
    Close,
}
