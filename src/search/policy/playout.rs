//! The playout policy: a local reply to the latest turn, chosen by learned
//! weights; otherwise a move that captures or saves a group in atari; otherwise
//! a global move, where acceptance sampling prefers good 3x3 patterns.
//!
//! The order is that of MoGo, Pachi's `moggy` and Fuego's `GoUctPlayoutPolicy`.

use super::compiled::CompiledWeights;
use crate::board::{Cell, Color, Group, Point, Random};
use crate::rules::{Position, Step, Variant};
use crate::search::evaluator::{Outcome, TerritoryCorrection};
use crate::search::local::{LocalReplies, Tactic, Tactics};

#[derive(Debug, Default)]
pub(super) struct PlayoutPolicy {
    replies: LocalReplies,
    /// Local replies to sample, each with its weight.
    candidates: Vec<(Point, f32)>,
    /// Stones of groups that were put in atari; some may have left it.
    atari_queue: Vec<Point>,
}

impl PlayoutPolicy {
    /// Plays until the game is over, at most three steps for each point of the board; appends the
    /// steps to `steps`.
    pub fn play<V: Variant>(
        &mut self,
        position: &mut Position<V>,
        weights: &CompiledWeights,
        random: &mut Random,
        steps: &mut Vec<(Color, Step)>,
    ) -> Outcome {
        let grid = position.board.grid();
        let limit = steps.len() + 3 * usize::from(grid.width()) * usize::from(grid.height());
        let mut filling = TerritoryCorrection::default();
        self.begin(position, weights);
        while steps.len() < limit && !position.is_over() {
            let step = self.step(position, weights, random);
            let color = position.to_move;
            position.make(color, step);
            filling.note(color, step);
            self.note(position, weights, step);
            steps.push((color, step));
        }
        filling.outcome(position)
    }

    fn begin<V: Variant>(&mut self, position: &Position<V>, weights: &CompiledWeights) {
        self.atari_queue.clear();
        if weights.uses_local_replies {
            self.queue_all_ataris(position);
        }
    }

    #[inline]
    fn note<V: Variant>(&mut self, position: &Position<V>, weights: &CompiledWeights, step: Step) {
        if weights.uses_local_replies {
            self.queue_new_ataris(position, step);
        }
    }

    fn step<V: Variant>(
        &mut self,
        position: &mut Position<V>,
        weights: &CompiledWeights,
        random: &mut Random,
    ) -> Step {
        if let Some(step) = V::winning_step(position) {
            return step;
        }
        if weights.uses_local_replies
            && !position.is_mid_turn()
            && let Some(step) = self.choose_local_reply(position, weights, random)
        {
            return step;
        }
        if weights.uses_local_replies
            && let Some(step) = self.choose_atari_move(position, weights, random)
        {
            return step;
        }
        choose_global_move(position, weights, random)
    }

    fn queue_all_ataris<V: Variant>(&mut self, position: &Position<V>) {
        let board = &position.board;
        for point in board.grid().span() {
            if board
                .group(point)
                .is_some_and(|group| group.head == point && group.liberties.single().is_some())
            {
                self.atari_queue.push(point);
            }
        }
    }

    #[inline]
    fn queue_new_ataris<V: Variant>(&mut self, position: &Position<V>, step: Step) {
        let Some(point) = V::placed_point(step) else {
            return;
        };
        let board = &position.board;
        let own = board.cell(point); // neighbours of its colour are its group
        for n in board.neighbours(point).chain([point]) {
            if (n == point || board.cell(n) != own)
                && board.group(n).is_some_and(|group| group.liberties.single().is_some())
            {
                self.atari_queue.push(n);
            }
        }
    }

    /// Captures or saves a group in atari, the latest first. Larger groups are more likely.
    fn choose_atari_move<V: Variant>(
        &mut self,
        position: &Position<V>,
        weights: &CompiledWeights,
        random: &mut Random,
    ) -> Option<Step> {
        let (board, own) = (&position.board, position.to_move);
        let mut at = self.atari_queue.len();
        while at > 0 {
            at -= 1;
            let stone = self.atari_queue[at];
            let in_atari = |group: Group| Some((group, group.liberties.single()?));
            let Some((group, point)) = board.group(stone).and_then(in_atari) else {
                self.atari_queue.swap_remove(at);
                continue;
            };
            let saves = board.cell(stone) == Cell::stone(own);
            let factor = if saves { weights.escape } else { weights.capture };
            let weight = factor * f32::from(group.size);
            if random.fraction() * (1.0 + weight) < 1.0 || saves && board.is_self_atari(point, own)
            {
                continue;
            }
            let step = V::stone_step_at(position, point);
            if is_playable(position, point, step) {
                return Some(step);
            }
        }
        None
    }

    /// Samples a local reply or tenuki by weight; `None` for tenuki or without a playable reply.
    fn choose_local_reply<V: Variant>(
        &mut self,
        position: &Position<V>,
        weights: &CompiledWeights,
        random: &mut Random,
    ) -> Option<Step> {
        self.replies.generate(position);
        let (board, own) = (&position.board, position.to_move);
        self.candidates.clear();
        let mut sum = 0.0;
        for (point, tactics) in self.replies.iter() {
            let pattern = weights.pattern_factors(board.pattern_3x3(point, own));
            let weight = weights.local_reply[usize::from(tactics.0)] * pattern.local_reply;
            self.candidates.push((point, weight));
            sum += weight;
        }
        while !self.candidates.is_empty() && sum > 0.0 {
            let mut sampled = random.fraction() * (sum + weights.tenuki);
            if sampled >= sum {
                return None;
            }
            let mut at = 0;
            while at + 1 < self.candidates.len() && sampled >= self.candidates[at].1 {
                sampled -= self.candidates[at].1;
                at += 1;
            }
            let (point, weight) = self.candidates.swap_remove(at);
            let step = V::stone_step_at(position, point);
            // The check is slow, so only sampled replies have it.
            let accepted = !board.is_self_atari(point, own)
                || random.fraction()
                    < weights.local_reply[usize::from(Tactics::only(Tactic::SelfAtari).0)];
            if accepted && is_playable(position, point, step) {
                return Some(step);
            }
            sum -= weight;
        }
        None
    }
}

