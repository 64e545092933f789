//! A [`Cursor`]: the position of a record from which its game goes on.

use super::record::{Change, GameRecord, RecordError, illegal};
use super::tree::NodeId;
use crate::board::Color;
use crate::rules::{
    Game, Illegal, NothingToUndo, Placement, ReplayError, Rules, SetupError, Step, Turn,
};
use std::collections::HashSet;

/// A node of a [`GameRecord`], and the game played up to it.
///
/// The game may be ahead of the node: by steps of an unfinished turn, by passes that are not turns,
/// by a resignation. A change that the rules refuse changes neither the cursor nor the record.
#[derive(Clone, Debug)]
pub struct Cursor {
    game: Game,
    /// The nodes from the root to the current one; never empty.
    path: Vec<NodeId>,
    /// For each node of the path, how far the game was there.
    reached: Vec<Reached>,
    /// The unfinished turn at the last node that the cursor left: it comes back on return.
    parked: Option<(NodeId, Turn)>,
    /// The step that has just ended a turn of several.
    last_step: Option<Step>,
    /// Nodes where a player took back a turn: the next new turn there begins the main line.
    taken_back: HashSet<NodeId>,
    /// The rules that the tree states.
    stated: Rules,
}

/// Numbers of events of a game, and of turns and set-ups among them.
#[derive(Clone, Copy, Debug, Default)]
struct Reached {
    events: u32,
    turns: u32,
    set_ups: u32,
}

impl Reached {
    fn by(game: &Game) -> Reached {
        Reached {
            events: game.event_count() as u32,
            turns: game.turns().len() as u32,
            set_ups: game.set_ups().len() as u32,
        }
    }
}

impl Cursor {
    /// The start of a record.
    ///
    /// # Errors
    /// The setup of the record is invalid.
    pub fn new(record: &GameRecord) -> Result<Cursor, SetupError> {
        Ok(Cursor {
            game: Game::new(&record.setup)?,
            path: vec![NodeId::ROOT],
            reached: vec![Reached::default()],
            parked: None,
            last_step: None,
            taken_back: HashSet::new(),
            stated: record.setup.rules,
        })
    }

    /// The position of the main line before turn number `turn` (from 1), or its end.
    ///
    /// # Errors
    /// The first node before that turn that is not played, and the reason.
    pub fn before(record: &GameRecord, turn: usize) -> Result<Cursor, RecordError> {
        let mut cursor = Cursor::new(record)?;
        cursor.game.forgive_superko(record.rules_are_assumed);
        cursor.play_before(record, turn)?;
        cursor.game.forgive_superko(false);
        Ok(cursor)
    }

    fn play_before(&mut self, record: &GameRecord, turn: usize) -> Result<(), RecordError> {
        let game = &mut self.game;
        let mut last = NodeId::ROOT;
        for id in record.tree.main_line() {
            if !record.is_played(id)
                && let Some(refusal) = record.refusal_of(id)
            {
                let is_later = refusal.number >= turn.max(1);
                return if is_later { Ok(()) } else { Err(record.error(refusal)) };
            }
            for change in record.changes(id) {
                if matches!(change, Change::Turn(..)) && game.turns().len() + 1 >= turn {
                    return Ok(());
                }
                change.make(game).map_err(|why| illegal(game, change, why))?;
            }
            last = id;
            if id != NodeId::ROOT && record.unfinished(id).is_none() {
                self.path.push(id);
                self.reached.push(Reached::by(game));
            }
        }
        if game.turns().len() + 1 >= turn {
            return Ok(());
        }
        record.add_end(game, last)
    }

    /// The game up to the node, and what is ahead of it.
    pub fn game(&self) -> &Game {
        &self.game
    }

    pub(super) fn into_game(self) -> Game {
        self.game
    }

    /// The node.
    pub fn node(&self) -> NodeId {
        self.path.last().copied().unwrap_or(NodeId::ROOT)
    }

    /// The nodes from the root to the current one.
    pub fn path(&self) -> &[NodeId] {
        &self.path
    }

