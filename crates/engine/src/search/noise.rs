//! Changes of the priors at the root.
//!
//! Training games add noise, a share of a Dirichlet distribution, to try unlikely steps (Silver et
//! al., "Mastering the game of Go without human knowledge", 2017). An analysis may flatten the
//! priors by a temperature.

use crate::board::Random;

/// The sum of the concentrations of all steps: 361 times 0.03, as in AlphaGo Zero.
const CONCENTRATION: f32 = 10.83;

/// Share of noise in the priors, as in AlphaGo Zero.
pub(super) const SHARE: f32 = 0.25;

/// Raises priors to the power of 1/temperature and keeps their sum.
pub(super) fn apply_temperature(priors: &mut [f32], temperature: f32) {
    let before: f32 = priors.iter().sum();
    for prior in priors.iter_mut() {
        *prior = libm::powf(prior.max(0.0), 1.0 / temperature);
    }
    let after: f32 = priors.iter().sum();
    if after > 0.0 {
        for prior in priors {
            *prior *= before / after;
        }
    }
}

/// Draws `count` shares with a sum of one from a Dirichlet distribution.
pub(super) fn dirichlet(count: usize, random: &mut Random) -> Vec<f32> {
    let shape = CONCENTRATION / count.max(1) as f32;
    let mut shares: Vec<f32> = (0..count).map(|_| gamma(shape, random)).collect();
    let sum: f32 = shares.iter().sum();
    for share in &mut shares {
        *share = if sum > 0.0 { *share / sum } else { 1.0 / count as f32 };
    }
    shares
}

/// A number with a gamma distribution (Marsaglia and Tsang, "A simple method for
/// generating gamma variables", 2000).
fn gamma(shape: f32, random: &mut Random) -> f32 {
    if shape < 1.0 {
        let power = libm::powf(1.0 - random.fraction(), 1.0 / shape);
        return gamma(shape + 1.0, random) * power;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / libm::sqrtf(9.0 * d);
    loop {
        // The sum of twelve fractions has variance 1.
        let normal = (0..12).map(|_| random.fraction()).sum::<f32>() - 6.0;
        let v = libm::powf(1.0 + c * normal, 3.0);
        if v > 0.0 {
            let limit = normal * normal / 2.0 + d - d * v + d * libm::logf(v);
            if libm::logf(1.0 - random.fraction()) < limit {
                return d * v;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CONCENTRATION, apply_temperature, dirichlet};
    use crate::board::Random;

    #[test]
    fn a_temperature_above_one_flattens() {
        let mut priors = [0.64, 0.04, 0.0];
        apply_temperature(&mut priors, 2.0);
        let ratio = priors[0] / priors[1];
        assert!((ratio - 4.0).abs() < 1e-4, "{priors:?}");
        assert!((priors.iter().sum::<f32>() - 0.68).abs() < 1e-6 && priors[2] == 0.0);
    }

    #[test]
    fn shares_sum_to_one_and_have_the_variance_of_the_distribution() {
        let (count, draws) = (50, 2000);
        let mut random = Random::new(1);
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..draws {
            let shares = dirichlet(count, &mut random);
            assert!((shares.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            sum += f64::from(shares[0]);
            squares += f64::from(shares[0]).powi(2);
        }
        let (mean, n) = (sum / f64::from(draws), 1.0 / count as f64);
        let variance = squares / f64::from(draws) - mean * mean;
        let expected = n * (1.0 - n) / (f64::from(CONCENTRATION) + 1.0);
        assert!((mean - n).abs() < 0.005, "{mean}");
        assert!((variance / expected - 1.0).abs() < 0.25, "{variance} {expected}");
    }
}
