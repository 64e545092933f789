//! Sends GTP commands to an engine, one at a time, and validates the responses.

use super::game_log::EngineLog;
use super::process::{EngineLine, Process, ReadLineError};
use super::process_guard::ProcessGuard;
use super::settings::Surroundings;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

const MAX_RESPONSE_BYTES: usize = 1 << 20;

/// Bytes before the first response, without empty lines.
const MAX_BANNER_BYTES: usize = 1 << 16;

/// Every line counts at least this much, because it takes memory.
const MIN_LINE_COST: usize = 64;

const MAX_QUOTED_CHARS: usize = 80;

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EngineFailure {
    /// The text is the exit reason.
    #[error("{0}")]
    Crash(String),
    #[error("no response to '{command}' in {seconds} s")]
    NoResponse { command: String, seconds: f64 },
    /// Not GTP, or not a valid response to this command.
    #[error("invalid response to '{command}': {what}")]
    InvalidResponse { command: String, what: String },
    /// An error (`?`) in response to a command that the engine must accept.
    #[error("error response to '{command}': {why}")]
    ErrorResponse { command: String, why: String },
    #[error("{turn}: {why}")]
    Illegal {
        /// Colour and turn.
        turn: String,
        why: String,
    },
    #[error("{used:.3} s used, {left:.3} s left")]
    TimeForfeit {
        /// Seconds of the move.
        used: f64,
        /// Seconds it had left.
        left: f64,
    },
}

/// `Ok` with the text after `=`, or `Err` with the text after `?`, trimmed.
pub type Response = Result<String, String>;

/// After [`send`](Controller::send) fails, the engine must be restarted.
#[derive(Debug)]
pub struct Controller {
    process: Process,
    /// The value is 0 after the first response.
    banner_bytes_left: usize,
    /// The log of the game.
    pub log: Option<EngineLog>,
}

impl Controller {
    pub fn start(
        words: &[String],
        surroundings: &Surroundings,
        guard: &Arc<ProcessGuard>,
    ) -> io::Result<Controller> {
        Ok(Controller {
            process: Process::start(words, surroundings, guard)?,
            banner_bytes_left: MAX_BANNER_BYTES,
            log: None,
        })
    }

    /// Also returns the time that the engine took. `timeout` limits the whole response.
    pub fn send(
        &mut self,
        command: &str,
        timeout: Duration,
    ) -> Result<(Response, Duration), EngineFailure> {
        self.discard_pending(command)?;
        let asked = Instant::now();
        if let Some(log) = &self.log {
            log.sent(command);
        }
        if self.process.send(command).is_err() {
            return Err(EngineFailure::Crash(self.process.exit_reason()));
        }
        // An `Instant` may overflow; a year is longer than any match.
        let deadline = asked + timeout.min(Duration::from_secs(365 * 86_400));
        let first = loop {
            let (line, _) = self.line(command, deadline, timeout)?;
            match line.as_bytes().first() {
                None => {}
                Some(b'=' | b'?') => break line,
                Some(_) => self.accept_banner(command, &line)?,
            }
        };
        self.banner_bytes_left = 0;
        let mut text = first;
        let mut bytes_left = MAX_RESPONSE_BYTES;
        let ended = loop {
            let (line, at) = self.line(command, deadline, timeout)?;
            if line.is_empty() {
                break at;
            }
            bytes_left = bytes_left.saturating_sub(line.len().max(MIN_LINE_COST));
            if bytes_left == 0 {
                return Err(invalid_response(command, "a response without end"));
            }
            text.push('\n');
            text.push_str(&line);
        };
        let (mark, body) = text.split_at_checked(1).unwrap_or_default();
        let body = body.trim().to_owned();
        let response = if mark == "=" { Ok(body) } else { Err(body) };
        Ok((response, ended.saturating_duration_since(asked)))
    }

    /// As [`send`](Self::send), but an error response is a failure.
    pub fn require(&mut self, command: &str, timeout: Duration) -> Result<String, EngineFailure> {
        let (response, _) = self.send(command, timeout)?;
        response.map_err(|why| error_response(command, &why))
    }

    pub fn quit(self) {
        self.process.quit();
    }

    fn line(
        &mut self,
        command: &str,
        deadline: Instant,
        timeout: Duration,
    ) -> Result<(String, Instant), EngineFailure> {
        match self.process.line(deadline) {
            Ok(EngineLine::Whole(bytes, at)) => {
                let text = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                if let Some(log) = self.log.as_ref().filter(|_| !text.is_empty()) {
                    log.received(&text);
                }
                Ok((text, at))
            }
            Ok(EngineLine::TooLong) => Err(invalid_response(command, "a line without end")),
            Err(ReadLineError::Closed) => Err(EngineFailure::Crash(self.process.exit_reason())),
            Err(ReadLineError::TimedOut) => Err(EngineFailure::NoResponse {
                command: command.to_owned(),
                seconds: timeout.as_secs_f64(),
            }),
        }
    }

    fn accept_banner(&mut self, command: &str, line: &str) -> Result<(), EngineFailure> {
        let bytes = self.banner_bytes_left.checked_sub(line.len().max(MIN_LINE_COST));
        self.banner_bytes_left = bytes.ok_or_else(|| invalid_response(command, &quoted(line)))?;
        Ok(())
    }

