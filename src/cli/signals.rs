//! Signals that end a command: Ctrl-C, SIGTERM, SIGHUP.

use super::{CliResult, Error};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Plus the number of the signal is the exit status.
const SIGNAL_STATUS: u8 = 128;

/// Records the first signal: the command then ends as soon as it has kept its results. A second
/// signal ends it at once.
#[derive(Clone, Debug, Default)]
pub struct Interruption {
    /// The exit status; 0 before the first signal.
    status: Arc<AtomicU8>,
}

impl Interruption {
    /// [`has_come`](Self::has_come) sees signals from now on.
    pub fn begin() -> Result<Interruption, Error> {
        Interruption::on_signals(|_| ())
    }

    /// The first signal calls `first` with the exit status, on its own thread.
    pub fn on_signals(first: impl FnOnce(u8) + Send + 'static) -> Result<Interruption, Error> {
        let interruption = Interruption::default();
        let (set, mut first) = (interruption.clone(), Some(first));
        let handler = move |signal: u8| {
            let status = SIGNAL_STATUS.saturating_add(signal);
            match first.take() {
                Some(first) => {
                    set.status.store(status, Ordering::Relaxed);
                    first(status);
                }
                None => std::process::exit(status.into()),
            }
        };
        handle(handler).map_err(Error::failure)?;
        Ok(interruption)
    }

    pub fn has_come(&self) -> bool {
        self.status.load(Ordering::Relaxed) != 0
    }

    /// Fails if a signal has come; `kept` describes the kept results.
    pub fn outcome(&self, results: &str) -> CliResult {
        match self.status.load(Ordering::Relaxed) {
            0 => Ok(()),
            status => Err(Error::Interrupted(status, results.to_owned())),
        }
    }
}

/// Calls `handler` with the number of each signal, on its own thread. Ignored signals stay
/// ignored, as after nohup.
#[cfg(unix)]
fn handle(mut handler: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored_signals(&status);
    let signals_to_catch =
        [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| (ignored >> (signal - 1)) & 1 == 0);
    let mut signals = signal_hook::iterator::Signals::new(signals_to_catch)?;
    let each = move || {
        for signal in signals.forever() {
            handler(u8::try_from(signal).unwrap_or_default());
        }
    };
    std::thread::Builder::new().spawn(each).map(drop)
}

/// As bits; 0 on systems without this file.
#[cfg(unix)]
fn ignored_signals(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0)
}

/// Each event that ends a console program counts as SIGINT.
#[cfg(not(unix))]
fn handle(mut handler: impl FnMut(u8) + Send + 'static) -> io::Result<()> {
    const SIGINT: u8 = 2;
    ctrlc::set_handler(move || handler(SIGINT)).map_err(io::Error::other)
}
