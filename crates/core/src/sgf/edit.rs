//! Changes of a [`GameRecord`]: turns, notes, marks, results; and its file.

use super::encode::{self, Display};
use super::marks;
use super::property::{Properties, Property, PropertyValue};
use super::record::{COMMENT, Change, GameRecord, NodeEffect, PropertyOfGame};
use super::tree::{GameTree, NodeId};
use crate::board::{Cell, Color, Point};
use crate::rules::{Game, GameResult, Illegal, Piece, Placement, SetupError, Turn};
use std::collections::{BTreeMap, HashMap};

/// Properties of the game itself.
const OF_THE_GAME: &[&str] = &[
    "AB", "AE", "AW", "B", "CA", "FF", "GM", "HA", "HD", "KAWARI", "KBEGUN", "KBLOCK", "KM", "KO",
    "KPIECE", "KRESIGN", "KRULE", "KTURN", "PL", "RE", "SZ", "TO", "W",
];

/// Other properties whose values are not texts, besides marks.
const NO_TEXTS: &[&str] = &["DD", "MN", "N", "TB", "TW", "VW"];

pub(super) fn is_of_the_game(property: &Property<'_>) -> bool {
    OF_THE_GAME.contains(&&*property.name())
}

/// The properties of a node that do not concern the game.
pub(super) fn notes(node: &Properties) -> impl Iterator<Item = Property<'_>> {
    node.iter().filter(|property| !is_of_the_game(property))
}

impl GameRecord {
    /// The result of the whole game.
    pub fn result(&self) -> Option<&str> {
        self.result_at(self.tree.end_of_main_line())
    }

    /// The result of the line that ends at a node.
    pub fn result_at(&self, id: NodeId) -> Option<&str> {
        self.results.get(&id).map(String::as_str)
    }

    /// Sets or removes the result of the line that ends at a node.
    pub fn set_result(&mut self, id: NodeId, result: Option<String>) {
        match result {
            Some(result) => self.results.insert(id, result),
            None => self.results.remove(&id),
        };
    }

    /// The side that resigned, and where.
    pub fn resigned(&self) -> Option<(NodeId, Color)> {
        self.resigned
    }

    /// Sets the side that resigned, and where.
    pub fn set_resigned(&mut self, resigned: Option<(NodeId, Color)>) {
        self.resigned = resigned;
    }

    /// The text of a property; `None` without it or with several values.
    pub fn note(&self, id: NodeId, name: &str) -> Option<String> {
        let property = self.tree.property(id, name)?;
        let mut values = property.values();
        let text = values.next().map(PropertyValue::text);
        text.filter(|_| values.next().is_none())
    }

    /// Sets a property to a text; an empty one removes it. The caller must not change properties of
    /// the game.
    pub fn set_note(&mut self, id: NodeId, name: &'static str, text: &str) {
        self.tree.set_text(id, name, text);
    }

    /// Sets a root property that a client names.
    ///
    /// # Errors
    /// The game itself determines the property, or it is not a text.
    pub fn set_by_name(&mut self, name: &str, text: &str) -> Result<(), PropertyOfGame> {
        if name == "RE" {
            let end = self.tree.end_of_main_line();
            self.set_result(end, Some(text.to_owned()));
            return Ok(());
        }
        if [OF_THE_GAME, NO_TEXTS].concat().contains(&name) || marks::is_mark(name) {
            return Err(PropertyOfGame);
        }
        self.tree.set_text(NodeId::ROOT, name, text);
        Ok(())
    }

    /// Sets a property to points of the board of `game`.
    pub fn set_points(&mut self, id: NodeId, name: &'static str, game: &Game, at: &[Point]) {
        let mut node = Properties::default();
        node.points(name, at.iter().map(|&at| encode::place(game, at)));
        self.tree.take(id, name, &node);
    }

