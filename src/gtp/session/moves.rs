//! The moves of a session's game. Each is also added to the list of a client that keeps one
//! ([`ClientSync`]).

use super::client_sync::{Addition, ClientSync};
use crate::board::{Color, PlainGoBoard};
use crate::encoding::{DisplayCell, Encoding, GtpMove, Vertex, VertexCodec};
use crate::gtp::{Failure, Session};
use crate::rules::{Action, Handicap, Illegal, NothingToUndo, Step, Turn};
use crate::sgf::{Cursor, GameRecord};

impl Session {
    pub fn check_length(&self) -> Result<(), Failure> {
        let listed = self.sync.as_ref().map_or(0, |sync| sync.length());
        let most = self.settings.max_turns;
        if self.game().undo_count().max(listed) < most {
            Ok(())
        } else {
            Err(format!("the game has {most} turns and steps, which is the limit").into())
        }
    }

    /// Sets the encoding. With `sabaki` the session follows the client's own board from now on.
    pub fn set_encoding(&mut self, encoding: Encoding) {
        self.settings.encoding = encoding;
        match (encoding, &self.sync) {
            (Encoding::Sabaki, None) => self.sync = Some(Box::new(ClientSync::new(self.game()))),
            (Encoding::Sabaki, Some(_)) => {}
            _ => self.sync = None,
        }
    }

    /// The codec for moves in the present position.
    pub fn codec(&self) -> VertexCodec {
        match self.client_board() {
            Some(board) => VertexCodec::with_client_board(board.clone(), self.game()),
            None => VertexCodec::new(self.settings.encoding, self.game()),
        }
    }

    pub fn client_board(&self) -> Option<&PlainGoBoard> {
        self.sync.as_ref().map(|sync| sync.client_board())
    }

    pub fn set_client_size(&mut self, size: (u8, u8)) {
        if let Some(sync) = &mut self.sync {
            sync.resize(self.cursor.game(), size);
        }
    }

    pub fn play_at(&mut self, color: Color, vertex: Vertex) -> Result<(), Illegal> {
        if self.is_stone_already_there(color, vertex) {
            self.add_to_list(self.game().undo_count(), Addition::Move(color, GtpMove::At(vertex)));
            return Ok(());
        }
        let step = self.codec().decode(self.game(), color, vertex)?;
        self.play_step(color, step, GtpMove::At(vertex))
    }

    /// Whether the game and the client's board have the stone already: playing it changes nothing.
    fn is_stone_already_there(&self, color: Color, vertex: Vertex) -> bool {
        let codec = self.codec();
        let (Some(DisplayCell::Point(point)), Some(board)) =
            (codec.display().cell(vertex), self.client_board())
        else {
            return false;
        };
        let stands = self.game().cell(point).color() == Some(color);
        stands && board.stone(vertex) == Some(color) && !self.game().is_final()
    }

    /// Passes for `color`: a turn, or a filler while the other side goes on. A pass ends an
    /// unfinished turn of the mover if no END vertex is free. After the end of a final game, where no
    /// turn can follow, it changes nothing until an undo takes it back.
    pub fn pass(&mut self, color: Color) -> Result<(), Illegal> {
        match self.codec().decode_pass(self.game(), color) {
            Some(step) => self.play_step(color, step, GtpMove::Pass),
            None => self.change(Addition::Move(color, GtpMove::Pass), |cursor, _| {
                cursor.pass_without_turn(color)
            }),
        }
    }

    /// Changes the game, and the list of a client that keeps one.
    fn change(
        &mut self,
        addition: Addition<'_>,
        play: impl FnOnce(&mut Cursor, &mut GameRecord) -> Result<(), Illegal>,
    ) -> Result<(), Illegal> {
        let depth = self.game().undo_count();
        self.cursor.pass_silent(&self.record);
        play(&mut self.cursor, &mut self.record)?;
        self.add_to_list(depth, addition);
        Ok(())
    }

    pub fn play_step(
        &mut self,
        color: Color,
        step: Step,
        gtp_move: GtpMove,
    ) -> Result<(), Illegal> {
        self.change(Addition::Move(color, gtp_move), |cursor, record| {
            cursor.step(record, color, step)
        })
    }

    /// Runs `play`, which makes or takes back moves of the client. If the engine has resigned,
    /// `play` runs on the game before: no client has a move for a resignation. An error restores
    /// it.
    pub fn play_on<T, E>(
        &mut self,
        play: impl FnOnce(&mut Session) -> Result<T, E>,
    ) -> Result<T, E> {
        let may_play_on = std::mem::take(&mut self.may_play_on);
        let Some(color) = self.game().resigned().filter(|_| may_play_on) else {
            return play(self);
        };
        self.undo_to(self.game().undo_count() - 1);
        let played = play(self);
        if played.is_err() {
            let resigned = self.resign_as_engine(color);
            debug_assert!(resigned.is_ok(), "it has resigned before");
        }
        played
    }

