//! A cache of evaluations by the inputs of the net.

use crate::net::{Evaluation, Scratch};
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Mutex, PoisonError};

const BYTES: usize = 8 << 20;

type Slot = (Option<u64>, Evaluation);

/// A direct-mapped cache of evaluations on one board by one net, for all threads. The net would
/// evaluate the same again, so the cache does not change searches.
#[derive(Debug)]
pub(in crate::search) struct EvaluationCache {
    /// Their number is a power of two.
    slots: Vec<Mutex<Slot>>,
}

impl EvaluationCache {
    pub(super) fn new(numbers_per_evaluation: usize) -> EvaluationCache {
        let bytes = size_of::<Mutex<Slot>>() + numbers_per_evaluation * size_of::<f32>();
        // Rounded down to a power of two.
        let slots: usize = 1 << (BYTES / bytes).max(1).ilog2();
        EvaluationCache { slots: (0..slots).map(|_| Mutex::default()).collect() }
    }

    pub(super) fn key(inputs: &Scratch) -> u64 {
        let mut hasher = DefaultHasher::new();
        inputs.hash_inputs(&mut hasher);
        hasher.finish()
    }

    /// Calls `see` with the evaluation of this key. A thread that asks for what another one
    /// evaluates waits for it.
    pub(super) fn see(
        &self,
        key: u64,
        evaluate: impl FnOnce(&mut Evaluation),
        see: impl FnOnce(&Evaluation),
    ) {
        let at = key as usize & (self.slots.len() - 1);
        let mut slot = self.slots[at].lock().unwrap_or_else(PoisonError::into_inner);
        let (known, evaluation) = &mut *slot;
        if *known != Some(key) {
            // If the evaluation panics, nothing is known.
            *known = None;
            evaluate(evaluation);
            *known = Some(key);
        }
        see(evaluation);
    }
}

#[cfg(test)]
mod tests {
    use super::EvaluationCache;
    use crate::net::Evaluation;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn an_evaluation_is_kept_until_another_takes_its_slot() {
        let cache = EvaluationCache::new(160);
        let slots = cache.slots.len() as u64;
        assert!(slots.is_power_of_two() && slots >= 4096);
        let mut made = Vec::new();
        for key in [5, 6, 5, 5 + slots, 5, 6] {
            let evaluate = |evaluation: &mut Evaluation| {
                made.push(key);
                evaluation.score_mean = key as f32;
            };
            let mut seen = None;
            cache.see(key, evaluate, |evaluation| seen = Some(evaluation.score_mean));
            assert_eq!(seen, Some(key as f32));
        }
        assert_eq!(made, [5, 6, 5 + slots, 5]);
    }

    #[test]
    fn threads_evaluate_each_key_once() {
        let cache = EvaluationCache::new(160);
        let made = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for key in 0..500_u64 {
                        let evaluate = |evaluation: &mut Evaluation| {
                            made.fetch_add(1, Relaxed);
                            evaluation.score_mean = key as f32;
                        };
                        let check = |evaluation: &Evaluation| {
                            assert_eq!(evaluation.score_mean, key as f32);
                        };
                        cache.see(key, evaluate, check);
                    }
                });
            }
        });
        assert_eq!(made.into_inner(), 500);
    }
}
