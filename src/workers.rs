//! Threads that share a list of tasks, such as the games of a match.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Continuation {
    Continue,
    Stop,
}

/// Works on `tasks` with `threads` threads. Each thread calls `worker` once for the function that
/// turns a task into a result; `None` ends the thread. `finished` sees each result as it comes, on
/// the caller's thread. If `finished` stops the work or fails, the flag of running tasks is set,
/// and their results are lost.
pub fn run<T, R: Send, W: FnMut(T, &AtomicBool) -> Option<R>, E>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> W + Sync,
    mut finished: impl FnMut(R) -> Result<Continuation, E>,
) -> Result<(), E> {
    let (tasks, is_over) = (Mutex::new(tasks), AtomicBool::new(false));
    // A signal on the channel stands for each result: there is one kind of channel for all results.
    let (results, mut outcome) = (Mutex::new(VecDeque::new()), Ok(()));
    let work = |signals: SyncSender<()>| {
        let next = || lock(&tasks).next();
        let mut work = worker();
        while let Some(result) = next().and_then(|task| work(task, &is_over)) {
            lock(&results).push_back(result);
            if signals.send(()).is_err() {
                return;
            }
        }
    };
    on_threads(threads.max(1), &work, &mut |signals| {
        let next = || signals.recv().ok().and_then(|()| lock(&results).pop_front());
        outcome = collect(next, &mut finished);
        is_over.store(true, Ordering::Relaxed);
    });
    outcome
}

/// Calls `work` on each thread, and meanwhile `collect` on the caller's. The channel is closed once
/// `collect` or all calls of `work` have ended.
fn on_threads(
    threads: usize,
    work: &(dyn Fn(SyncSender<()>) + Sync),
    collect: &mut dyn FnMut(Receiver<()>),
) {
    std::thread::scope(|scope| {
        let (sender, signals) = sync_channel(threads);
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(move || work(sender));
        }
        drop(sender);
        collect(signals);
    });
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Results that may wait for an earlier one. A thread that is further ahead waits itself.
const MAX_WAITING: usize = 4096;

/// Works on tasks as [`run`] does, but `finished` sees the results in the order of the tasks.
pub fn run_in_order<T, R: Send, W: FnMut(T) -> R, E>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    worker: impl Fn() -> W + Sync,
    mut finished: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    // The number of the next result for `finished`.
    let (next, moved) = (&Mutex::new(0), &Condvar::new());
    let move_to = |number: usize| {
        *lock(next) = number;
        moved.notify_all();
    };
    let numbered = || {
        let mut work = worker();
        move |(number, task), _: &AtomicBool| {
            let result = work(task);
            drop(moved.wait_while(lock(next), |at| number > at.saturating_add(MAX_WAITING)));
            Some((number, result))
        }
    };
    // The results from number `reported` on, as far as they have come.
    let (mut waiting, mut reported) = (VecDeque::new(), 0);
    run(threads, tasks.enumerate(), numbered, |(number, result)| {
        let place = number - reported;
        waiting.resize_with(waiting.len().max(place + 1), || None);
        waiting[place] = Some(result);
        while let Some(result) = waiting.front_mut().and_then(Option::take) {
            waiting.pop_front();
            reported += 1;
            if let Err(error) = finished(result) {
                move_to(usize::MAX);
                return Err(error);
            }
        }
        move_to(reported);
        Ok(Continuation::Continue)
    })
}

/// Returns the results in the order of the tasks.
pub fn map<T, R: Send>(
    threads: usize,
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let mut results = Vec::new();
    let Ok(()) = run_in_order(
        threads,
        tasks,
        || &work,
        |result| {
            results.push(result);
            Ok::<_, Infallible>(())
        },
    );
    results
}

/// Takes results until the work ends.
fn collect<R, E>(
    next: impl Fn() -> Option<R>,
    finished: &mut impl FnMut(R) -> Result<Continuation, E>,
) -> Result<(), E> {
    while let Some(result) = next() {
        if finished(result)? == Continuation::Stop {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    /// Tasks from 10 on end only when the work is over.
    fn ten_tasks_and_endless_ones() -> impl FnMut(u64, &AtomicBool) -> Option<u64> {
        |task, is_over| {
            while task >= 10 && !is_over.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
            Some(task)
        }
    }

    #[test]
    fn a_stop_or_an_error_reaches_the_tasks_under_way() {
        for threads in [1, 3] {
            let mut count = 0;
            let outcome = run(threads, 0.., ten_tasks_and_endless_ones, |task| {
                count += 1;
                Ok::<_, ()>(if task == 9 { Continuation::Stop } else { Continuation::Continue })
            });
            assert_eq!(outcome, Ok(()));
            assert!((1..=10).contains(&count), "{count}");
            let full = run(threads, 0.., ten_tasks_and_endless_ones, |_| Err("full"));
            assert_eq!(full, Err("full"));
        }
    }

    #[test]
    fn results_come_in_the_order_of_their_tasks() {
        let mut found = Vec::new();
        let worker = || {
            |task: u64| {
                std::thread::sleep(std::time::Duration::from_micros(100 * (task % 3)));
                task
            }
        };
        let outcome = run_in_order(4, 0..100, worker, |task| {
            found.push(task);
            if task == 60 { Err("full") } else { Ok(()) }
        });
        assert_eq!(outcome, Err("full"));
        assert_eq!(found, (0..=60).collect::<Vec<_>>());
    }

    #[test]
    fn threads_wait_for_a_slow_task() {
        let begun = AtomicUsize::new(0);
        let worker = || {
            |task: usize| {
                let most = begun.fetch_add(1, Ordering::Relaxed);
                // The first task ends once the others can go no further.
                while task == 0 && begun.load(Ordering::Relaxed) <= MAX_WAITING {
                    std::thread::yield_now();
                }
                (task, most)
            }
        };
        let mut next = 0;
        let outcome = run_in_order(3, 0..3 * MAX_WAITING, worker, |(task, begun)| {
            assert!(begun <= task + MAX_WAITING + 8, "{task}: {begun}");
            assert_eq!(task, next);
            next += 1;
            Ok::<_, Infallible>(())
        });
        assert_eq!((outcome, next), (Ok(()), 3 * MAX_WAITING));
    }

    #[test]
    fn all_tasks_are_worked_on_once() {
        let mut found = Vec::new();
        let outcome = run(4, 0..10, ten_tasks_and_endless_ones, |task| {
            found.push(task);
            Ok::<_, ()>(Continuation::Continue)
        });
        assert_eq!(outcome, Ok(()));
        found.sort_unstable();
        assert_eq!(found, (0..10).collect::<Vec<_>>());
    }
}