    /// Runs `look`, which changes nothing, on the game before a resignation of the client, too.
    pub fn look_before_resignation<T>(&mut self, look: impl FnOnce(&mut Session) -> T) -> T {
        let resigned = self.game().resigned().map(|_| self.cursor.clone());
        // Passes may follow a resignation, and change nothing.
        while self.game().resigned().is_some() && self.cursor.undo(&mut self.record, 1).is_ok() {}
        let seen = look(self);
        if let Some(resigned) = resigned {
            self.cursor = resigned;
        }
        seen
    }

    /// Resigns as the engine: the game is over unless the client [plays on](Self::play_on).
    pub fn resign_as_engine(&mut self, color: Color) -> Result<(), Illegal> {
        self.cursor.resign(color)?;
        self.may_play_on = true;
        Ok(())
    }

    pub fn resign(&mut self, color: Color) -> Result<(), Illegal> {
        self.change(Addition::Resignation(color), |cursor, _| cursor.resign(color))
    }

    /// Makes a whole turn or resigns for the client.
    pub fn play_action(&mut self, color: Color, action: &Action) -> Result<(), Illegal> {
        match action {
            Action::Turn(turn) => self.play_turn(color, turn),
            Action::Resign => self.resign(color),
        }
    }

    /// As [`pass`](Self::pass) after the end of a final game, by a command that the client does not list.
    pub fn pass_after_end(&mut self, color: Color) -> Result<(), Illegal> {
        let pass = Turn::pass();
        self.change(Addition::Typed(color, &pass), |cursor, _| cursor.pass_without_turn(color))
    }

    /// Makes a whole turn by a command that the client does not list.
    pub fn play_turn(&mut self, color: Color, turn: &Turn) -> Result<(), Illegal> {
        self.change(Addition::Typed(color, turn), |cursor, record| cursor.play(record, color, turn))
    }

    /// Adds a change of the game to the client's list, if any, and repeats the turns typed after a
    /// move. `depth` is the undo depth before the change.
    fn add_to_list(&mut self, depth: usize, addition: Addition<'_>) {
        if let Some(sync) = &mut self.sync {
            sync.add(depth, addition, self.cursor.game());
            if matches!(addition, Addition::Move(..)) {
                self.replay_typed_turns();
            }
        }
    }

    /// Repeats the turns typed after the present list.
    fn replay_typed_turns(&mut self) {
        while let Some(sync) = &mut self.sync
            && let Some((color, turn)) = sync.typed_here()
        {
            let depth = self.cursor.game().undo_count();
            self.cursor.pass_silent(&self.record);
            if let Err(why) = self.cursor.play(&mut self.record, color, &turn) {
                log::warn!("{} was typed here before: {why}", self.game().write(&turn));
                return;
            }
            sync.add(depth, Addition::Typed(color, &turn), self.cursor.game());
        }
    }

    /// Takes back `times` turns, steps, fillers and resignations of the client or, for a client
    /// with a list, `times` moves of it. A resignation of the engine goes with the latest of them.
    pub fn undo(&mut self, times: usize) -> Result<(), NothingToUndo> {
        if times == 0 {
            return Ok(());
        }
        self.play_on(|session| match &session.sync {
            Some(sync) if sync.length() > 0 => {
                let index = sync.index_before(times)?;
                session.truncate_list(index);
                Ok(())
            }
            _ => session.cursor.undo(&mut session.record, times),
        })
    }

    /// Takes back the latest typed turn and forgets it.
    pub fn undo_typed(&mut self) -> Result<(), NothingToUndo> {
        self.play_on(|session| {
            let index = session.sync.as_mut().ok_or(NothingToUndo)?.forget_typed()?;
            session.truncate_list(index);
            Ok(())
        })
    }

    /// Removes all entries of the client's list from an index on, and restores the state before
    /// them.
    pub(super) fn truncate_list(&mut self, index: usize) {
        let Some(removed) = self.sync.as_mut().and_then(|sync| sync.truncate(index)) else {
            return;
        };
        if let Some(replaced) = removed.replaced {
            (self.record, self.cursor) = *replaced;
        }
        self.undo_to(removed.depth);
    }

    /// Takes back all but the first `depth` turns, steps, fillers and resignations.
    pub(super) fn undo_to(&mut self, depth: usize) {
        let times = self.game().undo_count().saturating_sub(depth);
        let undone = self.cursor.undo(&mut self.record, times);
        debug_assert!(undone.is_ok());
    }

    /// Places Black's handicap stones, one entry of a client's list. If the variant has no
    /// handicap, a client with a list gets them as stones of the start.
    pub fn place_handicap(&mut self, vertices: &[Vertex]) -> Result<(), Failure> {
        let replaced = Box::new((self.record.clone(), self.cursor.clone()));
        let as_position = self.setup().info.handicap == Handicap::None && self.sync.is_some();
        let points = vertices.iter().map(|&vertex| vertex.into()).collect();
        self.set_up(|setup| match (as_position, &mut setup.stones) {
            (true, [black, _]) => *black = points,
            (false, _) => setup.handicap = points,
        })?;
        // The changed start has cleared the list.
        if let Some(sync) = &mut self.sync {
            sync.add_handicap(vertices, replaced);
        }
        self.replay_typed_turns();
        Ok(())
    }
}
