//! Positions to search, by priority.

use super::query::Query;
use super::request::Selection;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Maximum bytes of waiting queries, estimated from their lines; one query may exceed it.
const MAX_BYTES: usize = 64 << 20;

/// Bytes of a job without its share of the line.
const JOB_BYTES: usize = 256;

#[derive(Clone, Debug)]
pub struct PositionJob {
    pub query: Arc<Query>,
    /// The number of moves before the position.
    pub turn: usize,
    pub is_terminated: Arc<AtomicBool>,
    number: u64,
    bytes: usize,
}

#[derive(Debug, Default)]
pub struct JobQueue {
    state: Mutex<State>,
    /// Signals a new job or the end of input.
    has_jobs: Condvar,
    /// Signals that a job was taken out or finished.
    has_room: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// By falling priority, then in the order of arrival.
    waiting: BTreeMap<(Reverse<i64>, u64), PositionJob>,
    running: Vec<PositionJob>,
    bytes: usize,
    next: u64,
    is_ended: bool,
    is_abandoned: bool,
}

impl JobQueue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the positions of a query whose line has this many bytes; waits for room.
    pub fn push(&self, query: Arc<Query>, bytes: usize) {
        let is_full = |state: &mut State| state.bytes > MAX_BYTES && !state.is_abandoned;
        let waited = self.has_room.wait_while(self.lock(), is_full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        // A turn takes more room than its text.
        let bytes = 4 * bytes / query.turns.len().max(1) + JOB_BYTES;
        for &(turn, priority) in &query.turns {
            let number = state.next;
            state.next += 1;
            state.bytes += bytes;
            let job = PositionJob {
                query: query.clone(),
                turn,
                is_terminated: Arc::default(),
                number,
                bytes,
            };
            state.waiting.insert((Reverse(priority), number), job);
        }
        self.has_jobs.notify_all();
    }

    /// Waits for the job of the highest priority and takes it; `None` once the input has ended.
    pub fn take(&self) -> Option<PositionJob> {
        let has_to_wait = |state: &mut State| state.waiting.is_empty() && !state.is_ended;
        let waited = self.has_jobs.wait_while(self.lock(), has_to_wait);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        let (_, job) = state.waiting.pop_first()?;
        state.bytes -= job.bytes;
        state.running.push(job.clone());
        self.has_room.notify_all();
        Some(job)
    }

    /// Jobs that wait or run.
    pub fn open(&self) -> usize {
        let state = self.lock();
        state.waiting.len() + state.running.len()
    }

    pub fn finished(&self, job: &PositionJob) {
        let mut state = self.lock();
        state.running.retain(|other| other.number != job.number);
        self.has_room.notify_all();
    }

    /// Ends selected jobs that run, and takes out waiting ones.
    pub fn terminate(&self, selection: &Selection) -> Vec<PositionJob> {
        let mut state = self.lock();
        let is_selected = |job: &PositionJob| selection.includes(&job.query.fields.id, job.turn);
        for job in state.running.iter().filter(|job| is_selected(job)) {
            job.is_terminated.store(true, Relaxed);
        }
        let waiting = std::mem::take(&mut state.waiting).into_iter();
        let (removed, waiting): (BTreeMap<_, _>, _) =
            waiting.partition(|(_, job)| is_selected(job));
        state.waiting = waiting;
        let removed: Vec<_> = removed.into_values().collect();
        state.bytes -= removed.iter().map(|job| job.bytes).sum::<usize>();
        self.has_room.notify_all();
        removed
    }

    pub fn end_of_input(&self) {
        self.lock().is_ended = true;
        self.has_jobs.notify_all();
    }

    /// Drops waiting jobs and ends those that run.
    pub fn abandon(&self) {
        let mut state = self.lock();
        state.is_abandoned = true;
        state.waiting.clear();
        state.bytes = 0;
        for job in &state.running {
            job.is_terminated.store(true, Relaxed);
        }
        self.has_room.notify_all();
    }

    /// Waits at most `time` until no job is left; returns false if one is.
    pub fn wait_until_done(&self, time: Duration) -> bool {
        let state = self.lock();
        let has_any = |state: &mut State| !state.waiting.is_empty() || !state.running.is_empty();
        let waited = self.has_room.wait_timeout_while(state, time, has_any);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.waiting.is_empty() && state.running.is_empty()
    }
}
