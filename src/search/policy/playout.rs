//! Playouts that know a little: they answer the latest turn where a learned
//! weight says so, and else play anywhere, good shapes rather than bad ones.

use super::local::{Answers, Reasons};
use super::weights::Factors;
use crate::board::{Cell, Color, Group, Point, Random};
use crate::rules::{Position, Step, Variant};
use crate::search::evaluator::{Filling, Outcome};

/// What playouts need beside the position.
#[derive(Debug, Default)]
pub struct Player {
    answers: Answers,
    /// Answers that may be drawn, and what each weighs.
    urn: Vec<(Point, f32)>,
    /// Stones whose groups came into atari, some of which may still be.
    pressed: Vec<Point>,
}

impl Player {
    /// Plays to the end, or until three times as many steps were made as the
    /// board has points; adds the steps to `steps`.
    pub fn play<V: Variant>(
        &mut self,
        position: &mut Position<V>,
        factors: &Factors,
        random: &mut Random,
        steps: &mut Vec<(Color, Step)>,
    ) -> Outcome {
        let grid = position.board.grid();
        let limit = steps.len() + 3 * usize::from(grid.width()) * usize::from(grid.height());
        let mut filling = Filling::default();
        self.pressed.clear();
        if factors.answers {
            self.begin(position);
        }
        while steps.len() < limit && !position.is_over() {
            let step = self.step(position, factors, random);
            let color = position.to_move;
            position.make(color, step);
            filling.note(color, step);
            if factors.answers {
                self.press(position, step);
            }
            steps.push((color, step));
        }
        filling.outcome(position)
    }

    /// The next step of a playout.
    pub fn step<V: Variant>(
        &mut self,
        position: &mut Position<V>,
        factors: &Factors,
        random: &mut Random,
    ) -> Step {
        if factors.answers
            && !V::mid_turn(position)
            && let Some(step) = self.answer(position, factors, random)
        {
            return step;
        }
        if factors.answers
            && let Some(step) = self.fight(position, factors, random)
        {
            return step;
        }
        anywhere(position, factors, random)
    }

    /// Finds the groups that are in atari.
    fn begin<V: Variant>(&mut self, position: &Position<V>) {
        let board = &position.board;
        for point in board.grid().span() {
            if board
                .group(point)
                .is_some_and(|group| group.head == point && group.liberties.single().is_some())
            {
                self.pressed.push(point);
            }
        }
    }

    /// Notes the groups that a step has put in atari.
    #[inline]
    fn press<V: Variant>(&mut self, position: &Position<V>, step: Step) {
        let (Step::Stone(point) | Step::Grow(point)) = step else {
            return;
        };
        let board = &position.board;
        let own = board.cell(point); // and all of its colour next to it are its group
        for n in board.neighbours(point).chain([point]) {
            if (n == point || board.cell(n) != own)
                && board
                    .group(n)
                    .is_some_and(|group| group.liberties.single().is_some())
            {
                self.pressed.push(n);
            }
        }
    }

    /// Captures or saves a group in atari, wherever it is, the latest first;
    /// the larger the likelier.
    fn fight<V: Variant>(
        &mut self,
        position: &Position<V>,
        factors: &Factors,
        random: &mut Random,
    ) -> Option<Step> {
        let (board, own) = (&position.board, position.to_move);
        let mut at = self.pressed.len();
        while at > 0 {
            at -= 1;
            let stone = self.pressed[at];
            let in_atari = |group: Group| Some((group, group.liberties.single()?));
            let Some((group, point)) = board.group(stone).and_then(in_atari) else {
                self.pressed.swap_remove(at);
                continue;
            };
            let saves = board.cell(stone) == Cell::stone(own);
            let factor = if saves {
                factors.escape
            } else {
                factors.capture
            };
            let weight = factor * f32::from(group.size);
            if unit(random) * (1.0 + weight) < 1.0 || saves && board.is_self_atari(point, own) {
                continue;
            }
            let step = V::stone_at(position, point);
            if is_playable(position, point, step) {
                return Some(step);
            }
        }
        None
    }

    /// A local answer, drawn by weight among those there are and one for
    /// elsewhere; none if elsewhere is drawn.
    fn answer<V: Variant>(
        &mut self,
        position: &Position<V>,
        factors: &Factors,
        random: &mut Random,
    ) -> Option<Step> {
        self.answers.collect(position);
        let (board, own) = (&position.board, position.to_move);
        self.urn.clear();
        let mut sum = 0.0;
        for (point, reasons) in self.answers.iter() {
            let look = factors.look(board.surroundings(point, own));
            let weight = factors.answer[usize::from(reasons.0)] * look.answer;
            self.urn.push((point, weight));
            sum += weight;
        }
        while !self.urn.is_empty() && sum > 0.0 {
            let mut drawn = unit(random) * (sum + factors.elsewhere);
            if drawn >= sum {
                return None;
            }
            let mut at = 0;
            while at + 1 < self.urn.len() && drawn >= self.urn[at].1 {
                drawn -= self.urn[at].1;
                at += 1;
            }
            let (point, weight) = self.urn.swap_remove(at);
            let step = V::stone_at(position, point);
            // Rarely drawn, so only now looked at.
            let risked = !board.is_self_atari(point, own)
                || unit(random) < factors.answer[usize::from(Reasons::SELF_ATARI.0)];
            if risked && is_playable(position, point, step) {
                return Some(step);
            }
            sum -= weight;
        }
        None
    }
}

