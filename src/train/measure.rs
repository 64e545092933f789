//! Errors of a net in human units.

use super::export::evaluate_each;
use super::loss::{LossSum, LossWeights, Losses, Outputs, Sample};
use crate::net::Net;
use std::ops::AddAssign;

/// Means cover the positions with the target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    pub positions: usize,
    pub losses: Losses,
    /// Absolute error, 0 to 1.
    pub win_rate: LossSum,
    /// Absolute error in points.
    pub lead: LossSum,
    /// Absolute error per point, 0 to 2.
    pub ownership: LossSum,
    pub calibration: Calibration,
}

impl Errors {
    pub fn measure<'s>(net: &Net, samples: impl Iterator<Item = &'s Sample>) -> Errors {
        let mut errors = Errors::default();
        evaluate_each(net, samples, |sample, outputs| errors.add(sample, outputs));
        errors
    }

    fn add(&mut self, sample: &Sample, outputs: &Outputs) {
        let targets = &sample.targets;
        let (win_rate, score) = outputs.win_rate_and_score();
        let won = targets.result.map(|result| result.win_rate());
        self.positions += 1;
        self.losses += outputs.losses(targets, &LossWeights::default(), &mut Default::default());
        let distance = |target: f32, found: f32| f64::from((target - found).abs());
        self.win_rate += LossSum::from_loss(won.map(|won| distance(won, win_rate)));
        self.lead += LossSum::from_loss(targets.score.map(|target| distance(target.mean, score)));
        let owners = targets.ownership.iter().zip(&outputs.ownership);
        let off: f64 = owners.map(|(&target, &found)| distance(target, found)).sum();
        let points = targets.ownership.len();
        self.ownership += LossSum::from_loss((points > 0).then(|| off / points as f64));
        if let Some(won) = won {
            self.calibration.add(win_rate, won);
        }
    }
}

impl AddAssign for Errors {
    fn add_assign(&mut self, other: Errors) {
        self.positions += other.positions;
        self.losses += other.losses;
        self.win_rate += other.win_rate;
        self.lead += other.lead;
        self.ownership += other.ownership;
        self.calibration += other.calibration;
    }
}

/// By the win rate that a net gives the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calibration {
    /// By tenths of the win rate.
    pub bins: [Bin; 10],
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    pub positions: usize,
    /// Sum of the net's win rates.
    said: f64,
    /// Sum of the true win rates: results of games, or a teacher's values.
    won: f64,
}

impl Calibration {
    fn add(&mut self, said: f32, won: f32) {
        let tenth = ((10.0 * said) as usize).min(self.bins.len() - 1);
        if let Some(bin) = self.bins.get_mut(tenth) {
            bin.positions += 1;
            bin.said += f64::from(said);
            bin.won += f64::from(won);
        }
    }
}

impl AddAssign for Calibration {
    fn add_assign(&mut self, other: Calibration) {
        for (bin, other) in self.bins.iter_mut().zip(other.bins) {
            bin.positions += other.positions;
            bin.said += other.said;
            bin.won += other.won;
        }
    }
}

impl Bin {
    /// Mean win rates of net and target; `None` without positions.
    pub fn said_and_won(&self) -> Option<(f64, f64)> {
        let positions = self.positions as f64;
        (self.positions > 0).then(|| (self.said / positions, self.won / positions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::loss::{ResultTarget, ScoreTarget, Targets};
    use crate::train::trainer::tests::{SHAPE, some_samples};
    use crate::train::{Trainer, evaluate_net};

    #[test]
    fn errors_are_in_the_units_of_people() {
        let outputs = Outputs {
            policy: vec![2.0, 0.0, 1.0],
            reply: Vec::new(),
            ownership: vec![0.5, -1.0],
            // A win three times as likely as a loss, and a lead of four points.
            values: [3f32.ln(), -20.0, 0.0, 0.2, 0.0],
        };
        let mut sample = some_samples(1).remove(0);
        sample.targets = Targets {
            legal: vec![0, 1, 2],
            policy: vec![(0, 1.0)],
            result: Some(ResultTarget { shares: [0.4, 0.2, 0.4], weight: 1.0 }),
            score: Some(ScoreTarget { mean: -2.0, stdev: 3.0 }),
            ownership: vec![1.0, -0.5],
            ..Targets::default()
        };
        let mut errors = Errors::default();
        errors.add(&sample, &outputs);
        let near = |sum: LossSum, expected: f64| {
            let mean = sum.mean().expect("a target");
            assert!((mean - expected).abs() < 1e-5, "{mean}, not {expected}");
        };
        near(errors.win_rate, 0.25);
        near(errors.lead, 6.0);
        near(errors.ownership, 0.5);
        assert_eq!(errors.losses.policy_hits.mean(), Some(1.0));
        let (said, won) = errors.calibration.bins[7].said_and_won().expect("a position");
        assert!((said - 0.75).abs() < 1e-6 && (won - 0.5).abs() < 1e-6, "{said} {won}");
        assert_eq!(errors.calibration.bins[5].said_and_won(), None);
        // Missing targets change only the number of positions.
        sample.targets = Targets::default();
        let before = errors;
        errors.add(&sample, &outputs);
        assert_eq!(errors, Errors { positions: 2, ..before });
    }

    #[test]
    fn errors_of_parts_add_up() {
        let samples = some_samples(6);
        let net = Trainer::new(SHAPE, 9).export().expect("a net");
        let whole = Errors::measure(&net, samples.iter());
        let mut parts = Errors::measure(&net, samples[..2].iter());
        parts += Errors::measure(&net, samples[2..].iter());
        assert_eq!(parts.positions, whole.positions);
        let near = |a: LossSum, b: LossSum| {
            let (a, b) = (a.mean().expect("a mean"), b.mean().expect("a mean"));
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        };
        near(parts.win_rate, whole.win_rate);
        near(parts.lead, whole.lead);
        near(parts.ownership, whole.ownership);
        let positions: usize = whole.calibration.bins.iter().map(|bin| bin.positions).sum();
        assert_eq!(positions, samples.len());
        let losses = evaluate_net(&net, &samples, &LossWeights::default());
        near(losses.policy, whole.losses.policy);
    }
}
