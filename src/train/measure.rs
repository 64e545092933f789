//! Errors of a net in human units.

use super::samples::{Sample, Targets};
use crate::net::{Evaluation, Frame, Instructions, Net, SCORE_UNIT, Scratch};
use std::ops::AddAssign;
use std::sync::Arc;

/// A mean over the positions with a target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TargetMean {
    sum: f64,
    count: usize,
}

impl TargetMean {
    fn add(&mut self, number: Option<f64>) {
        if let Some(number) = number {
            self.sum += number;
            self.count += 1;
        }
    }

    pub fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

impl AddAssign for TargetMean {
    fn add_assign(&mut self, other: TargetMean) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    pub positions: usize,
    /// Share of positions where the best step of the target has the highest logit.
    pub first_move: TargetMean,
    /// Cross-entropy minus entropy of the target: 0 is perfect.
    pub policy: TargetMean,
    /// Absolute error, 0 to 1.
    pub win_rate: TargetMean,
    /// Squared error of the win rate.
    pub brier: TargetMean,
    /// Absolute error in points.
    pub lead: TargetMean,
    /// Absolute error per point, 0 to 2.
    pub ownership: TargetMean,
    pub calibration: Calibration,
}

impl Errors {
    pub fn measure<'s>(net: &Net, samples: impl Iterator<Item = &'s Sample>) -> Errors {
        let mut errors = Errors::default();
        let mut latest: Option<(Arc<Frame>, Scratch)> = None;
        let mut evaluation = Evaluation::default();
        for sample in samples {
            let frame = &sample.frame;
            let reusable = latest.take().filter(|(of, _)| of == frame);
            let new = || (frame.clone(), Scratch::new(net.shape(), frame));
            let (_, scratch) = latest.insert(reusable.unwrap_or_else(new));
            write_inputs(scratch, sample, net.shape().planes);
            net.evaluate(Instructions::best(), frame, scratch, &mut evaluation);
            errors.add(&sample.targets, &evaluation);
        }
        errors
    }

    fn add(&mut self, targets: &Targets, evaluation: &Evaluation) {
        self.positions += 1;
        let policy: Vec<f32> =
            evaluation.point_policy.iter().chain(&evaluation.board_policy).copied().collect();
        let is_known = !targets.policy.is_empty();
        self.first_move.add(is_known.then(|| f64::from(u8::from(is_first(&policy, targets)))));
        self.policy.add(is_known.then(|| cross_entropy(&policy, targets)));
        let win_rate = win_rate(evaluation.result);
        if let Some(won) = targets.result.map(|result| result.win_rate()) {
            let off = f64::from(win_rate - won);
            self.win_rate.add(Some(off.abs()));
            self.brier.add(Some(off * off));
            self.calibration.add(win_rate, won);
        }
        let lead = SCORE_UNIT * evaluation.score_mean;
        self.lead.add(targets.score.map(|target| f64::from((target.mean - lead).abs())));
        let owners = targets.ownership.iter().zip(&evaluation.ownership);
        let off: f64 = owners.map(|(target, owner)| f64::from((target - owner).abs())).sum();
        let points = targets.ownership.len();
        self.ownership.add((points > 0).then(|| off / points as f64));
    }
}

fn write_inputs(scratch: &mut Scratch, sample: &Sample, planes: usize) {
    let inputs = sample.planes.chunks_exact(planes);
    for (position, inputs) in sample.frame.playable().zip(inputs) {
        scratch.planes(position).copy_from_slice(inputs);
    }
    scratch.globals().copy_from_slice(&sample.globals);
}

/// A draw counts half.
fn win_rate(logits: [f32; 3]) -> f32 {
    let largest = logits.iter().copied().fold(f32::MIN, f32::max);
    let [win, draw, loss] = logits.map(|logit| (logit - largest).exp());
    (win + draw / 2.0) / (win + draw + loss)
}

fn is_first(logits: &[f32], targets: &Targets) -> bool {
    let logit = |index: &u32| logits.get(*index as usize).copied().unwrap_or(f32::MIN);
    let highest = targets.legal.iter().max_by(|a, b| logit(a).total_cmp(&logit(b)));
    let best = targets.policy.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    highest == best.map(|(index, _)| index)
}

