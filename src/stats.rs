//! Scores, Elo, intervals, LOS and SPRT from counts. [`Games`] counts single games. [`Pairs`]
//! counts pairs with one opening and both colours: their results depend on each other, so their
//! spread and interval are smaller. A [`Sample`] has both. Every formula uses the mean and variance
//! of a score. A trial that repeats an earlier one is no more evidence: estimates use all trials,
//! and intervals and tests have the weight of the unique ones.
//!
//! Sources:
//! - E. B. Wilson, "Probable inference, the law of succession, and statistical
//!   inference", Journal of the American Statistical Association 22 (1927), 209-212;
//!   R. G. Newcombe, "Two-sided confidence intervals for the single proportion:
//!   comparison of seven methods", Statistics in Medicine 17 (1998), 857-872, method 3.
//! - A. E. Elo, "The Rating of Chessplayers" (1978): a difference of D is an
//!   expected score of 1/(1 + 10^(-D/400)), the logistic curve.
//! - M. Van den Bergh, "The Generalized Maximum Likelihood Ratio for the
//!   Expectation Value of a Distribution" (2019), Proposition 1.1; and his GSPRT as
//!   Fishtest, the test server of Stockfish, runs it (`LLRcalc.py`, `stat_util.py`).
//! - A. Wald, "Sequential Tests of Statistical Hypotheses", Annals of Mathematical
//!   Statistics 16 (1945), 117-186: the bounds.

use serde::{Deserialize, Serialize};

/// The two-sided normal quantile of 95%.
pub const Z95: f64 = 1.959_963_984_540_054;

pub fn normal(z: f64) -> f64 {
    libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0
}

/// From 0 to 1 (Elo, 1978).
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Infinite at 0 and 1.
pub fn elo_of(score: f64) -> f64 {
    match score {
        ..=0.0 => f64::NEG_INFINITY,
        1.0.. => f64::INFINITY,
        _ => -400.0 * (1.0 / score - 1.0).log10(),
    }
}

/// A confidence interval of 95%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// The number after ±.
    pub fn error(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    fn map(self, f: impl Fn(f64) -> f64) -> Interval {
        Interval { low: f(self.low), high: f(self.high) }
    }
}

/// The Wilson score interval of a rate; half points count as half successes. With draws, which
/// spread less, the true confidence is above 95%.
pub fn wilson(points: f64, games: u64) -> Interval {
    match games {
        0 => Interval { low: 0.0, high: 1.0 },
        games => wilson_of(points / games as f64, games as f64),
    }
}

/// The interval of [`wilson`] for a rate of `n` trials.
fn wilson_of(rate: f64, n: f64) -> Interval {
    let z2 = Z95 * Z95;
    let middle = rate + z2 / (2.0 * n);
    let spread = rate * (1.0 - rate) / n + z2 / (4.0 * n * n);
    let reach = Z95 * spread.max(0.0).sqrt();
    let shrink = 1.0 + z2 / n;
    // Rounding must not move the ends 0 and 1.
    Interval {
        low: if rate > 0.0 { (middle - reach) / shrink } else { 0.0 },
        high: if rate < 1.0 { (middle + reach) / shrink } else { 1.0 },
    }
}

/// Mean ± z·s/√n as in Fishtest's `get_elo`; s² is the variance of a trial. If all trials have the
/// same score, s is 0, and the interval is that of [`wilson`].
fn score_interval(mean: f64, variance: f64, trials: f64) -> Interval {
    if variance == 0.0 {
        return wilson_of(mean, trials);
    }
    let reach = Z95 * (variance / trials).sqrt();
    Interval { low: mean - reach, high: mean + reach }
}

/// The likelihood of superiority: Φ(Σx/√Σx²) over the scores minus ½. For single games that is
/// Φ((W-L)/√(W+L)) (Chess Programming Wiki, "Match Statistics"). `square` is the mean of x².
fn los(mean: f64, square: f64, trials: f64) -> f64 {
    if square == 0.0 { 0.5 } else { normal((mean - 0.5) * (trials / square).sqrt()) }
}

/// Counts of each score: entry `i` of `N` counts the trials with the score i/(N - 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts<const N: usize> {
    each: [u64; N],
    /// Trials that repeat no earlier one.
    unique: u64,
}

