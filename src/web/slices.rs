//! Work in slices, for the worker of a browser, which also listens to its page.
//!
//! The work is a future. Each poll continues it until it [pauses](pause) or ends.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

/// Ends the present slice.
pub async fn pause() {
    let mut paused = false;
    poll_fn(|_| if std::mem::replace(&mut paused, true) { Poll::Ready(()) } else { Poll::Pending })
        .await;
}

/// The result of a search; pauses when the search does.
pub async fn found<T>(mut advance: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(found) = advance() {
            return found;
        }
        pause().await;
    }
}

/// Does one slice of work; returns the result at the end. Then it must not be called again.
pub fn go_on<T>(work: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match work.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(given) => Some(given),
        Poll::Pending => None,
    }
}

/// Does all slices of work.
#[cfg(any(test, feature = "web"))]
pub fn finish<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    loop {
        if let Some(given) = go_on(work.as_mut()) {
            return given;
        }
    }
}
