//! Priors and playouts without learned weights, the same for all games: for boards without a net.
//!
//! A playout answers the latest turn locally, captures or saves groups in atari, and otherwise plays
//! anywhere, seldom into atari and never into an own eye. The order is that of MoGo (Gelly et al.,
//! "Modification of UCT with patterns in Monte-Carlo Go", 2006), Pachi's `moggy` and Fuego's
//! `GoUctPlayoutPolicy`.

use super::evaluator::{Evaluator, Leaf, Outcome, TerritoryCorrection, Trace};
use super::local::{LocalReplies, Tactic, Tactics};
use crate::board::{Cell, Color, Group, Point, Random};
use crate::rules::{AnyPosition, Position, Step, StepKind, Variant};

/// How often a local reply is played, against [`TENUKI`] and the other replies. The numbers are
/// round values of weights that were fitted to games of Go.
const REPLY_WEIGHTS: [(Tactic, f32); Tactics::COUNT] = [
    (Tactic::Adjacent, 1.5),
    (Tactic::Diagonal, 1.0),
    (Tactic::Capture, 15.0),
    (Tactic::CounterCapture, 100.0),
    (Tactic::Escape, 60.0),
    (Tactic::Attack, 4.0),
    (Tactic::Defend, 3.0),
    (Tactic::Nakade, 60.0),
    (Tactic::SelfAtari, 0.05),
];

/// How often the reply is elsewhere.
const TENUKI: f32 = 8.0;

/// How likely a capture of a stone in atari is in a global move; each further stone adds as much
/// again to the odds.
const CAPTURE_ODDS: f32 = 3.0;

/// The same for a stone to be saved.
const ESCAPE_ODDS: f32 = 1.5;

/// How often a global move into atari is drawn again.
const MAX_REJECTIONS: u32 = 4;

/// A global move is a special step that looks useful once in this number of moves.
const USEFUL_STEP_INTERVAL: u32 = 12;

const USEFUL_STEP_SAMPLES: usize = 6;

/// Factors of priors. Those of replies are the square roots of [`REPLY_WEIGHTS`].
const CAPTURE_PRIOR: f32 = 3.0;
const SELF_ATARI_PRIOR: f32 = 0.2;
const FIRST_LINE_PRIOR: f32 = 0.4;
const EYE_FILLING_PRIOR: f32 = 0.05;
const USELESS_PRIOR: f32 = 0.1;
const PASS_PRIOR: f32 = 0.05;

/// The sum of the priors of a position.
const PRIOR_SUM: f32 = 1.0;

#[derive(Debug)]
pub(super) struct TacticalPlayouts<V: Variant> {
    scratch: Position<V>,
    replies: LocalReplies,
    weights: [f32; 1 << Tactics::COUNT],
    /// Local replies to sample, each with its weight.
    candidates: Vec<(Point, f32)>,
    /// Stones of groups that were put in atari; some may have left it.
    atari_queue: Vec<Point>,
}

impl<V: Variant> TacticalPlayouts<V> {
    pub(super) fn new(position: &Position<V>) -> Self {
        let weight = |tactics: usize| {
            let known = REPLY_WEIGHTS.iter();
            let own =
                known.filter(|(tactic, _)| tactics & usize::from(Tactics::only(*tactic).0) > 0);
            own.map(|(_, weight)| weight).product()
        };
        TacticalPlayouts {
            scratch: position.clone(),
            replies: LocalReplies::default(),
            weights: std::array::from_fn(weight),
            candidates: Vec::new(),
            atari_queue: Vec::new(),
        }
    }

    fn prior(&self, position: &Position<V>, step: Step) -> f32 {
        let point = match (step.kind(), step.point()) {
            (StepKind::PASS, _) => return PASS_PRIOR,
            (_, Some(point)) if V::placed_point(step) == Some(point) => point,
            _ => return if V::is_useful(position, step) { 1.0 } else { USELESS_PRIOR },
        };
        let (board, own) = (&position.board, position.situation.to_move);
        if board.cell(point) != Cell::Empty {
            return 1.0;
        }
        if board.is_eye(point, own) {
            return EYE_FILLING_PRIOR;
        }
        let mut prior = self.weights[usize::from(self.replies.tactics_at(point).0)].sqrt();
        if board.would_capture(point, own) {
            prior *= CAPTURE_PRIOR;
        } else if board.is_self_atari(point, own) {
            prior *= SELF_ATARI_PRIOR;
        }
        let is_lonely = !board.touches(point, own) && !board.touches(point, !own);
        let (columns, rows) = board.grid().lines_to_edges(point);
        if is_lonely && columns.min(rows) == 0 { prior * FIRST_LINE_PRIOR } else { prior }
    }

    fn play(&mut self, random: &mut Random, steps: &mut Vec<(Color, Step)>) -> Outcome {
        let grid = self.scratch.board.grid();
        let limit = steps.len() + 3 * usize::from(grid.width()) * usize::from(grid.height());
        let mut territory = TerritoryCorrection::default();
        self.queue_all_ataris();
        while steps.len() < limit && !self.scratch.situation.is_over() {
            let step = self.step(random);
            let color = self.scratch.situation.to_move;
            self.scratch.make(color, step);
            territory.add_step(color, step);
            self.queue_new_ataris(step);
            steps.push((color, step));
        }
        territory.outcome(&self.scratch)
    }

    fn step(&mut self, random: &mut Random) -> Step {
        if let Some(step) = V::winning_step(&self.scratch) {
            return step;
        }
        let is_mid_turn = self.scratch.is_mid_turn();
        let local = if is_mid_turn { None } else { self.local_reply(random) };
        let step = local.or_else(|| self.atari_move(random));
        step.unwrap_or_else(|| global_move(&mut self.scratch, random))
    }

