//! The teacher of a game: it judges the turn of a person before the engine replies.

use super::TabGame;
use crate::web::error_text::ErrorText;
use crate::web::event::Event;
use crate::web::reviewer::{Mistake, Review, TurnLoss};
use crate::web::teacher::Teaching;

impl TabGame {
    /// `None` if the teacher is off, or no person plays against an engine.
    pub(super) fn teaching(&self) -> Option<Teaching> {
        let (_, engine) = self.players.opponent()?;
        Teaching::against(engine).filter(|_| self.teacher.on)
    }

    pub(super) fn set_teaching(&mut self, on: bool) {
        self.teacher.on = on;
        self.teacher.release();
        self.send_game();
    }

    /// Whether the engine waits before it replies to a costly turn.
    pub(super) fn is_held(&self) -> bool {
        self.teaching().is_some() && self.teacher.on_hold(self.head).is_some()
    }

    /// Keeps the turn that is on hold.
    pub(super) fn leave_held(&mut self) -> Result<(), ErrorText> {
        if !self.is_held() {
            return Err("no move is waiting".into());
        }
        self.teacher.release();
        Ok(())
    }

    /// Whether the last turn needs a verdict before an engine replies.
    pub(super) fn is_to_judge(&self) -> bool {
        let game = self.game();
        let last = game.turns().last();
        let is_persons = last.is_some_and(|&(color, _)| self.players.get(color).is_human());
        let may_reply = !self.genmove && !game.is_mid_turn() && is_persons;
        may_reply && self.teaching().is_some() && self.teacher.is_to_judge(self.node())
    }

    /// The line up to the last turn.
    pub(super) fn last_turn(&self) -> Review {
        let open_game = &self.open_game;
        Review::new(&open_game.record, open_game.cursor.path().iter().copied())
    }

    /// Takes the verdict of a search on the last turn.
    pub(super) fn judged(&mut self, mistake: Option<Mistake>) {
        self.judge(mistake);
        self.send_held();
    }

    fn judge(&mut self, mistake: Option<Mistake>) {
        if let Some(teaching) = self.teaching() {
            let (node, turns) = (self.node(), self.game().turns());
            let mover = turns.last().map(|(color, _)| *color);
            let turns = turns.iter().filter(|(color, _)| Some(*color) == mover).count();
            self.teacher.judge(node, turns, mistake, teaching);
        }
    }

    /// Judges the last turn without a search if the person has seen what an earlier one says of it:
    /// another search may say something else.
    fn judge_again(&mut self) {
        let node = self.node();
        if let Some(verdict) = self.teacher.verdict(node) {
            self.judge(verdict);
        } else if self.is_advised() {
            let color = (!self.game().to_move()).name();
            let lost = TurnLoss { node, color, loss: 0.0, best: true, prior: None };
            self.events.push(Event::Lost(lost));
            self.judge(None);
        }
    }

    /// Whether the person has seen the last turn as a best one.
    fn is_advised(&self) -> bool {
        let parent = self.open_game.record.parent(self.node());
        let last = self.game().turns().last().zip(parent);
        last.is_some_and(|((_, turn), parent)| self.teacher.advises(parent, turn))
    }

    /// Sends the turn that is on hold here, after a change of the position or a verdict.
    pub(super) fn send_held(&mut self) {
        if !self.is_at_head() {
            return;
        }
        self.teacher.go(self.head);
        if self.is_to_judge() && !self.game().is_over() {
            self.judge_again();
        }
        if let Some(on_hold) = self.teacher.on_hold(self.head).filter(|_| self.is_held()) {
            self.events.push(Event::Held(Box::new(on_hold.clone())));
        }
    }
}
