//! Inputs of a net.

use super::super::feature_enum;
use super::super::position::Position;
use super::Sygo;
use crate::board::{Color, Lattice, Point};

feature_enum! {
    /// Input planes of a net.
    pub enum SygoPlane {
        /// Stones that came or flipped in the unfinished turn.
        New = "new",
        /// Groups that have grown in the unfinished turn.
        Grown = "grown",
        /// Points at which a group may grow.
        MayGrow = "may-grow",
    }
}

feature_enum! {
    /// Inputs of a net that concern the whole board.
    pub enum SygoGlobal {
        /// A growth is unfinished.
        MidTurn = "mid-turn",
        /// The side to move may make a balance turn.
        OwnBalance = "own-balance",
        /// The opponent may make one.
        EnemyBalance = "enemy-balance",
    }
}

impl<L: Lattice<GroupLabel = u64>> Position<Sygo<L>> {
    pub(super) fn note_planes(&self, mut note: impl FnMut(usize, Point)) {
        let (board, state) = (&self.board, &self.state);
        for point in board.empties().iter() {
            if self.check_growth(self.situation.to_move, point).is_ok() {
                note(SygoPlane::MayGrow as usize, point);
            }
        }
        if !self.is_mid_turn() {
            return;
        }
        for point in board.grid().points().filter(|&point| board.cell(point).is_stone()) {
            if state.new_stones.contains(point) {
                note(SygoPlane::New as usize, point);
            }
            if state.grown_heads.contains(board.head(point)) {
                note(SygoPlane::Grown as usize, point);
            }
        }
    }

    pub(super) fn note_globals(&self, mut note: impl FnMut(usize, f32)) {
        let (state, own) = (&self.state, self.situation.to_move);
        let mut note_if =
            |global: SygoGlobal, is_set: bool| note(global as usize, f32::from(is_set));
        // Before the first turn the side to move will open.
        let opener = Some(state.opener.unwrap_or(own));
        let may_balance = |color: Color| !state.grown_before && opener == Some(!color);
        note_if(SygoGlobal::MidTurn, self.is_mid_turn());
        note_if(SygoGlobal::OwnBalance, may_balance(own));
        note_if(SygoGlobal::EnemyBalance, may_balance(!own));
    }
}
