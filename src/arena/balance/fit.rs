//! The chance that Black wins as a function of komi.
//!
//! The chance p is logistic in komi k: ln(p/(1-p)) = b(m - k), where m is the fair
//! komi and 1/b a width; a draw is half a win and half a loss. Estimates are the
//! most likely values, and intervals of 95% those values of one parameter with which
//! the best choice of the other is not less likely than the best of all by more than
//! half the 95% quantile of χ² with one degree of freedom (the profile likelihood;
//! Venzon and Moolgavkar, "A method for computing profile-likelihood-based confidence
//! intervals", Applied Statistics 37 (1988), 87-94).

use super::Tried;
use crate::arena::stats::Interval;

/// Half the 95% quantile of χ² with one degree of freedom.
const DROP: f64 = 1.920_729_410_347_062;

/// Steepest and flattest curve that are looked at, as 1/b in points.
const WIDTHS: (f64, f64) = (0.1, 100.0);

/// Places that are looked at along a parameter.
const PLACES: usize = 1500;

/// What is most likely, and how surely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    fair: Peak,
    width: f64,
    level: Peak,
}

/// The most likely value of a parameter, and the interval.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Peak {
    value: f64,
    interval: Interval,
}

impl Fit {
    /// The fit of some games; none if there are none.
    pub fn new(found: &[Tried]) -> Option<Fit> {
        let (first, last) = (found.first()?, found.last()?);
        // Beyond what was played by as much as was: farther is not seen at all.
        let reach = (last.komi - first.komi).max(5.0);
        let ends = (first.komi - reach, last.komi + reach);
        let fair = peak(ends, |fair| {
            best_width(found, |width, komi| (fair - komi) / width).1
        });
        let width = best_width(found, |width, komi| (fair.value - komi) / width).0;
        let level = peak((-9.0, 9.0), |level| {
            best_width(found, |width, komi| level - komi / width).1
        });
        Some(Fit { fair, width, level })
    }

    /// The fair komi; none if one side won (nearly) all games, so that it lies beyond
    /// the komi that were played.
    pub fn fair(&self) -> Option<f64> {
        let Interval { low, high } = self.fair.interval;
        (low.is_finite() && high.is_finite()).then_some(self.fair.value)
    }

    /// The interval of the fair komi; infinite where nothing bounds it.
    pub fn fair_interval(&self) -> Interval {
        self.fair.interval
    }

    /// The komi at which to play on: the fair one, or one towards it.
    pub(super) fn middle(&self) -> f64 {
        self.fair.value
    }

    /// How many points make e times better odds.
    pub fn width(&self) -> f64 {
        self.width
    }

    /// Black's chance at this komi.
    pub fn chance(&self, komi: f64) -> f64 {
        logistic((self.fair.value - komi) / self.width)
    }

    /// Black's chance without komi.
    pub fn level(&self) -> f64 {
        logistic(self.level.value)
    }

    /// The interval of Black's chance without komi.
    pub fn level_interval(&self) -> Interval {
        let Interval { low, high } = self.level.interval;
        Interval {
            low: logistic(low),
            high: logistic(high),
        }
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The peak of a profile likelihood between two ends. A flat top counts as its
/// middle; an interval that reaches an end is open there.
fn peak(ends: (f64, f64), profile: impl Fn(f64) -> f64) -> Peak {
    let step = (ends.1 - ends.0) / (PLACES - 1) as f64;
    let places = (0..PLACES).map(|n| ends.0 + n as f64 * step);
    let profile: Vec<(f64, f64)> = places.map(|at| (at, profile(at))).collect();
    let best = profile
        .iter()
        .map(|&(_, l)| l)
        .fold(f64::NEG_INFINITY, f64::max);
    let within = |drop: f64| {
        let mut within = profile.iter().filter(move |&&(_, l)| l >= best - drop);
        let low = within.next().map_or(ends.0, |&(at, _)| at);
        (low, within.next_back().map_or(low, |&(at, _)| at))
    };
    let (low, high) = within(DROP);
    let top = within(1e-3);
    Peak {
        value: (top.0 + top.1) / 2.0,
        interval: Interval {
            low: if low <= ends.0 {
                f64::NEG_INFINITY
            } else {
                low
            },
            high: if high >= ends.1 { f64::INFINITY } else { high },
        },
    }
}

/// The most likely width for log-odds of Black that depend on it and on komi, and
/// the log-likelihood with it. (For one place of the other parameter, the likelihood
/// has one peak.)
fn best_width(found: &[Tried], odds: impl Fn(f64, f64) -> f64) -> (f64, f64) {
    let likelihood = |log_width: f64| -> f64 {
        let width = log_width.exp();
        found
            .iter()
            .map(|tried| log_likelihood(tried, odds(width, tried.komi)))
            .sum()
    };
    let (mut low, mut high) = (WIDTHS.0.ln(), WIDTHS.1.ln());
    for _ in 0..30 {
        let third = (high - low) / 3.0;
        match likelihood(low + third) < likelihood(high - third) {
            true => low += third,
            false => high -= third,
        }
    }
    let log_width = (low + high) / 2.0;
    (log_width.exp(), likelihood(log_width))
}

fn log_likelihood(tried: &Tried, odds: f64) -> f64 {
    let won = tried.games.points();
    let lost = tried.games.trials() as f64 - won;
    // ln of the logistic function, without overflow.
    let log = |x: f64| -(-x.abs()).exp().ln_1p() + x.min(0.0);
    won * log(odds) + lost * log(-odds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tried(komi: f64, won: u64, lost: u64) -> Tried {
        let games = [lost, 0, won].into();
        Tried { komi, games }
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
            .map(|&(dose, killed, all)| tried(scaled(dose), killed, all - killed))
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
        let fit = Fit::new(&[tried(5.5, 20, 0), tried(6.5, 0, 20)]).expect("a fit");
        assert_near(fit.fair().expect("bounded"), 6.0, 0.1);
        let interval = fit.fair_interval();
        assert!((4.5..6.0).contains(&interval.low) && (6.0..7.5).contains(&interval.high));
        assert!(fit.level() > 0.99 && fit.level_interval().high == 1.0);
    }

    #[test]
    fn what_one_side_always_wins_has_no_bound() {
        let fit = Fit::new(&[tried(-5.5, 0, 20), tried(6.5, 0, 20)]).expect("a fit");
        assert_eq!(fit.fair(), None);
        assert_eq!(fit.fair_interval().low, f64::NEG_INFINITY);
        assert!(fit.fair_interval().high < 0.0);
        assert_eq!(Fit::new(&[]), None);
    }

    #[test]
    fn draws_are_half_of_each() {
        let even = |komi, games: [u64; 3]| Tried {
            komi,
            games: games.into(),
        };
        let fit = Fit::new(&[
            even(-1.0, [0, 0, 10]),
            even(0.0, [0, 10, 0]),
            even(1.0, [10, 0, 0]),
        ]);
        let fit = fit.expect("a fit");
        assert_near(fit.fair().expect("bounded"), 0.0, 0.05);
        assert_near(fit.level(), 0.5, 0.02);
    }
}
