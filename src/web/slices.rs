//! Work in slices, for threads that have to listen while they work: the worker of a browser.
//!
//! Such work is a future. Each poll lets it go on until it [pauses](pause) or has come to its
//! end. `finish` is for threads with nothing else to do.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Ends the present slice.
pub async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending })
        .await;
}

/// What a search finds; it pauses with it.
pub async fn found<T>(mut advance: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = advance() {
            return found;
        }
        pause().await;
    }
}

/// One slice of work; what it gives if it has come to its end, after which it must not be
/// called again.
pub fn go_on<T>(work: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(given) => Some(given),
        Poll::Pending => None,
    }
}

/// All slices of work, one after the other.
#[cfg(any(test, feature = "web"))]
pub fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        if let Some(given) = go_on(work.as_mut()) {
            return given;
        }
    }
}
