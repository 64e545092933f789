//! The other end of GTP: asks an engine, one command at a time, and believes
//! nothing.

use super::keeper::Keeper;
use super::process::{Line, NoLine, Process};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of the longest reply.
const LONGEST_REPLY: usize = 1 << 20;

/// Bytes of what an engine may say, empty lines apart, before its first reply.
const LONGEST_BANNER: usize = 1 << 16;

/// Bytes that a line counts for at least: short lines cost more than their bytes.
const LEAST_LINE: usize = 64;

/// Characters of an engine's words that are quoted.
const QUOTED: usize = 80;

/// What an engine did wrong.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// It ended, or closed its pipes.
    #[error("{0}")]
    Crash(String),
    /// It did not answer.
    #[error("no answer to '{command}' in {seconds} s")]
    Hang {
        /// What it was asked.
        command: String,
        /// How long it was waited for.
        seconds: f64,
    },
    /// It said what is no answer.
    #[error("'{command}' was answered with {what}")]
    Garbage {
        /// What it was asked.
        command: String,
        /// What it said.
        what: String,
    },
    /// It refused what it has to accept.
    #[error("'{command}' was refused: {why}")]
    Refused {
        /// What it was asked.
        command: String,
        /// Its words.
        why: String,
    },
    /// It made a move that the rules forbid.
    #[error("{turn}: {why}")]
    Illegal {
        /// Colour and turn.
        turn: String,
        /// The rule.
        why: String,
    },
    /// It used more time than it had.
    #[error("{used:.3} s used, {left:.3} s left")]
    Overrun {
        /// Seconds of the move.
        used: f64,
        /// Seconds it could take.
        left: f64,
    },
}

/// A reply: the text after `=`, or after `?`, without spaces at either end.
pub type Answer = Result<String, String>;

/// A GTP engine, asked one command at a time. After a [`Fault`] of [`ask`] it is
/// of no more use.
///
/// [`ask`]: Client::ask
#[derive(Debug)]
pub struct Client {
    process: Process,
    /// Bytes of banner still allowed: none after the first reply.
    banner: usize,
}

impl Client {
    /// Starts an engine.
    ///
    /// # Errors
    /// The program does not start.
    pub fn start(words: &[String], keeper: &Arc<Keeper>) -> io::Result<Client> {
        Ok(Client {
            process: Process::start(words, keeper)?,
            banner: LONGEST_BANNER,
        })
    }

    /// Asks and waits for the whole reply, at most for `patience`; also tells
    /// how long the engine took.
    ///
    /// # Errors
    /// A crash, a hang or garbage.
    pub fn ask(&mut self, command: &str, patience: Duration) -> Result<(Answer, Duration), Fault> {
        self.nothing_said(command)?;
        let asked = Instant::now();
        if self.process.send(command).is_err() {
            return Err(Fault::Crash(self.process.obituary()));
        }
        // A year is for ever.
        let deadline = asked + patience.min(Duration::from_secs(365 * 86_400));
        let first = loop {
            let (line, _) = self.line(command, deadline, patience)?;
            match line.as_bytes().first() {
                None => {}
                Some(b'=' | b'?') => break line,
                Some(_) => self.banner(command, &line)?,
            }
        };
        self.banner = 0;
        let mut text = first;
        let mut room = LONGEST_REPLY;
        let ended = loop {
            let (line, at) = self.line(command, deadline, patience)?;
            if line.is_empty() {
                break at;
            }
            room = room.saturating_sub(line.len().max(LEAST_LINE));
            if room == 0 {
                return Err(garbage(command, "a reply without end"));
            }
            text.push('\n');
            text.push_str(&line);
        };
        let (mark, body) = text.split_at_checked(1).unwrap_or_default();
        let body = body.trim().to_owned();
        let answer = if mark == "=" { Ok(body) } else { Err(body) };
        Ok((answer, ended.saturating_duration_since(asked)))
    }

    /// As [`ask`](Self::ask), where a refusal is a fault too.
    ///
    /// # Errors
    /// [`Fault`].
    pub fn demand(&mut self, command: &str, patience: Duration) -> Result<String, Fault> {
        let (answer, _) = self.ask(command, patience)?;
        answer.map_err(|why| refused(command, &why))
    }

    /// Tells the engine to quit and waits a moment for it.
    pub fn end(self) {
        self.process.end();
    }

    /// A line without control characters at its end.
    fn line(
        &mut self,
        command: &str,
        deadline: Instant,
        patience: Duration,
    ) -> Result<(String, Instant), Fault> {
        match self.process.line(deadline) {
            Ok(Line::Whole(bytes, at)) => {
                let text = String::from_utf8_lossy(&bytes);
                Ok((text.trim_end().to_owned(), at))
            }
            Ok(Line::TooLong) => Err(garbage(command, "a line without end")),
            Err(NoLine::Closed) => Err(Fault::Crash(self.process.obituary())),
            Err(NoLine::Late) => Err(Fault::Hang {
                command: command.to_owned(),
                seconds: patience.as_secs_f64(),
            }),
        }
    }

