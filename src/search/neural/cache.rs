//! A cache of evaluations by the inputs of the net.

use crate::net::{Evaluation, Scratch};
use std::hash::{DefaultHasher, Hasher};

const BYTES: usize = 8 << 20;

/// A direct-mapped cache of evaluations on one board by one net. The net would evaluate the same
/// again, so the cache does not change searches.
#[derive(Debug)]
pub(super) struct EvaluationCache {
    /// Their number is a power of two.
    slots: Vec<(Option<u64>, Evaluation)>,
}

impl EvaluationCache {
    pub(super) fn new(numbers_per_evaluation: usize) -> EvaluationCache {
        let bytes =
            size_of::<(Option<u64>, Evaluation)>() + numbers_per_evaluation * size_of::<f32>();
        // Rounded down to a power of two.
        let slots = 1 << (BYTES / bytes).max(1).ilog2();
        EvaluationCache { slots: vec![(None, Evaluation::default()); slots] }
    }

    pub(super) fn key(inputs: &Scratch) -> u64 {
        let mut hasher = DefaultHasher::new();
        inputs.hash_inputs(&mut hasher);
        hasher.finish()
    }

    pub(super) fn get_or_evaluate(
        &mut self,
        key: u64,
        evaluate: impl FnOnce(&mut Evaluation),
    ) -> &Evaluation {
        let at = key as usize & (self.slots.len() - 1);
        let (known, evaluation) = &mut self.slots[at];
        if *known != Some(key) {
            *known = Some(key);
            evaluate(evaluation);
        }
        evaluation
    }
}

#[cfg(test)]
mod tests {
    use super::EvaluationCache;
    use crate::net::Evaluation;

    #[test]
    fn an_evaluation_is_kept_until_another_takes_its_slot() {
        let mut cache = EvaluationCache::new(160);
        let slots = cache.slots.len() as u64;
        assert!(slots.is_power_of_two() && slots >= 4096);
        let mut made = Vec::new();
        for key in [5, 6, 5, 5 + slots, 5, 6] {
            let evaluation = cache.get_or_evaluate(key, |evaluation: &mut Evaluation| {
                made.push(key);
                evaluation.score_mean = key as f32;
            });
            assert_eq!(evaluation.score_mean, key as f32);
        }
        assert_eq!(made, [5, 6, 5 + slots, 5]);
    }
}
