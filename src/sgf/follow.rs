//! Records that follow a game.

use super::edit::{is_of_the_game, notes};
use super::encode::{self, Display};
use super::property::properties;
use super::record::{Change, GameRecord, NodeEffect, illegal};
use super::record_error::{RecordError, Refusal};
use super::tree::NodeId;
use crate::rules::{AnyGame, Setup};

impl GameRecord {
    /// Makes the line of a game the main line and adds the missing nodes. With `cut`, removes the
    /// nodes after its last position: the record is then of the game so far, with the variations of
    /// its turns. `setup` is the start of the game and may differ in rules only.
    ///
    /// # Errors
    /// The rule that forbids a change: another start.
    pub fn follow(&mut self, setup: &Setup, game: &AnyGame, cut: bool) -> Result<(), RecordError> {
        let same_rules = self.restate(setup);
        let changes = changes_of(game);
        let under_way = game.turn_under_way().map(|turn| (game.to_move(), turn.clone()));
        if !self.is_ours && !setup.info.is_plain() {
            let line = self.tree.main_line().flat_map(|id| self.changes(id));
            let end = self.unfinished(self.tree.end_of_main_line());
            let is_same = line.eq(&changes) && end == under_way.as_ref() && same_rules;
            if is_same && game.resigned() == self.resigned.map(|(_, loser)| loser) {
                return Ok(());
            }
            self.become_ours()?;
        }
        let old_end = self.tree.end_of_main_line();
        let (mut at, replay, mut is_new) = self.add_line(&changes, cut)?;
        at = self.behind_silent(at);
        let is_begun =
            |&child: &NodeId| under_way.is_some() && self.unfinished(child) == under_way.as_ref();
        let begun = self.children(at).find(is_begun);
        at = begun.map_or(at, |begun| self.behind_silent(begun));
        let later = self.tree.children(at).to_vec();
        let is_cut = cut && !later.is_empty();
        if is_cut {
            self.remove_children(at, &later);
        }
        self.tree.promote(at);
        if let Some(unfinished) = under_way.filter(|_| begun.is_none()) {
            let node = Display::new(&replay).unfinished_node(game, &unfinished.1);
            at = self.tree.add(at, &node.0, true);
            self.add_effect(
                at,
                NodeEffect { unfinished: Some(unfinished), ..NodeEffect::default() },
            );
            is_new = true;
        }
        let (old, resigned) = (self.resigned, game.resigned().map(|color| (old_end, color)));
        if !same_rules || is_new || is_cut || resigned != old.filter(|(at, _)| *at == old_end) {
            let end = self.tree.end_of_main_line();
            self.set_result(end, game.is_over().then(|| game.score().to_string()));
            self.resigned = resigned.map(|(_, color)| (at, color));
        }
        Ok(())
    }

    /// Makes these changes from the root on and adds missing nodes. Returns the last node, the game
    /// there, and whether nodes were added.
    fn add_line(
        &mut self,
        changes: &[Change],
        cut: bool,
    ) -> Result<(NodeId, AnyGame, bool), RecordError> {
        let old_line: Vec<_> = self.tree.main_line().collect();
        let mut replay = AnyGame::new(&self.setup)?;
        let (mut at, mut left, mut is_new) = (NodeId::ROOT, changes, false);
        while let Some((change, later)) = left.split_first() {
            if let Some((next, count)) = self.descend(at, left) {
                at = next;
                left = left.get(count..).unwrap_or_default();
                self.make(at, &mut replay).map_err(|why| illegal(&replay, change, why))?;
                continue;
            }
            at = self.behind_silent(at);
            let old = self.tree.child(at).filter(|_| old_line.contains(&at));
            if let Some(child) = old
                && (cut && !is_new || self.unfinished(child).is_some())
            {
                self.remove(child);
            }
            let added = self.play(at, &mut replay, change.clone(), true);
            at = added.map_err(|why| illegal(&replay, change, why))?;
            left = later;
            is_new = true;
        }
        Ok((at, replay, is_new))
    }

    /// The node with the first of these changes, and the number of its changes; nodes without a
    /// change may precede it.
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
        let mut game = AnyGame::new(&self.setup)?;
        new.take_notes(NodeId::ROOT, self.tree.text(NodeId::ROOT), "");
        let mut open = vec![(NodeId::ROOT, NodeId::ROOT, game.entries())];
        while let Some((old, mut at, entries)) = open.pop() {
            game.back_to(entries);
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
            open.extend(children.map(|&child| (child, at, game.entries())));
        }
        let end = new.tree.end_of_main_line();
        new.results = self.result().map(|result| (end, result.to_owned())).into_iter().collect();
        new.resigned = self.resigned.map(|(_, color)| (end, color));
        new.remarks = std::mem::take(&mut self.remarks);
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