    /// What was said before the first reply is forgiven up to a length.
    fn banner(&mut self, command: &str, line: &str) -> Result<(), Fault> {
        let left = self.banner.checked_sub(line.len().max(LEAST_LINE));
        self.banner = left.ok_or_else(|| garbage(command, &quoted(line)))?;
        Ok(())
    }

    /// Whoever speaks without being asked would be misunderstood from then on.
    fn nothing_said(&mut self, command: &str) -> Result<(), Fault> {
        while let Some(line) = self.process.line_at_hand() {
            match line {
                Line::Whole(bytes, _) if bytes.trim_ascii().is_empty() => {}
                Line::Whole(bytes, _) => {
                    self.banner(command, &String::from_utf8_lossy(&bytes))?;
                }
                Line::TooLong => return Err(garbage(command, "a line without end")),
            }
        }
        Ok(())
    }
}

/// The fault of saying what is no answer.
pub(super) fn garbage(command: &str, what: &str) -> Fault {
    Fault::Garbage {
        command: command.to_owned(),
        what: what.to_owned(),
    }
}

/// The fault of refusing what has to be accepted.
pub(super) fn refused(command: &str, why: &str) -> Fault {
    Fault::Refused {
        command: command.to_owned(),
        why: shortened(why),
    }
}

/// An engine's words, as they are shown.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", shortened(text))
}

/// The beginning of a text, on one line, without control characters.
pub(super) fn shortened(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut short: String = text.chars().take(QUOTED).map(plain).collect();
    if text.chars().nth(QUOTED).is_some() {
        short.push('…');
    }
    short
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// An engine that is a shell script.
    fn engine(script: &str) -> Client {
        let words = ["/bin/sh", "-c", script].map(str::to_owned);
        Client::start(&words, &Arc::new(Keeper::alone())).expect("a shell")
    }

    const PATIENCE: Duration = Duration::from_secs(20);

    fn ask(client: &mut Client, command: &str) -> Result<Answer, Fault> {
        client.ask(command, PATIENCE).map(|(answer, _)| answer)
    }

    #[test]
    fn replies_are_read_whole() {
        let mut client = engine(
            r"echo Welcome; read l; printf '= one\n\n\n'; read l; printf '?2 no\r\n\r\n';
            read l; printf '=\na\nb\n\n'; read l",
        );
        assert_eq!(ask(&mut client, "a"), Ok(Ok("one".to_owned())));
        assert_eq!(ask(&mut client, "b"), Ok(Err("2 no".to_owned())));
        assert_eq!(ask(&mut client, "c"), Ok(Ok("a\nb".to_owned())));
    }

    #[test]
    fn faults_are_told_apart() {
        let fault = |script| ask(&mut engine(script), "name").expect_err("a fault");
        assert!(matches!(fault("exit 3"), Fault::Crash(_)));
        assert!(matches!(fault("exec <&- >&-; sleep 5"), Fault::Crash(_)));
        let Fault::Crash(how) = fault("read l; echo oh no >&2; sleep 0.05; exit 3") else {
            panic!("no crash");
        };
        assert_eq!(how, "exit status: 3; oh no");
        let garbage = "read l; printf '=\n\n'; read l; echo rubbish; read l";
        let mut client = engine(garbage);
        assert_eq!(ask(&mut client, "a"), Ok(Ok(String::new())));
        assert!(matches!(ask(&mut client, "b"), Err(Fault::Garbage { .. })));
        let flood = "read l; yes 1234567890 | tr -d '\\n'";
        assert!(matches!(fault(flood), Fault::Garbage { .. }));
        assert!(matches!(fault("read l; yes"), Fault::Garbage { .. }));
        let endless = "read l; printf '= '; yes";
        assert!(matches!(fault(endless), Fault::Garbage { .. }));
        let mut client = engine("read l; sleep 20");
        let hang = client.ask("name", Duration::from_millis(50));
        assert!(matches!(hang, Err(Fault::Hang { .. })));
    }

    #[test]
    fn a_flood_of_errors_is_no_fault() {
        let mut client = engine("yes >&2 & read l; printf '= one\n\n'; read l; kill $!");
        assert_eq!(ask(&mut client, "a"), Ok(Ok("one".to_owned())));
    }

    #[test]
    fn no_child_of_an_engine_outlives_it() {
        let keeper = Arc::new(Keeper::alone());
        let words = ["/bin/sh", "-c", "sleep 300 & echo = $!; echo; read l"].map(str::to_owned);
        let mut client = Client::start(&words, &keeper).expect("a shell");
        let pid = ask(&mut client, "pid").expect("a reply").expect("a number");
        assert_eq!(keeper.alive(), 1);
        drop(client);
        assert_eq!(keeper.alive(), 0);
        let gone = || {
            // A zombie waits for whoever adopted it, but does not run.
            let status = std::fs::read_to_string(format!("/proc/{pid}/stat"));
            status.map_or(true, |text| text.contains(") Z"))
        };
        let deadline = Instant::now() + PATIENCE;
        while !gone() {
            assert!(Instant::now() < deadline, "{pid} lives on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
