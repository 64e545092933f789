//! Lines on their way to the client.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum bytes that wait for the client; one line may exceed it.
pub const MAX_BYTES: usize = 8 << 20;

/// The same for interim reports, which the next report replaces.
const MAX_INTERIM_BYTES: usize = 1 << 16;

/// One thread writes lines that others add.
#[derive(Debug, Default)]
pub struct Outbox {
    state: Mutex<State>,
    /// Signals that lines were taken out, or that the outbox was closed.
    has_room: Condvar,
    /// Signals a new line or the end.
    has_lines: Condvar,
}

#[derive(Debug, Default)]
struct State {
    lines: VecDeque<String>,
    bytes: usize,
    is_closed: bool,
    is_finished: bool,
}

impl Outbox {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line; waits for room. A closed outbox drops lines.
    pub fn send(&self, line: String) {
        let is_full = |state: &mut State| state.bytes > MAX_BYTES && !state.is_closed;
        let waited = self.has_room.wait_while(self.lock(), is_full);
        self.add(&mut waited.unwrap_or_else(PoisonError::into_inner), line);
    }

    /// Adds a line unless the client lags behind.
    pub fn send_interim(&self, line: String) {
        let mut state = self.lock();
        if state.bytes <= MAX_INTERIM_BYTES {
            self.add(&mut state, line);
        }
    }

    fn add(&self, state: &mut State, line: String) {
        if !state.is_closed {
            state.bytes += line.len();
            state.lines.push_back(line);
            self.has_lines.notify_one();
        }
    }

    pub fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Drops all lines, now and later.
    pub fn close(&self) {
        let mut state = self.lock();
        *state = State { is_closed: true, is_finished: state.is_finished, ..State::default() };
        self.has_room.notify_all();
        self.has_lines.notify_all();
    }

    pub fn finish(&self) {
        self.lock().is_finished = true;
        self.has_lines.notify_all();
    }

    pub fn write_to(&self, mut output: impl Write) -> io::Result<()> {
        let written = self.write_lines(&mut output);
        if written.is_err() {
            self.close();
        }
        written
    }

    fn write_lines(&self, output: &mut impl Write) -> io::Result<()> {
        while let Some(lines) = self.take() {
            for line in lines {
                output.write_all(line.as_bytes())?;
                output.write_all(b"\n")?;
            }
            output.flush()?;
        }
        Ok(())
    }

    /// Waits for lines and takes some out; `None` after the last.
    fn take(&self) -> Option<Vec<String>> {
        /// Few lines at once make room before all are written.
        const MAX_BATCH: usize = 64;
        let has_to_wait =
            |state: &mut State| state.lines.is_empty() && !state.is_finished && !state.is_closed;
        let waited = self.has_lines.wait_while(self.lock(), has_to_wait);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.lines.is_empty() {
            return None;
        }
        let count = state.lines.len().min(MAX_BATCH);
        let lines: Vec<String> = state.lines.drain(..count).collect();
        state.bytes -= lines.iter().map(String::len).sum::<usize>();
        self.has_room.notify_all();
        Some(lines)
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, Outbox};
    use std::io::{self, Write};
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn lines_are_written_in_order_until_the_end() {
        let outbox = Outbox::default();
        for line in ["a", "b", "c"] {
            outbox.send(line.to_owned());
        }
        outbox.finish();
        let mut written = Vec::new();
        outbox.write_to(&mut written).expect("a vector");
        assert_eq!(written, b"a\nb\nc\n");
    }

    /// A client that does not read until a flag is set.
    struct Sleepy<'a>(&'a AtomicBool);

    impl Write for Sleepy<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            while !self.0.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
            }
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_client_that_stops_reading_is_waited_for() {
        let (outbox, awake, sent) =
            (Outbox::default(), AtomicBool::new(false), AtomicUsize::new(0));
        let line = "x".repeat(1 << 16);
        let all = 2 * MAX_BYTES / line.len() + 100;
        thread::scope(|scope| {
            scope.spawn(|| outbox.write_to(Sleepy(&awake)));
            scope.spawn(|| {
                for _ in 0..all {
                    outbox.send(line.clone());
                    sent.fetch_add(1, Ordering::Relaxed);
                }
                outbox.finish();
            });
            let mut before = 0;
            loop {
                thread::sleep(Duration::from_millis(50));
                let now = sent.load(Ordering::Relaxed);
                if now > 0 && now == before {
                    break;
                }
                before = now;
            }
            // The rest of a batch of lines that the writer has taken counts, too.
            assert!(before <= MAX_BYTES / line.len() + 66, "{before}");
            outbox.send_interim("dropped".to_owned());
            awake.store(true, Ordering::Relaxed);
        });
        assert_eq!(sent.load(Ordering::Relaxed), all);
    }

    #[test]
    fn a_client_that_is_gone_holds_nobody_up() {
        struct Gone;
        impl Write for Gone {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let outbox = Outbox::default();
        outbox.send("lost".to_owned());
        assert!(outbox.write_to(Gone).is_err());
        let line = "x".repeat(MAX_BYTES);
        for _ in 0..4 {
            outbox.send(line.clone());
        }
        assert!(outbox.is_closed());
    }
}
