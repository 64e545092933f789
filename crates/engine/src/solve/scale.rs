//! The possible results of a game, in order.

use super::goal::{WON, komi_in_half_points};
use crate::board::Color;
use crate::rules::{GameResult, Position, Scoring};

/// The results from a win of White to a win of Black. Each has a rank, 0 for the first question,
/// and a number: its margin in half points, or [`WON`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Half points from one possible margin to the next.
    step: i32,
    /// The number of an even board: komi, or the half point beside it, against Black.
    start: i32,
    /// The least and greatest rank, if they are known. They stand for wins where a rule may decide
    /// the game.
    range: Option<(i32, i32)>,
    has_wins: bool,
    komi: f64,
    has_halves: bool,
}

/// The rank of a win by a rule where margins have no known bound.
const BEYOND: i32 = 1 << 16;

impl Scale {
    /// The results that a position may lead to. `may_be_drawn` says whether a rule may end the game
    /// in a draw.
    pub(super) fn new(position: &Position, may_be_drawn: bool) -> Scale {
        let rules = &position.situation.rules;
        let has_wins = position.info().may_be_won();
        if !position.info().is_counted() {
            let range = Some((-1, 1));
            return Scale { step: 1, start: 0, range, has_wins, komi: 0.0, has_halves: false };
        }
        let has_halves = rules.give_half_points();
        // A draw by a rule may be half a point away from all margins.
        let step = if has_halves || may_be_drawn { 1 } else { 2 };
        let start = -komi_in_half_points(rules);
        let draw = if may_be_drawn { -start } else { 0 };
        let most = most_half_points(position);
        let range = match (most, has_wins) {
            (None, false) => None,
            (None, true) => Some((-BEYOND, BEYOND)),
            (Some(most), _) => {
                let beside = i32::from(has_wins);
                let (least, most) = ((-most).min(draw) / step, most.max(draw) / step);
                Some((least - beside, most + beside))
            }
        };
        Scale { step, start, range, has_wins, komi: rules.komi, has_halves }
    }

    /// The least and the greatest result, if they are known.
    pub(super) fn limits(&self) -> Option<(i32, i32)> {
        self.range.map(|(least, most)| (self.number(least), self.number(most)))
    }

    fn number(&self, rank: i32) -> i32 {
        match self.range {
            Some((least, _)) if self.has_wins && rank <= least => rank - least - WON,
            Some((_, most)) if self.has_wins && rank >= most => rank - most + WON,
            _ => self.start + self.step * rank,
        }
    }

    fn rank(&self, number: i32) -> i32 {
        match self.range {
            Some((least, _)) if self.has_wins && number <= -WON => number + WON + least,
            Some((_, most)) if self.has_wins && number >= WON => number - WON + most,
            _ => (number - self.start).div_euclid(self.step),
        }
    }

    /// The least result of at least this number.
    pub(super) fn at_least(&self, number: i32) -> i32 {
        let below = self.number(self.rank(number));
        if below < number { self.above(below) } else { below }
    }

    pub(super) fn above(&self, number: i32) -> i32 {
        self.number(self.rank(number) + 1)
    }

    pub(super) fn below(&self, number: i32) -> i32 {
        self.number(self.rank(number) - 1)
    }

    /// The next result to ask about, between the best one with the answer yes and the worst one
    /// with the answer no; `None` if nothing is left to ask.
    pub(super) fn question(&self, yes: Option<i32>, no: Option<i32>) -> Option<i32> {
        let far = |rank: i32| rank.abs() / 2 + 1;
        let rank = |number: i32| self.rank(number);
        let question = match (yes.map(rank), no.map(rank)) {
            (None, None) => 0,
            (Some(yes), None) => yes + far(yes),
            (None, Some(no)) => match self.range.filter(|_| self.has_wins) {
                Some((least, _)) if no <= least => return None,
                Some((least, _)) => (no - far(no)).max(least),
                None => no - far(no),
            },
            (Some(yes), Some(no)) if no - yes <= 1 => return None,
            (Some(yes), Some(no)) => yes + (no - yes) / 2,
        };
        Some(self.number(question))
    }

    pub(super) fn result(&self, number: i32) -> GameResult {
        match number {
            WON.. => GameResult::Win(Color::Black),
            _ if number <= -WON => GameResult::Win(Color::White),
            // A margin of whole points has this number only where it is zero, too.
            0 if !self.has_halves => GameResult::DRAW,
            _ => GameResult::Points(f64::from(number - self.start) / 2.0 - self.komi),
        }
    }
}

/// The greatest lead in half points without komi, if the number of points limits it.
fn most_half_points(position: &Position) -> Option<i32> {
    let has_bonus = position.bonus() != 0.0 || position.extras().hand.is_some();
    if position.situation.rules.scoring != Scoring::Area || has_bonus {
        return None;
    }
    Some(2 * position.board.max_area() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Scale = Scale {
        step: 2,
        start: -15,
        range: Some((-9, 9)),
        has_wins: false,
        komi: 7.5,
        has_halves: false,
    };

    /// Every result is found by questions, also wins beyond all margins.
    #[test]
    fn questions_find_every_result() {
        let wins =
            |range, step| Scale { step, start: -3, range: Some(range), has_wins: true, ..PLAIN };
        for scale in [PLAIN, wins((-1, 1), 1), wins((-10, 10), 2), wins((-BEYOND, BEYOND), 1)] {
            let (least, most) = scale.limits().expect("limits");
            let results = [least, scale.above(least), scale.number(0), scale.below(most), most];
            for result in results {
                let (mut yes, mut no) = (Some(least), Some(scale.above(most)));
                let mut questions = 0;
                while let Some(at) = scale.question(yes, no) {
                    if result >= at {
                        yes = Some(at)
                    } else {
                        no = Some(at)
                    }
                    questions += 1;
                }
                assert!(questions < 20 && yes == Some(result), "{scale:?} {result} {yes:?}");
                assert_eq!(no, Some(scale.above(result)), "{scale:?}");
            }
        }
        assert_eq!(PLAIN.result(WON), GameResult::Win(Color::Black));
        assert_eq!(PLAIN.result(-WON), GameResult::Win(Color::White));
    }

    /// Where play may never end, not even the worst result is forced.
    #[test]
    fn questions_come_to_an_end_where_nothing_is_forced() {
        let scale = Scale { step: 1, start: 0, range: Some((-1, 1)), has_wins: true, ..PLAIN };
        let mut no = Some(scale.above(WON));
        while let Some(at) = scale.question(None, no) {
            assert!(no > Some(at));
            no = Some(at);
        }
        assert_eq!(no, Some(-WON));
    }
}
