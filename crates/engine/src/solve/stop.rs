//! The end of a proof before its answer.

use std::sync::atomic::{AtomicBool, Ordering};

/// Asks a callback whether to end a proof. Once it says so, or [`set`](Stop::set) is called, the
/// answer stays.
pub(super) struct Stop<'s> {
    is_set: AtomicBool,
    ask: &'s (dyn Fn() -> bool + Sync),
}

impl<'s> Stop<'s> {
    pub(super) fn new(ask: &'s (dyn Fn() -> bool + Sync)) -> Stop<'s> {
        Stop { is_set: AtomicBool::new(false), ask }
    }

    pub(super) fn set(&self) {
        self.is_set.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_set(&self) -> bool {
        if !self.is_set.load(Ordering::Relaxed) && (self.ask)() {
            self.set();
        }
        self.is_set.load(Ordering::Relaxed)
    }
}
