//! Runs searches for opposite goals in turn until one of them answers the question.

use super::prover::{ProofStatus, Prover, Repetition};
use super::stop::Stop;
use crate::board::Color;
use crate::rules::Turn;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether Black reaches the margin asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RaceAnswer {
    /// Black forces it.
    Black,
    /// White prevents it.
    White,
    /// Neither side forces its goal.
    Neither,
    /// The race ended without an answer.
    Unknown,
}

/// Positions that a search visits before another search may continue.
const SLICE: u64 = 20_000;

/// Stack of a search in bytes: each turn of a line needs a frame.
const STACK: usize = 256 << 20;

pub(super) struct Race<'r> {
    turns: &'r [Turn],
    stop: &'r Stop<'r>,
    limit: u64,
    state: Mutex<RaceState>,
}

struct RaceState {
    waiting: Vec<Runner>,
    positions: u64,
    answer: Option<(RaceAnswer, usize)>,
}

struct Runner {
    number: usize,
    prover: Prover,
    verdict: ProofStatus,
    spent: u64,
}

/// Called between two slices with the number of positions and the search that has paused.
pub(super) type RaceObserver<'o> = dyn FnMut(u64, &mut Prover) + Send + 'o;

impl<'r> Race<'r> {
    pub(super) fn new(
        provers: Vec<Prover>,
        turns: &'r [Turn],
        limit: u64,
        stop: &'r Stop<'r>,
    ) -> Race<'r> {
        let runner =
            |(number, prover)| Runner { number, prover, verdict: ProofStatus::Open, spent: 0 };
        Race {
            turns,
            stop,
            limit,
            state: Mutex::new(RaceState {
                waiting: provers.into_iter().enumerate().map(runner).collect(),
                positions: 0,
                answer: None,
            }),
        }
    }

    /// Runs the race. Returns the answer, the number of the search that gave it, and all searches.
    pub(super) fn run(
        self,
        threads: usize,
        report: &mut RaceObserver<'_>,
    ) -> (RaceAnswer, Option<usize>, Vec<Prover>) {
        let report = Mutex::new(report);
        let is_stopped = || self.stop.is_set();
        let done = Stop::new(&is_stopped);
        std::thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                let builder = std::thread::Builder::new().stack_size(STACK);
                let work = || self.work(&done, &report);
                if builder.spawn_scoped(scope, work).is_err() {
                    break; // no memory for one more
                }
            }
        });
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_free = |runner: &Runner| runner.prover.repetition == Repetition::Free;
        let is_refuted = |runner: &Runner| runner.verdict == ProofStatus::Refuted;
        let neither = state.waiting.iter().all(|runner| is_free(runner) && is_refuted(runner));
        let (answer, by) = match state.answer {
            Some((answer, number)) => (answer, Some(number)),
            None if neither => (RaceAnswer::Neither, None),
            None => (RaceAnswer::Unknown, None),
        };
        // Searches are in the order in which they paused.
        state.waiting.sort_by_key(|runner| runner.number);
        (answer, by, state.waiting.into_iter().map(|runner| runner.prover).collect())
    }

    fn lock(&self) -> MutexGuard<'_, RaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, done: &Stop<'_>, report: &Mutex<&mut RaceObserver<'_>>) {
        while let Some(mut runner) = self.next(done) {
            let before = runner.prover.positions;
            runner.verdict = runner.prover.prove(self.turns, SLICE.min(self.limit), done);
            let looked_at = runner.prover.positions - before;
            runner.spent += looked_at;
            let mut state = self.lock();
            state.positions += looked_at;
            if let Some(answer) = runner.answer() {
                state.answer.get_or_insert((answer, runner.number));
            }
            let positions = state.positions;
            drop(state);
            if let Ok(mut report) = report.lock() {
                report(positions, &mut runner.prover);
            }
            let mut state = self.lock();
            let is_over = state.answer.is_some() || positions >= self.limit;
            if is_over {
                done.set();
            }
            state.waiting.push(runner);
        }
    }

    /// The search with the fewest positions; `None` if there is nothing to do.
    fn next(&self, done: &Stop<'_>) -> Option<Runner> {
        let mut state = self.lock();
        if done.is_set() {
            return None;
        }
        let all = state.waiting.iter().enumerate();
        let open = all.filter(|(_, runner)| runner.verdict == ProofStatus::Open);
        let (at, _) = open.min_by_key(|(_, runner)| runner.spent)?;
        Some(state.waiting.swap_remove(at))
    }
}

impl Runner {
    fn answer(&self) -> Option<RaceAnswer> {
        let (own, other) = match self.prover.goal.side {
            Color::Black => (RaceAnswer::Black, RaceAnswer::White),
            Color::White => (RaceAnswer::White, RaceAnswer::Black),
        };
        match self.verdict {
            ProofStatus::Proven => Some(own),
            // Every line ends, so one side reaches its goal.
            ProofStatus::Refuted if self.prover.repetition != Repetition::Free => Some(other),
            _ => None,
        }
    }
}
