//! A client's file becomes one of ours; a file states other rules.

use super::edit::{is_of_the_game, notes};
use super::encode;
use super::property::{NO_PROPERTIES, Properties};
use super::record::{GameRecord, NodeEffect, RecordError, Refusal};
use super::tree::NodeId;
use crate::rules::Rules;

impl GameRecord {
    /// States the rules in force in the root, which states `old`; returns whether they are the same.
    pub(super) fn restate(&mut self, old: Rules) -> bool {
        let new = self.setup.rules;
        if old == new {
            return true;
        }
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

    /// Rewrites the nodes of a client's file, whose moves only that client understands; notes stay.
    /// The text of a move that the rules forbid becomes a comment. Returns the new number of a node.
    pub(super) fn become_ours(&mut self, wanted: NodeId) -> Result<NodeId, RecordError> {
        let mut new = GameRecord::new(self.setup.clone())?;
        new.rules_are_assumed = self.rules_are_assumed;
        let mut game = self.start()?;
        new.take_notes(NodeId::ROOT, self.tree.content(NodeId::ROOT), &NO_PROPERTIES);
        let mut found = NodeId::ROOT;
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT, game.event_count())];
        while let Some((old, mut at, entries)) = open.pop() {
            game.truncate_events(entries);
            let node = self.tree.content(old);
            if !self.is_played(old) {
                at = new.add_refused(at, self, old);
            } else if self.changes(old).is_empty()
                && old != NodeId::ROOT
                && notes(node).next().is_some()
            {
                let derived = encode::markup_of(&game);
                at = new.tree.add(at, derived.as_deref().cloned().unwrap_or_default(), false);
                new.add_effect(at, NodeEffect { derived, ..NodeEffect::default() });
            }
            for change in self.changes(old) {
                at = new.add_change(at, &mut game, change.clone()).unwrap_or(at);
            }
            if old != NodeId::ROOT && self.is_played(old) {
                new.take_notes(at, node, &NO_PROPERTIES);
            }
            if old == wanted {
                found = at;
            }
            let children = self.tree.children(old).iter().rev();
            open.extend(children.map(|&child| (child, at, game.event_count())));
        }
        let end = new.tree.end_of_main_line();
        new.results = self.result().map(|result| (end, result.to_owned())).into_iter().collect();
        new.resigned = self.resigned.map(|(_, color)| (end, color));
        new.remarks = std::mem::take(&mut self.remarks);
        *self = new;
        Ok(found)
    }

    /// Adds a node of another record that is not played: its notes, and the rest as a comment.
    fn add_refused(&mut self, parent: NodeId, other: &GameRecord, id: NodeId) -> NodeId {
        let node = other.tree.content(id);
        let at = self.tree.add(parent, Properties::default(), false);
        self.take_notes(at, node, &NO_PROPERTIES);
        let mut words: String = node
            .iter()
            .filter(|property| is_of_the_game(property))
            .map(|property| property.compact())
            .collect();
        if let Some(refusal) = other.refusal_of(id) {
            words += &format!(": {}", refusal.why);
            self.refusals.push(Refusal { node: at, ..refusal.clone() });
        }
        if !words.is_empty() {
            self.tree.add_comment(at, &words, &words);
        }
        at
    }
}
