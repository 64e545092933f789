//! Records that go on with a game.

use super::edit::RESERVED;
use super::encode::{self, Display};
use super::property::properties;
use super::record::{Change, Deed, GameRecord, illegal};
use super::record_error::RecordError;
use super::tree::NodeId;
use super::value::PropertyValue;
use crate::rules::{AnyGame, Setup, Turn};

impl GameRecord {
    /// Makes the line of a game the main line; what it lacks is added. With `cut`, what followed
    /// in its place goes: the record is of the game so far, with the variations of its turns.
    /// `setup` is the start of the game, which differs in rules at most.
    ///
    /// # Errors
    /// The rule that forbids an change: another start.
    pub fn follow(&mut self, setup: &Setup, game: &AnyGame, cut: bool) -> Result<(), RecordError> {
        let same_rules = self.restate(setup);
        if !self.is_ours && !setup.info.is_plain() {
            self.become_ours()?;
        }
        let old_line: Vec<_> = self.tree.main_line().collect();
        let old_end = old_line.last().copied().unwrap_or(NodeId::ROOT);
        let changes = changes_of(game);
        let mut replay = AnyGame::new(&self.setup)?;
        let (mut at, mut made, mut is_new) = (NodeId::ROOT, 0, false);
        while let Some(change) = changes.get(made) {
            if let Some((next, count)) = self.descend(at, changes.get(made..).unwrap_or_default()) {
                at = next;
                made += count;
                self.make(at, &mut replay).map_err(|why| illegal(&replay, change, why))?;
                continue;
            }
            let old = self.tree.child(at).filter(|_| old_line.contains(&at));
            if let Some(child) = old
                && (cut && !is_new || self.unfinished(child).is_some())
            {
                self.remove(child);
            }
            let added = self.play_change(at, &mut replay, change.clone(), true);
            at = added.map_err(|why| illegal(&replay, change, why))?;
            made += 1;
            is_new = true;
        }
        at = self.behind_silent(at);
        let goes_on = !self.tree.children(at).is_empty();
        if cut && goes_on {
            for child in self.tree.children(at).to_vec() {
                self.remove(child);
            }
        }
        self.tree.promote(at);
        if let Some(turn) = game.turn_under_way().filter(|_| self.unfinished(at).is_none()) {
            at = self.add_unfinished(at, &replay, game, turn);
        }
        let resigned = game.resigned();
        let is_same = same_rules
            && !is_new
            && (!cut || !goes_on)
            && resigned == self.resigned.filter(|(at, _)| *at == old_end).map(|(_, color)| color);
        if !is_same {
            let end = self.tree.end_of_main_line();
            self.set_result(end, game.is_over().then(|| game.score().to_string()));
            self.resigned = resigned.map(|color| (at, color));
        }
        Ok(())
    }

    /// The node that does the first of these changes, and how many it does; nodes that do
    /// nothing may come before it.
    fn descend(&self, at: NodeId, changes: &[Change]) -> Option<(NodeId, usize)> {
        let mut open: Vec<_> = self.children(at).collect();
        open.reverse();
        while let Some(id) = open.pop() {
            let own = self.changes(id);
            if own.is_empty() {
                let first = open.len();
                open.extend(self.children(id));
                open.get_mut(first..).unwrap_or_default().reverse();
            } else if changes.starts_with(own) {
                return Some((id, own.len()));
            }
        }
        None
    }

    /// The last node behind this one to which nothing happens on the way.
    fn behind_silent(&self, at: NodeId) -> NodeId {
        let is_silent = |id: &NodeId| self.is_played(*id) && self.changes(*id).is_empty();
        let all_silent = self.tree.line_behind(at).all(|id| is_silent(&id));
        if !all_silent {
            return at;
        }
        self.tree.line_behind(at).take_while(is_silent).last().unwrap_or(at)
    }

    fn add_unfinished(
        &mut self,
        at: NodeId,
        before: &AnyGame,
        game: &AnyGame,
        turn: &Turn,
    ) -> NodeId {
        let node = Display::of(before).unfinished_node(game, turn);
        let id = self.tree.add(at, &node.0, true);
        let unfinished = Some((game.to_move(), turn.clone()));
        self.add_deed(id, Deed { unfinished, ..Deed::default() });
        id
    }

    /// Takes over the rules of a game that goes on from this record. Whether they are the same.
    fn restate(&mut self, setup: &Setup) -> bool {
        let (old, new) = (self.setup.rules, setup.rules);
        if old == new {
            return true;
        }
        self.setup.rules = new;
        if old.komi != new.komi && self.setup.info.is_counted() {
            self.tree.set_text(NodeId::ROOT, "KM", &new.komi.to_string());
        }
        let mut without_komi = old;
        without_komi.komi = new.komi;
        if without_komi != new {
            let name = encode::rules_text(&self.setup).unwrap_or_default();
            self.tree.set_text(NodeId::ROOT, "RU", &name);
            if self.is_ours {
                let rules = encode::rule_values(&self.setup);
                self.tree.set(NodeId::ROOT, "KRULE", &rules);
            }
        }
        false
    }

    /// Writes the nodes of a client's file, whose moves mean something to that client only, as
    /// kawari does; what they say beside stays.
    fn become_ours(&mut self) -> Result<(), RecordError> {
        let mut new = GameRecord::new(self.setup.clone())?;
        let mut game = AnyGame::new(&self.setup)?;
        new.take_notes(NodeId::ROOT, self.tree.text(NodeId::ROOT));
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT, game.entries())];
        while let Some((old, parent, entries)) = open.pop() {
            game.back_to(entries);
            let mut at = parent;
            for change in self.changes(old) {
                at = new.play_change(at, &mut game, change.clone(), false).unwrap_or(at);
            }
            if old != NodeId::ROOT {
                new.take_notes(at, self.tree.text(old));
            }
            let children: Vec<_> = self.children(old).collect();
            open.extend(children.into_iter().rev().map(|child| (child, at, game.entries())));
        }
        let end = new.tree.end_of_main_line();
        new.results = self.result().map(|result| (end, result.to_owned())).into_iter().collect();
        new.resigned = self.resigned.map(|(_, color)| (end, color));
        new.remarks = std::mem::take(&mut self.remarks);
        *self = new;
        Ok(())
    }

    /// Takes those of a node's properties that say nothing of the game.
    pub(super) fn take_notes(&mut self, id: NodeId, node: &str) {
        for property in properties(node) {
            let name = property.name();
            if RESERVED.binary_search(&&*name).is_err() && name != "RE" {
                let values: Vec<_> = property.values().map(PropertyValue::raw).collect();
                self.tree.set(id, &name, &values);
            }
        }
    }
}

/// What happened in a game, in its order.
fn changes_of(game: &AnyGame) -> Vec<Change> {
    let mut set_ups = game.set_ups().iter().peekable();
    let mut changes = Vec::new();
    for number in 0..=game.turns().len() {
        while let Some((_, set_up)) = set_ups.next_if(|(before, _)| *before <= number) {
            changes.push(Change::SetUp(set_up.clone()));
        }
        let turn = game.turns().get(number);
        changes.extend(turn.map(|(color, turn)| Change::Turn(*color, turn.clone())));
    }
    changes
}
