//! Weights compiled into tables that a search looks up.

use super::families::Features;
use super::large_pattern::LargePatternTable;
use super::weights::{ACCEPT_ALL, Weights, canonical_3x3};
use crate::board::PATTERNS_3X3;
use crate::rules::SPECIAL_STEP_INTERVAL;
use crate::search::local::Tactics;

/// Weights as tables. Probabilities are in units of 2^-16. Only operations that give the same
/// result on every machine are used.
#[derive(Debug)]
pub struct CompiledWeights {
    /// Factors of priors, by the number of a feature.
    pub prior: Vec<f32>,
    /// Factors of priors, by 3x3 pattern in any orientation.
    pattern_3x3: Box<[f32]>,
    pub(super) prior_scale: f32,
    pub(super) opening_prior_scale: f32,
    pub(super) large_patterns: LargePatternTable,
    /// Factors of local replies, by their set of tactical features.
    pub local_reply: Box<[f32]>,
    pattern_factors: PatternFactorTable,
    pub(super) tenuki: f32,
    /// Whether playouts generate local replies and ataris.
    pub(in crate::search) uses_local_replies: bool,
    pub(super) capture: f32,
    pub(super) escape: f32,
    pub(super) accept_self_atari: u32,
    pub(in crate::search) acceptance_sampling: bool,
    pub(super) max_rejections: u32,
    /// Probability of a special step, in addition to the rate of random playouts.
    pub(super) special_step: u32,
    pub(super) accept_useless: u32,
}

impl CompiledWeights {
    /// Compiles weights.
    pub fn new(weights: &Weights) -> CompiledWeights {
        let pattern_3x3 = &weights.pattern_3x3;
        let local_reply = |set: usize| {
            let tactics = (0..Tactics::COUNT).filter(|bit| set >> bit & 1 != 0);
            tactics.map(|bit| weights.local_reply[bit]).product()
        };
        let scalars = &weights.scalars;
        let pattern_factors = PatternFactorTable::new(weights);
        let special_step = (scalars.special_step_rate - 1.0) / SPECIAL_STEP_INTERVAL as f32;
        let accept_self_atari = (scalars.self_atari.min(1.0) * 65536.0) as u32;
        CompiledWeights {
            prior: weights.prior.clone(),
            pattern_3x3: (0..=u16::MAX)
                .map(|code| pattern_3x3[usize::from(canonical_3x3(code))])
                .collect(),
            prior_scale: scalars.prior_scale.min(MAX_PRIOR_SCALE),
            opening_prior_scale: scalars.opening_prior_scale.min(MAX_PRIOR_SCALE),
            large_patterns: LargePatternTable::new(&weights.large_patterns),
            local_reply: (0..1 << Tactics::COUNT).map(local_reply).collect(),
            tenuki: scalars.tenuki,
            uses_local_replies: scalars.tenuki.is_finite(),
            acceptance_sampling: pattern_factors.may_reject() || accept_self_atari < 1 << 16,
            pattern_factors,
            max_rejections: scalars.max_rejections as u32,
            capture: scalars.capture,
            escape: scalars.escape,
            accept_self_atari,
            special_step: (special_step.clamp(0.0, 1.0) * 65536.0) as u32,
            accept_useless: (scalars.accept_useless.min(1.0) * 65536.0) as u32,
        }
    }

    #[inline]
    pub(super) fn pattern_factors(&self, pattern: u16) -> PatternFactors {
        self.pattern_factors.get(pattern)
    }

    /// The prior of a step before scaling: the product of the weights of its features.
    #[inline]
    pub(super) fn prior_of(&self, features: &Features) -> f32 {
        let pattern =
            features.pattern.map_or(1.0, |pattern| self.pattern_3x3[usize::from(pattern)]);
        let large_pattern =
            features.large_pattern.map_or(1.0, |pattern| self.large_patterns.weight(pattern));
        let ids = features.ids.iter();
        ids.fold(pattern * large_pattern, |product, &feature| {
            product * self.prior[usize::from(feature)]
        })
    }

