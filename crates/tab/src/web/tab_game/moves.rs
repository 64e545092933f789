//! Turns and steps, and ways through the game tree.

use super::{NO_NODE, NOTHING_TO_UNDO, TabGame};
use crate::rules::{Action, Illegal, State, Step, TurnError, VoidState};
use crate::sgf::NodeId;
use crate::web::consequences::{Consequence, ending, narrate_step, narrate_turn};
use crate::web::error_text::ErrorText;
use crate::web::open_game::OpenGame;
use crate::web::request::{Move, Say};
use crate::web::view::read_step;
use serde::Serialize;

impl TabGame {
    fn read(&self, step: &Move) -> Result<ReadMove, ErrorText> {
        let game = self.game();
        Ok(match step {
            Move::Pass | Move::End | Move::At { .. } => ReadMove::Step(read_step(game, step)?),
            Move::Resign => ReadMove::Action(Action::Resign),
            Move::Turn(text) => {
                let words: Vec<_> = text.split_whitespace().collect();
                ReadMove::Action(game.parse_words(&words).map_err(|error| match error {
                    TurnError::OffBoard => ErrorText::from(Illegal::OffBoard),
                    TurnError::Syntax => game.info().grammar_error(&words).into(),
                })?)
            }
        })
    }

    pub(super) fn play_in_time(&mut self, step: &Move) -> Result<(), ErrorText> {
        if self.engine_moves() || self.is_at_head() && self.is_held() {
            return Err("it is not your move".into());
        }
        if *step == Move::Resign && self.friend.is_some() && self.is_at_head() {
            return self.say(Say::Resign);
        }
        self.check_own_turn()?;
        if self.is_at_head() && (self.is_lost_on_time() || self.flag()) {
            return Err("the time is over".into());
        }
        // A move ends the pause of a game against the clock.
        let resumes = self.is_paused() && self.clock.is_some() && self.is_at_head();
        self.paused &= !resumes;
        let result = self.play(step);
        self.paused |= resumes && result.is_err();
        if resumes && result.is_ok() {
            self.send_game();
        }
        result
    }

    pub(super) fn play(&mut self, step: &Move) -> Result<(), ErrorText> {
        match self.read(step)? {
            ReadMove::Step(step) => {
                let color = self.game().to_move();
                self.change(|open_game| {
                    open_game.make(|cursor, record| cursor.step(record, color, step))
                })
            }
            ReadMove::Action(action) => self.act(&action),
        }
    }

    pub(super) fn act(&mut self, action: &Action) -> Result<(), ErrorText> {
        let color = self.game().to_move();
        self.change(|open_game| match action {
            Action::Turn(turn) => open_game.make(|cursor, record| cursor.play(record, color, turn)),
            Action::Resign => Ok(open_game.resign(color)?),
        })
    }

    /// Changes the position by a turn or step, and sends it to the page.
    pub(super) fn change(
        &mut self,
        make: impl FnOnce(&mut OpenGame) -> Result<(), ErrorText>,
    ) -> Result<(), ErrorText> {
        let before = self.node();
        make(&mut self.open_game)?;
        let after = self.node();
        let is_of_game = before == self.head;
        if is_of_game {
            self.head = after;
        }
        if after != before {
            self.send_nodes(false, &[before, after], Vec::new());
        }
        self.send_position(true);
        if is_of_game && after != before {
            self.note_clock();
            self.note_entry();
        }
        Ok(())
    }

    /// The effects that a move would have, or the reason why it is illegal.
    pub(super) fn look(&self, step: &Move) -> Result<LookReply, ErrorText> {
        let game = self.game();
        let (color, mut after) = (game.to_move(), game.clone());
        let effects = match self.read(step)? {
            ReadMove::Step(step) => after.step(color, step).map(|()| narrate_step(game, step)),
            ReadMove::Action(action) => after.apply(color, &action).map(|()| match &action {
                Action::Turn(turn) => narrate_turn(game, color, turn),
                Action::Resign => Vec::new(),
            }),
        };
        let mut steps = match effects {
            Ok(steps) => steps,
            Err(why) => return Ok(LookReply::Refused { legal: false, why: why.to_string() }),
        };
        steps.extend(ending(&after));
        let State { board, voids, .. } = after.state();
        Ok(LookReply::Effects { legal: true, steps, board, voids })
    }

