//! Targets of a net, losses and gradients.

use crate::net::{Evaluation, Frame, SCORE_UNIT, VALUES};
use std::ops::AddAssign;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub struct Sample {
    pub frame: Arc<Frame>,
    /// Inputs by playable point, plane; 64 stands for 1.
    pub planes: Vec<u8>,
    /// Inputs of the whole board; 64 stands for 1.
    pub globals: Vec<i8>,
    pub targets: Targets,
}

/// Targets for the side to move.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// Indices of legal policy outputs: points kind by kind, then kinds without a point.
    pub legal: Vec<u32>,
    /// Shares that sum to 1; empty if unknown.
    pub policy: Vec<(u32, f32)>,
    /// The opponent's next step; empty if unknown.
    pub reply: Vec<(u32, f32)>,
    pub result: Option<ResultTarget>,
    pub score: Option<ScoreTarget>,
    /// By playable point, −1 to 1; empty if unknown.
    pub ownership: Vec<f32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ResultTarget {
    /// Probabilities of win, draw and loss; they sum to 1.
    pub shares: [f32; 3],
    /// The weight, from 0 to 1.
    pub weight: f32,
}

impl ResultTarget {
    /// A draw counts half.
    pub fn win_rate(&self) -> f32 {
        let [win, draw, _] = self.shares;
        win + draw / 2.0
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScoreTarget {
    pub mean: f32,
    pub stdev: f32,
}

#[derive(Clone, Copy, Debug)]
pub struct LossWeights {
    pub policy: f32,
    pub reply: f32,
    /// Cross-entropy.
    pub result: f32,
    /// Mean squared error.
    pub ownership: f32,
    /// Negative log-likelihood under a normal distribution, averaged over the target.
    pub score: f32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LossKind {
    Policy,
    Reply,
    Result,
    Ownership,
    Score,
}

impl LossKind {
    pub const ALL: [LossKind; 5] =
        [LossKind::Policy, LossKind::Reply, LossKind::Result, LossKind::Ownership, LossKind::Score];

    pub fn name(self) -> &'static str {
        match self {
            LossKind::Policy => "policy",
            LossKind::Reply => "reply",
            LossKind::Result => "result",
            LossKind::Ownership => "ownership",
            LossKind::Score => "score",
        }
    }
}

impl LossWeights {
    pub fn weight_mut(&mut self, kind: LossKind) -> &mut f32 {
        match kind {
            LossKind::Policy => &mut self.policy,
            LossKind::Reply => &mut self.reply,
            LossKind::Result => &mut self.result,
            LossKind::Ownership => &mut self.ownership,
            LossKind::Score => &mut self.score,
        }
    }
}

impl Default for LossWeights {
    fn default() -> Self {
        LossWeights { policy: 1.0, reply: 0.15, result: 1.0, ownership: 1.5, score: 0.1 }
    }
}

/// Only samples with a target count.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LossSum {
    sum: f64,
    samples: f64,
}

impl LossSum {
    pub(super) fn from_loss(loss: Option<f64>) -> LossSum {
        LossSum { sum: loss.unwrap_or_default(), samples: if loss.is_some() { 1.0 } else { 0.0 } }
    }

