//! A cache of evaluations by the inputs of the net without the order of the latest turns.

use crate::net::{Evaluation, Scratch};
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A key and its evaluation; empty until a key takes the slot.
type Slot = Option<Box<(u64, Evaluation)>>;

/// A direct-mapped cache of evaluations on one board by one net, for all threads. A key includes
/// the number of the tree, so earlier searches do not change a search that starts a tree.
#[derive(Debug)]
pub(in crate::search) struct EvaluationCache {
    slots: Vec<Mutex<Slot>>,
}

impl EvaluationCache {
    /// A cache of at most `bytes` bytes but at least one evaluation.
    pub(super) fn new(bytes: usize, numbers_per_evaluation: usize) -> EvaluationCache {
        let each = size_of::<Mutex<Slot>>()
            + size_of::<(u64, Evaluation)>()
            + numbers_per_evaluation * size_of::<f32>();
        let slots = (bytes / each).max(1);
        EvaluationCache { slots: (0..slots).map(|_| Mutex::default()).collect() }
    }

    pub(super) fn key(inputs: &Scratch, tree: u64) -> u64 {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(tree);
        inputs.hash_inputs(&mut hasher);
        hasher.finish()
    }

    fn slot(&self, key: u64) -> MutexGuard<'_, Slot> {
        // The upper bits of a product are below the second factor.
        let at = ((u128::from(key) * self.slots.len() as u128) >> 64) as usize;
        self.slots[at].lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn has(&self, key: u64) -> bool {
        self.slot(key).as_ref().is_some_and(|known| known.0 == key)
    }

    /// Takes an evaluation, which `read` writes, unless it finds none.
    pub(super) fn put(&self, key: u64, read: impl FnOnce(&mut Evaluation) -> Option<()>) {
        let mut slot = self.slot(key);
        let mut replaced = slot.take().unwrap_or_default();
        replaced.0 = key;
        *slot = read(&mut replaced.1).map(|()| replaced);
    }

    /// Calls `see` with the evaluation of this key. A thread that asks for what another one
    /// evaluates waits for it.
    pub(super) fn see(
        &self,
        key: u64,
        evaluate: impl FnOnce(&mut Evaluation),
        see: impl FnOnce(&Evaluation),
    ) {
        let mut slot = self.slot(key);
        // If the evaluation panics, the slot is empty.
        let entry = match slot.take() {
            Some(entry) if entry.0 == key => entry,
            other => {
                let mut replaced = other.unwrap_or_default();
                evaluate(&mut replaced.1);
                replaced.0 = key;
                replaced
            }
        };
        see(&entry.1);
        *slot = Some(entry);
    }
}

#[cfg(test)]
mod tests {
    use super::EvaluationCache;
    use crate::net::Evaluation;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[test]
    fn an_evaluation_is_kept_until_another_takes_its_slot() {
        let cache = EvaluationCache::new(100_000, 160);
        assert!((100..200).contains(&cache.slots.len()), "{}", cache.slots.len());
        let [one, same_slot, other] = [5, 6, u64::MAX / 2];
        let mut made = Vec::new();
        for key in [one, other, one, same_slot, one, other] {
            let evaluate = |evaluation: &mut Evaluation| {
                made.push(key);
                evaluation.score_mean = key as f32;
            };
            let mut seen = None;
            cache.see(key, evaluate, |evaluation| seen = Some(evaluation.score_mean));
            assert_eq!(seen, Some(key as f32));
        }
        assert_eq!(made, [one, other, same_slot, one]);
    }

    #[test]
    fn threads_evaluate_each_key_once() {
        let cache = EvaluationCache::new(1 << 20, 160);
        let made = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for key in (0..500).map(|number| number << 55) {
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