    fn reached(&self) -> Reached {
        self.reached.last().copied().unwrap_or_default()
    }

    /// The steps of an unfinished turn.
    pub fn steps(&self) -> Vec<Step> {
        self.game.unfinished_turn().into_iter().flat_map(Turn::steps).collect()
    }

    /// The step that has just ended a turn of several, and the game before it.
    pub fn last_step(&self) -> Option<(Game, Step)> {
        let step = self.last_step?;
        let mut before = self.game.clone();
        before.undo(1).ok()?;
        Some((before, step))
    }

    /// The game before the turn of the node, or before the last step of an unfinished one.
    pub fn game_before(&self) -> Option<Game> {
        let mut before = self.game.clone();
        if before.is_mid_turn() {
            before.undo(1).ok()?;
            return Some(before);
        }
        let parent = self.reached.iter().rev().nth(1)?;
        let turns = before.turns().len().checked_sub(1)?;
        if self.reached().turns == parent.turns {
            return None;
        }
        while before.turns().len() > turns || before.is_mid_turn() {
            before.undo(1).ok()?;
        }
        Some(before)
    }

    /// Makes a whole turn, and goes to its node, which is added unless it exists.
    ///
    /// # Errors
    /// The rule that forbids the turn.
    pub fn play(
        &mut self,
        record: &mut GameRecord,
        color: Color,
        turn: &Turn,
    ) -> Result<(), Illegal> {
        let is_turn =
            |id| matches!(record.changes(id), [Change::Turn(c, t)] if *c == color && t == turn);
        let forgives =
            record.rules_are_assumed && record.first_behind(self.node(), is_turn).is_some();
        let was_over = self.game.is_over();
        self.game.forgive_superko(forgives);
        let played = self.game.play(color, turn);
        self.game.forgive_superko(false);
        played?;
        self.extend(record, was_over);
        Ok(())
    }

    /// Makes a step; if it ends the turn, goes to the node of the turn as [`play`](Self::play).
    ///
    /// # Errors
    /// The rule that forbids the step.
    pub fn step(
        &mut self,
        record: &mut GameRecord,
        color: Color,
        step: Step,
    ) -> Result<(), Illegal> {
        let goes_on = self.game.is_mid_turn();
        if let Some(turn) = self.game.info().whole_turn(step).filter(|_| !goes_on) {
            return self.play(record, color, &turn);
        }
        self.game.step(color, step)?;
        self.last_step = None;
        if !self.game.is_mid_turn() {
            self.extend(record, false);
            self.last_step = goes_on.then_some(step);
        }
        Ok(())
    }

    /// Makes a whole turn that continues the steps so far.
    ///
    /// # Errors
    /// The rule that forbids the turn.
    pub fn finish(&mut self, record: &mut GameRecord, turn: &Turn) -> Result<(), Illegal> {
        let begun = self.game.unfinished_turn().cloned();
        self.leave_steps();
        let played = self.play(record, self.game.to_move(), turn);
        if played.is_err() {
            begun.iter().for_each(|turn| self.make_steps(turn));
        }
        played
    }

    /// Goes to the node of the changes that the game has made after the current one, or adds it.
    fn extend(&mut self, record: &mut GameRecord, was_over: bool) {
        (self.parked, self.last_step) = (None, None);
        let from = self.reached();
        let changes = changes_from(&self.game, from.turns as usize, from.set_ups as usize);
        if changes.is_empty() {
            return;
        }
        let node = record.first_behind(self.node(), |id| record.changes(id) == changes);
        if let Some(node) = node {
            let (here, path) = (self.node(), record.tree.path(node));
            let behind = path.into_iter().skip_while(|&id| id != here).skip(1);
            self.path.extend(behind);
            self.reached.resize(self.path.len(), from);
        } else {
            for (number, change) in changes.into_iter().enumerate() {
                let parent = self.node();
                let as_first = self.taken_back.remove(&parent);
                let set_ups = number as u32 + 1;
                self.path.push(record.add(parent, change, was_over, as_first));
                // All but the last are set-ups.
                let (events, set_ups) = (from.events + set_ups, from.set_ups + set_ups);
                self.reached.push(Reached { events, set_ups, ..from });
            }
        }
        if let Some(last) = self.reached.last_mut() {
            *last = Reached::by(&self.game);
        }
    }

