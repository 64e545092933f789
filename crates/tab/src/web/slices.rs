//! Work in slices, for the worker of a browser, which also listens to its page.
//!
//! The work is a future. Each poll continues it until it [pauses](pause) or ends. A slice may have
//! a length; in the server it has none.

use crate::time::Instant;
use std::cell::Cell;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

thread_local! {
    /// The end of the present slice; `None` if it has no length.
    static END: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Time until the next slice has work.
    static REST: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// Whether the work should pause.
pub fn is_over() -> bool {
    END.get().is_some_and(|end| Instant::now() >= end)
}

/// Shortens the present slice, so that a message leaves at once.
pub fn end() {
    END.set(END.get().map(|_| Instant::now()));
}

/// Ends the present slice.
pub async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending })
        .await;
}

/// Ends the present slice; the next one has work after this time.
pub async fn rest(time: Duration) {
    REST.set(time);
    pause().await;
}

/// The time until the next slice has work, once.
pub fn take_rest() -> Duration {
    REST.take()
}

/// The result of a search; pauses when the search does.
pub async fn result<T>(mut advance: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(result) = advance() {
            return result;
        }
        pause().await;
    }
}

/// Does one slice of work; returns the result at the end. Then it must not be called again.
pub fn advance<T>(
    work: Pin<&mut (impl Future<Output = T> + ?Sized)>,
    length: Option<Duration>,
) -> Option<T> {
    END.set(length.map(|length| Instant::now() + length));
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => Some(result),
        Poll::Pending => None,
    }
}

/// Does all slices of work.
pub fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        if let Some(result) = advance(work.as_mut(), None) {
            return result;
        }
        std::thread::sleep(take_rest());
    }
}