    fn queue_all_ataris(&mut self) {
        self.atari_queue.clear();
        let board = &self.scratch.board;
        let in_atari = |group: Group| group.liberties.only_liberty().is_some();
        let heads = board.grid().span().filter(|&point| {
            board.group(point).is_some_and(|group| group.head == point && in_atari(group))
        });
        self.atari_queue.extend(heads);
    }

    #[inline]
    fn queue_new_ataris(&mut self, step: Step) {
        let Some(point) = V::placed_point(step) else {
            return;
        };
        let board = &self.scratch.board;
        let own = board.cell(point); // neighbours of its colour are its group
        for n in board.neighbours(point).chain([point]) {
            if (n == point || board.cell(n) != own)
                && board.group(n).is_some_and(|group| group.liberties.only_liberty().is_some())
            {
                self.atari_queue.push(n);
            }
        }
    }

    /// Samples a local reply or tenuki by weight; `None` for tenuki or without a playable reply.
    fn local_reply(&mut self, random: &mut Random) -> Option<Step> {
        let position = &self.scratch;
        self.replies.generate(position);
        let (board, own) = (&position.board, position.situation.to_move);
        self.candidates.clear();
        let mut sum = 0.0;
        for (point, tactics) in self.replies.iter() {
            let weight = self.weights[usize::from(tactics.0)];
            self.candidates.push((point, weight));
            sum += weight;
        }
        while !self.candidates.is_empty() && sum > 0.0 {
            let mut sampled = random.fraction() * (sum + TENUKI);
            if sampled >= sum {
                return None;
            }
            let mut at = 0;
            while at + 1 < self.candidates.len() && sampled >= self.candidates[at].1 {
                sampled -= self.candidates[at].1;
                at += 1;
            }
            let (point, weight) = self.candidates.swap_remove(at);
            // The check is slow, so only sampled replies have it.
            let is_accepted = !board.is_self_atari(point, own)
                || random.fraction()
                    < self.weights[usize::from(Tactics::only(Tactic::SelfAtari).0)];
            let step = V::stone_step_at(position, point);
            if is_accepted && is_playable(position, point, step) {
                return Some(step);
            }
            sum -= weight;
        }
        None
    }

    /// Captures or saves a group in atari, the latest first. Larger groups are more likely.
    fn atari_move(&mut self, random: &mut Random) -> Option<Step> {
        let position = &self.scratch;
        let (board, own) = (&position.board, position.situation.to_move);
        let mut at = self.atari_queue.len();
        while at > 0 {
            at -= 1;
            let stone = self.atari_queue[at];
            let in_atari = |group: Group| Some((group, group.liberties.only_liberty()?));
            let Some((group, point)) = board.group(stone).and_then(in_atari) else {
                self.atari_queue.swap_remove(at);
                continue;
            };
            let saves = board.cell(stone) == Cell::stone(own);
            let odds = if saves { ESCAPE_ODDS } else { CAPTURE_ODDS } * f32::from(group.size);
            if random.fraction() * (1.0 + odds) < 1.0 || saves && board.is_self_atari(point, own) {
                continue;
            }
            let step = V::stone_step_at(position, point);
            if is_playable(position, point, step) {
                return Some(step);
            }
        }
        None
    }
}

/// Whether a stone is legal and does not fill an own eye.
#[inline]
fn is_playable<V: Variant>(position: &Position<V>, point: Point, step: Step) -> bool {
    let is_candidate = position.board.cell(point) != Cell::Empty
        || position.is_playout_candidate(position.situation.to_move, point);
    is_candidate && V::check(position, position.situation.to_move, step).is_ok()
}

/// Draws a global move again while it goes into atari without a capture.
#[inline]
fn global_move<V: Variant>(position: &mut Position<V>, random: &mut Random) -> Step {
    if random.below(USEFUL_STEP_INTERVAL) == 0
        && let Some(step) = useful_special_step(position, random)
    {
        return step;
    }
    let mut rejections = 0;
    V::random_step(position, random, |position, step, _| {
        let Some(point) = V::placed_point(step) else {
            return true;
        };
        let (board, own) = (&position.board, position.situation.to_move);
        let is_bad = board.is_self_atari(point, own) && !board.would_capture(point, own);
        rejections += u32::from(is_bad);
        !is_bad || rejections > MAX_REJECTIONS
    })
}

/// The first useful one of some drawn special steps.
fn useful_special_step<V: Variant>(
    position: &mut Position<V>,
    random: &mut Random,
) -> Option<Step> {
    for _ in 0..USEFUL_STEP_SAMPLES {
        let step = V::random_special_step(position, random)?;
        if V::is_useful(position, step) {
            return Some(step);
        }
    }
    None
}

impl<V: Variant> Evaluator for TacticalPlayouts<V> {
    fn knows_eyes(&self) -> bool {
        true
    }

    fn expand(&mut self, leaf: Leaf<'_>, priors: &mut Vec<f32>, _: &mut Trace) -> Option<Outcome> {
        let position: &Position<V> = leaf.position.of_variant();
        self.replies.generate(position);
        priors.extend(leaf.steps.iter().map(|&step| self.prior(position, step)));
        let scale = PRIOR_SUM / priors.iter().sum::<f32>();
        for prior in priors {
            *prior *= scale;
        }
        None
    }

    fn value(
        &mut self,
        position: &dyn AnyPosition,
        random: &mut Random,
        trace: &mut Trace,
    ) -> Outcome {
        self.scratch.copy_from(position.of_variant());
        let outcome = self.play(random, &mut trace.steps);
        trace.ownership.add_playout(&self.scratch.board);
        outcome
    }
}