/// Single games: losses, draws, wins ("trinomial").
pub type Games = Counts<3>;

/// Pairs of games with colours swapped: 0, ½, 1, 1½, 2 points ("pentanomial").
pub type Pairs = Counts<5>;

impl<const N: usize> Default for Counts<N> {
    fn default() -> Self {
        [0; N].into()
    }
}

impl<const N: usize> From<[u64; N]> for Counts<N> {
    /// The lowest score first; no trial repeats another.
    fn from(each: [u64; N]) -> Self {
        Counts { each, unique: each.iter().sum() }
    }
}

impl<const N: usize> Counts<N> {
    /// The lowest score first.
    pub fn each(&self) -> &[u64; N] {
        &self.each
    }

    /// A loss is 0, a draw 1, a win 2, a pair the sum of both.
    pub fn add(&mut self, half_points: usize) {
        self.repeat(half_points);
        self.unique += 1;
    }

    /// Adds a trial that an earlier one was equal to.
    pub fn repeat(&mut self, half_points: usize) {
        if let Some(count) = self.each.get_mut(half_points.min(N - 1)) {
            *count += 1;
        }
    }

    pub fn trials(&self) -> u64 {
        self.each.iter().sum()
    }

    pub fn unique(&self) -> u64 {
        self.unique
    }

    /// From 0 to 1; 1 without trials.
    pub fn share_of_unique(&self) -> f64 {
        match self.trials() {
            0 => 1.0,
            trials => self.unique as f64 / trials as f64,
        }
    }

    /// 1 for a win, ½ for a draw.
    pub fn points(&self) -> f64 {
        let unpaired = self.each.iter().zip(0u64..).map(|(count, i)| count * i);
        unpaired.sum::<u64>() as f64 / 2.0
    }

    /// From 0 to 1; `None` without trials.
    pub fn score(&self) -> Option<f64> {
        (self.trials() > 0).then(|| mean(&self.parts()))
    }

    pub fn score_interval(&self) -> Option<Interval> {
        Some(score_interval(self.score()?, variance(&self.parts()), self.unique as f64))
    }

    /// Infinite if all was won or lost.
    pub fn elo(&self) -> Option<f64> {
        self.score().map(elo_of)
    }

    /// Infinite where [`Counts::score_interval`] reaches 0 or 1.
    pub fn elo_interval(&self) -> Option<Interval> {
        Some(self.score_interval()?.map(elo_of))
    }

    /// ½ without decisive trials.
    pub fn los(&self) -> f64 {
        let parts = self.parts();
        los(mean(&parts), square(&parts), self.unique as f64)
    }

    fn parts(&self) -> [(f64, f64); N] {
        let all = self.trials().max(1) as f64;
        self.weighted(|count| count as f64 / all)
    }

    fn weighted(&self, weight: impl Fn(u64) -> f64) -> [(f64, f64); N] {
        let mut scores = (0..N).map(|i| i as f64 / (N - 1) as f64);
        self.each.map(|count| (scores.next().unwrap_or(1.0), weight(count)))
    }
}

fn mean(parts: &[(f64, f64)]) -> f64 {
    parts.iter().map(|(x, part)| x * part).sum()
}

fn variance(parts: &[(f64, f64)]) -> f64 {
    let mean = mean(parts);
    parts.iter().map(|(x, part)| part * (x - mean).powi(2)).sum()
}

/// The mean square of the distance from ½.
fn square(parts: &[(f64, f64)]) -> f64 {
    parts.iter().map(|(x, part)| part * (x - 0.5).powi(2)).sum()
}

/// Games, and the pairs that some of them make. A trial is a pair at every count; a game without
/// its second is half of one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sample {
    pub games: Games,
    pub pairs: Pairs,
}

impl Sample {
    /// Pairs, weighted by the share of unique ones.
    fn trials(&self) -> f64 {
        let share = match self.pairs.trials() {
            0 => self.games.share_of_unique(),
            _ => self.pairs.share_of_unique(),
        };
        share * self.games.trials() as f64 / 2.0
    }

    /// Within 0 and 1; `None` without games.
    pub fn score_interval(&self) -> Option<Interval> {
        let variance = variance(&self.pairs.parts());
        let interval = score_interval(self.games.score()?, variance, self.trials());
        Some(interval.map(|end| end.clamp(0.0, 1.0)))
    }