    /// Gives the new nodes on the way to this one their properties. Until then a tree is as it was
    /// read.
    pub fn write_nodes(&self, record: &mut GameRecord) {
        let written = self.path.iter().rposition(|&id| !record.is_unwritten(id)).unwrap_or(0);
        let mut new = self.path.iter().skip(written + 1).peekable();
        let Some(reached) = self.reached.get(written).filter(|_| new.peek().is_some()) else {
            return;
        };
        let mut game = self.game.clone();
        game.truncate_events(reached.events as usize);
        for &id in new {
            let made = record.write_node(id, &mut game);
            debug_assert!(made.is_ok(), "it was legal before");
        }
    }

    /// Goes to the last of the nodes after this one that change nothing: they have the same
    /// position.
    pub fn pass_silent(&mut self, record: &GameRecord) {
        let reached = self.reached();
        while let Some(silent) = record.silent_behind(self.node()) {
            self.path.push(silent);
            self.reached.push(reached);
        }
    }

    /// Accepts a pass that is not a turn; see [`Game::pass_without_turn`].
    ///
    /// # Errors
    /// The side is to move.
    pub fn pass_without_turn(&mut self, color: Color) -> Result<(), Illegal> {
        self.game.pass_without_turn(color)
    }

    /// Resigns for `color`.
    ///
    /// # Errors
    /// The game has ended for good.
    pub fn resign(&mut self, color: Color) -> Result<(), Illegal> {
        self.game.resign(color)
    }

    /// Takes back the latest turn, step, pass or resignation, `times` times, and the set-ups after
    /// each. New nodes without properties leave the record.
    ///
    /// # Errors
    /// Fewer have happened.
    pub fn undo(&mut self, record: &mut GameRecord, times: usize) -> Result<(), NothingToUndo> {
        self.game.undo(times)?;
        self.last_step = None;
        let events = self.game.event_count();
        let mut has_left = false;
        while self.reached().events as usize > events
            || has_left && record.unfinished(self.node()).is_some()
        {
            has_left = true;
            self.reached.pop();
            if let Some(left) = self.path.pop().filter(|&left| record.is_unwritten(left)) {
                record.retract(left);
            }
        }
        Ok(())
    }

    /// Takes back the last step of an unfinished turn; false if there is none.
    pub fn undo_step(&mut self) -> bool {
        self.last_step = None;
        self.game.is_mid_turn() && self.game.undo(1).is_ok()
    }

    /// Goes to the parent, where the next new turn begins the main line; false at the root.
    pub fn take_back(&mut self, record: &GameRecord) -> bool {
        let Some(parent) = record.tree.parent(self.node()) else {
            return false;
        };
        self.begin_line_at(parent);
        self.go(record, parent)
    }

    /// Lets the next new turn at a node begin the main line.
    pub fn begin_line_at(&mut self, node: NodeId) {
        self.taken_back.insert(node);
    }

    /// Sets up stones in the current node or in one after it.
    ///
    /// # Errors
    /// The set-up is invalid, or a turn is unfinished.
    pub fn set_up(&mut self, record: &mut GameRecord, set_up: &Placement) -> Result<(), Illegal> {
        if self.game.is_mid_turn() {
            return Err(Illegal::MidTurn);
        }
        let here = self.node();
        let earlier = Some(here).filter(|&node| record.is_open_set_up(node));
        let parent = earlier.and_then(|node| record.parent(node)).unwrap_or(here);
        let mut whole = Placement::default();
        let old = earlier.iter().flat_map(|&node| record.changes(node));
        let old = old.filter_map(|change| match change {
            Change::SetUp(set_up) => Some(set_up),
            Change::Turn(..) => None,
        });
        for part in old.chain([set_up]) {
            whole.cells.extend(&part.cells);
            whole.to_move = part.to_move.or(whole.to_move);
        }
        let mut trial = self.clone();
        trial.go(record, parent);
        let whole = trial.game.changed_by(&whole);
        if whole != Placement::default() {
            trial.game.set_up(&whole)?;
        }
        if earlier.is_some() && record.tree.child(parent) == earlier {
            trial.begin_line_at(parent);
        }
        trial.extend(record, false);
        let is_new = record.is_unwritten(trial.node());
        trial.write_nodes(record);
        trial.taken_back.remove(&parent);
        if let Some(old) = earlier.filter(|&old| old != trial.node()) {
            if is_new {
                let (node, derived) =
                    (record.tree.content(old).clone(), record.derived(old).clone());
                record.take_notes(trial.node(), &node, &derived);
            }
            record.remove(old);
        }
        *self = trial;
        Ok(())
    }