    pub fn mean(self) -> Option<f64> {
        (self.samples > 0.0).then(|| self.sum / self.samples)
    }
}

impl AddAssign for LossSum {
    fn add_assign(&mut self, other: LossSum) {
        self.sum += other.sum;
        self.samples += other.samples;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses<T = LossSum> {
    /// Cross-entropy minus entropy of the target: 0 is perfect.
    pub policy: T,
    /// Share of samples where the target's best step has the highest logit.
    pub policy_hits: T,
    pub reply: T,
    /// Cross-entropy.
    pub result: T,
    /// Squared error of the win rate; a draw counts half.
    pub brier: T,
    /// Mean squared error.
    pub ownership: T,
    /// Negative log-likelihood.
    pub score: T,
}

/// 0 where no sample has a target.
pub type MeanLosses = Losses<f64>;

impl AddAssign for Losses {
    fn add_assign(&mut self, other: Losses) {
        self.policy += other.policy;
        self.policy_hits += other.policy_hits;
        self.reply += other.reply;
        self.result += other.result;
        self.brier += other.brier;
        self.ownership += other.ownership;
        self.score += other.score;
    }
}

impl Losses {
    pub fn means(&self) -> MeanLosses {
        let mean = |sum: LossSum| sum.mean().unwrap_or_default();
        Losses {
            policy: mean(self.policy),
            policy_hits: mean(self.policy_hits),
            reply: mean(self.reply),
            result: mean(self.result),
            brier: mean(self.brier),
            ownership: mean(self.ownership),
            score: mean(self.score),
        }
    }

    #[cfg(test)]
    pub fn total(&self, weights: &LossWeights) -> f64 {
        let means = self.means();
        f64::from(weights.policy) * means.policy
            + f64::from(weights.reply) * means.reply
            + f64::from(weights.result) * means.result
            + f64::from(weights.ownership) * means.ownership
            + f64::from(weights.score) * means.score
    }
}

impl std::fmt::Display for Losses {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let means = self.means();
        write!(
            f,
            "policy {:.3} ({:.1}% first), result {:.3} (Brier {:.4}), ownership {:.3}, score {:.3}",
            means.policy,
            100.0 * means.policy_hits,
            means.result,
            means.brier,
            means.ownership,
            means.score,
        )?;
        match self.reply.mean() {
            Some(reply) => write!(f, ", reply {reply:.3}"),
            None => Ok(()), // a net in integers has none
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Outputs {
    /// Logits: points kind by kind, then kinds without a point.
    pub(super) policy: Vec<f32>,
    pub(super) reply: Vec<f32>,
    pub(super) ownership: Vec<f32>,
    /// Logits of win, draw, loss; mean and log deviation of the score.
    pub(super) values: [f32; VALUES],
}

/// Gradients of the outputs; that of ownership is the one before tanh.
pub(super) type OutputGradients = Outputs;

const LOG_DEVIATION: (f32, f32) = (-3.0, 2.0);

/// Scores further off pull no harder.
const MAX_DEVIATIONS: f32 = 3.0;

impl Outputs {
    pub(super) fn from_evaluation(evaluation: &Evaluation) -> Outputs {
        let mut policy = evaluation.point_policy.clone();
        policy.extend(&evaluation.board_policy);
        let [win, draw, loss] = evaluation.result;
        Outputs {
            reply: Vec::new(),
            policy,
            ownership: evaluation.ownership.clone(),
            values: [win, draw, loss, evaluation.score_mean, evaluation.score_log_stdev],
        }
    }

    /// Sets the gradients of `outputs` to zero.
    fn reset(&mut self, outputs: &Outputs) {
        let each = |gradient: &mut Vec<f32>, len: usize| {
            gradient.clear();
            gradient.resize(len, 0.0);
        };
        each(&mut self.policy, outputs.policy.len());
        each(&mut self.reply, outputs.reply.len());
        each(&mut self.ownership, outputs.ownership.len());
        self.values = [0.0; VALUES];
    }

    pub(super) fn losses(
        &self,
        targets: &Targets,
        weights: &LossWeights,
        gradients: &mut OutputGradients,
    ) -> Losses {
        gradients.reset(self);
        let policy = cross_entropy(
            &self.policy,
            targets.legal.iter().copied(),
            &targets.policy,
            weights.policy,
            &mut gradients.policy,
        );
        let reply = cross_entropy(
            &self.reply,
            0..self.reply.len() as u32,
            &targets.reply,
            weights.reply,
            &mut gradients.reply,
        );
        let result = targets.result.as_ref();
        let result = result.map(|target| self.result_loss(target, weights.result, gradients));
        Losses {
            policy: LossSum::from_loss(policy),
            policy_hits: LossSum::from_loss(
                policy.map(|_| f64::from(u8::from(self.is_first(targets)))),
            ),
            reply: LossSum::from_loss(reply),
            result: LossSum::from_loss(result.map(|(loss, _)| loss)),
            brier: LossSum::from_loss(result.map(|(_, brier)| brier)),
            ownership: LossSum::from_loss(self.ownership_loss(
                targets,
                weights.ownership,
                gradients,
            )),
            score: LossSum::from_loss(self.score_loss(targets, weights.score, gradients)),
        }
    }

    /// A draw counts half; the score is in points.
    pub(super) fn win_rate_and_score(&self) -> (f32, f32) {
        let [win, draw, loss, score, _] = self.values;
        let greatest = win.max(draw).max(loss);
        let [win, draw, loss] = [win, draw, loss].map(|logit| (logit - greatest).exp());
        ((win + draw / 2.0) / (win + draw + loss), SCORE_UNIT * score)
    }

    fn is_first(&self, targets: &Targets) -> bool {
        let logit = |&&index: &&u32| self.policy.get(index as usize).copied();
        let highest = targets
            .legal
            .iter()
            .max_by(|a, b| logit(a).partial_cmp(&logit(b)).unwrap_or(std::cmp::Ordering::Equal));
        let best = targets.policy.iter().max_by(|a, b| a.1.total_cmp(&b.1));
        highest.copied() == best.map(|&(index, _)| index)
    }

    /// Returns the unweighted cross-entropy and the squared error of the win rate.
    fn result_loss(
        &self,
        target: &ResultTarget,
        weight: f32,
        gradients: &mut OutputGradients,
    ) -> (f64, f64) {
        let logits = &self.values[..3];
        let greatest = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = logits.iter().map(|logit| (logit - greatest).exp()).sum();
        let mut loss = 0.0;
        let mut off = 0.0;
        for (at, &share) in target.shares.iter().enumerate() {
            let log = logits[at] - greatest - sum.ln();
            loss -= f64::from(share * log);
            gradients.values[at] = weight * target.weight * (log.exp() - share);
            off += (log.exp() - share) * [1.0, 0.5, 0.0][at];
        }
        (loss, f64::from(off * off))
    }

    fn ownership_loss(
        &self,
        targets: &Targets,
        weight: f32,
        gradients: &mut OutputGradients,
    ) -> Option<f64> {
        if targets.ownership.is_empty() {
            return None;
        }
        let points = targets.ownership.len() as f32;
        let mut loss = 0.0;
        let found = self.ownership.iter().zip(&mut gradients.ownership);
        for ((owner, gradient), target) in found.zip(&targets.ownership) {
            let off = owner - target;
            loss += f64::from(off * off / points);
            *gradient = weight * 2.0 * off / points;
        }
        Some(loss)
    }

    fn score_loss(
        &self,
        targets: &Targets,
        weight: f32,
        gradients: &mut OutputGradients,
    ) -> Option<f64> {
        let score = targets.score?;
        let log = self.values[4].clamp(LOG_DEVIATION.0, LOG_DEVIATION.1);
        let deviations = (self.values[3] - score.mean / SCORE_UNIT) / log.exp();
        let spread = score.stdev / SCORE_UNIT / log.exp();
        let pull = deviations.clamp(-MAX_DEVIATIONS, MAX_DEVIATIONS);
        gradients.values[3] = weight * pull / log.exp();
        if log == self.values[4] {
            gradients.values[4] = weight * (1.0 - pull * deviations - spread * spread);
        }
        // Linear beyond the maximum.
        let square = pull * deviations - pull * pull / 2.0 + spread * spread / 2.0;
        Some(f64::from(square + log))
    }
}

/// Cross-entropy minus entropy of the target. Writes the gradient at `counted` outputs.
fn cross_entropy(
    logits: &[f32],
    counted: impl Iterator<Item = u32> + Clone,
    target: &[(u32, f32)],
    weight: f32,
    gradient: &mut [f32],
) -> Option<f64> {
    if target.is_empty() || logits.is_empty() {
        return None;
    }
    let logit = |index: u32| logits.get(index as usize).copied().unwrap_or(f32::MIN);
    let greatest = counted.clone().map(logit).fold(f32::MIN, f32::max);
    let sum: f32 = counted.clone().map(|index| (logit(index) - greatest).exp()).sum();
    for index in counted {
        if let Some(gradient) = gradient.get_mut(index as usize) {
            *gradient = weight * (logit(index) - greatest).exp() / sum;
        }
    }
    let mut loss = 0.0;
    for &(index, share) in target {
        if let Some(gradient) = gradient.get_mut(index as usize) {
            *gradient -= weight * share;
        }
        let log = logit(index) - greatest - sum.ln();
        if share > 0.0 {
            loss += f64::from(share * (share.ln() - log));
        }
    }
    Some(loss)
}

#[cfg(test)]
mod tests {
    use super::{
        LossWeights, Losses, OutputGradients, Outputs, ResultTarget, ScoreTarget, Targets,
    };

    #[test]
    fn a_mean_counts_the_samples_that_have_the_target() {
        let outputs = Outputs {
            policy: vec![2.0, 0.0, 1.0],
            reply: vec![0.0; 3],
            ownership: vec![0.5, -1.0],
            values: [0.5, 0.0, -0.5, 0.0, 0.0],
        };
        let whole = Targets {
            legal: vec![0, 1, 2],
            policy: vec![(0, 0.4), (2, 0.6)],
            reply: vec![(1, 1.0)],
            result: Some(ResultTarget { shares: [1.0, 0.0, 0.0], weight: 0.5 }),
            score: Some(ScoreTarget { mean: 3.0, stdev: 1.5 }),
            ownership: vec![1.0, -1.0],
        };
        let bare = Targets {
            policy: Vec::new(),
            reply: Vec::new(),
            result: None,
            score: None,
            ownership: Vec::new(),
            ..whole.clone()
        };
        let losses = |targets: &[&Targets]| {
            let mut sum = Losses::default();
            for targets in targets {
                sum += outputs.losses(targets, &LossWeights::default(), &mut Default::default());
            }
            sum
        };
        let alone = losses(&[&whole]).means();
        assert!(alone.policy > 0.0 && alone.ownership == 0.125 && alone.policy_hits == 0.0);
        assert!((alone.reply - 3f64.ln()).abs() < 1e-6);
        assert_eq!(losses(&[&bare, &whole, &bare]).means(), alone);
        let none = losses(&[&bare]);
        assert!(none.policy.mean().is_none() && none.means().score == 0.0);
        assert!(none.result.mean().is_none() && !none.to_string().contains("reply"));
        // Without targets there are no gradients.
        let mut gradients = OutputGradients::default();
        outputs.losses(&bare, &LossWeights::default(), &mut gradients);
        let all = [&gradients.policy, &gradients.reply, &gradients.ownership];
        assert!(all.iter().all(|list| list.iter().all(|&slope| slope == 0.0)));
        assert_eq!(gradients.values, [0.0; 5]);
        // A weight scales the gradient, not the loss.
        outputs.losses(&whole, &LossWeights::default(), &mut gradients);
        let half = gradients.values[0];
        let sure = whole.result.map(|target| ResultTarget { weight: 1.0, ..target });
        let sure = Targets { result: sure, ..whole };
        outputs.losses(&sure, &LossWeights::default(), &mut gradients);
        assert!((gradients.values[0] - 2.0 * half).abs() < 1e-6 && half < 0.0);
    }
}