    /// Infinite where the score is 0 or 1.
    pub fn elo(&self) -> Option<(f64, Interval)> {
        Some((self.games.elo()?, self.score_interval()?.map(elo_of)))
    }

    /// ½ without decisive pairs.
    pub fn los(&self) -> f64 {
        los(self.games.score().unwrap_or(0.5), square(&self.pairs.parts()), self.trials())
    }
}

/// A sequential test of two differences in logistic Elo: Van den Bergh's generalized sequential
/// probability ratio test, as in Fishtest's `LLR_logistic`. The bounds are Wald's, without
/// Fishtest's correction for overshooting, which is conservative.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    Open,
    /// The difference is `elo0` rather than `elo1`.
    H0,
    /// The difference is `elo1` rather than `elo0`.
    H1,
    /// Too many pairs are left out for either.
    Undecided,
}

impl Sprt {
    /// `alpha` is the probability of accepting `elo1` where `elo0` is true, `beta` that of
    /// accepting `elo0` where `elo1` is true.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, &'static str> {
        let on_scale = |elo: f64| elo.abs() <= 2000.0; // not a number: not on it
        let chance = |chance: f64| chance > 0.0 && chance < 0.5;
        if !on_scale(elo0) || !on_scale(elo1) || elo0 >= elo1 {
            return Err("elo0 must be below elo1, both within 2000 of 0");
        }
        if !chance(alpha) || !chance(beta) {
            return Err("alpha and beta must be above 0 and below 0.5");
        }
        Ok(Sprt { elo0, elo1, alpha, beta })
    }

    pub fn elos(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// ln(β/(1-α)) accepts H0, ln((1-β)/α) accepts H1 (Wald, 1945).
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The log-likelihood ratio of H1 against H0, scaled by the share of unique trials. Counts of 0
    /// stand for a thousandth, as in Fishtest.
    pub fn llr<const N: usize>(&self, counts: &Counts<N>) -> f64 {
        let pseudo = |count: u64| match count {
            0 => 1e-3,
            count => count as f64,
        };
        let mut weights = counts.weighted(pseudo);
        let all: f64 = weights.iter().map(|(_, weight)| weight).sum();
        weights.iter_mut().for_each(|(_, weight)| *weight /= all);
        let [of0, of1] =
            [self.elo0, self.elo1].map(|elo| mean_log_discount(&weights, expected_score(elo)));
        counts.share_of_unique() * all * (of0 - of1)
    }

    /// The more likely hypothesis, for truncated tests (Wald, 1945).
    pub fn decide_now<const N: usize>(&self, counts: &Counts<N>) -> SprtDecision {
        if self.llr(counts) > 0.0 { SprtDecision::H1 } else { SprtDecision::H0 }
    }

    /// One trial decides nothing, however often it is repeated.
    pub fn decide<const N: usize>(&self, counts: &Counts<N>) -> SprtDecision {
        let (lower, upper) = self.bounds();
        match self.llr(counts) {
            _ if counts.unique < 2 => SprtDecision::Open,
            llr if llr <= lower => SprtDecision::H0,
            llr if llr >= upper => SprtDecision::H1,
            _ => SprtDecision::Open,
        }
    }
}

/// Returns the mean of ln(1 + θ(x - mean)): how much less likely a trial is under the most likely
/// distribution with this mean than under the observed one. That distribution has the parts p/(1 +
/// θ(x - mean)), where θ solves Σ p(x - mean)/(1 + θ(x - mean)) = 0 (Van den Bergh, Proposition
/// 1.1). All parts must be above 0, the mean between 0 and 1.
fn mean_log_discount(parts: &[(f64, f64)], mean: f64) -> f64 {
    let slope = |theta: f64| -> f64 {
        let terms = parts.iter().map(|(x, part)| part * (x - mean) / (1.0 + theta * (x - mean)));
        terms.sum()
    };
    // The slope falls from infinity at the lower end to minus infinity at the upper.
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    let theta = (low + high) / 2.0;
    let logs = parts.iter().map(|(x, part)| part * (theta * (x - mean)).ln_1p());
    logs.sum()
}

#[cfg(test)]
mod tests;
