//! Threads that share a list of tasks, such as the games of a match.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    Continue,
    Stop,
}

/// Works on `tasks` with `threads` threads, each of which calls `worker` once for the function
/// that turns a task into a result; `None` ends the thread. Calls `finished` with each result,
/// on the caller's thread and in the order in which they come. If `finished` stops the work or
/// fails, the flag that tasks see is set, and the results of tasks under way are lost.
pub fn run<T, R: Send, W: FnMut(T, &AtomicBool) -> Option<R>, E>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> W + Sync,
    mut finished: impl FnMut(R) -> Result<Continuation, E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let (tasks, is_over) = (Mutex::new(tasks), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let (sender, results) = sync_channel(threads);
        for _ in 0..threads {
            let (sender, tasks, worker) = (sender.clone(), &tasks, &worker);
            let is_over = &is_over;
            scope.spawn(move || {
                let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
                let mut work = worker();
                while let Some(result) = next().and_then(|task| work(task, is_over)) {
                    if sender.send(result).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let outcome = collect(results, &mut finished);
        is_over.store(true, Ordering::Relaxed);
        outcome
    })
}

/// Takes results until the channel or the work ends; closes the channel, so that no thread
/// waits to send.
fn collect<R, E>(
    results: Receiver<R>,
    finished: &mut impl FnMut(R) -> Result<Continuation, E>,
) -> Result<(), E> {
    for result in results {
        if finished(result)? == Continuation::Stop {
            break;
        }
    }
    Ok(())
}