    /// Discards unrequested output, which would count as the next response.
    fn discard_pending(&mut self, command: &str) -> Result<(), EngineFailure> {
        while let Some(line) = self.process.try_line() {
            match line {
                EngineLine::Whole(bytes, _) if bytes.trim_ascii().is_empty() => {}
                EngineLine::Whole(bytes, _) => {
                    self.accept_banner(command, &String::from_utf8_lossy(&bytes))?;
                }
                EngineLine::TooLong => return Err(invalid_response(command, "a line without end")),
            }
        }
        Ok(())
    }
}

pub(super) fn invalid_response(command: &str, what: &str) -> EngineFailure {
    EngineFailure::InvalidResponse { command: command.to_owned(), what: what.to_owned() }
}

pub(super) fn error_response(command: &str, why: &str) -> EngineFailure {
    EngineFailure::ErrorResponse { command: command.to_owned(), why: shortened(why) }
}

pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", shortened(text))
}

/// At most [`MAX_QUOTED_CHARS`] on one line, without control characters.
pub(super) fn shortened(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = text.chars().take(MAX_QUOTED_CHARS).map(plain).collect();
    if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
        short.push('…');
    }
    short
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// An engine that is a shell script.
    fn engine(script: &str) -> Controller {
        let words = ["/bin/sh", "-c", script].map(str::to_owned);
        let guard = Arc::new(ProcessGuard::without_watchdog());
        Controller::start(&words, &Surroundings::default(), &guard).expect("a shell")
    }

    const TIMEOUT: Duration = Duration::from_secs(20);

    fn send(controller: &mut Controller, command: &str) -> Result<Response, EngineFailure> {
        controller.send(command, TIMEOUT).map(|(response, _)| response)
    }

    #[test]
    fn responses_are_read_whole() {
        let mut controller = engine(
            r"echo Welcome; read l; printf '= one\n\n\n'; read l; printf '?2 no\r\n\r\n';
            read l; printf '=\na\nb\n\n'; read l",
        );
        assert_eq!(send(&mut controller, "a"), Ok(Ok("one".to_owned())));
        assert_eq!(send(&mut controller, "b"), Ok(Err("2 no".to_owned())));
        assert_eq!(send(&mut controller, "c"), Ok(Ok("a\nb".to_owned())));
    }

    #[test]
    fn failures_are_classified() {
        let failure = |script| send(&mut engine(script), "name").expect_err("a failure");
        assert!(matches!(failure("exit 3"), EngineFailure::Crash(_)));
        assert!(matches!(failure("exec <&- >&-; sleep 5"), EngineFailure::Crash(_)));
        for _ in 0..50 {
            let EngineFailure::Crash(how) = failure("read l; echo oh no >&2; exit 3") else {
                panic!("no crash");
            };
            assert_eq!(how, "exit status: 3; oh no");
        }
        // A child in another session keeps its standard error open.
        let EngineFailure::Crash(how) =
            failure("read l; echo oh no >&2; setsid sleep 5 <&- >&- & exit 3")
        else {
            panic!("no crash");
        };
        assert_eq!(how, "exit status: 3; oh no");
        let invalid_response = "read l; printf '=\n\n'; read l; echo rubbish; read l";
        let mut controller = engine(invalid_response);
        assert_eq!(send(&mut controller, "a"), Ok(Ok(String::new())));
        assert!(matches!(send(&mut controller, "b"), Err(EngineFailure::InvalidResponse { .. })));
        let flood = "read l; yes 1234567890 | tr -d '\\n'";
        assert!(matches!(failure(flood), EngineFailure::InvalidResponse { .. }));
        assert!(matches!(failure("read l; yes"), EngineFailure::InvalidResponse { .. }));
        let endless = "read l; printf '= '; yes";
        assert!(matches!(failure(endless), EngineFailure::InvalidResponse { .. }));
        let mut controller = engine("read l; sleep 20");
        let timeout = controller.send("name", Duration::from_millis(50));
        assert!(matches!(timeout, Err(EngineFailure::NoResponse { .. })));
    }

    #[test]
    fn a_flood_on_stderr_is_no_failure() {
        let mut controller = engine("yes >&2 & read l; printf '= one\n\n'; read l; kill $!");
        assert_eq!(send(&mut controller, "a"), Ok(Ok("one".to_owned())));
    }

    #[test]
    fn children_of_an_engine_are_killed_with_it() {
        let guard = Arc::new(ProcessGuard::without_watchdog());
        let words = ["/bin/sh", "-c", "sleep 300 & echo = $!; echo; read l"].map(str::to_owned);
        let controller = Controller::start(&words, &Surroundings::default(), &guard);
        let mut controller = controller.expect("a shell");
        let pid = send(&mut controller, "pid").expect("a response").expect("a number");
        assert_eq!(guard.running(), 1);
        drop(controller);
        assert_eq!(guard.running(), 0);
        let has_exited = || {
            // A zombie does not run.
            let status = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            status.map_or(true, |text| text.contains(") Z"))
        };
        let deadline = Instant::now() + TIMEOUT;
        while !has_exited() {
            assert!(Instant::now() < deadline, "{pid} still runs");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