    /// Goes to a node; false if there is no such node.
    pub fn go(&mut self, record: &GameRecord, node: NodeId) -> bool {
        if !record.is_played(node) {
            return false;
        }
        self.last_step = None;
        if let Some(turn) = self.game.unfinished_turn() {
            self.parked = Some((self.node(), turn.clone()));
        }
        let path = record.tree.path(node);
        let both = path.iter().zip(&self.path);
        let shared = both.take_while(|(new, old)| new == old).count().max(1);
        self.path.truncate(shared);
        self.reached.truncate(shared);
        self.leave_steps();
        for &id in path.iter().skip(shared) {
            let made = record.make(id, &mut self.game);
            debug_assert!(made.is_ok(), "the nodes of a record were played before");
            self.path.push(id);
            self.reached.push(Reached::by(&self.game));
        }
        self.arrive(record);
        true
    }

    /// Makes the node's resignation or unfinished turn again, unless the game is ahead of the node.
    pub fn arrive(&mut self, record: &GameRecord) {
        let node = self.node();
        if self.game.event_count() > self.reached().events as usize {
            return;
        }
        if let Some((_, color)) = record.resigned().filter(|&(at, _)| at == node) {
            let _ = self.game.resign(color);
        } else if let Some((_, turn)) = self.parked.take_if(|(at, _)| *at == node) {
            self.make_steps(&turn);
        } else if let Some((_, turn)) = record.unfinished(node) {
            self.make_steps(turn);
        }
    }

    /// Makes the steps of a turn as far as they are legal.
    fn make_steps(&mut self, turn: &Turn) {
        let _ = turn.steps().try_for_each(|step| self.game.step(self.game.to_move(), step));
    }

    /// Takes back all that is ahead of the node.
    pub fn leave_steps(&mut self) {
        self.game.truncate_events(self.reached().events as usize);
    }

    /// Changes the rules of the game, and of the record when it is [saved](Self::saved).
    ///
    /// # Errors
    /// A turn so far is illegal under these rules.
    pub fn change_rules(
        &mut self,
        record: &mut GameRecord,
        rules: Rules,
    ) -> Result<(), ReplayError> {
        let mut setup = record.setup.clone();
        setup.rules = rules;
        self.game.replay_from(&setup)?;
        record.setup = setup;
        Ok(())
    }

    /// Changes the komi, on which no turn depends.
    pub fn set_komi(&mut self, record: &mut GameRecord, komi: f64) {
        record.setup.rules.komi = komi;
        self.game.set_komi(komi);
    }

    /// The record with this game as its main line, and with the rules and the end of this game.
    /// Other nodes of a file stay.
    ///
    /// # Errors
    /// The start is invalid.
    pub fn saved(&self, record: &GameRecord) -> Result<GameRecord, RecordError> {
        let (mut record, mut line) = (record.clone(), self.clone());
        line.extend(&mut record, false);
        let is_known = |&&id: &&NodeId| !record.is_unwritten(id);
        let known = line.path.iter().rfind(is_known).copied().unwrap_or_default();
        let mut at = line.node();
        let has_turn = record.unfinished_at(at, &self.game).is_some();
        let is_new = known != at || has_turn != self.game.is_mid_turn();
        let is_changed = !record.restate(self.stated) | is_new;
        if is_changed && !record.is_ours && !record.setup.info.is_plain() {
            at = record.become_ours(at)?;
        } else {
            line.write_nodes(&mut record);
            if !has_turn {
                record.remove_unfinished_behind(known);
            }
        }
        record.end_as(&self.game, at, is_changed);
        Ok(record)
    }
}

