//! Records that follow a game.

use super::edit::{is_of_the_game, notes, say_resigned};
use super::encode::{self, Display};
use super::property::properties;
use super::record::{Change, GameRecord, NodeEffect, RecordError, Refusal, illegal};
use super::tree::NodeId;
use crate::board::Color;
use crate::rules::{AnyGame, Setup, Turn};

impl GameRecord {
    /// Makes the line of a game the main line and adds its missing nodes; all other nodes stay.
    /// `setup` is the start of the game and may differ in rules only.
    ///
    /// # Errors
    /// The rule that forbids a change: another start.
    pub fn follow(&mut self, setup: &Setup, game: &AnyGame) -> Result<(), RecordError> {
        let same_rules = self.restate(setup);
        let changes = changes_of(game);
        let turn = game.unfinished_turn().map(|turn| (game.to_move(), turn.clone()));
        let (mut at, mut in_tree) = self.last_in_tree(&changes);
        let mut of_turn = self.unfinished_behind(at, turn.as_ref());
        let is_known = in_tree == changes.len() && of_turn.is_some() == turn.is_some();
        if !(self.is_ours || setup.info.is_plain() || is_known && same_rules) {
            self.become_ours()?;
            (at, in_tree) = self.last_in_tree(&changes);
            of_turn = self.unfinished_behind(at, turn.as_ref());
        }
        if of_turn.is_none() {
            self.remove_unfinished_behind(at);
        }
        at = of_turn.unwrap_or(at);
        let mut replay = self.start()?;
        for (number, change) in changes.iter().enumerate() {
            let result = if number < in_tree {
                change.make(&mut replay)
            } else {
                let last = self.behind_silent(at);
                let node = self.add_change(last, &mut replay, change.clone(), true);
                node.map(|node| at = node)
            };
            result.map_err(|why| illegal(&replay, change, why))?;
        }
        if let Some(unfinished) = turn.filter(|_| of_turn.is_none()) {
            let node = Display::new(&replay).unfinished_node(game, &unfinished.1);
            at = self.tree.add(self.behind_silent(at), &node.0, true);
            let effect = NodeEffect { unfinished: Some(unfinished), ..NodeEffect::default() };
            self.add_effect(at, effect);
        }
        self.tree.promote(at);
        let resigns = self.end_as(game, at);
        let is_end = at == self.tree.end_of_main_line();
        if is_end && (!(is_known && same_rules) || resigns) {
            self.set_result(at, game.is_over().then(|| game.score().to_string()));
        }
        Ok(())
    }

    /// Notes that a game ends here by resignation; returns whether that is new.
    fn end_as(&mut self, game: &AnyGame, at: NodeId) -> bool {
        let Some(new) = game.resigned().map(|color| (at, color)) else {
            return false;
        };
        let old = self.resigned.replace(new);
        if let Some((old, color)) = old.filter(|(old, _)| *old != at) {
            say_resigned(&mut self.tree, old, color);
        }
        old != Some(new)
    }

    /// The last node to which these changes lead, and how many of them do.
    fn last_in_tree(&self, changes: &[Change]) -> (NodeId, usize) {
        let (mut at, mut rest) = (NodeId::ROOT, changes);
        let is_next = |id, rest: &[Change]| {
            let own = self.changes(id);
            !own.is_empty() && rest.starts_with(own)
        };
        while let Some(next) = self.first_behind(at, |id| is_next(id, rest)) {
            rest = rest.get(self.changes(next).len()..).unwrap_or_default();
            at = next;
        }
        (at, changes.len() - rest.len())
    }

    /// The node of this unfinished turn after `at`.
    fn unfinished_behind(&self, at: NodeId, turn: Option<&(Color, Turn)>) -> Option<NodeId> {
        let turn = turn?;
        self.first_behind(at, |id| self.unfinished(id) == Some(turn))
    }

    /// Removes the node of another unfinished turn after `at`, which no longer is one.
    fn remove_unfinished_behind(&mut self, at: NodeId) {
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

    /// The first node after this one that is wanted; only nodes without a change may precede it.
    fn first_behind(&self, at: NodeId, is_wanted: impl Fn(NodeId) -> bool) -> Option<NodeId> {
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

    /// The last of the nodes after this one without a change: they belong to the same position.
    fn behind_silent(&self, at: NodeId) -> NodeId {
        let is_silent = |id: &NodeId| {
            let effect = self.effect(*id);
            effect.is_some_and(|effect| effect.changes.is_empty() && effect.unfinished.is_none())
        };
        self.tree.line_behind(at).take_while(is_silent).last().unwrap_or(at)
    }

    /// Takes over the rules of a game; returns whether they are the same.
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

    /// Rewrites the nodes of a client's file, whose moves only that client understands; notes stay.
    /// The text of a move that the rules forbid becomes a comment.
    fn become_ours(&mut self) -> Result<(), RecordError> {
        let mut new = GameRecord::new(self.setup.clone())?;
        let mut game = self.start()?;
        new.take_notes(NodeId::ROOT, self.tree.text(NodeId::ROOT), "");
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT, game.event_count())];
        while let Some((old, mut at, entries)) = open.pop() {
            game.truncate_events(entries);
            let text = self.tree.text(old);
            if !self.is_played(old) {
                at = new.add_refused(at, self, old);
            } else if self.changes(old).is_empty()
                && old != NodeId::ROOT
                && notes(text).next().is_some()
            {
                let derived = encode::markup_of(&game);
                at = new.tree.add(at, derived.as_deref().unwrap_or_default(), false);
                new.add_effect(at, NodeEffect { derived, ..NodeEffect::default() });
            }
            for change in self.changes(old) {
                at = new.add_change(at, &mut game, change.clone(), false).unwrap_or(at);
            }
            if old != NodeId::ROOT && self.is_played(old) {
                new.take_notes(at, text, "");
            }
            let children = self.tree.children(old).iter().rev();
            open.extend(children.map(|&child| (child, at, game.event_count())));
        }
        let end = new.tree.end_of_main_line();
        new.results = self.result().map(|result| (end, result.to_owned())).into_iter().collect();
        new.resigned = self.resigned.map(|(_, color)| (end, color));
        new.remarks = std::mem::take(&mut self.remarks);
        new.rules_are_assumed = self.rules_are_assumed;
        *self = new;
        Ok(())
    }

    /// Adds a node of another record that is not played: its notes, and the rest as a comment.
    fn add_refused(&mut self, parent: NodeId, other: &GameRecord, id: NodeId) -> NodeId {
        let text = other.tree.text(id);
        let at = self.tree.add(parent, "", false);
        self.take_notes(at, text, "");
        let mut words: String = properties(text)
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

/// The turns and set-ups of a game in order.
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