    pub(super) fn log_prior_of(&self, features: &Features) -> f32 {
        let pattern = features.pattern.map(|at| self.pattern_3x3[usize::from(at)]);
        let large_pattern = features.large_pattern.map(|at| self.large_patterns.weight(at));
        let ids = features.ids.iter();
        let weights = ids
            .map(|&feature| self.prior[usize::from(feature)])
            .chain(pattern)
            .chain(large_pattern);
        weights.map(|weight| libm::logf(weight.clamp(f32::MIN_POSITIVE, f32::MAX))).sum()
    }
}

const MAX_PRIOR_SCALE: f32 = 1e6;

#[derive(Clone, Copy, Debug)]
pub(super) struct PatternFactors {
    pub(super) local_reply: f32,
    /// The probability to accept a global move, in units of 2^-16.
    pub(super) accept: u16,
}

/// The factors of all 3x3 patterns. Weights are rounded to small steps, so that the tables fit into
/// the processor's cache.
#[derive(Debug)]
struct PatternFactorTable {
    step: Box<[u8; PATTERNS_3X3]>,
    by_step: [PatternFactors; STEPS],
}

/// Number of steps of a weight.
const STEPS: usize = 256;
/// Number of steps between a weight and its double.
const STEPS_PER_DOUBLE: f32 = 12.0;

impl PatternFactorTable {
    fn new(weights: &Weights) -> PatternFactorTable {
        // `libm` gives the same result on every machine; the standard library does not.
        let step = |&weight: &f32| {
            let steps = libm::roundf(libm::log2f(weight) * STEPS_PER_DOUBLE);
            (steps + STEPS as f32 / 2.0).clamp(0.0, STEPS as f32 - 1.0) as u8
        };
        let canonical: Vec<u8> = weights.pattern_3x3.iter().map(step).collect();
        let mut steps = Box::new([0; PATTERNS_3X3]);
        for (code, step) in (0..=u16::MAX).zip(steps.iter_mut()) {
            *step = canonical[usize::from(canonical_3x3(code))];
        }
        let scalars = &weights.scalars;
        let scale = 65536.0 * ACCEPT_ALL / scalars.global_pattern_mean;
        let factors = |step: usize| {
            let doubles = (step as f32 - STEPS as f32 / 2.0) / STEPS_PER_DOUBLE;
            let accept = libm::exp2f(doubles * scalars.global_pattern_power) * scale;
            PatternFactors {
                local_reply: libm::exp2f(doubles * scalars.local_pattern_power),
                accept: accept.min(65535.0) as u16,
            }
        };
        PatternFactorTable { step: steps, by_step: std::array::from_fn(factors) }
    }

    #[inline]
    fn get(&self, pattern: u16) -> PatternFactors {
        self.by_step[usize::from(self.step[usize::from(pattern)])]
    }

    fn may_reject(&self) -> bool {
        let mut steps = self.step.iter();
        steps.any(|&step| self.by_step[usize::from(step)].accept < u16::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::{CompiledWeights, Weights, canonical_3x3};

    #[test]
    fn pattern_factors_are_powers_of_weights() {
        let mut weights = Weights::default();
        weights.scalars.local_pattern_power = 1.5;
        weights.scalars.global_pattern_power = 0.5;
        weights.scalars.global_pattern_mean = 0.5;
        weights.pattern_3x3[usize::from(canonical_3x3(0x1234))] = 0.25;
        let compiled = CompiledWeights::new(&weights);
        let near = |a: f32, b: f32| (a / b - 1.0).abs() < 0.05;
        let (known, other) = (compiled.pattern_factors(0x1234), compiled.pattern_factors(0));
        assert!(near(known.local_reply, 0.125) && near(other.local_reply, 1.0));
        assert!(near(f32::from(known.accept), 16384.0));
        assert!(near(f32::from(other.accept), 32768.0));
        let default = CompiledWeights::new(&Weights::default());
        assert!(compiled.acceptance_sampling && !default.acceptance_sampling);
    }
}
