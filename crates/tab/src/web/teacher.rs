//! The teacher: it puts costly turns on hold before the opponent answers.

use super::request::Player;
use super::reviewer::Mistake;
use crate::rules::Turn;
use crate::search::LEVELS;
use crate::sgf::NodeId;
use serde::Serialize;
use std::collections::HashMap;

/// The turns that a teacher puts on hold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Teaching {
    /// Minimum loss in points.
    pub points: f32,
    /// Minimum number of a player's turns between two that are put on hold.
    pub pause: usize,
    /// Whether games against this level have a teacher by default.
    pub usual: bool,
}

const fn teaching(points: f32, pause: usize, usual: bool) -> Teaching {
    Teaching { points, pause, usual }
}

/// Teaching by the level of the opponent, from the weakest: beginners lose points with most of
/// their turns, and learn from the largest losses.
pub const TEACHING: [Teaching; LEVELS] = [
    teaching(8.0, 3, true),
    teaching(8.0, 3, true),
    teaching(6.0, 2, true),
    teaching(6.0, 2, true),
    teaching(5.0, 2, false),
    teaching(5.0, 1, false),
    teaching(4.0, 1, false),
    teaching(4.0, 1, false),
    teaching(3.0, 0, false),
    teaching(3.0, 0, false),
];

impl Teaching {
    /// A player with a time or a number of visits counts as the highest level.
    pub fn against(player: &Player) -> Option<Teaching> {
        let level = match player {
            Player::Human | Player::Friend => return None,
            Player::Level(level) => usize::from(*level),
            Player::Seconds(_) | Player::Visits(_) => LEVELS,
        };
        TEACHING.get(level.checked_sub(1)?).copied()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Teacher {
    pub on: bool,
    /// The verdicts of searches on turns, by the nodes after these: a second attempt gets the
    /// verdict of the first one.
    verdicts: HashMap<NodeId, Option<Mistake>>,
    /// The best turns at nodes that a hint, an analysis or a review has shown to the person.
    advice: HashMap<NodeId, Vec<Turn>>,
    on_hold: Option<Mistake>,
    /// The node after the latest turn that needs no verdict any more.
    judged: Option<NodeId>,
    /// The number of the player's turns at the last one that was put on hold.
    held_at: Option<usize>,
}

impl Teacher {
    pub fn forget(&mut self) {
        *self = Teacher { on: self.on, ..Teacher::default() };
    }

    /// Whether the turn that led to a node needs a verdict, as a second attempt does.
    pub fn is_to_judge(&self, node: NodeId) -> bool {
        self.on && self.judged != Some(node)
    }

    /// The verdict of an earlier search on the turn that led to a node.
    pub fn verdict(&self, node: NodeId) -> Option<Option<Mistake>> {
        self.verdicts.get(&node).cloned()
    }

    pub fn advise(&mut self, node: NodeId, best: Vec<Turn>) {
        self.advice.insert(node, best);
    }

    /// Whether the person has seen this turn as a best one at a node.
    pub fn advises(&self, node: NodeId, turn: &Turn) -> bool {
        let best = self.advice.get(&node).into_iter().flatten();
        best.into_iter().any(|best| best.has_steps_of(turn))
    }

    /// Lets the turn that led to a node pass without a verdict.
    pub fn skip(&mut self, node: NodeId) {
        (self.judged, self.on_hold) = (Some(node), None);
    }

    /// Takes the verdict on turn number `turns` of a player, which led to a node. Soon after a turn
    /// that was put on hold, no other is.
    pub fn judge(
        &mut self,
        node: NodeId,
        turns: usize,
        mistake: Option<Mistake>,
        teaching: Teaching,
    ) {
        self.skip(node);
        self.verdicts.insert(node, mistake.clone());
        let rested = |at: usize| turns <= at || turns - at > teaching.pause;
        let is_due = self.held_at.is_none_or(rested);
        self.on_hold = mistake.filter(|mistake| mistake.loss >= teaching.points && is_due);
        if self.on_hold.is_some() {
            self.held_at = Some(turns);
        }
    }

    /// The turn that is held up, if it led to this node.
    pub fn on_hold(&self, node: NodeId) -> Option<&Mistake> {
        self.on_hold.as_ref().filter(|on_hold| on_hold.node == node)
    }

    /// Holds nothing up any more if its head is elsewhere: the turn was taken back.
    pub fn go(&mut self, live: NodeId) {
        if self.judged != Some(live) {
            (self.judged, self.on_hold) = (None, None);
        }
    }

    pub fn release(&mut self) {
        self.on_hold = None;
    }
}

#[cfg(test)]
mod tests {
    use super::{TEACHING, Teacher, Teaching};
    use crate::sgf::NodeId;
    use crate::web::request::Player;
    use crate::web::reviewer::Mistake;

    fn node(number: u32) -> NodeId {
        serde_json::from_value(number.into()).expect("a number of a node")
    }

    fn mistake(at: u32) -> Mistake {
        Mistake {
            node: node(at),
            color: "black",
            points: Vec::new(),
            loss: 9.0,
            reason: None,
            caption: "pass".to_owned(),
            better: None,
            answer: None,
        }
    }

    #[test]
    fn strong_levels_hold_up_smaller_losses_more_often_and_only_if_asked() {
        assert!(TEACHING.is_sorted_by(|weak, strong| {
            weak.points >= strong.points && weak.pause >= strong.pause && weak.usual >= strong.usual
        }));
        assert!(TEACHING[0].usual && !TEACHING[9].usual);
        assert_eq!(Teaching::against(&Player::Human), None);
        assert_eq!(Teaching::against(&Player::Level(0)), None);
        assert_eq!(Teaching::against(&Player::Seconds(1.0)), Some(TEACHING[9]));
    }

    #[test]
    fn a_teacher_rests_after_a_turn_that_it_held_up_but_judges_a_second_attempt() {
        let teaching = Teaching { points: 5.0, pause: 1, usual: true };
        let mut teacher = Teacher::default();
        assert!(!teacher.is_to_judge(node(1)), "it is off");
        teacher.on = true;
        assert!(teacher.is_to_judge(node(1)));
        teacher.judge(node(1), 1, Some(mistake(1)), teaching);
        assert!(!teacher.is_to_judge(node(1)), "only once");
        assert!(teacher.on_hold(node(1)).is_some() && teacher.on_hold(node(2)).is_none());
        teacher.release();
        assert!(teacher.on_hold(node(1)).is_none());
        assert!(teacher.is_to_judge(node(2)), "another turn in its place");
        teacher.go(node(2));
        teacher.judge(node(2), 1, None, teaching);
        let on_hold = [2, 3].map(|turns| {
            teacher.judge(node(9), turns, Some(mistake(9)), teaching);
            teacher.on_hold(node(9)).is_some()
        });
        assert_eq!(on_hold, [false, true]);
        teacher.go(node(0));
        assert!(teacher.is_to_judge(node(2)), "it was taken back");
        assert_eq!(teacher.verdict(node(1)), Some(Some(mistake(1))), "for the next attempt");
        teacher.skip(node(3));
        assert_eq!((teacher.is_to_judge(node(3)), teacher.verdict(node(3))), (false, None));
        teacher.forget();
        assert!(teacher.on && teacher.is_to_judge(node(2)) && teacher.verdict(node(1)).is_none());
    }
}