/// Whether a stone is legal and does not fill an own eye.
#[inline]
fn is_playable<V: Variant>(position: &Position<V>, point: Point, step: Step) -> bool {
    match position.board.cell(point) {
        Cell::Empty => {
            position.is_playout_candidate(position.to_move, point)
                && V::check(position, position.to_move, step).is_ok()
        }
        _ => V::check(position, position.to_move, step).is_ok(),
    }
}

/// Samples global moves until one is accepted. After too many rejections it plays the move that
/// came nearest to acceptance.
#[inline]
fn choose_global_move<V: Variant>(
    position: &mut Position<V>,
    weights: &CompiledWeights,
    random: &mut Random,
) -> Step {
    if weights.special_step > 0
        && random.below(1 << 16) < weights.special_step
        && let Some(step) = choose_special_step(position, weights, random)
    {
        return step;
    }
    if !weights.acceptance_sampling {
        return V::random_step(position, random, |_, _, _| true);
    }
    let (mut nearest, mut rejections) = (None, 0);
    let sampled = V::random_step(position, random, |position, step, random| {
        let Acceptance::Rejected(sampled, chance) =
            sample_acceptance(position, weights, random, step)
        else {
            nearest = None;
            return true;
        };
        if nearest.is_none_or(|(_, least, most)| sampled * most < least * chance) {
            nearest = Some((step, sampled, chance));
        }
        rejections += 1;
        rejections >= weights.max_rejections
    });
    nearest.map_or(sampled, |(step, ..)| step)
}

const SPECIAL_STEP_SAMPLES: usize = 9;

/// Samples special steps: returns the first useful one, or with probability
/// [`CompiledWeights::accept_useless`] the last one.
fn choose_special_step<V: Variant>(
    position: &mut Position<V>,
    weights: &CompiledWeights,
    random: &mut Random,
) -> Option<Step> {
    let mut step = V::random_special_step(position, random)?;
    if weights.accept_useless >= 1 << 16 {
        return Some(step);
    }
    for _ in 1..SPECIAL_STEP_SAMPLES {
        if V::is_useful(position, step) {
            return Some(step);
        }
        step = V::random_special_step(position, random)?;
    }
    let accepted = V::is_useful(position, step) || random.below(1 << 16) < weights.accept_useless;
    accepted.then_some(step)
}

enum Acceptance {
    Accepted,
    /// The number sampled was greater than the probability; both in units of 2^-16.
    Rejected(u32, u32),
}

#[inline]
fn sample_acceptance<V: Variant>(
    position: &Position<V>,
    weights: &CompiledWeights,
    random: &mut Random,
    step: Step,
) -> Acceptance {
    let Some(point) = V::placed_point(step) else {
        return Acceptance::Accepted;
    };
    let (board, own) = (&position.board, position.to_move);
    let sampled = (random.bits() >> 48) as u32;
    let chance = match u32::from(weights.pattern_factors(board.pattern_3x3(point, own)).accept) {
        chance if sampled <= chance => chance,
        _ if board.would_capture(point, own) => u32::from(u16::MAX), // whatever the pattern
        chance => return Acceptance::Rejected(sampled, chance),
    };
    let of_self_atari = (chance * weights.accept_self_atari) >> 16;
    if sampled > of_self_atari && board.is_self_atari(point, own) {
        Acceptance::Rejected(sampled, of_self_atari)
    } else {
        Acceptance::Accepted
    }
}

#[cfg(test)]
mod tests {
    use super::choose_special_step;
    use crate::board::{Color, Random};
    use crate::rules::go_san::GoSan;
    use crate::rules::{AnyGame, Setup, Turn, Variant, variant};
    use crate::search::policy::{CompiledWeights, Weights};

    /// The numbers of useful and useless nukes among 1,000 samples, where one of
    /// Black's two stones is in atari.
    fn sample_nukes(accept_useless: f32) -> (usize, usize) {
        let setup = Setup::new(variant("go-san").expect("go-san"));
        let mut game = AnyGame::new(&setup).expect("a game");
        let grid = *game.grid();
        let points = [(0, 0), (1, 0), (6, 6), (7, 2)].map(|(x, y)| grid.point(x, y));
        for (color, point) in Color::BOTH.into_iter().cycle().zip(points) {
            let turn = Turn::stone(point.expect("a point"));
            game.play(color, &turn).expect("legal");
        }
        let mut weights = Weights::default();
        weights.scalars.accept_useless = accept_useless;
        let weights = CompiledWeights::new(&weights);
        let mut position = game.position().of_variant::<GoSan>().clone();
        let mut random = Random::new(1);
        let steps =
            (0..1000).filter_map(|_| choose_special_step(&mut position, &weights, &mut random));
        let position = game.position().of_variant();
        let (useful, useless): (Vec<_>, Vec<_>) =
            steps.partition(|&step| GoSan::is_useful(position, step));
        (useful.len(), useless.len())
    }

    #[test]
    fn useless_special_steps_are_sampled_with_the_probability_of_their_weight() {
        let (useful, useless) = sample_nukes(1.0);
        assert!(useful > 400 && useless > 400);
        let (useful, useless) = sample_nukes(0.001);
        assert!(useful > 980 && useless < 3, "{useful} {useless}");
    }
}
