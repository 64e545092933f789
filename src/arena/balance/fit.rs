//! The probability p that Black wins is logistic in komi k: ln(p/(1-p)) = b(m - k). m is the fair
//! komi and 1/b a width; a draw is half a win. Estimates are of maximum likelihood. Intervals of
//! 95% are profile likelihoods within half the 95% quantile of χ² with one degree of freedom
//! (Venzon and Moolgavkar, "A method for computing profile-likelihood-based confidence
//! intervals", Applied Statistics 37 (1988), 87-94).

use super::KomiScore;
use crate::stats::Interval;

/// Half the 95% quantile of χ² with one degree of freedom.
const LIKELIHOOD_DROP: f64 = 1.920_729_410_347_062;

/// Widths 1/b, in points.
const WIDTH_RANGE: (f64, f64) = (0.1, 100.0);

const GRID_POINTS: usize = 1500;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    fair: Estimate,
    width: f64,
    no_komi: Estimate,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Estimate {
    value: f64,
    interval: Interval,
}

impl Fit {
    /// `None` without games.
    pub fn new(scores: &[KomiScore]) -> Option<Fit> {
        let (first, last) = (scores.first()?, scores.last()?);
        // The range of played komi, extended by its size on both sides.
        let reach = (last.komi - first.komi).max(5.0);
        let ends = (first.komi - reach, last.komi + reach);
        let fair = estimate(ends, |fair| best_width(scores, |width, komi| (fair - komi) / width).1);
        let width = best_width(scores, |width, komi| (fair.value - komi) / width).0;
        let no_komi = estimate((-9.0, 9.0), |no_komi| {
            best_width(scores, |width, komi| no_komi - komi / width).1
        });
        Some(Fit { fair, width, no_komi })
    }

    /// `None` if one side won nearly all games: the fair komi is then outside the played range.
    pub fn fair(&self) -> Option<f64> {
        let Interval { low, high } = self.fair.interval;
        (low.is_finite() && high.is_finite()).then_some(self.fair.value)
    }

    pub fn fair_interval(&self) -> Interval {
        self.fair.interval
    }

    /// The fair komi, or the end of the range towards it.
    pub(super) fn center(&self) -> f64 {
        self.fair.value
    }

    /// This many points multiply the odds by e.
    pub fn width(&self) -> f64 {
        self.width
    }

    pub fn black_wins(&self, komi: f64) -> f64 {
        logistic((self.fair.value - komi) / self.width)
    }

    pub fn no_komi(&self) -> f64 {
        logistic(self.no_komi.value)
    }