    /// Sets the comment of a node.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        self.tree.set_text(id, COMMENT, text);
    }

    /// Adds a paragraph to a comment and removes those that begin with `old`.
    pub fn add_comment(&mut self, id: NodeId, old: &str, text: &str) {
        self.tree.add_comment(id, old, text);
    }

    /// The marks of people at a node: property names, and a value in each line.
    pub fn marks(&self, id: NodeId) -> BTreeMap<String, String> {
        marks::of_people(self.tree.content(id), self.derived(id))
    }

    /// Sets the marks of people of one kind.
    pub fn set_marks(&mut self, id: NodeId, name: &'static str, lines: &str) {
        let values = marks::values(self.derived(id), name, lines);
        self.tree.set(id, name, &values);
        for old in marks::ff3_names(name) {
            self.tree.set::<&str>(id, old, &[]);
        }
    }

    /// Adds a node with this change after `parent`, the position of `game`.
    pub(super) fn add_change(
        &mut self,
        parent: NodeId,
        game: &mut Game,
        change: Change,
    ) -> Result<NodeId, Illegal> {
        let id = self.add(parent, change, game.is_over(), false);
        let written = self.write_node(id, game);
        written.map(|()| id).inspect_err(|_| self.retract(id))
    }

    /// Adds a node with this change, which has no properties before it is
    /// [written](Self::write_node). `is_after_end` says whether the game was over before it.
    pub(super) fn add(
        &mut self,
        parent: NodeId,
        change: Change,
        is_after_end: bool,
        as_first: bool,
    ) -> NodeId {
        let id = self.tree.add_unwritten(parent, as_first);
        let changes = [change].into_iter().collect();
        self.add_effect(id, NodeEffect { changes, is_after_end, ..NodeEffect::default() });
        id
    }

    /// Whether a node is new and has no properties yet.
    pub(super) fn is_unwritten(&self, id: NodeId) -> bool {
        self.tree.text(id).is_empty() && !self.changes(id).is_empty()
    }

    /// Removes the latest node, which has no properties yet.
    pub(super) fn retract(&mut self, id: NodeId) {
        self.tree.retract(id);
        self.effects.truncate(id.index());
    }

    /// Makes the change of a new node in `game`, and gives the node its properties.
    pub(super) fn write_node(&mut self, id: NodeId, game: &mut Game) -> Result<(), Illegal> {
        let before = Display::new(game);
        self.make(id, game)?;
        let node = match self.changes(id).first() {
            Some(Change::Turn(color, turn)) => before.turn_node(game, *color, turn, self.is_ours),
            Some(Change::SetUp(set_up)) => encode::set_up_node(game, set_up),
            None => return Ok(()),
        };
        if let Some(Some(effect)) = self.effects.get_mut(id.index()) {
            effect.derived = marks::derived(&node);
        }
        self.tree.write_node(id, node);
        Ok(())
    }

    /// The first node after this one that is wanted; only nodes without a change may precede it.
    pub(super) fn first_behind(
        &self,
        at: NodeId,
        is_wanted: impl Fn(NodeId) -> bool,
    ) -> Option<NodeId> {
        let mut open = vec![at];
        while let Some(id) = open.pop() {
            if id != at && is_wanted(id) {
                return Some(id);
            }
            if id == at || self.changes(id).is_empty() {
                let first = open.len();
                open.extend(self.children(id));
                open.get_mut(first..).unwrap_or_default().reverse();
            }
        }
        None
    }

    /// The first child of a node if it changes nothing: it belongs to the same position.
    pub(super) fn silent_behind(&self, at: NodeId) -> Option<NodeId> {
        let child = self.tree.child(at)?;
        let effect = self.effect(child)?;
        (effect.changes.is_empty() && effect.unfinished.is_none()).then_some(child)
    }

    /// The last of the nodes after this one that change nothing.
    fn behind_silent(&self, at: NodeId) -> NodeId {
        let silent = std::iter::successors(Some(at), |&id| self.silent_behind(id));
        silent.last().unwrap_or(at)
    }

    /// The node of the unfinished turn of `game` after `at`.
    pub(super) fn unfinished_at(&self, at: NodeId, game: &Game) -> Option<NodeId> {
        let (color, turn) = (game.to_move(), game.unfinished_turn()?);
        let is_turn = |(c, t): &(Color, Turn)| *c == color && t == turn;
        self.first_behind(at, |id| self.unfinished(id).is_some_and(is_turn))
    }

    /// Removes the node of an unfinished turn after `at` that the game has left.
    pub(super) fn remove_unfinished_behind(&mut self, at: NodeId) {
        let is_bare = |&id: &NodeId| {
            self.unfinished(id).is_some()
                && self.tree.children(id).is_empty()
                && self.tree.comment(id).is_empty()
        };
        let stale = self.children(self.behind_silent(at)).find(is_bare);
        if let Some(stale) = stale.filter(|_| self.is_ours) {
            self.remove(stale);
        }
    }

    /// Makes the line to a node the main line, and ends it as `game` ends there: with an unfinished
    /// turn, a resignation and, if the line `is_changed`, a result. Returns the end.
    pub fn end_as(&mut self, game: &Game, at: NodeId, is_changed: bool) -> NodeId {
        let at = match game.unfinished_turn() {
            None => at,
            Some(turn) => self
                .unfinished_at(at, game)
                .unwrap_or_else(|| self.add_unfinished(self.behind_silent(at), game, turn)),
        };
        self.promote(at);
        let resigned = game.resigned().map(|color| (at, color));
        let resigns = resigned.is_some() && resigned != self.resigned;
        if resigns
            && let Some((old, color)) = std::mem::replace(&mut self.resigned, resigned)
            && old != at
        {
            say_resigned(&mut self.tree, old, color);
        }
        if at == self.tree.end_of_main_line() && (is_changed || resigns) {
            self.set_result(at, game.is_over().then(|| game.score().to_string()));
        }
        at
    }

    fn add_unfinished(&mut self, parent: NodeId, game: &Game, turn: &Turn) -> NodeId {
        let mut before = game.clone();
        while before.is_mid_turn() && before.undo(1).is_ok() {}
        let node = Display::new(&before).unfinished_node(game, turn);
        let id = self.tree.add(parent, node, true);
        let unfinished = Some(Box::new((game.to_move(), turn.clone())));
        self.add_effect(id, NodeEffect { unfinished, ..NodeEffect::default() });
        id
    }

    /// Whether a node only sets up stones or the side to move, and nothing follows it.
    pub fn is_open_set_up(&self, id: NodeId) -> bool {
        // A forced move is set up, too.
        let is_move = |name: &&str| self.tree.property(id, name).is_some();
        let is_bare = self.tree.children(id).is_empty() && !["B", "W"].iter().any(is_move);
        is_bare && !self.changes(id).is_empty() && self.turn(id).is_none()
    }

    /// Sets up stones at the start. Returns false, and changes nothing, if nodes follow the start
    /// or no start can have these stones.
    ///
    /// # Errors
    /// The start is invalid.
    pub fn set_up_start(&mut self, set_up: &Placement) -> Result<bool, SetupError> {
        const ROOT: NodeId = NodeId::ROOT;
        if !self.tree.children(ROOT).is_empty() {
            return Ok(false);
        }
        let old = self.start()?;
        let mut setup = self.setup.clone();
        setup.to_move = None;
        let mut emptied = Vec::new();
        for &(point, piece) in &set_up.cells {
            let place = old.grid().coordinates(point);
            setup.handicap.retain(|&other| other != place);
            setup.stones.iter_mut().for_each(|stones| stones.retain(|&other| other != place));
            setup.pieces.retain(|&(other, _)| other != place);
            // A wall among pieces may be moved, so it is no longer blocked.
            if setup.info.leaves(Cell::Wall) {
                setup.blocked_points.retain(|&other| other != place);
            }
            let [black, white] = &mut setup.stones;
            match piece {
                Some(Piece::Stone(Color::Black)) => black.push(place),
                Some(Piece::Stone(Color::White)) => white.push(place),
                Some(_) => setup.pieces.push((place, piece)),
                None => emptied.push(place),
            }
        }
        setup.keep_empty(emptied);
        let as_ruled = Game::new(&setup)?.to_move();
        let to_move = set_up.to_move.unwrap_or(old.to_move());
        setup.to_move = Some(to_move).filter(|&color| color != as_ruled);
        let game = Game::new(&setup)?;
        if game.changed_by(set_up) != Placement::default() {
            return Ok(false);
        }
        let node = encode::start(&setup, &game);
        let (old, derived) = (self.tree.content(ROOT).clone(), self.derived(ROOT).clone());
        for name in ["HA", "HD", "AB", "AW", "AE", "KBLOCK", "KPIECE", "PL"] {
            self.tree.take(ROOT, name, &node);
        }
        for mark in notes(&node) {
            self.tree.take(ROOT, &mark.name(), &node);
        }
        self.setup = setup;
        self.effects =
            vec![Some(NodeEffect { derived: marks::derived(&node), ..NodeEffect::default() })];
        self.take_notes(ROOT, &old, &derived);
        Ok(true)
    }

    /// Copies the notes of a node, but not marks `derived` from its position.
    pub(super) fn take_notes(&mut self, id: NodeId, node: &Properties, derived: &Properties) {
        let own_derived = self.derived(id).clone();
        let (mut places, mut taken) = (HashMap::new(), Vec::new());
        for property in notes(node) {
            let name = property.name();
            let place = *places.entry(name.clone()).or_insert_with(|| {
                let values: Vec<_> = own_derived.values(&name).map(PropertyValue::raw).collect();
                taken.push((name.clone(), values));
                taken.len() - 1
            });
            let others: Vec<_> = derived.values(&name).map(PropertyValue::raw).collect();
            let own = property.values().map(PropertyValue::raw);
            if let Some((_, values)) = taken.get_mut(place) {
                values.extend(own.filter(|value| !others.contains(value)));
            }
        }
        self.tree.set_all(id, &taken);
        let comments = notes(node).filter(|property| property.is(COMMENT));
        if comments.flat_map(|property| property.values()).count() > 1 {
            // Most programs show one comment of a node.
            self.tree.set_text(id, COMMENT, &self.tree.comment(id));
        }
    }

    /// Removes a node and everything after it, except the root; returns the removed nodes.
    pub fn remove(&mut self, id: NodeId) -> Vec<NodeId> {
        self.tree.parent(id).map_or(Vec::new(), |parent| self.remove_children(parent, &[id]))
    }

    /// Removes children of a node, and all after them; returns the removed nodes.
    pub(super) fn remove_children(&mut self, parent: NodeId, ids: &[NodeId]) -> Vec<NodeId> {
        let removed = self.tree.remove(parent, ids);
        self.refusals.retain(|refusal| self.tree.contains(refusal.node));
        self.results.retain(|at, _| self.tree.contains(*at));
        self.resigned = self.resigned.filter(|(at, _)| self.tree.contains(*at));
        removed
    }

    /// Copies the nodes and results that `later` has and this record lacks, except the subtree
    /// `without`.
    pub fn add_newer(&mut self, later: &GameRecord, without: Option<NodeId>) {
        let nodes = self.tree.add_newer(&later.tree, without);
        self.effects.resize_with(nodes, || None);
        self.effects.extend(later.effects.iter().skip(nodes).cloned());
        for (&at, result) in later.results.iter().filter(|(at, _)| self.tree.contains(**at)) {
            self.results.entry(at).or_insert_with(|| result.clone());
        }
        let own = self.resigned.filter(|(at, _)| !later.tree.contains(*at));
        self.resigned = later.resigned.filter(|(at, _)| self.tree.contains(*at)).or(own);
    }

    /// See [`GameTree::promote`].
    pub fn promote(&mut self, id: NodeId) -> Vec<NodeId> {
        self.tree.promote(id)
    }

    /// The record as a file: as it was read, byte for byte, unless edited.
    pub fn write(&self) -> Vec<u8> {
        self.finished().write()
    }

    /// The record as text.
    pub fn write_text(&self) -> String {
        self.finished().write_text()
    }

    /// The record as text with a line for each node: a change of a node changes few lines.
    pub fn lines(&self) -> String {
        self.finished().lines()
    }

    /// The tree with the result of its main line. SGF has only a resignation of the whole game: one
    /// elsewhere becomes a comment.
    fn finished(&self) -> GameTree {
        let end = self.tree.end_of_main_line();
        let mut tree = self.tree.clone();
        if tree.is_edited() {
            self.state_start(&mut tree);
        }
        let resigned = self.resigned.filter(|(at, _)| *at == end).map(|(_, color)| color);
        let by_resignation = || Some(GameResult::Resignation(!resigned?).to_string());
        let result = self.results.get(&end).cloned().or_else(by_resignation);
        let stated = tree.value(NodeId::ROOT, "RE").map(|value| value.simple_text());
        if stated.as_deref().unwrap_or_default().trim() != result.as_deref().unwrap_or_default() {
            tree.set_text(NodeId::ROOT, "RE", &result.unwrap_or_default());
        }
        if self.is_ours {
            let loser = resigned.map_or(String::new(), |color| color.letter().to_string());
            let stated = tree.value(NodeId::ROOT, "KRESIGN").and_then(PropertyValue::color);
            if stated != resigned {
                tree.set_text(NodeId::ROOT, "KRESIGN", &loser);
            }
        }
        if let Some((at, color)) = self.resigned.filter(|(at, _)| *at != end) {
            say_resigned(&mut tree, at, color);
        }
        tree
    }
}

/// Says in the comment of a node that a side resigns there.
fn say_resigned(tree: &mut GameTree, at: NodeId, color: Color) {
    let sentence = format!("{} resigns.", color.title());
    if !tree.comment(at).contains(&sentence) {
        tree.add_comment(at, &sentence, &sentence);
    }
}