/// Over the legal steps, less the entropy of the target.
fn cross_entropy(logits: &[f32], targets: &Targets) -> f64 {
    let logit = |index: u32| logits.get(index as usize).copied().unwrap_or(f32::MIN);
    let legal = || targets.legal.iter().map(|&index| logit(index));
    let largest = legal().fold(f32::MIN, f32::max);
    let sum: f32 = legal().map(|logit| (logit - largest).exp()).sum();
    let shares = targets.policy.iter().filter(|&&(_, share)| share > 0.0);
    let off = |&(index, share): &(u32, f32)| {
        f64::from(share * (share.ln() - (logit(index) - largest - sum.ln())))
    };
    shares.map(off).sum()
}

impl AddAssign for Errors {
    fn add_assign(&mut self, other: Errors) {
        self.positions += other.positions;
        self.first_move += other.first_move;
        self.policy += other.policy;
        self.win_rate += other.win_rate;
        self.brier += other.brier;
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
    use crate::rules::variant;
    use crate::search::neural::shape_for;
    use crate::train::samples::{ResultTarget, SampleMaker, ScoreTarget};
    use crate::train::self_play::tests::{settings, short_game};

    #[test]
    fn errors_are_in_the_units_of_people() {
        let evaluation = Evaluation {
            point_policy: vec![2.0, 0.0],
            board_policy: vec![1.0],
            ownership: vec![0.5, -1.0],
            // A win three times as likely as a loss, and a lead of four points.
            result: [3f32.ln(), -20.0, 0.0],
            score_mean: 0.2,
            score_log_stdev: 0.0,
        };
        let mut targets = Targets {
            legal: vec![0, 1, 2],
            policy: vec![(0, 0.6), (2, 0.4)],
            reply: Vec::new(),
            result: Some(ResultTarget { shares: [0.4, 0.2, 0.4], weight: 1.0 }),
            score: Some(ScoreTarget { mean: -2.0, stdev: 3.0 }),
            ownership: vec![1.0, -0.5],
        };
        let mut errors = Errors::default();
        errors.add(&targets, &evaluation);
        let near = |mean: TargetMean, expected: f64| {
            let mean = mean.mean().expect("a target");
            assert!((mean - expected).abs() < 1e-5, "{mean}, not {expected}");
        };
        near(errors.win_rate, 0.25);
        near(errors.brier, 0.0625);
        near(errors.lead, 6.0);
        near(errors.ownership, 0.5);
        near(errors.first_move, 1.0);
        let sum = 1.0 + (-1f64).exp() + (-2f64).exp();
        near(errors.policy, 0.6 * (0.6f64.ln() + sum.ln()) + 0.4 * (0.4f64.ln() + 1.0 + sum.ln()));
        let (said, won) = errors.calibration.bins[7].said_and_won().expect("a position");
        assert!((said - 0.75).abs() < 1e-6 && (won - 0.5).abs() < 1e-6, "{said} {won}");
        assert_eq!(errors.calibration.bins[5].said_and_won(), None);
        // Missing targets change only the number of positions.
        targets = Targets::default();
        let before = errors;
        errors.add(&targets, &evaluation);
        assert_eq!(errors, Errors { positions: 2, ..before });
    }

    #[test]
    fn errors_of_parts_add_up() {
        let info = variant("tao").expect("a variant");
        let game = short_game(&settings(info.id));
        let mut maker = SampleMaker::new(info, 0.0);
        let samples: Vec<Sample> = (0..game.steps.len())
            .filter_map(|step| maker.sample(&game, step, 0).expect("a game"))
            .collect();
        let mut random = crate::board::Random::new(7);
        let data = crate::net::sample::data(shape_for(info, 1, 32), &mut random);
        let net = Net::new(data).expect("a net");
        let whole = Errors::measure(&net, samples.iter());
        let mut parts = Errors::measure(&net, samples[..2].iter());
        parts += Errors::measure(&net, samples[2..].iter());
        assert_eq!(parts.positions, whole.positions);
        for (part, whole) in [
            (parts.policy, whole.policy),
            (parts.win_rate, whole.win_rate),
            (parts.lead, whole.lead),
            (parts.ownership, whole.ownership),
        ] {
            let (part, whole) = (part.mean().expect("a mean"), whole.mean().expect("a mean"));
            assert!((part - whole).abs() < 1e-9, "{part} {whole}");
        }
        let positions: usize = whole.calibration.bins.iter().map(|bin| bin.positions).sum();
        assert_eq!(positions, samples.len());
    }
}