/// The changes of a game after these numbers of turns and set-ups.
pub(super) fn changes_from(game: &Game, turns: usize, set_ups: usize) -> Vec<Change> {
    let mut set_ups = game.set_ups().iter().skip(set_ups).peekable();
    let mut changes = Vec::new();
    for number in turns..=game.turns().len() {
        while let Some((_, set_up)) = set_ups.next_if(|(before, _)| *before <= number) {
            changes.push(Change::SetUp(set_up.clone()));
        }
        let turn = game.turns().get(number);
        changes.extend(turn.map(|(color, turn)| Change::Turn(*color, turn.clone())));
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Setup, variant};
    use crate::sgf::parse;

    const FILE: &str = "(;GM[1]SZ[9]KM[5];B[ee];C[why](;W[cc];B[gg])(;W[gc]))";

    fn opened(turn: usize) -> (GameRecord, Cursor) {
        let go = Setup::new(variant("go").expect("a registered variant"));
        let trees = parse(FILE.as_bytes()).expect("a game");
        let record = GameRecord::read(&trees[0], &go).expect("a record");
        let cursor = Cursor::before(&record, turn).expect("a position");
        (record, cursor)
    }

    fn written(record: &GameRecord, cursor: &Cursor) -> String {
        cursor.saved(record).expect("a record").write_text().replace('\n', "")
    }

    fn play(record: &mut GameRecord, cursor: &mut Cursor, words: &str) {
        let action = cursor.game().parse(words).expect("a turn");
        let crate::rules::Action::Turn(turn) = action else { unreachable!("{words} is a turn") };
        cursor.play(record, cursor.game().to_move(), &turn).expect("a legal turn");
    }

    #[test]
    fn turns_that_are_taken_back_leave_the_file_as_it_was() {
        let (mut record, mut cursor) = opened(usize::MAX);
        for words in ["E2", "E3"] {
            play(&mut record, &mut cursor, words);
        }
        assert_eq!(cursor.undo(&mut record, 3), Ok(()));
        for words in ["G3", "E2"] {
            play(&mut record, &mut cursor, words);
        }
        assert_eq!(cursor.undo(&mut record, 2), Ok(()));
        assert_eq!(record.tree().len(), 6);
        assert_eq!(written(&record, &cursor), FILE);
        assert_eq!(cursor.undo(&mut record, 3), Err(NothingToUndo));
    }

    #[test]
    fn a_turn_of_the_file_is_followed_and_another_is_added() {
        let (mut record, mut cursor) = opened(2);
        play(&mut record, &mut cursor, "G7");
        assert_eq!(record.tree().len(), 6);
        let other_first = "(;W[gc])(;W[cc];B[gg]))";
        assert!(written(&record, &cursor).ends_with(other_first), "the game is the main line");
        play(&mut record, &mut cursor, "A1");
        let saved = written(&record, &cursor);
        assert!(saved.ends_with("B[ee];C[why](;W[gc];B[ai])(;W[cc];B[gg]))"), "{saved}");
    }

    #[test]
    fn a_refused_turn_changes_nothing() {
        let (mut record, mut cursor) = opened(usize::MAX);
        let occupied = Turn::stone(cursor.game().turns()[0].1.points()[0]);
        let refused = cursor.play(&mut record, Color::White, &occupied);
        assert!(refused.is_err());
        assert_eq!(written(&record, &cursor), FILE);
    }

    #[test]
    fn komi_that_comes_back_leaves_the_file_as_it_was() {
        let (mut record, mut cursor) = opened(usize::MAX);
        cursor.set_komi(&mut record, 7.0);
        assert!(written(&record, &cursor).contains("KM[7]"));
        cursor.set_komi(&mut record, 5.0);
        assert_eq!(written(&record, &cursor), FILE);
    }
}