/// A number from 0 to just below 1.
#[inline]
fn unit(random: &mut Random) -> f32 {
    (random.bits() >> 40) as f32 / (1u32 << 24) as f32
}

/// Whether a stone is legal and fills no own eye.
#[inline]
fn is_playable<V: Variant>(position: &Position<V>, point: Point, step: Step) -> bool {
    match position.board.cell(point) {
        Cell::Empty => {
            position.may_fill(position.to_move, point)
                && V::check(position, position.to_move, step).is_ok()
        }
        _ => V::check(position, position.to_move, step).is_ok(),
    }
}

/// A step anywhere: what the variant draws, if its shape is taken; if all are
/// refused by chance, the one that came nearest to being taken.
#[inline]
fn anywhere<V: Variant>(
    position: &mut Position<V>,
    factors: &Factors,
    random: &mut Random,
) -> Step {
    if factors.special > 0
        && random.below(1 << 16) < factors.special
        && let Some(step) = special(position, factors, random)
    {
        return step;
    }
    if !factors.choosy {
        return V::random_step(position, random, |_, _, _| true);
    }
    let (mut nearest, mut refused) = (None, 0);
    let drawn = V::random_step(position, random, |position, step, random| {
        let Verdict::Refused(drawn, chance) = judge(position, factors, random, step) else {
            nearest = None;
            return true;
        };
        if nearest.is_none_or(|(_, least, most)| drawn * most < least * chance) {
            nearest = Some((step, drawn, chance));
        }
        refused += 1;
        refused >= factors.tries
    });
    nearest.map_or(drawn, |(step, ..)| step)
}

/// So many turns that only the variant has are drawn to find one that is apt.
const DRAWS: usize = 9;

/// A turn that only the variant has: the first drawn that is apt, or with some
/// chance the last.
fn special<V: Variant>(
    position: &mut Position<V>,
    factors: &Factors,
    random: &mut Random,
) -> Option<Step> {
    let mut step = V::random_special(position, random)?;
    if factors.vain >= 1 << 16 {
        return Some(step);
    }
    for _ in 1..DRAWS {
        if V::is_apt(position, step) {
            return Some(step);
        }
        step = V::random_special(position, random)?;
    }
    let taken = V::is_apt(position, step) || random.below(1 << 16) < factors.vain;
    taken.then_some(step)
}

/// What becomes of a step drawn anywhere.
enum Verdict {
    Taken,
    /// The number drawn was greater than the chance, both of 2^16.
    Refused(u32, u32),
}

#[inline]
fn judge<V: Variant>(
    position: &Position<V>,
    factors: &Factors,
    random: &mut Random,
    step: Step,
) -> Verdict {
    let (Step::Stone(point) | Step::Grow(point)) = step else {
        return Verdict::Taken;
    };
    let (board, own) = (&position.board, position.to_move);
    let drawn = (random.bits() >> 48) as u32;
    let chance = match u32::from(factors.look(board.surroundings(point, own)).accept) {
        chance if drawn <= chance => chance,
        _ if board.would_capture(point, own) => u32::from(u16::MAX), // whatever the shape
        chance => return Verdict::Refused(drawn, chance),
    };
    let risked = (chance * factors.accept_self_atari) >> 16;
    match drawn > risked && board.is_self_atari(point, own) {
        true => Verdict::Refused(drawn, risked),
        false => Verdict::Taken,
    }
}

#[cfg(test)]
mod tests {
    use super::special;
    use crate::board::{Color, Random};
    use crate::rules::go_san::GoSan;
    use crate::rules::{Game, Setup, Turn, Variant, variant};
    use crate::search::policy::{Factors, Weights};

    /// So many nukes of 1,000 drawn are apt, and others, where one of Black's two
    /// stones is in atari.
    fn drawn(vain: f32) -> (usize, usize) {
        let setup = Setup::new(variant("go-san").expect("go-san"));
        let mut game = Game::<GoSan>::new(setup.start().expect("a start"));
        let grid = *game.position().board.grid();
        let points = [(0, 0), (1, 0), (6, 6), (7, 2)].map(|(x, y)| grid.point(x, y));
        for (color, point) in Color::BOTH.into_iter().cycle().zip(points) {
            let turn = Turn::Stone(point.expect("a point"));
            game.play(color, &turn).expect("legal");
        }
        let factors = Factors::new(&Weights {
            anywhere_vain: vain,
            ..Weights::default()
        });
        let mut position = game.position().clone();
        let mut random = Random::new(1);
        let steps = (0..1000).filter_map(|_| special(&mut position, &factors, &mut random));
        let position = game.position();
        let (apt, other): (Vec<_>, Vec<_>) = steps.partition(|&step| GoSan::is_apt(position, step));
        (apt.len(), other.len())
    }

    #[test]
    fn turns_in_vain_are_drawn_as_rarely_as_weights_say() {
        let (apt, other) = drawn(1.0);
        assert!(apt > 400 && other > 400);
        let (apt, other) = drawn(0.001);
        assert!(apt > 980 && other < 3, "{apt} {other}");
    }
}
