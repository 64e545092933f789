//! The rule about repeated boards.

use crate::rules::{AnyPosition, Ko};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solve) enum Repetition {
    /// No rule: play may go on for ever.
    Free,
    /// Superko forbids them.
    Forbidden,
    /// They end the game in a draw.
    Draw,
}

impl Repetition {
    pub(in crate::solve) fn new(position: &dyn AnyPosition) -> Repetition {
        let superko = matches!(position.rules.ko, Ko::Positional | Ko::Situational);
        match () {
            () if position.info().ko_has_no_effect => Repetition::Free,
            () if superko => Repetition::Forbidden,
            () if position.info().repetition_draws => Repetition::Draw,
            () => Repetition::Free,
        }
    }
}