    pub(super) fn undo(&mut self) -> Result<(), ErrorText> {
        if self.friend.is_some() && self.is_at_head() {
            return self.take_back();
        }
        let before = self.node();
        if !self.open_game.cursor.undo_step() && !self.open_game.undo_resignation() {
            let OpenGame { record, cursor, .. } = &mut self.open_game;
            cursor.go(record, record.parent(before).ok_or(NOTHING_TO_UNDO)?);
        }
        if before == self.head {
            self.set_head(self.node());
        }
        self.send_position(false);
        Ok(())
    }

    /// Goes back to the last position in which a person is to move, or by one turn in a game of two
    /// engines, which then pauses. In a variation, where one person plays both sides, goes back a
    /// turn. The clocks get the time that they had then.
    pub(super) fn take_back(&mut self) -> Result<(), ErrorText> {
        if !self.is_at_head() {
            return self.undo();
        }
        if self.friend.is_some() {
            if self.open_game.cursor.undo_step() {
                self.send_position(false);
                return Ok(());
            }
            return self.take_back_by_link();
        }
        let persons = self.players.has_person();
        let mut changed = self.is_lost_on_time();
        let here = self.head;
        let OpenGame { record, cursor, .. } = &mut self.open_game;
        if changed {
            record.set_result(here, None);
        }
        let mut only_steps = !changed;
        while cursor.undo_step() {
            changed = true;
        }
        let resigned = self.open_game.undo_resignation();
        (changed, only_steps) = (changed || resigned, only_steps && !resigned);
        while !(changed && (!persons || self.player().is_human())) {
            let OpenGame { record, cursor, .. } = &mut self.open_game;
            if !cursor.take_back(record) {
                break;
            }
            changed = true;
        }
        if !changed {
            return Err(NOTHING_TO_UNDO.into());
        }
        self.head = self.node();
        if !only_steps || self.head != here {
            self.turn_clock_back();
        }
        if !persons {
            self.paused = true;
        }
        self.send_game();
        self.send_position(false);
        Ok(())
    }

    /// Continues the game from the current position, after a loss on time without clocks.
    pub(super) fn play_on(&mut self) {
        let here = self.node();
        if self.is_lost_on_time() {
            self.clock = None;
        }
        self.set_head(here);
        if !self.game().is_over() {
            self.open_game.record.set_result(here, None);
        }
        self.paused = false;
        self.send_game();
        self.send_position(false);
    }

    pub(super) fn go(&mut self, node: NodeId) -> Result<(), ErrorText> {
        let OpenGame { record, cursor, .. } = &mut self.open_game;
        if !cursor.go(record, node) {
            return Err(NO_NODE.into());
        }
        self.send_position(false);
        Ok(())
    }

    /// Removes a node and everything after it; returns the removed ones.
    pub(super) fn remove(&mut self, node: NodeId) -> Result<RemoveReply, ErrorText> {
        self.require(node)?;
        let parent =
            self.open_game.record.parent(node).ok_or("the start of the game cannot be removed")?;
        let before = self.before_edit();
        let OpenGame { record, cursor, .. } = &mut self.open_game;
        let is_behind = cursor.path().contains(&node);
        if is_behind {
            cursor.go(record, parent);
        }
        let removed = record.remove(node);
        if removed.contains(&self.head) {
            self.set_head(parent);
        }
        let reply = RemoveReply { removed: removed.clone() };
        self.send_nodes(false, &[parent], removed);
        if is_behind {
            self.send_position(false);
        }
        self.edited(before, None);
        Ok(reply)
    }
}

/// The effects that a move would have.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum LookReply {
    Effects { legal: bool, steps: Vec<Consequence>, board: Vec<String>, voids: Vec<VoidState> },
    Refused { legal: bool, why: String },
}

#[derive(Serialize)]
pub(super) struct RemoveReply {
    removed: Vec<NodeId>,
}

/// A parsed move of a page.
enum ReadMove {
    Step(Step),
    /// A whole turn, or a resignation.
    Action(Action),
}