    pub fn no_komi_interval(&self) -> Interval {
        let Interval { low, high } = self.no_komi.interval;
        Interval { low: logistic(low), high: logistic(high) }
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The maximum of a profile likelihood, or the middle of a flat top. An interval that reaches an
/// end is infinite there.
fn estimate(ends: (f64, f64), profile: impl Fn(f64) -> f64) -> Estimate {
    let step = (ends.1 - ends.0) / (GRID_POINTS - 1) as f64;
    let places = (0..GRID_POINTS).map(|n| ends.0 + n as f64 * step);
    let profile: Vec<(f64, f64)> = places.map(|at| (at, profile(at))).collect();
    let best = profile.iter().map(|&(_, l)| l).fold(f64::NEG_INFINITY, f64::max);
    let within = |drop: f64| {
        let mut within = profile.iter().filter(move |&&(_, l)| l >= best - drop);
        let low = within.next().map_or(ends.0, |&(at, _)| at);
        (low, within.next_back().map_or(low, |&(at, _)| at))
    };
    let (low, high) = within(LIKELIHOOD_DROP);
    let top = within(1e-3);
    Estimate {
        value: (top.0 + top.1) / 2.0,
        interval: Interval {
            low: if low <= ends.0 { f64::NEG_INFINITY } else { low },
            high: if high >= ends.1 { f64::INFINITY } else { high },
        },
    }
}

/// The most likely width and its log-likelihood; the likelihood has one maximum.
fn best_width(scores: &[KomiScore], odds: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let likelihood = |log_width: f64| -> f64 {
        let width = log_width.exp();
        scores.iter().map(|score| log_likelihood(score, odds(width, score.komi))).sum()
    };
    let (mut low, mut high) = (WIDTH_RANGE.0.ln(), WIDTH_RANGE.1.ln());
    for _ in 0..30 {
        let third = (high - low) / 3.0;
        if likelihood(low + third) < likelihood(high - third) {
            low += third
        } else {
            high -= third
        }
    }
    let log_width = (low + high) / 2.0;
    (log_width.exp(), likelihood(log_width))
}

fn log_likelihood(score: &KomiScore, odds: f64) -> f64 {
    let won = score.games.points();
    let lost = score.games.trials() as f64 - won;
    // ln of the logistic function, without overflow.
    let log = |x: f64| -(-x.abs()).exp().ln_1p() + x.min(0.0);
    won * log(odds) + lost * log(-odds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(komi: f64, won: u64, lost: u64) -> KomiScore {
        let games = [lost, 0, won].into();
        let turns = 0;
        KomiScore { komi, games, turns }
    }

    fn assert_near(found: f64, expected: f64, within: f64) {
        let near = (found - expected).abs() <= within;
        assert!(near, "{found} is not {expected} (within {within})");
    }

    /// Bliss's beetles, in the logistic regression of Dobson, "An Introduction to
    /// Generalized Linear Models" (2nd edition, 2002), section 7.3.1: killed of all at
    /// a dose x, fitted by logit p = -60.717 + 34.270 x, with a standard error of
    /// 2.912 of the slope. The dose is counted in fiftieths here, and downwards.
    #[test]
    fn the_beetles_of_bliss() {
        let beetles = [
            (1.6907, 6, 59),
            (1.7242, 13, 60),
            (1.7552, 18, 62),
            (1.7842, 28, 56),
            (1.8113, 52, 63),
            (1.8369, 53, 59),
            (1.8610, 61, 62),
            (1.8839, 60, 60),
        ];
        let scaled = |dose: f64| -50.0 * dose;
        let mut found: Vec<_> = beetles
            .iter()
            .map(|&(dose, killed, all)| score(scaled(dose), killed, all - killed))
            .collect();
        found.reverse();
        let fit = Fit::new(&found).expect("a fit");
        let median = 60.717 / 34.270;
        assert_near(fit.fair().expect("bounded"), scaled(median), 0.02);
        assert_near(fit.width(), 50.0 / 34.270, 0.01);
        // Found with scipy; by the delta method the ends are 0.003858 * 1.96 away.
        assert_near(fit.fair_interval().low, -88.959362, 0.02);
        assert_near(fit.fair_interval().high, -88.199105, 0.02);
    }

    #[test]
    fn a_sharp_border_lies_between_the_games() {
        let fit = Fit::new(&[score(5.5, 20, 0), score(6.5, 0, 20)]).expect("a fit");
        assert_near(fit.fair().expect("bounded"), 6.0, 0.1);
        let interval = fit.fair_interval();
        assert!((4.5..6.0).contains(&interval.low) && (6.0..7.5).contains(&interval.high));
        assert!(fit.no_komi() > 0.99 && fit.no_komi_interval().high == 1.0);
    }

    #[test]
    fn without_wins_of_one_side_there_is_no_bound() {
        let fit = Fit::new(&[score(-5.5, 0, 20), score(6.5, 0, 20)]).expect("a fit");
        assert_eq!(fit.fair(), None);
        assert_eq!(fit.fair_interval().low, f64::NEG_INFINITY);
        assert!(fit.fair_interval().high < 0.0);
        assert_eq!(Fit::new(&[]), None);
    }

    #[test]
    fn draws_are_half_wins() {
        let even = |komi, games: [u64; 3]| KomiScore { komi, games: games.into(), turns: 0 };
        let fit = Fit::new(&[even(-1.0, [0, 0, 10]), even(0.0, [0, 10, 0]), even(1.0, [10, 0, 0])]);
        let fit = fit.expect("a fit");
        assert_near(fit.fair().expect("bounded"), 0.0, 0.05);
        assert_near(fit.no_komi(), 0.5, 0.02);
    }
}
